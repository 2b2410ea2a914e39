package pack

import (
	"encoding/binary"
	"fmt"
)

// Operands up to these are part of words.
const (
	maxLocal  = 23
	maxGlobal = 7
	maxBlock  = 5 // blocks counted from the outermost
)

// An encoder splits functions into streams.
type encoder struct {
	in      reader
	streams [streams][]byte
	words   []word
	numbers map[word]int // numbers of the words
	text    []uint16     // numbers of words
	place
}

// appendWord appends a word to the text.
func (e *encoder) appendWord(w word) error {
	n, ok := e.numbers[w]
	if !ok {
		n = len(e.words)
		e.words, e.numbers[w] = append(e.words, w), n
	}
	if n >= maxWords {
		return fmt.Errorf("%w: more than %d kinds of instructions", errModule, maxWords)
	}
	e.text = append(e.text, uint16(n))
	return nil
}

func (e *encoder) putUint(stream int, v uint64) {
	e.streams[stream] = binary.AppendUvarint(e.streams[stream], v)
}

func (e *encoder) put(stream int, b ...byte) {
	e.streams[stream] = append(e.streams[stream], b...)
}

// function encodes one body with the length before it.
func (e *encoder) function(n int) error {
	size := e.in.uint()
	end := e.in.at + int(size)
	e.start()
	groups := e.in.readByte()
	e.put(locals, groups)
	for range groups {
		e.put(locals, e.in.leb()...)
		e.put(locals, e.in.readByte())
	}
	for e.depth >= 0 {
		op := e.in.readByte()
		w := word{shape: shapeOf(op, noOperand), length: 1, bytes: [4]byte{op}}
		if err := e.operand(&w, op, n); err != nil {
			return err
		}
		e.do(w.shape)
		if err := e.appendWord(w); err != nil {
			return err
		}
		if op == opCallIndirect {
			// The table, which is a word of its own.
			index := word{shape: shapeOf(0, noOperand), length: 1, bytes: [4]byte{e.in.readByte()}}
			if err := e.appendWord(index); err != nil {
				return err
			}
		}
		if e.in.failed {
			return errModule
		}
	}
	if e.in.at != end {
		return fmt.Errorf("%w: it should end at %d and ends at %d", errModule, end, e.in.at)
	}
	return nil
}

// operand reads the operand of an instruction, and completes the word.
func (e *encoder) operand(w *word, op byte, function int) error {
	switch {
	case op >= opBlock && op <= opIf, op >= opEnd && op <= opBrTable, op == opCall, op == opCallIndirect:
		return e.control(w, op)
	case op >= opLocalGet && op <= opLocalTee:
		e.variable(w, op, maxLocal)
	case op == opGlobalGet, op == opGlobalSet:
		e.variable(w, op, maxGlobal)
	case op >= opFirstLoad && op <= opLastStore:
		return e.memory(w, op)
	case op == opMemorySize, op == opMemoryGrow:
		w.add(e.in.readByte())
	case op >= opI32Const && op <= opF64Const:
		e.constant(w, op, function)
	case op == opPrefix:
		return e.prefixed(w)
	case op <= 0x01, op == 0x05, op == 0x0f, op == opDrop, op == opSelect, op >= 0x45 && op <= 0xc4:
		// none
	default:
		return fmt.Errorf("%w: unknown instruction %#x", errModule, op)
	}
	return nil
}

// control reads the operand of an instruction that begins or ends a block, branches or calls.
func (e *encoder) control(w *word, op byte) error {
	switch op {
	case opBlock, opLoop, opIf:
		w.operand = open
		e.depth++
		w.add(e.in.readByte())
	case opEnd:
		w.operand = closing
		e.depth--
	case opBr, opBrIf:
		label := e.in.uint()
		if to := uint64(e.depth) - label; to <= maxBlock {
			w.operand, w.param = branch, byte(to)
		} else {
			w.operand, w.param = leb, others
			e.putUint(others, label)
		}
	case opBrTable:
		w.operand = table
		return e.table()
	case opCall:
		w.operand = call
		f := e.in.int()
		if f < 0 || f >= 1<<16 {
			return fmt.Errorf("%w: more than 65536 functions", errModule)
		}
		e.put(calls, byte(f>>8), byte(f))
	case opCallIndirect:
		w.operand, w.param = leb, others
		e.put(others, e.in.leb()...)
	}
	return nil
}

// variable reads the number of a local or global: part of the word up to most, and
// otherwise in the stream others.
func (e *encoder) variable(w *word, op, most byte) {
	if b := e.in.leb(); len(b) == 1 && b[0] <= most {
		w.add(b[0])
		w.shape = shapeOf(op, b[0])
	} else {
		w.operand, w.param = leb, others
		e.put(others, b...)
	}
}

// memory reads the alignment and the offset of a load or store.
func (e *encoder) memory(w *word, op byte) error {
	align := naturalAlign[op-opFirstLoad]
	if e.in.readByte() != align {
		return fmt.Errorf("%w: an alignment that is not the natural one", errModule)
	}
	w.add(align)
	w.operand = load
	if op >= opFirstStore {
		w.operand = store
	}
	e.offset(w.operand, e.in.uint())
	return nil
}

// constant reads a number that an instruction pushes.
func (e *encoder) constant(w *word, op byte, function int) {
	switch op {
	case opI32Const:
		v := e.in.int()
		next := e.in
		if next.readByte() == opLocalSet && next.readByte() == 0 {
			if to := e.blockAt(int(v)); to >= 0 {
				w.operand = jump
				e.putUint(jumps, zigzag(to-e.block()))
				return
			}
		}
		if v >= 0 && v < 3 || v == 8 {
			w.add(byte(v))
			return
		}
		w.operand, w.param = leb, ints
		e.streams[ints] = appendInt(e.streams[ints], v)
	case opI64Const:
		v := e.in.int()
		switch {
		case v>>16 == int64(firstFunction+function):
			w.operand = ret
			if d := e.number(e.block()+1) - 1 - int(v&0xffff); d != 0 {
				w.param = 1
				e.putUint(returns, zigzag(d))
			}
		case v >= 1<<12 && v < 1<<32:
			w.operand = address
			e.streams[addresses] = binary.BigEndian.AppendUint32(e.streams[addresses], uint32(v))
		default:
			w.operand, w.param = leb, longs
			e.streams[longs] = appendInt(e.streams[longs], v)
		}
	case opF32Const, opF64Const:
		w.operand, w.param = raw, 4+4*(op-opF32Const)
		e.put(floats, e.in.bytes(int(w.param))...)
	}
}

// prefixed reads the second byte of an opcode of two bytes, and its operands.
func (e *encoder) prefixed(w *word) error {
	code := e.in.readByte()
	operands := 0
	switch {
	case code <= 7: // conversions
	case code == opMemoryCopy:
		operands = 2
	case code == opMemoryFill:
		operands = 1
	default:
		return fmt.Errorf("%w: unknown instruction %#x %#x", errModule, opPrefix, code)
	}
	w.add(code)
	for range operands {
		w.add(e.in.readByte())
	}
	return nil
}

// offset writes the offset of a load or store.
func (e *encoder) offset(o operand, v uint64) {
	rank := e.rank(v)
	switch {
	case o == load && !e.loads():
		e.putUint(fields, v)
		return
	case o == store && !e.stores():
		e.putUint(fieldsSet, v)
		return
	case o == store:
		e.putUint(slotsSet, offsetBits(v))
	case rank < len(e.recentOffsets):
		e.put(ranks, byte(rank))
	default:
		e.put(ranks, maxRanks)
		e.putUint(slots, offsetBits(v))
	}
	e.use(v, rank)
}

// blockAt returns the block to which a number in the br_table leads, if no
// smaller number leads there, and otherwise -1.
func (e *encoder) blockAt(number int) int {
	for block, first := range e.first {
		if first == number {
			return block
		}
	}
	return -1
}

// table reads the labels of a br_table. See decoder.table.
func (e *encoder) table() error {
	n := e.in.uint() + 1
	if n > uint64(len(e.in.b)) {
		return errModule
	}
	labels := make([]uint64, n)
	for i := range labels {
		labels[i] = e.in.uint()
	}
	var runs []uint64
	for _, v := range labels {
		switch {
		case v == uint64(len(runs)):
			runs = append(runs, 1)
		case v+1 == uint64(len(runs)):
			runs[v]++
		default: // not a table like those at the start of functions
			e.putUint(tables, 0)
			e.putUint(tables, n)
			for _, v := range labels {
				e.putUint(tables, v)
			}
			return nil
		}
	}
	if len(runs) > e.depth {
		return fmt.Errorf("%w: a br_table leads to more blocks than there are", errModule)
	}
	e.putUint(tables, uint64(1+e.depth-len(runs)))
	e.blocks, e.first = e.depth, e.first[:0]
	number := 0
	for _, run := range runs {
		e.putUint(tables, run)
		e.first = append(e.first, number)
		number += int(run)
	}
	return nil
}
