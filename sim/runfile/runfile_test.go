package runfile

import "testing"

// Read never panics.
func FuzzRead(f *testing.F) {
	f.Add([]byte(head))
	f.Add([]byte(head + "\x00\x00\x00\x00\x20\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) { Read(data) })
}
