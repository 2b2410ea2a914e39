//go:build !js

package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"flockscope/sim/lab/datafiles"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/results"
	"flockscope/sim/param"
	"flockscope/sim/say"
	"flockscope/sim/version"
	"flockscope/sim/workload"
)

var _ = register(command{
	name: "verify", args: "[-share 0.05] FILE …", run: verify,
	doc: "play a random part of the runs in files of results again, and name those that come out otherwise; -share 1 plays all",
})

// verifier plays runs of records again.
type verifier struct {
	file    *workload.File
	workers int
	out     io.Writer // for runs that do not come out again
	errs    io.Writer

	mu      sync.Mutex
	played  int
	differ  int
	seconds float64 // that the runs have taken, added up
}

// verify plays a part of the runs of files again: whoever has the same program and data
// gets the same bits, so a record that does not come out again was forged, was computed by
// a program that was changed, or by a computer that computes wrongly.
func verify(ctx context.Context, args []string, out, errs io.Writer) error {
	fs := newFlags("verify")
	share := fs.Float64("share", 0.05, "which share of the runs to play again, above 0 and at most 1; at least one run")
	seed := fs.Uint64("seed", 1, "which of them: the same seed chooses the same ones")
	workers := fs.String("workers", strconv.Itoa(min(runtime.NumCPU(), maxWorkers)), "runs at a time")
	var files paths
	fs.Var(&files, "data", "the files of samples that the results are about")
	var lost damage
	lost.add(fs)
	names, err := parseInterspersed(fs, args)
	if err != nil {
		return badInput(err)
	}
	if len(names) == 0 {
		return badInput(errors.New("verify takes files of results (flock sweep -o FILE) or records as JSON Lines, got none"))
	}
	if !(*share > 0 && *share <= 1) {
		return badInput(&param.Error{Field: "-share", Got: strconv.FormatFloat(*share, 'g', -1, 64),
			Want: "a number above 0 and at most 1"})
	}
	v := &verifier{out: out, errs: errs}
	if v.workers, err = whole("-workers", *workers, maxWorkers); err != nil {
		return badInput(err)
	}
	hash, err := datafiles.Hash(files)
	if err == nil && len(files) > 0 {
		v.file, err = datafiles.Open(files)
	}
	if err != nil {
		return badInput(err)
	}
	// First which runs there are, then those that are chosen: not all records at once.
	var draws []uint64
	failed := 0
	visit := func(lost *damage, errs io.Writer, do func(r *plan.Record)) error {
		for _, name := range names {
			if err := v.read(name, hash, lost, errs, do); err != nil {
				return err
			}
		}
		return nil
	}
	err = visit(&lost, errs, func(r *plan.Record) {
		if r.Error != "" {
			failed++
			return
		}
		draws = append(draws, draw(*seed, r.Cell))
	})
	if err != nil {
		return err
	}
	if failed > 0 {
		fmt.Fprintf(errs, "flock: %s failed and %s no result to verify\n", say.Amount(failed, "cell"), say.Either(failed, "has", "have"))
	}
	slices.Sort(draws)
	draws = slices.Compact(draws) // files may share records
	all := len(draws)
	if all == 0 {
		return errors.Join(lost.err(), fmt.Errorf("%s: no result to verify", strings.Join(names, ", ")))
	}
	last := draws[int(math.Ceil(*share*float64(all)))-1]
	var chosen []plan.Record
	at := map[string]int{} // in chosen, of each cell
	if err := visit(&damage{skip: true}, io.Discard, func(r *plan.Record) {
		if r.Error != "" || draw(*seed, r.Cell) > last {
			return
		}
		if i, has := at[r.Cell]; !has {
			at[r.Cell] = len(chosen)
		} else if all++; plan.Same(&chosen[i], r) { // two that differ are both played
			all--
			return
		}
		chosen = append(chosen, *r)
	}); err != nil {
		return err
	}
	err = v.play(ctx, chosen)
	fmt.Fprintf(errs, "flock: played %d of %s again (seed %d), in %s\n", v.played, say.Amount(all, "run"), *seed, duration(v.seconds))
	if err == nil && v.differ > 0 {
		err = fmt.Errorf("%d of them %s not come out again", v.differ, say.Either(v.differ, "does", "do"))
	}
	return errors.Join(err, lost.err())
}

// read hands over the records of a file, if their runs can be played here.
func (v *verifier) read(name, hash string, lost *damage, errs io.Writer, do func(r *plan.Record)) error {
	records, closeFile, err := recordsOf(name, lost, errs)
	if err != nil {
		return badInput(err)
	}
	defer closeFile()
	for r, err := range records {
		switch {
		case err != nil:
			return err
		case r.Version != version.Engine:
			return badInput(fmt.Errorf("%s %w: a record is from version %d of the engine, and this is version %d; "+
				"verify it with the flock that made it", name, results.ErrVersion, r.Version, version.Engine))
		case r.Data != hash && r.Data != "":
			return badInput(fmt.Errorf("%s has results about other samples: give the files that they are of with -data", name))
		}
		do(&r)
	}
	return nil
}

// draw returns a random number for a cell: those with the least are chosen, in whatever
// order and files the records are.
func draw(seed uint64, cell string) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", seed, cell))
	return binary.LittleEndian.Uint64(sum[:])
}

// play plays the runs of records again, some at a time, and prints those that differ.
func (v *verifier) play(ctx context.Context, records []plan.Record) error {
	began := time.Now()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	todo := make(chan *plan.Record)
	var busy sync.WaitGroup
	for range min(v.workers, len(records)) {
		busy.Go(func() {
			for r := range todo {
				if err := v.again(ctx, r); err != nil {
					stop(err)
				}
			}
		})
	}
	every, line := inLog, "flock: %s\n"
	if isTerminal(v.errs) {
		every, line = onTerminal, "\r\033[K%s"
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for i := 0; i < len(records) && ctx.Err() == nil; {
		select {
		case todo <- &records[i]:
			i++
		case <-ctx.Done():
		case <-tick.C:
			v.mu.Lock()
			text := fmt.Sprintf("%s of %s", say.Whole(v.played), say.Amount(len(records), "run"))
			if rate := float64(v.played) / time.Since(began).Seconds(); v.played > 0 {
				text += fmt.Sprintf(" · %s left", duration(float64(len(records)-v.played)/rate))
			}
			fmt.Fprintf(v.errs, line, text)
			v.mu.Unlock()
		}
	}
	close(todo)
	busy.Wait()
	if isTerminal(v.errs) {
		fmt.Fprint(v.errs, "\r\033[K")
	}
	v.seconds = time.Since(began).Seconds()
	return context.Cause(ctx)
}

// again plays one run.
func (v *verifier) again(ctx context.Context, r *plan.Record) error {
	c := plan.Cell{ID: r.Cell, Query: r.Query, Floats: r.Floats, Data: r.Data, Version: r.Version}
	if err := c.Read(parseQuery); err != nil {
		return err
	}
	now, ended := computeCell(ctx, &c, v.file, r.Build)
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
	_, err := fmt.Fprintf(v.out, "%s\n  record %s: %s\n", r.Query, r.Cell, differences(r, &now))
	return err
}

// differences says in what two records of a cell differ.
func differences(before, now *plan.Record) string {
	if now.Error != "" {
		return "played again it fails: " + now.Error
	}
	var out []string
	differ := func(where string, before, now any) {
		x, y := members(before), members(now)
		for _, key := range slices.Sorted(maps.Keys(x)) {
			if !bytes.Equal(x[key], y[key]) {
				out = append(out, fmt.Sprintf("%s%s is %s, played again %s", where, key, shortened(x[key]), shortened(y[key])))
			}
		}
		for _, key := range slices.Sorted(maps.Keys(y)) {
			if _, has := x[key]; !has {
				out = append(out, fmt.Sprintf("%s%s is missing, played again %s", where, key, shortened(y[key])))
			}
		}
	}
	a, b := before.Plain(), now.Plain()
	if a.HasClients() != b.HasClients() {
		a, b = a.Without(), b.Without()
	}
	for i := range a.Lanes { // whose number was checked when they were read
		differ(a.Lanes[i].Lane+": ", &a.Lanes[i], &b.Lanes[i])
	}
	a.Lanes, b.Lanes = nil, nil
	differ("", &a, &b)
	return strings.Join(out, "; ")
}

// members returns the members of a value as JSON.
func members(v any) (out map[string]json.RawMessage) {
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		panic(err) // records are finite numbers and texts
	}
	return out
}

// shortened cuts a long value; one that is not there is nothing.
func shortened(value []byte) string {
	const most = 60
	switch {
	case len(value) == 0:
		return "nothing"
	case len(value) > most:
		return string(value[:most]) + "…"
	}
	return string(value)
}
