package e2e

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"flockscope/sim/course"
)

// scormAgain returns the script that plays a learning platform's part of a version of SCORM. .ci/npm installs what
// scorm/package-lock.json pins.
var scormAgain = sync.OnceValues(func() (map[string][]byte, error) {
	install := exec.Command(filepath.Join(root, ".ci", "npm"), "e2e/scorm", "scorm")
	if out, err := install.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	scripts := map[string][]byte{}
	for version, name := range map[string]string{course.SCORM12: "scorm12", course.SCORM2004: "scorm2004"} {
		script, err := os.ReadFile(filepath.Join(root, ".build/scorm/node_modules/scorm-again/dist", name+".min.js"))
		if err != nil {
			return nil, err
		}
		scripts[version] = script
	}
	return scripts, nil
})

// A platform serves a course as learning platforms do: as files, uncompressed, in a frame in a frame of another origin.
// It stores what the course tells it.
type platform struct {
	version string
	script  []byte
	files   fs.FS

	mu      sync.Mutex
	stored  map[string]any // the last commit, nil before the first
	tab     string         // the only tab whose commits arrive
	longest int            // the most characters of suspend data so far
}

// newPlatform uploads a course.
func newPlatform(t *testing.T, o course.Options) *platform {
	t.Helper()
	scripts, err := scormAgain()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := course.Write(&b, os.DirFS(siteDir), o); err != nil {
		t.Fatal(err)
	}
	files, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return &platform{version: o.SCORM, script: scripts[o.SCORM], files: files}
}

const platformPage = `<!doctype html><title>Platform</title><link rel="icon" href="data:,">
<style>body { margin: 0 } iframe { border: 0; width: 100%%; height: 700px }</style>
<script src="/scorm-again.js"></script>
<script>
	const stored = %s;
	const api = new %s({ lmsCommitUrl: "/commit?tab=%s", logLevel: 5 });
	if (stored) api.loadFromJSON(stored.cmi);
	window.%s = api;
	window.course = () => frames[0].frames[0];
	window.inside = () => course().frames[0];
	window.find = (selector) => inside().document.querySelector(selector);
	window.says = (selector, text) => find(selector).textContent.includes(text);
</script>
<iframe src="%s/middle.html" title="Player"></iframe>`

func (l *platform) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	tab := r.FormValue("tab")
	html := func(format string, args ...any) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, format, args...)
	}
	switch name := strings.TrimPrefix(r.URL.Path, "/"); name {
	case "platform.html":
		stored, _ := json.Marshal(l.stored)
		class, global := "Scorm12API", "API"
		if l.version == course.SCORM2004 {
			class, global = "Scorm2004API", "API_1484_11"
		}
		l.tab = tab
		html(platformPage, stored, class, tab, global, "http://"+strings.Replace(r.Host, "127.0.0.1", "localhost", 1))
	case "middle.html":
		html(`<!doctype html><title>Middle</title><style>body { margin: 0 } iframe { border: 0; width: 100%%; height: 690px }</style>
			<script>addEventListener("message", (e) => frames[0].postMessage(e.data, "*"))</script>
			<iframe src="%s/course.html" title="Course"></iframe>`, "http://"+strings.Replace(r.Host, "localhost", "127.0.0.1", 1))
	case "scorm-again.js":
		w.Header().Set("Content-Type", "text/javascript")
		w.Write(l.script)
	case "commit":
		body, _ := io.ReadAll(r.Body)
		var stored map[string]any
		if tab == l.tab && json.Unmarshal(body, &stored) == nil {
			l.stored = stored
			l.longest = max(l.longest, len(l.cmi("suspend_data")))
		}
		io.WriteString(w, `{"result": true, "errorCode": 0}`)
	default:
		content, err := fs.ReadFile(l.files, name)
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
		w.Write(content)
	}
}

// cmi returns a stored value, such as that of "core.score.raw", as text.
func (l *platform) cmi(name string) string {
	value := l.stored["cmi"]
	for key := range strings.SplitSeq(name, ".") {
		part, _ := value.(map[string]any)
		value = part[key]
	}
	return fmt.Sprint(value)
}

// has waits until the platform has stored values.
func (p *Page) has(l *platform, what string, want map[string]string) {
	p.t.Helper()
	got := map[string]string{}
	for range 400 {
		l.mu.Lock()
		for name := range want {
			got[name] = l.cmi(name)
		}
		l.mu.Unlock()
		if fmt.Sprint(got) == fmt.Sprint(want) {
			return
		}
		p.Eval("new Promise((done) => setTimeout(done, 25)).then(() => 1)", nil)
	}
	p.t.Fatalf("%s the platform has %v, want %v", what, got, want)
}

// A course in both versions of SCORM: it is launched, answered, resumed after its tab was killed, and passed, and its score
// is kept. Messages that other windows send do not count.
func TestCourse(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1280, 760)
		p.ReducedMotion()
		versions := []string{course.SCORM12, course.SCORM2004}
		if p.InWebKit() { // which compiles the program anew on each of eight pages
			versions = versions[:1]
		}
		for _, version := range versions {
			l := newPlatform(t, course.Options{Lessons: []int{1, 6}, SCORM: version, Pass: 30})
			address := p.Server(l)
			// stored is what the platform should have; text is the suspend data.
			stored := func(status, score, text string) map[string]string {
				place, _, _ := strings.Cut(text, "/")
				text = "flockscope1/" + text
				if version == course.SCORM12 {
					return map[string]string{"core.lesson_status": status, "core.score.raw": score, "core.lesson_location": place, "suspend_data": text}
				}
				completion, success, _ := strings.Cut(map[string]string{"incomplete": "incomplete unknown", "passed": "completed passed"}[status], " ")
				return map[string]string{"completion_status": completion, "success_status": success, "score.raw": score, "location": place, "suspend_data": text}
			}
			launch := func(tab int) {
				p.Open(fmt.Sprintf("%s/platform.html?tab=%d", address, tab))
				p.Until("JSON.parse(inside().flockscope.state()).done && find('#lesson')", patience)
			}
			launch(1)
			p.has(l, "once launched,", stored("incomplete", "0", "1//1.-00,6.-00"))
			p.Until("find('#lesson-question') && (find('[data-option=\"2\"]').click(), true)", patience)
			p.Until("says('.answer', 'Right: the answer')", patience)
			p.has(l, "after an answer,", stored("incomplete", "17", "1/1,2,100;/1.100,6.-00"))

			// The tab is killed: nothing of what it does arrives any more.
			l.mu.Lock()
			l.tab = "none"
			l.mu.Unlock()
			launch(2)
			p.Until("says('.answer', 'Right: the answer')", patience)
			p.has(l, "resumed,", stored("incomplete", "17", "1/1,2,100;/1.100,6.-00"))
			if got := p.Text("inside().localStorage.getItem('flockscope.lessons')"); got != "null" {
				t.Errorf("the next user of this computer finds the answers %s", got)
			}

			// Of another origin, and of the platform's own page.
			forged := `{ type: "flockscope/lesson", lesson: 1, step: 2, shown: 0, answered: true, right: true, passed: true, marks: "" }`
			p.Eval(`frames[0].postMessage(`+forged+`, "*"), course().postMessage(`+forged+`, "*"), 0`, nil)
			p.Until(`new Promise((done) => {
				course().addEventListener("message", (e) => e.origin !== origin && e.data === "last" && done(true));
				frames[0].postMessage("last", "*");
			})`, patience)
			p.Eval(`course().dispatchEvent(new (course().Event)("pagehide")), 0`, nil) // it tells what it has
			p.has(l, "after forged messages,", stored("incomplete", "17", "1/1,2,100;/1.100,6.-00"))

			launch(3)
			p.Until("says('.answer', 'Right: the answer')", patience)
			p.Eval(`course().eval('document.querySelector("iframe").contentWindow.postMessage({ type: "flockscope/set", params: { dphi: 0 } }, "*")'), 0`, nil)
			p.Until("says('.task.done[data-step=\"0\"]', 'one model is enough')", patience)
			p.has(l, "after a step,", stored("incomplete", "33", "1/1,2,110;/1.110,6.-00"))
			p.Until("(find('[data-step=\"1\"] .show').click(), true)", patience)
			p.Until("says('.task.done[data-step=\"1\"]', 'At 17.5')", patience)
			p.Until("course().document.querySelector('#progress').textContent.includes('1 of 2 done, score 33')", patience)

			// The next lesson of the course is not the next of the page.
			p.Until("(find('#lesson-next').click(), true)", patience)
			p.Until("says('#lesson-title', 'Lesson 6') && JSON.parse(inside().flockscope.state()).done", patience)
			p.has(l, "in the next lesson,", stored("incomplete", "33", "6/1,2,113;/1.111,6.-00"))
			p.Until("(find('#lesson-skip').click(), true)", patience)
			p.Until("says('.answer', 'The answer')", patience)
			for step := range 2 {
				p.Until(fmt.Sprintf("(find('[data-step=\"%d\"] .show').click(), true)", step), patience)
				p.Until(fmt.Sprintf("find('.task.done[data-step=\"%d\"]')", step), patience)
			}
			p.has(l, "passed,", stored("passed", "33", "6/1,2,113;6,-2,133;/1.111,6.001"))
			if got := p.Text("course().document.querySelector('#progress').className"); got != "" {
				t.Errorf("the course has a %s: %s", got, p.Text("course().document.querySelector('#progress').textContent"))
			}
			p.Shot("course-" + version)
			launch(4)
			p.has(l, "opened again,", stored("passed", "33", "6/1,2,113;6,-2,133;/1.111,6.001"))
			p.Until("find('.task.done[data-step=\"1\"]')", patience)
			if l.longest == 0 || l.longest > 200 {
				t.Errorf("the suspend data had %d characters", l.longest)
			}
			if version == course.SCORM12 { // without a platform, on a phone
				p.Viewport(390, 844)
				p.Open(address + "/course.html")
				p.Until("document.querySelector('#progress').textContent.includes('nothing is recorded')", patience)
				p.Until("JSON.parse(frames[0].flockscope.state()).done", patience)
				if p.InChromium() {
					p.faults("a course", "header", allRules)
				}
				p.Shot("course-phone")
				p.Viewport(1280, 760)
			}
		}
	})
}

// The export sheet leads to the page that makes a package, which is the one that flock course makes.
func TestCourseBuilder(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1280, 900)
		p.Run("?T=20&t=9")
		p.Click("#take")
		p.When("s.sheet")
		address := p.Text("document.querySelector('[data-take=course] a').href")
		if want := p.origin + "/course/index.html?lang=en"; address != want {
			t.Fatalf("the export sheet leads to %s, want %s", address, want)
		}
		p.Open(address)
		p.Click("#lesson-6")
		p.Click("#lesson-1")
		p.Until("[...document.querySelectorAll('#lessons :checked')].map((e) => e.id).join() === 'lesson-6,lesson-1'", patience)
		if p.InChromium() {
			p.faults("the builder of courses", "", allRules)
		}
		p.Shot("course-builder")
		// The file is not saved but kept.
		p.Eval(`URL.createObjectURL = (blob) => { window.made = blob; return "#" }, HTMLAnchorElement.prototype.click = () => {}, 0`, nil)
		p.Click("#make")
		p.Until("document.querySelector('#status').textContent.includes('flockscope-6-1-scorm-1.2.zip')", patience)
		var text []byte // base64 in JSON
		p.Eval(`new Promise((done) => {
			const reader = new FileReader();
			reader.onload = () => done(reader.result.split(",")[1]);
			reader.readAsDataURL(made);
		})`, &text)
		made, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		o := course.Options{Lessons: []int{6, 1}, SCORM: course.SCORM12}
		if err := course.Write(&b, os.DirFS(siteDir), o); err != nil {
			t.Fatal(err)
		}
		want, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil {
			t.Fatal(err)
		}
		sums := func(files *zip.Reader) (list []string) {
			for _, f := range files.File {
				if path.Ext(f.Name) == ".bin" { // the browser compresses otherwise
					f.CRC32 = 0
				}
				list = append(list, fmt.Sprintf("%s %08x", f.Name, f.CRC32))
			}
			return list
		}
		if got, want := sums(made), sums(want); !slices.Equal(got, want) {
			t.Errorf("the builder makes\n%q, want\n%q", got, want)
		}
	})
}
