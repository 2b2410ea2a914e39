package slim

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// minGap is the number of zeroes at which a data segment ends.
//
// Go's linker ends one at every eight zeroes, which gives some hundred thousand
// segments and the smallest program without compression. But zeroes compress to almost
// nothing, and the addresses of segments do not: with few of them the program is a ninth
// larger, and compressed a twelfth smaller.
const minGap = 64

// The parts of a WebAssembly module that are used here; see "Binary Format" in the WebAssembly Core Specification.
const (
	wasmHeader  = "\x00asm\x01\x00\x00\x00"
	dataSection = 11
	activeData  = 0 // a segment that is copied to memory 0 at the start
	opI32Const  = 0x41
	opEnd       = 0x0b
	maxMemory   = 1 << 28 // maximum bytes of a program's memory at the start
)

var errModule = errors.New("not a WebAssembly module as Go's linker writes them")

// rewriteMemory returns a module whose memory at start is what change makes of
// it, written with few data segments.
func rewriteMemory(module []byte, change func(memory []byte) error) ([]byte, error) {
	out := []byte(wasmHeader)
	err := sections(module, func(id byte, content []byte) error {
		if id == dataSection {
			memory, err := readMemory(content)
			if err != nil {
				return err
			}
			if err := change(memory); err != nil {
				return err
			}
			content = appendMemory(nil, memory)
		}
		out = appendSection(out, id, content)
		return nil
	})
	return out, err
}

// sections calls f with every section of a module, until f returns an error.
func sections(module []byte, f func(id byte, content []byte) error) error {
	rest, ok := bytes.CutPrefix(module, []byte(wasmHeader))
	if !ok {
		return errModule
	}
	for r := (reader{rest: rest}); len(r.rest) > 0; {
		id := r.readByte()
		content := r.bytes(r.uint())
		if r.failed {
			return errModule
		}
		if err := f(id, content); err != nil {
			return err
		}
	}
	return nil
}

// appendSection appends a section to a module.
func appendSection(out []byte, id byte, content []byte) []byte {
	out = binary.AppendUvarint(append(out, id), uint64(len(content)))
	return append(out, content...)
}

// readMemory returns the memory that a data section sets up.
func readMemory(section []byte) ([]byte, error) {
	var memory []byte
	r := reader{rest: section}
	for i := range r.uint() {
		kind, opcode, at, end := r.readByte(), r.readByte(), r.int(), r.readByte()
		content := r.bytes(r.uint())
		if r.failed || kind != activeData || opcode != opI32Const || end != opEnd || at < 0 ||
			at > maxMemory-len(content) {
			return nil, fmt.Errorf("%w: data segment %d", errModule, i)
		}
		if more := at + len(content) - len(memory); more > 0 {
			memory = append(memory, make([]byte, more)...)
		}
		copy(memory[at:], content)
	}
	if r.failed || len(r.rest) > 0 {
		return nil, fmt.Errorf("%w: length of the data section", errModule)
	}
	return memory, nil
}

// appendMemory appends the data section that sets up a memory.
func appendMemory(out, memory []byte) []byte {
	segments := split(memory)
	out = binary.AppendUvarint(out, uint64(len(segments)))
	for _, s := range segments {
		out = append(out, activeData, opI32Const)
		out = append(appendInt(out, s.from), opEnd)
		out = binary.AppendUvarint(out, uint64(s.to-s.from))
		out = append(out, memory[s.from:s.to]...)
	}
	return out
}

// A segment is a range of memory.
type segment struct{ from, to int }

// split returns the segments of memory that are at least minGap zeroes apart.
func split(memory []byte) []segment {
	var segments []segment
	for i, b := range memory {
		if b == 0 {
			continue
		}
		if n := len(segments); n > 0 && i-segments[n-1].to < minGap {
			segments[n-1].to = i + 1
		} else {
			segments = append(segments, segment{i, i + 1})
		}
	}
	return segments
}

// appendInt appends a number in signed LEB128, which encoding/binary lacks.
func appendInt(out []byte, v int) []byte {
	for ; v < -64 || v >= 64; v >>= 7 {
		out = append(out, byte(v)|0x80)
	}
	return append(out, byte(v)&0x7f)
}

// A reader reads a module. Reading past the end is an error, kept in failed, and gives
// zeroes.
type reader struct {
	rest   []byte
	failed bool
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.rest, r.failed = nil, true
		return nil
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *reader) readByte() byte {
	if b := r.bytes(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

// number returns the bytes of a number in LEB128: all but the last have their
// highest bit set.
func (r *reader) number() []byte {
	n := slices.IndexFunc(r.rest, func(b byte) bool { return b < 0x80 })
	if n < 0 {
		n = len(r.rest) // too long by one
	}
	return r.bytes(uint64(n) + 1)
}

func (r *reader) uint() uint64 {
	v, n := binary.Uvarint(r.number())
	r.failed = r.failed || n <= 0 // n is negative for more than 64 bits
	return v
}

// int reads a number in signed LEB128.
func (r *reader) int() int {
	v, shift := 0, 0
	for _, b := range r.number() {
		v |= int(b&0x7f) << shift
		shift += 7
	}
	if shift > 35 {
		r.failed = true // an i32 has five bytes at most
		return 0
	}
	return v << (64 - shift) >> (64 - shift)
}
