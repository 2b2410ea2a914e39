package slim

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
)

// dropLines clears, in a program's memory, what Go's runtime knows of source
// lines, of calls that were inlined and of arguments: tables that make up a
// tenth of the compressed program. Only the trace of a crash shows them. It still
// names every function, with ?:0 for the place, as the runtime prints what it does
// not know.
//
// They are part of pclntab, which begins with a pcHeader (runtime/symtab.go of
// Go) and has for each function a _func (runtime/runtime2.go). What is cleared:
//
//	from cutab to pctab   the names of files
//	in each _func         the offsets of its tables of files, lines and other
//	                      such things, where 0 stands for none, and where it
//	                      starts
//	in pctab              the tables that no _func names any more
func dropLines(memory []byte) error {
	at := bytes.Index(memory, pclntabMagic)
	if at < 0 || bytes.Count(memory, pclntabMagic) > 1 {
		return errors.New("the program has not one pclntab as expected; has the version of Go changed?")
	}
	table := memory[at:]
	var (
		functions = word(table, 8)
		files     = table[word(table, 40):]
		tables    = table[word(table, 56):word(table, 64)]
		records   = table[word(table, 64):]
	)
	clear(files[:word(table, 56)-word(table, 40)])
	used := make([]bool, len(tables))
	for i := range functions {
		f := records[half(records, 8*i+4):] // after the function's address
		mark(used, tables, half(f, pcspField))
		perPlace := f[pcdataField:]
		perFunction := perPlace[4*half(f, npcdataField):]
		for k := range half(f, npcdataField) {
			if slices.Contains(tracedPerPlace, k) {
				clear(perPlace[4*k : 4*k+4])
			}
			mark(used, tables, half(perPlace, 4*k))
		}
		for k := range int(f[nfuncdataField]) {
			if slices.Contains(tracedPerFunction, k) {
				copy(perFunction[4*k:], none)
			}
		}
		clear(f[pcfileField : pclnField+4])
		clear(f[cuField : startLineField+4])
	}
	for i := range tables {
		if !used[i] {
			tables[i] = 0
		}
	}
	return nil
}

// pclntabMagic is how the pclntab of Go 1.20 and later begins, for
// instructions of one byte and pointers of eight.
var pclntabMagic = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

// Where the fields of a _func are.
const (
	pcspField      = 16
	pcfileField    = 20
	pclnField      = 24
	npcdataField   = 28
	cuField        = 32
	startLineField = 36
	nfuncdataField = 43 // a byte
	pcdataField    = 44
)

// What a _func refers to by number (internal/abi/symtab.go) and only a trace
// reads, or nobody: where a thread may be stopped by a signal, which WebAssembly
// does not know (0); the calls that were inlined (2 and 3); the arguments and
// which of them are still there (3, 5 and 6).
var (
	tracedPerPlace    = []int{0, 2, 3}
	tracedPerFunction = []int{3, 5, 6}
	none              = []byte{0xff, 0xff, 0xff, 0xff}
)

func word(b []byte, at int) int { return int(binary.LittleEndian.Uint64(b[at:])) }
func half(b []byte, at int) int { return int(binary.LittleEndian.Uint32(b[at:])) }

// mark marks the bytes of the table at an offset, if it is one: pairs of a
// difference of values and one of addresses, in LEB128, up to a value that does
// not differ. The first pair may have any value.
func mark(used []bool, tables []byte, at int) {
	if at == 0 {
		return
	}
	r := reader{rest: tables[at:]}
	for first := true; (r.uint() != 0 || first) && !r.failed; first = false {
		r.uint()
	}
	for end := len(tables) - len(r.rest); at < end; at++ {
		used[at] = true
	}
}
