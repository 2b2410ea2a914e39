//go:build !js

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"go.etcd.io/bbolt"
)

// opened opens a store and closes it after the test.
func opened(t *testing.T, name string) *store {
	t.Helper()
	s, err := openStore(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// captureLog returns a buffer that the log is written to.
func captureLog(t *testing.T) *bytes.Buffer {
	var out bytes.Buffer
	log.SetOutput(&out)
	t.Cleanup(func() { log.SetOutput(os.Stderr) })
	return &out
}

// Stored links and the key survive closing and opening the file.
func TestStore(t *testing.T) {
	ctx := context.Background()
	name := filepath.Join(t.TempDir(), "a", "b", "links.db")
	s := opened(t, name)
	if text, err := s.Get(ctx, "nothing"); text != "" || err != nil {
		t.Errorf("Get of nothing = %q, %v", text, err)
	}
	if before, err := s.Put(ctx, "id", "text"); before != "" || err != nil {
		t.Fatalf("Put = %q, %v", before, err)
	}
	if before, err := s.Put(ctx, "id", "another text"); before != "text" || err != nil {
		t.Fatalf("Put where there is a text = %q, %v, want text", before, err)
	}
	if _, err := openStore(name); !errors.Is(err, errTaken) {
		t.Errorf("opened twice, the store says %v, want %v", err, errTaken)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again := opened(t, name)
	if text, err := again.Get(ctx, "id"); text != "text" || err != nil {
		t.Errorf("Get = %q, %v, want text", text, err)
	}
	if len(s.key) != 32 || !bytes.Equal(s.key, again.key) {
		t.Errorf("the key is %x, and later %x", s.key, again.key)
	}
}

// Of concurrent calls that store the same text, one sees that it is new, and it counts once.
func TestStoreConcurrent(t *testing.T) {
	ctx := context.Background()
	s := opened(t, filepath.Join(t.TempDir(), "links.db"))
	var all sync.WaitGroup
	var isNew atomic.Int64
	for i := range 40 {
		all.Go(func() {
			id := fmt.Sprint("id", i%4)
			before, err := s.Put(ctx, id, id)
			if err != nil || before != "" && before != id {
				t.Errorf("Put(%s) = %q, %v", id, before, err)
			}
			if before == "" {
				isNew.Add(1)
			}
			if text, err := s.Get(ctx, id); text != id || err != nil {
				t.Errorf("Get(%s) = %q, %v", id, text, err)
			}
		})
	}
	all.Wait()
	if isNew.Load() != 4 || count(s) != 4 {
		t.Errorf("%d are new and %d are counted, want 4", isNew.Load(), count(s))
	}
	checkUses(t, s)
}

// count returns the number of links that a store records.
func count(s *store) (n int) {
	s.db.View(func(tx *bbolt.Tx) error { n = int(tx.Bucket(linksBucket).Sequence()); return nil })
	return n
}

// checkUses checks that every link has one use, in both orders, and that the count is
// right.
func checkUses(t *testing.T, s *store) {
	t.Helper()
	s.db.View(func(tx *bbolt.Tx) error {
		links, used, uses := tx.Bucket(linksBucket), tx.Bucket(usedBucket), tx.Bucket(usesBucket)
		n := links.Stats().KeyN
		if n != int(links.Sequence()) || n != used.Stats().KeyN || n != uses.Stats().KeyN {
			t.Errorf("there are %d links, counted %d, with %d and %d uses", n, links.Sequence(),
				used.Stats().KeyN, uses.Stats().KeyN)
		}
		return used.ForEach(func(id, number []byte) error {
			if links.Get(id) == nil || !bytes.Equal(uses.Get(number), id) {
				t.Errorf("%s has a use and is not there", id)
			}
			return nil
		})
	})
}

// In a full store the least recently used link is removed. One client that keeps opening its
// own links cannot fill the store forever.
func TestStoreFull(t *testing.T) {
	ctx := context.Background()
	s := opened(t, filepath.Join(t.TempDir(), "links.db"))
	s.maxLinks, s.db.NoSync = 20, true
	put := func(id string) {
		t.Helper()
		if before, err := s.Put(ctx, id, id); before != "" || err != nil {
			t.Fatalf("Put(%s) = %q, %v", id, before, err)
		}
	}
	open := func(id string) bool {
		t.Helper()
		text, err := s.Get(ctx, id)
		if err != nil || text != "" && text != id {
			t.Errorf("Get(%s) = %q, %v", id, text, err)
		}
		return text != ""
	}
	put("loved")
	put("forgotten")
	for i := range 18 {
		put(fmt.Sprint("first", i))
	}
	open("loved")
	for i := range 100 {
		put(fmt.Sprint("flood", i))
		for range 3 {
			open(fmt.Sprint("flood", i))
		}
		if !open("loved") {
			t.Fatalf("after %d more links one that is opened all the time is gone", i)
		}
	}
	checkUses(t, s)
	if got := count(s); got != 20 {
		t.Errorf("there are %d links, want 20", got)
	}
	for id, want := range map[string]bool{"forgotten": false, "first0": false, "flood0": false, "flood99": true,
		"flood85": true} {
		if open(id) != want {
			t.Errorf("%s is there: %v, want %v", id, !want, want)
		}
	}
}

// Opening a recently used link, or one that does not exist, writes nothing.
func TestStoreReads(t *testing.T) {
	ctx := context.Background()
	out := captureLog(t)
	s := opened(t, filepath.Join(t.TempDir(), "links.db"))
	s.maxLinks = 100
	for i := range 12 {
		s.Put(ctx, fmt.Sprint("id", i), "text")
	}
	writes := func() (id int) {
		s.db.View(func(tx *bbolt.Tx) error { id = tx.ID(); return nil })
		return id
	}
	for _, tt := range []struct {
		id   string
		want int
	}{{"id11", 0}, {"id1", 0}, {"nothing", 0}, {"id0", 1}, {"id0", 0}} {
		before := writes()
		s.Get(ctx, tt.id)
		if got := writes() - before; got != tt.want {
			t.Errorf("opening %s made %d writes, want %d", tt.id, got, tt.want)
		}
	}
	before := writes()
	if _, err := s.Put(ctx, "id3", "other"); err != nil || writes() != before {
		t.Errorf("Put of what is there made %d writes, %v, want none", writes()-before, err)
	}
	checkUses(t, s)
	if out.Len() > 0 {
		t.Errorf("it says %q", out)
	}
}

// Files of earlier versions open. From one with links that expired by the clock, links that
// were never opened are removed first, by age.
func TestStoreOfEarlierVersion(t *testing.T) {
	ctx := context.Background()
	for _, dated := range []bool{false, true} {
		name := filepath.Join(t.TempDir(), "links.db")
		db, err := bbolt.Open(name, 0o600, nil)
		if err != nil {
			t.Fatal(err)
		}
		err = db.Update(func(tx *bbolt.Tx) error {
			links, _ := tx.CreateBucket(linksBucket)
			keys, _ := tx.CreateBucket(keysBucket)
			for _, id := range []string{"a", "b", "c"} {
				if err := links.Put([]byte(id), []byte(id)); err != nil {
					return err
				}
			}
			err := errors.Join(links.SetSequence(3), keys.Put(linkKey, []byte("0123456789abcdef")))
			if !dated {
				return err
			}
			unopened, _ := tx.CreateBucket(unopenedBucket)
			ages, _ := tx.CreateBucket(agesBucket)
			return errors.Join(err, unopened.Put([]byte("b"), []byte("00000002")), ages.Put([]byte("00000002b"), nil),
				unopened.Put([]byte("c"), []byte("00000001")), ages.Put([]byte("00000001c"), nil))
		})
		if err := errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
		s := opened(t, name)
		checkUses(t, s)
		if string(s.key) != "0123456789abcdef" {
			t.Errorf("the key is %q", s.key)
		}
		s.maxLinks = 3
		order := "abc"
		if dated {
			order = "cba"
		}
		for i, want := range order {
			if _, err := s.Put(ctx, fmt.Sprint("new", i), "text"); err != nil {
				t.Fatal(err)
			}
			s.db.View(func(tx *bbolt.Tx) error {
				if tx.Bucket(linksBucket).Get([]byte(string(want))) != nil {
					t.Errorf("after %d new links %c is still there", i+1, want)
				}
				return nil
			})
			checkUses(t, s)
		}
	}
}

// A file in which an earlier version has removed and made links in between is repaired.
func TestStoreUsedByEarlierVersion(t *testing.T) {
	ctx := context.Background()
	name := filepath.Join(t.TempDir(), "links.db")
	s := opened(t, name)
	for i := range 6 {
		if _, err := s.Put(ctx, fmt.Sprint("link", i), "text"); err != nil {
			t.Fatal(err)
		}
	}
	err := s.db.Update(func(tx *bbolt.Tx) error {
		links := tx.Bucket(linksBucket)
		unopened, _ := tx.CreateBucket(unopenedBucket)
		ages, _ := tx.CreateBucket(agesBucket)
		for _, id := range []string{"link0", "link1"} {
			if err := links.Delete([]byte(id)); err != nil {
				return err
			}
		}
		return errors.Join(links.Put([]byte("x"), []byte("text")), links.Put([]byte("y"), []byte("text")),
			unopened.Put([]byte("x"), []byte("00000001")), ages.Put([]byte("00000001x"), nil), ages.Put([]byte("1"), nil))
	})
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	s = opened(t, name)
	s.maxLinks = 6
	checkUses(t, s)
	for i, gone := range []string{"link2", "link3", "link4", "link5", "x", "y"} {
		if _, err := s.Put(ctx, fmt.Sprint("new", i), "text"); err != nil {
			t.Fatal(err)
		}
		checkUses(t, s)
		s.db.View(func(tx *bbolt.Tx) error {
			if tx.Bucket(linksBucket).Get([]byte(gone)) != nil {
				t.Errorf("after %d new links %s is still there", i+1, gone)
			}
			return nil
		})
	}
}

// A file of an earlier version with many links.
func BenchmarkStoreOfEarlierVersion(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		name := filepath.Join(b.TempDir(), "links.db")
		options.NoSync = true
		s, err := openStore(name)
		options.NoSync = false
		if err != nil {
			b.Fatal(err)
		}
		const links = 200_000
		err = s.db.Update(func(tx *bbolt.Tx) error {
			l := tx.Bucket(linksBucket)
			for range links {
				if err := l.Put(fmt.Appendf(nil, "%010x", rand.Uint64()>>24), make([]byte, 100)); err != nil {
					return err
				}
			}
			return l.SetSequence(links)
		})
		if err := errors.Join(err, s.Close()); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		if s, err = openStore(name); err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}

// A file that cannot be written is opened for reading.
func TestStoreReadOnly(t *testing.T) {
	ctx := context.Background()
	name := filepath.Join(t.TempDir(), "links.db")
	s := opened(t, name)
	s.Put(ctx, "id", "text")
	s.Close()
	for _, refusal := range []error{syscall.EROFS, syscall.EACCES, syscall.EPERM} {
		// root may write to every file, so the system is not asked.
		options.OpenFile = func(name string, flag int, mode os.FileMode) (*os.File, error) {
			if flag&os.O_RDWR != 0 {
				return nil, &fs.PathError{Op: "open", Path: name, Err: refusal}
			}
			return os.OpenFile(name, flag, mode)
		}
		out := captureLog(t)
		s, err := openStore(name)
		if err == nil {
			for range 2 {
				if text, err := s.Get(ctx, "id"); text != "text" || err != nil {
					t.Errorf("%v: Get = %q, %v, want text", refusal, text, err)
				}
			}
			if s.key != nil || !strings.Contains(out.String(), "can only be read") ||
				strings.Count(out.String(), "\n") != 1 {
				t.Errorf("%v: the key is %x; it says %q", refusal, s.key, out)
			}
			if _, err := s.Put(ctx, "more", "text"); err == nil {
				t.Errorf("%v: Put = nil, want an error", refusal)
			}
			s.Close()
		} else {
			t.Errorf("%v: the store says %v", refusal, err)
		}
		if _, err := openStore(filepath.Join(t.TempDir(), "links.db")); !errors.Is(err, refusal) {
			t.Errorf("where there is no file the store says %v, want %v", err, refusal)
		}
		options.OpenFile = nil
	}
}

// A file that is not a store is refused and not changed.
func TestStoreRefuses(t *testing.T) {
	if _, err := openStore(t.TempDir()); err == nil {
		t.Error("a directory is opened as a store")
	}
	if _, err := openStore("/dev/null/links.db"); err == nil {
		t.Error("a file in a file is opened as a store")
	}
	if _, err := openStore("/dev/null"); err == nil {
		t.Error("a device is opened as a store")
	}
}

// filled writes a store of several pages and returns its file's content. Some links
// are long, so that they have pages of their own, and some pages are free.
func filled(t *testing.T) []byte {
	t.Helper()
	name := filepath.Join(t.TempDir(), "links.db")
	s := opened(t, name)
	s.db.NoSync = true
	for round := range 3 {
		err := s.db.Update(func(tx *bbolt.Tx) error {
			for i := range 400 {
				id := fmt.Appendf(nil, "id%08d", i+200*round)
				text := bytes.Repeat([]byte("data=linreg&"), 1+10*(i%3)+900*(i/399))
				if err := errors.Join(tx.Bucket(linksBucket).Put(id, text), markUsed(tx, id)); err != nil {
					return err
				}
			}
			return tx.Bucket(linksBucket).SetSequence(800)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	s.Close()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// inUse reports whether a page of a file is not free.
func inUse(t *testing.T, content []byte, id uint64) bool {
	t.Helper()
	name := filepath.Join(t.TempDir(), "links.db")
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := bbolt.Open(name, 0, &bbolt.Options{ReadOnly: true, PreLoadFreelist: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tx, err := db.Begin(false)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	page, err := tx.Page(int(id))
	return err == nil && page != nil && page.Type != "free"
}

// tryDamaged opens a file with a content and does what a server does. It returns
// whether the file was set aside.
func tryDamaged(t *testing.T, what string, content []byte) bool {
	t.Helper()
	ctx := context.Background()
	dir := t.TempDir()
	name := filepath.Join(dir, "links.db")
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
	out := captureLog(t)
	options.NoSync = true // nobody pulls the plug, and there are many files
	defer func() { options.NoSync = false }()
	s, err := openStore(name)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return false
	}
	defer s.Close()
	aside, _ := filepath.Glob(name + ".damaged-*")
	if len(aside) > 0 {
		if kept, _ := os.ReadFile(aside[0]); !bytes.Equal(kept, content) {
			t.Errorf("%s: what was set aside is another file", what)
		}
		if !strings.Contains(out.String(), name+" was damaged (") || !strings.Contains(out.String(), aside[0]) {
			t.Errorf("%s: it says %q", what, out)
		}
	}
	for i := range 800 {
		if _, err := s.Get(ctx, fmt.Sprintf("id%08d", i)); err != nil {
			t.Fatalf("%s: Get = %v", what, err)
		}
	}
	for i := range 8 {
		id := fmt.Sprintf("new%07d", i)
		if _, err := s.Put(ctx, id, id); err != nil {
			t.Fatalf("%s: Put = %v", what, err)
		}
		if text, err := s.Get(ctx, id); text != id || err != nil {
			t.Fatalf("%s: Get = %q, %v", what, text, err)
		}
	}
	return len(aside) > 0
}

// With any damage to the file, the server starts, serves and stores.
func TestStoreDamaged(t *testing.T) {
	whole := filled(t)
	zeroed := func(from, to int) []byte {
		content := bytes.Clone(whole)
		clear(content[from:to])
		return content
	}
	// changed returns the file with a change to its last page of a kind, other than
	// free ones.
	changed := func(kind uint16, change func(id uint64, page []byte)) []byte {
		content := bytes.Clone(whole)
		for at := len(content) - 4096; at > 0; at -= 4096 {
			page, id := content[at:], uint64(at/4096)
			if byteOrder.Uint64(page) == id && byteOrder.Uint16(page[8:]) == kind && inUse(t, whole, id) {
				change(id, page)
				return content
			}
		}
		t.Fatalf("there is no page of the kind %d", kind)
		return nil
	}
	for _, tt := range []struct {
		name    string
		content []byte
		aside   bool
	}{
		{"whole", whole, false},
		{"empty", nil, false},
		{"one byte", whole[:1], true},
		{"half a page", whole[:2048], true},
		{"a page", whole[:4096], true},
		{"a page and a bit", whole[:5000], true},
		{"two pages", whole[:8192], true},
		{"half", whole[:len(whole)/2], true},
		{"another file", []byte(strings.Repeat("This is a letter to a friend.\n", 1000)), true},
		{"zeros", make([]byte, 65536), true},
		{"both metas gone", zeroed(0, 8192), true},
		{"one meta gone", zeroed(0, 4096), true},
		{"one meta wrong", zeroed(16, 80), false}, // bbolt has the other one
		{"all pages gone", zeroed(8192, len(whole)), true},
		{"a circle", changed(branchPage, func(id uint64, page []byte) { byteOrder.PutUint64(page[pageHead+8:], id) }), true},
		{"a child of two", changed(branchPage, func(_ uint64, page []byte) {
			copy(page[pageHead+8:pageHead+16], page[pageHead+entryHead+8:])
		}), true},
		{"keys without order", changed(leafPage, func(_ uint64, page []byte) {
			page[pageHead+byteOrder.Uint32(page[pageHead+4:])] = 'z'
		}), true},
		{"a free page in use", changed(freelistPage, func(id uint64, page []byte) {
			byteOrder.PutUint64(page[pageHead:], id)
		}), true},
		{"an unknown entry", changed(leafPage, func(_ uint64, page []byte) { page[pageHead] = 2 }), true},
		{"a page more", append(bytes.Clone(whole), make([]byte, 4096)...), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tryDamaged(t, tt.name, tt.content); got != tt.aside {
				t.Errorf("it is set aside: %v, want %v", got, tt.aside)
			}
		})
	}
}

// One flipped bit anywhere in the heads of pages and entries, where bbolt keeps lengths and
// page numbers.
func TestStoreFlippedBits(t *testing.T) {
	tries := 1000
	if testing.Short() {
		tries = 100
	}
	whole := filled(t)
	random := rand.New(rand.NewPCG(1, 2))
	aside := 0
	for range tries {
		at, bit := random.IntN(len(whole)/4096)*4096+random.IntN(256), random.IntN(8)
		content := bytes.Clone(whole)
		content[at] ^= 1 << bit
		if tryDamaged(t, fmt.Sprintf("bit %d of byte %d", bit, at), content) {
			aside++
		}
	}
	if aside < tries/10 {
		t.Errorf("of %d files with a wrong bit %d were found damaged", tries, aside)
	}
}

// A damaged file that cannot be renamed stays in its place.
func TestStoreDamagedForGood(t *testing.T) {
	name := filepath.Join(t.TempDir(), strings.Repeat("n", 255)) // the longest there is
	if err := os.WriteFile(name, []byte("no links"), 0o600); err != nil {
		t.Skip(err)
	}
	if _, err := openStore(name); err == nil || !strings.Contains(err.Error(), "is damaged (") {
		t.Errorf("the store says %v", err)
	}
	if content, _ := os.ReadFile(name); string(content) != "no links" {
		t.Errorf("the file is now %q", content)
	}
}

// A panic of bbolt becomes an error, and bbolt is not called again. Memory faults elsewhere in
// the program are not caught.
func TestRecoverFaults(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "links.db"))
	for _, usual := range []bool{false, true} {
		before := debug.SetPanicOnFault(usual)
		s.recoverFaults(func() error { return nil })
		if got := debug.SetPanicOnFault(before); got != usual {
			t.Errorf("faults panic: %v, want %v", got, usual)
		}
	}
	if err := s.recoverFaults(func() error { return errTaken }); !errors.Is(err, errTaken) {
		t.Errorf("recoverFaults = %v, want %v", err, errTaken)
	}
	if err := s.recoverFaults(func() error { panic("on purpose") }); !errors.Is(err, errDamaged) ||
		!strings.Contains(err.Error(), "on purpose") {
		t.Errorf("recoverFaults = %v, want %v", err, errDamaged)
	}
	if err := s.recoverFaults(func() error { t.Error("it is called"); return nil }); !errors.Is(err, errDamaged) {
		t.Errorf("later recoverFaults = %v, want %v", err, errDamaged)
	}
	if err := s.Close(); err != nil || s.db.Path() == "" {
		t.Errorf("Close = %v, and bbolt was called", err)
	}
	s.broken.Store(false)
}

// A file that is truncated while open makes requests fail, not the server.
func TestStoreLosesPages(t *testing.T) {
	ctx := context.Background()
	name := filepath.Join(t.TempDir(), "links.db")
	content := filled(t)
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
	s := opened(t, name)
	if err := os.Truncate(name, 8192); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if i == 2 { // when they are there again, nobody knows what bbolt holds
			if err := os.WriteFile(name, content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if text, err := s.Get(ctx, "id00000001"); !errors.Is(err, errDamaged) {
			t.Errorf("Get = %q, %v, want %v", text, err, errDamaged)
		}
		if _, err := s.Put(ctx, "new", "text"); !errors.Is(err, errDamaged) {
			t.Errorf("Put = %v, want %v", err, errDamaged)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
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

// Links are made, opened and removed concurrently, and the counts stay right.
func TestStoreFullConcurrent(t *testing.T) {
	ctx := context.Background()
	s := opened(t, filepath.Join(t.TempDir(), "links.db"))
	s.maxLinks, s.db.NoSync = 10, true
	var busy sync.WaitGroup
	for i := range 4 {
		busy.Go(func() {
			random := rand.New(rand.NewPCG(uint64(i), 1))
			for range 200 {
				id := fmt.Sprint("id", random.IntN(30))
				if text, err := s.Get(ctx, id); err != nil || text != "" && text != id {
					t.Errorf("Get(%s) = %q, %v", id, text, err)
				}
				id = fmt.Sprint("id", random.IntN(30))
				if before, err := s.Put(ctx, id, id); err != nil || before != "" && before != id {
					t.Errorf("Put(%s) = %q, %v", id, before, err)
				}
			}
		})
	}
	busy.Wait()
	checkUses(t, s)
	s.db.View(func(tx *bbolt.Tx) error {
		if n := tx.Bucket(linksBucket).Stats().KeyN; n != 10 {
			t.Errorf("there are %d links, want 10", n)
		}
		return nil
	})
}
