package slim

import "encoding/binary"

// searched is among how many functions the runtime looks for one.
const searched = 8

// coarsen has the runtime look among a few functions for the one at an address,
// which it would find at once otherwise: a hundredth of the compressed program is
// a table of the first function in every 4096 bytes of code (findfuncbucket in
// runtime/symtab.go). Where the table says that it is an earlier one, the runtime
// steps on (findfunc, in the same file).
func coarsen(memory, module []byte) {
	const bucket = 20 // bytes: the function, and how many others begin in each sixteenth
	buckets := memory[word(module, findfunctabField):]
	for range (word(module, maxpcField) - word(module, minpcField)) / 4096 {
		first := half(buckets, 0)
		binary.LittleEndian.PutUint32(buckets, uint32(first-first%searched))
		buckets = buckets[bucket:]
	}
}
