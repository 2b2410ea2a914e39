package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/registry"
	"flockscope/ui/guide"
)

func TestChangeScript(t *testing.T) {
	tests := []struct {
		name    string
		script  string
		changes []change
		want    string
		err     string
	}{
		{"once", "a b c", []change{{old: "b", new: "x"}}, "a x c", ""},
		{"twice", "a b b", []change{{old: "b", new: "x", count: 2}}, "a x x", ""},
		{"in order", "a", []change{{old: "a", new: "b"}, {old: "b", new: "c"}}, "c", ""},
		{"missing", "a", []change{{name: "texts", old: "b", new: "x"}}, "", `has "b" 0 times, want 1, so the change "texts"`},
		{"too many", "b b", []change{{name: "texts", old: "b", new: "x"}}, "", `has "b" 2 times, want 1, so the change "texts"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := changeScript(tt.script, tt.changes)
			if got != tt.want || (err == nil) != (tt.err == "") ||
				err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("changeScript(%q) = %q, %v, want %q, %q", tt.script, got, err, tt.want, tt.err)
			}
		})
	}
}

// The changes fit the version of Vugu that go.mod names, each function that they call is
// there, and VUGU.md has each of them.
func TestVuguRender(t *testing.T) {
	script, err := vuguRender()
	if err != nil {
		t.Fatal(err)
	}
	for _, function := range regexp.MustCompile(`function (\w+)\(`).FindAllStringSubmatch(vuguHelpers, -1) {
		if n := bytes.Count(script, []byte(function[1]+"(")); n < 2 {
			t.Errorf("nothing in the script calls %s", function[1])
		}
	}
	doc, err := os.ReadFile("VUGU.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range vuguChanges {
		if !bytes.Contains(doc, []byte("\n| "+c.name+" |")) {
			t.Errorf("VUGU.md does not say why the change %q is made", c.name)
		}
	}
}

// The page's program does without encoding/json, 38 KB of a first visit: so do our own
// packages, and Vugu's variant for TinyGo.
func TestNoJSON(t *testing.T) {
	cmd := exec.Command("go", slices.Concat([]string{"list", "-deps"}, buildFlags(), []string{"flockscope/wasm/app"})...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(string(out))
	if slices.Contains(packages, "encoding/json") {
		t.Error("the page's program has encoding/json: either a package below ui imports it (use vjson or wire), or " +
			"Vugu has changed what its tag tinygo leaves out; see VUGU.md")
	}
	if !slices.Contains(packages, "github.com/vugu/vjson") {
		t.Error("Vugu no longer uses vjson, so VUGU.md is out of date about the tag tinygo")
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

// The explanations have the terms in bold of the glossary, with a capital.
func TestGlossaryInHelp(t *testing.T) {
	site := files{"assets/guide.txt": []byte("= ifca\nidea: Yes.")}
	if err := addGlossary(site, "../.."); err != nil {
		t.Fatal(err)
	}
	words := guide.Parse(string(site["assets/guide.txt"]))["words"]
	if !strings.Contains(words, "Client: A participant") || !strings.Contains(words, "\nARI: ") || strings.ContainsAny(words, "*|") {
		t.Errorf("the words are %q", words)
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
		"assets/boot.js":  []byte("load(\"main.wasm\"); load(`main-${\"files\"}.wasm`)"),
		"assets/first.js": []byte(`new URL("run.bin", here)`),
		"assets/run.bin":  nil,
		"main.wasm":       nil,
		"main.wasm.br":    nil,
		"main-files.wasm": nil,
		"assets/later":    nil,
	}
	got := strings.Join(firstVisit(site), " ")
	if want := "assets/a.css assets/boot.js assets/poster-tall.svg assets/run.bin index.html main.wasm"; got != want {
		t.Errorf("firstVisit = %s, want %s", got, want)
	}
}

// Hidden files stay out of the site.
func TestPageWithoutHiddenFiles(t *testing.T) {
	root, site := t.TempDir(), files{}
	for name, text := range map[string]string{"index.html": "<p>", "assets/.hidden": "", "assets/a.js": "a()"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := addPage(site, root); err != nil {
		t.Fatal(err)
	}
	if len(site) != 2 || string(site["index.html"]) != "<p>" || string(site["assets/a.js"]) != "a()" {
		t.Errorf("the site has %q", site)
	}
}

func TestDropComments(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"a.css", "/* one */\na { b: c; } /* two\nlines **/ d { e: f; }", "\na { b: c; }  d { e: f; }"},
		{"a.js", "// One.\n//\n\n  // Two.\n  f(\"// three\"); // stays\n\n\tg(); // four\n  // Five.\n", "f(\"// three\"); // stays\ng(); // four\n"},
		{"a.js", "f()", "f()"},
		{"a.txt", "// text", "// text"},
		{"docs/a.js", "// documentation", "// documentation"},
	}
	for _, tt := range tests {
		site := files{tt.name: []byte(tt.text)}
		dropComments(site)
		if got := string(site[tt.name]); got != tt.want {
			t.Errorf("of %s %q stays %q, want %q", tt.name, tt.text, got, tt.want)
		}
	}
}

// Every script of the page can still be parsed.
func TestScriptsWithoutComments(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	site := files{}
	if err := addPage(site, "../.."); err != nil {
		t.Fatal(err)
	}
	if site["wasm_exec.js"], err = wasmExec(); err != nil {
		t.Fatal(err)
	}
	site[workerFile] = offlineScript
	dropComments(site)
	for name, content := range site {
		if filepath.Ext(name) != ".js" {
			continue
		}
		cmd := exec.Command(node, "--check", "-")
		cmd.Stdin = bytes.NewReader(content)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// A program of another version of Go is sent as it was compiled, with one line that says
// why and what it costs, and starts in what loads a packed one.
func TestOtherGo(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "hard.wasm")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", path, "flockscope/wasm/pack/slim/testdata/hard")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	compiled, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	site := files{}
	unpacked := pageProgram.addPacked(site, compiled, "go1.99.1")
	if unpacked == nil || !bytes.Equal(site[pageProgram.file], compiled) || site[pageProgram.names] != nil {
		t.Fatalf("a program of go1.99.1 is packed (%v)", unpacked)
	}
	site[pageProgram.file+".br"] = make([]byte, 1000)
	want := "warning: wasm/pack cannot pack what go1.99.1 compiles: it knows go1.26; so it is not packed, and a first visit " +
		"loads 440 bytes more (1000 with brotli); see wasm/pack/FORMAT.md"
	if got := warning(unpacked, site); got != want {
		t.Errorf("the build warns\n%s\nwant\n%s", got, want)
	}
	if err := os.WriteFile(path, site[pageProgram.file], 0o600); err != nil {
		t.Fatal(err)
	}
	script, err := wasmExec()
	if err != nil {
		t.Fatal(err)
	}
	runtime := filepath.Join(dir, "wasm_exec.js")
	if err := os.WriteFile(runtime, script, 0o600); err != nil {
		t.Fatal(err)
	}
	const run = `const [, runtime, unpack, program] = process.argv;
		for (const script of [runtime, unpack]) require(require("path").resolve(script));
		const go = new Go(), bytes = flockscopeUnpack(require("fs").readFileSync(program));
		go.exit = process.exit; // before timers that the program has left
		WebAssembly.instantiate(bytes, go.importObject).then(({ instance }) => go.run(instance));`
	out, err := exec.Command(node, "--stack-size=4000", "-e", run, runtime, "../../assets/unpack.js", path).CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("caught: runtime error: integer divide by zero")) {
		t.Errorf("started, the program prints %q (%v)", out, err)
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
