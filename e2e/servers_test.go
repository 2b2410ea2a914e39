package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"flockscope/wasm/site"
)

// A server is one that Flockscope is hosted by, as it really runs: the program
// of make serve, or Cloudflare's own runtime with the Worker in it. Its links
// outlive it, so that it can be started again.
type server struct {
	name    string
	address string // "http://127.0.0.1:port"
	command func(s *server) (*exec.Cmd, error)
	state   string // directory that keeps the links

	process *exec.Cmd
	output  *buffer
	clients int
}

// servers starts both of them, once.
var servers = sync.OnceValues(func() ([]*server, error) {
	list := []*server{{name: "native", command: nativeCommand}, {name: "edge", command: edgeCommand}}
	dir, err := os.MkdirTemp("", "flockscope-servers-")
	if err != nil {
		return nil, err
	}
	atExit(func() { os.RemoveAll(dir) })
	errs := make(chan error, len(list))
	for _, s := range list {
		s.state = filepath.Join(dir, s.name)
		atExit(s.stop)
		go func() { errs <- s.start() }()
	}
	for range list {
		if e := <-errs; e != nil {
			err = e
		}
	}
	return list, err
})

// OnServers runs a test body once with each server.
func OnServers(t *testing.T, body func(t *testing.T, s *server)) {
	t.Helper()
	list, err := servers()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		t.Run(s.name, func(t *testing.T) {
			body(t, s)
			if t.Failed() {
				t.Logf("the server said:\n%s", s.output)
			}
		})
	}
}

func nativeCommand(s *server) (*exec.Cmd, error) {
	path := filepath.Join(s.state, "flock-serve")
	if _, err := os.Stat(path); err != nil {
		build := exec.Command("go", "build", "-o", path, "./wasm/serve")
		build.Dir = root
		if out, err := build.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("building the server: %w\n%s", err, out)
		}
	}
	return exec.Command(path, "-dir", siteDir, "-addr", strings.TrimPrefix(s.address, "http://"),
		"-links", filepath.Join(s.state, "links.db")), nil
}

func edgeCommand(s *server) (*exec.Cmd, error) {
	wrangler := filepath.Join(root, ".build", "wrangler", "node_modules", ".bin", "wrangler")
	var table site.Table
	text, err := os.ReadFile(filepath.Join(root, ".build", "edge", "site.json"))
	if err == nil {
		err = json.Unmarshal(text, &table)
	}
	if err != nil || table.Version != site.Open(siteDir).Version() {
		return nil, fmt.Errorf("the Worker is not that of this site (%v); run: make edge", err)
	}
	if _, err := os.Stat(wrangler); err != nil {
		return nil, fmt.Errorf("there is no wrangler; run: .ci/wrangler")
	}
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(s.address, "http://"))
	cmd := exec.Command(wrangler, "dev", "--local", "--config", filepath.Join(root, "wasm", "edge", "wrangler.jsonc"),
		"--assets", siteDir, "--ip", "127.0.0.1", "--port", port, "--inspector-port", "0", "--persist-to", s.state,
		"--var", "LINK_KEY:"+strings.Repeat("5ec2e7", 8), "--show-interactive-dev-session=false")
	// It calls nobody, and keeps its own files where the test is.
	cmd.Env = append(os.Environ(), "WRANGLER_SEND_METRICS=false", "CLOUDFLARE_CF_FETCH_ENABLED=false",
		"NO_UPDATE_NOTIFIER=1", "CI=1", "XDG_CONFIG_HOME="+s.state, "WRANGLER_LOG_PATH="+filepath.Join(s.state, "logs"))
	return cmd, nil
}

// start starts the server at a free port and waits until it answers.
func (s *server) start() error {
	if err := os.MkdirAll(s.state, 0o755); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.address = "http://" + listener.Addr().String()
	listener.Close()
	if s.process, err = s.command(s); err != nil {
		return err
	}
	s.output = &buffer{}
	s.process.Stdout, s.process.Stderr = s.output, s.output
	// wrangler starts programs of its own, which have to end with it.
	s.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := s.process.Start(); err != nil {
		return err
	}
	deadline := time.Now().Add(patience)
	for {
		answer, err := http.Get(s.address + "/healthz")
		if err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return nil
			}
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("the %s server does not answer: %v\n%s", s.name, err, s.output)
		}
		time.Sleep(25 * time.Millisecond)
	}
}

// stop ends the server.
func (s *server) stop() {
	if s.process == nil || s.process.Process == nil {
		return
	}
	group := -s.process.Process.Pid
	syscall.Kill(group, syscall.SIGTERM)
	timer := time.AfterFunc(5*time.Second, func() { syscall.Kill(group, syscall.SIGKILL) })
	s.process.Wait()
	timer.Stop()
	s.process = nil
}

// A client is somebody with an address of their own, so that no test uses up
// what another one may do in a minute. It shows answers as they travel.
type client struct {
	t    *testing.T
	s    *server
	http *http.Client
	name string // the address that Cloudflare would see
}

// Client returns a client that the server has not met.
func (s *server) Client(t *testing.T) *client {
	s.clients++
	from := &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(s.clients))}
	dialer := &net.Dialer{LocalAddr: from}
	transport := &http.Transport{DialContext: dialer.DialContext, DisableCompression: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &client{t: t, s: s, name: fmt.Sprintf("192.0.2.%d", s.clients),
		http: &http.Client{Transport: transport, Timeout: limit,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// An answer of a server, its body read.
type answer struct {
	origin string // of the server
	status int
	header http.Header
	body   string
}

// Do sends one request; headers are "Name: value".
func (c *client) Do(method, target, body string, headers ...string) answer {
	c.t.Helper()
	r, err := http.NewRequest(method, c.s.address+target, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("CF-Connecting-IP", c.name)
	r.Header.Set("User-Agent", "")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	got, err := c.http.Do(r)
	if err != nil {
		c.t.Fatalf("%s %s: %v", method, target, err)
	}
	defer got.Body.Close()
	content, err := io.ReadAll(got.Body)
	if err != nil {
		c.t.Fatalf("%s %s: %v", method, target, err)
	}
	return answer{c.s.address, got.StatusCode, got.Header, string(content)}
}

// Get is Do for what is only read.
func (c *client) Get(target string, headers ...string) answer {
	c.t.Helper()
	return c.Do("GET", target, "", headers...)
}

// JSON decodes a body that must be JSON.
func (a answer) JSON(t *testing.T) map[string]any {
	t.Helper()
	var value map[string]any
	if kind := a.header.Get("Content-Type"); kind != "application/json" {
		t.Errorf("Content-Type = %q, want application/json", kind)
	}
	if err := json.Unmarshal([]byte(a.body), &value); err != nil {
		t.Errorf("the body %.200q is no JSON: %v", a.body, err)
	}
	return value
}

// A buffer is written by a process while tests read it.
type buffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

// String returns the last lines.
func (b *buffer) String() string {
	if b == nil {
		return ""
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	var lines []string
	for scanner := bufio.NewScanner(bytes.NewReader(b.buf.Bytes())); scanner.Scan(); {
		lines = append(lines, scanner.Text())
	}
	return strings.Join(lines[max(len(lines)-40, 0):], "\n")
}
