package verdict

import (
	"math"
	"strings"
	"unicode/utf8"

	"flockscope/sim/say"
	"flockscope/sim/trace"
)

// IsDiverged reports whether a lane has stopped at or before a frame because it diverged.
func IsDiverged(run *trace.Run, lane int, f *trace.Frame) bool {
	s := run.Tracks[lane].Summary
	return f.Events.Has(trace.Diverged) || s != nil && s.Diverged >= 0 && f.Round >= s.Diverged
}

// Diverging reports whether the models of a lane are diverging in a round: the loss is far above the
// first one, or has grown fast in several evaluated rounds in a row.
func Diverging(run *trace.Run, lane, round int) bool {
	const far, growth, rounds = 1e4, 1.5, 5
	frames := run.Tracks[lane].Frames
	if round >= len(frames) || !(frames[0].Loss > 0) {
		return false
	}
	first := frames[0].Loss
	last, grew, diverging := first, 0, false
	for t := range round + 1 {
		loss := frames[t].Loss
		if math.IsNaN(loss) {
			continue // not evaluated
		}
		if grew++; loss <= growth*last {
			grew = 0
		}
		diverging = diverging || loss > far*first || grew >= rounds && loss > first
		last = loss
	}
	return diverging && last > first // else it has recovered
}

// divergedWords says that the models have diverged, or are diverging, and why.
func (r *round) divergedWords() (head, tail string) {
	if !IsDiverged(r.run, r.lane, r.f) {
		return say.Text("Diverging"), say.Textf("The loss is %s, at the start it was %s. Try a smaller learning rate.",
			number(r.lastEvaluation().Loss), number(r.frames[0].Loss))
	}
	if s := r.run.Tracks[r.lane].Summary; s != nil && s.Cause != "" {
		return say.Text("Diverged"), say.Textf("%s.", capital(say.Text(s.Cause)))
	}
	return say.Text("Diverged"), say.Text("The models diverged. Try a smaller learning rate.")
}

// capital makes the first letter of a text upper case.
func capital(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:n]) + s[n:]
}
