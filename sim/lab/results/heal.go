//go:build !js

package results

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"flockscope/sim/lab/plan"
)

// Heal replaces a damaged file by a valid one with everything that can be read. It keeps the damaged file under another
// name, which it returns.
func Heal(name string, check Check) (kept string, err error) {
	before, err := OpenToRead(name, check)
	if err != nil {
		return "", err
	}
	fresh := name + ".new"
	// left by a program that was killed here
	if err := os.Remove(fresh); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", errors.Join(err, before.Close())
	}
	f, err := Open(fresh, check)
	if err != nil {
		return "", errors.Join(err, before.Close())
	}
	if err := errors.Join(f.fill(before), f.Close(), before.Close()); err != nil {
		return "", errors.Join(err, os.Remove(fresh))
	}
	kept = name + ".damaged"
	for n := 2; ; n++ {
		if _, err := os.Lstat(kept); errors.Is(err, fs.ErrNotExist) {
			break
		}
		kept = fmt.Sprintf("%s.damaged%d", name, n)
	}
	if err := os.Link(name, kept); err != nil { // so that the file exists at all times
		if err = os.Rename(name, kept); err != nil {
			return "", err
		}
	}
	return kept, os.Rename(fresh, name)
}

// fill copies the plan and the readable records of a file.
func (f *File) fill(from *Reader) error {
	if err := f.SetPlan(from.plan); err != nil {
		return err
	}
	const most = 1024
	var batch []plan.Record
	for r, err := range from.All() {
		if err != nil {
			return err
		}
		if batch = append(batch, r); len(batch) == most {
			if _, err := f.Put(batch...); err != nil {
				return err
			}
			batch = batch[:0]
		}
	}
	_, err := f.Put(batch...)
	return err
}
