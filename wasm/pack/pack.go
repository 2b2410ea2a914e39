// Package pack makes programs smaller that Go has compiled for WebAssembly, for sending:
// [NewProgram] is all that a build needs, and FORMAT.md says what it expects of Go.
//
// [Pack] writes a program so that it compresses better: packed, it has two thirds of the size with brotli.
// [Unpack] returns the same bytes; assets/unpack.js does that in the page.
//
// A compressor finds repeated bytes, and in a module few sequences repeat: between two
// instructions that are always neighbours is an address, the number of a block, or an
// offset on the stack, and these differ. So the format splits the instructions of all
// functions into streams of values of one kind, one stream after the other, and writes
// the difference between a value and its prediction.
//
//	magic          "flk", 1 (the version)
//	numbers        in LEB128: the length of the module; where in it the bodies
//	               of functions begin; how many there are; the length of each
//	               stream, in their order
//	streams
//
// The instructions themselves are words: the bytes that are the same at each use (an
// opcode, often with an operand), and the kind of operand that follows and its stream;
// see [word]. Words that are often neighbours form a phrase, and phrases with their
// neighbours longer ones. A byte stands for a word or a phrase; see dictionary.go.
//
// The predictions:
//
//   - The body of a function has no length, and no instruction has an alignment:
//     the length follows from the end, and the alignment is the natural one.
//   - The label of a branch is counted from the outermost block.
//   - Every Go function begins with a br_table that leads to all places where it
//     can be resumed: each block at one number or at several in a row. The table is
//     written as the number of numbers of each block. Jumps and return addresses are
//     such numbers, and are written as the difference between blocks, or numbers.
//   - A location on Go's stack is one of those used last.
//
// The files:
//
//	program.go     from the compiled program to what is sent
//	slim           a package: leaves out what only the trace of a crash shows
//	pack.go        the format
//	encode.go      packs functions; unpack.go unpacks them
//	word.go        instructions and their operands
//	dictionary.go  words and phrases
package pack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

const (
	magic      = "flk\x01"
	wasmHeader = "\x00asm\x01\x00\x00\x00"
	maxLength  = 1 << 28 // maximum bytes of a module

	// firstFunction is what the addresses of a program's first function begin
	// with: an address is this plus the function's place in the code section,
	// times 65536, plus a number in the function's br_table (cmd/link/internal/wasm).
	firstFunction = 0x1000
)

// The streams, in their order in the file.
const (
	outsideBodies = iota // the parts of the module before and after the bodies of functions
	words                // the dictionary
	text                 // the words and phrases
	locals               // which locals a function has, as in the module
	tables               // see decoder.table
	calls                // numbers of functions, two bytes each, the higher one first
	jumps                // operands of kind jump
	returns              // operands of kind ret
	addresses            // i64.const beyond all small numbers, four bytes, the highest first
	ints                 // i32.const, as in the module
	longs                // i64.const, as in the module
	floats               // f32.const and f64.const, as in the module
	others               // rare operands, as in the module
	fields               // offsets of loads that are not from the stack, as in the module
	fieldsSet            // offsets of stores that are not to the stack, as in the module
	ranks                // which location on the stack is loaded, counted from the one last used
	slots                // the offset, if it is not among the ranked locations; see offsetBits
	slotsSet             // offsets of stores to the stack
	streams
)

var (
	errModule = errors.New("not a WebAssembly module as Go's linker writes them")
	errPacked = errors.New("not a packed module, or a damaged one")
)

// Pack returns a module in this package's format. It knows the instructions that
// Go's compiler uses, and returns an error for others.
func Pack(module []byte) ([]byte, error) {
	from, to, err := findBodies(module)
	if err != nil {
		return nil, err
	}
	e := &encoder{in: reader{b: module[:to], at: from}, numbers: map[word]int{}}
	functions := 0
	for ; e.in.at < to; functions++ {
		if err := e.function(functions); err != nil {
			return nil, fmt.Errorf("function %d: %w", functions, err)
		}
	}
	e.streams[outsideBodies] = append(module[:from:from], module[to:]...)
	e.streams[words], e.streams[text] = compose(e.words, e.text)

	out := []byte(magic)
	for _, v := range []int{len(module), from, functions} {
		out = binary.AppendUvarint(out, uint64(v))
	}
	for _, s := range e.streams {
		out = binary.AppendUvarint(out, uint64(len(s)))
	}
	for _, s := range e.streams {
		out = append(out, s...)
	}
	if again, err := Unpack(out); err != nil || !bytes.Equal(again, module) {
		return nil, fmt.Errorf("%w: unpacked, it is not the same (%v)", errModule, err)
	}
	return out, nil
}

// findBodies returns the position of the bodies of functions in a module.
func findBodies(module []byte) (from, to int, err error) {
	const codeSection = 10
	if !bytes.HasPrefix(module, []byte(wasmHeader)) {
		return 0, 0, errModule
	}
	r := reader{b: module, at: len(wasmHeader)}
	for r.at < len(r.b) {
		id := r.readByte()
		end := int(r.uint())
		if end += r.at; r.failed || end < r.at || end > len(module) {
			return 0, 0, errModule
		}
		if id == codeSection {
			r.uint() // number of bodies
			return r.at, end, nil
		}
		r.at = end
	}
	return 0, 0, fmt.Errorf("%w: it has no functions", errModule)
}

// A reader reads bytes. Reading past the end is an error, kept in failed, and gives zeroes.
type reader struct {
	b      []byte
	at     int
	failed bool
}

func (r *reader) readByte() byte {
	if r.at >= len(r.b) {
		r.failed = true
		return 0
	}
	r.at++
	return r.b[r.at-1]
}

func (r *reader) bytes(n int) []byte {
	if n > len(r.b)-r.at {
		r.at, r.failed = len(r.b), true
		return nil
	}
	r.at += n
	return r.b[r.at-n : r.at]
}

// leb returns the bytes of a number in LEB128.
func (r *reader) leb() []byte {
	from := r.at
	for r.readByte() >= 0x80 {
	}
	return r.b[from:r.at]
}

func (r *reader) uint() uint64 {
	v, n := binary.Uvarint(r.leb())
	r.failed = r.failed || n <= 0
	return v
}

// int reads a number in signed LEB128.
func (r *reader) int() int64 {
	var v int64
	var shift uint
	for _, b := range r.leb() {
		v |= int64(b&0x7f) << shift
		shift += 7
	}
	if shift < 64 {
		v = v << (64 - shift) >> (64 - shift)
	}
	return v
}

// appendInt appends a number in signed LEB128.
func appendInt(out []byte, v int64) []byte {
	for ; v < -64 || v >= 64; v >>= 7 {
		out = append(out, byte(v)|0x80)
	}
	return append(out, byte(v)&0x7f)
}

// zigzag maps numbers near zero to small numbers; unzigzag is its inverse.
func zigzag(v int) uint64   { return uint64(v<<1) ^ uint64(v>>63) }
func unzigzag(v uint64) int { return int(v>>1) ^ -int(v&1) }
