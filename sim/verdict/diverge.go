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
	h := r.header
	lies := len(h.Liar) > 0 && r.f.Round >= h.LiesFrom // then a smaller learning rate need not help
	if !IsDiverged(r.run, r.lane, r.f) {
		text := "The loss is %s, at the start it was %s. Try a smaller learning rate."
		if lies {
			text = "The loss is %s, at the start it was %s. Liars can drive models away."
		}
		return say.Text("Diverging"), say.Textf(text, number(r.lastEvaluation().Loss), number(r.frames[0].Loss))
	}
	if s := r.run.Tracks[r.lane].Summary; s != nil && s.Cause != "" {
		return say.Text("Diverged"), say.Textf("%s.", capital(say.Text(s.Cause)))
	}
	if lies {
		return say.Text("Diverged"), say.Text("The models diverged. Liars can drive models away.")
	}
	return say.Text("Diverged"), say.Text("The models diverged. Try a smaller learning rate.")
}

// capital makes the first letter of a text upper case.
func capital(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:n]) + s[n:]
}
