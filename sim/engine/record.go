package engine

import (
	"context"
	"fmt"

	"flockscope/sim/experiment"
	"flockscope/sim/trace"
	"flockscope/sim/workload"
)

// Record runs an experiment as [Run] does and returns all frames.
func Record(ctx context.Context, c experiment.Config, file *workload.File) (*trace.Run, error) {
	var r Recorder
	err := Run(ctx, c, file, &r)
	return r.Run, err
}

// Recorder is a sink that copies everything it receives. Its run is nil before it begins.
type Recorder struct{ Run *trace.Run }

func (r *Recorder) Begin(h *trace.Header) { r.Run = trace.NewRun(h) }
func (r *Recorder) Round(int)             {}

func (r *Recorder) Frame(lane int, f *trace.Frame) {
	var own trace.Frame // a copy, because f changes with the next round
	if _, err := trace.DecodeFrame(&own, trace.AppendFrame(nil, f)); err != nil {
		panic(fmt.Sprint("a frame does not survive its codec: ", err))
	}
	t := &r.Run.Tracks[lane]
	t.Frames = append(t.Frames, own)
}

func (r *Recorder) End(lane int, s *trace.Summary) {
	own := *s
	r.Run.Tracks[lane].Summary = &own
}
