//go:build !js

package main

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"flockscope/wasm/web"
)

const page = "<!doctype html>\n<title>Flockscope</title>\n<meta name=\"description\" content=\"words\">\n<body>\n"

// largeSize is more than the buffers of a connection hold.
const largeSize = 32 << 20

// running is a server under test, which reports closed connections.
type running struct {
	t       *testing.T
	address string        // host:port
	closed  chan struct{} // one for each connection that the server closed
	stop    func() error  // tells the server to stop and waits for it
}

// run starts a server with a small site; change, if not nil, changes it first.
func run(t *testing.T, origin string, change func(s *server)) *running {
	t.Helper()
	dir := t.TempDir()
	large := string(make([]byte, largeSize))
	for name, content := range map[string]string{"index.html": page, "assets/link.js": "link", "large.bin": large} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	options.NoSync = true
	s := newServer(dir, filepath.Join(t.TempDir(), "links.db"), origin)
	options.NoSync = false
	if change != nil {
		change(s)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &running{t: t, address: listener.Addr().String(), closed: make(chan struct{}, 10000)}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.serve(ctx, &watched{listener, r.closed}) }()
	r.stop = sync.OnceValue(func() error {
		cancel()
		err := <-done
		s.close()
		return err
	})
	t.Cleanup(func() { r.stop() })
	return r
}

// A watched listener tells when the server closes a connection.
type watched struct {
	net.Listener
	closed chan struct{}
}

type watchedConn struct {
	*net.TCPConn
	closed func()
}

func (l *watched) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &watchedConn{c.(*net.TCPConn), sync.OnceFunc(func() { l.closed <- struct{}{} })}, nil
}

func (c *watchedConn) Close() error {
	defer c.closed()
	return c.TCPConn.Close()
}

// dial opens a connection, which takes little of what it is sent where that is asked
// for.
func (r *running) dial(small bool) net.Conn {
	r.t.Helper()
	dialer := net.Dialer{Control: func(_, _ string, raw syscall.RawConn) error {
		return raw.Control(func(fd uintptr) {
			if small {
				syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4096)
			}
		})
	}}
	c, err := dialer.Dial("tcp", r.address)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { c.Close() })
	return c
}

// send sends bytes as they are and returns the answer.
func (r *running) send(request string) (*http.Response, string) {
	r.t.Helper()
	c := r.dial(false)
	defer c.Close()
	go io.WriteString(c, request) // the server may answer before it read everything
	method, _, _ := strings.Cut(request, " ")
	answer, err := http.ReadResponse(bufio.NewReader(c), &http.Request{Method: method})
	if err != nil {
		r.t.Fatalf("%.200q: %v", request, err)
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		r.t.Fatalf("%.200q: %v", request, err)
	}
	return answer, string(body)
}

// get asks for a path, with more lines of the head.
func (r *running) get(target string, lines ...string) (*http.Response, string) {
	r.t.Helper()
	head := append([]string{"GET " + target + " HTTP/1.1", "Host: " + r.address}, lines...)
	return r.send(strings.Join(head, "\r\n") + "\r\n\r\n")
}

func (r *running) post(query string) (*http.Response, string) {
	r.t.Helper()
	const request = "POST /api/links HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n\r\n%s"
	return r.send(fmt.Sprintf(request, r.address, len(query), query))
}

// made makes a link and returns its id.
func (r *running) makeLink(query string) string {
	r.t.Helper()
	answer, body := r.post(query)
	var link struct{ ID string }
	if err := json.Unmarshal([]byte(body), &link); err != nil || answer.StatusCode >= 300 {
		r.t.Fatalf("POST %q = %d %s", query, answer.StatusCode, body)
	}
	return link.ID
}

// Scheme, host and sender in a request do not appear in answers to others, and in its own
// answer only the host does.
func TestServeIgnoresForgedHeaders(t *testing.T) {
	for _, origin := range []string{"", "https://flock.example.org"} {
		r := run(t, origin, nil)
		own := origin
		if own == "" {
			own = "http://" + r.address
		}
		id := r.makeLink("data=linreg&dphi=8&algos=clove")
		targets := []string{"/s/" + id, "/", "/?dphi=8", "/og/" + id + ".svg",
			"/oembed?url=" + strings.ReplaceAll(own, ":", "%3A") + "/s/" + id}
		var before []string
		for _, target := range targets {
			answer, body := r.get(target)
			if answer.StatusCode != 200 {
				t.Fatalf("GET %s = %d %s", target, answer.StatusCode, body)
			}
			before = append(before, body)
		}
		host := "Host: " + r.address
		for _, attack := range []struct {
			prefix string // before the path, in the request's first line
			lines  string
			status int // 0 where the answer is that of an honest request
		}{
			{"javascript://" + r.address, host, 0},
			{"https://" + r.address, host, 0},
			{"data://" + r.address, host, 0},
			{"http://user:word@" + r.address, host, 0},
			{"javascript:alert(1)", host, 404},
			{"//evil.example", host, 404},
			{"http://" + r.address + "/", host, 404},
			{"", host + "\r\nX-Forwarded-Proto: javascript\r\nX-Forwarded-Host: evil.example", 0},
			{"", host + "\r\nForwarded: host=evil.example;proto=javascript\r\nX-Forwarded-For: evil", 0},
			{"", host + "\r\nX-Original-URL: /evil\r\nX-Rewrite-URL: /evil\r\nX-HTTP-Method-Override: POST", 0},
			{"", host + "\r\nX-Forwarded-Scheme: evil\r\nX-Forwarded-Prefix: /evil\r\nX-Host: evil", 0},
			{"javascript://evil.example", host, -1},
			{"", "Host: evil.example", -1},
			{"", "Host: evil.example:99999", 400},
			{"", "Host: evil@" + r.address, 400},
			{"", "Host: " + r.address + "\r\nHost: evil.example", 400},
			{"", "Host: evil\"><script>", 400},
			{"", "Host: evil%22", 400},
			{"", "Host: evil'", 400},
			{"", "Host: [evil]", 400},
			{"", "Host: evil:80:80", 400},
			{"", "Host: /evil", 400},
			{"", "Host: ::1", 400},
			{"", "Host: .", 400},
			{"", "Host: ", 400},
			{"", "X-Nothing: 1", 400},
		} {
			for i, target := range targets {
				request := "GET " + attack.prefix + target + " HTTP/1.1\r\n" + attack.lines + "\r\n\r\n"
				answer, body := r.send(request)
				status := attack.status
				if origin != "" && status == 400 && answer.StatusCode == 200 {
					status = 0 // an odd host does no harm where it is not believed
				}
				switch status {
				case 0:
					if answer.StatusCode != 200 || body != before[i] {
						t.Errorf("%q answers %d\n%s\nwant\n%s", request, answer.StatusCode, body, before[i])
					}
				case -1: // whoever names another host may see that host, over http
					const evil = "http://evil.example/"
					plain := strings.NewReplacer(evil, own+"/", urlEscaped(evil), urlEscaped(own+"/")).Replace(body)
					if plain != before[i] && !(answer.StatusCode == 404 && strings.HasPrefix(target, "/oembed")) {
						t.Errorf("%q answers %d\n%s", request, answer.StatusCode, body)
					}
				default:
					if answer.StatusCode != status || strings.Contains(body, "evil") {
						t.Errorf("%q answers %d %q, want %d", request, answer.StatusCode, body, status)
					}
				}
				if strings.Contains(body, "javascript:") || strings.Contains(body, "<script>") {
					t.Errorf("%q answers\n%s", request, body)
				}
				if _, body := r.get(target); body != before[i] {
					t.Fatalf("after %q others get\n%s\nwant\n%s", request, body, before[i])
				}
			}
		}
		for _, before := range []string{"javascript://" + r.address, "//" + r.address, "http://evil@" + r.address, ""} {
			url := before + "/s/" + id
			if answer, body := r.get("/oembed?url=" + urlEscaped(url)); answer.StatusCode != 404 {
				t.Errorf("oEmbed of %s answers %d %s, want 404", url, answer.StatusCode, body)
			}
		}
	}
}

func urlEscaped(s string) string {
	return strings.NewReplacer(":", "%3A", "/", "%2F", "@", "%40").Replace(s)
}

// A picture is drawn once, whatever follows its "?" and however its id is spelled. Each drawn
// picture counts against the rate limit, with a stored link or without.
func TestServePicturesAreLimited(t *testing.T) {
	now := time.Unix(6000, 0)
	r := run(t, "", func(s *server) {
		s.web.Drawings.(*limiter).now = func() time.Time { return now }
		s.web.Posts = nil
	})
	id := r.makeLink("data=linreg&dphi=8&algos=clove&sd=1")
	first := ""
	for i := range drawingsPerMinute + 20 {
		spelled := id
		if i%2 == 1 {
			spelled = strings.NewReplacer("0", "o", "1", "L").Replace(strings.ToUpper(id))
		}
		answer, body := r.get(fmt.Sprintf("/og/%s.svg?x=%d", spelled, i))
		if first == "" {
			first = body
		}
		if answer.StatusCode != 200 || body != first {
			t.Fatalf("picture %d answers %d, and it is another one", i, answer.StatusCode)
		}
		answer, body = r.get(fmt.Sprintf("/og.svg?x=%d&sd=1&algos=clove&dphi=8", i))
		if answer.StatusCode != 200 || body != first {
			t.Fatalf("the long link's picture %d answers %d, and it is another one", i, answer.StatusCode)
		}
	}
	drawn := 1 // of both kinds, in turn
	for i := range 2 * drawingsPerMinute {
		query := fmt.Sprintf("data=linreg&dphi=9&algos=local&sd=%d", i)
		target := "/og.svg?" + query
		if i%2 == 0 {
			target = "/og/" + r.makeLink(query) + ".svg"
		}
		answer, body := r.get(target)
		if answer.StatusCode == 200 {
			drawn++
		} else if answer.StatusCode != 429 || answer.Header.Get("Retry-After") != "60" {
			t.Fatalf("GET %s = %d %s", target, answer.StatusCode, body)
		}
	}
	if drawn != drawingsPerMinute {
		t.Errorf("%d pictures are drawn in a minute, want %d", drawn, drawingsPerMinute)
	}
	if answer, _ := r.get("/og/" + id + ".svg?later"); answer.StatusCode != 200 {
		t.Errorf("the first picture answers %d, though it is drawn", answer.StatusCode)
	}
	if answer, _ := r.send("HEAD /og.svg?sd=999 HTTP/1.1\r\nHost: localhost\r\n\r\n"); answer.StatusCode != 429 {
		t.Errorf("HEAD answers %d, though it draws", answer.StatusCode)
	}
}

// Of concurrent posts of one new link, one is answered as new.
func TestServeConcurrentPosts(t *testing.T) {
	r := run(t, "", nil)
	const query = "data=linreg&dphi=8&algos=clove"
	var all sync.WaitGroup
	answers := make(chan int, 40)
	for range cap(answers) {
		all.Go(func() {
			answer, err := http.Post("http://"+r.address+"/api/links", "text/plain", strings.NewReader(query))
			if err != nil {
				t.Error(err)
				return
			}
			answer.Body.Close()
			answers <- answer.StatusCode
		})
	}
	all.Wait()
	close(answers)
	count := map[int]int{}
	for status := range answers {
		count[status]++
	}
	if want := map[int]int{201: 1, 200: cap(answers) - 1}; !maps.Equal(count, want) {
		t.Errorf("the answers are %v, want %v", count, want)
	}
}

// Without its store the server answers 503 for links, not 404, and serves everything else.
func TestServeWithoutStore(t *testing.T) {
	name := filepath.Join(t.TempDir(), "links.db")
	first := opened(t, name)
	out := captureLog(t)
	other := newServer(t.TempDir(), name, "")
	if !strings.Contains(out.String(), errTaken.Error()) {
		t.Errorf("it says %q", out)
	}
	r := run(t, "", func(s *server) { s.web.Store, s.web.Key = other.web.Store, other.web.Key })
	for target, want := range map[string]int{
		"/s/0123456789": 503, "/og/0123456789.png": 503, "/s/x": 404, "/": 200, "/healthz": 200,
	} {
		answer, body := r.get(target)
		later := answer.Header.Get("Retry-After") != ""
		if answer.StatusCode != want || (want == 503) != later || strings.Contains(body, "flockscope-links") {
			t.Errorf("GET %s = %d %s, want %d", target, answer.StatusCode, body, want)
		}
	}
	if answer, body := r.post("dphi=8"); answer.StatusCode != 503 || !strings.Contains(body, "long link") {
		t.Errorf("POST = %d %s, want 503", answer.StatusCode, body)
	}
	if err := other.close(); err != nil {
		t.Error(err)
	}
	first.Close()
}

// A read-only store opens links and makes none.
func TestServeReadOnlyStore(t *testing.T) {
	name := filepath.Join(t.TempDir(), "links.db")
	s := opened(t, name)
	s.Put(context.Background(), "0123456789", "data=linreg&algos=local")
	s.Close()
	captureLog(t)
	options.OpenFile = func(name string, flag int, mode os.FileMode) (*os.File, error) {
		if flag&os.O_RDWR != 0 {
			return nil, syscall.EROFS
		}
		return os.OpenFile(name, flag, mode)
	}
	readable := newServer(t.TempDir(), name, "")
	options.OpenFile = nil
	defer readable.close()
	r := run(t, "", func(s *server) { s.web.Store, s.web.Key = readable.web.Store, readable.web.Key })
	answer, body := r.get("/s/0123456789")
	if answer.StatusCode != 200 || !strings.Contains(body, "data=linreg&amp;algos=local") ||
		strings.Contains(body, "flockscope-links") {
		t.Errorf("GET = %d %s", answer.StatusCode, body)
	}
	if answer, body := r.post("dphi=8"); answer.StatusCode != 503 {
		t.Errorf("POST = %d %s, want 503", answer.StatusCode, body)
	}
}

// Every answer has the common headers, also those that net/http writes by itself, and only
// behind https also Strict-Transport-Security.
func TestServeHeaders(t *testing.T) {
	for _, origin := range []string{"", "http://flock.example.org", "https://flock.example.org"} {
		r := run(t, origin, func(s *server) {
			inner := s.handler
			s.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/panic" {
					panic("on purpose")
				}
				inner.ServeHTTP(w, r)
			})
		})
		captureLog(t)
		host := "Host: " + r.address + "\r\n"
		for _, tt := range []struct {
			name, request string
			status        int
		}{
			{"page", "GET / HTTP/1.1\r\n" + host + "\r\n", 200},
			{"file", "GET /assets/link.js HTTP/1.1\r\n" + host + "\r\n", 200},
			{"health", "GET /healthz HTTP/1.1\r\n" + host + "\r\n", 200},
			{"old protocol", "GET /healthz HTTP/1.0\r\n" + host + "\r\n", 200},
			{"missing", "GET /nothing HTTP/1.1\r\n" + host + "\r\n", 404},
			{"missing api", "GET /api/nothing HTTP/1.1\r\n" + host + "\r\n", 404},
			{"method", "DELETE / HTTP/1.1\r\n" + host + "\r\n", 405},
			{"method of a file", "PUT /assets/link.js HTTP/1.1\r\n" + host + "\r\n", 405},
			{"options of all", "OPTIONS * HTTP/1.1\r\n" + host + "\r\n", 405},
			{"panic", "GET /panic HTTP/1.1\r\n" + host + "\r\n", 500},
			{"no request", "nonsense\r\n\r\n", 400},
			{"no host", "GET / HTTP/1.1\r\n\r\n", 400},
			{"bad header", "GET / HTTP/1.1\r\n" + host + "a b: c\r\n\r\n", 400},
			{"TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400},
			{"expectation", "GET / HTTP/1.1\r\n" + host + "Expect: more\r\n\r\n", 417},
			{"large head", "GET / HTTP/1.1\r\n" + host + "X: " + strings.Repeat("x", 100<<10) + "\r\n\r\n", 431},
			{"coding", "POST /api/links HTTP/1.1\r\n" + host + "Transfer-Encoding: x\r\n\r\n", 501},
			{"version", "GET / HTTP/3.0\r\n" + host + "\r\n", 505},
		} {
			answer, body := r.send(tt.request)
			if answer.StatusCode != tt.status {
				t.Errorf("%s: status %d %s, want %d", tt.name, answer.StatusCode, body, tt.status)
			}
			for name, want := range web.Headers {
				if at := cmp.Or(origin, "http://"+r.address); tt.name == "page" && name == "Content-Security-Policy" {
					want = web.PolicyAt(at)
				}
				got := answer.Header.Values(name)
				if len(got) != 1 || got[0] != want && name != "Cache-Control" {
					t.Errorf("%s: %s = %q, want %q once", tt.name, name, got, want)
				}
			}
			secure := answer.Header.Get("Strict-Transport-Security") != ""
			if want := strings.HasPrefix(origin, "https:"); secure != want {
				t.Errorf("%s at %q: HSTS %v, want %v", tt.name, origin, secure, want)
			}
		}
		// An interim answer is none of these.
		answer, body := r.send("POST /api/links HTTP/1.1\r\n" + host +
			"Content-Length: 6\r\nExpect: 100-continue\r\n\r\ndphi=8")
		if answer.StatusCode != 100 || len(answer.Header) > 0 {
			t.Errorf("an interim answer is %d %v %s", answer.StatusCode, answer.Header, body)
		}
	}
}

// Pages are compressed if the client accepts that, and not sent again if it has them.
func TestServeCompressed(t *testing.T) {
	r := run(t, "https://flock.example.org", nil)
	id := r.makeLink("data=linreg&dphi=8&algos=clove")
	for _, target := range []string{"/", "/?dphi=8", "/s/" + id, "/og/" + id + ".svg"} {
		plain, want := r.get(target)
		packed, body := r.get(target, "Accept-Encoding: br;q=0, gzip")
		unpack, err := gzip.NewReader(strings.NewReader(body))
		if err != nil {
			t.Errorf("GET %s: %v", target, err)
			continue
		}
		if got, err := io.ReadAll(unpack); string(got) != want || err != nil || len(body) > 2*len(want)/3 {
			t.Errorf("GET %s is %d bytes compressed, %d unpacked, %d plain, %v",
				target, len(body), len(got), len(want), err)
		}
		tag := plain.Header.Get("ETag")
		for _, answer := range []*http.Response{plain, packed} {
			if answer.Header.Get("ETag") != tag || tag == "" ||
				answer.Header.Get("Vary") != "Accept-Encoding" || answer.ContentLength <= 0 {
				t.Errorf("GET %s has the headers %v", target, answer.Header)
			}
		}
		coding, coding2 := plain.Header.Get("Content-Encoding"), packed.Header.Get("Content-Encoding")
		if coding != "" || coding2 != "gzip" {
			t.Errorf("GET %s is in %q, and for gzip in %q", target, coding, coding2)
		}
		strong := strings.TrimPrefix(tag, "W/")
		for match, status := range map[string]int{tag: 304, `"x", ` + tag: 304, strong: 304, `"x"`: 200} {
			answer, body := r.get(target, "If-None-Match: "+match)
			if answer.StatusCode != status || (body == "") != (status == 304) || answer.Header.Get("ETag") != tag {
				t.Errorf("GET %s for who has %s = %d %v, want %d", target, match, answer.StatusCode, answer.Header,
					status)
			}
		}
		head, _ := r.send("HEAD " + target + " HTTP/1.1\r\nHost: " + r.address + "\r\n\r\n")
		if head.ContentLength != int64(len(want)) || head.Header.Get("ETag") != tag {
			t.Errorf("HEAD %s has the headers %v, want the length %d", target, head.Header, len(want))
		}
	}
	png, _ := r.get("/og/"+id+".png", "Accept-Encoding: gzip")
	if png.Header.Get("Content-Encoding") != "" || png.Header.Get("ETag") == "" {
		t.Errorf("a PNG has the headers %v", png.Header)
	}
}

// slow asks for a large file and reads only the first bytes.
func (r *running) slow() net.Conn {
	r.t.Helper()
	c := r.dial(true)
	fmt.Fprintf(c, "GET /large.bin HTTP/1.1\r\nHost: %s\r\n\r\n", r.address)
	if _, err := io.ReadFull(c, make([]byte, 16)); err != nil {
		r.t.Fatal(err)
	}
	return c
}

// The connection of a client that does not read is closed.
func TestServeSlowReaders(t *testing.T) {
	r := run(t, "", func(s *server) { s.writeTimeout = 50 * time.Millisecond })
	const readers = 100
	for range readers {
		r.slow()
	}
	for range readers {
		<-r.closed
	}
	r = run(t, "", nil)
	if answer, body := r.get("/large.bin"); answer.StatusCode != 200 || len(body) != largeSize {
		t.Errorf("whoever reads gets %d and %d bytes", answer.StatusCode, len(body))
	}
}

// A new connection is always answered; at the limit the one that has been idle the longest
// is closed for it.
func TestServeMostConnections(t *testing.T) {
	const most, readers = 20, 50
	r := run(t, "", func(s *server) { s.maxConns, s.writeTimeout = most, time.Hour })
	first := r.dial(false)
	busy := bufio.NewReader(first)
	for i := range readers {
		if i%2 == 0 {
			r.slow()
		} else {
			r.dial(true)
		}
		if answer, body := r.get("/healthz"); answer.StatusCode != 200 || body != "ok\n" {
			t.Fatalf("with %d readers /healthz answers %d %s", i, answer.StatusCode, body)
		}
		// One that goes on asking is never the oldest.
		fmt.Fprintf(first, "GET /healthz HTTP/1.1\r\nHost: %s\r\n\r\n", r.address)
		answer, err := http.ReadResponse(busy, nil)
		if err != nil {
			t.Fatalf("with %d readers: %v", i, err)
		}
		io.Copy(io.Discard, answer.Body)
	}
	// The first one, the readers and those of get, which end by themselves.
	for range 1 + 2*readers - most {
		<-r.closed
	}
}

// When stopped, the server lets answers finish, but does not wait forever for clients that
// do not read.
func TestServeStops(t *testing.T) {
	r := run(t, "", func(s *server) { s.writeTimeout, s.shutdownTimeout = time.Hour, 20*time.Millisecond })
	r.slow()
	r.dial(false)
	if err := r.stop(); err != nil {
		t.Errorf("the server says %v", err)
	}
	<-r.closed
}

// SIGTERM and SIGINT stop the program, with exit code 0.
func TestServeSignals(t *testing.T) {
	for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		for _, slow := range []bool{false, true} {
			if slow && testing.Short() {
				continue // which takes the shutdown timeout
			}
			p := start(t)
			if answer, _ := p.get("/healthz"); answer.StatusCode != 200 {
				t.Errorf("/healthz answers %d", answer.StatusCode)
			}
			if slow {
				p.slow()
			}
			p.cmd.Process.Signal(signal)
			if err := p.cmd.Wait(); err != nil {
				t.Errorf("after %v, with a slow reader: %v, the program says %v", signal, slow, err)
			}
		}
	}
}

// A program is the server as a process of its own.
type program struct {
	running
	cmd *exec.Cmd
	out *bufio.Reader // what it prints after its address
}

// start starts the program on a small site, with more flags.
func start(t *testing.T, flags ...string) *program {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "large.bin"), make([]byte, largeSize), 0o644); err != nil {
		t.Fatal(err)
	}
	links := filepath.Join(t.TempDir(), "links.db")
	cmd := exec.Command(os.Args[0], append([]string{"-dir", dir, "-addr", "127.0.0.1:0", "-links", links}, flags...)...)
	cmd.Env = append(os.Environ(), "FLOCKSCOPE_SERVE=1")
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	p := &program{running{t: t}, cmd, bufio.NewReader(pipe)}
	line, _ := p.out.ReadString('\n')
	p.address = regexp.MustCompile(`localhost:\d+`).FindString(line)
	return p
}

// A second signal ends the program at once, even with answers under way.
func TestServeSecondSignal(t *testing.T) {
	p := start(t)
	p.slow()
	exited := make(chan error, 1)
	go func() { exited <- p.cmd.Wait() }()
	for {
		select {
		case err := <-exited:
			if err == nil || p.cmd.ProcessState.Exited() {
				t.Errorf("the program waits for the answer, and says %v", err)
			}
			return
		default:
			p.cmd.Process.Signal(syscall.SIGTERM) // those that come before the first is seen are one
		}
	}
}

// The log has the fields that the flags ask for.
func TestServeLogFlags(t *testing.T) {
	const line = `^\S+ GET "/healthz" 200 3 \d+\.\d{3}`
	for _, tt := range []struct {
		flags []string
		want  string
	}{
		{nil, "^$"},
		{[]string{"-log"}, line + "\n$"},
		{[]string{"-log-addresses"}, line + ` 127\.0\.0\.1\n$`},
	} {
		p := start(t, tt.flags...)
		p.get("/healthz")
		p.cmd.Process.Signal(syscall.SIGTERM)
		rest, _ := io.ReadAll(p.out)
		if err := p.cmd.Wait(); err != nil || !regexp.MustCompile(tt.want).Match(rest) {
			t.Errorf("with %q the program ends with %v and prints %q, want %s", tt.flags, err, rest, tt.want)
		}
	}
}

// The log has one line per request, also for answers of net/http, and addresses only with
// -log-addresses.
func TestServeLog(t *testing.T) {
	for _, addresses := range []bool{false, true} {
		out := &lockedBuffer{}
		r := run(t, "", func(s *server) { s.log = newAccessLog(out, addresses) })
		want := ""
		for _, tt := range []struct{ request, line string }{
			{"GET /healthz?secret HTTP/1.1\r\nHost: localhost\r\n\r\n", `GET "/healthz" 200 3`},
			{"GET /a%0Ab HTTP/1.1\r\nHost: localhost\r\n\r\n", `GET "/a\\nb" 404 \d+`},
			{"DELETE / HTTP/1.1\r\nHost: localhost\r\n\r\n", `DELETE "/" 405 \d+`},
			{"GET /" + strings.Repeat("x", 1000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n", `GET "/x{199}…" 404 \d+`},
			{"nonsense\r\n\r\n", `- "-" 400 \d+`},
			{"HEAD /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", `HEAD "/healthz" 200 0`},
		} {
			r.send(tt.request)
			want += `\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ ` + tt.line + ` \d+\.\d{3}`
			if addresses {
				want += ` 127\.0\.0\.1`
			}
			want += "\n"
		}
		r.stop() // after which every line is written
		if got := out.String(); !regexp.MustCompile("^" + want + "$").MatchString(got) {
			t.Errorf("the log is\n%swant\n%s", got, want)
		}
	}
}

type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
