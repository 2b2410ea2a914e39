package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// A stateReport is the part of flockscope.state() that these tests read.
type stateReport struct {
	Engine  string // how the engine runs
	Problem string // why it does not
}

func (p *Page) report() stateReport {
	p.t.Helper()
	var r stateReport
	if err := json.Unmarshal([]byte(p.Text("flockscope.state()")), &r); err != nil {
		p.t.Fatalf("reading the state: %v", err)
	}
	return r
}

// started is true once the page has heard from its engine, or that there is none.
const started = "(s => s.engine || s.problem)(JSON.parse(flockscope.state()))"

// patience is enough for a slow machine to load and compile the program.
const patience = 30 * time.Second

func TestEngineStarts(t *testing.T) {
	tests := []struct{ name, query, want string }{
		{"chain", "", "worker"},
		{"worker", "?engine=worker", "worker"},
		{"blob", "?engine=blob", "blob worker"},
		{"main thread", "?engine=main", "main thread"},
	}
	InBrowsers(t, func(t *testing.T, p *Page) {
		for _, tt := range tests {
			p.Open("/" + tt.query)
			p.Until(started, patience)
			if got := p.report(); got.Engine != tt.want || got.Problem != "" {
				t.Errorf("%s: state() = %+v, want engine %q", tt.name, got, tt.want)
			}
			p.Until("document.getElementById('poster').hidden", patience)
			if !strings.Contains(p.Text("document.getElementById('why').hidden"), "true") {
				t.Errorf("%s: the page excuses itself: %s", tt.name, p.Text("document.getElementById('why').textContent"))
			}
		}
	})
}

func TestNoEngine(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Open("/?engine=none")
		p.Until(started, patience)
		if got := p.report(); got.Engine != "" || !strings.Contains(got.Problem, "could not be started") {
			t.Errorf("state() = %+v, want a problem and no engine", got)
		}
	})
}

// Embedded as strictly as other sites embed it, the page has no origin: no
// storage and no plain worker.
func TestInSandboxedFrame(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		frame := strings.Replace(p.origin, "127.0.0.1", "localhost", 1) + "/"
		host := p.Server(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, `<!doctype html><title>Host</title><link rel="icon" href="data:,">
				<iframe src="%s" sandbox="allow-scripts" width="900" height="600"></iframe>`, frame)
		}))
		p.Open(host)
		p.EnterFrame(frame)
		p.Until(started, patience)
		if got := p.report(); got.Engine != "blob worker" {
			t.Errorf("state() = %+v, want engine %q", got, "blob worker")
		}
		if got := p.Text("origin"); got != "null" {
			t.Errorf("origin = %q, want null", got)
		}
	})
}
