package slim

import (
	"bytes"
	"encoding/binary"
	"errors"
	"iter"
)

// A pclntab is what Go's runtime knows of a program's functions. It begins with
// a pcHeader (runtime/symtab.go of Go), which says where its parts are, and has
// for each function a _func (runtime/runtime2.go). The moduledata (also in symtab.go) points at all of it.

// pclntabMagic is how the pclntab of Go 1.20 and later begins, for
// instructions of one byte and pointers of eight.
var pclntabMagic = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

var errPclntab = errors.New("the program has not one pclntab as expected; has the version of Go changed?")

// findPclntab returns the address of the pclntab in a program's memory.
func findPclntab(memory []byte) (int, error) {
	at := bytes.Index(memory, pclntabMagic)
	if at < 0 || bytes.Count(memory, pclntabMagic) > 1 {
		return 0, errPclntab
	}
	return at, nil
}

// findModule returns the address of the moduledata of the pclntab at an address: it begins with the addresses of the
// pclntab and of the names of functions.
func findModule(memory []byte, at int) ([]byte, error) {
	start := binary.LittleEndian.AppendUint64(nil, uint64(at))
	start = binary.LittleEndian.AppendUint64(start, uint64(at+uint64At(memory[at:], 32)))
	if bytes.Count(memory, start) != 1 {
		return nil, errPclntab
	}
	return memory[bytes.Index(memory, start):], nil
}

// Offsets of the fields of a _func.
const (
	entryField     = 0
	nameField      = 4
	pcspField      = 16
	pcfileField    = 20
	pclnField      = 24
	npcdataField   = 28
	cuField        = 32
	startLineField = 36
	nfuncdataField = 43 // a byte
	pcdataField    = 44
)

// Offsets of the fields of a moduledata that are used here.
const (
	findfunctabField = 152
	minpcField       = 160
	maxpcField       = 168
)

// functions yields the _func of each function, with all data that follow it.
func functions(table []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		records := table[uint64At(table, 64):]
		for i := range uint64At(table, 8) {
			if !yield(records[uint32At(records, 8*i+4):]) { // after the function's address
				return
			}
		}
	}
}

func uint64At(b []byte, at int) int { return int(binary.LittleEndian.Uint64(b[at:])) }
func uint32At(b []byte, at int) int { return int(binary.LittleEndian.Uint32(b[at:])) }
