package slim

import "slices"

// dropLines clears what Go's runtime knows of source lines, inlined calls and
// arguments: tables that are a tenth of the compressed program. Only the trace of a
// crash shows them; without them it prints ?:0 for the place. What is cleared:
//
//	from cutab to pctab   the names of files
//	in each _func         the offsets of its tables of files, lines and other
//	                      such things, where 0 stands for none, and where it
//	                      starts
//	in pctab              the tables that no _func names any more
func dropLines(table []byte) {
	tables := table[uint64At(table, 56):uint64At(table, 64)]
	clear(table[uint64At(table, 40):uint64At(table, 56)])
	used := make([]bool, len(tables))
	for f := range functions(table) {
		mark(used, tables, uint32At(f, pcspField))
		perPlace := f[pcdataField:]
		perFunction := perPlace[4*uint32At(f, npcdataField):]
		for k := range uint32At(f, npcdataField) {
			if slices.Contains(tracedPerPlace, k) {
				clear(perPlace[4*k : 4*k+4])
			}
			mark(used, tables, uint32At(perPlace, 4*k))
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

// Tables of a _func, by number (internal/abi/symtab.go), that only a trace reads or
// nothing: where a signal may stop a thread, which WebAssembly does not have (0); the
// inlined calls (2 and 3); the arguments and which of them are alive (3, 5 and 6).
var (
	tracedPerPlace    = []int{0, 2, 3}
	tracedPerFunction = []int{3, 5, 6}
	none              = []byte{0xff, 0xff, 0xff, 0xff}
)

// mark marks the bytes of the table at an offset; 0 is none. A table has pairs of a
// difference of values and one of addresses, in LEB128, and ends with a value that does
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
