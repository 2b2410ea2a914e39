package page

import (
	"math"
	"strconv"

	"flockscope/sim/say"
	"flockscope/ui/chart"
	"flockscope/ui/host"
)

// Long runs: their progress, and how to stop them.

// Progress returns the percentage of rounds computed, −1 if no run is in progress.
func (r *Runs) Progress() int {
	run := r.page.Run
	if r.busy { // the run on screen is an older one
		run = r.arriving
	}
	if run == nil || run.Done() || r.stopped {
		return -1
	}
	return 100 * max(0, run.Finished()) / max(1, run.Header.Rounds)
}

// roundRate measures the rounds computed per second over the last seconds: the first rounds are
// slower, and other programs use the processors at times.
type roundRate struct{ start, nextStart, last milestone }

// milestone is a number of rounds and the time when it was reached, in ms.
type milestone struct {
	at     float64
	rounds int
}

// The rate is measured over at least rateWindow ms and minRounds rounds, and over about twice that
// at most.
const (
	rateWindow = 2000
	minRounds  = 2
)

func (t *roundRate) reset(now float64) {
	start := milestone{now, 0}
	*t = roundRate{start, start, start}
}

// restart measures the rate anew, since the engines pause or continue.
func (t *roundRate) restart(now float64) {
	start := milestone{now, t.last.rounds}
	*t = roundRate{start, start, start}
}

// observe records how many rounds there are.
func (t *roundRate) observe(now float64, rounds int) {
	if rounds <= t.last.rounds {
		return
	}
	t.last = milestone{now, rounds}
	if now-t.nextStart.at >= rateWindow && rounds-t.nextStart.rounds >= minRounds {
		t.start, t.nextStart = t.nextStart, t.last
	}
}

// perSecond returns the rate in rounds per second, 0 if unknown.
func (t *roundRate) perSecond() float64 {
	if n := t.last.rounds - t.start.rounds; n >= minRounds && t.last.at > t.start.at {
		return float64(n) / (t.last.at - t.start.at) * 1000
	}
	return 0
}

// secondsLeft estimates the time until a number of rounds is reached.
func (t *roundRate) secondsLeft(now float64, rounds int) float64 {
	return float64(rounds-t.last.rounds)/t.perSecond() - (now-t.last.at)/1000
}

// clientProgress is how many clients of a lane are done within a long round; done is 0 in short
// ones. Of several lanes it is the first.
type clientProgress struct{ lane, done int }

// longRun is the time, in ms, after which a run shows its progress and can be stopped.
const longRun = 700

// ComputingFor reports whether the requested run is incomplete, and for how long it has been
// computed, in ms.
func (r *Runs) ComputingFor() (since float64, ok bool) {
	if r.machine.Problem != "" || !r.busy && r.Progress() < 0 {
		return 0, false
	}
	return r.page.now - r.requestedAt, true
}

// StoppableAt returns the time, in ms, when the texts of the running run must be updated even if
// nothing happens; false if no run is in progress.
func (r *Runs) StoppableAt() (at float64, ok bool) {
	_, ok = r.ComputingFor()
	return r.requestedAt + longRun, ok
}

// Stoppable reports whether a run has taken so long that the user may stop it.
func (r *Runs) Stoppable() bool {
	since, ok := r.ComputingFor()
	return ok && since > longRun
}

// Stopped reports whether the user stopped the run.
func (r *Runs) Stopped() bool { return r.stopped }

// ProgressWords returns the progress in a few words and in full: rounds, rate and remaining time.
func (r *Runs) ProgressWords() (short, full string) {
	switch {
	case r.waiting:
		return "not started", "not started yet"
	case r.Stopped():
		if r.stoppedBeforeStart {
			return "stopped", "stopped before the first round"
		}
		return "stopped", say.Textf("stopped at round %d of %d", max(0, r.page.Run.Finished()), r.page.Rounds())
	}
	if !r.Stoppable() { // its progress would only flash
		return "", ""
	}
	percent := strconv.Itoa(r.Progress()) + "%"
	run := r.page.Run
	if r.busy {
		run = r.arriving
	}
	var clients []string
	if n := r.clientProgress.done; n > 0 && run != nil {
		clients = []string{say.Textf("%d of %d clients", n, run.Header.Clients)}
	}
	switch {
	case r.paused && r.Progress() >= 0:
		return "paused", say.Join(append([]string{say.Text("paused"), say.Textf("%d of %d computed", max(0, run.Finished()),
			run.Header.Rounds)}, clients...), " · ")
	case r.busy && r.start != nil:
		return "preparing", say.Join(append([]string{say.Text("evaluating the first models")}, clients...), " · ")
	case r.busy:
		return "preparing", "preparing the data"
	}
	done, all := r.page.Run.Finished(), r.page.Rounds()
	parts := []string{say.Textf("%d of %d computed", done, all)}
	rate := r.roundRate.perSecond()
	if rate < 1 {
		parts = append(parts, clients...)
	}
	if rate == 0 {
		return percent, say.Join(parts, " · ")
	}
	left := FormatDuration(r.roundRate.secondsLeft(r.page.now, all))
	return say.Join([]string{percent, left}, " · "), say.Join(append(parts, rateText(rate), say.Textf("%s left", left)), " · ")
}

// rateText formats a rate in rounds per second or per minute.
func rateText(rate float64) string {
	switch {
	case rate < 0.5:
		return say.Textf("%s rounds a minute", chart.Number(math.Round(60*rate*10)/10))
	case rate < 10:
		return say.Textf("%s rounds/s", chart.Fixed(rate, 1))
	}
	return say.Textf("%s rounds/s", chart.Fixed(rate, 0))
}

// FormatDuration formats seconds with a suitable unit.
func FormatDuration(s float64) string { return say.Text(durationWords(s)) }

func durationWords(s float64) say.Message {
	switch {
	case s < 1:
		return say.Messagef("%s s", "1")
	case s < 90:
		return say.Messagef("%s s", chart.Fixed(math.Ceil(s), 0))
	case s < 5400:
		return say.Messagef("%s min", chart.Fixed(math.Round(s/60), 0))
	}
	return say.Messagef("%s h", chart.Fixed(math.Round(s/360)/10, 1))
}

// Stop ends the running run and keeps the rounds computed.
func (r *Runs) Stop() {
	if _, ok := r.ComputingFor(); !ok {
		return
	}
	r.sendCancel()
	r.stoppedBeforeStart = false
	if r.arriving != nil && r.arriving.Finished() >= 0 {
		r.showArrived()
	} else if r.busy {
		r.id++ // later messages of the run are ignored
		r.stoppedBeforeStart = true
		if r.page.Run != nil && !r.UpToDate() {
			r.withdrawRefusal()
			r.refusal = OldFiguresNotice
			r.page.Notify(OldFiguresNotice)
		}
	}
	r.stopped, r.busy, r.requestPending, r.arriving = true, false, false, nil
	r.setPaused(false)
	r.page.Player.Playing = false
	r.page.effects.Redraw(host.Shell | host.Figures)
	r.page.jobs().Dispatch()
}

// StopOrRun: the user stops the running run, or computes a stopped one from its start.
type StopOrRun struct{}

func (StopOrRun) update(s *State) {
	r := s.Runs
	if r.Stopped() {
		r.RunAgain()
	} else {
		r.Stop()
	}
}

// RunAgain computes a stopped run from its start, whatever it costs.
func (r *Runs) RunAgain() {
	if r.waiting {
		r.accepted = max(r.accepted, r.work)
	}
	r.stopped = false
	r.Request()
	r.page.effects.Redraw(host.Shell | host.Figures)
}
