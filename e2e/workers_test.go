package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// unshared answers as another handler does, but so that workers may share no memory.
func unshared(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.ServeHTTP(apart{w}, r) })
}

type apart struct{ http.ResponseWriter }

func (w apart) WriteHeader(status int) {
	w.Header().Del("Document-Isolation-Policy")
	w.ResponseWriter.WriteHeader(status)
}

// lines are the two ways from worker to worker: by memory that they share, where the
// browser has that, and by messages.
var lines = []struct {
	shared  string
	serve   func(http.Handler) http.Handler
	workers []string
}{
	{"true", func(h http.Handler) http.Handler { return h }, []string{"2", "1", "8"}},
	{"false", unshared, []string{"3"}},
}

// The same run on one worker, with its lanes on several, and with clients on
// workers below these: the same bits, and those of the command line.
func TestWorkersChangeNothing(t *testing.T) {
	queries := []string{
		"data=digits&n=600&C=7&T=6&every=3&exam=20&hidden=24&b=16&probe=16&algos=cflgp,clove",
		"data=garments&n=400&C=5&T=4&net=softmax&b=20&probe=30&avg=model&opt=adam&keep=kept&algos=ifca",
	}
	want := map[string]string{}
	for _, query := range queries {
		want[query] = native(t, query)
	}
	InBrowsers(t, func(t *testing.T, p *Page) {
		for i, line := range lines {
			p.Serve(line.serve(built()))
			for _, query := range firstStates(1, slices.Concat(queries[i:], queries[:i])) {
				for _, workers := range firstStates(1, line.workers) {
					p.Run("?" + query + "&workers=" + workers)
					p.OpenSettings()
					// The second run is the one that all workers take part in.
					p.Enter("#set-lr", "0.2")
					p.When(complete + " && s.config.includes('lr=0.2')")
					p.Enter("#set-lr", "0.1")
					p.When(complete + " && !s.config.includes('lr=')")
					if got := prints(p.State()); got != want[query] {
						t.Errorf("%s with %s workers, shared memory %s, comes to %s, the command line to %s", query,
							workers, line.shared, got, want[query])
					}
				}
			}
			// Firefox knows no header by which a page is isolated alone.
			var shared bool
			if p.Eval("crossOriginIsolated || !navigator.userAgent.includes('Chrome') && "+line.shared,
				&shared); fmt.Sprint(shared) != line.shared {
				t.Errorf("workers may share memory: %t, want %s", shared, line.shared)
			}
		}
	})
}

// noted is a script that keeps the page's workers where a test finds them.
const noted = `window.workers = [];
	const PlainWorker = Worker;
	window.Worker = class extends PlainWorker {
		constructor(...args) { super(...args); workers.push(this); }
	};
	window.kill = (worker) => { // in this order: WebKit tells nothing of those that have ended
		worker.dispatchEvent(new ErrorEvent("error", { message: "on purpose" }));
		worker.terminate();
	};`

// held is a script that keeps every second worker of the page from starting until
// the test lets it: the program that it is to run does not come to it.
const held = `window.workers = [];
	const PlainWorker = Worker;
	window.Worker = class extends PlainWorker {
		#program;
		constructor(...args) { super(...args); workers.push(this); }
		postMessage(...args) {
			if (workers.indexOf(this) % 2 === 0 || this.#program) return super.postMessage(...args);
			this.#program = args;
		}
		start() { super.postMessage(...this.#program); }
	};`

// mortal is a script for workers: each worker below them dies of the fourth thing
// that it is sent, be it a message or that there is something in shared memory.
const mortal = `{
		const PlainWorker = Worker, notify = Atomics.notify, living = new Set();
		Atomics.notify = (...args) => {
			for (const worker of living) worker.age();
			return notify(...args);
		};
		self.Worker = class extends PlainWorker {
			#age = 0;
			constructor(...args) {
				super(...args);
				living.add(this);
			}
			age() {
				if (++this.#age < 4) return true;
				if (living.delete(this)) {
					this.dispatchEvent(new ErrorEvent("error", { message: "on purpose" }));
					this.terminate();
				}
				return false;
			}
			postMessage(...args) { if (this.age()) super.postMessage(...args); }
		};
	}`

// before adds JavaScript to the front of a script.
func before(script string) func(*httptest.ResponseRecorder) {
	return func(a *httptest.ResponseRecorder) {
		a.Body = bytes.NewBufferString(script + "\n" + a.Body.String())
	}
}

// A worker that dies is replaced, and the page ends where it would have.
func TestWorkerDies(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Serve(changed("/assets/boot.js", before(noted)))
		p.Run("?t=14&workers=2")
		want := p.State()
		for round, which := range []string{"workers.at(-1)", "workers[0]"} {
			p.Until("workers.length > "+fmt.Sprint(round+1)+" && JSON.parse(flockscope.state()).engines === 2",
				patience)
			p.Eval("kill("+which+")", nil)
			p.Enter("#heroset-dphi", fmt.Sprint(31+round))
			p.When(fmt.Sprintf("%s && s.config.includes('dphi=%d')", complete, 31+round))
			p.Enter("#heroset-dphi", "20")
			p.When(complete + " && !s.config.includes('dphi=')")
			if got := p.State(); prints(got) != prints(want) || got.Problem != "" {
				t.Errorf("after %s died: %s, problem %q; want %s", which, prints(got), got.Problem, prints(want))
			}
		}
	})
}

// An engine that is still starting while somebody opens a file hears of it, too:
// the lanes that it gets later are computed from the file. Since the first two
// engines read no files, two others take their places.
func TestFileBeforeEngine(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rows.csv")
	if err := os.WriteFile(file, []byte(samples(true)), 0o600); err != nil {
		t.Fatal(err)
	}
	want := native(t, "-data", file, "K=2&T=60&lr=0.2&algos=cflgp,ifca")
	InChromium(t, func(t *testing.T, p *Page) {
		p.Serve(changed("/assets/boot.js", before(held)))
		p.Run("?K=2&T=60&workers=2&algos=cflgp,ifca")
		p.Until("workers.length === 2", patience)
		p.Pick("rows.csv", samples(true))
		p.When(complete + " && s.clients === 6 && s.engines === 1")
		p.Eval("workers[3].start()", nil)
		p.When("s.engines === 2")
		p.OpenSettings()
		p.Enter("#set-lr", "0.2")
		p.When("s.notices.length > 0 || " + complete + " && s.config.includes('lr=0.2')")
		if got := p.State(); prints(got) != want || len(got.Notices) > 0 {
			t.Errorf("with an engine that came after the file: %s, notices %q; want %s", prints(got), got.Notices, want)
		}
	})
}

// Workers below an engine die again and again; the work that was lost with them
// is done again to the same bits.
func TestShardDies(t *testing.T) {
	const query = "data=digits&n=600&C=7&T=8&every=3&exam=20&hidden=24&b=16&probe=16&algos=cflgp"
	want := native(t, query)
	InBrowsers(t, func(t *testing.T, p *Page) {
		for _, line := range firstStates(1, lines) {
			p.Serve(line.serve(changed("/assets/engine.js", inWorkers(mortal))))
			if got := p.Run("?" + query + "&workers=3"); prints(got) != want || got.Problem != "" {
				t.Errorf("with workers that die, shared memory %s: %s, problem %q; want %s", line.shared, prints(got),
					got.Problem, want)
			}
		}
	})
}
