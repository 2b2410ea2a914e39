package page

import (
	"encoding/binary"
	"math"

	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/host"
)

// Slow runs: their start, which the page shows before the first evaluation, their cost, which it says before they are
// computed, and pausing them.

// receiveStart adds a lane to the start of the arriving run.
func (r *Runs) receiveStart(payload []byte) error {
	if r.arriving == nil || r.arriving.Finished() >= 0 {
		return nil
	}
	if r.start == nil {
		r.start = trace.NewRun(r.arriving.Header)
	}
	if len(payload) == 0 || int(payload[0]) >= len(r.start.Tracks) {
		return errOrder
	}
	var f trace.Frame
	rest, err := trace.DecodeFrame(&f, payload[1:])
	if err != nil || len(rest) != 0 || f.Round != 0 || !r.start.Header.Admits(int(payload[0]), &f) {
		return errOrder
	}
	r.start.Tracks[payload[0]].Frames = []trace.Frame{f}
	return nil
}

// showStart puts the start of a slow run on screen: at once if there is nothing else to show, else once the run is long.
func (r *Runs) showStart() {
	s := r.page
	if r.start == nil || r.start.Finished() < 0 || s.Run == r.start ||
		s.Run != nil && !r.waiting && s.now-r.requestedAt <= longRun {
		return
	}
	s.showRun(r.start)
	s.effects.Redraw(host.Shell | host.Figures)
}

// showsStart reports whether the run on screen is only a start, without any results.
func (r *Runs) showsStart() bool {
	run := r.page.Run
	return run != nil && len(run.Tracks[0].Frames) > 0 && math.IsNaN(run.Tracks[0].Frames[0].Accuracy)
}

// Multiply-adds per second of a worker, as measured on a laptop, and on phones about; and how many workers can share a
// run.
const (
	desktopSpeed = 8e9
	phoneSpeed   = 3e9
	withoutSIMD  = 0.1
	maxWorkers   = 8
)

// Seconds of computing above which a run waits for the user.
const (
	maxPhoneTime   = 30
	maxDesktopTime = 30 * 60
)

// speed estimates the multiply-adds per second of the engines, by the last long run if there was one.
func (r *Runs) speed() float64 {
	if r.measuredSpeed > 0 {
		return r.measuredSpeed
	}
	speed := desktopSpeed
	if r.machine.Phone {
		speed = phoneSpeed
	}
	if r.machine.NoSIMD {
		speed *= withoutSIMD
	}
	return speed * float64(max(1, min(r.machine.WorkerCount(), maxWorkers)))
}

// measureSpeed measures the speed by a complete run that took long.
func (r *Runs) measureSpeed(run *trace.Run) {
	const long = 2000 // ms
	if r.runTime < long {
		return
	}
	sum := 0.0
	for i := range run.Tracks {
		sum += run.Tracks[i].Summary.Computed
	}
	speed := sum * float64(run.Header.Clients) / r.runTime * 1000
	if speed < desktopSpeed/100 {
		return // small models: what takes time are not their multiply-adds
	}
	r.measuredSpeed = speed
}

// limit returns the multiply-adds above which a run waits for the user, 0 for no limit.
func (r *Runs) limit() float64 {
	seconds := maxDesktopTime
	switch {
	case r.page.Frame.Autoplay == "1":
		return 0
	case r.machine.Phone:
		seconds = maxPhoneTime
	}
	return max(r.speed()*float64(seconds), r.accepted)
}

// receiveCost shows what the requested run costs, which is above the limit, and waits for the user.
func (r *Runs) receiveCost(payload []byte) error {
	switch {
	case len(payload) != 16:
		return errOrder
	case r.waiting:
		return nil // another engine of the same run was first
	}
	r.work = math.Float64frombits(binary.LittleEndian.Uint64(payload))
	memory := float64(binary.LittleEndian.Uint64(payload[8:]))
	r.busy, r.stopped, r.stoppedBeforeStart, r.waiting = false, true, true, true
	text := "This run takes about %s and %s MB of memory on this computer."
	if r.machine.Phone {
		text = "This run takes about %s and %s MB of memory on this phone."
	}
	r.withdrawRefusal()
	r.refusal = say.Messagef(text, durationWords(r.work/r.speed()), chart.Fixed(math.Ceil(memory/1e6), 0))
	r.page.Notify(r.refusal, Action{Label: "Start", Do: StopOrRun{}})
	if r.requestPending {
		r.Request()
	}
	return nil
}

// setPaused pauses the engines after the clients that are at work, or lets them continue.
func (r *Runs) setPaused(on bool) {
	if r.paused == on {
		return
	}
	r.paused = on
	if on {
		r.pausedAt = r.page.now
	} else {
		r.requestedAt += r.page.now - r.pausedAt // so that times are those of computing
	}
	r.roundRate.restart(r.page.now)
	r.page.pauseEngines()
	r.page.effects.Redraw(host.Shell)
}

// pause pauses playing, and the engines if they compute a long run.
func (s *State) pause() {
	Pause{}.update(s)
	if s.Runs.Stoppable() {
		s.Runs.setPaused(true)
	}
}
