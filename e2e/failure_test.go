package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"flockscope/wasm/pack"
	"flockscope/wasm/site"
)

// changed serves the built site with one file's answer changed, whatever the
// version in its address.
func changed(path string, change func(answer *httptest.ResponseRecorder)) http.Handler {
	return altered(built(), path, change)
}

// altered is changed for a site that is not the built one.
func altered(h http.Handler, path string, change func(answer *httptest.ResponseRecorder)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if version.ReplaceAllString(r.URL.Path, "/") != path {
			h.ServeHTTP(w, r)
			return
		}
		r.Header.Del("Accept-Encoding")
		answer := httptest.NewRecorder()
		h.ServeHTTP(answer, r)
		change(answer)
		answer.Header().Del("Content-Length")
		for name, values := range answer.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(answer.Code)
		w.Write(answer.Body.Bytes())
	})
}

var version = regexp.MustCompile("^/v/[0-9a-f]+/")

// When the page cannot start, it says so, and the poster stays.
func TestPageSaysWhy(t *testing.T) {
	tests := []struct {
		name   string
		path   string
		change func(*httptest.ResponseRecorder)
		want   string
		own    string // in Chinese
		noise  string // what the browser itself reports
	}{
		{
			name: "program missing", path: "/flockscope.pack",
			change: func(a *httptest.ResponseRecorder) { a.Code = http.StatusNotFound },
			want:   "the server answered 404", own: "服务器回答 404", noise: "404",
		}, {
			name: "program damaged", path: "/flockscope.pack",
			change: func(a *httptest.ResponseRecorder) { a.Body = bytes.NewBufferString("<html>not a program") },
			want:   "flockscope.pack could not be unpacked", own: "无法解开 flockscope.pack",
		}, {
			name: "program of nothing", path: "/flockscope.pack",
			change: func(a *httptest.ResponseRecorder) {
				// One function, of no type.
				packed, err := pack.Pack([]byte("\x00asm\x01\x00\x00\x00\x0a\x04\x01\x02\x00\x0b"))
				if err != nil {
					a.Code = http.StatusInternalServerError
				}
				a.Body = bytes.NewBuffer(packed)
			},
			want: "flockscope.pack could not be compiled", own: "无法编译 flockscope.pack",
		}, {
			name: "policy without WebAssembly", path: "/",
			change: func(a *httptest.ResponseRecorder) {
				a.Header().Set("Content-Security-Policy", strings.ReplaceAll(site.Policy, " 'wasm-unsafe-eval'", ""))
			},
			want: "needs 'wasm-unsafe-eval'", own: "需要 'wasm-unsafe-eval'", noise: "script-src",
		}, {
			name: "no memory", path: "/assets/boot.js",
			change: within(0),
			want:   "Flockscope stopped: it ran out of memory", own: "Flockscope 已停止：内存用完了",
		}, {
			name: "program torn", path: "/flockscope.pack",
			change: func(a *httptest.ResponseRecorder) { a.Body.Truncate(a.Body.Len() / 2) },
			want:   "flockscope.pack could not be unpacked", own: "无法解开 flockscope.pack",
		}, {
			name: "script missing", path: "/wasm_exec.js",
			change: func(a *httptest.ResponseRecorder) { a.Code = http.StatusNotFound },
			want:   "wasm_exec.js could not be loaded", own: "无法加载 wasm_exec.js", noise: "404",
		}, {
			name: "no WebAssembly", path: "/assets/boot.js",
			change: func(a *httptest.ResponseRecorder) {
				a.Body = bytes.NewBufferString("const { RuntimeError } = WebAssembly; WebAssembly = undefined;\n" +
					a.Body.String())
			},
			want: "cannot run WebAssembly", own: "不能运行 WebAssembly",
			noise: "ERR_CACHE_WRITE_FAILURE", // the program is asked for and not waited for
		},
	}
	InBrowsers(t, func(t *testing.T, p *Page) {
		for _, tt := range firstStates(5, tests) {
			p.Serve(changed(tt.path, tt.change))
			if tt.noise != "" {
				p.AllowProblem(tt.noise)
				p.AllowProblem("could not load") // as WebKit says it
			}
			for _, in := range firstStates(1, [][2]string{{"", tt.want}, {"?lang=zh", tt.own}}) {
				query, want := in[0], in[1]
				p.Open("/" + query)
				p.Until("!document.getElementById('why').hidden", patience)
				if got := p.Text("document.getElementById('why').textContent"); !strings.Contains(got, want) {
					t.Errorf("%s: the page says %q, want %q in it", tt.name, got, want)
				}
			}
			if got := p.Text("document.querySelector('#poster img').getBoundingClientRect().height > 0"); got != "true" {
				t.Errorf("%s: the poster is not shown", tt.name)
			}
		}
	})
}

// A server that does not know the type of the program must not matter.
func TestProgramOfUnknownType(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Serve(changed("/flockscope.pack", func(a *httptest.ResponseRecorder) {
			a.Header().Set("Content-Type", "text/plain")
		}))
		p.Open("/")
		p.Until(started, patience)
		if got := p.State(); got.Engine != "worker" {
			t.Errorf("state() = %+v, want engine %q", got, "worker")
		}
	})
}

// inWorkers adds JavaScript to a script for the case that a worker loads it.
func inWorkers(script string) func(*httptest.ResponseRecorder) {
	return func(a *httptest.ResponseRecorder) {
		source := fmt.Sprintf("if (typeof WorkerGlobalScope !== 'undefined') { %s }\n%s", script, a.Body)
		a.Body = bytes.NewBufferString(source)
	}
}

// A kind of worker that breaks before it is ready makes room for the next.
func TestEngineFallsBack(t *testing.T) {
	tests := []struct{ name, script, want string }{
		{"plain workers break", "if (location.protocol !== 'blob:') throw new Error('on purpose');", "blob worker"},
		{"all workers break", "throw new Error('on purpose');", "main thread"},
		{"all workers end", "close(); throw new Error('on purpose');", "main thread"},
	}
	InBrowsers(t, func(t *testing.T, p *Page) {
		for _, tt := range firstStates(2, tests) {
			p.Serve(changed("/assets/engine.js", inWorkers(tt.script)))
			p.Open("/")
			p.Until(started, patience)
			if got := p.State(); got.Engine != tt.want || got.Problem != "" {
				t.Errorf("%s: state() = %+v, want engine %q", tt.name, got, tt.want)
			}
		}
	})
}

// An engine that breaks later is reported once, and not started again.
func TestEngineBreaks(t *testing.T) {
	const breaks = `addEventListener("message", (event) => {
		if (event.data === "break") throw new Error("on purpose");
	});`
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Serve(changed("/assets/engine.js", inWorkers(breaks)))
		p.Open("/")
		p.Until(started, patience)
		p.Eval(`(() => {
			window.told = [];
			const port = flockscopeHost.startEngine(() => {}, (started, reasons) => told.push({ started, why: reasons.join() }));
			port.post("break");
			window.port = port;
		})()`, nil)
		p.Until("told.length > 0", patience)
		if got := p.Text("JSON.stringify(told)"); !strings.Contains(got, `"started":true`) ||
			!strings.Contains(got, "on purpose") {
			t.Errorf("the engine's problem is %s, want that it stopped on purpose", got)
		}
		if got := p.Text("told.length + port.how"); got != "1worker" {
			t.Errorf("number of problems and kind of engine = %s, want 1worker", got)
		}
	})
}
