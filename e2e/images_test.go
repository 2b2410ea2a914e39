package e2e

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"

	"flockscope/wasm/site"
)

// A file is one that a test brings.
type file struct {
	name string
	data []byte
}

// idx returns images and labels as MNIST has them, n of ten classes: a bar at
// the place and the slope of its class, with a little noise. The images are
// packed.
func idx(n int) []file {
	const side = 12
	var pixels, labels bytes.Buffer
	for _, v := range []uint32{0x803, uint32(n), side, side} {
		binary.Write(&pixels, binary.BigEndian, v)
	}
	for _, v := range []uint32{0x801, uint32(n)} {
		binary.Write(&labels, binary.BigEndian, v)
	}
	for i := range n {
		class := i * 7 % 10
		labels.WriteByte(byte(class))
		angle := math.Pi * float64(class) / 10
		for at := range side * side {
			x, y := float64(at%side)-side/2, float64(at/side)-side/2
			v := byte((i*31 + at*17) % 23)
			if d := x*math.Sin(angle) - y*math.Cos(angle); math.Abs(d) < 1 && x*math.Cos(angle)+y*math.Sin(angle) > 0 {
				v = 230
			}
			pixels.WriteByte(v)
		}
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(pixels.Bytes())
	z.Close()
	return []file{{"train-images-idx3-ubyte.gz", packed.Bytes()}, {"train-labels-idx1-ubyte", labels.Bytes()}}
}

// PickFiles chooses files in the page's picker, all at once.
func (p *Page) PickFiles(files ...file) {
	p.t.Helper()
	p.Until("document.querySelector('#pick')", patience)
	var list strings.Builder
	for _, f := range files {
		fmt.Fprintf(&list, "transfer.items.add(new File([Uint8Array.from(atob(%s), (c) => c.charCodeAt(0))], %s));\n",
			quote(base64.StdEncoding.EncodeToString(f.data)), quote(f.name))
	}
	p.Eval(`(() => {
		const transfer = new DataTransfer();
		`+list.String()+`
		const input = document.querySelector("#pick");
		input.files = transfer.files;
		input.dispatchEvent(new Event("change", { bubbles: true }));
	})()`, nil)
}

// Point moves the mouse over a client's row in the gallery: the first one is at
// the top left.
func (p *Page) pointAtFirst() {
	p.t.Helper()
	b := p.Box("canvas[data-figure=data]")
	p.Mouse(mouseEvent{"move", b.X + 60, b.Y + 34})
}

// figure returns what a figure says of itself.
func (p *Page) figure(kind string) string {
	p.t.Helper()
	return p.Text("document.querySelector('canvas[data-figure=" + kind + "]').getAttribute('aria-label')")
}

// small is a run of pictures that takes a second or two.
const small = "?data=digits&n=1200&C=8&hidden=20&b=16&probe=16&T=12&every=3&exam=30&motion=none"

// Pictures: each client's own are there, models are tried and get better, and a
// client pointed at is shown with what its model mistakes.
func TestPictures(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Open("/" + small + "&view=answers")
		p.When(complete)
		p.Key("Home")
		p.When("s.round === 0 && s.metric === 'accuracy'")
		p.Drawn()
		first := p.State()
		p.Key("End")
		p.When("s.shown === 12")
		p.Drawn()
		last := p.State()
		for i, lane := range last.Lanes {
			before, after := accuracyOf(t, first.Lanes[i].Score), accuracyOf(t, lane.Score)
			if after <= before {
				t.Errorf("%s: the models are right in %d%% at the start and in %d%% at the end", lane.ID, before, after)
			}
		}
		if got := p.figure("curves"); !strings.HasPrefix(got, "Accuracy over 12 rounds; at round 12: CFL-GP ") {
			t.Errorf("the curves say %q", got)
		}
		if got := p.figure("data"); !strings.Contains(got,
			"8 clients with images of 28 × 28 pixels in 10 classes, in 4 groups: 0° and 15° (circle)") {
			t.Errorf("the gallery says %q", got)
		}
		if got := p.figure("answers"); !strings.HasPrefix(got,
			"Answers, evaluated after round 12, CFL-GP: the mean accuracy over clients is ") {
			t.Errorf("the answers say %q", got)
		}
		p.audit("pictures")
		p.Shot("pictures-1440")

		// Between two trials the last one counts, and the page says so.
		p.Key("ArrowLeft")
		p.When("s.shown === 11")
		p.Drawn()
		if got := p.figure("answers"); !strings.HasPrefix(got, "Answers, evaluated after round 9, ") {
			t.Errorf("at round 11 the answers say %q", got)
		}

		// The client pointed at: its pictures, its card, its model's mistakes.
		p.pointAtFirst()
		p.When("s.hover === 0")
		p.Drawn()
		if got := p.figure("answers"); !strings.Contains(got, ", CFL-GP: client 1's model ") {
			t.Errorf("of the client pointed at the answers say %q", got)
		}
		if got := p.figure("data"); !strings.Contains(got,
			". Client 1, 0° and 15°, trains on 105 samples and labels its images ") {
			t.Errorf("of the client pointed at the gallery says %q", got)
		}
		if got := p.Text("document.querySelector('#client').innerText"); !strings.Contains(got,
			"Client 1, group 1 (circle): 0° and 15°") || !strings.Contains(got, ", accuracy ") {
			t.Errorf("the card says %q", got)
		}
		p.audit("pictures, pointing")
		p.Shot("pictures-pointing")

		// The keyboard walks over the clients, too.
		p.Focus("canvas[data-figure=answers]")
		p.Key("ArrowRight")
		p.When("s.hover === 1")
		p.Click("[data-below=losses]")
		p.When("s.tab === 'losses'")
		p.Drawn()
		if got := p.figure("losses"); !strings.Contains(got, "Losses, round ") {
			t.Errorf("the losses say %q", got)
		}
	})
}

// accuracyOf reads the share of right answers out of a score.
func accuracyOf(t *testing.T, score string) int {
	t.Helper()
	var percent int
	parts := strings.Split(score, "·") // it is the last; before the first round nothing else is scored
	if _, err := fmt.Sscanf(strings.TrimSpace(parts[len(parts)-1]), "%d%%", &percent); err != nil {
		t.Fatalf("the score %q has no share of right answers", score)
	}
	return percent
}

// Every screen has its place for pictures.
func TestPicturesOnScreens(t *testing.T) {
	SkipIfShort(t)
	InChromium(t, func(t *testing.T, p *Page) {
		p.Run(small + "&t=12&sel=3")
		for _, screen := range screens {
			p.Viewport(screen.width, screen.height)
			p.Drawn()
			p.audit(screen.name)
			p.Shot("pictures-" + screen.name)
		}
		p.Viewport(390, 844)
		for _, tab := range []string{"data", "answers"} {
			p.Click("[data-tab=" + tab + "]")
			p.When("s.tab === " + quote(tab))
			p.Drawn()
			p.audit("390 " + tab)
			p.Shot("pictures-390-" + tab)
		}
	})
}

// Files of images that belong together are taken together; broken ones change
// nothing.
func TestFilesOfImages(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?T=6&C=8&algos=cflgp&t=6")
		p.PickFiles(idx(600)...)
		p.When(complete + " && s.config.startsWith('data=samples')")
		p.Drawn()
		taken := p.State()
		if taken.File != "600 images of 12 × 12 in 10 classes" || taken.Clients != 8 || len(taken.Notices) != 0 {
			t.Errorf("the files are %q, %d clients, notices %q", taken.File, taken.Clients, taken.Notices)
		}
		if got := p.Text("document.querySelector('.file .hint').textContent"); got != "train-images-idx3-ubyte.gz and train-labels-idx1-ubyte: 600 images of 12 × 12 in 10 classes." {
			t.Errorf("the page says %q of the files", got)
		}
		if got := p.figure("data"); !strings.Contains(got, "8 clients with images of 12 × 12 pixels in 10 classes") {
			t.Errorf("the gallery says %q", got)
		}

		broken := idx(600)
		broken[1].data = broken[1].data[:300]
		for _, tt := range []struct {
			files []file
			want  string
		}{
			{broken, "train-labels-idx1-ubyte"},
			{broken[:1], "train-images-idx3-ubyte.gz"},
			{[]file{{"notes.txt", []byte("Dear diary, nothing today.\n")}}, "notes.txt"},
		} {
			p.PickFiles(tt.files...)
			p.When("s.notices.length === 1")
			p.Drawn()
			got := p.Text(notices)
			if !strings.Contains(got, tt.want) || !strings.Contains(got, "Nothing was changed.") {
				t.Errorf("of broken files the page says %q, want something of %s", got, tt.want)
			}
			if s := p.State(); s.Query != taken.Query || prints(s) != prints(taken) || s.File != taken.File {
				t.Errorf("broken files changed the page to %+v", s)
			}
			p.Click(".notice button")
			p.When("s.notices.length === 0")
		}
	})
}

// A long run says how far it is, and ends when it is told to.
func TestStopALongRun(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Open("/?data=digits&C=24&T=2000&motion=none")
		p.Until("/^[1-9][0-9]* of 2000 computed · .* · .* left$/.test(document.querySelector('.progress .full').textContent)", patience)
		p.audit("a run under way")
		p.Shot("progress-1440")
		p.Click("#stop")
		p.When("s.stopped && !s.done")
		p.Until("/^stopped at round [0-9]+ of 2000$/.test(document.querySelector('.progress .full').textContent)",
			patience)
		p.Drawn()
		p.audit("a run that was stopped")
		stopped := p.State()
		p.Key("End")
		p.Drawn()
		if got := p.State(); got.Shown < 1 || got.Shown > 1900 || got.Rounds != 2000 ||
			got.RunQuery != stopped.RunQuery {
			t.Errorf("stopped, the page shows round %d of %d", got.Shown, got.Rounds)
		}
		p.Click("#stop")
		p.When("!s.stopped")
		p.Eval("document.activeElement.blur()", nil)
		p.Until("document.querySelector('#stop')?.title.startsWith('Stop')", patience)
		p.Key("s")
		p.When("s.stopped")
	})
}

// Files come from an address, if the site's policy and the server there allow
// it; otherwise the page says why not.
func TestFilesFromAnAddress(t *testing.T) {
	SkipIfShort(t)
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		files := idx(400)
		elsewhere := p.Server(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasPrefix(r.URL.Path, "/closed/") {
				w.Header().Set("Access-Control-Allow-Origin", "*")
			}
			w.Header().Set("Content-Type", "application/octet-stream")
			for _, f := range files {
				if strings.HasSuffix(r.URL.Path, f.name) {
					w.Write(f.data)
					return
				}
			}
			if strings.HasSuffix(r.URL.Path, "huge") {
				w.Header().Set("Content-Length", fmt.Sprint(300<<20))
			}
			if strings.HasSuffix(r.URL.Path, "huge") || strings.HasSuffix(r.URL.Path, "slow") {
				w.Write(make([]byte, 1<<16)) // Firefox waits for something to read
				w.(http.Flusher).Flush()
				<-r.Context().Done()
				return
			}
			http.NotFound(w, r)
		}))
		open := built()
		p.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			open.ServeHTTP(policy{w, strings.Replace(site.Policy, "connect-src 'self'", "connect-src 'self' "+elsewhere,
				1)}, r)
		}))
		p.Open("/?data=samples&T=6&C=8&algos=cflgp")
		p.Until("document.querySelector('#address')", patience)
		p.OpenSettings()
		p.AllowProblem("/closed/")
		p.AllowProblem("404")
		p.AllowProblem("huge")
		p.AllowProblem("CORS")
		p.AllowProblem("Cross-Origin")
		p.AllowProblem("connect-src")
		p.AllowProblem("Content Security Policy")
		for _, tt := range []struct{ address, want string }{
			{elsewhere + "/missing.gz", "answered 404 for missing.gz: there is no such file. Nothing was changed."},
			{elsewhere + "/closed/train-labels-idx1-ubyte", "(CORS). Download train-labels-idx1-ubyte and drop it on the page. Nothing was changed."},
			{elsewhere + "/huge", "huge is too large: the most is 200 MB in all. Nothing was changed."},
			{"http://127.0.0.1:9/x.gz", "The policy of this site (Content-Security-Policy) keeps the page from loading anything from 127.0.0.1:9."},
			{"mnist", "mnist is not the address of a file"},
		} {
			p.Enter("#address", tt.address)
			p.When("s.notices.length === 2 && s.notices[1].includes(" + quote(tt.want) + ")")
		}

		// What is on its way can be given up, and the page goes on.
		p.Eval("document.querySelector('#address').focus()", nil)
		p.Enter("#address", elsewhere+"/slow")
		p.Until("document.querySelector('#fetch').textContent === 'Stop' && document.querySelector('.fetching').textContent.includes('MB')", patience)
		p.Click("#fetch")
		p.Until("document.querySelector('#fetch').textContent === 'Load' && document.querySelector('.fetching').textContent === ''", patience)
		p.Enter("#address", elsewhere+"/a/"+files[0].name+" "+elsewhere+"/a/"+files[1].name)
		p.When(complete + " && s.file === '400 images of 12 × 12 in 10 classes'")
	})
}

// policy lets a server answer with another Content-Security-Policy.
type policy struct {
	http.ResponseWriter
	text string
}

func (w policy) WriteHeader(status int) {
	w.Header().Set("Content-Security-Policy", w.text)
	w.ResponseWriter.WriteHeader(status)
}

func (w policy) Write(b []byte) (int, error) {
	w.Header().Set("Content-Security-Policy", w.text)
	return w.ResponseWriter.Write(b)
}

// Pictures that models rebuild: what each model makes of each group's, at every
// round at which they were tried.
func TestRebuiltPictures(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Open("/?data=wireless&n=600&C=6&T=6&every=3&algos=ifca,local&motion=none")
		p.When(complete)
		p.Key("End")
		p.When("s.shown === 6")
		p.Click(`[data-lane="0"] [data-below="rebuilt"]`) // opens it for all methods
		p.Drawn()
		for lane, want := range []string{
			"Rebuilt, evaluated after round 6, IFCA: the error is the mean squared difference; the image of client 1 (circle) ",
			"Rebuilt, evaluated after round 6, Local only: the error is the mean squared difference; the image of client 1 (circle) is reconstructed by its own model with an error of 0.",
		} {
			got := p.Text(fmt.Sprintf(`document.querySelector('[data-lane="%d"] canvas[data-figure^=rebuilt]').getAttribute("aria-label")`, lane))
			if !strings.HasPrefix(got, want) || strings.Contains(got, "no pictures") {
				t.Errorf("lane %d says %q, want %q", lane, got, want)
			}
		}
		p.audit("rebuilt")
		p.Shot("rebuilt-1440")
	})
}

// Preparing the data can take longer than any sign of life: the page says so by
// itself, while nothing else happens.
func TestPreparingIsSaid(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?data=digits&n=60000&C=8&hidden=5&T=1&exam=10&t=1")
		p.Eval(`(() => {
			const words = document.querySelector(".progress .full");
			window.said = [];
			new MutationObserver(() => window.said.push(words.textContent)).observe(words, { childList: true, characterData: true, subtree: true });
		})()`, nil)
		p.Choose("#set-data", "garments")
		p.When("s.done && s.runQuery.startsWith('data=garments')")
		const long = 2000 // ms: far more than what passes for a moment, however busy the machine
		said := p.Text("window.said.join()")
		if took := p.State().Took; took > long && !strings.Contains(said, "preparing the data") {
			t.Errorf("a run of %v ms says only %q", took, said)
		}
	})
}
