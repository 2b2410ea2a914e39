package page

import (
	"encoding/binary"
	"strings"

	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/ui/host"
)

// Receive handles a message of an engine.
func (r *Runs) Receive(engine int, message []byte) {
	id, records, err := wire.Open(message)
	if err != nil {
		r.Fail("The engine sent something the page does not understand. Reload the page.")
		return
	}
	if id == NoRunID && engine > 0 {
		return // all engines send the same answers
	}
	if id == NoRunID {
		for kind, payload := range records {
			r.page.Files.ReceiveAnswer(kind, string(payload))
		}
		return
	}
	if id != r.id {
		return // of an obsolete run
	}
	shown := r.page.Shown()
	for kind, payload := range records {
		if err := r.receiveRecord(kind, payload); err != nil {
			r.Fail(say.Messagef("The engine sent something the page does not understand (%s). Reload the page.", err))
			return
		}
	}
	r.showArriving()
	r.showStart()
	r.page.chooseForLink()
	if r.page.Run != nil && !r.busy {
		r.roundRate.observe(r.page.now, r.page.Run.Finished())
	}
	r.page.bringLiarsBack()
	r.page.jobs().Dispatch()
	r.page.Lessons.Check()
	if r.page.Shown() != shown { // a slow run has come closer to the selected round
		r.page.effects.Redraw(host.Figures)
	}
	// Frames after the shown round change only the curves, which are drawn with the next texts.
	r.page.effects.Redraw(host.Live)
}

// receiveRecord handles one record of a message.
func (r *Runs) receiveRecord(kind wire.Kind, payload []byte) error {
	switch kind {
	case wire.Begin:
		return r.receiveHeader(payload)
	case wire.Frame:
		return r.receiveFrame(payload)
	case wire.Start:
		return r.receiveStart(payload)
	case wire.Cost:
		return r.receiveCost(payload)
	case wire.Count:
		r.receiveCount(payload)
	case wire.End:
		return r.receiveSummary(payload)
	case wire.Done:
		r.receiveDone()
	case wire.Explained:
		d, err := trace.DecodeDetail(payload)
		if err != nil {
			return err
		}
		r.page.Phases.ReceiveDetail(d)
	case wire.Suggestion:
		if key, value, ok := strings.Cut(string(payload), "="); ok {
			if _, err := r.page.Config.With(key, value); err == nil {
				r.suggestions = append(r.suggestions, r.page.Settings.settingAction(key, value))
			}
		}
	case wire.RefusedSetting:
		if key, why, ok := strings.Cut(string(payload), " "); ok {
			r.page.Settings.refuse(key, say.Message(why))
		}
	case wire.Refused:
		r.receiveRefusal(say.Messagef("%s.", say.Message(payload)))
	}
	return nil
}

// receiveHeader creates the arriving run.
func (r *Runs) receiveHeader(payload []byte) error {
	h, err := trace.DecodeHeader(payload)
	if err != nil {
		return err
	}
	if !h.Valid() {
		return errOrder
	}
	if r.arriving != nil || !r.busy {
		return nil // another engine of the same run was first
	}
	r.arriving = r.reuseRun(h)
	r.roundRate.reset(r.page.now)
	return nil
}

// trackOf returns the run of a record, and the track of the lane in its first byte.
func (r *Runs) trackOf(payload []byte) (run *trace.Run, track *trace.Track, err error) {
	run = r.receivingRun()
	if run == nil || len(payload) == 0 || int(payload[0]) >= len(run.Tracks) {
		return nil, nil, errOrder
	}
	return run, &run.Tracks[payload[0]], nil
}

// receiveFrame adds a round to a lane.
func (r *Runs) receiveFrame(payload []byte) error {
	run, track, err := r.trackOf(payload)
	if err != nil {
		return err
	}
	track.Frames = appendFrame(track.Frames)
	frame := &track.Frames[len(track.Frames)-1]
	rest, err := trace.DecodeFrame(frame, payload[1:])
	if err != nil || len(rest) != 0 || frame.Round != len(track.Frames)-1 ||
		!run.Header.Admits(int(payload[0]), frame) {
		return errOrder
	}
	r.clientProgress = clientProgress{}
	return nil
}

// receiveCount stores how many clients of a lane are done within a long round.
func (r *Runs) receiveCount(payload []byte) {
	if len(payload) == 5 && (r.clientProgress.done == 0 || int(payload[0]) <= r.clientProgress.lane) {
		r.clientProgress = clientProgress{int(payload[0]), int(binary.LittleEndian.Uint32(payload[1:]))}
		r.page.effects.Redraw(host.Live)
	}
}

// receiveSummary stores the summary of a lane.
func (r *Runs) receiveSummary(payload []byte) error {
	_, track, err := r.trackOf(payload)
	if err != nil {
		return err
	}
	s, err := trace.DecodeSummary(payload[1:])
	if err != nil {
		return err
	}
	track.Summary = s
	return nil
}

// receiveDone counts an engine that has played its lanes.
func (r *Runs) receiveDone() {
	if r.enginesDone++; r.enginesDone < r.enginesUsed {
		return
	}
	r.runTime, r.stopped = r.page.now-r.requestedAt, false // it was complete before it could be stopped
	if run := r.receivingRun(); run != nil && run.Done() {
		r.measureSpeed(run)
		r.store(run)
	}
	r.page.Phases.RequestDetail()
	what := host.Shell
	if r.arriving == nil {
		what |= host.Figures // figures have scales of the earlier rounds
	}
	r.page.effects.Redraw(what)
}

// receiveRefusal handles an engine's refusal of a run.
func (r *Runs) receiveRefusal(why say.Message) {
	r.withdrawRefusal()
	r.refusal = why
	if r.page.Run != nil && !r.UpToDate() {
		r.refusal = say.Messagef("%s %s", why, say.Message(OldFiguresNotice))
	}
	r.page.Parent.SetRefusal(r.refusal.String())
	r.page.Notify(r.refusal, append(r.suggestions, r.page.Files.undoAction()...)...)
	r.suggestions = nil
	r.busy, r.arriving = false, nil
	r.stopped, r.stoppedBeforeStart = r.page.Run != nil && !r.page.Run.Done(), false
	r.page.Phases.ForgetRequest()
	if r.requestPending {
		r.Request()
	}
}

// receivingRun returns the run that frames belong to: the arriving one, else the one on screen.
func (r *Runs) receivingRun() *trace.Run {
	if r.arriving != nil {
		return r.arriving
	}
	return r.page.Run
}

// showArriving puts the arriving run on screen once it has the selected round; until then the old
// figures stay, which avoids flicker.
func (r *Runs) showArriving() {
	if r.arriving == nil || (r.arriving.Finished() < min(r.page.Round, r.arriving.Header.Rounds) &&
		!r.arriving.Done() && !r.arrivesSlowly()) {
		return
	}
	r.showArrived()
	if r.requestPending {
		r.Request()
	}
}

// showArrived puts the arriving run on screen.
func (r *Runs) showArrived() {
	if run := r.page.Run; run != nil && run != r.page.Pinned.Run() {
		r.reusable = append(r.reusable[:0], *run)
	}
	arrived := r.arriving
	r.arriving, r.start, r.busy = nil, nil, false
	r.withdrawRefusal()
	r.answerTime = r.page.now - r.requestedAt
	r.page.showRun(arrived)
	r.page.effects.Redraw(host.Shell | host.Figures)
}

// withdrawRefusal removes the notice of the last refusal.
func (r *Runs) withdrawRefusal() {
	r.page.Withdraw(r.refusal)
}

// arrivesSlowly reports whether the arriving run takes long: then its first rounds replace the old
// figures.
func (r *Runs) arrivesSlowly() bool {
	wait := float64(SlowArrival)
	if r.page.Run == nil {
		opening, _ := r.page.Schema.ParseLink(r.page.Schema.OpenLink(""))
		if r.page.Config.String() == opening.String() {
			wait = firstArrival
		}
	}
	return (r.arriving.Header.Clients > 200 || r.page.now-r.requestedAt > wait) && r.arriving.Finished() >= 0
}

// Times in ms after which the first rounds of a run replace the old figures: those of another run, or the recorded run
// that a first visit shows, from which nothing should jump.
const (
	SlowArrival  = 400
	firstArrival = 2000
)

// reuseRun returns an empty run with header h in the memory of one that has left the screen:
// dragging a slider makes up to sixty runs per second.
func (r *Runs) reuseRun(h *trace.Header) *trace.Run {
	run := trace.NewRun(h)
	if len(r.reusable) == 0 {
		return run
	}
	for i := range min(len(run.Tracks), len(r.reusable[0].Tracks)) {
		run.Tracks[i].Frames = r.reusable[0].Tracks[i].Frames[:0]
	}
	r.reusable = r.reusable[:0]
	return run
}

// appendFrame adds a frame that reuses the slices of a former frame at its place.
func appendFrame(frames []trace.Frame) []trace.Frame {
	if len(frames) < cap(frames) {
		return frames[:len(frames)+1]
	}
	return append(frames, trace.Frame{})
}

// Fail records why there is no engine. The figures stay.
func (r *Runs) Fail(why say.Message) {
	r.machine.Problem = why
	r.busy = false
	r.page.Player.Playing = false
	r.page.effects.Redraw(host.Shell)
}

var errOrder = say.Errorf("a record out of order")
