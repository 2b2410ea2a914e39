package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"flockscope/wasm/site"
	"flockscope/wasm/web"
)

// A tab is a page in the browser of that name.
type tab struct {
	*Page
	name string
}

// title is the name as it is written.
func (p tab) title() string { return strings.ToUpper(p.name[:1]) + p.name[1:] }

// commands start the browsers.
var commands = map[string][]string{
	"chromium": {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "headless-shell"},
	"firefox":  {"firefox-esr", "firefox"},
}

// installed returns the names of the browsers that can be started.
func (b *bench) installed() (names []string) {
	for _, browser := range browsers {
		if !slices.ContainsFunc(commands[browser.name], func(command string) bool {
			_, err := exec.LookPath(command)
			return err == nil
		}) {
			b.note("Without %s, which is not installed.", browser.name)
			continue
		}
		names = append(names, browser.name)
	}
	return names
}

// open opens a page of the site in a browser, until t ends.
func open(t *testing.T, name string) tab {
	t.Helper()
	for _, browser := range browsers {
		if browser.name == name {
			return tab{newPage(t, browser.page(t)), name}
		}
	}
	t.Fatalf("no browser is called %s", name)
	return tab{}
}

// tabs opens a page of the site in each browser.
func (b *bench) tabs() (list []tab) {
	b.t.Helper()
	for _, name := range b.installed() {
		list = append(list, open(b.t, name))
	}
	return list
}

// each measures in one browser after the other: one that only waits takes a tenth
// of the machine from its neighbour.
func (b *bench) each(measure func(p tab)) {
	for _, name := range b.installed() {
		b.t.Run(name, func(t *testing.T) { measure(open(t, name)) })
	}
}

// benches opens pages that have workers measure for them; see [tab.equip].
func (b *bench) benches(packages string) []tab {
	b.t.Helper()
	list := b.tabs()
	for _, p := range list {
		p.equip("page.html", packages)
	}
	return list
}

// equip opens a page that has workers measure for it: Go programs from benchDir, and
// TensorFlow.js if its packages are there. The page is page.html or, with the headers
// of the site, by which workers may share memory, isolated.html.
func (p tab) equip(page, packages string) {
	p.t.Helper()
	here := filepath.Join(root, "e2e", "peers")
	routes := http.NewServeMux()
	routes.Handle("/", site.Handler(siteDir))
	routes.Handle("/tfjs/", http.StripPrefix("/tfjs",
		http.FileServer(http.Dir(filepath.Join(packages, "@tensorflow")))))
	routes.Handle("/programs/", http.StripPrefix("/programs", http.FileServer(http.Dir(benchDir(p.t)))))
	for _, name := range []string{"page.html", "engines.js", "go.js", "tfjs.js", "tfjs_mlp.js", "tfjs_cnn.js",
		"tfjs_net.js"} {
		routes.HandleFunc("/"+name, func(w http.ResponseWriter, r *http.Request) {
			http.ServeFile(w, r, filepath.Join(here, name))
		})
	}
	routes.HandleFunc("/isolated.html", func(w http.ResponseWriter, r *http.Request) {
		for _, name := range []string{"Document-Isolation-Policy", "Cross-Origin-Embedder-Policy"} {
			w.Header().Set(name, web.Headers[name])
		}
		http.ServeFile(w, r, filepath.Join(here, "page.html"))
	})
	p.Serve(routes)
	p.Open("/" + page)
}

// leave ends the page and its workers.
func (p tab) leave() {
	p.t.Helper()
	p.must("leaving the page", p.browser.open("about:blank"))
}

// ask has a worker of the page do something and decodes its answer. It returns
// what the worker says instead if it cannot.
func (p tab) ask(script, worker string, message, answer any) (problem string) {
	p.t.Helper()
	p.tell(script, worker, message)
	return p.hear(answer)
}

// tell sends a worker of the page a message.
func (p tab) tell(script, worker string, message any) {
	p.t.Helper()
	text, err := json.Marshal(message)
	p.must("encoding a message", err)
	p.Eval(fmt.Sprintf("void start(%s, %s, %s)", quote(script), quote(worker), text), nil)
}

// hear waits for the next answer of any worker and decodes it, or returns what
// the worker says instead. The browser is asked now and then, because a call of
// its own must not last.
func (p tab) hear(answer any) (problem string) {
	p.t.Helper()
	const pause = 100 * time.Millisecond
	for deadline := time.Now().Add(long); time.Now().Before(deadline); time.Sleep(pause) {
		var got *struct {
			Value   json.RawMessage
			Problem string
		}
		if p.Eval("answered()", &got); got == nil {
			continue
		}
		if got.Problem == "" {
			p.must("decoding "+string(got.Value), json.Unmarshal(got.Value, answer))
		}
		return got.Problem
	}
	p.t.Fatal("no worker answers")
	return ""
}

// long is how long a worker may take.
const long = 3 * time.Minute

// goTest runs the test program of that name in a worker and returns what it
// prints.
func (p tab) goTest(name string, simd bool, argv []string) string {
	p.t.Helper()
	var answer struct{ Text string }
	problem := p.ask("go.js", name, map[string]any{"program": "programs/" + name + ".test.wasm", "argv": argv,
		"simd": simd}, &answer)
	if problem != "" {
		p.t.Fatalf("the tests of %s in %s: %s", name, p.name, problem)
	}
	return answer.Text
}
