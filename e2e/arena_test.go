package e2e

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// arenaRecords are the file of published records that these tests serve: 126 runs of three rows. What is of another
// version of the engine is made anew by flock arena and flock page.
const arenaRecords = "testdata/arena-records.jsonl.gz"

// arenaSite is the site with these records.
func arenaSite(t *testing.T) http.Handler {
	t.Helper()
	records, err := os.ReadFile(arenaRecords)
	if err != nil {
		t.Fatal(err)
	}
	site := built()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/arena/arena-records.jsonl.gz" {
			site.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
		w.Write(records)
	})
}

// unpackedRecords returns the lines of the records.
func unpackedRecords(t *testing.T) []byte {
	t.Helper()
	f, err := os.Open(arenaRecords)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// decisions returns the decision table of flock page: the answers with K known and unknown by family.
func decisions(t *testing.T, lines []byte) map[string][2]string {
	t.Helper()
	path, err := flock()
	if err != nil {
		t.Fatalf("building flock: %v", err)
	}
	dir := t.TempDir()
	records := filepath.Join(dir, "records.jsonl")
	if err := os.WriteFile(records, lines, 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(path, "page", "-o", dir, records).CombinedOutput(); err != nil {
		t.Fatalf("flock page: %v: %s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(dir, "ARENA.md"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][2]string{}
	for line := range strings.Lines(strings.NewReplacer(`\[`, "[", `\]`, "]").Replace(string(text))) {
		if cells := strings.Split(line, " | "); len(cells) == 4 && !strings.HasPrefix(line, "| your clients") {
			family, _, _ := strings.Cut(strings.TrimPrefix(cells[0], "| "), ":")
			out[family] = [2]string{cells[2], strings.TrimSuffix(strings.TrimSpace(cells[3]), " |")}
		}
	}
	return out
}

const (
	arenaReady = "document.body.dataset.state === 'ready' && document.querySelector('.dot') !== null"
	// answers are the cells of the arena's page by family.
	answers = "JSON.stringify(Object.fromEntries([...document.querySelectorAll('td[data-family]')].map((e) => [e.dataset.family, e.textContent])))"
)

func (p *Page) arenaAnswers() map[string]string {
	p.t.Helper()
	out := map[string]string{}
	if err := json.Unmarshal([]byte(p.Text(answers)), &out); err != nil {
		p.t.Fatal(err)
	}
	return out
}

// The arena's page answers from the records what the page of flock page says, and its dots open their runs.
func TestArena(t *testing.T) {
	want := decisions(t, unpackedRecords(t))
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Serve(arenaSite(t))
		p.Viewport(1280, 900)
		p.Open("/arena/index.html?lang=en")
		p.Until(arenaReady, patience)
		known := p.arenaAnswers()
		if p.InChromium() {
			p.faults("the arena's page", "", allRules)
		}
		p.Click("input[value=unknown]")
		p.Until(arenaReady+" && document.querySelector('#answer').textContent.includes('K not known')", patience)
		unknown := p.arenaAnswers()
		differ := false
		for family, cells := range want {
			if len(known) != 2 || known[family] != cells[0] || unknown[family] != cells[1] {
				t.Errorf("%s: %q and, K unknown, %q; the page of flock page has %q", family, known[family], unknown[family], cells)
			}
			differ = differ || known[family] != unknown[family]
		}
		if !differ {
			t.Error("K known and unknown have the same answers")
		}
		if p.Text("[...document.querySelectorAll('.dot.needs')].length") != "0" {
			t.Error("methods that need K are among the answers without it")
		}

		// The address has the choices.
		p.Eval("(document.querySelector('#clients').value = 'row small turns', document.querySelector('#clients').dispatchEvent(new Event('change', { bubbles: true })), 0)", nil)
		p.Until("location.search.includes('small+turns') && "+arenaReady+" && document.querySelector('#answer').textContent.includes('small turns')", patience)
		answer := p.Text("document.querySelector('#answer').textContent")
		p.Open(p.Text("location.href"))
		p.Until(arenaReady, patience)
		if got := p.Text("document.querySelector('#answer').textContent"); got != answer {
			t.Errorf("opened again: %q, want %q", got, answer)
		}

		// With the keyboard alone: a dot has a tooltip, and arrows lead to the others.
		p.Eval("(document.querySelector('.dot[tabindex=\"0\"]').focus(), 0)", nil)
		p.Key("Home")
		first := p.Text("document.activeElement.dataset.lane")
		p.Key("ArrowRight")
		if got := p.Text("document.activeElement.dataset.lane"); got == first || got == "undefined" {
			t.Errorf("the arrow leads from %s to %s", first, got)
		}
		if tip := p.Text("document.querySelector('#tip').innerText"); !strings.Contains(tip, p.Text("document.activeElement.dataset.fingerprint")) {
			t.Errorf("the tooltip of the dot says %q", tip)
		}

		fingerprint := p.Text("document.activeElement.dataset.fingerprint")
		link := p.Text("document.activeElement.getAttribute('href')")
		p.Run(link[strings.Index(link, "?"):])
		got := strings.ToUpper(p.State().Fingerprint)
		if len(got) < 8 || got[:4]+"-"+got[4:8] != fingerprint {
			t.Errorf("%s replays to %s, the record has %s", link, got, fingerprint)
		}
	})
}

// Records that are dropped on the main page open the arena's page, where the records of a new method add its dot.
func TestArenaRecords(t *testing.T) {
	mine, err := os.ReadFile("testdata/arena-mine.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	path, err := flock()
	if err != nil {
		t.Fatalf("building flock: %v", err)
	}
	store := filepath.Join(t.TempDir(), "mine.flock") // as flock sweep -o writes it
	if out, err := exec.Command(path, "merge", "-o", store, "testdata/arena-mine.jsonl").CombinedOutput(); err != nil {
		t.Fatalf("flock merge: %v: %s", err, out)
	}
	lines := unpackedRecords(t)
	site := built()
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/arena/arena-records.jsonl.gz": // a site without records of its own
				http.NotFound(w, r)
				return
			case "/mine.flock":
				w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
				http.ServeFile(w, r, store)
				return
			}
			site.ServeHTTP(w, r)
		}))
		p.Viewport(1280, 900)
		p.Run("?T=5&lang=en")
		p.Drop("#flockscope", "arena-records (1).jsonl", string(lines))
		p.Until("location.pathname === '/arena/index.html' && "+arenaReady, patience)
		if got := p.Text("document.querySelector('#files').innerText"); !strings.Contains(got, "arena-records (1).jsonl: 126 records") ||
			strings.Contains(got, "published") {
			t.Errorf("the records are %q, want those that were dropped", got)
		}
		if got := p.Text("document.querySelectorAll('.dot.entered').length"); got != "0" {
			t.Errorf("%s dots of new methods, want none yet", got)
		}
		p.Eval(`fetch("/mine.flock").then((answer) => answer.blob()).then((blob) => {
			const transfer = new DataTransfer(), input = document.querySelector("#open");
			transfer.items.add(new File([blob], "mine.flock"));
			input.files = transfer.files;
			input.dispatchEvent(new Event("change", { bubbles: true }));
			return 0;
		})`, nil)
		p.Until(arenaReady+" && document.querySelectorAll('.dot.entered').length > 0", patience)
		if got := p.Text("document.querySelector('.dot.entered').dataset.lane"); got != "ifca:mine" {
			t.Errorf("the new dot is of %s, want ifca:mine", got)
		}
		want := decisions(t, append(bytes.Clone(lines), mine...))
		for family, answer := range p.arenaAnswers() {
			if answer != want[family][0] {
				t.Errorf("%s: %q, the page of flock page has %q", family, answer, want[family][0])
			}
		}

		p.Drop("main", "poem.txt", "no records")
		p.Until("document.querySelector('#status').textContent.startsWith('Not opened. poem.txt is no file of results; choose')", patience)
		if p.Text("document.querySelectorAll('.dot.entered').length > 0") != "true" {
			t.Error("a refused file changes the page")
		}

		p.AllowProblem("404")
		p.AllowProblem("arena-records.jsonl.gz")
		p.Open("/arena/index.html?lang=en")
		p.Until("document.body.dataset.state === 'ready' && document.querySelector('#status').textContent.startsWith('This site has no records of its own')", patience)
	})
}

// The arena's page fits narrow windows and frames, in both themes and languages, and a finger opens tooltips first.
func TestArenaLooks(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		p.Serve(arenaSite(t))
		for _, look := range []struct {
			name, query, scheme string
			width, height       int
		}{
			{"arena-1440", "?lang=en", "light", 1440, 900},
			{"arena-1440-dark", "?lang=zh&k=unknown", "dark", 1440, 900},
			{"arena-390", "?lang=en", "light", 390, 844},
			{"arena-390-zh", "?lang=zh&clients=row+turns|row+mixtures", "dark", 390, 844},
			{"arena-800x450", "?lang=en&clients=family+turns&by=rows", "light", 800, 450},
		} {
			p.Viewport(look.width, look.height)
			p.ColorScheme(look.scheme)
			p.Open("/arena/index.html" + look.query)
			p.Until(arenaReady, patience)
			if got := p.Text("document.documentElement.scrollWidth <= innerWidth"); got != "true" {
				t.Errorf("%s: the page is wider than its window", look.name)
			}
			if strings.Contains(look.query, "zh") && p.Text("/Your clients|better|Records/.test(document.body.innerText)") == "true" {
				t.Errorf("%s: English texts are left: %s", look.name, p.Text("document.body.innerText"))
			}
			p.faults(look.name, "", allRules)
			p.Shot(look.name)
		}
		p.Eval(`(() => {
			window.opened = 0;
			window.dot = document.querySelector(".dot.best");
			document.addEventListener("click", (event) => { if (!event.defaultPrevented) { opened++; event.preventDefault(); } });
			window.tap = () => dot.dispatchEvent(new PointerEvent("click", { bubbles: true, cancelable: true, pointerType: "touch" }));
			tap();
		})()`, nil)
		if got := p.Text("[opened, document.querySelector('#tip').hidden]"); got != "0,false" {
			t.Errorf("the first tap: opened, no tooltip: %s; want 0,false", got)
		}
		p.Eval("(tap(), 0)", nil)
		if got := p.Text("opened"); got != "1" {
			t.Errorf("the second tap opens %s runs, want 1", got)
		}
	})
}
