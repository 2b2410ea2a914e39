package main

import (
	"fmt"
	"slices"

	"flockscope/sim/catalog"
	"flockscope/sim/registry"
	"flockscope/sim/trace"
	"flockscope/sim/verdict"
)

// reasons are the JSON lines of a run, and at the end of each lane one line of text for people: what the method has
// achieved, and why.
type reasons struct {
	*jsonLines
	run *trace.Run
}

func (r *reasons) Begin(h *trace.Header) {
	r.run = trace.NewRun(h)
	r.jsonLines.Begin(h)
}

// Frame keeps of each frame what verdicts read of rounds before, and all of the last one.
func (r *reasons) Frame(lane int, f *trace.Frame) {
	r.jsonLines.Frame(lane, f)
	own := trace.Frame{Round: f.Round, Metrics: f.Metrics, Events: f.Events, State: slices.Clone(f.State)}
	if f.Round == r.run.Header.Rounds || f.Events.Has(trace.Evaluated) || f.Round == 0 {
		if _, err := trace.DecodeFrame(&own, trace.AppendFrame(nil, f)); err != nil {
			panic(err) // a frame survives its codec
		}
	}
	track := &r.run.Tracks[lane]
	track.Frames = append(track.Frames, own)
}

func (r *reasons) End(lane int, s *trace.Summary) {
	r.jsonLines.End(lane, s)
	r.run.Tracks[lane].Summary = s
	methods := catalog.Schema().Algorithms
	j := verdict.Judge{Method: func(name string) *registry.Meta {
		return &methods[slices.IndexFunc(methods, func(m registry.Meta) bool { return m.Name == name })]
	}}
	v := j.Lane(r.run, lane, r.run.Header.Rounds)
	fmt.Fprintf(r.errs, "flock: %s: %s\n", r.run.Header.Lanes[lane].Title, v.Sentences())
}
