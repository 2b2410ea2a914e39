package workers

import (
	"encoding/binary"
	"io"
	"math"

	"flockscope/sim/trace"
)

// Message is a request to a shard, or its reply: small values are encoded into one piece, and long lists of numbers
// stay as they are in memory, so that each is copied once when it is sent and once when it is received. Both ends are
// on one machine, so their byte order is the same.
type Message struct {
	Small []byte
	Long  [][]byte
}

// Incoming is a received message: its long lists are read in order, directly into their
// destinations.
type Incoming struct {
	Small []byte
	Long  LongReader
}

// LongReader reads the long lists of a message, as a bytes.Reader does.
type LongReader interface {
	io.Reader
	Len() int // unread bytes
}

// longList is the number of bytes from which a list is a long one.
const longList = 1024

// encoder writes a message.
type encoder struct{ Message }

func (p *encoder) reset() { p.Small, p.Long = p.Small[:0], p.Long[:0] }

func (p *encoder) list(b []byte) {
	if len(b) < longList {
		p.Small = append(p.Small, b...)
	} else {
		p.Long = append(p.Long, b)
	}
}

func (p *encoder) floats(x []float32)  { p.list(trace.Bytes(x)) }
func (p *encoder) doubles(x []float64) { p.list(trace.Bytes(x)) }
func (p *encoder) shorts(x []uint16)   { p.list(trace.Bytes(x)) }
func (p *encoder) flag(v bool)         { p.Small = append(p.Small, bit(v)) }
func (p *encoder) text(s string)       { p.int(len(s)); p.Small = append(p.Small, s...) }

func (p *encoder) int(n int) {
	p.Small = append(p.Small, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
}

func (p *encoder) long(n int64)    { p.Small = binary.LittleEndian.AppendUint64(p.Small, uint64(n)) }
func (p *encoder) float(x float32) { p.int(int(math.Float32bits(x))) }

func bit(v bool) byte {
	if v {
		return 1
	}
	return 0
}

// decoder reads a message. Reading past the end sets failed.
type decoder struct {
	Incoming
	failed bool
}

// take returns the next n bytes of the small values.
func (p *decoder) take(n int) []byte {
	if n < 0 || n > len(p.Small) {
		p.fail()
		return nil
	}
	out := p.Small[:n]
	p.Small = p.Small[n:]
	return out
}

func (p *decoder) fail() { p.failed, p.Small = true, nil }

// fill reads the next list into dst.
func (p *decoder) fill(dst []byte) {
	if len(dst) < longList {
		copy(dst, p.take(len(dst)))
	} else if p.failed || p.Long == nil {
		p.fail()
	} else if _, err := io.ReadFull(p.Long, dst); err != nil {
		p.fail()
	}
}

// complete reports whether the message was read exactly to its end.
func (p *decoder) complete() bool {
	return !p.failed && len(p.Small) == 0 && (p.Long == nil || p.Long.Len() == 0)
}

func (p *decoder) readFloats(x []float32)  { p.fill(trace.Bytes(x)) }
func (p *decoder) readDoubles(x []float64) { p.fill(trace.Bytes(x)) }
func (p *decoder) readShorts(x []uint16)   { p.fill(trace.Bytes(x)) }
func (p *decoder) readText() string        { return string(p.take(p.readInt())) }

func (p *decoder) readFlag() bool {
	b := p.take(1)
	return len(b) == 1 && b[0] == 1
}

// readList reads a length and as many floats, and reports whether the message was long enough.
func (p *decoder) readList(x *[]float32) bool {
	n := p.readInt()
	if p.failed || n < 0 || 4*n > p.left(4*n) {
		return false
	}
	*x = trace.Resize(*x, n)
	p.readFloats(*x)
	return true
}

// left returns the number of unread bytes in the part of a message that holds a list of n bytes.
func (p *decoder) left(n int) int {
	if n < longList {
		return len(p.Small)
	}
	if p.Long == nil {
		return 0
	}
	return p.Long.Len()
}

func (p *decoder) readFloat() float32 { return math.Float32frombits(uint32(p.readInt())) }

func (p *decoder) readLong() int64 {
	b := p.take(8)
	if b == nil {
		return 0
	}
	return int64(binary.LittleEndian.Uint64(b))
}

// readInt reads a number of at most 2³¹ − 1.
func (p *decoder) readInt() int {
	b := p.take(4)
	if b == nil {
		return 0
	}
	return int(int32(uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24))
}
