package course

import (
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"flockscope/sim/lesson"
)

// site is a small built site, with the page and the script of the real one.
func site(t *testing.T) fstest.MapFS {
	t.Helper()
	read := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	files := fstest.MapFS{}
	for name, content := range map[string][]byte{
		"index.html": read("index.html"), "assets/boot.js": read("assets/boot.js"), "assets/zh.txt": read("assets/zh.txt"),
		"flockscope.pack": []byte(strings.Repeat("program ", 1000)), "flockscope-files.pack": []byte("reader"),
		"flockscope.pack.br": []byte("br"), "index.html.gz": []byte("gz"), "assets/icon.svg": []byte("<svg/>"),
		"sw.js": []byte("worker"), "names.txt": []byte("names"), "names-files.txt": []byte("names"), "assets/link.js": []byte("link"),
		"docs/a & b.html": []byte("text"), "licences.txt": []byte("licences"),
	} {
		files[name] = &fstest.MapFile{Data: content}
	}
	return files
}

// pack makes a course and returns the files in it.
func pack(t *testing.T, from fs.FS, o Options) (names []string, files map[string]string) {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, from, o); err != nil {
		t.Fatal(err)
	}
	return unzip(t, b.Bytes())
}

func unzip(t *testing.T, content []byte) (names []string, files map[string]string) {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	files = map[string]string{}
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		names, files[f.Name] = append(names, f.Name), string(content)
	}
	return names, files
}

// unpacked returns a program as it is on the site.
func unpacked(t *testing.T, packed string) string {
	t.Helper()
	g, err := gzip.NewReader(strings.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	program, err := io.ReadAll(g)
	if err != nil {
		t.Fatal(err)
	}
	return string(program)
}

// A package has all files of the site but those that a server of it needs, and the programs are compressed.
func TestFiles(t *testing.T) {
	names, files := pack(t, site(t), Options{Lessons: []int{3, 1}, SCORM: SCORM12})
	want := []string{"imsmanifest.xml", "LICENCE.txt", "course.css", "course.html", "course.js", "page/assets/boot.js",
		"page/assets/icon.svg", "page/assets/zh.txt", "page/docs/a & b.html", "page/flockscope-files.bin", "page/flockscope.bin",
		"page/index.html", "page/licences.txt", "scorm.js"}
	if !slices.Equal(names, want) {
		t.Errorf("the package has\n%q, want\n%q", names, want)
	}
	program := unpacked(t, files["page/flockscope.bin"])
	if program != strings.Repeat("program ", 1000) || len(files["page/flockscope.bin"]) > 200 {
		t.Errorf("the program has %d bytes, and %d in the package", len(program), len(files["page/flockscope.bin"]))
	}
	for _, name := range []string{"page/index.html", "page/assets/boot.js"} {
		if text := files[name]; strings.Contains(text, ".pack\"") || strings.Contains(text, ".pack`") {
			t.Errorf("%s still names a program that is not in the package", name)
		}
	}
	for name, text := range files {
		if strings.HasPrefix(name, "page/") || !strings.Contains(text, "{TITLE}") && !strings.Contains(text, "{FILES}") {
			continue
		}
		t.Errorf("%s has places that are not filled", name)
	}
	if !strings.Contains(files["LICENCE.txt"], licenceURL) {
		t.Error("the package does not say what licence the texts have")
	}
	again := func() string {
		var b bytes.Buffer
		if err := Write(&b, site(t), Options{Lessons: []int{3, 1}, SCORM: SCORM12}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if first := again(); first != again() {
		t.Error("the same course is another file each time")
	}
}

// What a manifest says, in both versions.
type manifestXML struct {
	Identifier string   `xml:"identifier,attr"`
	Version    string   `xml:"metadata>schemaversion"`
	Language   string   `xml:"metadata>lom>general>language"`
	Titles     []string `xml:"organizations>organization>title"`
	Items      []struct {
		Ref   string `xml:"identifierref,attr"`
		Title string `xml:"title"`
	} `xml:"organizations>organization>item"`
	Resources []struct {
		ID    string `xml:"identifier,attr"`
		Kind  string `xml:"scormtype,attr"`
		Kind4 string `xml:"scormType,attr"`
		Start string `xml:"href,attr"`
		Files []struct {
			Name string `xml:"href,attr"`
		} `xml:"file"`
	} `xml:"resources>resource"`
}

// The manifest is well-formed XML, names the version, and lists all files of the package.
func TestManifest(t *testing.T) {
	for _, tt := range []struct {
		scorm, version, kind string
	}{{SCORM12, "1.2", "sco"}, {SCORM2004, "2004 3rd Edition", "sco"}} {
		names, files := pack(t, site(t), Options{Lessons: []int{3, 1}, SCORM: tt.scorm, Title: `Week 3 <"models"> & groups`})
		var m manifestXML
		if err := xml.Unmarshal([]byte(files[manifest]), &m); err != nil {
			t.Fatal(err)
		}
		if m.Version != tt.version || m.Identifier != "flockscope-3-1" || m.Language != "en" || len(m.Items) != 1 || len(m.Resources) != 1 {
			t.Fatalf("SCORM %s: the manifest is %+v", tt.scorm, m)
		}
		r := m.Resources[0]
		if title := `Week 3 <"models"> & groups`; m.Titles[0] != title || m.Items[0].Title != title || m.Items[0].Ref != r.ID ||
			r.Start != "course.html" || r.Kind+r.Kind4 != tt.kind {
			t.Errorf("SCORM %s: the manifest is %+v", tt.scorm, m)
		}
		var listed []string
		for _, f := range r.Files {
			listed = append(listed, f.Name)
		}
		if !slices.Equal(listed, names[1:]) {
			t.Errorf("SCORM %s: the manifest lists %q, want %q", tt.scorm, listed, names[1:])
		}
	}
}

// between returns the text of the element that begins so.
func between(t *testing.T, text, start, end string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, start)
	text, _, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("there is no %s", start)
	}
	return text
}

// The page knows the course, and says to search engines and catalogues what it is.
func TestCoursePage(t *testing.T) {
	for _, tt := range []struct{ lang, htmlLang, title string }{
		{"", "en", "Patience beats noise"}, {"zh", "zh-Hans", ""},
	} {
		_, files := pack(t, site(t), Options{Lessons: []int{3, 1}, SCORM: SCORM2004, Title: "</script><b>", Lang: tt.lang, Pass: 60})
		page := files["course.html"]
		if strings.Contains(page, "</script><b>") || !strings.Contains(page, "<html lang=\""+tt.htmlLang+"\">") {
			t.Errorf("the page of %q begins with %.300s", tt.lang, page)
		}
		var got settings
		if err := json.Unmarshal([]byte(between(t, page, `id="course">`, "</script>")), &got); err != nil {
			t.Fatal(err)
		}
		if got.SCORM != SCORM2004 || got.Pass != 60 || got.Lang != tt.lang || len(got.Lessons) != 2 || got.Lessons[0].Number != 3 ||
			got.Lessons[0].Title != "Patience beats noise" || got.Lessons[0].ZH == "" {
			t.Errorf("the page gets %+v", got)
		}
		var resource map[string]any
		if err := json.Unmarshal([]byte(between(t, page, `type="application/ld+json">`, "</script>")), &resource); err != nil {
			t.Fatal(err)
		}
		teaches, _ := resource["teaches"].([]any)
		if resource["@type"] != "LearningResource" || resource["license"] != licenceURL || resource["inLanguage"] != tt.htmlLang ||
			resource["name"] != "</script><b>" || len(teaches) != 2 || teaches[0] != cmp.Or(tt.title, got.Lessons[0].ZH) {
			t.Errorf("the page of %q is described as %v", tt.lang, resource)
		}
	}
	// Every lesson has a title in Chinese.
	chinese := site(t)["assets/zh.txt"].Data
	for _, l := range lesson.All() {
		if !bytes.Contains(chinese, []byte("\n"+l.Title+"\t")) {
			t.Errorf("lesson %d has no title in Chinese", l.Number)
		}
	}
}

// The builder makes the same files as the command, in the same order.
func TestBuilder(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	from := site(t)
	added, err := Builder(from)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range added {
		from[name] = &fstest.MapFile{Data: content}
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, from); err != nil {
		t.Fatal(err)
	}
	for i, o := range []Options{
		{Lessons: []int{3, 1}, SCORM: SCORM12},
		{Lessons: []int{10, 2, 7}, SCORM: SCORM2004, Title: `A <b> & "c" 'd' {LANG} 你好`, Lang: "zh", Pass: 60},
	} {
		made := filepath.Join(dir, fmt.Sprint(i, ".zip"))
		options, err := json.Marshal(map[string]any{"lessons": o.Lessons, "scorm": o.SCORM, "title": o.Title, "lang": o.Lang,
			"pass": o.Pass})
		if err != nil {
			t.Fatal(err)
		}
		const build = `const [, dir, options, path] = process.argv, fs = require("fs");
			const read = async (name) => fs.readFileSync(dir + "/" + name);
			require(dir + "/course/builder.js");
			const { filesOf, zip } = globalThis.flockscopeCourse;
			const parts = JSON.parse(fs.readFileSync(dir + "/course/parts.json"));
			const made = filesOf(parts, JSON.parse(options), read).then(zip);
			made.then((list) => fs.writeFileSync(path, Buffer.concat(list)));`
		if out, err := exec.Command(node, "-e", build, dir, string(options), made).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		content, err := os.ReadFile(made)
		if err != nil {
			t.Fatal(err)
		}
		names, files := unzip(t, content)
		wantNames, want := pack(t, from, o)
		if !slices.Equal(names, wantNames) {
			t.Errorf("%+v: the builder makes the files\n%q, want\n%q", o, names, wantNames)
		}
		for name, text := range want {
			if path.Ext(name) == packedExt {
				files[name], text = unpacked(t, files[name]), unpacked(t, text)
			}
			if files[name] != text {
				t.Errorf("%+v: %s of the builder is\n%.2000s, want\n%.2000s", o, name, files[name], text)
			}
		}
	}
}

// scorm.js passes the tests of testdata/scorm_test.js under node.
func TestSCORM(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	if out, err := exec.Command(node, "--test", "testdata/scorm_test.js").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// Options that cannot be are refused, and what is no site.
func TestRefused(t *testing.T) {
	one := []int{1}
	for _, tt := range []struct {
		o    Options
		want string
	}{
		{Options{SCORM: SCORM12}, "at least one lesson"},
		{Options{SCORM: SCORM12, Lessons: []int{1, 99}}, "1 to 11; got 99"},
		{Options{SCORM: SCORM12, Lessons: []int{0}}, "got 0"},
		{Options{SCORM: SCORM12, Lessons: []int{2, 1, 2}}, "got 2 twice"},
		{Options{SCORM: "1.3", Lessons: one}, `1.2 or 2004; got "1.3"`},
		{Options{SCORM: SCORM12, Lessons: one, Lang: "fr"}, `got "fr"`},
		{Options{SCORM: SCORM12, Lessons: one, Pass: 101}, "from 0 to 100; got 101"},
		{Options{SCORM: SCORM12, Lessons: one, Pass: -1}, "got -1"},
	} {
		var b bytes.Buffer
		if err := Write(&b, site(t), tt.o); err == nil || !strings.Contains(err.Error(), tt.want) || b.Len() > 0 {
			t.Errorf("%+v: %v and %d bytes, want an error with %q", tt.o, err, b.Len(), tt.want)
		}
	}
	for _, missing := range []string{"index.html", "assets/zh.txt", "assets/boot.js"} {
		from := site(t)
		delete(from, missing)
		if err := Write(io.Discard, from, Options{Lessons: one, SCORM: SCORM12}); err == nil || !strings.Contains(err.Error(), "make build") {
			t.Errorf("a site without %s: %v", missing, err)
		}
	}
}
