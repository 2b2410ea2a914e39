//go:build !js

package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// bbolt trusts the lengths and page numbers in a file. In a damaged file they make it fault
// or loop forever, when the file is opened or weeks later. So the server first checks all
// of the file itself, and then runs bbolt's own Tx.Check, which such damage would crash.

// inspect describes the first damage in a file of links; "" if there is none or no file.
func inspect(name string) (damage string, err error) {
	switch info, err := os.Stat(name); {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", errors.New("is not a file")
	case info.Size() == 0:
		return "", nil // bbolt creates a new file
	case info.Size() < 2*int64(os.Getpagesize()): // bbolt reads them without checking the size
		return fmt.Sprintf("it has only %d bytes", info.Size()), nil
	}
	file, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	read := readOnly(options)
	db, err := bbolt.Open(name, 0, &read) // bbolt's lock keeps others from writing
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return "", errTaken
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrVersionMismatch),
		errors.Is(err, bolterrors.ErrChecksum):
		return err.Error(), nil
	case err != nil:
		return "", err
	}
	defer db.Close()
	if problem := checkPages(file, db.Info().PageSize); problem != nil {
		return problem.Error(), nil
	}
	err = db.View(func(tx *bbolt.Tx) error {
		var first error
		for problem := range tx.Check() {
			if first == nil {
				first = problem
			}
		}
		if first != nil {
			damage = first.Error()
		}
		return nil
	})
	return damage, err
}

// The code below reads version 2 of bbolt's format: pages of one size. A page begins with a
// head: its number, type, number of entries, and how many further pages belong to it. The
// head of an entry gives the distance to its key, which its value follows.
var byteOrder = binary.NativeEndian // bbolt writes in the byte order of the machine

const (
	branchPage   = 0x01 // entries are keys and pages
	leafPage     = 0x02 // entries are keys and values
	metaPage     = 0x04
	freelistPage = 0x10

	pageHead      = 16
	entryHead     = 16
	bucketHead    = 16
	metaSize      = 64
	bucketEntry   = 0x01       // the entry's value is a bucket
	noFreelist    = ^uint64(0) // number of the freelist's page, if there is none
	maxEntryBytes = 64 << 10   // maximum bytes of a key or value; ours are shorter
)

// pages checks the pages of one file.
type pages struct {
	file io.ReaderAt
	size int
	used []bool // by page number
}

// checkPages returns the first damage in a file's pages. Of the first two pages, the meta
// pages, bbolt has found at least one valid.
func checkPages(file *os.File, size int) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	head := make([]byte, 2*size)
	if _, err := file.ReadAt(head, 0); err != nil {
		return fmt.Errorf("the first two pages: %w", err)
	}
	var meta []byte
	for i := range uint64(2) {
		page := head[int(i)*size:]
		if byteOrder.Uint64(page) != i || byteOrder.Uint16(page[8:]) != metaPage {
			return fmt.Errorf("page %d has an invalid head", i)
		}
		page = page[pageHead : pageHead+metaSize]
		sum := fnv.New64a()
		sum.Write(page[:56])
		valid := sum.Sum64() == byteOrder.Uint64(page[56:])
		if valid && (meta == nil || byteOrder.Uint64(page[48:]) > byteOrder.Uint64(meta[48:])) {
			meta = page
		}
	}
	if meta == nil {
		return bolterrors.ErrInvalid
	}
	root, freelist, count := byteOrder.Uint64(meta[16:]), byteOrder.Uint64(meta[32:]), byteOrder.Uint64(meta[40:])
	if count > uint64(info.Size())/uint64(size) {
		return fmt.Errorf("of %d pages %d are there", count, info.Size()/int64(size))
	}
	p := &pages{file, size, make([]bool, count)}
	p.used[0], p.used[1] = true, true
	if freelist != noFreelist {
		page, err := p.read(freelist)
		if err != nil {
			return err
		}
		if err := checkFreelist(page, count); err != nil {
			return fmt.Errorf("page %d: %w", freelist, err)
		}
	}
	return p.check(root)
}

// read returns a page with its further pages. Every page may be read only once.
func (p *pages) read(id uint64) ([]byte, error) {
	head := make([]byte, pageHead)
	count := uint64(len(p.used))
	if id >= count {
		return nil, fmt.Errorf("page %d does not exist", id)
	}
	if _, err := p.file.ReadAt(head, int64(id)*int64(p.size)); err != nil {
		return nil, fmt.Errorf("page %d: %w", id, err)
	}
	more := uint64(byteOrder.Uint32(head[12:]))
	if byteOrder.Uint64(head) != id || more >= count-id {
		return nil, fmt.Errorf("page %d has an invalid head", id)
	}
	for i := id; i <= id+more; i++ {
		if p.used[i] {
			return nil, fmt.Errorf("page %d is used twice", i)
		}
		p.used[i] = true
	}
	page := make([]byte, int(1+more)*p.size)
	if _, err := p.file.ReadAt(page, int64(id)*int64(p.size)); err != nil {
		return nil, fmt.Errorf("page %d: %w", id, err)
	}
	return page, nil
}

// check checks a page of a tree and all below it.
func (p *pages) check(id uint64) error {
	page, err := p.read(id)
	if err == nil {
		err = p.entries(page)
	}
	if err != nil {
		return fmt.Errorf("page %d: %w", id, err)
	}
	return nil
}

// entries checks the entries of a page, or of an inline bucket, which has the same form.
func (p *pages) entries(page []byte) error {
	kind, count := byteOrder.Uint16(page[8:]), int(byteOrder.Uint16(page[10:]))
	if kind != branchPage && kind != leafPage || kind == branchPage && count == 0 {
		return errors.New("is of the wrong type")
	}
	if pageHead+count*entryHead > len(page) {
		return errors.New("has more entries than there is room for")
	}
	for i := range count {
		entry := page[pageHead+i*entryHead:]
		number := func(at int) uint64 { return uint64(byteOrder.Uint32(entry[at:])) }
		if kind == branchPage {
			if number(4) > maxEntryBytes || number(0)+number(4) > uint64(len(entry)) {
				return fmt.Errorf("entry %d is longer than its page", i)
			}
			if err := p.check(byteOrder.Uint64(entry[8:])); err != nil {
				return err
			}
			continue
		}
		start, end := number(4)+number(8), number(4)+number(8)+number(12)
		if number(8) > maxEntryBytes || number(12) > maxEntryBytes || end > uint64(len(entry)) {
			return fmt.Errorf("entry %d is longer than its page", i)
		}
		switch value := entry[start:end]; number(0) {
		case 0:
		case bucketEntry:
			if err := p.bucket(value); err != nil {
				return fmt.Errorf("entry %d: %w", i, err)
			}
		default:
			return fmt.Errorf("entry %d is of the wrong type", i)
		}
	}
	return nil
}

// bucket checks a bucket: the number of its root page or, if that is 0, an inline page.
func (p *pages) bucket(value []byte) error {
	if len(value) < bucketHead {
		return errors.New("is too short")
	}
	if root := byteOrder.Uint64(value); root != 0 {
		return p.check(root)
	}
	page := value[bucketHead:]
	if len(page) < pageHead || byteOrder.Uint16(page[8:]) != leafPage {
		return errors.New("is not an inline bucket")
	}
	return p.entries(page)
}

// checkFreelist checks the page that lists the free pages. If there are more than 65 534,
// the first entry is their number.
func checkFreelist(page []byte, pages uint64) error {
	if byteOrder.Uint16(page[8:]) != freelistPage {
		return errors.New("is of the wrong type")
	}
	count, list := uint64(byteOrder.Uint16(page[10:])), page[pageHead:]
	if count == 0xFFFF {
		count, list = byteOrder.Uint64(list), list[8:]
	}
	if count > uint64(len(list))/8 {
		return errors.New("lists more pages than there is room for")
	}
	for i := range count {
		if id := byteOrder.Uint64(list[8*i:]); id < 2 || id >= pages {
			return fmt.Errorf("lists page %d, which does not exist", id)
		}
	}
	return nil
}
