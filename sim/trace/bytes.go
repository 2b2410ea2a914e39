package trace

import (
	"encoding/binary"
	"slices"
	"unsafe"
)

// Bytes returns the memory of numbers as bytes, without copying them.
func Bytes[T float32 | float64 | uint16](x []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), size[T]()*len(x))
}

func size[T any]() int {
	var one T
	return int(unsafe.Sizeof(one))
}

// littleEndian reports whether this machine stores numbers as they are encoded, the lowest byte
// first.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// swapBytes reverses the bytes of each number of the given size.
func swapBytes(b []byte, size int) {
	for number := range slices.Chunk(b, size) {
		slices.Reverse(number)
	}
}

// write writes the number of values, and the values.
func write[T float32 | uint16](e *encoder, x []T) {
	e.count(len(x))
	at := len(e.b)
	if e.b = append(e.b, Bytes(x)...); !littleEndian {
		swapBytes(e.b[at:], size[T]())
	}
}

// read reads what write wrote, into the memory of dst if it is large enough.
func read[T float32 | uint16](d *decoder, dst []T) []T {
	dst = Resize(dst, d.count(size[T]()))
	b := Bytes(dst)
	if copy(b, d.take(len(b))); !littleEndian {
		swapBytes(b, size[T]())
	}
	return dst
}
