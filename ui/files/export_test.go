package files

import (
	"encoding/json"
	"testing"
)

func TestQuote(t *testing.T) {
	for _, text := range []string{"", "plain", `a "b" \c`, "line\nbreak\ttab\x00", "Δφ 20° — ünï 日本"} {
		var back string
		if err := json.Unmarshal([]byte(quote(text)), &back); err != nil || back != text {
			t.Errorf("%q is written %s and read %q, %v", text, quote(text), back, err)
		}
	}
}

// Whatever the bytes, reading them ends well.
func FuzzReadRun(f *testing.F) {
	f.Add([]byte(runHead))
	f.Add([]byte(runHead + "\x00\x00\x00\x00\x20\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) { ReadRun(data) })
}

// Addresses that readers cannot open are told from those that they can.
func TestLocal(t *testing.T) {
	for home, want := range map[string]bool{
		"http://localhost:8080/": true, "http://127.0.0.1:9000/s/": true, "http://[::1]/": true, "file:///home/a/index.html": true,
		"http://flock.localhost/": true, "https://flock.example.org/": false, "http://192.168.1.7:8080/": false, "": false,
	} {
		if got := (&Exporter{Home: home}).Local(); got != want {
			t.Errorf("Local with the address %q = %v, want %v", home, got, want)
		}
	}
}
