package pack

// A word is an instruction without the operands that are in streams.
type word struct {
	operand operand
	param   byte // depends on the operand
	shape   byte // effect on the stack of values; see shapeOf
	length  byte // number of bytes
	bytes   [4]byte
}

// add adds a byte to those of the word.
func (w *word) add(b byte) {
	w.bytes[w.length] = b
	w.length++
}

// An operand is the kind of data after a word's bytes.
type operand byte

const (
	none    operand = iota
	open            // nothing; a block begins
	closing         // nothing; a block or a function ends
	branch          // a label, for the block param as counted from the outermost
	leb             // a number in LEB128 from the stream param
	raw             // param bytes from floats
	load            // an offset: from ranks, slots or fields
	store           // from slotsSet or fieldsSet
	table           // of a br_table
	call            // a function
	jump            // i32.const for a block, by its distance from this one, from jumps
	// i64.const for the last number of this function before the next block; with param 1, minus a number from returns
	ret
	address // i64.const from addresses
)

// Opcodes; see "Binary Format" in the WebAssembly Core Specification.
const (
	opBlock        = 0x02
	opLoop         = 0x03
	opIf           = 0x04
	opEnd          = 0x0b
	opBr           = 0x0c
	opBrIf         = 0x0d
	opBrTable      = 0x0e
	opCall         = 0x10
	opCallIndirect = 0x11
	opDrop         = 0x1a
	opSelect       = 0x1b
	opLocalGet     = 0x20
	opLocalSet     = 0x21
	opLocalTee     = 0x22
	opGlobalGet    = 0x23
	opGlobalSet    = 0x24
	opFirstLoad    = 0x28
	opFirstStore   = 0x36
	opLastStore    = 0x3e
	opMemorySize   = 0x3f
	opMemoryGrow   = 0x40
	opI32Const     = 0x41
	opI64Const     = 0x42
	opF32Const     = 0x43
	opF64Const     = 0x44
	opPrefix       = 0xfc // prefix of two-byte opcodes
	opMemoryCopy   = 10
	opMemoryFill   = 11

	noResult  = 0x40
	noOperand = 0xff
)

// naturalAlign is log2 of the bytes that each load and store moves.
const naturalAlign = "\x02\x03\x02\x03" + "\x00\x00\x01\x01" + "\x00\x00\x01\x01\x02\x02" + // loads
	"\x02\x03\x02\x03" + "\x00\x01" + "\x00\x01\x02" // stores

// shapeOf returns what an instruction, with a byte of operand if it has one, does
// with the stack of values: it pops shape&3 values and pushes shape>>2&3, and what it
// pushes is Go's stack pointer if shape>>4 is 1. A call of anything but a Go
// function is counted wrongly, which only makes some predictions worse.
func shapeOf(op, operand byte) byte {
	const push = 1 << 2
	switch {
	case op == opLocalGet && operand == 1, op == opGlobalGet && operand == 0:
		return push | 1<<4 // the global, or the local with a copy of it
	case op == opLocalTee && operand == 1:
		return 1 | push | 1<<4
	case op == opLocalGet, op == opGlobalGet, op == opMemorySize, op >= opI32Const && op <= opF64Const:
		return push
	case op == opIf, op == opBrIf, op == opBrTable, op == opDrop, op == opLocalSet, op == opGlobalSet:
		return 1
	case op >= opFirstStore && op <= opLastStore:
		return 2
	case op == opSelect:
		return 3 | push
	case op == opCallIndirect,
		op >= 0x46 && op <= 0x4f, op >= 0x51 && op <= 0x66, // comparisons
		op >= 0x6a && op <= 0x78, op >= 0x7c && op <= 0x8a, // arithmetic of integers
		op >= 0x92 && op <= 0x98, op >= 0xa0 && op <= 0xa6: // and of numbers with fractions
		return 2 | push
	case op == opCall, op == opLocalTee, op == opMemoryGrow, op >= opFirstLoad && op < opFirstStore, op >= 0x45 &&
		op <= 0xc4:
		return 1 | push
	}
	return 0
}

// A place is the position in a function and what predictions are made from. Packing and
// unpacking keep the same.
type place struct {
	depth  int   // number of open blocks
	blocks int   // depth at the br_table
	first  []int // first number of each block that the br_table leads to
	// for each value on the stack, whether it is Go's stack pointer: one bit, the top value lowest
	values        uint32
	recentOffsets []uint64 // offsets of locations on the stack, the most recently used first
}

func (p *place) start() {
	*p = place{first: p.first[:0], recentOffsets: p.recentOffsets[:0]}
}

// do pops and pushes the values that a word pops and pushes.
func (p *place) do(shape byte) {
	p.values = p.values>>(shape&3)<<(shape>>2&3) | uint32(shape>>4)
}

// loads and stores say whether a load or a store that is next is at Go's stack.
func (p *place) loads() bool  { return p.values&1 != 0 }
func (p *place) stores() bool { return p.values&2 != 0 }

// block returns the number of the block that would end next among those that the
// br_table leads to, if no others were open.
func (p *place) block() int { return p.blocks - p.depth }

// number returns the first number in the br_table that leads to a block, or 0.
func (p *place) number(block int) int {
	if block < 0 || block >= len(p.first) {
		return 0
	}
	return p.first[block]
}

// use moves a location to rank 0. rank is its former rank, or the number of ranks if it had none.
func (p *place) use(offset uint64, rank int) {
	if rank == len(p.recentOffsets) && rank < maxRanks {
		p.recentOffsets = append(p.recentOffsets, 0)
	}
	rank = min(rank, len(p.recentOffsets)-1)
	copy(p.recentOffsets[1:rank+1], p.recentOffsets[:rank])
	p.recentOffsets[0] = offset
}

// rank returns the rank of a location, or the number of ranks if it has none.
func (p *place) rank(offset uint64) int {
	for i, r := range p.recentOffsets {
		if r == offset {
			return i
		}
	}
	return len(p.recentOffsets)
}

// maxRanks is the number of locations that have a rank; as a rank it means none.
const maxRanks = 255

// offsetBits encodes multiples of eight in few bits, and other offsets in more.
func offsetBits(v uint64) uint64 {
	if v%8 == 0 {
		return v / 4
	}
	return 2*v + 1
}

func bitsOffset(v uint64) uint64 {
	if v%2 == 0 {
		return v * 4
	}
	return v / 2
}
