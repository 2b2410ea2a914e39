package ui

import (
	"encoding/binary"
	"slices"

	"flockscope/sim/trace"
	"flockscope/sim/wire"
)

// requests keeps order between the page and the engine. One run is asked for
// at a time. While it is on its way only the newest of later wishes is kept, so
// that a drag shows as many pictures as the engine can make and never waits for
// one that nobody wants any more.
type requests struct {
	id      uint32     // of the last request
	arrives *trace.Run // the run that is coming in, until it takes the stage
	waiting bool       // a newer configuration waits
	busy    bool       // a request is out and its run not yet on stage
	at      int        // engines that the last run was shared among
	done    int        // of them, how many have played their lanes
	spare   []trace.Run
	sent    float64 // when the last run was asked for, in ms
	refusal string  // why the last run was refused, until one comes through
	// How long it took from the last wish to the picture of the round looked
	// at, and to all frames, in ms.
	answered, took float64
}

// waitsForFile reports that nothing can be computed until the user brings a file.
func (a *App) waitsForFile() bool { return a.Config.FromFile() && a.file == nil }

// needFile is said where the data come from a file that is not there: a link
// cannot carry it.
const needFile = "These data come from a file of your own: drop it anywhere on the page, or open it under Data. Nothing new can be computed until then."

// request asks for a run of the present configuration.
func (a *App) request() {
	r := &a.requests
	if a.waitsForFile() {
		a.notify(needFile)
		return
	}
	a.Notices = slices.DeleteFunc(a.Notices, func(n string) bool { return n == needFile })
	if r.busy {
		r.waiting = true
		return
	}
	r.id++
	r.busy, r.waiting, r.arrives = true, false, nil
	lanes := len(a.Config.Lanes())
	before := r.at
	r.at, r.done = min(lanes, a.Engines), 0
	r.sent = a.Now()
	query := a.Config.String()
	var m wire.Message
	for engine := range max(r.at, before) {
		m.Reset(r.id)
		if engine >= r.at {
			m.Record(wire.Cancel, nil)
			a.OnSend(engine, m.Bytes())
			continue
		}
		m.Record(wire.Look, func(dst []byte) []byte { return binary.LittleEndian.AppendUint32(dst, uint32(a.Round)) })
		m.Record(wire.Lanes, func(dst []byte) []byte {
			for lane := engine; lane < lanes; lane += r.at {
				dst = append(dst, byte(lane))
			}
			return dst
		})
		m.Record(wire.Shards, func(dst []byte) []byte { return append(dst, byte(a.shards())) })
		m.Text(wire.Run, query)
		a.OnSend(engine, m.Bytes())
	}
}

// shards is how many workers of its own each engine of the present run may have:
// what the lanes leave of the processors.
func (a *App) shards() int {
	const most = 7
	workers := a.Workers
	if workers == 0 {
		workers = a.Processors
	}
	return max(0, min(workers/a.requests.at-1, most))
}

// Enlist tells that so many engines are there. More than one share the lanes of
// the runs to come; one less than before, and the present run is asked for anew,
// since some of its lanes may have gone with the engine.
func (a *App) Enlist(engines int) {
	fewer := engines < a.Engines
	a.Engines = engines
	if fewer {
		a.requests.at = min(a.requests.at, engines)
		a.requests.busy = false
		a.request()
	}
}

// offer is a file that the engine has not answered about yet.
type offer struct {
	name string
	data []byte
}

// aboutFile is the number of messages that are about no run.
const aboutFile = 0

// OpenFile hands a file of the user's to the engine.
func (a *App) OpenFile(name string, data []byte) {
	a.offered = append(a.offered, offer{name, data})
	a.sendFile(data)
	a.OnChange(Shell)
}

func (a *App) sendFile(data []byte) {
	var m wire.Message
	m.Reset(aboutFile)
	m.Record(wire.File, func(dst []byte) []byte { return append(dst, data...) })
	for engine := range a.Engines {
		a.OnSend(engine, m.Bytes())
	}
}

// Revive goes on with a new engine in the place of all that there were: the run
// that was lost with them is asked for again.
func (a *App) Revive() {
	a.Engines, a.requests.at, a.requests.busy, a.requests.took = 1, 0, false, 0
	a.request()
}

// files are the files that a new engine must be told of: the one in use, and
// those that no engine has answered about yet.
func (a *App) files() [][]byte {
	var out [][]byte
	if a.file != nil {
		out = append(out, a.file)
	}
	for _, o := range a.offered {
		out = append(out, o.data)
	}
	return out
}

// Receive takes a message from an engine.
func (a *App) Receive(engine int, message []byte) {
	id, records, err := wire.Open(message)
	if err != nil {
		a.fail("The engine sent something the page does not understand. Reload the page.")
		return
	}
	if id == aboutFile && engine > 0 {
		return // they all say the same
	}
	if id == aboutFile {
		for kind, payload := range records {
			a.answer(kind, string(payload))
		}
		return
	}
	if id != a.requests.id {
		return // about a run that nobody wants any more
	}
	for kind, payload := range records {
		if err := a.record(kind, payload); err != nil {
			a.fail("The engine sent something the page does not understand (" + err.Error() + "). Reload the page.")
			return
		}
	}
	a.stage()
	// What arrives ahead of the round looked at changes the curves, and can
	// wait for the texts' next turn.
	a.OnChange(Live)
}

func (a *App) record(kind wire.Kind, payload []byte) error {
	r := &a.requests
	switch kind {
	case wire.Begin:
		h, err := trace.DecodeHeader(payload)
		if err != nil {
			return err
		}
		if !h.Sound() {
			return errOrder
		}
		if r.arrives != nil || !r.busy {
			return nil // another engine of the same run was first
		}
		r.arrives = a.recycle(h)
	case wire.Frame:
		run := a.incoming()
		if run == nil || len(payload) == 0 || int(payload[0]) >= len(run.Tracks) {
			return errOrder
		}
		track := &run.Tracks[payload[0]]
		track.Frames = extend(track.Frames)
		rest, err := trace.DecodeFrame(&track.Frames[len(track.Frames)-1], payload[1:])
		if err != nil || len(rest) != 0 || !run.Header.Admits(int(payload[0]), &track.Frames[len(track.Frames)-1]) {
			return errOrder
		}
	case wire.End:
		run := a.incoming()
		if run == nil || len(payload) == 0 || int(payload[0]) >= len(run.Tracks) {
			return errOrder
		}
		s, err := trace.DecodeSummary(payload[1:])
		if err != nil {
			return err
		}
		run.Tracks[payload[0]].Summary = s
	case wire.Done:
		if r.done++; r.done < r.at {
			return nil
		}
		r.took = a.Now() - r.sent
		a.OnChange(Shell)
	case wire.Refused:
		a.forgive()
		r.refusal = string(payload) + "."
		a.notify(r.refusal)
		r.busy, r.arrives = false, nil
		if r.waiting {
			a.request()
		}
	}
	return nil
}

// incoming is the run that frames belong to: the one arriving or, once that is
// on stage, the one on stage.
func (a *App) incoming() *trace.Run {
	if a.requests.arrives != nil {
		return a.requests.arrives
	}
	return a.Run
}

// patience is how long a picture may wait for the rest of its run, in ms: most
// runs are complete within it, and one picture of a whole run is better than
// two of its parts, which would also keep the thread from the rest.
const patience = 20

// Soon reports that the run asked for last will probably be complete by the next
// animation frame.
func (a *App) Soon(now float64) bool {
	r := &a.requests
	under := r.busy || (a.Run != nil && !a.Run.Done())
	return under && now-r.sent < patience
}

// stage puts the arriving run on screen as soon as it has the round that is
// looked at; until then the old picture stays, so nothing flickers.
func (a *App) stage() {
	r := &a.requests
	if r.arrives == nil || (r.arrives.Finished() < min(a.Round, r.arrives.Header.Rounds) && !r.arrives.Done() && !a.late()) {
		return
	}
	if a.Run != nil {
		r.spare = append(r.spare[:0], *a.Run)
	}
	a.Run, r.arrives, r.busy = r.arrives, nil, false
	a.forgive()
	r.answered = a.Now() - r.sent
	if n := a.Run.Header.Clients; a.Selected >= n {
		a.Selected = -1
	}
	a.Hover = min(a.Hover, a.Run.Header.Clients-1)
	a.OnChange(Shell | Figures)
	if r.waiting {
		a.request()
	}
}

// forgive takes back the notice of the last refusal: a later run was refused for
// another reason, or came through.
func (a *App) forgive() {
	a.Notices = slices.DeleteFunc(a.Notices, func(n string) bool { return n == a.requests.refusal })
}

// late reports whether the arriving run is one that takes its time: then its
// first rounds are better than an old picture.
func (a *App) late() bool {
	return a.requests.arrives.Header.Clients > 200 && a.requests.arrives.Finished() >= 0
}

// recycle returns an empty run under h in the memory of one that has left the
// stage: a slider makes sixty of them a second.
func (a *App) recycle(h *trace.Header) *trace.Run {
	run := trace.NewRun(h)
	r := &a.requests
	if len(r.spare) == 0 {
		return run
	}
	for i := range min(len(run.Tracks), len(r.spare[0].Tracks)) {
		run.Tracks[i].Frames = r.spare[0].Tracks[i].Frames[:0]
	}
	r.spare = r.spare[:0]
	return run
}

// extend returns frames with one more, keeping the slices of a frame that
// stood there before.
func extend(frames []trace.Frame) []trace.Frame {
	if len(frames) < cap(frames) {
		return frames[:len(frames)+1]
	}
	return append(frames, trace.Frame{})
}

// answer takes what the engine says about a file. A refused one changes
// nothing: the file before it, if any, stays.
func (a *App) answer(kind wire.Kind, words string) {
	if len(a.offered) == 0 {
		return
	}
	o := a.offered[0]
	a.offered = a.offered[1:]
	if kind == wire.Refused {
		a.notify(o.name + ", " + words + ". Nothing was changed.")
		return
	}
	a.FileName, a.FileWords, a.file = o.name, words, o.data
	next, err := a.Config.With("data", "csv")
	if err != nil {
		a.notify(err.Error() + ".")
		return
	}
	if next.String() == a.Config.String() {
		a.request() // the same settings, other data
	} else {
		a.adopt(next, "", true)
	}
	a.OnChange(Shell)
}

// Fail says that there is no engine and why. The pictures stay.
func (a *App) Fail(why string) { a.fail(why) }

func (a *App) fail(why string) {
	a.Problem = why
	a.requests.busy = false
	a.Playing = false
	a.OnChange(Shell)
}

type orderError struct{}

func (orderError) Error() string { return "a record out of order" }

var errOrder = orderError{}
