// Package runfile writes and reads run files: complete runs, which the page shows without an engine.
//
// A run file has a line with the format and its version, then the records that an engine would have sent (see package
// wire), in the encoding of package trace.
package runfile

import (
	"bytes"
	"math"

	"flockscope/sim/experiment"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/sim/wire"
)

const head = "flockscope run 1\n"

// Write returns the run file of a complete run.
func Write(run *trace.Run) []byte {
	var m wire.Message
	m.Reset(0)
	m.Record(wire.Begin, func(dst []byte) []byte { return trace.AppendHeader(dst, run.Header) })
	for lane := range run.Tracks {
		track := &run.Tracks[lane]
		for i := range track.Frames {
			m.Record(wire.Frame, func(dst []byte) []byte {
				return trace.AppendFrame(append(dst, byte(lane)), &track.Frames[i])
			})
		}
		m.Record(wire.End, func(dst []byte) []byte {
			return trace.AppendSummary(append(dst, byte(lane)), track.Summary)
		})
	}
	return append([]byte(head), m.Bytes()...)
}

// Is reports whether a file is a run file, of any version.
func Is(data []byte) bool { return bytes.HasPrefix(data, []byte("flockscope run ")) }

// Reasons why a run file cannot be read.
var (
	ErrVersion = say.Errorf("it is of a later version of this page")
	ErrBroken  = say.Errorf("it is damaged")
)

// Read reads a run file. The run can be drawn, and its frames match its fingerprints.
func Read(data []byte) (*trace.Run, error) {
	body, ok := bytes.CutPrefix(data, []byte(head))
	if !ok {
		return nil, ErrVersion
	}
	_, records, err := wire.Open(body)
	if err != nil {
		return nil, ErrBroken
	}
	var run *trace.Run
	var hashes []trace.Hash
	for kind, payload := range records {
		lane := 0
		switch {
		case kind == wire.Begin && run == nil:
			h, err := trace.DecodeHeader(payload)
			if err != nil || !h.Valid() || len(h.Lanes) == 0 || len(h.Lanes) > experiment.MaxLanes {
				return nil, ErrBroken
			}
			run = trace.NewRun(h)
			hashes = make([]trace.Hash, len(h.Lanes))
			continue
		case run == nil || len(payload) == 0 || int(payload[0]) >= len(run.Tracks):
			return nil, ErrBroken
		}
		lane = int(payload[0])
		track := &run.Tracks[lane]
		switch kind {
		case wire.Frame:
			var f trace.Frame
			rest, err := trace.DecodeFrame(&f, payload[1:])
			if err != nil || len(rest) != 0 || f.Round != len(track.Frames) || !run.Header.Admits(lane, &f) {
				return nil, ErrBroken
			}
			hashes[lane].Add(&f)
			track.Frames = append(track.Frames, f)
			t := len(track.Frames) - 1
			if track.Frames[0].Events.Has(trace.Evaluated) && !f.Events.Has(trace.Evaluated) {
				// Older versions repeated the losses of the last evaluation.
				track.Frames[t].Loss, track.Frames[t].Worst = math.NaN(), math.NaN()
			}
		case wire.End:
			if track.Summary, err = trace.DecodeSummary(payload[1:]); err != nil ||
				track.Summary.Fingerprint != hashes[lane].Sum() ||
				!isPermutation(track.Summary.Alias, run.Header.Lanes[lane].Models) {
				return nil, ErrBroken
			}
		}
	}
	if run == nil || !run.Done() || run.Finished() != run.Header.Rounds {
		return nil, ErrBroken
	}
	return run, nil
}

// isPermutation reports whether a lane's aliases contain each model once; no aliases are valid, too.
func isPermutation(alias []uint16, models int) bool {
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
