package slim

import "slices"

// dropLines clears what Go's runtime knows of source lines, of calls that were
// inlined and of arguments: tables that make up a tenth of the compressed program.
// Only the trace of a crash shows them; it prints ?:0 for the place, as for
// anything that the runtime does not know. What is cleared:
//
//	from cutab to pctab   the names of files
//	in each _func         the offsets of its tables of files, lines and other
//	                      such things, where 0 stands for none, and where it
//	                      starts
//	in pctab              the tables that no _func names any more
func dropLines(table []byte) {
	tables := table[word(table, 56):word(table, 64)]
	clear(table[word(table, 40):word(table, 56)])
	used := make([]bool, len(tables))
	for f := range functions(table) {
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
}

// What a _func refers to by number (internal/abi/symtab.go) and only a trace
// reads, or nobody: where a thread may be stopped by a signal, which WebAssembly
// does not know (0); the calls that were inlined (2 and 3); the arguments and
// which of them are still there (3, 5 and 6).
var (
	tracedPerPlace    = []int{0, 2, 3}
	tracedPerFunction = []int{3, 5, 6}
	none              = []byte{0xff, 0xff, 0xff, 0xff}
)

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
