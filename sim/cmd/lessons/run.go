package main

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/experiment"
	"flockscope/sim/lesson"
)

// ownSeeds are the seeds of a lesson's link, where others count from 1.
const ownSeeds = 0

// configure returns a lesson's experiment with additional settings, applied in the given order, and all three seeds
// equal to seed, or the link's own.
func configure(l *lesson.Lesson, with string, seed int) (experiment.Config, error) {
	c, problems := catalog.Schema().Parse(l.Query)
	if len(problems) > 0 {
		return c, problems[0]
	}
	if seed != ownSeeds {
		with = strings.TrimPrefix(fmt.Sprintf("%s&sd=%d&sm=%d&sa=%d", with, seed, seed, seed), "&")
	}
	for pair := range strings.SplitSeq(with, "&") {
		key, value, found := strings.Cut(pair, "=")
		if !found {
			continue
		}
		next, err := c.With(key, value)
		if err != nil {
			return c, err
		}
		c = next
	}
	return c, nil
}

// player plays experiments of lessons and keeps their runs.
type player struct {
	runs map[string]*lesson.State
}

// play returns a lesson's run with additional settings and a seed, and with it the lesson's run with that seed.
func (p *player) play(ctx context.Context, l *lesson.Lesson, with string, seed int) (*lesson.State, error) {
	key := fmt.Sprint(l.Query, " ", with, " ", seed)
	if s := p.runs[key]; s != nil {
		return s, nil
	}
	c, err := configure(l, with, seed)
	if err != nil {
		return nil, fmt.Errorf("lesson %d with %q: %w", l.Number, with, err)
	}
	run, err := engine.Record(ctx, c, nil)
	if err != nil {
		return nil, fmt.Errorf("lesson %d with %q: %w", l.Number, with, err)
	}
	s := &lesson.State{Config: c, Run: run, Seen: func(id string, round, client int) float64 {
		return seen(ctx, c, id, round, client)
	}}
	if s.Lesson = s; with != "" {
		if s.Lesson, err = p.play(ctx, l, "", seed); err != nil {
			return nil, err
		}
	}
	if p.runs == nil {
		p.runs = map[string]*lesson.State{}
	}
	p.runs[key] = s
	return s, nil
}

// seen returns the correlation of a client's update in a round with its own pictures, which the page shows under "How
// exactly"; NaN if there is none.
func seen(ctx context.Context, c experiment.Config, id string, round, client int) float64 {
	lane := slices.IndexFunc(c.Lanes(), func(l experiment.Lane) bool { return l.ID() == id })
	d, err := engine.Explain(ctx, c, nil, lane, round, client, nil)
	if err != nil {
		return math.NaN()
	}
	for _, n := range d.Notes {
		if match, ok := n.Value("match"); ok {
			return match.Numbers[0]
		}
	}
	return math.NaN()
}

// seeds returns the runs of a lesson with the seeds of its means.
func (p *player) seeds(ctx context.Context, l *lesson.Lesson, with string) ([]*lesson.State, error) {
	var all []*lesson.State
	for seed := range l.Seeds() {
		s, err := p.play(ctx, l, with, seed+1)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// over returns the runs that a measure is of.
func (p *player) over(ctx context.Context, l *lesson.Lesson, m *lesson.Measure) ([]*lesson.State, error) {
	if m.Over != lesson.ThisRun {
		return p.seeds(ctx, l, m.With)
	}
	s, err := p.play(ctx, l, m.With, ownSeeds)
	return []*lesson.State{s}, err
}

// number is a measured number as a lesson prints it.
type number struct {
	lesson     int
	slot, text string
}

// measure returns the numbers of some lessons. Lessons are measured at once; the runs of one are kept until it is done.
func measure(ctx context.Context, lessons []*lesson.Lesson) ([]number, error) {
	found, errs := make([][]number, len(lessons)), make([]error, len(lessons))
	gate := make(chan struct{}, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for i, l := range lessons {
		all.Go(func() {
			gate <- struct{}{}
			defer func() { <-gate }()
			var p player
			for _, m := range lesson.FactsOf(l.Number).Numbers {
				runs, err := p.over(ctx, l, &m)
				if err != nil {
					errs[i] = err
					return
				}
				found[i] = append(found[i], number{l.Number, m.Slot, text(value(&m, runs), m.Digits)})
			}
		})
	}
	all.Wait()
	var numbers []number
	for i := range lessons {
		if errs[i] != nil {
			return nil, errs[i]
		}
		numbers = append(numbers, found[i]...)
	}
	return numbers, nil
}
