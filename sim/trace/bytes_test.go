package trace

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"
)

// What travels has its lowest byte first, whatever machine wrote it.
func TestBytes(t *testing.T) {
	x := []float32{1, -2.5, math.MaxFloat32}
	want := binary.LittleEndian.AppendUint32(nil, 3)
	for _, v := range x {
		want = binary.LittleEndian.AppendUint32(want, math.Float32bits(v))
	}
	var e encoder
	write(&e, x)
	if !bytes.Equal(e.b, want) {
		t.Errorf("written as % x, want % x", e.b, want)
	}
	b := []byte{1, 2, 3, 4, 5, 6}
	if swapBytes(b, 2); !bytes.Equal(b, []byte{2, 1, 4, 3, 6, 5}) {
		t.Errorf("turned by twos: % x", b)
	}
}
