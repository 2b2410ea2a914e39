//go:build !js

package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"flockscope/sim/catalog"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/results"
	"flockscope/sim/say"
	"flockscope/sim/version"
	"flockscope/sim/workload"
)

// Verifier replays a random part of the runs in files of results: the same program and data give the same bits, so a
// record that differs from its replay was forged or comes from a changed program or a faulty computer.
type Verifier struct {
	Share   float64 // fraction of the runs to replay, above 0 and at most 1; at least one run
	Seed    uint64  // determines which runs
	Workers int     // concurrent runs
	File    *workload.File
	Data    string    // hash of the files, "" for none
	Out     io.Writer // receives records that differ from their replay
	Damaged *Damaged

	mu     sync.Mutex
	played int
	differ int
}

// Verify replays runs of files of results, or of JSON Lines.
func (v *Verifier) Verify(ctx context.Context, names []string) error {
	log := v.Damaged.Log
	// Two passes: first the draws of all runs, then the chosen runs, so that not all records are in memory at once.
	var draws []uint64
	failed := 0
	err := v.read(names, v.Damaged, func(r *plan.Record) {
		if r.Error != "" {
			failed++
			return
		}
		draws = append(draws, v.draw(r.Cell))
	})
	if err != nil {
		return err
	}
	if failed > 0 {
		log.Printf("%s failed and %s no result to verify", say.Amount(failed, "cell"), say.Either(failed, "has", "have"))
	}
	slices.Sort(draws)
	draws = slices.Compact(draws) // files may share records
	if len(draws) == 0 {
		return errors.Join(v.Damaged.Err(), fmt.Errorf("%s: no result to verify", strings.Join(names, ", ")))
	}
	chosen, err := v.choose(names, draws[int(math.Ceil(v.Share*float64(len(draws))))-1])
	if err != nil {
		return err
	}
	cells := map[string]bool{}
	for i := range chosen {
		cells[chosen[i].Cell] = true
	}
	all := len(draws) + len(chosen) - len(cells)
	began := time.Now()
	err = v.play(ctx, chosen)
	log.Printf("played %d of %s again (seed %d), in %s", v.played, say.Amount(all, "run"), v.Seed,
		Duration(time.Since(began).Seconds()))
	if err == nil && v.differ > 0 {
		err = fmt.Errorf("%d of them %s not come out again", v.differ, say.Either(v.differ, "does", "do"))
	}
	return errors.Join(err, v.Damaged.Err())
}

// choose returns the records whose draw is at most last: one of equal records of a cell, and all of different ones.
func (v *Verifier) choose(names []string, last uint64) (chosen []plan.Record, err error) {
	first := map[string]int{} // index in chosen, by cell
	err = v.read(names, &Damaged{Skip: true}, func(r *plan.Record) {
		if r.Error != "" || v.draw(r.Cell) > last {
			return
		}
		if i, has := first[r.Cell]; !has {
			first[r.Cell] = len(chosen)
		} else if plan.Same(&chosen[i], r) {
			return
		}
		chosen = append(chosen, *r)
	})
	return chosen, err
}

// read calls visit for the records of files whose runs can be replayed here.
func (v *Verifier) read(names []string, d *Damaged, visit func(r *plan.Record)) error {
	for _, name := range names {
		if err := v.readFile(name, d, visit); err != nil {
			return err
		}
	}
	return nil
}

func (v *Verifier) readFile(name string, d *Damaged, visit func(r *plan.Record)) error {
	records, closeFile, err := d.records(name)
	if err != nil {
		return inputError{err}
	}
	defer closeFile()
	for r, err := range records {
		switch {
		case err != nil:
			return err
		case r.Version != version.Engine:
			return inputErrorf("%s %w: a record is from version %d of the engine, and this is version %d; "+
				"verify it with the flock that made it", name, results.ErrVersion, r.Version, version.Engine)
		case r.Data != v.Data && r.Data != "":
			return inputErrorf("%s has results about other samples: give the files that they are of with -data", name)
		}
		visit(&r)
	}
	return nil
}

// draw returns a random number for a cell: the cells with the smallest are chosen, whatever the
// order of the records and files.
func (v *Verifier) draw(cell string) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", v.Seed, cell))
	return binary.LittleEndian.Uint64(sum[:])
}

// play replays the runs of records concurrently, and prints the records that differ.
func (v *Verifier) play(ctx context.Context, records []plan.Record) error {
	began := time.Now()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	todo := make(chan *plan.Record)
	var busy sync.WaitGroup
	for range min(v.Workers, len(records)) {
		busy.Go(func() {
			for r := range todo {
				if err := v.replay(ctx, r); err != nil {
					stop(err)
				}
			}
		})
	}
	hideProgress := v.Damaged.Log.showProgress(func(bool) string {
		v.mu.Lock()
		defer v.mu.Unlock()
		text := fmt.Sprintf("%s of %s", say.Whole(v.played), say.Amount(len(records), "run"))
		if rate := float64(v.played) / time.Since(began).Seconds(); v.played > 0 {
			text += fmt.Sprintf(" · %s left", Duration(float64(len(records)-v.played)/rate))
		}
		return text
	}, func() string { return "" })
	for i := 0; i < len(records) && ctx.Err() == nil; {
		select {
		case todo <- &records[i]:
			i++
		case <-ctx.Done():
		}
	}
	close(todo)
	busy.Wait()
	hideProgress()
	return context.Cause(ctx)
}

// replay replays one run.
func (v *Verifier) replay(ctx context.Context, r *plan.Record) error {
	c := plan.Cell{ID: r.Cell, Query: r.Query, Floats: r.Floats, Data: r.Data, Version: r.Version}
	if err := c.Read(catalog.Schema().Parse); err != nil {
		return err
	}
	now, ended := computeCell(ctx, &c, v.File, r.Build)
	if !ended {
		return context.Cause(ctx)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.played++
	if plan.Same(r, &now) {
		return nil
	}
	v.differ++
	_, err := fmt.Fprintf(v.Out, "%s\n  record %s: %s\n", r.Query, r.Cell, differences(r, &now))
	return err
}

// differences lists the differences between a record and its replay.
func differences(before, now *plan.Record) string {
	if now.Error != "" {
		return "played again it fails: " + now.Error
	}
	var out []string
	for _, m := range plan.Mismatches(before, now) {
		where := m.Key
		if m.Lane != "" {
			where = m.Lane + ": " + m.Key
		}
		out = append(out, fmt.Sprintf("%s is %s, played again %s", where, m.A, m.B))
	}
	return strings.Join(out, "; ")
}
