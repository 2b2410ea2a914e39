package reader

import (
	"bytes"
	"compress/gzip"
	"testing"
)

// TestInflate: whatever comes out is what went in, and what cannot is left to others.
func TestInflate(t *testing.T) {
	text := bytes.Repeat([]byte("a line that comes again and again, with a number: 0 1 2 3\n"), 1<<12)
	packed := func(data []byte) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		w.Write(data)
		w.Close()
		return b.Bytes()
	}
	whole := packed(text)
	damaged := bytes.Clone(whole)
	damaged[len(damaged)/2] ^= 0xff
	liar := bytes.Clone(whole)
	liar[len(liar)-1] = 0xff // it promises 4 GB
	tests := []struct {
		name string
		data []byte
		most int
		want []byte // nil where it is not to be had
	}{
		{"whole", whole, 1 << 20, text},
		{"just enough room", whole, len(text), text},
		{"too little room", whole, len(text) - 1, nil},
		{"empty", packed(nil), 1 << 20, []byte{}},
		{"cut off", whole[:len(whole)-9], 1 << 20, nil},
		{"damaged", damaged, 1 << 20, nil},
		{"lying about its length", liar, 1 << 20, nil},
		{"no gzip", []byte("plain"), 1 << 20, nil},
		{"nothing", nil, 1 << 20, nil},
	}
	for _, tt := range tests {
		got, ok := inflate(tt.data, tt.most)
		if ok != (tt.want != nil) || !bytes.Equal(got, tt.want) {
			t.Errorf("%s: %d bytes, %v; want %d, %v", tt.name, len(got), ok, len(tt.want), tt.want != nil)
		}
	}
}
