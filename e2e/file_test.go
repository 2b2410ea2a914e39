package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// samples are rows of six clients in two groups, whose lines slope up and down.
func samples(groups bool) string {
	var b strings.Builder
	b.WriteString("client,x,y")
	if groups {
		b.WriteString(",group")
	}
	b.WriteByte('\n')
	for i := range 120 {
		client := i % 6
		x := float64(i%20)/20 - 0.4
		y := x*float64(1-2*(client%2)) + float64(i%7)/50
		fmt.Fprintf(&b, "c%d,%.3f,%.3f", client, x, y)
		if groups {
			fmt.Fprintf(&b, ",%s", []string{"up", "down"}[client%2])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// withFile evaluates an expression in which transfer holds a file.
func (p *Page) withFile(name, text, expression string) {
	p.t.Helper()
	p.Eval(fmt.Sprintf(`(() => {
		const transfer = new DataTransfer();
		transfer.items.add(new File([%s], %s, { type: "text/csv" }));
		%s;
	})()`, quote(text), quote(name), expression), nil)
}

// Pick chooses a file in the page's picker.
func (p *Page) Pick(name, text string) {
	p.t.Helper()
	p.Until("document.querySelector('#pick')", patience) // a notice is there before its page is drawn
	p.withFile(name, text, `const input = document.querySelector("#pick");
		input.files = transfer.files;
		input.dispatchEvent(new Event("change", { bubbles: true }))`)
}

// Drop drops a file on an element of the page.
func (p *Page) Drop(selector, name, text string) {
	p.t.Helper()
	p.withFile(name, text, fmt.Sprintf(`const el = document.querySelector(%s);
		for (const kind of ["dragenter", "dragover", "drop"]) {
			const event = new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: transfer });
			if (el.dispatchEvent(event) && kind !== "dragenter") throw new Error(kind + " was left to the browser, which would open the file");
		}`, quote(selector)))
}

// notices are the texts above the page as a person reads them.
const notices = "[...document.querySelectorAll('.notice')].map((n) => n.innerText).join('|')"

func TestFile(t *testing.T) {
	inTwo := filepath.Join(t.TempDir(), "two groups.csv")
	if err := os.WriteFile(inTwo, []byte(samples(true)), 0o600); err != nil {
		t.Fatal(err)
	}
	want := native(t, "-data", inTwo, "K=2&T=60")
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		linreg := p.Run("?K=2&T=60&t=50")

		// With groups: a run like any other, the same as on the command line.
		p.Pick("two groups.csv", samples(true))
		p.When(complete + " && s.config.startsWith('data=csv') && s.clients === 6")
		p.Drawn()
		grouped := p.State()
		if prints(grouped) != want || !grouped.Truth || grouped.Round != 50 {
			t.Errorf("the file runs to %s at round %d, groups known: %v; on the command line to %s", prints(grouped),
				grouped.Round, grouped.Truth, want)
		}
		if !strings.HasPrefix(grouped.Lanes[0].Score, "ARI ") {
			t.Errorf("with groups the score is %q", grouped.Lanes[0].Score)
		}
		words := p.Text("document.querySelector('.file .hint').textContent")
		if words != "two groups.csv: 120 rows of 6 clients in 2 groups. Defaults that fit this file: K=2." {
			t.Errorf("the page says %q of the file", words)
		}

		// A broken file changes nothing, and says where it is broken.
		p.Drop(".lanes", "broken.csv", "client,x,y\na,1,2\nb,three,4\n")
		p.When("s.notices.length === 1")
		p.Drawn()
		if got := p.Text(notices); !strings.Contains(got,
			`broken.csv: line 3: column "x": expected a number, found "three"; correct it, remove the row, or ignore the column, as in cols=2:ignore. Nothing was changed.`) {
			t.Errorf("of a broken file the page says %q", got)
		}
		if got := p.State(); prints(got) != want || got.Query != grouped.Query || !got.Done ||
			got.File != grouped.File {
			t.Errorf("a broken file changed the page to %+v", got)
		}
		if got := p.Text("document.querySelector('.file .hint').textContent"); got != words {
			t.Errorf("after a broken file the page says %q, before %q", got, words)
		}
		p.Click(".notice .quiet")
		p.When("s.notices.length === 0")

		// The same again, by dropping it, without groups.
		p.Drop("canvas[data-figure=stage]", "<b>plain</b>.csv", samples(false))
		p.When(complete + " && !s.truth && s.clients === 6")
		p.Drawn()
		plain := p.State()
		if strings.Contains(scores(plain), "ARI") || strings.Contains(scores(plain), "wrong") {
			t.Errorf("without groups the scores are %q", scores(plain))
		}
		story := p.Text("document.querySelector('.story').innerText")
		if !strings.Contains(story, "no clustering is right or wrong, and there is no ARI") {
			t.Errorf("without groups the page says %q", story)
		}
		if got := p.Text("document.querySelector('.file .hint').textContent"); got != "<b>plain</b>.csv: 120 rows of 6 clients, groups unknown." {
			t.Errorf("the page says %q of the file", got)
		}
		if got := p.Text("document.querySelectorAll('.file b').length"); got != "0" {
			t.Error("the name of a file becomes a part of the page")
		}

		// More models than the file has clients: refused in words, and the
		// run before stays in sight.
		p.OpenSettings()
		p.Enter("#set-K", "7")
		p.When("s.notices.length === 1 || document.querySelector('#set-K-why').textContent")
		p.Drawn()
		if got := p.Text(notices + "+ document.querySelector('#set-K-why').textContent"); !strings.Contains(got,
			"at most the 6 clients of the file") {
			t.Errorf("of too many models the page says %q", got)
		}
		if got := p.State(); prints(got) != prints(plain) {
			t.Errorf("too many models changed the run to %s", prints(got))
		}
		p.Enter("#set-K", "3")
		p.When(complete + " && !s.runQuery.includes('K=')")

		// Back to the simulated data, by undoing.
		for range 4 {
			p.Key("Tab") // out of the box, where Ctrl+Z is the browser's
		}
		p.Eval("document.activeElement.blur()", nil)
		for range 5 {
			p.Key("Control+z")
		}
		p.When(complete + " && s.config === " + quote(linreg.Config))
		if got := p.State(); prints(got) != prints(linreg) || got.Clients != 12 {
			t.Errorf("all undone, the run is %s, want %s", prints(got), prints(linreg))
		}
	})
}

// slowReader is a script that delays each part of the reader of files.
const slowReader = `void (() => {
	const plain = fetch;
	window.slow = true;
	window.fetch = async (...args) => {
		const answer = await plain(...args);
		if (!String(args[0]).endsWith("/flockscope-files.pack")) return answer;
		return new Response(answer.body.pipeThrough(new TransformStream({
			async transform(part, to) {
				if (slow) await new Promise((done) => setTimeout(done, 400));
				to.enqueue(part);
			},
		})));
	};
})()`

// The reader of files is no part of a first visit. If it cannot be loaded, the page says so, goes on as before, and
// tries again when asked.
func TestReaderOfFiles(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.AllowProblem("404")
		p.AllowProblem("could not load")
		const loads = "performance.getEntriesByType('resource').some((e) => e.name.endsWith('/flockscope-files.pack'))"
		for _, how := range firstStates(2, []string{"worker", "main", "blob"}) {
			missing := true
			p.Serve(changed("/flockscope-files.pack", func(a *httptest.ResponseRecorder) {
				if missing {
					a.Code = http.StatusNotFound
					a.Header().Set("Cache-Control", "no-store")
				}
			}))
			before := p.Run("?K=2&T=60&workers=2&engine=" + how)
			if got := p.Text(loads); got != "false" {
				t.Errorf("engine=%s: a first visit loads the reader of files", how)
			}
			p.Pick("rows.csv", samples(true))
			p.When("s.notices.join().includes('rows.csv cannot be read')")
			if got := p.State(); prints(got) != prints(before) || got.Config != before.Config || got.Problem != "" {
				t.Errorf("engine=%s: without the reader the page is at %s, %q", how, got.Config, got.Problem)
			}
			missing = false
			p.Eval(slowReader, nil)
			p.Click(".notices .way")
			p.Until("document.querySelector('.fetching').textContent.startsWith('Loading the reader of files: ')", patience)
			p.Eval("window.slow = false", nil)
			p.When(complete + " && s.config.startsWith('data=csv') && s.clients === 6")
			if got := p.State(); len(got.Notices) > 0 || got.Problem != "" {
				t.Errorf("engine=%s: with the reader the page says %q, %q", how, got.Notices, got.Problem)
			}
		}
	})
}

// Data from a file can be chosen before there is one.
func TestNoFileYet(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		before := p.Run("?t=20")
		p.Choose("#set-data", "csv")
		p.When("s.config.startsWith('data=csv')")
		p.Drawn()
		if got := p.Text("document.querySelector('.file .hint').textContent"); !strings.HasPrefix(got, "No file yet.") {
			t.Errorf("the page says %q", got)
		}
		if got := p.State(); prints(got) != prints(before) {
			t.Errorf("without a file, the run changed to %s", prints(got))
		}
		p.Choose("#set-data", "linreg")
		p.When(complete)

		// A link to data that only its author has.
		p.Open("/?data=csv&K=2")
		p.Until("document.querySelector('.file .hint').textContent.startsWith('No file yet.')", patience)
		p.Pick("late.csv", samples(true))
		p.When(complete + " && s.clients === 6")
		p.Until("document.getElementById('poster').hidden", patience)

		// Files that no one can mean.
		p.Eval(`(() => {
			const transfer = new DataTransfer();
			transfer.items.add(new File(["x"], "huge.csv"));
			const input = document.querySelector("#pick");
			input.files = transfer.files;
			Object.defineProperty(input.files[0], "size", { value: 201 << 20 });
			input.dispatchEvent(new Event("change", { bubbles: true }));
		})()`, nil)
		p.When("s.notices.some((n) => n.includes('Too large: huge.csv, 201 MB; the most is 200 MB'))")
		p.Pick("empty.csv", "")
		p.When("s.notices.some((n) => n.includes('empty.csv'))")
		p.Pick("binary.csv", "\x00\x01\xff\xfe\x00")
		p.When("s.notices.length === 1 && s.notices[0].includes('binary.csv')") // refusals go with the next files
		if got := p.State(); !got.Done || got.Clients != 6 {
			t.Errorf("bad files changed the page to %+v", got)
		}
	})
}

// runFile opens a link that needs a file, picks it, and compares the run's fingerprints with those
// of the command line.
func (p *Page) runFile(query, name, text, want string) state {
	p.t.Helper()
	p.Open("/?" + query)
	p.When("s.notices.length > 0")
	p.Pick(name, text)
	p.When(complete + " && s.file !== ''")
	got := p.State()
	if prints(got) != want {
		p.t.Errorf("the link runs to %s, on the command line to %s: %s", prints(got), want, got.Query)
	}
	return got
}

// ignoreColumn opens the sheet of columns and ignores one of them.
func (p *Page) ignoreColumn(name string) {
	p.t.Helper()
	role := "[data-role='" + name + "']"
	p.Eval("document.querySelector('#columns').click()", nil)
	p.When("s.sheet === 'columns'")
	p.Until(`document.querySelector("`+role+`")`, patience)
	p.Choose(role, "ignore")
}

// TestRolesOfColumns: a link with roles of columns runs as on the command line once its file
// is there; the sheet of columns changes a role, and the link with it.
func TestRolesOfColumns(t *testing.T) {
	var b strings.Builder
	b.WriteString("id;site;size;colour;species\n")
	for i := range 80 {
		fmt.Fprintf(&b, "%d;s%d;%d,5;%s;%s\n", i, i%4, i*7%30, []string{"red", "blue", "?"}[i%5%3],
			[]string{"rose", "lily"}[i*3%7%2])
	}
	path := filepath.Join(t.TempDir(), "flowers.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	const query = "data=samples&cols=site:ignore&na=mean&shift=none&C=4&K=2&T=10&scale=minmax"
	want := native(t, "-data", path, query)
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(390, 844)
		p.runFile(query, "flowers.csv", b.String(), want)
		p.ignoreColumn("colour")
		p.When(complete + " && s.config.includes('cols=site:ignore,colour:ignore')")
		p.Until("document.querySelector('#roles-guess')", patience)
		p.Eval("document.querySelector('#roles-guess').click()", nil)
		p.When(complete + " && !s.config.includes('cols=') && s.config.includes('split=writers')")
	})
}

// TestTexts: a link to texts runs as on the command line once their file is there, and the
// sheet of columns leaves out one of two columns of sentences.
func TestTexts(t *testing.T) {
	var b strings.Builder
	for i := range 160 {
		topic := i * 3 % 7 % 4
		fmt.Fprintf(&b, "\"%d\",\"No. %d: ĉiuj %s, 全部\",\"%s of the %dth, \"\"so\"\" to say\"\n", topic+1, i*7919%1009,
			[]string{"rivers", "markets", "goals", "robots"}[topic], []string{"Floods", "Shares", "Matches", "Screws"}[topic], i)
	}
	path := filepath.Join(t.TempDir(), "news.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	const query = "data=samples&scale=none&split=pairs&shift=none&net=mlp&hidden=8&C=12&K=6&T=6&algos=clove"
	want := native(t, "-data", path, query)
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		if got := p.runFile(query, "news.csv", b.String(), want); !got.Truth {
			t.Error("the groups of the texts are unknown")
		}
		p.Until("document.querySelector('.file .hint').textContent.includes('160 texts with ')", patience)
		p.ignoreColumn("2")
		p.When(complete + " && s.config.includes('cols=2:ignore')")
	})
}
