//go:build !js

// Package results keeps the records of a sweep in one file. The file is bbolt's, which
// a program that is killed at any moment leaves whole: a record that was kept is on the
// disk, and one that was not is as if it had never been computed.
//
// bbolt maps files into memory, which nothing in a browser can, hence the constraint.
package results

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"iter"
	"os"
	"runtime/debug"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"flockscope/sim/plan"
	"flockscope/sim/textfile"
	"flockscope/sim/version"
)

// format is raised whenever an older program cannot read the file any more.
const format = 1

var (
	metaBucket    = []byte("meta")    // format, engine, plan
	recordsBucket = []byte("records") // cell → checksum and record; its sequence number is how many there are
	formatKey     = []byte("format")
	engineKey     = []byte("engine")
	planKey       = []byte("plan")
)

// File is an open file of results. Its methods may be called by several goroutines.
type File struct {
	name   string
	db     *bbolt.DB
	engine int
	plan   string
	broken atomic.Bool // bbolt panicked, and may hold its locks for ever
}

// Errors that callers may want to tell apart.
var (
	ErrTaken   = errors.New("is in use by another flock; wait for it to end, or use another file (shards of one sweep need a file each)")
	ErrDamaged = errors.New("is damaged or no file of results")
	ErrVersion = errors.New("is of another version")
	ErrForm    = errors.New("is no file of results")
)

// Open opens a file for reading and writing, and makes it if it is not there. It is for
// records of this version of the engine.
func Open(name string) (*File, error) {
	f, err := open(name, false)
	if err != nil {
		return nil, err
	}
	if f.engine != version.Engine {
		f.Close()
		return nil, fmt.Errorf("%s %w: its results are from version %d of the engine, and this is version %d, "+
			"whose results may differ; continue it with the flock that began it, or begin another file", name, ErrVersion, f.engine, version.Engine)
	}
	return f, nil
}

// OpenToRead opens a file for reading, also one of another version of the engine.
func OpenToRead(name string) (*File, error) {
	if err := other(name); err != nil {
		return nil, err
	}
	return open(name, true)
}

// other returns an error that says what to do with a file that is no store, but that holds
// results in another form, or one that cannot be read.
func other(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	head := make([]byte, 4096)
	n, _ := f.Read(head)
	switch text := textfile.Head(bytes.NewReader(head[:n]), len(head)); {
	case textfile.IsPacked(head[:n]) && !bytes.HasPrefix(text, []byte{'{'}):
		return fmt.Errorf("%s %w: it is packed by gzip, which only records as JSON Lines may be; unpack it first",
			name, ErrForm)
	case bytes.HasPrefix(text, []byte{'{'}):
		return fmt.Errorf("%s %w: it holds records as JSON Lines; put them into a file of results with flock merge -o, or read them with flock report", name, ErrForm)
	}
	return nil
}

func open(name string, read bool) (f *File, err error) {
	f = &File{name: name}
	err = f.guarded(func() error {
		// Another program may be about to close the file.
		options := bbolt.Options{Timeout: 2 * time.Second, ReadOnly: read, FreelistType: bbolt.FreelistMapType}
		f.db, err = bbolt.Open(name, 0o644, &options)
		if err != nil {
			return err
		}
		fresh := false
		err = f.db.View(func(tx *bbolt.Tx) error {
			name, _ := tx.Cursor().First()
			fresh = name == nil
			return nil
		})
		if err == nil && fresh && !read {
			err = f.db.Update(prepare)
		}
		if err == nil {
			err = f.db.View(f.readMeta)
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

// prepare fills a new file.
func prepare(tx *bbolt.Tx) error {
	meta, err := tx.CreateBucket(metaBucket)
	if err != nil {
		return err
	}
	_, err = tx.CreateBucket(recordsBucket)
	return errors.Join(err,
		meta.Put(formatKey, strconv.AppendInt(nil, format, 10)),
		meta.Put(engineKey, strconv.AppendInt(nil, version.Engine, 10)))
}

func (f *File) readMeta(tx *bbolt.Tx) (err error) {
	meta := tx.Bucket(metaBucket)
	if meta == nil || tx.Bucket(recordsBucket) == nil {
		return fmt.Errorf("%w: it holds something else", ErrDamaged)
	}
	if n, err := strconv.Atoi(string(meta.Get(formatKey))); err != nil || n > format {
		return fmt.Errorf("%w: its format is %q, and this flock reads %d; use a newer flock", ErrVersion,
			meta.Get(formatKey), format)
	}
	f.plan = string(meta.Get(planKey))
	f.engine, err = strconv.Atoi(string(meta.Get(engineKey)))
	return err
}

// Name returns the file's name.
func (f *File) Name() string { return f.name }

// Engine returns the version of the engine that computed the records.
func (f *File) Engine() int { return f.engine }

// Plan returns the text of the plan that the file was last used for, "" for none.
func (f *File) Plan() string { return f.plan }

// SetPlan notes the plan that the file is used for. Records of other plans stay.
func (f *File) SetPlan(text string) error {
	if text == f.plan {
		return nil
	}
	err := f.guarded(func() error {
		return f.db.Update(func(tx *bbolt.Tx) error { return tx.Bucket(metaBucket).Put(planKey, []byte(text)) })
	})
	if err == nil {
		f.plan = text
	}
	return err
}

// Len returns the number of records.
func (f *File) Len() (n int, err error) {
	err = f.view(func(records *bbolt.Bucket) error {
		n = int(records.Sequence())
		return nil
	})
	return n, err
}

// Get returns the record of a cell; ok is false where there is none, or where it is
// damaged.
func (f *File) Get(cell string) (r plan.Record, ok bool, err error) {
	id, err := hex.DecodeString(cell)
	if err != nil {
		return r, false, err
	}
	err = f.view(func(records *bbolt.Bucket) error {
		if value := records.Get(id); value != nil {
			var damage error
			r, damage = decode(value)
			ok = damage == nil
		}
		return nil
	})
	return r, ok, err
}

// Put keeps records of which there are none yet, all or nothing, and returns how many
// these were. When it returns without an error they are on the disk. A record that
// failed before gives way to one that did not; a damaged one to any. A record that says
// another thing about a cell than the one that is there is a [Conflict], and nothing is
// kept.
func (f *File) Put(list ...plan.Record) (added int, err error) {
	err = f.guarded(func() error {
		return f.db.Update(func(tx *bbolt.Tx) error {
			added = 0
			records := tx.Bucket(recordsBucket)
			for i := range list {
				fresh, err := put(records, &list[i])
				if err != nil {
					return err
				}
				added += fresh
			}
			return records.SetSequence(records.Sequence() + uint64(added))
		})
	})
	return added, err
}

func put(records *bbolt.Bucket, r *plan.Record) (added int, err error) {
	id, err := hex.DecodeString(r.Cell)
	if err != nil {
		return 0, err
	}
	added = 1
	if value := records.Get(id); value != nil {
		before, damage := decode(value)
		if damage == nil && before.Error == "" && r.Error == "" && !same(&before, r) {
			return 0, &Conflict{Before: before, Now: *r}
		}
		if damage == nil && (before.Error == "" || r.Error != "") {
			return 0, nil
		}
		added = 0
	}
	value, err := encode(r)
	if err != nil {
		return 0, err
	}
	return added, records.Put(id, value)
}

// Conflict is the error of two results of one cell: the engine gives the same bits
// everywhere, so one of two computers is broken or ran a changed program.
type Conflict struct{ Before, Now plan.Record }

func (c *Conflict) Error() string {
	return fmt.Sprintf("two results of one cell differ: %s has fingerprint %s from %s and %s from %s; "+
		"one of the two programs was changed, or one computer computes wrongly",
		c.Now.Query, c.Before.Fingerprint, c.Before.Build, c.Now.Fingerprint, c.Now.Build)
}

func same(a, b *plan.Record) bool {
	before, now := a.Plain(), b.Plain()
	if before.HasClients() != now.HasClients() { // one is of an older program
		before, now = before.Without(), now.Without()
	}
	x, errX := before.AppendJSON(nil)
	y, errY := now.AppendJSON(nil)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// All yields every record in the order of cells' IDs; in place of a damaged one the
// error that says so.
func (f *File) All() iter.Seq2[plan.Record, error] {
	return func(yield func(plan.Record, error) bool) {
		err := f.view(func(records *bbolt.Bucket) error {
			c := records.Cursor()
			for id, value := c.First(); id != nil; id, value = c.Next() {
				if r, err := decode(value); !yield(r, err) {
					return nil
				}
			}
			return nil
		})
		if err != nil {
			yield(plan.Record{}, err)
		}
	}
}

// Forget removes the records of cells that failed, so that they are computed again, and
// returns how many there were.
func (f *File) Forget() (n int, err error) {
	err = f.guarded(func() error {
		return f.db.Update(func(tx *bbolt.Tx) error {
			n = 0
			records := tx.Bucket(recordsBucket)
			var failed [][]byte // nothing may be removed under a cursor
			c := records.Cursor()
			for id, value := c.First(); id != nil; id, value = c.Next() {
				if r, err := decode(value); err != nil || r.Error != "" {
					failed = append(failed, bytes.Clone(id))
				}
			}
			for _, id := range failed {
				if err := records.Delete(id); err != nil {
					return err
				}
				n++
			}
			return records.SetSequence(records.Sequence() - uint64(n))
		})
	})
	return n, err
}

// Close lets other programs open the file.
func (f *File) Close() error {
	if f.broken.Load() {
		return nil // the end of the process does that
	}
	return f.guarded(f.db.Close)
}

func (f *File) view(do func(records *bbolt.Bucket) error) error {
	return f.guarded(func() error {
		return f.db.View(func(tx *bbolt.Tx) error { return do(tx.Bucket(recordsBucket)) })
	})
}

// encode writes a record behind its checksum: bbolt has none for what it keeps.
func encode(r *plan.Record) ([]byte, error) {
	value, err := r.AppendJSON(make([]byte, 4))
	binary.LittleEndian.PutUint32(value, crc32.ChecksumIEEE(value[4:]))
	return value, err
}

func decode(value []byte) (plan.Record, error) {
	if len(value) < 4 || crc32.ChecksumIEEE(value[4:]) != binary.LittleEndian.Uint32(value) {
		return plan.Record{}, errors.New("a record is damaged")
	}
	return plan.ParseRecord(value[4:])
}

// guarded says in words what went wrong with the file, and turns a panic of bbolt into
// an error, as well as the memory fault of a file that was cut off.
func (f *File) guarded(do func() error) (err error) {
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
		case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EFBIG):
			err = fmt.Errorf("cannot grow: %w; make room, then give the same command again: what it holds is whole",
				err)
		case errors.Is(err, fs.ErrPermission), errors.Is(err, fs.ErrNotExist):
			return // its text has the name
		}
		var conflict *Conflict
		if !errors.As(err, &conflict) {
			err = fmt.Errorf("%s %w", f.name, err)
		}
	}()
	return do()
}
