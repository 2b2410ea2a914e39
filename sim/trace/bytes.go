package trace

import (
	"encoding/binary"
	"slices"
	"unsafe"
)

// Bytes returns numbers as they lie in memory, without copying them.
func Bytes[T float32 | float64 | uint16](x []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), size[T]()*len(x))
}

func size[T any]() int {
	var one T
	return int(unsafe.Sizeof(one))
}

// asTravels is whether numbers lie in memory as they travel, the lowest byte first.
var asTravels = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// turn turns the bytes of numbers of some size around where they lie otherwise.
func turn(b []byte, size int) {
	for number := range slices.Chunk(b, size) {
		slices.Reverse(number)
	}
}

// write writes how many numbers there are, and the numbers.
func write[T float32 | uint16](e *encoder, x []T) {
	e.count(len(x))
	at := len(e.b)
	if e.b = append(e.b, Bytes(x)...); !asTravels {
		turn(e.b[at:], size[T]())
	}
}

// read reads what write wrote into the memory of dst.
func read[T float32 | uint16](d *decoder, dst []T) []T {
	dst = Resize(dst, d.count(size[T]()))
	b := Bytes(dst)
	if copy(b, d.take(len(b))); !asTravels {
		turn(b, size[T]())
	}
	return dst
}
