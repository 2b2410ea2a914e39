//go:build !js

package main

import (
	"log"
	"net"
	"os"
	"strconv"
	"testing"
	"time"
)

// Some tests run the whole server as another process.
func TestMain(m *testing.M) {
	log.SetFlags(0)
	if os.Getenv("FLOCKSCOPE_SERVE") != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestListen(t *testing.T) {
	taken, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := strconv.Itoa(taken.Addr().(*net.TCPAddr).Port)
	tests := []struct {
		name, addr, port string
		ok               bool
	}{
		{"nothing asked for", "", "", true},
		{"free address", "localhost:0", "", true},
		{"free port", "", "0", true},
		{"taken address", "localhost:" + port, "", false},
		{"taken port", "", port, false},
		{"address before port", "localhost:0", port, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			listener, err := listen(tt.addr, "localhost", tt.port)
			if (err == nil) != tt.ok {
				t.Fatalf("listen(%q, %q) = %v, want ok %v", tt.addr, tt.port, err, tt.ok)
			}
			if err == nil {
				listener.Close()
			}
		})
	}
}

func TestConnections(t *testing.T) {
	for descriptors, want := range map[int]int{64: 50, 256: 78, 1024: 462, 4096: 1998, 1 << 20: 2000} {
		if got := maxConns(descriptors); got != want {
			t.Errorf("with %d descriptors there may be %d connections, want %d", descriptors, got, want)
		}
	}
	if got := descriptors(); got < 64 {
		t.Errorf("descriptors() = %d", got)
	}
}

// Without a port, each server takes the first free one.
func TestListenTakesTheNextPort(t *testing.T) {
	last := firstPort - 1
	for range 2 {
		listener, err := listen("", "localhost", "")
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close()
		port := listener.Addr().(*net.TCPAddr).Port
		if port <= last || port > lastPort {
			t.Errorf("it listens on port %d, want one from %d to %d", port, last+1, lastPort)
		}
		last = port
	}
}

// Timeouts and memory are bounded, and long enough for slow clients.
func TestServerIsBounded(t *testing.T) {
	s := newServer(t.TempDir(), "", "")
	if s.web.Store != nil || s.close() != nil {
		t.Error("where no links are wanted there is a store")
	}
	h := s.httpServer()
	for name, d := range map[string]time.Duration{"writeTimeout": s.writeTimeout, "shutdownTimeout": s.shutdownTimeout,
		"a head":    h.ReadHeaderTimeout,
		"a request": h.ReadTimeout, "the next request": h.IdleTimeout} {
		if d < 3*time.Second || d > 5*time.Minute {
			t.Errorf("the time for %s is %v", name, d)
		}
	}
	if h.MaxHeaderBytes < 8<<10 || h.MaxHeaderBytes > 1<<20 {
		t.Errorf("a head may have %d bytes", h.MaxHeaderBytes)
	}
	if size := s.web.Pictures.(*cache).size; size < 1<<20 || size > 256<<20 {
		t.Errorf("pictures may take %d bytes", size)
	}
}

func TestAddress(t *testing.T) {
	tests := []struct {
		name, ip string
		want     string
	}{
		{"loopback", "127.0.0.1", "http://localhost:80/"},
		{"all", "::", "http://localhost:80/"},
		{"other", "192.0.2.1", "http://192.0.2.1:80/"},
		{"other, version 6", "2001:db8::1", "http://[2001:db8::1]:80/"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := address(&net.TCPAddr{IP: net.ParseIP(tt.ip), Port: 80}); got != tt.want {
				t.Errorf("address(%s) = %s, want %s", tt.ip, got, tt.want)
			}
		})
	}
}

func TestCheckOrigin(t *testing.T) {
	tests := []struct {
		origin string
		ok     bool
	}{
		{"", true},
		{"https://flock.example.org", true},
		{"http://localhost:8080", true},
		{"https://flock.example.org/", false},
		{"flock.example.org", false},
		{"ftp://flock.example.org", false},
		{"https://", false},
		{"https://a/b", false},
	}
	for _, tt := range tests {
		if err := checkOrigin(tt.origin); (err == nil) != tt.ok {
			t.Errorf("checkOrigin(%q) = %v, want ok %v", tt.origin, err, tt.ok)
		}
	}
}
