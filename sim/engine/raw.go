package engine

import "unsafe"

// Bytes of numbers as they lie in memory. They only ever go to another program
// of the same machine and back, so the order of bytes is nobody's concern, and a
// gradient of a hundred thousand parameters crosses in microseconds.

func floatBytes(x []float32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), 4*len(x))
}

func doubleBytes(x []float64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), 8*len(x))
}

func shortBytes(x []uint16) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), 2*len(x))
}

// parcel is bytes that are written, and read again, piece by piece. A parcel
// that is read beyond its end is torn.
type parcel struct {
	b    []byte
	torn bool
}

func (p *parcel) floats(x []float32)  { p.b = append(p.b, floatBytes(x)...) }
func (p *parcel) doubles(x []float64) { p.b = append(p.b, doubleBytes(x)...) }
func (p *parcel) shorts(x []uint16)   { p.b = append(p.b, shortBytes(x)...) }
func (p *parcel) flag(v bool)         { p.b = append(p.b, bit(v)) }
func (p *parcel) text(s string)       { p.int(len(s)); p.b = append(p.b, s...) }

func (p *parcel) int(n int) {
	p.b = append(p.b, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
}

func bit(v bool) byte {
	if v {
		return 1
	}
	return 0
}

// take returns the next n bytes.
func (p *parcel) take(n int) []byte {
	if n < 0 || n > len(p.b) {
		p.torn, p.b = true, nil
		return nil
	}
	out := p.b[:n]
	p.b = p.b[n:]
	return out
}

func (p *parcel) readFloats(x []float32)  { copy(floatBytes(x), p.take(4*len(x))) }
func (p *parcel) readDoubles(x []float64) { copy(doubleBytes(x), p.take(8*len(x))) }
func (p *parcel) readShorts(x []uint16)   { copy(shortBytes(x), p.take(2*len(x))) }
func (p *parcel) readText() string        { return string(p.take(p.readInt())) }

func (p *parcel) readFlag() bool {
	b := p.take(1)
	return len(b) == 1 && b[0] == 1
}

// readList reads a number and as many floats, and reports whether they were
// there.
func (p *parcel) readList(x *[]float32) bool {
	n := p.readInt()
	if p.torn || n < 0 || 4*n > len(p.b) {
		return false
	}
	*x = room(*x, n)
	p.readFloats(*x)
	return true
}

// readInt returns a number of up to 2³¹ − 1.
func (p *parcel) readInt() int {
	b := p.take(4)
	if b == nil {
		return 0
	}
	return int(int32(uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24))
}
