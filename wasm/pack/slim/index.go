package slim

import (
	"encoding/binary"
	"slices"
)

// The runtime finds the function at an address by tables whose numbers follow from one
// another, which a compressor does not see: they are a fortieth of the compressed
// program. So their differences are sent, and the program computes the numbers when it
// starts, in a function that WebAssembly calls first; see "Start Function" in the
// WebAssembly Core Specification.
//
//	ftab          for each function its number and the offset of its _func,
//	              which is sent as the difference from the one before
//	_func         begins with the function's number
//	findfunctab   for each 4096 bytes of code, 20 bytes: the index in ftab of the
//	              first function there, then the number of others that begin there
//
// Numbers count from the first function that Go compiled. A function has 65536
// addresses, and so 16 entries in findfunctab; the last has only those that it needs.
type index struct {
	ftab, buckets int // addresses of the tables
	functions     int
	places        int // number of places in findfunctab
	first         int // number of the first function
}

const (
	bucketSize        = 20
	placesPerFunction = 16
)

// dropIndex replaces the numbers in a program's memory by their differences.
func dropIndex(memory, module []byte, at int) (index, error) {
	table := memory[at:]
	x := index{
		ftab:      at + uint64At(table, 64),
		buckets:   uint64At(module, findfunctabField),
		functions: uint64At(table, 8),
		places:    (uint64At(module, maxpcField)-uint64At(module, minpcField)-1)/4096 + 1,
		first:     uint64At(module, minpcField) >> 16,
	}
	before := 0
	for i := range x.functions {
		entry := memory[x.ftab+8*i:]
		record := memory[x.ftab+uint32At(entry, 4):]
		if uint32At(entry, 0) != x.first+i || uint32At(record, entryField) != x.first+i {
			return index{}, errPclntab
		}
		put(record, entryField, 0)
		put(entry, 0, 0)
		here := uint32At(entry, 4)
		put(entry, 4, here-before)
		before = here
	}
	for b := range x.places {
		bucket := memory[x.buckets+bucketSize*b:][:bucketSize]
		last := b == x.places-1 // the last bucket is cut off after its last entry
		if uint32At(bucket, 0) != b/placesPerFunction || !last && slices.Max(bucket[4:]) > 0 {
			return index{}, errPclntab
		}
		put(bucket, 0, 0)
	}
	return x, nil
}

func put(b []byte, at, v int) { binary.LittleEndian.PutUint32(b[at:], uint32(v)) }

// Instructions; see "Binary Format" in the specification.
const (
	opLoop     = 0x03
	opBrIf     = 0x0d
	opLocalGet = 0x20
	opLocalSet = 0x21
	opLocalTee = 0x22
	opI32Load  = 0x28
	opI32Store = 0x36
	opI32LtU   = 0x49
	opI32Add   = 0x6a
	opI32Mul   = 0x6c
	opI32ShrU  = 0x76
	i32        = 0x7f
	noResult   = 0x40
	wordAlign  = 2 // addresses of stores are multiples of 1<<wordAlign
)

// code appends instructions.
type code []byte

func (c *code) op(op ...byte)  { *c = append(*c, op...) }
func (c *code) get(local byte) { c.op(opLocalGet, local) }
func (c *code) number(v int)   { *c = appendInt(append(*c, opI32Const), v) }
func (c *code) memory(op byte, from int) {
	*c = binary.AppendUvarint(append(*c, op, wordAlign), uint64(from))
}

// add adds a number to a local.
func (c *code) add(local byte, v int) {
	c.get(local)
	c.number(v)
	c.op(opI32Add, opLocalSet, local)
}

// loopWhile goes back to the start of the loop while a local is less than a number, and
// ends the loop.
func (c *code) loopWhile(local byte, below int) {
	c.get(local)
	c.number(below)
	c.op(opI32LtU, opBrIf, 0, opEnd)
}

// restore returns the body of the function that computes the numbers.
func (x index) restore() []byte {
	const i, entry, offset = 0, 1, 2 // locals; all are 0 at first
	c := &code{1, 3, i32}

	// for i: ftab[i].number = first+i; offset += ftab[i].offset;
	// ftab[i].offset = offset; the _func at offset .number = first+i
	c.op(opLoop, noResult)
	c.get(entry)
	c.get(i)
	c.number(x.first)
	c.op(opI32Add)
	c.memory(opI32Store, x.ftab)
	c.get(entry)
	c.get(entry)
	c.memory(opI32Load, x.ftab+4)
	c.get(offset)
	c.op(opI32Add, opLocalTee, offset)
	c.memory(opI32Store, x.ftab+4)
	c.get(offset)
	c.get(i)
	c.number(x.first)
	c.op(opI32Add)
	c.memory(opI32Store, x.ftab+entryField)
	c.add(entry, 8)
	c.add(i, 1)
	c.loopWhile(i, x.functions)

	// for i, from 0 again: findfunctab[i].place = i / placesPerFunction
	c.number(0)
	c.op(opLocalSet, i)
	c.op(opLoop, noResult)
	c.get(i)
	c.number(bucketSize)
	c.op(opI32Mul)
	c.get(i)
	c.number(4) // bits
	c.op(opI32ShrU)
	c.memory(opI32Store, x.buckets)
	c.add(i, 1)
	c.loopWhile(i, x.places)
	c.op(opEnd)
	return *c
}
