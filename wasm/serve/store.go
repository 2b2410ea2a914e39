//go:build !js

package main

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// A store keeps links in one bbolt file: when a request is answered, its link is on the disk. bbolt maps files into
// memory, which a browser cannot, hence the build constraint of this program.
//
// The number of links is bounded. When the store is full, the least recently used link, the one not made or opened for
// longest, is removed for a new one. Uses are numbered instead of dated, so that a wrong clock removes nothing.
type store struct {
	db       *bbolt.DB
	key      []byte      // key of the hash for ids; nil if the file is read-only
	maxLinks uint64      // maximum number of links
	broken   atomic.Bool // the file was damaged while it was open
}

var (
	linksBucket = []byte("links") // id → text; the bucket's sequence number is the number of links
	keysBucket  = []byte("keys")  // "link" → key of the hash that makes ids
	usedBucket  = []byte("used")  // id → number of its last use
	usesBucket  = []byte("uses")  // inverse of used: number → id; the bucket's sequence number is the last use
	linkKey     = []byte("link")
)

// Buckets of earlier versions, in which links expired by the clock.
var (
	unopenedBucket = []byte("unopened") // id → creation time, of links that nobody had opened
	agesBucket     = []byte("ages")     // by age: creation time and id → nothing
)

// maxLinksInFile bounds the file: a million links are some hundred megabytes.
const maxLinksInFile = 1_000_000

var (
	errTaken   = errors.New("another server has it open")
	errDamaged = errors.New("the file of links is damaged; start the server again to have it set aside")
)

// openStore opens the store in a file, which it makes if there is none. A file that cannot
// be written is opened for reading. A damaged one is renamed, with a line in the log, and
// a new one is made.
func openStore(name string) (*store, error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return nil, err
	}
	s := &store{maxLinks: maxLinksInFile}
	err := s.recoverFaults(func() error {
		damage, err := inspect(name)
		if err == nil && damage != "" {
			err = renameDamaged(name, damage)
		}
		if err != nil {
			return err
		}
		return s.open(name)
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// options are the options of bbolt: how long to wait for another program's lock on the
// file. Tests set further ones.
var options = bbolt.Options{Timeout: 100 * time.Millisecond}

// readOnly returns options for reading a file.
func readOnly(options bbolt.Options) bbolt.Options {
	options.ReadOnly = true
	return options
}

func (s *store) open(name string) (err error) {
	s.db, err = bbolt.Open(name, 0o600, &options)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		read := readOnly(options)
		if db, readErr := bbolt.Open(name, 0, &read); readErr == nil {
			log.Printf("%s can only be read: its links open, and no new ones are made", name)
			s.db, err = db, nil
		}
	}
	if errors.Is(err, bolterrors.ErrTimeout) {
		return errTaken
	}
	if err != nil || s.db.IsReadOnly() {
		return err
	}
	if err := s.db.Update(s.prepare); err != nil {
		s.db.Close()
		return err
	}
	return nil
}

// prepare makes missing buckets and reads the key, or makes one.
func (s *store) prepare(tx *bbolt.Tx) error {
	for _, name := range [][]byte{linksBucket, keysBucket, usedBucket, usesBucket} {
		if _, err := tx.CreateBucketIfNotExists(name); err != nil {
			return err
		}
	}
	if err := numberUses(tx); err != nil {
		return err
	}
	keys := tx.Bucket(keysBucket)
	if s.key = slices.Clone(keys.Get(linkKey)); len(s.key) > 0 {
		return nil
	}
	s.key = make([]byte, 32)
	rand.Read(s.key)
	return keys.Put(linkKey, s.key)
}

// numberUses gives a use to links that have none, as in the file of an earlier version:
// first to those that were never opened, by age, then to the others. It removes uses of
// links that an earlier version has deleted.
func numberUses(tx *bbolt.Tx) error {
	links, used := tx.Bucket(linksBucket), tx.Bucket(usedBucket)
	ages := tx.Bucket(agesBucket)
	count := uint64(links.Stats().KeyN)
	if ages == nil && links.Sequence() == count && uint64(used.Stats().KeyN) == count {
		return nil
	}
	var gone [][]byte
	err := used.ForEach(func(id, _ []byte) error {
		if links.Get(id) == nil {
			gone = append(gone, slices.Clone(id))
		}
		return nil
	})
	for _, id := range gone {
		err = errors.Join(err, tx.Bucket(usesBucket).Delete(slices.Clone(used.Get(id))), used.Delete(id))
	}
	number := func(id []byte) error {
		if links.Get(id) == nil || used.Get(id) != nil {
			return nil
		}
		return markUsed(tx, id)
	}
	if ages != nil {
		err = errors.Join(err, ages.ForEach(func(age, _ []byte) error { return number(age[min(8, len(age)):]) }),
			tx.DeleteBucket(agesBucket))
	}
	if tx.Bucket(unopenedBucket) != nil {
		err = errors.Join(err, tx.DeleteBucket(unopenedBucket))
	}
	return errors.Join(err, links.ForEach(func(id, _ []byte) error { return number(id) }), links.SetSequence(count))
}

// markUsed makes a link the most recently used one.
func markUsed(tx *bbolt.Tx, id []byte) error {
	used, uses := tx.Bucket(usedBucket), tx.Bucket(usesBucket)
	if before := used.Get(id); before != nil {
		if err := uses.Delete(before); err != nil {
			return err
		}
	}
	n, err := uses.NextSequence()
	if err != nil {
		return err
	}
	number := binary.BigEndian.AppendUint64(nil, n)
	return errors.Join(used.Put(id, number), uses.Put(number, id))
}

// renameDamaged renames a damaged file, with a line in the log.
func renameDamaged(name, damage string) error {
	aside := fmt.Sprintf("%s.damaged-%s", name, time.Now().UTC().Format("20060102-150405.000000"))
	if err := os.Rename(name, aside); err != nil {
		return fmt.Errorf("is damaged (%s) and could not be renamed: %w", damage, err)
	}
	log.Printf("%s was damaged (%s). It is now %s, and a new file is made: earlier links do not open. "+
		"To bring them back, stop the server and put a backup in its place.", name, damage, aside)
	return nil
}

// Get returns the text under an id, "" when there is none, and marks the link as used. A
// link among the most recently used tenth is not marked again, so that opening links
// rarely writes to the disk.
func (s *store) Get(_ context.Context, id string) (text string, err error) {
	var old bool
	err = s.recoverFaults(func() error {
		return s.db.View(func(tx *bbolt.Tx) error {
			text = string(lookUp(tx, linksBucket, id))
			if number := lookUp(tx, usedBucket, id); text != "" && number != nil {
				old = tx.Bucket(usesBucket).Sequence()-binary.BigEndian.Uint64(number) > s.maxLinks/10
			}
			return nil
		})
	})
	if err != nil || !old || s.db.IsReadOnly() {
		return text, err
	}
	err = s.recoverFaults(func() error {
		return s.db.Update(func(tx *bbolt.Tx) error {
			if lookUp(tx, linksBucket, id) == nil {
				return nil // it was removed meanwhile
			}
			return markUsed(tx, []byte(id))
		})
	})
	if err != nil { // the link opens nevertheless
		log.Print("store: ", err)
	}
	return text, nil
}

// lookUp returns a value, nil for none; a read-only file may lack a bucket.
func lookUp(tx *bbolt.Tx, bucket []byte, id string) []byte {
	if b := tx.Bucket(bucket); b != nil {
		return b.Get([]byte(id))
	}
	return nil
}

// Put stores a text under an id where there is none, and returns what was there.
func (s *store) Put(_ context.Context, id, text string) (before string, err error) {
	err = s.recoverFaults(func() error {
		err := s.db.View(func(tx *bbolt.Tx) error {
			before = string(lookUp(tx, linksBucket, id))
			return nil
		})
		if err != nil || before != "" {
			return err
		}
		return s.db.Update(func(tx *bbolt.Tx) error {
			links := tx.Bucket(linksBucket)
			if before = string(links.Get([]byte(id))); before != "" {
				return nil // another request stored it meanwhile
			}
			if err := s.evict(tx); err != nil {
				return err
			}
			return errors.Join(
				links.SetSequence(links.Sequence()+1),
				links.Put([]byte(id), []byte(text)),
				markUsed(tx, []byte(id)))
		})
	})
	return before, err
}

// evict removes the least recently used link if the store is full.
func (s *store) evict(tx *bbolt.Tx) error {
	links, uses := tx.Bucket(linksBucket), tx.Bucket(usesBucket)
	if links.Sequence() < s.maxLinks {
		return nil
	}
	number, id := uses.Cursor().First()
	if id = slices.Clone(id); id == nil {
		return nil
	}
	return errors.Join(links.Delete(id), links.SetSequence(links.Sequence()-1),
		tx.Bucket(usedBucket).Delete(id), uses.Delete(slices.Clone(number)))
}

// recoverFaults turns a panic of bbolt into an error, as well as the memory fault that a file
// truncated while open causes: one request fails, not the server. Locks of bbolt may then
// stay held, so it is not called again.
func (s *store) recoverFaults(do func() error) (err error) {
	if s.broken.Load() {
		return errDamaged
	}
	usual := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(usual)
		if problem := recover(); problem != nil {
			s.broken.Store(true)
			err = fmt.Errorf("%w: %v", errDamaged, problem)
		}
	}()
	return do()
}

// Close closes the file, so that another server can open it.
func (s *store) Close() error {
	if s.broken.Load() {
		return nil // bbolt may hold its locks; the end of the process closes the file
	}
	return s.db.Close()
}

// A closedStore stands for a store that could not be opened.
type closedStore struct{ err error }

func (s closedStore) Get(context.Context, string) (string, error)         { return "", s.err }
func (s closedStore) Put(context.Context, string, string) (string, error) { return "", s.err }

// defaultFile is the default for -links: in the user's state folder, since .build may be
// deleted at any time.
func defaultFile() string {
	dir := os.Getenv("XDG_STATE_HOME")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return filepath.Join(".build", "links.db")
		}
		dir = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(dir, "flockscope", "links.db")
}
