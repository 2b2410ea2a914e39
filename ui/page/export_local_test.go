package page

import "testing"

// Addresses that only this computer can open are local.
func TestLocal(t *testing.T) {
	for home, want := range map[string]bool{
		"http://localhost:8080/": true, "http://127.0.0.1:9000/s/": true, "http://[::1]/": true, "file:///home/a/index.html": true,
		"http://flock.localhost/": true, "https://flock.example.org/": false, "http://192.168.1.7:8080/": false, "": false,
	} {
		if got := (&Exporter{Home: home}).IsLocal(); got != want {
			t.Errorf("Local with the address %q = %v, want %v", home, got, want)
		}
	}
}
