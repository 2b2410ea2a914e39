//go:build !js

package results

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"strconv"
	"sync/atomic"
	"syscall"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"flockscope/sim/lab/plan"
	"flockscope/sim/version"
)

// File is an open file of results. Its methods may be called by several goroutines.
type File struct {
	head
	db     *bbolt.DB
	broken atomic.Bool // bbolt has panicked, and may hold its locks forever
}

// Open opens a file for reading and writing, and creates it if necessary. It is for records of this engine version. If
// anything in the file is damaged, or the check rejects a record, the error is a [Damage] and the file is unchanged;
// see [Heal].
func Open(name string, check Check) (*File, error) {
	var before *Reader
	if info, err := os.Stat(name); err == nil && info.Size() > 0 {
		if before, err = OpenToRead(name, check); err != nil {
			return nil, err
		}
		if err := before.Close(); err != nil {
			return nil, err
		}
		if engine := before.engine; engine != version.Engine && engine != 0 {
			return nil, fmt.Errorf("%s %w: its results are from version %d of the engine, and this is version %d, "+
				"whose results may differ; continue it with the flock that began it, or begin another file", name, ErrVersion, engine,
				version.Engine)
		}
		if d := before.Damage(); d != nil {
			return nil, d
		}
	} else if errors.Is(err, fs.ErrNotExist) {
		createWhole(name)
	}
	f := &File{head: head{name: name}}
	err := f.withRecover(func() (err error) {
		f.db, err = bbolt.Open(name, 0o644, &bbolt.Options{Timeout: patience, FreelistType: bbolt.FreelistMapType})
		if err != nil {
			return err
		}
		err = f.db.View(f.readHead)
		if err == nil && f.format < format {
			err = f.db.Update(func(tx *bbolt.Tx) error { return f.prepare(tx, before) })
		}
		if err != nil {
			f.db.Close()
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// createWhole creates a file with its head under another name first, so that a process that is killed meanwhile leaves no
// half of a file. Where that is impossible it does nothing, and Open creates the file in place.
func createWhole(name string) {
	other := fmt.Sprintf("%s.new-%d", name, os.Getpid())
	defer os.Remove(other)
	f := &File{head: head{name: other}}
	err := f.withRecover(func() (err error) {
		if f.db, err = bbolt.Open(other, 0o644, &bbolt.Options{Timeout: patience}); err != nil {
			return err
		}
		return errors.Join(f.db.Update(func(tx *bbolt.Tx) error { return f.prepare(tx, nil) }), f.db.Close())
	})
	if err == nil {
		_ = os.Link(other, name) // not a renaming, which would replace the file of another flock
	}
}

// readHead reads the head of a file; a new file has an empty one.
func (f *File) readHead(tx *bbolt.Tx) error {
	meta := tx.Bucket(metaBucket)
	if meta == nil {
		return nil
	}
	text := func(key []byte) string { return string(meta.Get(key)) }
	var errFormat, errEngine error
	f.format, errFormat = strconv.Atoi(text(formatKey))
	f.engine, errEngine = strconv.Atoi(text(engineKey))
	f.plan = text(planKey)
	return errors.Join(errFormat, errEngine)
}

// prepare initializes a new file, or adds the digest that an older file does not have.
func (f *File) prepare(tx *bbolt.Tx, before *Reader) error {
	f.format, f.engine = format, version.Engine
	meta, err := tx.CreateBucketIfNotExists(metaBucket)
	if err == nil {
		_, err = tx.CreateBucketIfNotExists(recordsBucket)
	}
	if err != nil {
		return err
	}
	var d digest
	if before != nil {
		for i := range before.entries {
			d.add(before.entries[i].id[:])
		}
	}
	return errors.Join(
		meta.Put(formatKey, strconv.AppendInt(nil, format, 10)),
		meta.Put(engineKey, strconv.AppendInt(nil, version.Engine, 10)),
		meta.Put(digestKey, d.encode(&f.head)))
}

// SetPlan records the plan for which the file is used. Records of other plans stay.
func (f *File) SetPlan(text string) error {
	if text == f.plan {
		return nil
	}
	next := f.head
	next.plan = text
	err := f.withRecover(func() error {
		return f.db.Update(func(tx *bbolt.Tx) error {
			meta := tx.Bucket(metaBucket)
			d, whole := parseDigest(meta.Get(digestKey), &f.head)
			if !whole {
				return ErrDamaged
			}
			return errors.Join(meta.Put(planKey, []byte(text)), meta.Put(digestKey, d.encode(&next)))
		})
	})
	if err == nil {
		f.plan = text
	}
	return err
}

// update changes records together with the digest.
func (f *File) update(do func(records *bbolt.Bucket, d *digest) error) error {
	return f.withRecover(func() error {
		return f.db.Update(func(tx *bbolt.Tx) error {
			meta := tx.Bucket(metaBucket)
			d, whole := parseDigest(meta.Get(digestKey), &f.head)
			if !whole {
				return ErrDamaged
			}
			before := d
			if err := do(tx.Bucket(recordsBucket), &d); err != nil || d == before {
				return err
			}
			return meta.Put(digestKey, d.encode(&f.head))
		})
	})
}

// Len returns the number of records.
func (f *File) Len() (n int, err error) {
	err = f.withRecover(func() error {
		return f.db.View(func(tx *bbolt.Tx) error {
			d, whole := parseDigest(tx.Bucket(metaBucket).Get(digestKey), &f.head)
			if n = int(d.count); !whole {
				return ErrDamaged
			}
			return nil
		})
	})
	return n, err
}

// Get returns the record of a cell; ok is false if there is none.
func (f *File) Get(cell string) (r plan.Record, ok bool, err error) {
	id, err := hex.DecodeString(cell)
	if err != nil {
		return r, false, err
	}
	err = f.withRecover(func() error {
		return f.db.View(func(tx *bbolt.Tx) (err error) {
			if value := tx.Bucket(recordsBucket).Get(id); value != nil {
				r, err = decode(id, value)
				ok = err == nil
			}
			return err
		})
	})
	return r, ok, err
}

// Put stores the records of cells that have none yet, all or none of them, and returns how many it stored. Without an
// error they are on the disk. A record of success replaces one of failure. If a record contradicts the stored record of
// its cell, the error is a [Conflict], and nothing is stored.
func (f *File) Put(list ...plan.Record) (added int, err error) {
	err = f.update(func(records *bbolt.Bucket, d *digest) error {
		added = 0
		for i := range list {
			fresh, err := put(records, &list[i], d)
			if err != nil {
				return err
			}
			added += fresh
		}
		return nil
	})
	return added, err
}

func put(records *bbolt.Bucket, r *plan.Record, d *digest) (added int, err error) {
	id, err := hex.DecodeString(r.Cell)
	if err != nil || len(id) != len(cellID{}) {
		return 0, fmt.Errorf("has no cell called %q", r.Cell)
	}
	if value := records.Get(id); value == nil {
		added = 1
		d.add(id)
	} else {
		before, err := decode(id, value)
		switch {
		case err != nil:
			return 0, err
		case before.Error == "" && r.Error == "" && !plan.Same(&before, r):
			return 0, &Conflict{Before: before, Now: *r}
		case before.Error == "" || r.Error != "":
			return 0, nil
		}
	}
	value, err := encode(r)
	if err != nil {
		return 0, err
	}
	return added, records.Put(id, value)
}

// Conflict is the error of two results of one cell: the engine gives the same bits everywhere, so one of the two
// computers is faulty or ran a changed program.
type Conflict struct{ Before, Now plan.Record }

func (c *Conflict) Error() string {
	by := ""
	if c.Before.Build != "" && c.Now.Build != "" {
		by = fmt.Sprintf(", by %s and by %s", c.Before.Build, c.Now.Build)
	}
	return fmt.Sprintf("two results of one cell differ: %s has %s%s; one of the two programs was changed, or one computer "+
		"computes wrongly: flock verify plays the run again", c.Now.Query, plan.Mismatches(&c.Before, &c.Now)[0], by)
}

// Forget removes the records of cells that failed, so that they are computed again, and
// returns how many there were.
func (f *File) Forget() (n int, err error) {
	err = f.update(func(records *bbolt.Bucket, d *digest) error {
		n = 0
		var failed [][]byte // nothing may be removed while a cursor is in use
		c := records.Cursor()
		for id, value := c.First(); id != nil; id, value = c.Next() {
			if r, err := decode(id, value); err != nil {
				return err
			} else if r.Error != "" {
				failed = append(failed, bytes.Clone(id))
			}
		}
		for _, id := range failed {
			if err := records.Delete(id); err != nil {
				return err
			}
			d.remove(id)
			n++
		}
		return nil
	})
	return n, err
}

// Close lets other programs open the file.
func (f *File) Close() error {
	if f.broken.Load() {
		return nil // the end of the process closes the file
	}
	return f.withRecover(f.db.Close)
}

// withRecover describes errors of the file, and turns panics of bbolt and memory faults from a truncated file into errors.
func (f *File) withRecover(do func() error) (err error) {
	if f.broken.Load() {
		return fmt.Errorf("%s %w", f.name, ErrDamaged)
	}
	usual := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(usual)
		if problem := recover(); problem != nil {
			f.broken.Store(true)
			err = fmt.Errorf("%w (%v)", ErrDamaged, problem)
		}
		switch {
		case err == nil:
			return
		case errors.Is(err, bolterrors.ErrTimeout):
			err = ErrTaken
		case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrChecksum),
			errors.Is(err, bolterrors.ErrVersionMismatch):
			err = fmt.Errorf("%w (%w)", ErrDamaged, err)
		case errors.Is(err, errDamaged):
			err = fmt.Errorf("%w: %w", ErrDamaged, err)
		case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EFBIG):
			err = fmt.Errorf("cannot grow: %w; make room, then give the same command again: what it holds is whole",
				err)
		case errors.Is(err, fs.ErrPermission), errors.Is(err, fs.ErrNotExist):
			return // the text has the name already
		}
		var conflict *Conflict
		if !errors.As(err, &conflict) {
			err = fmt.Errorf("%s %w", f.name, err)
		}
	}()
	return do()
}
