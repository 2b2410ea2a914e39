//go:build !js

package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/results"
	"flockscope/sim/say"
	"flockscope/sim/version"
)

// Merge copies the records of files of results and of JSON Lines files into the file of results out. The error also
// lists the cells of the plan that failed or have no record.
func Merge(ctx context.Context, out string, names []string, d *Damaged) error {
	for _, name := range names {
		if sameFile(name, out) {
			return inputErrorf("%s is the file that takes all results, too; name another with -o", name)
		}
	}
	text, err := commonPlan(append([]string{out}, names...))
	if err != nil {
		return err
	}
	into, err := results.Open(out, CheckRecord)
	var found *results.Damage
	if errors.As(err, &found) {
		d.note(found)
		into, err = d.heal(out)
	}
	if err != nil {
		return err
	}
	defer into.Close()
	if err := into.SetPlan(text); err != nil {
		return err
	}
	var sum merged
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := sum.add(into, name, d); err != nil {
			return err
		}
	}
	before := sum.read - sum.added
	d.Log.Printf("%s from %s in %s; %s %s there already", say.Amount(sum.added, "new record"),
		say.Amount(len(names), "file"), out, say.Whole(before), say.Either(before, "was", "were"))
	return sum.problems(into, text, d)
}

// problems returns an error about the problems of the merged file.
func (m *merged) problems(into *results.File, text string, d *Damaged) error {
	var problems []error
	if m.failed > 0 {
		problems = append(problems, fmt.Errorf("%s failed; flock results says why", say.Amount(m.failed, "cell")))
	}
	complete := false
	if text != "" {
		missing, err := missing(into)
		if err != nil {
			return err
		}
		if complete = missing == 0; !complete {
			problems = append(problems, fmt.Errorf("%s %s no result yet; flock sweep -o %s computes %s",
				say.Amount(missing, "cell"), say.Either(missing, "has", "have"), plan.ShellWord(into.Name()),
				say.Either(missing, "it", "them")))
		}
	}
	if err := d.Err(); err != nil && complete {
		d.Log.Printf("%v\nflock: nothing of it is missing in %s", errors.Join(d.lost...), into.Name())
	} else if err != nil {
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}

func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y) || filepath.Clean(a) == filepath.Clean(b)
}

// commonPlan returns the plan of the files, if all files with a plan have the same one.
func commonPlan(names []string) (text string, err error) {
	from := ""
	for i, name := range names {
		_, statErr := os.Stat(name)
		if isLines(name) || i == 0 && errors.Is(statErr, os.ErrNotExist) {
			continue
		}
		mine, engine, err := results.ReadPlan(name)
		if err != nil {
			return "", inputError{err}
		}
		if engine != version.Engine && engine != 0 {
			return "", inputErrorf("%s %w: its results are from version %d of the engine, and this is version %d; "+
				"merge with the flock that made them", name, results.ErrVersion, engine, version.Engine)
		}
		if mine == "" {
			continue
		}
		if text != "" && mine != text {
			return "", inputErrorf("%s and %s are of different plans; flock results -plan prints each", from, name)
		}
		text, from = mine, name
	}
	return text, nil
}

// merged counts the records of a merge.
type merged struct{ read, added, failed int }

// add copies the records of a file into another.
func (m *merged) add(out *results.File, name string, d *Damaged) error {
	var batch []plan.Record
	flush := func() error {
		added, err := out.Put(batch...)
		m.added += added
		batch = batch[:0]
		return err
	}
	records, closeFile, err := d.records(name)
	if err != nil {
		return inputError{err}
	}
	defer closeFile()
	for r, err := range records {
		if err != nil {
			return err
		}
		if r.Version != version.Engine {
			return inputErrorf("%s %w: a record is from version %d of the engine, and this is version %d",
				name, results.ErrVersion, r.Version, version.Engine)
		}
		m.read++
		if r.Error != "" {
			m.failed++
		}
		if batch = append(batch, r); len(batch) == batchSize {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// missing counts the cells of a file's plan without a record.
func missing(f *results.File) (n int, err error) {
	p, err := ReadPlan(f.Name(), f.Plan())
	if err != nil {
		return 0, nil // another version wrote the plan
	}
	for point := range p.Points() {
		c, err := p.Point(point)
		if err != nil {
			continue
		}
		for seed := range p.Seeds {
			if _, ok, err := f.Get(p.At(c, seed).ID); err != nil {
				return 0, err
			} else if !ok {
				n++
			}
		}
	}
	return n, nil
}
