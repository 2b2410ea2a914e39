//go:build !js

package cluster

import (
	"context"
	"fmt"
	"sync"
	"time"

	"flockscope/sim/engine"
	"flockscope/sim/lab/plan"
	"flockscope/sim/workload"
)

// computeCell plays the run of a cell. ended is false if ctx was done first.
func computeCell(ctx context.Context, c *plan.Cell, file *workload.File, build string) (r plan.Record, ended bool) {
	began := time.Now()
	defer func() {
		if problem := recover(); problem != nil {
			r, ended = c.Failed(fmt.Sprint("the engine broke down: ", problem)), true
		}
		r.Seconds, r.Build = time.Since(began).Seconds(), build
	}()
	r, err := c.Measure(nil,
		func(to plan.Sink) error { return engine.Run(ctx, c.Config, file, to) },
		func(lane, round int, to plan.Sink) error { return engine.RunTo(ctx, c.Config, file, lane, round, to) })
	if err != nil {
		if ctx.Err() != nil {
			return r, false
		}
		return c.Failed(err.Error()), true
	}
	if _, err := r.AppendJSON(nil); err != nil {
		return c.Failed("a score is not a finite number"), true
	}
	if err := r.Fits(&c.Config); err != nil { // readers would reject it
		return c.Failed(err.Error()), true
	}
	return r, true
}

// local computes cells in this program.
type local struct{ workers int }

func (l local) run(ctx context.Context, s *Sweep) error {
	var (
		busy sync.WaitGroup
		once sync.Once
		err  error
	)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	for range min(l.workers, s.cells()) {
		busy.Go(func() {
			for {
				c, ok, problem := s.next(ctx)
				if problem != nil {
					once.Do(func() { err = problem; stop() })
				}
				if !ok {
					return
				}
				r, ended := computeCell(ctx, &c, s.file, s.build)
				if !ended {
					return
				}
				s.keep(r)
			}
		})
	}
	busy.Wait()
	return err
}
