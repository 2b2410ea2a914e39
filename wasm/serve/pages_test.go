//go:build !js

package main

import (
	"bytes"
	"strings"
	"testing"
)

// small is the size of a page of these tests, in bytes.
const small = 128

// A sheet is a page that a test makes.
type sheet []byte

// newPage returns a page of a kind with a number of entries.
func newPage(id uint64, kind, entries uint16) sheet {
	p := make(sheet, small)
	byteOrder.PutUint64(p, id)
	byteOrder.PutUint16(p[8:], kind)
	byteOrder.PutUint16(p[10:], entries)
	return p
}

// entry fills the head of an entry: of a leaf kind, distance to the key, sizes of key and
// value; of a branch distance to the key, its size, and the page.
func (p sheet) entry(i int, words ...uint32) sheet {
	for j, w := range words {
		byteOrder.PutUint32(p[pageHead+i*entryHead+4*j:], w)
	}
	return p
}

// pagesOf returns the pages of a file, with the first two in use.
func pagesOf(sheets ...sheet) *pages {
	content := make([]byte, 2*small)
	byteOrder.PutUint64(content[small:], 1)
	for _, s := range sheets {
		content = append(content, s...)
	}
	p := &pages{bytes.NewReader(content), small, make([]bool, len(content)/small)}
	p.used[0], p.used[1] = true, true
	return p
}

// Entries may reach to the end of their page, and not beyond.
func TestPagesEntries(t *testing.T) {
	const room = small - pageHead // from the first entry's head
	bucket := func(value []byte) sheet {
		p := newPage(2, leafPage, 1).entry(0, bucketEntry, entryHead, 0, uint32(len(value)))
		copy(p[pageHead+entryHead:], value)
		return p
	}
	inside := make([]byte, bucketHead+pageHead) // an inline bucket
	byteOrder.PutUint16(inside[bucketHead+8:], leafPage)
	branchInside := bytes.Clone(inside)
	byteOrder.PutUint16(branchInside[bucketHead+8:], branchPage)
	elsewhere := make([]byte, bucketHead)
	byteOrder.PutUint64(elsewhere, 3)
	for _, tt := range []struct {
		name string
		want string // part of the error, "" for none
		file *pages
	}{
		{"an empty leaf", "", pagesOf(newPage(2, leafPage, 0))},
		{"an empty branch", "wrong type", pagesOf(newPage(2, branchPage, 0))},
		{"a freelist in a tree", "wrong type", pagesOf(newPage(2, freelistPage, 0))},
		{"a page of another number", "has an invalid head", pagesOf(newPage(3, leafPage, 0))},
		{"no such page", "does not exist", pagesOf()},
		{"as many entries as there is room for", "", pagesOf(newPage(2, leafPage, room/entryHead))},
		{"one entry more", "more entries than there is room for", pagesOf(newPage(2, leafPage, room/entryHead+1))},
		{"a value up to the end", "", pagesOf(newPage(2, leafPage, 1).entry(0, 0, entryHead, 4, room-entryHead-4))},
		{"a value beyond", "longer than its page", pagesOf(newPage(2, leafPage, 1).entry(0, 0, entryHead, 4, room-entryHead-3))},
		{"a long key", "longer than its page", pagesOf(newPage(2, leafPage, 1).entry(0, 0, 0, maxEntryBytes+1, 0))},
		{"a long value", "longer than its page", pagesOf(newPage(2, leafPage, 1).entry(0, 0, 0, 0, maxEntryBytes+1))},
		{"sizes that add up to nothing", "longer than its page", pagesOf(newPage(2, leafPage, 1).entry(0, 0, ^uint32(0), 1, 0))},
		{"the second entry counts from itself", "longer than its page",
			pagesOf(newPage(2, leafPage, 2).entry(1, 0, entryHead, 0, room-entryHead))},
		{"a type that does not exist", "entry 0 is of the wrong type", pagesOf(newPage(2, leafPage, 1).entry(0, 2, entryHead))},
		{"a branch up to the end", "", pagesOf(newPage(2, branchPage, 1).entry(0, room-4, 4, 3, 0), newPage(3, leafPage, 0))},
		{"a branch beyond", "longer than its page", pagesOf(newPage(2, branchPage, 1).entry(0, room-3, 4, 3, 0), newPage(3, leafPage, 0))},
		{"a branch with a long key", "longer than its page",
			pagesOf(newPage(2, branchPage, 1).entry(0, 0, maxEntryBytes+1, 3, 0), newPage(3, leafPage, 0))},
		{"a branch to itself", "is used twice", pagesOf(newPage(2, branchPage, 1).entry(0, entryHead, 0, 2, 0))},
		{"a branch to the head", "is used twice", pagesOf(newPage(2, branchPage, 1).entry(0, entryHead, 0, 1, 0), newPage(3, leafPage, 0))},
		{"two branches to one page", "is used twice",
			pagesOf(newPage(2, branchPage, 2).entry(0, 2*entryHead, 0, 3, 0).entry(1, entryHead, 0, 3, 0),
				newPage(3, leafPage, 0))},
		{"an inline bucket", "", pagesOf(bucket(inside))},
		{"an inline bucket that is a branch", "is not an inline bucket", pagesOf(bucket(branchInside))},
		{"a bucket that is cut off", "is too short", pagesOf(bucket(inside[:bucketHead-1]))},
		{"an inline bucket that is cut off", "is not an inline bucket", pagesOf(bucket(inside[:bucketHead+pageHead-1]))},
		{"a bucket elsewhere", "", pagesOf(bucket(elsewhere), newPage(3, leafPage, 0))},
		{"a bucket nowhere", "does not exist", pagesOf(bucket(elsewhere))},
		{"a bucket in a page of a page", "has an invalid head", pagesOf(bucket(elsewhere), newPage(4, leafPage, 0))},
	} {
		err := tt.file.check(2)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// A page may go on for more pages, all of which then belong to it.
func TestPagesGoOn(t *testing.T) {
	long := newPage(2, leafPage, 1).entry(0, 0, entryHead, 0, 2*small-pageHead-entryHead)
	byteOrder.PutUint32(long[12:], 1)
	next := make(sheet, small)
	p := pagesOf(long, next)
	if err := p.check(2); err != nil || !p.used[2] || !p.used[3] {
		t.Errorf("a page of two: %v, in use %v", err, p.used)
	}
	if err := p.check(3); err == nil {
		t.Error("its second half is a page of its own")
	}
	byteOrder.PutUint32(long[12:], 2)
	if err := pagesOf(long, next).check(2); err == nil || !strings.Contains(err.Error(), "has an invalid head") {
		t.Errorf("a page that goes on after the end: %v", err)
	}
}

// The freelist names pages that exist, except the first two.
func TestFreelist(t *testing.T) {
	list := func(count uint16, ids ...uint64) []byte {
		p := newPage(2, freelistPage, count)
		for i, id := range ids {
			byteOrder.PutUint64(p[pageHead+8*i:], id)
		}
		return p
	}
	const room = (small - pageHead) / 8
	full := make([]uint64, room)
	for i := range full {
		full[i] = 2
	}
	for _, tt := range []struct {
		name string
		want string
		page []byte
	}{
		{"none", "", list(0)},
		{"the first and the last", "", list(2, 2, 9)},
		{"a head", "lists page 1", list(1, 1)},
		{"a page after the end", "lists page 10", list(1, 10)},
		{"the second one is wrong", "lists page 0", list(2, 2, 0)},
		{"full", "", list(room, full...)},
		{"more than there is room for", "more pages than there is room for", list(room+1, full...)},
		{"counted in the first entry", "", list(0xFFFF, append([]uint64{room - 1}, full[1:]...)...)},
		{"counted there, too many", "more pages than there is room for", list(0xFFFF, append([]uint64{room}, full[1:]...)...)},
		{"of another kind", "wrong type", newPage(2, leafPage, 0)},
	} {
		err := checkFreelist(tt.page, 10)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}
