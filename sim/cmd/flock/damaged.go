//go:build !js

package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"sync"

	"flockscope/sim/catalog"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/results"
	"flockscope/sim/param"
)

// damage is what commands find in files of results that cannot be read. They use the rest,
// say how much is lost, and end with exit code 1, unless -damaged=skip accepts that.
type damage struct {
	skip  bool
	found []*results.Damage // by which something is lost
	lost  []error           // those of them that nobody accepts
}

func (d *damage) add(fs *flag.FlagSet) {
	fs.Func("damaged", "stop or skip: results that cannot be read make the exit code 1, and a damaged file is not "+
		"written to; skip goes on without them, and a sweep computes them again (default stop)", func(text string) error {
		if d.skip = text == "skip"; !d.skip && text != "stop" {
			return &param.Error{Field: "-damaged", Got: text, Want: "stop or skip"}
		}
		return nil
	})
}

// note says what is damaged; err returns it later where it makes the command fail.
func (d *damage) note(found *results.Damage, errs io.Writer) {
	if found == nil {
		return
	}
	if found.Lost() {
		d.found = append(d.found, found)
	}
	if !d.skip && found.Lost() {
		d.lost = append(d.lost, found)
		return
	}
	fmt.Fprintln(errs, "flock:", found)
}

// err returns an error if something could not be read, and nobody accepted that.
func (d *damage) err() error {
	if len(d.lost) == 0 {
		return nil
	}
	return fmt.Errorf("%w\nflock: flock merge with a good copy brings back what is lost; -damaged=skip goes on without it",
		errors.Join(d.lost...))
}

// unreadable returns how many records are lost, at least.
func (d *damage) unreadable() (n int) {
	for _, found := range d.found {
		n += found.Unreadable
	}
	return n
}

// open opens a file of results for reading.
func (d *damage) open(name string, errs io.Writer) (*results.Reader, error) {
	f, err := results.OpenToRead(name, checkRecord)
	if err != nil {
		return nil, err
	}
	if f.Old() {
		fmt.Fprintf(errs, "flock: %s is of an older flock, which kept no digest of all records: not every damage to it "+
			"is noticed; flock merge -o NEW %s gives it one\n", name, name)
	}
	d.note(f.Damage(), errs)
	return f, nil
}

// openToWrite opens a file of results for reading and writing. One that is damaged is made
// anew of what can be read in it, if nothing is lost or that is accepted.
func (d *damage) openToWrite(name string, errs io.Writer) (*results.File, error) {
	f, err := results.Open(name, checkRecord)
	var found *results.Damage
	if !errors.As(err, &found) {
		return f, err
	}
	if d.note(found, errs); len(d.lost) > 0 {
		return nil, d.err()
	}
	return heal(name, errs)
}

// heal makes a damaged file anew, and opens it.
func heal(name string, errs io.Writer) (*results.File, error) {
	kept, err := results.Heal(name, checkRecord)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(errs, "flock: %s was made anew of what can be read; the damaged file is %s\n", name, kept)
	return results.Open(name, checkRecord)
}

var checker = sync.OnceValue(func() *plan.Checker { return plan.NewChecker(catalog.Schema()) })

// checkRecord returns an error if a record cannot be right; every way in asks it.
func checkRecord(r *plan.Record) error { return checker().Check(r) }

// inputUnlessDamaged marks an error as the caller's, unless a file is damaged.
func inputUnlessDamaged(err error) error {
	if errors.Is(err, results.ErrDamaged) {
		return err
	}
	return badInput(err)
}
