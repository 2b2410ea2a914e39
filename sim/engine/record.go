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
	var r recorder
	err := Run(ctx, c, file, &r)
	return r.run, err
}

// recorder is a sink that copies everything it receives.
type recorder struct{ run *trace.Run }

func (r *recorder) Begin(h *trace.Header) { r.run = trace.NewRun(h) }
func (r *recorder) Round(int)             {}

func (r *recorder) Frame(lane int, f *trace.Frame) {
	var own trace.Frame // a copy, because f changes with the next round
	if _, err := trace.DecodeFrame(&own, trace.AppendFrame(nil, f)); err != nil {
		panic(fmt.Sprint("a frame does not survive its codec: ", err))
	}
	t := &r.run.Tracks[lane]
	t.Frames = append(t.Frames, own)
}

func (r *recorder) End(lane int, s *trace.Summary) {
	own := *s
	r.run.Tracks[lane].Summary = &own
}
