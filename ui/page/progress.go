package page

import (
	"math"
	"slices"
	"strconv"

	"flockscope/sim/say"
	"flockscope/sim/wire"
	"flockscope/ui/chart"
	"flockscope/ui/host"
)

// A run that takes its time: how far it is, and how to end it.

// Progress is how far a run is that is still under way, in percent, or −1.
func (r *Runs) Progress() int {
	run := r.page.Run
	if r.busy { // that on screen is another one
		run = r.arriving
	}
	if run == nil || run.Done() || r.stopped {
		return -1
	}
	return 100 * max(0, run.Finished()) / max(1, run.Header.Rounds)
}

// roundRate is how fast rounds come in: the first ones take longer, and others come
// and go on the processors.
type roundRate struct{ start, nextStart, last milestone }

// milestone is how many rounds were there at a time, in ms.
type milestone struct {
	at     float64
	rounds int
}

// window is how far back a tempo looks at least, in ms, and few at how many rounds;
// at most it is about twice that.
const (
	rateWindow = 2000
	minRounds  = 2
)

func (t *roundRate) reset(now float64) {
	start := milestone{now, 0}
	*t = roundRate{start, start, start}
}

// observe takes down how many rounds are there.
func (t *roundRate) observe(now float64, rounds int) {
	if rounds <= t.last.rounds {
		return
	}
	t.last = milestone{now, rounds}
	if now-t.nextStart.at >= rateWindow && rounds-t.nextStart.rounds >= minRounds {
		t.start, t.nextStart = t.nextStart, t.last
	}
}

// perSecond is in rounds a second, 0 where nothing can be said yet.
func (t *roundRate) perSecond() float64 {
	if n := t.last.rounds - t.start.rounds; n >= minRounds && t.last.at > t.start.at {
		return float64(n) / (t.last.at - t.start.at) * 1000
	}
	return 0
}

// secondsLeft is in how many seconds so many rounds will be there, at that rate.
func (t *roundRate) secondsLeft(now float64, rounds int) float64 {
	return float64(rounds-t.last.rounds)/t.perSecond() - (now-t.last.at)/1000
}

// clientProgress is how many clients have done their part of what a lane asks them within a
// round that takes long; done is 0 in all others. Of several lanes it is the first.
type clientProgress struct{ lane, done int }

// longRun is how long a run must have been under way, in ms, for more than a
// percentage to be said about it, and for a way to stop it.
const longRun = 700

// ComputingFor reports whether a run that was asked for is not complete, and since
// when it is computed, in ms.
func (r *Runs) ComputingFor() (since float64, ok bool) {
	if r.machine.Problem != "" || !r.busy && r.Progress() < 0 {
		return 0, false
	}
	return r.page.now - r.requestedAt, true
}

// StoppableAt is when more will be said about the run under way, in ms, which nothing
// that happens may bring to mind by then; false while there is no such run.
func (r *Runs) StoppableAt() (at float64, ok bool) {
	_, ok = r.ComputingFor()
	return r.requestedAt + longRun, ok
}

// Stoppable reports whether there is a run that is worth stopping.
func (r *Runs) Stoppable() bool {
	since, ok := r.ComputingFor()
	return ok && since > longRun
}

// Stopped reports whether the run was ended before its time.
func (r *Runs) Stopped() bool { return r.stopped }

// ProgressWords says how far the run is, in a few words and in full: rounds, how
// many a second, and how long it will still take.
func (r *Runs) ProgressWords() (short, full string) {
	if r.Stopped() {
		if r.stoppedBeforeStart {
			return "stopped", "stopped before the first round"
		}
		return "stopped", say.Textf("stopped at round %d of %d", max(0, r.page.Run.Finished()), r.page.Rounds())
	}
	since, ok := r.ComputingFor()
	percent := strconv.Itoa(r.Progress()) + "%"
	switch {
	case !ok:
		return "", ""
	case r.busy && since > longRun:
		return "preparing", "preparing the data"
	case r.Progress() < 0:
		return "", ""
	case since <= longRun:
		return percent, say.Textf("computing %s", percent)
	}
	done, all := r.page.Run.Finished(), r.page.Rounds()
	parts := []string{say.Textf("%d of %d computed", done, all)}
	rate := r.roundRate.perSecond()
	if rate == 0 {
		if n := r.clientProgress.done; n > 0 {
			parts = append(parts, say.Textf("%d of %d clients", n, r.page.Run.Header.Clients))
		}
		return percent, say.Join(parts, " · ")
	}
	left := FormatDuration(r.roundRate.secondsLeft(r.page.now, all))
	return say.Join([]string{percent, left}, " · "), say.Join(append(parts, rateText(rate), say.Textf("%s left", left)), " · ")
}

// rateText says how many rounds a second, or a minute, are computed.
func rateText(rate float64) string {
	switch {
	case rate < 0.5:
		return say.Textf("%s rounds a minute", chart.Number(math.Round(60*rate*10)/10))
	case rate < 10:
		return say.Textf("%s rounds/s", chart.Fixed(rate, 1))
	}
	return say.Textf("%s rounds/s", chart.Fixed(rate, 0))
}

// FormatDuration writes seconds as people say them.
func FormatDuration(s float64) string {
	switch {
	case s < 1:
		return say.Textf("%s s", "1")
	case s < 90:
		return say.Textf("%s s", chart.Fixed(math.Ceil(s), 0))
	case s < 5400:
		return say.Textf("%s min", chart.Fixed(math.Round(s/60), 0))
	}
	return say.Textf("%s h", chart.Fixed(math.Round(s/360)/10, 1))
}

// Stop ends the run under way. What has been computed stays.
func (r *Runs) Stop() {
	if _, ok := r.ComputingFor(); !ok {
		return
	}
	var m wire.Message
	m.Reset(r.id)
	m.Record(wire.Cancel, nil)
	for engine := range r.enginesUsed {
		r.page.effects.Do(host.Send{Engine: engine, Message: slices.Clone(m.Bytes())})
	}
	r.stoppedBeforeStart = false
	if r.arriving != nil && r.arriving.Finished() >= 0 {
		r.showArrived()
	} else if r.busy {
		r.id++ // what still comes has no place
		r.stoppedBeforeStart = true
		if r.page.Run != nil && !r.UpToDate() {
			r.withdrawRefusal()
			r.refusal = OldFiguresNotice
			r.page.Notify(OldFiguresNotice)
		}
	}
	r.stopped, r.busy, r.requestPending, r.arriving = true, false, false, nil
	r.page.Player.Playing = false
	r.page.effects.Redraw(host.Shell | host.Figures)
	r.page.jobs().Dispatch()
}

// StopOrRun ends the run under way, or computes one that was stopped from its
// start.
type StopOrRun struct{}

func (StopOrRun) update(s *State) {
	r := s.Runs
	if r.Stopped() {
		r.RunAgain()
	} else {
		r.Stop()
	}
}

// RunAgain computes a run that was stopped, from its start.
func (r *Runs) RunAgain() {
	r.stopped = false
	r.Request()
	r.page.effects.Redraw(host.Shell | host.Figures)
}
