package ui

import (
	"bytes"
	"errors"

	"flockscope/sim/experiment"
	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/ui/host"
)

// A run file holds a whole run: a line that says so, with a version, and then
// what an engine would have posted (see package wire), in the coding of package
// trace. It is shown without an engine.

const runHead = "flockscope run 1\n"

// writeRun returns the file of a complete run.
func writeRun(run *trace.Run) []byte {
	var m wire.Message
	m.Reset(0)
	m.Record(wire.Begin, func(dst []byte) []byte { return trace.AppendHeader(dst, run.Header) })
	for lane := range run.Tracks {
		track := &run.Tracks[lane]
		for i := range track.Frames {
			m.Record(wire.Frame, func(dst []byte) []byte { return trace.AppendFrame(append(dst, byte(lane)), &track.Frames[i]) })
		}
		m.Record(wire.End, func(dst []byte) []byte { return trace.AppendSummary(append(dst, byte(lane)), track.Summary) })
	}
	return append([]byte(runHead), m.Bytes()...)
}

func isRunFile(data []byte) bool { return bytes.HasPrefix(data, []byte("flockscope run ")) }

var (
	errRunVersion = errors.New("it is of a later version of this page")
	errRunBroken  = errors.New("it is damaged")
)

// readRun reads a run file. Whatever it returns can be drawn, and its frames are
// those that its fingerprints stand for.
func readRun(data []byte) (*trace.Run, error) {
	body, ok := bytes.CutPrefix(data, []byte(runHead))
	if !ok {
		return nil, errRunVersion
	}
	_, records, err := wire.Open(body)
	if err != nil {
		return nil, errRunBroken
	}
	var run *trace.Run
	var hashes []trace.Hash
	for kind, payload := range records {
		lane := 0
		switch {
		case kind == wire.Begin && run == nil:
			h, err := trace.DecodeHeader(payload)
			if err != nil || !h.Sound() || len(h.Lanes) == 0 || len(h.Lanes) > MaxLanes {
				return nil, errRunBroken
			}
			run = trace.NewRun(h)
			hashes = make([]trace.Hash, len(h.Lanes))
			continue
		case run == nil || len(payload) == 0 || int(payload[0]) >= len(run.Tracks):
			return nil, errRunBroken
		}
		lane = int(payload[0])
		track := &run.Tracks[lane]
		switch kind {
		case wire.Frame:
			var f trace.Frame
			rest, err := trace.DecodeFrame(&f, payload[1:])
			if err != nil || len(rest) != 0 || f.Round != len(track.Frames) || !run.Header.Admits(lane, &f) {
				return nil, errRunBroken
			}
			hashes[lane].Add(&f)
			track.Frames = append(track.Frames, f)
		case wire.End:
			if track.Summary, err = trace.DecodeSummary(payload[1:]); err != nil || track.Summary.Fingerprint != hashes[lane].Sum() ||
				!permutes(track.Summary.Alias, run.Header.Lanes[lane].Models) {
				return nil, errRunBroken
			}
		}
	}
	if run == nil || !run.Done() || run.Finished() != run.Header.Rounds {
		return nil, errRunBroken
	}
	return run, nil
}

// openRun shows the run of a file. The next change of a setting computes anew.
func (a *App) openRun(f wire.Named) {
	run, err := readRun(f.Data)
	if err == nil {
		config, problems := a.Schema.Parse(run.Header.Query)
		if len(problems) > 0 || config.String() != run.Header.Query || len(config.Lanes()) != len(run.Tracks) {
			err = errRunVersion
		} else {
			a.show(run, config)
			return
		}
	}
	a.decline(f.Name + " cannot be shown: " + err.Error())
}

// show puts a run on screen that no engine has computed, with its settings. What
// engines are at nobody wants any more.
func (a *App) show(run *trace.Run, config experiment.Config) {
	r := &a.requests
	var m wire.Message
	m.Reset(r.id)
	m.Record(wire.Cancel, nil)
	for engine := range r.at {
		a.Host.Send(engine, m.Bytes())
	}
	r.id++
	r.busy, r.waiting, r.stopped, r.arrives = false, false, false, nil
	if a.Config.String() != config.String() {
		a.remember()
	}
	a.Config, a.Run, a.aliases = config, run, a.aliases[:0]
	clear(a.controls)
	clear(a.drafts)
	a.keep(nil)
	a.Playing, a.Hover, a.Tuning = false, -1, -1
	a.Lane = min(a.Lane, len(config.Lanes())-1)
	a.Round = min(a.Round, a.Rounds())
	a.forgive()
	a.unsay(needFile)
	a.Host.Change(host.Shell | host.Figures | host.Link)
}

// permutes reports whether the names of a lane's models are each there once.
func permutes(alias []uint16, models int) bool {
	if len(alias) == 0 {
		return true
	}
	seen := make([]bool, models)
	for _, k := range alias {
		if int(k) >= models || seen[k] {
			return false
		}
		seen[k] = true
	}
	return len(alias) == models
}
