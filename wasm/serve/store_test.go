//go:build !js

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"go.etcd.io/bbolt"
)

// What was put is there after the file was opened again, with the same key.
func TestStore(t *testing.T) {
	ctx := context.Background()
	name := filepath.Join(t.TempDir(), "a", "b", "links.db")
	s, key, err := openStore(name)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := s.Get(ctx, "nothing"); text != "" || err != nil {
		t.Errorf("Get of nothing = %q, %v", text, err)
	}
	if err := s.Put(ctx, "id", "text"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := openStore(name); !errors.Is(err, errTaken) {
		t.Errorf("opened twice, the store says %v, want %v", err, errTaken)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s, again, err := openStore(name)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if text, err := s.Get(ctx, "id"); text != "text" || err != nil {
		t.Errorf("Get = %q, %v, want text", text, err)
	}
	if len(key) != 32 || !bytes.Equal(key, again) {
		t.Errorf("the key is %x, and later %x", key, again)
	}
}

func TestStoreOfManyAtOnce(t *testing.T) {
	ctx := context.Background()
	s, _, err := openStore(filepath.Join(t.TempDir(), "links.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			id := fmt.Sprint("id", i)
			if err := s.Put(ctx, id, id); err != nil {
				t.Error(err)
			}
			if text, err := s.Get(ctx, id); text != id || err != nil {
				t.Errorf("Get(%s) = %q, %v", id, text, err)
			}
		})
	}
	all.Wait()
}

// A store that is full says so and keeps what it has.
func TestFullStore(t *testing.T) {
	ctx := context.Background()
	s, _, err := openStore(filepath.Join(t.TempDir(), "links.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.db.Update(func(tx *bbolt.Tx) error { return tx.Bucket(linksBucket).SetSequence(mostLinks - 1) })
	if err := s.Put(ctx, "last", "text"); err != nil {
		t.Error(err)
	}
	if err := s.Put(ctx, "more", "text"); !errors.Is(err, errFull) {
		t.Errorf("Put into a full store = %v, want %v", err, errFull)
	}
	if text, _ := s.Get(ctx, "last"); text != "text" {
		t.Errorf("Get = %q, want text", text)
	}
}

// A file that is no store is left alone.
func TestOpenStoreRefuses(t *testing.T) {
	if _, _, err := openStore(t.TempDir()); err == nil {
		t.Error("a directory is opened as a store")
	}
	if _, _, err := openStore("/dev/null/links.db"); err == nil {
		t.Error("a file in a file is opened as a store")
	}
}

func TestDefaultFile(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", "/state")
	if got := defaultFile(); got != "/state/flockscope/links.db" {
		t.Errorf("defaultFile() = %s", got)
	}
	t.Setenv("XDG_STATE_HOME", "")
	t.Setenv("HOME", "/home/somebody")
	if got := defaultFile(); got != "/home/somebody/.local/state/flockscope/links.db" {
		t.Errorf("defaultFile() = %s", got)
	}
}
