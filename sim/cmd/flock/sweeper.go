//go:build !js

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"flockscope/sim/engine"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/results"
	"flockscope/sim/say"
	"flockscope/sim/workload"
)

// A getter has records: a file, or memory. A store also keeps some.
type getter interface {
	Get(cell string) (plan.Record, bool, error)
}

type store interface {
	getter
	Put(list ...plan.Record) (added int, err error)
}

// A place is where cells are computed. It takes cells from the sweeper with next, gives
// their records to keep, in any order, and returns when there are no more, when ctx is
// done, or when it cannot go on.
type place interface {
	run(ctx context.Context, s *sweeper) error
}

// sweeper brings the cells of a plan, or of a part of it, that have no record yet to a
// place, and their records to a store.
type sweeper struct {
	plan      *plan.Plan
	file      *workload.File
	store     store
	place     place
	workers   int
	shard, of int    // cells shard, shard+of, shard+2·of, …
	from      string // who said so
	build     string // of the program
	retry     bool
	errs      io.Writer

	records chan plan.Record

	mu      sync.Mutex
	turn    int                  // of next
	flying  map[string]plan.Cell // cells that somebody computes
	early   map[string]bool      // cells taken before their turn, to measure; their turn passes them by
	landed  chan struct{}        // closed when records have been kept
	there   int                  // had a record before
	done    int                  // got a record now
	failed  int
	failure string // the first one
	unfit   int
	handed  int       // records to keep, and
	written int       // those of them that the store has
	probed  []float64 // seconds that the first few took
	began   time.Time
	each    float64 // runs of a cell: fewer than one where cells share them; 0 is not yet counted
}

// open opens the file of results for the plan.
func (s *sweeper) open(name string, lost *damage) (*results.File, error) {
	f, err := lost.openToWrite(name, s.errs)
	if err != nil {
		return nil, err
	}
	if s.retry {
		n, err := f.Forget()
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		fmt.Fprintf(s.errs, "flock: %s that failed %s computed again\n", say.Amount(n, "cell"), say.Either(n, "is", "are"))
	}
	n, err := f.Len()
	// Records that were merged have no plan; each of them says itself what it is of.
	before, wrong := plan.ParseDraft(f.Plan())
	if err == nil && wrong == nil && n > 0 && f.Plan() != "" && before.Data != s.plan.Data {
		err = badInput(fmt.Errorf("%s holds results of other samples: these are of %s, and the sweep is about %s; give it a file of its own with -o",
			name, ofSamples(before.Data), ofSamples(s.plan.Data)))
	}
	if err == nil && n > 0 {
		fmt.Fprintf(s.errs, "flock: %s holds %s; what it has is not computed again\n", name, say.Amount(n, "result"))
	}
	if err == nil {
		err = f.SetPlan(s.plan.String())
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// ofSamples says what a plan is about that has a hash of files.
func ofSamples(hash string) string {
	if hash == "" {
		return "drawn samples"
	}
	return "the files " + hash[:8]
}

// cells returns how many cells the part has.
func (s *sweeper) cells() int { return (s.plan.Cells() - s.shard + s.of - 1) / s.of }

// probes is how many cells, from all over the plan, are computed first: from their times
// follows how long the sweep will take.
const probes = 8

// number returns the number of the cell whose turn it is.
func (s *sweeper) number(turn int) int {
	cells := s.cells()
	if turn < probes {
		return s.shard + s.of*(turn*cells/probes)
	}
	return s.shard + s.of*(turn-probes)
}

// next returns a cell that has no record and that nobody computes; ok is false when
// there are no more. Whoever takes a cell gives its record to keep, or releases it.
func (s *sweeper) next(ctx context.Context) (c plan.Cell, ok bool, err error) {
	for ctx.Err() == nil {
		s.mu.Lock()
		turn := s.turn
		if turn < s.cells()+probes {
			s.turn++
		}
		s.mu.Unlock()
		if turn == s.cells()+probes {
			return c, false, nil
		}
		c, err := s.plan.Cell(s.number(turn))
		if err != nil {
			s.count(func() { s.unfit += min(1, max(0, turn-probes+1)) })
			continue
		}
		s.mu.Lock()
		_, busy := s.flying[c.ID]
		busy = busy || s.early[c.ID]
		if !busy {
			s.flying[c.ID] = c
		}
		s.mu.Unlock()
		if busy {
			continue
		}
		// Only now, since its record may just have been kept.
		r, has, err := s.store.Get(c.ID)
		if err != nil {
			return c, false, err
		}
		if !has {
			if turn < probes {
				s.count(func() { s.early[c.ID] = true })
			}
			return c, true, nil
		}
		s.release(c.ID)
		if turn >= probes {
			s.count(func() {
				s.there++
				s.noteFailure(&r)
			})
		}
	}
	return c, false, ctx.Err()
}

func (s *sweeper) count(change func()) {
	s.mu.Lock()
	change()
	s.mu.Unlock()
}

func (s *sweeper) release(cell string) {
	s.count(func() { delete(s.flying, cell) })
}

// landing returns what is closed when further records have been kept.
func (s *sweeper) landing() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.landed == nil {
		s.landed = make(chan struct{})
	}
	return s.landed
}

// underWay returns how many cells somebody computes.
func (s *sweeper) underWay() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.flying)
}

// underWayCells returns these cells.
func (s *sweeper) underWayCells() []plan.Cell {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Values(s.flying))
}

// waitsFor returns the cell with an ID, if somebody computes it.
func (s *sweeper) waitsFor(id string) (c plan.Cell, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok = s.flying[id]
	return c, ok
}

func (s *sweeper) noteFailure(r *plan.Record) {
	if r.Error == "" {
		return
	}
	if s.failed++; s.failed == 1 {
		s.failure = fmt.Sprintf("%s: %s", r.Query, r.Error)
	}
}

// contradicts returns an error if another result of the record's cell is kept, and comes out
// again when the cell is played here: then the record is wrong, whoever sent it. If neither
// comes out, or only the record's, [results.File.Put] ends the sweep.
func (s *sweeper) contradicts(ctx context.Context, r *plan.Record) error {
	kept, ok, err := s.store.Get(r.Cell)
	if err != nil || !ok || kept.Error != "" || r.Error != "" || r.Data != s.plan.Data || plan.Same(&kept, r) {
		return nil // also where the store is broken, which others notice
	}
	c := plan.Cell{ID: r.Cell, Query: r.Query, Floats: r.Floats, Data: r.Data, Version: r.Version}
	if c.Read(parseQuery) != nil {
		return nil
	}
	if now, ended := computeCell(ctx, &c, s.file, s.build); ended && plan.Same(&kept, &now) {
		return errors.New("contradicts the result that is kept, which comes out again when it is played here")
	}
	return nil
}

// keep has a record written to the store.
func (s *sweeper) keep(r plan.Record) {
	s.count(func() { s.handed++ })
	s.records <- r
}

// awaitKept waits until the store has all that was given to keep until now.
func (s *sweeper) awaitKept(ctx context.Context) {
	for ctx.Err() == nil {
		landed := s.landing()
		behind := false
		s.count(func() { behind = s.written < s.handed })
		if !behind {
			return
		}
		select {
		case <-landed:
		case <-ctx.Done():
		}
	}
}

// compute computes what has no record, and returns when all is kept, or with the first
// error.
func (s *sweeper) compute(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	s.records, s.flying, s.began = make(chan plan.Record, mostTogether), map[string]plan.Cell{}, time.Now()
	s.early = map[string]bool{}
	kept := make(chan struct{})
	go func() {
		defer close(kept)
		s.write(stop)
	}()
	shown := s.showProgress()
	err := s.place.run(ctx, s)
	close(s.records)
	<-kept
	shown()
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// mostTogether is how many records are written at once at most: a disk takes as long
// for one as for many, so what has come in while it was busy is written together.
const mostTogether = 1024

// write writes records to the store until there are no more.
func (s *sweeper) write(stop context.CancelCauseFunc) {
	var broken error
	batch := make([]plan.Record, 0, mostTogether)
	for r := range s.records {
		batch = append(batch[:0], r)
		for more := true; more && len(batch) < mostTogether; {
			select {
			case r, ok := <-s.records:
				if more = ok; ok {
					batch = append(batch, r)
				}
			default:
				more = false
			}
		}
		if broken != nil {
			continue // nobody should wait for ever
		}
		added, err := s.store.Put(batch...)
		if err != nil {
			broken = err
			stop(err)
			continue
		}
		s.count(func() {
			s.done += added
			s.written += len(batch)
			if s.landed != nil {
				close(s.landed)
				s.landed = nil
			}
			for i := range batch {
				delete(s.flying, batch[i].Cell)
				s.noteFailure(&batch[i])
				if len(s.probed) < probes && batch[i].Seconds > 0 {
					s.probed = append(s.probed, batch[i].Seconds)
				}
			}
		})
	}
}

// computeCell plays the run of a cell. It returns false if ctx was done before its end.
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
	if err := r.Fits(&c.Config); err != nil { // nobody could read it again
		return c.Failed(err.Error()), true
	}
	return r, true
}

// local computes cells in this program.
type local struct{ workers int }

func (l local) run(ctx context.Context, s *sweeper) error {
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

// failures returns an error if cells failed.
func (s *sweeper) failures() error {
	if s.failed == 0 {
		return nil
	}
	return fmt.Errorf("%s of %s failed, the first at %s", say.Whole(s.failed), say.Amount(s.cells(), "cell"), s.failure)
}

// sayStopped says how a stopped sweep goes on.
func (s *sweeper) sayStopped(name string) {
	if name == "" {
		fmt.Fprintln(s.errs, "flock: with -o FILE the same command would go on from here")
		return
	}
	kept := s.there + s.done
	fmt.Fprintf(s.errs, "flock: %s %s kept; the same command goes on from here\n", say.Amount(kept, "result"),
		say.Either(kept, "is", "are"))
}

// mostSaid is how many points without results are listed.
const mostSaid = 20

// sayUnfit lists the points whose settings do not go together.
func (s *sweeper) sayUnfit() {
	said := 0
	for point := 0; point < s.plan.Points() && s.unfit > 0; point++ {
		_, err := s.plan.Point(point)
		if err == nil {
			continue
		}
		if said++; said > mostSaid {
			fmt.Fprintln(s.errs, "flock: and so are more")
			return
		}
		fmt.Fprintf(s.errs, "flock: %s is left out: %s\n", s.plan.Name(point), err)
	}
}
