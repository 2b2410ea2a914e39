//go:build !js

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.etcd.io/bbolt"
)

// A writer puts numbers into a page, in the order of the machine.
type writer []byte

func (w writer) put16(at, x int) writer        { byteOrder.PutUint16(w[at:], uint16(x)); return w }
func (w writer) put32(at, x int) writer        { byteOrder.PutUint32(w[at:], uint32(x)); return w }
func (w writer) put64(at int, x uint64) writer { byteOrder.PutUint64(w[at:], x); return w }

// pageOf returns the bytes of a page: its head and more bytes.
func pageOf(id uint64, kind, count, size int) writer {
	return make(writer, size).put64(0, id).put16(8, kind).put16(10, count)
}

// entry sets an entry's numbers: its kind, and where key and value are.
func (w writer) entry(i, kind, pos, key, value int) writer {
	at := pageHead + i*entryHead
	return w.put32(at, kind).put32(at+4, pos).put32(at+8, key).put32(at+12, value)
}

// branch sets an entry of a branch: where its key is, and its page.
func (w writer) branch(i, pos, key int, child uint64) writer {
	at := pageHead + i*entryHead
	return w.put32(at, pos).put32(at+4, key).put64(at+8, child)
}

// checkDamage compares what a check says with what is wanted: a part of the message,
// or nothing.
func checkDamage(t *testing.T, name string, err error, want string) {
	t.Helper()
	if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
		t.Errorf("%s: %v, want %q", name, err, want)
	}
}

// A value at its limit is valid, one beyond it is damage.
func TestCheckEntries(t *testing.T) {
	const free, long = 5, "longer than its page"
	leaf := func(size int) writer { return pageOf(3, leafPage, 1, size) }
	inner := func(root uint64, rest []byte) []byte {
		w := leaf(pageHead+entryHead+bucketHead+len(rest)).entry(0, bucketEntry, entryHead, 0, bucketHead+len(rest))
		w.put64(pageHead+entryHead, root)
		copy(w[pageHead+entryHead+bucketHead:], rest)
		return w
	}
	for _, tt := range []struct {
		name string
		page []byte
		want string
	}{
		{"empty leaf", pageOf(3, leafPage, 0, pageHead), ""},
		{"empty branch", pageOf(3, branchPage, 0, pageHead), "is of the wrong type"},
		{"freelist", pageOf(3, freelistPage, 0, pageHead), "is of the wrong type"},
		{"leaf and branch", pageOf(3, leafPage|branchPage, 0, pageHead), "is of the wrong type"},
		{"no room for an entry", pageOf(3, leafPage, 2, pageHead+entryHead), "has more entries than"},
		{"room for two", pageOf(3, leafPage, 2, pageHead+2*entryHead), ""},
		{"to the end", leaf(64).entry(0, 0, 20, 13, 15), ""},
		{"past the end", leaf(64).entry(0, 0, 20, 13, 16), long},
		{"key past the end", leaf(64).entry(0, 0, 20, 29, 0), long},
		{"place past the end", leaf(64).entry(0, 0, 49, 0, 0), long},
		{"second entry to the end", pageOf(3, leafPage, 2, 64).entry(1, 0, 20, 5, 7), ""},
		{"second entry past the end", pageOf(3, leafPage, 2, 64).entry(1, 0, 20, 5, 8), long},
		{"longest key", leaf(maxEntryBytes+64).entry(0, 0, 16, maxEntryBytes, 1), ""},
		{"key too long", leaf(maxEntryBytes+64).entry(0, 0, 16, maxEntryBytes+1, 1), long},
		{"longest value", leaf(maxEntryBytes+64).entry(0, 0, 16, 1, maxEntryBytes), ""},
		{"value too long", leaf(maxEntryBytes+64).entry(0, 0, 16, 1, maxEntryBytes+1), long},
		{"unknown type", leaf(64).entry(0, 2, 16, 1, 1), "entry 0 is of the wrong type"},
		{"branch", pageOf(3, branchPage, 1, 64).branch(0, 20, 28, free), ""},
		{"branch past the end", pageOf(3, branchPage, 1, 64).branch(0, 20, 29, free), long},
		{"branch, longest key", pageOf(3, branchPage, 1, maxEntryBytes+64).branch(0, 16, maxEntryBytes, free), ""},
		{"branch, key too long", pageOf(3, branchPage, 1, maxEntryBytes+64).branch(0, 16, maxEntryBytes+1, free), long},
		{"branch to nowhere", pageOf(3, branchPage, 1, 64).branch(0, 16, 1, 6), "page 6 does not exist"},
		{"branch, second to nowhere", pageOf(3, branchPage, 2, 64).branch(0, 16, 1, free).branch(1, 16, 1, 7), "page 7 does not exist"},
		{"branch twice to one page", pageOf(3, branchPage, 2, 64).branch(0, 16, 1, free).branch(1, 16, 1, free), "page 5 is used twice"},
		{"bucket with a page", inner(free, nil), ""},
		{"bucket with a page that is not there", inner(6, nil), "page 6 does not exist"},
		{"inline bucket", inner(0, pageOf(0, leafPage, 0, pageHead)), ""},
		{"inline bucket with an entry", inner(0, pageOf(0, leafPage, 1, 48).entry(0, 0, 16, 8, 8)), ""},
		{"inline bucket with a wrong entry", inner(0, pageOf(0, leafPage, 1, 48).entry(0, 0, 16, 8, 9)), long},
		{"inline bucket without a head", inner(0, make([]byte, pageHead-1)), "is not an inline bucket"},
		{"inline bucket of branches", inner(0, pageOf(0, branchPage, 0, pageHead)), "is not an inline bucket"},
		{"bucket too short", leaf(64).entry(0, bucketEntry, 16, 0, bucketHead-1), "entry 0: is too short"},
	} {
		file := slices.Concat(make([]byte, free*4096), pageOf(free, leafPage, 0, 4096))
		p := &pages{bytes.NewReader(file), 4096, make([]bool, free+1)}
		checkDamage(t, tt.name, p.entries(tt.page), tt.want)
	}
}

// A page is read with its further pages, and only once.
func TestCheckRead(t *testing.T) {
	const size, count = 64, 6
	for _, tt := range []struct {
		name     string
		id       uint64
		more     int    // pages that it goes on for
		says     uint64 // its number, as it says
		used     int    // a page that is used, 0 for none
		pages    int    // in the file
		want     string
		usedThen []bool
	}{
		{"one page", 3, 0, 3, 0, count, "", []bool{3: true, 5: false}},
		{"three pages, the last ones", 3, 2, 3, 2, count, "", []bool{2: true, 3: true, 4: true, 5: true}},
		{"the last", 5, 0, 5, 4, count, "", []bool{4: true, 5: true}},
		{"after the last", 6, 0, 6, 0, count + 1, "page 6 does not exist", nil},
		{"goes on for too long", 3, 3, 3, 0, count + 1, "page 3 has an invalid head", nil},
		{"another number", 3, 0, 4, 0, count, "page 3 has an invalid head", nil},
		{"used", 3, 0, 3, 3, count, "page 3 is used twice", nil},
		{"its last page is used", 3, 2, 3, 5, count, "page 5 is used twice", nil},
		{"not in the file", 5, 0, 5, 0, count - 1, "page 5: EOF", nil},
		{"half in the file", 4, 1, 4, 0, count - 1, "page 4: EOF", nil},
	} {
		file := make(writer, (count+1)*size)
		for i := range file {
			file[i] = byte(i / size)
		}
		file.put64(int(tt.id)*size, tt.says).put32(int(tt.id)*size+12, tt.more)
		p := &pages{bytes.NewReader(file[:tt.pages*size]), size, make([]bool, count)}
		if tt.used > 0 {
			p.used[tt.used] = true
		}
		page, err := p.read(tt.id)
		checkDamage(t, tt.name, err, tt.want)
		if tt.want != "" {
			continue
		}
		from := int(tt.id) * size
		if !bytes.Equal(page, file[from:from+(1+tt.more)*size]) || !slices.Equal(p.used, tt.usedThen) {
			t.Errorf("%s: %d bytes are read, and used are %v, want %d and %v",
				tt.name, len(page), p.used, (1+tt.more)*size, tt.usedThen)
		}
	}
}

// The list of free pages contains only existing pages, and no meta page.
func TestCheckFreelist(t *testing.T) {
	list := func(kind, count int, ids ...uint64) []byte {
		w := pageOf(2, kind, count, pageHead+8*len(ids))
		for i, id := range ids {
			w.put64(pageHead+8*i, id)
		}
		return w
	}
	const room, wrong = "more pages than there is room for", "does not exist"
	for _, tt := range []struct {
		name string
		page []byte
		want string
	}{
		{"empty", list(freelistPage, 0), ""},
		{"of another type", list(leafPage, 0), "is of the wrong type"},
		{"full", list(freelistPage, 2, 2, 9), ""},
		{"too long", list(freelistPage, 3, 2, 9), room},
		{"not full", list(freelistPage, 1, 9, 0), ""},
		{"first wrong", list(freelistPage, 2, 1, 9), "page 1, which " + wrong},
		{"last wrong", list(freelistPage, 2, 2, 10), "page 10, which " + wrong},
		{"counted in the first entry", list(freelistPage, 0xFFFF, 2, 2, 9), ""},
		{"counted in the first entry, not full", list(freelistPage, 0xFFFF, 1, 2, 0), ""},
		{"counted in the first entry, too long", list(freelistPage, 0xFFFF, 3, 2, 9), room},
		{"counted in the first entry, wrong", list(freelistPage, 0xFFFF, 2, 2, 10), "page 10, which " + wrong},
	} {
		checkDamage(t, tt.name, checkFreelist(tt.page, 10), tt.want)
	}
}

// Of the two meta pages of a file the newer valid one counts.
func TestCheckPages(t *testing.T) {
	const size = 128
	// meta returns a head's page with the root, the freelist, the number of pages and
	// the number of the transaction.
	meta := func(id, root, freelist, count, transaction uint64) writer {
		w := pageOf(id, metaPage, 0, size)
		w.put64(pageHead+16, root).put64(pageHead+32, freelist).put64(pageHead+40, count).put64(pageHead+48,
			transaction)
		sum := fnv.New64a()
		sum.Write(w[pageHead : pageHead+56])
		return w.put64(pageHead+56, sum.Sum64())
	}
	spoilt := func(w writer) writer { w[pageHead+20] ^= 1; return w }
	leaf, branch := pageOf(2, leafPage, 0, size), pageOf(2, branchPage, 0, size)
	free, wrong := pageOf(3, freelistPage, 0, size), pageOf(3, freelistPage, 1, size) // lists page 0
	const bad = 9                                                                     // a page that is not there
	for _, tt := range []struct {
		name  string
		pages []writer
		want  string
	}{
		{"sound", []writer{meta(0, 2, 3, 4, 7), meta(1, 2, 3, 4, 6), leaf, free}, ""},
		{"the first is newer", []writer{meta(0, 2, 3, 4, 7), meta(1, bad, 3, 4, 6), leaf, free}, ""},
		{"the second is newer", []writer{meta(0, bad, 3, 4, 7), meta(1, 2, 3, 4, 8), leaf, free}, ""},
		{"the newer is wrong", []writer{meta(0, 2, 3, 4, 7), meta(1, bad, 3, 4, 8), leaf, free}, "page 9 does not exist"},
		{"only the first is valid", []writer{meta(0, 2, 3, 4, 7), spoilt(meta(1, bad, 3, 4, 8)), leaf, free}, ""},
		{"only the second is valid", []writer{spoilt(meta(0, bad, 3, 4, 9)), meta(1, 2, 3, 4, 8), leaf, free}, ""},
		{"none is valid", []writer{spoilt(meta(0, 2, 3, 4, 7)), spoilt(meta(1, 2, 3, 4, 8)), leaf, free}, "invalid database"},
		{"the first has another number", []writer{meta(1, 2, 3, 4, 7), meta(1, 2, 3, 4, 8), leaf, free}, "page 0 has an invalid"},
		{"the second is of another type", []writer{meta(0, 2, 3, 4, 7), meta(1, 2, 3, 4, 8).put16(8, leafPage), leaf, free}, "page 1 has an invalid"},
		{"without a freelist", []writer{meta(0, 2, noFreelist, 3, 7), meta(1, 2, noFreelist, 3, 6), leaf}, ""},
		{"without a freelist, wrong root", []writer{meta(0, 2, noFreelist, 3, 7), meta(1, 2, noFreelist, 3, 6), branch}, "page 2: is of the wrong type"},
		{"a page is missing", []writer{meta(0, 2, noFreelist, 4, 7), meta(1, 2, noFreelist, 4, 6), leaf}, "of 4 pages 3 are there"},
		{"wrong freelist", []writer{meta(0, 2, 3, 4, 7), meta(1, 2, 3, 4, 6), leaf, wrong}, "page 3: lists page 0"},
		{"no such freelist", []writer{meta(0, 2, 4, 4, 7), meta(1, 2, 4, 4, 6), leaf, free}, "page 4 does not exist"},
		{"a head as the freelist", []writer{meta(0, 2, 0, 4, 7), meta(1, 2, 0, 4, 6), leaf, free}, "page 0 is used twice"},
		{"a head as the root", []writer{meta(0, 1, 3, 4, 7), meta(1, 1, 3, 4, 6), leaf, free}, "page 1 is used twice"},
		{"the freelist as the root", []writer{meta(0, 3, 3, 4, 7), meta(1, 3, 3, 4, 6), leaf, free}, "page 3 is used twice"},
		{"one page", []writer{meta(0, 2, 3, 4, 7)}, "the first two pages: EOF"},
	} {
		name := filepath.Join(t.TempDir(), "links.db")
		var content []byte
		for _, page := range tt.pages {
			content = append(content, page...)
		}
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		checkDamage(t, tt.name, checkPages(file, size), tt.want)
		file.Close()
	}
}

// inspect tells files that are sound, missing, damaged and unreadable apart.
func TestInspect(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, size int) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	least := 2 * os.Getpagesize()
	open := filepath.Join(dir, "open.db")
	s := opened(t, open)
	for _, tt := range []struct {
		name, damage string
		err          string
	}{
		{filepath.Join(dir, "nothing"), "", ""},
		{write("empty", 0), "", ""},
		{write("one", 1), "it has only 1 bytes", ""},
		{write("small", least-1), fmt.Sprintf("it has only %d bytes", least-1), ""},
		{write("zeros", least), "invalid database", ""},
		{dir, "", "is not a file"},
		{filepath.Join(write("file", 1), "links.db"), "", "not a directory"},
		{open, "", errTaken.Error()},
	} {
		damage, err := inspect(tt.name)
		checkDamage(t, tt.name, err, tt.err)
		if !strings.Contains(damage, tt.damage) || tt.damage == "" && damage != "" {
			t.Errorf("%s: damage is %q, want %q", tt.name, damage, tt.damage)
		}
	}
	s.Close()
	if damage, err := inspect(open); damage != "" || err != nil {
		t.Errorf("of a closed store the damage is %q, %v", damage, err)
	}
	opened(t, open).Close() // inspect has let go of it
	if files, err := filepath.Glob("/proc/self/fd/*"); err == nil {
		for _, file := range files {
			if name, _ := os.Readlink(file); name == open {
				t.Errorf("inspect left a file open")
			}
		}
	}
}

// A file without a stored list of free pages is sound.
func TestInspectWithoutFreelist(t *testing.T) {
	name := filepath.Join(t.TempDir(), "links.db")
	if err := os.WriteFile(name, filled(t), 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := bbolt.Open(name, 0o600, &bbolt.Options{NoFreelistSync: true})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := db.Update(func(tx *bbolt.Tx) error {
			return tx.Bucket(linksBucket).Put([]byte("more"), []byte("text"))
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if damage, err := inspect(name); damage != "" || err != nil {
		t.Errorf("the damage is %q, %v", damage, err)
	}
	if text, err := opened(t, name).Get(context.Background(), "more"); text != "text" || err != nil {
		t.Errorf("Get = %q, %v", text, err)
	}
}

// A file without read permission is not reported as damaged.
func TestInspectUnreadable(t *testing.T) {
	name := filepath.Join(t.TempDir(), "links.db")
	opened(t, name).Close()
	refusal := errors.New("not today")
	options.OpenFile = func(string, int, os.FileMode) (*os.File, error) { return nil, refusal }
	defer func() { options.OpenFile = nil }()
	if damage, err := inspect(name); damage != "" || !errors.Is(err, refusal) {
		t.Errorf("the damage is %q, %v, want %v", damage, err, refusal)
	}
}
