package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/registry"
	"flockscope/ui/guide"
)

func TestPatch(t *testing.T) {
	tests := []struct {
		name    string
		script  string
		patches []replacement
		want    string
		err     string
	}{
		{"once", "a b c", []replacement{{old: "b", new: "x"}}, "a x c", ""},
		{"twice", "a b b", []replacement{{old: "b", new: "x", count: 2}}, "a x x", ""},
		{"in order", "a", []replacement{{old: "a", new: "b"}, {old: "b", new: "c"}}, "c", ""},
		{"missing", "a", []replacement{{old: "b", new: "x"}}, "", `"b" 0 times, want 1`},
		{"too many", "b b", []replacement{{old: "b", new: "x"}}, "", `"b" 2 times, want 1`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := patch(tt.script, tt.patches)
			if got != tt.want || (err == nil) != (tt.err == "") ||
				err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("patch(%q) = %q, %v, want %q, %q", tt.script, got, err, tt.want, tt.err)
			}
		})
	}
}

// The patches fit the version of Vugu that go.mod names.
func TestVuguRender(t *testing.T) {
	script, err := vuguRender()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"window.vuguRender=function", "setHTML(x.el", "function setStyle"} {
		if !bytes.Contains(script, []byte(want)) {
			t.Errorf("the script has no %q", want)
		}
	}
}

// The change of the scheduler fits the version of Go that go.mod names.
func TestSchedulerFlags(t *testing.T) {
	if !strings.HasPrefix(runtime.Version(), "go1.26") {
		t.Skip("for another version of Go")
	}
	dir := t.TempDir()
	flags, err := schedulerFlags(dir)
	if err != nil || len(flags) != 1 {
		t.Fatalf("schedulerFlags: %q, %v", flags, err)
	}
	cmd := exec.Command("go", "build", flags[0], "runtime")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("the changed runtime: %v\n%s", err, out)
	}
}

func TestCompress(t *testing.T) {
	text := bytes.Repeat([]byte("the same again, "), 100)
	site := files{"a.js": text, "tiny.txt": []byte("x"), "b.png": text}
	packed, err := compress(site, filepath.Join(t.TempDir(), "cache"), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"tiny.txt.br", "tiny.txt.gz", "b.png.br", "b.png.gz"} {
		if _, ok := packed[name]; ok {
			t.Errorf("%s is there, but compressing gains nothing", name)
		}
	}
	unpacked, err := io.ReadAll(brotli.NewReader(bytes.NewReader(packed["a.js.br"])))
	if err != nil || !bytes.Equal(unpacked, text) {
		t.Errorf("a.js.br holds %d bytes (%v), want the %d of a.js", len(unpacked), err, len(text))
	}
	r, err := gzip.NewReader(bytes.NewReader(packed["a.js.gz"]))
	if err != nil {
		t.Fatal(err)
	}
	if unpacked, err = io.ReadAll(r); err != nil || !bytes.Equal(unpacked, text) {
		t.Errorf("a.js.gz holds %d bytes (%v), want the %d of a.js", len(unpacked), err, len(text))
	}
}

func TestMirror(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	if err := mirror(dir, files{"kept": []byte("1"), "changed": []byte("1"), "sub/dropped": []byte("1")}); err != nil {
		t.Fatal(err)
	}
	past := time.Now().Add(-time.Hour).Truncate(time.Second)
	if err := os.Chtimes(filepath.Join(dir, "kept"), past, past); err != nil {
		t.Fatal(err)
	}
	if err := mirror(dir, files{"kept": []byte("1"), "changed": []byte("2")}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(dir, "kept")); err != nil || !info.ModTime().Equal(past) {
		t.Errorf("kept was written again (%v)", err)
	}
	if content, err := os.ReadFile(filepath.Join(dir, "changed")); err != nil || string(content) != "2" {
		t.Errorf("changed = %q, %v, want 2", content, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "sub", "dropped")); !os.IsNotExist(err) {
		t.Errorf("sub/dropped is still there (%v)", err)
	}
}

// The explanations have a picture of every method, behind their texts, in each language.
func TestPictures(t *testing.T) {
	site := files{"assets/guide.txt": []byte("= ifca\nidea: Yes."), "assets/guide.zh.txt": []byte("= ifca\nidea: 是。\n")}
	addPictures(site)
	for name, content := range site {
		texts := guide.Parse(string(content))
		for _, m := range catalog.Schema().Algorithms {
			if svg := texts["picture "+m.Name]; !strings.HasPrefix(svg, "<svg") || !strings.HasSuffix(svg, "</svg>\n") {
				t.Errorf("%s has %q as the picture of %s", name, svg, m.Name)
			}
		}
		if !strings.HasPrefix(texts["ifca"], "idea: ") || strings.Contains(texts["ifca"], "svg") {
			t.Errorf("%s explains IFCA by %q", name, texts["ifca"])
		}
	}
}

// Another page, or another content of a file that is kept, makes another
// service worker.
func TestWorker(t *testing.T) {
	script := func(changed string) string {
		site := files{"index.html": []byte("1"), "assets/boot.js": []byte("2"), "assets/link.js": []byte("3")}
		if changed != "" {
			site[changed] = []byte("x")
		}
		if err := addWorker(site); err != nil {
			t.Fatal(err)
		}
		before := string(site["sw.js"])
		if err := addWorker(site); err != nil || string(site["sw.js"]) != before {
			t.Errorf("a service worker made twice is another (%v)", err)
		}
		return before
	}
	plain := script("")
	if want := `files = {"assets/boot.js":"d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35"}`; !strings.Contains(plain, want) {
		t.Errorf("the service worker has no %s", want)
	}
	if script("index.html") == plain || script("assets/boot.js") == plain {
		t.Error("another build has the same service worker")
	}
	if script("assets/link.js") != plain {
		t.Error("a file that is not kept makes another service worker")
	}
}

func TestCheckOut(t *testing.T) {
	full, site := t.TempDir(), t.TempDir()
	for _, name := range []string{filepath.Join(full, "letter.txt"), filepath.Join(site, siteMark)} {
		if err := os.WriteFile(name, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name, out string
		ok        bool
	}{
		{"new", filepath.Join(full, "new"), true},
		{"empty", t.TempDir(), true},
		{"a site", site, true},
		{"something else", full, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := checkOut(tt.out); (err == nil) != tt.ok {
				t.Errorf("checkOut(%s) = %v, want ok %v", tt.out, err, tt.ok)
			}
		})
	}
}

func TestFirstVisit(t *testing.T) {
	site := files{
		"index.html": []byte(`<link href="assets/a.css"><script src="assets/boot.js">` +
			`<source srcset="assets/poster-tall.svg"><img src="assets/poster.svg">`),
		"assets/poster-tall.svg": []byte("tall"), "assets/poster.svg": []byte("low"),
		"assets/a.css":    nil,
		"assets/boot.js":  []byte(`load("main.wasm")`),
		"assets/first.js": []byte(`new URL("run.bin", here)`),
		"assets/run.bin":  nil,
		"main.wasm":       nil,
		"main.wasm.br":    nil,
		"assets/later":    nil,
	}
	got := strings.Join(firstVisit(site), " ")
	if want := "assets/a.css assets/boot.js assets/poster-tall.svg assets/run.bin index.html main.wasm"; got != want {
		t.Errorf("firstVisit = %s, want %s", got, want)
	}
}

// Comments of style sheets stay out of the site, and every rule stays in.
func TestPageWithoutComments(t *testing.T) {
	root, site := t.TempDir(), files{}
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("index.html", "<p>")
	write("assets/.hidden", "")
	write("assets/a.css", "/* one */\na { b: c; } /* two\nlines **/ d { e: f; }")
	write("assets/a.js", "/* stays */")
	if err := addPage(site, root); err != nil {
		t.Fatal(err)
	}
	want := files{"index.html": []byte("<p>"), "assets/a.css": []byte("\na { b: c; }  d { e: f; }"),
		"assets/a.js": []byte("/* stays */")}
	for name, text := range want {
		if string(site[name]) != string(text) {
			t.Errorf("%s is %q, want %q", name, site[name], text)
		}
	}
	if len(site) != len(want) {
		t.Errorf("there are %d files, want %d", len(site), len(want))
	}
}

// A release has no drafts; other builds have.
func TestDraftsAreNotReleased(t *testing.T) {
	schema := &experiment.Schema{Algorithms: []registry.Meta{{Name: "done"}, {Name: "tried", Draft: true}}}
	err := checkDrafts(true, schema)
	if err == nil || !strings.Contains(err.Error(), "tried is a draft") {
		t.Errorf("a release with a draft says %v", err)
	}
	if err := checkDrafts(false, schema); err != nil {
		t.Errorf("a build with a draft says %v", err)
	}
	if err := checkDrafts(true, &experiment.Schema{Algorithms: schema.Algorithms[:1]}); err != nil {
		t.Errorf("a release without drafts says %v", err)
	}
}
