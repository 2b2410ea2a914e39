package results

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
)

// bbolt trusts its pages: if they are damaged it panics, reads other memory, or loops forever. So the code here reads
// files, and checks them before bbolt writes to them. It trusts nothing, and continues after damage.
//
// A file is pages of one size, in the byte order of the computer. Two meta pages, with checksums, take turns in naming
// the root of a tree of branch and leaf pages; the newer one is used. Leaf elements are keys with values, or buckets:
// trees, or pages within a value. See https://pkg.go.dev/go.etcd.io/bbolt/internal/common.
const (
	magic       = 0xED0CDAED
	version2    = 2 // version of bbolt's file format
	headerSize  = 16
	elementSize = 16
	metaSize    = 64 // bytes of a meta page, after its header
	bucketSize  = 16

	branchFlag, leafFlag, freelistFlag = 0x01, 0x02, 0x10
	bucketFlag                         = 0x01 // flag of a leaf element

	noFreelist   = 1<<64 - 1
	deepest      = 64       // maximum levels of a tree
	maxPageBytes = 64 << 20 // maximum bytes of one page with its continuation pages

	maxSalvagedValue = 4 << 20 // maximum bytes of a value
)

var byteOrder = binary.NativeEndian

// meta is the content of a meta page.
type meta struct {
	page                   int64 // page size in bytes
	root, freelist, beyond uint64
	transaction            uint64
}

// pages reads the pages of a file.
type pages struct {
	r    io.ReaderAt
	size int64 // size of the file in bytes
	meta
	validMetas int             // number of valid meta pages, 0 to 2
	isBolt     bool            // the file begins like a bbolt file, or has a valid meta page
	seen       map[uint64]bool // pages in the tree
	firstError error           // the first error in the structure
}

// newPages finds the newer of the two meta pages.
func newPages(r io.ReaderAt, size int64) *pages {
	p := &pages{r: r, size: size, seen: map[uint64]bool{}}
	begins := []byte{8: 4, 9: 0, 16: 0, 19: 0} // page 0 is a meta page
	byteOrder.PutUint32(begins[16:], magic)
	b, err := p.at(0, min(size, int64(len(begins))))
	p.isBolt = err == nil && bytes.HasPrefix(begins, b)
	first, ok := p.readMeta(0)
	if ok {
		p.meta, p.validMetas = first, 1
	}
	// Without the first meta page, the page size must be guessed: the second shows whether the guess is right.
	for page := int64(1 << 10); page <= 1<<16; page <<= 1 {
		second, whole := p.readMeta(page)
		if !whole || second.page != page || ok && first.page != page {
			continue
		}
		if p.validMetas++; p.validMetas == 1 || second.transaction > p.transaction {
			p.meta = second
		}
		break
	}
	if p.validMetas < 2 {
		p.damage("of its two heads %d are whole", p.validMetas)
	}
	switch {
	case size == 0:
		p.firstError = errors.New("it is empty")
		fallthrough
	case p.validMetas == 0:
		p.page = int64(os.Getpagesize())
	case int64(p.beyond) > size/p.page:
		p.damage("it is cut off")
	}
	return p
}

func (p *pages) damage(format string, args ...any) {
	if p.firstError == nil {
		p.firstError = fmt.Errorf(format, args...)
	}
}

// readMeta reads a meta page, and reports whether it is valid.
func (p *pages) readMeta(at int64) (m meta, whole bool) {
	b, err := p.at(at, headerSize+metaSize)
	if err != nil {
		return m, false
	}
	b = b[headerSize:]
	p.isBolt = p.isBolt || byteOrder.Uint32(b) == magic
	h := fnv.New64a()
	h.Write(b[:metaSize-8])
	if byteOrder.Uint32(b) != magic || byteOrder.Uint32(b[4:]) != version2 ||
		byteOrder.Uint64(b[metaSize-8:]) != h.Sum64() {
		return m, false
	}
	m = meta{page: int64(byteOrder.Uint32(b[8:])), root: byteOrder.Uint64(b[16:]), freelist: byteOrder.Uint64(b[32:]),
		beyond: byteOrder.Uint64(b[40:]), transaction: byteOrder.Uint64(b[48:])}
	return m, m.page >= 1<<10 && m.page <= 1<<16 && m.page&(m.page-1) == 0
}

// at reads a part of the file.
func (p *pages) at(off, n int64) ([]byte, error) {
	if off < 0 || n < 0 || n > maxPageBytes || off > p.size-n {
		return nil, errors.New("is cut off")
	}
	b := make([]byte, n)
	_, err := p.r.ReadAt(b, off)
	return b, err
}

// load reads a page of one of some types, with its continuation pages, and marks it as seen.
func (p *pages) load(id uint64, kinds uint16) (b []byte, kind uint16, ok bool) {
	if id < 2 || id >= uint64(p.size/p.page) {
		p.damage("page %d is not there", id)
		return nil, 0, false
	}
	b, err := p.at(int64(id)*p.page, p.page)
	if err != nil {
		p.damage("page %d cannot be read: %w", id, err)
		return nil, 0, false
	}
	kind = byteOrder.Uint16(b[8:])
	more := int64(byteOrder.Uint32(b[12:]))
	if byteOrder.Uint64(b) != id || kind&kinds == 0 || kind&(kind-1) != 0 {
		p.damage("page %d is another one", id)
		return nil, 0, false
	}
	if more > 0 {
		if b, err = p.at(int64(id)*p.page, (1+more)*p.page); err != nil {
			p.damage("page %d goes on behind the end of the file", id)
			return nil, 0, false
		}
	}
	for i := id; i <= id+uint64(more); i++ {
		if p.seen[i] {
			p.damage("page %d is used twice", i)
			return nil, 0, false
		}
		p.seen[i] = true
	}
	return b, kind, true
}

// element is an element of a leaf page.
type element struct {
	bucket     bool
	key, value []byte
	offset     int64 // offset of the value in the file
}

// leaf reads element i of a leaf page whose bytes begin at an offset of the file.
func leaf(b []byte, off int64, i int) (e element, ok bool) {
	at := int64(headerSize + i*elementSize)
	if at+elementSize > int64(len(b)) {
		return e, false
	}
	head := b[at:]
	from := at + int64(byteOrder.Uint32(head[4:]))
	middle := from + int64(byteOrder.Uint32(head[8:]))
	to := middle + int64(byteOrder.Uint32(head[12:]))
	if to > int64(len(b)) {
		return e, false
	}
	flags := byteOrder.Uint32(head)
	return element{bucket: flags == bucketFlag, key: b[from:middle], value: b[middle:to], offset: off + middle},
		flags <= bucketFlag
}

// elements yields the elements of a leaf page, whose keys are from low to below high; nil means no bound.
func (p *pages) elements(b []byte, off int64, low, high []byte, yield func(element)) {
	var before []byte
	for i := range int(byteOrder.Uint16(b[10:])) {
		e, ok := leaf(b, off, i)
		if !ok {
			p.damage("an element of a page is damaged")
			continue
		}
		if low != nil && bytes.Compare(e.key, low) < 0 || high != nil && bytes.Compare(e.key, high) >= 0 ||
			before != nil && bytes.Compare(e.key, before) <= 0 {
			p.damage("keys are out of order")
		}
		before = e.key
		yield(e)
	}
}

// walk yields the elements of the leaves of a tree, in order.
func (p *pages) walk(root uint64, level int, low, high []byte, yield func(element)) {
	if level == deepest {
		p.damage("the tree is too deep")
		return
	}
	b, kind, ok := p.load(root, branchFlag|leafFlag)
	if !ok {
		return
	}
	if kind == leafFlag {
		p.elements(b, int64(root)*p.page, low, high, yield)
		return
	}
	type child struct {
		key []byte
		id  uint64
	}
	var children []child
	for i := range int64(byteOrder.Uint16(b[10:])) {
		at := headerSize + i*elementSize
		if at+elementSize > int64(len(b)) {
			p.damage("a branch of the tree is damaged")
			break
		}
		from := at + int64(byteOrder.Uint32(b[at:]))
		to := from + int64(byteOrder.Uint32(b[at+4:]))
		if to > int64(len(b)) {
			p.damage("a branch of the tree is damaged")
			continue
		}
		children = append(children, child{b[from:to], byteOrder.Uint64(b[at+8:])})
	}
	if len(children) == 0 {
		p.damage("a branch of the tree is empty")
	}
	for i, c := range children {
		next := high
		if i+1 < len(children) {
			next = children[i+1].key
		}
		p.walk(c.id, level+1, c.key, next, yield)
	}
}

// bucket yields the elements of a bucket and returns its sequence number.
func (p *pages) bucket(e element, yield func(element)) (sequence uint64) {
	if len(e.value) < bucketSize {
		p.damage("a bucket is damaged")
		return 0
	}
	root := byteOrder.Uint64(e.value)
	switch inside := e.value[bucketSize:]; {
	case root != 0:
		p.walk(root, 0, nil, nil, yield)
	case len(inside) < headerSize || byteOrder.Uint16(inside[8:]) != leafFlag:
		p.damage("a bucket is damaged")
	default:
		p.elements(inside, e.offset+bucketSize, nil, nil, yield)
	}
	return byteOrder.Uint64(e.value[8:])
}

// checkFree checks the list of free pages, which bbolt would write to.
func (p *pages) checkFree() {
	if p.validMetas == 0 || p.freelist == noFreelist {
		return
	}
	b, _, ok := p.load(p.freelist, freelistFlag)
	if !ok {
		return
	}
	ids, n := b[headerSize:], uint64(byteOrder.Uint16(b[10:]))
	if n == 0xFFFF && len(ids) >= 8 { // the first number is the count
		n, ids = byteOrder.Uint64(ids), ids[8:]
	}
	if n > uint64(len(ids)/8) {
		p.damage("the list of free pages is damaged")
		return
	}
	for i := range n {
		id := byteOrder.Uint64(ids[8*i:])
		if id < 2 || id >= p.beyond || p.seen[id] {
			p.damage("the list of free pages is damaged")
			return
		}
		p.seen[id] = true
	}
}

// salvage yields everything that may be an element of a leaf page anywhere in the file, whole or not, including pages
// that are no longer referenced.
func (p *pages) salvage(keySize int, yield func(element)) {
	for off := 2 * p.page; off+headerSize < p.size; off += p.page {
		b, err := p.at(off, min(p.page, p.size-off))
		if err != nil {
			continue
		}
		for i := range (len(b) - headerSize) / elementSize {
			at := int64(headerSize + i*elementSize)
			from, size := at+int64(byteOrder.Uint32(b[at+4:])), int64(byteOrder.Uint32(b[at+12:]))
			if byteOrder.Uint32(b[at+8:]) != uint32(keySize) || size == 0 || size > maxSalvagedValue {
				continue
			}
			if e, err := p.at(off+from, int64(keySize)+size); err == nil {
				yield(element{key: e[:keySize], value: e[keySize:], offset: off + from + int64(keySize)})
			}
		}
	}
}
