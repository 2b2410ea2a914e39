package e2e

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestBenchServers measures both servers as a visitor would: how many requests
// they answer a second, and how long one takes. It asserts nothing but that
// they answer.
//
//	FLOCKSCOPE_BENCH=1 go test -run TestBenchServers -v
func TestBenchServers(t *testing.T) {
	if os.Getenv("FLOCKSCOPE_BENCH") == "" {
		t.Skip("FLOCKSCOPE_BENCH is not set")
	}
	if info, err := os.Stat(filepath.Join(root, ".build", "edge", "app.wasm")); err == nil {
		t.Logf("the Worker's program has %d bytes; make edge says how many with gzip", info.Size())
	}
	OnServers(t, func(t *testing.T, s *server) {
		made := s.Client(t).Do("POST", "/api/links", "data=linreg&dphi=8&algos=cflgp,clove&t=14").JSON(t)
		link := fmt.Sprintf("/s/%s", made["id"])
		picture := fmt.Sprintf("/og/%s", made["id"])
		for _, m := range []struct {
			what, method string
			target       func(n int) string
			body         func(n int) string
		}{
			{"page, start", "GET", func(int) string { return "/" }, nil},
			{"page, long link", "GET", func(n int) string { return fmt.Sprintf("/?dphi=8&sd=%d", n) }, nil},
			{"link, kept", "GET", func(int) string { return link }, nil},
			{"link, opened", "GET", func(n int) string { return fmt.Sprintf("%s?data=linreg&sd=%d", link, n) }, nil},
			{"link, made", "POST", func(int) string { return "/api/links" }, func(n int) string { return fmt.Sprintf("dphi=8&sd=%d", n) }},
			{"preview PNG, kept", "GET", func(int) string { return picture + ".png" }, nil},
			{"preview PNG, drawn", "GET", func(n int) string { return fmt.Sprintf("/og.png?dphi=8&sd=%d", n) }, nil},
			{"preview SVG, drawn", "GET", func(n int) string { return fmt.Sprintf("/og.svg?dphi=8&sd=%d", n) }, nil},
			{"file, brotli", "GET", func(int) string { return "/assets/boot.js" }, nil},
			{"health", "GET", func(int) string { return "/healthz" }, nil},
		} {
			for _, at := range []int{1, 8} {
				took, rate := load(t, s, at, m.method, m.target, m.body)
				if len(took) == 0 {
					continue // and it was said why
				}
				t.Logf("%-20s %d at once  %7.0f a second  p50 %7.2f  p99 %7.2f ms", m.what, at, rate, took.at(0.5),
					took.at(0.99))
			}
		}
	})
}

// load sends requests from so many connections at once, for about two seconds,
// and returns how long each took, in ms, and how many were answered a second.
func load(t *testing.T, s *server, at int, method string, target, body func(n int) string) (spread, float64) {
	t.Helper()
	const forLong, warmUp = 2 * time.Second, 300 * time.Millisecond
	var mu sync.Mutex
	var took spread
	n, start := at*1_000_000, time.Now() // what is new is new every time
	var all sync.WaitGroup
	for range at {
		all.Go(func() {
			var c *http.Client
			var who int
			for sent := 0; time.Since(start) < forLong+warmUp; sent++ {
				if sent%40 == 0 { // somebody else, before the limits say so
					mu.Lock()
					s.clients++
					who = s.clients
					mu.Unlock()
					from := net.IPv4(127, 1, byte(who/250), byte(who%250+1))
					dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: from}}
					transport := &http.Transport{DialContext: dialer.DialContext, DisableCompression: true}
					defer transport.CloseIdleConnections()
					c = &http.Client{Transport: transport, Timeout: limit}
				}
				mu.Lock()
				n++
				number := n
				mu.Unlock()
				content := ""
				if body != nil {
					content = body(number)
				}
				r, err := http.NewRequest(method, s.address+target(number), strings.NewReader(content))
				if err != nil {
					t.Error(err)
					return
				}
				r.Header.Set("Accept-Encoding", "br")
				r.Header.Set("CF-Connecting-IP", fmt.Sprintf("2001:db8:%x:%x::", who/65536, who%65536))
				begin := time.Now()
				answer, err := c.Do(r)
				if err != nil {
					t.Error(err)
					return
				}
				io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
				if answer.StatusCode >= 400 {
					t.Errorf("%s %s = %d", method, target(number), answer.StatusCode)
					return
				}
				if begin.Sub(start) > warmUp {
					mu.Lock()
					took = append(took, float64(time.Since(begin))/float64(time.Millisecond))
					mu.Unlock()
				}
			}
		})
	}
	all.Wait()
	return took, float64(len(took)) / (time.Since(start) - warmUp).Seconds()
}
