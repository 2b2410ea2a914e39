package shell

import (
	"encoding/base64"
	"encoding/binary"
	"strings"
	"testing"

	"flockscope/sim/trace"
)

// TestBitmap: numbers become grey levels of a BMP file: 0 is grey, the largest one white or black.
func TestBitmap(t *testing.T) {
	grey := bitmap(&trace.Gallery{Height: 2, Width: 3, Channels: 1}, []float64{0, 2, -2, 1, 0, 0})
	text, ok := strings.CutPrefix(grey, "data:image/bmp;base64,")
	file, err := base64.StdEncoding.DecodeString(text)
	if !ok || err != nil || len(file) != 54+2*12 || string(file[:2]) != "BM" {
		t.Fatalf("%d bytes, %v", len(file), err)
	}
	for at, want := range map[int]int32{2: 78, 10: 54, 14: 40, 18: 3, 22: -2} {
		if got := int32(binary.LittleEndian.Uint32(file[at:])); got != want {
			t.Errorf("number at %d is %d, want %d", at, got, want)
		}
	}
	if planes, bits := file[26], file[28]; planes != 1 || bits != 24 {
		t.Errorf("%d planes of %d bits", planes, bits)
	}
	for n, want := range []byte{127, 254, 0, 191, 127, 127} {
		if got := file[54+n/3*12+n%3*3]; got != want {
			t.Errorf("pixel %d is %d, want %d", n, got, want)
		}
	}
	colour := bitmap(&trace.Gallery{Height: 1, Width: 1, Channels: 3}, []float64{1, 0, -1})
	file, _ = base64.StdEncoding.DecodeString(strings.TrimPrefix(colour, "data:image/bmp;base64,"))
	if got := [3]byte(file[54:57]); got != [3]byte{0, 127, 254} {
		t.Errorf("red is the bytes %v, want blue first", got)
	}
}
