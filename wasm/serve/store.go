//go:build !js

package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// A store keeps links in one file, which bbolt never leaves half written: a
// link that was answered is on the disk. bbolt maps files into memory, which
// nothing in a browser can, hence the build constraint of this program.
type store struct{ db *bbolt.DB }

var (
	linksBucket = []byte("links") // id → text
	keysBucket  = []byte("keys")  // "link" → the key that makes ids
	linkKey     = []byte("link")
)

// mostLinks bounds the file: a million links are some hundred megabytes.
const mostLinks = 1_000_000

var (
	errFull  = errors.New("the store is full")
	errTaken = errors.New("another server has it open")
)

// openStore opens the store in a file, which it makes if it is not there, and
// returns it with the key that makes ids.
func openStore(name string) (*store, []byte, error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return nil, nil, err
	}
	db, err := bbolt.Open(name, 0o600, &bbolt.Options{Timeout: 100 * time.Millisecond})
	if errors.Is(err, bolterrors.ErrTimeout) {
		err = errTaken
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	var key []byte
	err = db.Update(func(tx *bbolt.Tx) error {
		if _, err := tx.CreateBucketIfNotExists(linksBucket); err != nil {
			return err
		}
		keys, err := tx.CreateBucketIfNotExists(keysBucket)
		if err != nil {
			return err
		}
		if key = append(key, keys.Get(linkKey)...); len(key) > 0 {
			return nil
		}
		key = make([]byte, 32)
		rand.Read(key)
		return keys.Put(linkKey, key)
	})
	if err != nil {
		db.Close()
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return &store{db}, key, nil
}

// Get returns the text under an id, "" when there is none.
func (s *store) Get(_ context.Context, id string) (text string, err error) {
	err = s.db.View(func(tx *bbolt.Tx) error {
		text = string(tx.Bucket(linksBucket).Get([]byte(id)))
		return nil
	})
	return text, err
}

// Put keeps a text under an id.
func (s *store) Put(_ context.Context, id, text string) error {
	return s.db.Update(func(tx *bbolt.Tx) error {
		links := tx.Bucket(linksBucket)
		n, err := links.NextSequence()
		if err != nil {
			return err
		}
		if n > mostLinks {
			return errFull
		}
		return links.Put([]byte(id), []byte(text))
	})
}

// Close lets another server open the file.
func (s *store) Close() error { return s.db.Close() }

// defaultFile is where links are kept when nobody says otherwise: with the
// person's own state, since a build may be thrown away at any time.
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
