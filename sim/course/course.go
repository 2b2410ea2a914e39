// Package course makes packages for learning platforms: a ZIP file with chosen lessons, the built site that shows them,
// and what SCORM 1.2 or SCORM 2004 asks of a package. Nothing in it needs a server beside the platform's.
//
// A platform opens course.html, which shows the site in a frame, lesson by lesson. The frame reports what its user does
// with the message flockscope/lesson (ui/EMBEDDING.md), and course.html passes it on: whether the course is completed and
// passed, a score from 0 to 100, how far the user is, and the time.
//
//	course.go        the options, and the package
//	course.html      the page that the platform opens; course.css, and course.js for what is on it
//	scorm.js         finds the platform's interface and speaks its dialect; what is stored between sessions
//	manifest-*.xml   imsmanifest.xml of both versions of SCORM
//	licence.txt      the licence of the lessons' texts
//	builder.go       the builder, a page of the site that makes packages in the browser; builder.js does what course.go does
package course

import (
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"embed"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/lesson"
	"flockscope/sim/say"
)

//go:embed course.html course.css course.js scorm.js manifest-1.2.xml manifest-2004.xml licence.txt
var parts embed.FS

// The versions of SCORM that a package can be for.
const (
	SCORM12   = "1.2"
	SCORM2004 = "2004"
)

// Options say what is in a course.
type Options struct {
	Lessons []int  // numbers of lessons, in the order of the course
	SCORM   string // SCORM12 or SCORM2004
	Title   string // of the course; "" for a usual one
	Lang    string // "en" or "zh" for everybody; "" for the language of each browser
	Pass    int    // the score from 0 to 100 that passes; the lessons must be done in any case
}

// Check returns what is wrong with the options, nil for nothing.
func (o *Options) Check() error {
	if o.SCORM != SCORM12 && o.SCORM != SCORM2004 {
		return fmt.Errorf("SCORM must be %s or %s; got %q", SCORM12, SCORM2004, o.SCORM)
	}
	if o.Lang != "" && o.Lang != "en" && o.Lang != "zh" {
		return fmt.Errorf("the language must be en or zh, or nothing for that of each browser; got %q", o.Lang)
	}
	if o.Pass < 0 || o.Pass > 100 {
		return fmt.Errorf("the score that passes must be from 0 to 100; got %d", o.Pass)
	}
	if len(o.Lessons) == 0 {
		return errors.New("a course has at least one lesson; got none")
	}
	for i, n := range o.Lessons {
		if lesson.ByNumber(n) == nil {
			return fmt.Errorf("lessons have the numbers 1 to %d; got %d", len(lesson.All()), n)
		}
		if slices.Contains(o.Lessons[:i], n) {
			return fmt.Errorf("a course has a lesson once; got %d twice", n)
		}
	}
	return nil
}

// The texts of lessons have a licence of their own, which lets teachers change and share them.
const licenceURL = "https://creativecommons.org/licenses/by/4.0/"

// Write writes the package of a course to w. site is a built site (wasm/build).
func Write(w io.Writer, site fs.FS, o Options) error {
	if err := o.Check(); err != nil {
		return err
	}
	list, files, err := pageFiles(site)
	if err != nil {
		return err
	}
	for _, c := range list {
		if files[c.Name], err = c.read(site); err != nil {
			return err
		}
	}
	titles, err := titlesOf(site)
	if err != nil {
		return err
	}
	if err := addCourse(files, o, titles); err != nil {
		return err
	}
	z := zip.NewWriter(w)
	for _, name := range order(files) {
		method := zip.Deflate
		switch path.Ext(name) {
		case packedExt, ".png", ".woff2":
			method = zip.Store // compressed already
		}
		f, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err != nil {
			return err
		}
		if _, err := f.Write(files[name]); err != nil {
			return err
		}
	}
	return z.Close()
}

const manifest = "imsmanifest.xml"

// order returns the names of files: the manifest, which platforms look for, and then all by name.
func order(files map[string][]byte) []string {
	names := slices.Sorted(maps.Keys(files))
	names = slices.DeleteFunc(names, func(name string) bool { return name == manifest })
	return append([]string{manifest}, names...)
}

const (
	pageDir  = "page/"  // of the site in the package
	arenaDir = "arena/" // the arena's page on the site, which no course needs

	// The program has another ending than on the site, since some servers send only files whose endings they know.
	packedExt = ".bin"
)

// programs are what the site calls its programs: the files, and in what follows the scripts.
var programs = []struct{ file, in, name string }{
	{"flockscope.pack", "index.html", `"flockscope.pack"`},
	{"flockscope.pack", "assets/boot.js", `"flockscope.pack"`},
	{"flockscope-files.pack", "assets/boot.js", "`flockscope-${\"files\"}.pack`"},
}

// A copied file is one that a course has of the site.
type copied struct {
	Name   string `json:"name"` // in the package
	From   string `json:"from"` // on the site
	Packed bool   `json:"packed,omitempty"`
}

// pageFiles lists the files of a site that a course has as they are, or compressed, and returns those that it has in
// another form, by their names in the package. What only a server of the site needs is left out, and the programs are
// compressed, since platforms send files as they are; assets/boot.js unpacks them.
func pageFiles(site fs.FS) (list []copied, changed map[string][]byte, err error) {
	changed = map[string][]byte{}
	for _, p := range programs {
		in := pageDir + p.in
		if changed[in] == nil {
			if changed[in], err = fs.ReadFile(site, p.in); err != nil {
				return nil, nil, notASite(err)
			}
		}
		if bytes.Count(changed[in], []byte(p.name)) != 1 {
			return nil, nil, notASite(fmt.Errorf("%s should name %s once", p.in, p.file))
		}
		changed[in] = bytes.ReplaceAll(changed[in], []byte(p.name), []byte(strings.Replace(p.name, ".pack", packedExt, 1)))
	}
	err = fs.WalkDir(site, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		c := copied{Name: pageDir + name, From: name}
		switch ext := path.Ext(name); {
		case ext == ".br", ext == ".gz", name == "sw.js", name == "assets/link.js", strings.HasPrefix(name, "names"),
			strings.HasPrefix(name, BuilderDir), strings.HasPrefix(name, arenaDir), changed[c.Name] != nil:
			return nil
		case ext == ".pack":
			c.Name, c.Packed = strings.TrimSuffix(c.Name, ext)+packedExt, true
		}
		list = append(list, c)
		return nil
	})
	return list, changed, err
}

// read returns the content of a copied file.
func (c copied) read(site fs.FS) ([]byte, error) {
	content, err := fs.ReadFile(site, c.From)
	if err != nil || !c.Packed {
		return content, err
	}
	var small bytes.Buffer
	g, err := gzip.NewWriterLevel(&small, gzip.BestCompression)
	if err == nil {
		_, err = g.Write(content)
	}
	if err == nil {
		err = g.Close()
	}
	return small.Bytes(), err
}

// ErrSite is in errors about a folder that has no site of this version.
var ErrSite = errors.New("this is no site of this version of Flockscope; make build makes one in .build/site")

func notASite(err error) error { return fmt.Errorf("%w: %w", ErrSite, err) }

// titled is a lesson as course.js gets it.
type titled struct {
	Number int    `json:"number"`
	Title  string `json:"title"`
	ZH     string `json:"zh"`
}

// titlesOf returns the titles of all lessons, in both languages of a site.
func titlesOf(site fs.FS) (titles []titled, err error) {
	text, err := fs.ReadFile(site, "assets/zh.txt")
	if err != nil {
		return nil, notASite(err)
	}
	chinese := say.ReadTable(string(text))
	for _, l := range lesson.All() {
		titles = append(titles, titled{l.Number, l.Title, chinese[l.Title]})
	}
	return titles, nil
}

// settings are what course.js gets of the options.
type settings struct {
	SCORM   string   `json:"scorm"`
	Lang    string   `json:"lang"`
	Pass    int      `json:"pass"`
	Lessons []titled `json:"lessons"`
}

// words are the texts of a course that its teacher does not write.
type words struct {
	Lang    string `json:"lang"` // the tag of the language
	Title   string `json:"title"`
	About   string `json:"about"` // the titles of the lessons follow
	Licence string `json:"licence"`
}

var wordsIn = map[string]words{
	"en": {"en", "Flockscope: clustered federated learning", "Lessons about clustered federated learning, each with a simulation " +
		"that runs in the browser, a question and two tasks: ", "The texts of the lessons have the licence CC BY 4.0. " + licenceURL},
	"zh": {"zh-Hans", "Flockscope：聚类联邦学习", "关于聚类联邦学习的短课程，每课有一个在浏览器中运行的模拟、一个问题和两项任务：",
		"课程文字采用 CC BY 4.0 许可。 " + licenceURL},
}

// copiedParts are the files that every course has beside the site, by their names in the package.
var copiedParts = map[string]string{"course.css": "course.css", "course.js": "course.js", "scorm.js": "scorm.js",
	"LICENCE.txt": "licence.txt"}

// addCourse adds all files beside the site: the page that the platform opens, and the manifest, which lists all.
func addCourse(files map[string][]byte, o Options, titles []titled) error {
	s := settings{SCORM: o.SCORM, Lang: o.Lang, Pass: o.Pass}
	var names []string
	id := "flockscope"
	for _, n := range o.Lessons {
		l := titles[slices.IndexFunc(titles, func(l titled) bool { return l.Number == n })]
		s.Lessons = append(s.Lessons, l)
		if id += "-" + strconv.Itoa(n); o.Lang == "zh" {
			names = append(names, l.ZH)
		} else {
			names = append(names, l.Title)
		}
	}
	w := wordsIn[cmp.Or(o.Lang, "en")]
	title, about := cmp.Or(o.Title, w.Title), w.About+strings.Join(names, "; ")+"."
	course, err := json.Marshal(s)
	if err != nil {
		return err
	}
	described := maps.Clone(resource)
	described["name"], described["description"], described["inLanguage"], described["teaches"] = title, about, w.Lang, names
	metadata, err := json.Marshal(described)
	if err != nil {
		return err
	}
	values := map[string]string{"TITLE": escape(title), "ABOUT": escape(about), "LANG": w.Lang, "ID": id,
		"LICENCE": escape(w.Licence), "COURSE": string(course), "RESOURCE": string(metadata)}
	for name, from := range copiedParts {
		if files[name], err = parts.ReadFile(from); err != nil {
			return err
		}
	}
	if err := addFilled(files, "course.html", "course.html", values); err != nil {
		return err
	}
	files[manifest] = nil
	var list strings.Builder
	for _, name := range order(files)[1:] {
		list.WriteString("\n      <file href=\"" + escape(name) + "\"/>")
	}
	values["FILES"] = list.String()
	return addFilled(files, manifest, "manifest-"+o.SCORM+".xml", values)
}

// addFilled adds a part with values in its places, such as {TITLE}.
func addFilled(files map[string][]byte, name, from string, values map[string]string) error {
	text, err := parts.ReadFile(from)
	var pairs []string
	for place, value := range values {
		pairs = append(pairs, "{"+place+"}", value)
	}
	files[name] = []byte(strings.NewReplacer(pairs...).Replace(string(text)))
	return err
}

// escape returns text for XML and HTML.
func escape(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text)) // a builder never fails
	return b.String()
}

// resource is the part of a course's description for https://schema.org/LearningResource that all courses share.
var resource = map[string]any{
	"@context": "https://schema.org", "@type": "LearningResource", "license": licenceURL, "learningResourceType": "simulation",
	"interactivityType": "active", "educationalUse": "assignment", "isAccessibleForFree": true,
	"author": map[string]any{"@type": "Organization", "name": "The Flockscope authors"},
}
