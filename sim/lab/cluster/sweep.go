//go:build !js

// Package cluster computes the cells of plans: in this process, in parts on many computers,
// or by workers that NATS servers give cells to. It keeps their records in files of results,
// merges such files, and replays runs to verify them.
//
//	sweep.go     a sweep: which cells have no record yet, and where their records go
//	local.go     a cell computed in this process
//	part.go      every n-th cell, for arrays of jobs on Slurm and Kubernetes
//	job.go       scripts and manifests for these, from the templates in jobs
//	nats.go      streams, subjects and connections of NATS
//	queue.go     the sweep's side of a NATS queue of cells
//	worker.go    the worker's side
//	listen.go    the NATS server inside this process that other workers may join
//	progress.go  how far a sweep is, and how long it will take
//	files.go     files of results and of JSON Lines, whole or damaged
//	merge.go     several files put into one
//	verify.go    runs of records played again
//	log.go       messages for people
//
// Files of results are mapped into memory, which a browser cannot do, hence the constraint.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"flockscope/sim/catalog"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/results"
	"flockscope/sim/say"
	"flockscope/sim/version"
	"flockscope/sim/workload"
)

// ErrInput marks errors that the user can correct: a wrong name, a file of another sweep.
var ErrInput = errors.New("bad input")

// inputError is an error that the user can correct.
type inputError struct{ error }

func (e inputError) Is(target error) bool { return target == ErrInput }
func (e inputError) Unwrap() error        { return e.error }

func inputErrorf(format string, args ...any) error { return inputError{fmt.Errorf(format, args...)} }

// MaxWorkers is the maximum number of concurrent runs: each takes memory.
const MaxWorkers = 256

// MaxUnkept is the maximum number of cells of a sweep without a file of results.
const MaxUnkept = 20000

// Options define where a sweep is computed and where its results go.
type Options struct {
	Out     string // file of results, for all parts; "" keeps records in memory
	Retry   bool   // compute failed cells again
	Part    Part
	Workers int    // concurrent runs in this process
	Queue   *Queue // queue of NATS; nil: this process computes the cells itself
	Damaged *Damaged
	Log     *Log
}

// A Store stores records by cell.
type Store interface {
	results.Getter
	Put(list ...plan.Record) (added int, err error)
}

// A place computes cells. It takes cells from the sweep with next, passes their records to keep in any order, and
// returns if there are no more cells, if ctx is done, or if it cannot continue.
type place interface {
	run(ctx context.Context, s *Sweep) error
}

// Sweep computes the cells of a plan, or of a part of it, that have no record yet.
type Sweep struct {
	Options
	plan  *plan.Plan
	file  *workload.File
	store Store
	place place
	build string // build of the program

	records chan plan.Record

	mu           sync.Mutex
	turn         int                  // index of the cell that next looks at
	inFlight     map[string]plan.Cell // cells that are being computed
	probing      map[string]bool      // cells computed early to measure their time; next skips them later
	changed      chan struct{}        // closed when records have been written
	doneBefore   int                  // number of cells with a record at the start
	done         int                  // number of cells that got a record in this sweep
	failed       int
	firstFailure string    // the first failure
	incompatible int       // number of cells whose settings are not compatible
	kept         int       // number of records passed to keep
	written      int       // number of these that are written to the store
	probed       []float64 // times of the first few cells, in seconds
	began        time.Time
	runsPerCell  float64 // below 1 if cells share runs; 0 if not counted yet
}

// New returns a sweep of a plan. file has the samples of the plan, nil for none. It opens the file of results, which
// [Sweep.Close] closes.
func New(p *plan.Plan, file *workload.File, o Options) (*Sweep, error) {
	s := &Sweep{Options: o, plan: p, file: file, build: version.Text("flock"), place: local{o.Workers},
		store: &results.Memory{}}
	if o.Queue != nil {
		s.place = o.Queue
	}
	if s.Part.Count > 1 {
		s.Log.Printf("part %d of %d (from 0), %s", s.Part.Index, s.Part.Count, s.Part.From)
	}
	if cells := s.cells(); o.Out == "" && (cells > MaxUnkept || s.Part.Count > 1) {
		return nil, inputErrorf("the sweep has %s; above %s, and in parts, it needs a file of results: add -o FILE",
			say.Amount(cells, "cell"), say.Whole(MaxUnkept))
	}
	if o.Out == "" {
		return s, nil
	}
	f, err := s.open()
	if err != nil {
		return nil, err
	}
	s.store = f
	return s, nil
}

// Out returns the name of this part's file of results.
func (s *Sweep) Out() string { return s.Part.Name(s.Options.Out) }

// Store returns the records.
func (s *Sweep) Store() results.Getter { return s.store }

// Close closes the file of results.
func (s *Sweep) Close() error {
	if f, ok := s.store.(io.Closer); ok {
		return f.Close()
	}
	return nil
}

// open opens the file of results for the plan.
func (s *Sweep) open() (*results.File, error) {
	name := s.Out()
	f, err := s.Damaged.openToWrite(name)
	if err != nil {
		return nil, err
	}
	if s.Retry {
		n, err := f.Forget()
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		s.Log.Printf("%s that failed %s computed again", say.Amount(n, "cell"), say.Either(n, "is", "are"))
	}
	n, err := f.Len()
	// A merged file has no plan; each record has its own query.
	before, wrong := plan.ParseDraft(f.Plan())
	if err == nil && wrong == nil && n > 0 && f.Plan() != "" && before.Data != s.plan.Data {
		err = inputErrorf("%s holds results of other samples: these are of %s, and the sweep is about %s; give it a file of its own with -o",
			name, ofSamples(before.Data), ofSamples(s.plan.Data))
	}
	if err == nil && n > 0 {
		s.Log.Printf("%s holds %s; what it has is not computed again", name, say.Amount(n, "result"))
	}
	if err == nil {
		err = f.SetPlan(s.plan.String())
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// ofSamples describes the samples of a plan with a hash of files.
func ofSamples(hash string) string {
	if hash == "" {
		return "drawn samples"
	}
	return "the files " + hash[:8]
}

// cells returns the number of cells of the part.
func (s *Sweep) cells() int { return (s.plan.Cells() - s.Part.Index + s.Part.Count - 1) / s.Part.Count }

// probes is the number of cells, spread over the plan, that are computed first: their times give an estimate for the
// sweep.
const probes = 8

// number returns the number of the cell at the current turn.
func (s *Sweep) number(turn int) int {
	cells := s.cells()
	if turn < probes {
		return s.Part.Index + s.Part.Count*(turn*cells/probes)
	}
	return s.Part.Index + s.Part.Count*(turn-probes)
}

// next returns a cell that has no record and is not being computed; ok is false if there are no more cells. The caller
// must pass the cell's record to keep or release the cell.
func (s *Sweep) next(ctx context.Context) (c plan.Cell, ok bool, err error) {
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
			s.count(func() { s.incompatible += min(1, max(0, turn-probes+1)) })
			continue
		}
		s.mu.Lock()
		_, busy := s.inFlight[c.ID]
		busy = busy || s.probing[c.ID]
		if !busy {
			s.inFlight[c.ID] = c
		}
		s.mu.Unlock()
		if busy {
			continue
		}
		// Read the store only now: the record may just have been written.
		r, has, err := s.store.Get(c.ID)
		if err != nil {
			return c, false, err
		}
		if !has {
			if turn < probes {
				s.count(func() { s.probing[c.ID] = true })
			}
			return c, true, nil
		}
		s.release(c.ID)
		if turn >= probes {
			s.count(func() {
				s.doneBefore++
				s.noteFailure(&r)
			})
		}
	}
	return c, false, ctx.Err()
}

func (s *Sweep) count(change func()) {
	s.mu.Lock()
	change()
	s.mu.Unlock()
}

func (s *Sweep) release(cell string) {
	s.count(func() { delete(s.inFlight, cell) })
}

// changes returns a channel that is closed when further records have been written.
func (s *Sweep) changes() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.changed == nil {
		s.changed = make(chan struct{})
	}
	return s.changed
}

// computing returns the number of cells being computed.
func (s *Sweep) computing() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.inFlight)
}

// cellsInFlight returns the cells being computed.
func (s *Sweep) cellsInFlight() []plan.Cell {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Values(s.inFlight))
}

// waitsFor returns the cell with an ID if it is being computed.
func (s *Sweep) waitsFor(id string) (c plan.Cell, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok = s.inFlight[id]
	return c, ok
}

func (s *Sweep) noteFailure(r *plan.Record) {
	if r.Error == "" {
		return
	}
	if s.failed++; s.failed == 1 {
		s.firstFailure = fmt.Sprintf("%s: %s", r.Query, r.Error)
	}
}

// contradicts returns an error if the store has a different result of the record's cell and a replay confirms the
// stored one: then the record is wrong. If the replay confirms the record, or neither, [results.File.Put] ends the
// sweep.
func (s *Sweep) contradicts(ctx context.Context, r *plan.Record) error {
	kept, ok, err := s.store.Get(r.Cell)
	if err != nil || !ok || kept.Error != "" || r.Error != "" || r.Data != s.plan.Data || plan.Same(&kept, r) {
		return nil // a broken store is detected when records are written
	}
	c := plan.Cell{ID: r.Cell, Query: r.Query, Floats: r.Floats, Data: r.Data, Version: r.Version}
	if c.Read(catalog.Schema().Parse) != nil {
		return nil
	}
	if now, ended := computeCell(ctx, &c, s.file, s.build); ended && plan.Same(&kept, &now) {
		return errors.New("contradicts the result that is kept, which comes out again when it is played here")
	}
	return nil
}

// keep queues a record to be written to the store.
func (s *Sweep) keep(r plan.Record) {
	s.count(func() { s.kept++ })
	s.records <- r
}

// awaitKept waits until the store has all records passed to keep so far.
func (s *Sweep) awaitKept(ctx context.Context) {
	for ctx.Err() == nil {
		changed := s.changes()
		behind := false
		s.count(func() { behind = s.written < s.kept })
		if !behind {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
}

// Run computes the cells that have no record. It returns when all records are stored, or with the first error.
func (s *Sweep) Run(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	s.records, s.began = make(chan plan.Record, batchSize), time.Now()
	s.inFlight, s.probing = map[string]plan.Cell{}, map[string]bool{}
	kept := make(chan struct{})
	go func() {
		defer close(kept)
		s.write(stop)
	}()
	hideProgress := s.Log.showProgress(s.progress, s.warning)
	err := s.place.run(ctx, s)
	close(s.records)
	<-kept
	hideProgress()
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// batchSize is the maximum number of records written at once. A disk takes as long for one as for many, so records that
// arrive during a write are written together next.
const batchSize = 1024

// write writes records to the store until the channel is closed.
func (s *Sweep) write(stop context.CancelCauseFunc) {
	var broken error
	batch := make([]plan.Record, 0, batchSize)
	for r := range s.records {
		batch = append(batch[:0], r)
		for more := true; more && len(batch) < batchSize; {
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
			continue // continue, otherwise keep would block forever
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
			if s.changed != nil {
				close(s.changed)
				s.changed = nil
			}
			for i := range batch {
				delete(s.inFlight, batch[i].Cell)
				s.noteFailure(&batch[i])
				if len(s.probed) < probes && batch[i].Seconds > 0 {
					s.probed = append(s.probed, batch[i].Seconds)
				}
			}
		})
	}
}

// Failures returns an error if any cells failed.
func (s *Sweep) Failures() error {
	if s.failed == 0 {
		return nil
	}
	return fmt.Errorf("%s of %s failed, the first at %s", say.Whole(s.failed), say.Amount(s.cells(), "cell"), s.firstFailure)
}

// LogStopped says how to continue a stopped sweep.
func (s *Sweep) LogStopped() {
	if s.Options.Out == "" {
		s.Log.Printf("with -o FILE the same command would go on from here")
		return
	}
	kept := s.doneBefore + s.done
	s.Log.Printf("%s %s kept; the same command goes on from here", say.Amount(kept, "result"),
		say.Either(kept, "is", "are"))
}

// LogUnfit lists the points whose settings are not compatible.
func (s *Sweep) LogUnfit() {
	const most = 20
	listed := 0
	for point := 0; point < s.plan.Points() && s.incompatible > 0; point++ {
		_, err := s.plan.Point(point)
		if err == nil {
			continue
		}
		if listed++; listed > most {
			s.Log.Printf("and so are more")
			return
		}
		s.Log.Printf("%s is left out: %s", s.plan.Name(point), err)
	}
}
