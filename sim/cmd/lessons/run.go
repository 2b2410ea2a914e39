package main

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/experiment"
	"flockscope/sim/lesson"
	"flockscope/sim/trace"
)

// configure returns a lesson's experiment with additional settings, applied in the given order, and all three seeds
// equal to seed.
func configure(l *lesson.Lesson, with string, seed int) (experiment.Config, error) {
	c, problems := catalog.Schema().Parse(l.Query)
	if len(problems) > 0 {
		return c, problems[0]
	}
	if with != "" {
		with += "&"
	}
	for pair := range strings.SplitSeq(fmt.Sprintf("%ssd=%d&sm=%d&sa=%d", with, seed, seed, seed), "&") {
		key, value, _ := strings.Cut(pair, "=")
		next, err := c.With(key, value)
		if err != nil {
			return c, err
		}
		c = next
	}
	return c, nil
}

// measureAll returns the value of each measure over the seeds 1 to n. Measures of
// the same experiment share its runs.
func measureAll(ctx context.Context, all []measure, n int) ([]float64, error) {
	type experimentKey struct {
		lesson int
		with   string
	}
	values, of := make([]float64, len(all)), map[experimentKey][]int{}
	var order []experimentKey
	for i := range all {
		key := experimentKey{all[i].lesson, all[i].with}
		if of[key] == nil {
			order = append(order, key)
		}
		of[key] = append(of[key], i)
	}
	for _, key := range order {
		runs, err := overSeeds(ctx, lesson.ByNumber(key.lesson), key.with, n)
		if err != nil {
			return nil, fmt.Errorf("lesson %d with %q: %w", key.lesson, key.with, err)
		}
		for _, i := range of[key] {
			values[i] = all[i].over(runs)
		}
	}
	return values, nil
}

// overSeeds runs a lesson's experiment with the seeds 1 to n.
func overSeeds(ctx context.Context, l *lesson.Lesson, with string, n int) ([]*lesson.State, error) {
	runs, errs := make([]*lesson.State, n), make([]error, n)
	gate := make(chan struct{}, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			gate <- struct{}{}
			defer func() { <-gate }()
			c, err := configure(l, with, i+1)
			if err == nil {
				var run *trace.Run
				run, err = engine.Record(ctx, c, nil)
				runs[i] = &lesson.State{Config: c, Run: run}
			}
			errs[i] = err
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return runs, nil
}
