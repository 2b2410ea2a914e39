package e2e

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"flockscope/wasm/site"
)

// A browser drives one page of a real browser. The page is fresh: nothing that
// another test stored is in it. Expressions are JavaScript; the value of a
// promise is awaited.
type browser interface {
	open(url string) error
	eval(expression string) (json.RawMessage, error)
	enterFrame(url string) error // later expressions run in the frame whose address starts so
	leaveFrame() error           // later expressions run in the page again
	viewport(width, height int) error
	colorScheme(scheme string) error // "light" or "dark"
	reducedMotion(on bool) error
	mouse(events ...mouseEvent) error
	key(k key, modifiers ...key) error
	shot() ([]byte, error)       // what the window shows, as PNG
	problems() ([]string, error) // errors the browser has reported so far
	close()
}

// A mouseEvent is one real event of the pointer, in CSS pixels of the window.
type mouseEvent struct {
	kind string // "move", "press" or "release"
	x, y float64
}

// A lasting browser has the built site at an address of its own, if that is not "", and
// may keep its page for another test, which leave reports.
type lasting interface {
	site() string
	leave() bool
}

// browsers are the ways to get a fresh page, by name. They wait for a place. When time
// is short, all tests run in the first, and those that are named in the others.
var browsers = []struct {
	name  string
	page  func(t *testing.T) browser
	short []string
}{
	{"chromium", newChromiumPage, nil},
	{"firefox", newFirefoxPage, journeys},
	{"webkit", newWebKitPage, webKitJourneys},
}

// places are how many pages may be open at the same time: a browser keeps a
// processor busy, and sometimes two.
const places = 2

var (
	placesMu    sync.Mutex
	placesMoved = sync.NewCond(&placesMu)
	taken       int // places
	reserved    int // for who goes ahead
)

// takePlace waits for a place, and gives it back after the test. Who goes ahead has
// the next one that is given back.
func takePlace(t *testing.T, ahead bool) {
	placesMu.Lock()
	defer placesMu.Unlock()
	if ahead {
		reserved++
	}
	for taken == places || !ahead && taken+reserved >= places {
		placesMoved.Wait()
	}
	if ahead {
		reserved--
	}
	taken++
	t.Cleanup(func() {
		placesMu.Lock()
		defer placesMu.Unlock()
		taken--
		placesMoved.Broadcast()
	})
}

// journeys are the tests that run in Firefox, too, even when time is short: what
// a person comes for, and what browsers do differently. What differs only in the
// engine is not among them, since TestSameBits, TestEmbedMatrix and TestKernel are;
// nor is what is drawn by the same steps as in another of them.
var journeys = []string{
	"TestDragSlider", "TestEmbedMatrix", "TestFile", "TestKernel", "TestLesson", "TestMessages", "TestOffline", "TestPictures",
	"TestPlayer", "TestRecordedRun", "TestSameBits", "TestScreensInFirefox", "TestTabOrder", "TestTakeAway",
}

// webKitJourneys are the same for WebKit, which takes twice as long.
var webKitJourneys = []string{"TestDragSlider", "TestSameBits"}

// keepers are the tests of what a browser keeps of the site, and some journeys on
// which it does: their pages have a service worker even when time is short. In Firefox
// all pages have.
var keepers = []string{
	"TestDamagedCacheMends", "TestDragSlider", "TestFramesKeepNothing", "TestLesson", "TestNoNetworkIsSaid", "TestNoOtherHost",
	"TestNothingIsKeptOfBrokenSite", "TestOffline", "TestPictures", "TestProgramIsKept", "TestRecordedRun",
}

// keeps reports whether a test is one of the keepers.
func keeps(test string) bool {
	test, _, _ = strings.Cut(test, "/")
	return slices.Contains(keepers, test)
}

// A name in the lists above is that of a test, and journeys leave room for others.
func TestJourneys(t *testing.T) {
	if len(journeys) >= waiting {
		t.Errorf("all of %d tests under way may be waiting for Firefox", waiting)
	}
	var source []byte
	files, _ := filepath.Glob("*_test.go")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		source = append(source, text...)
	}
	for _, name := range slices.Concat(journeys, webKitJourneys, keepers) {
		if !bytes.Contains(source, []byte("\nfunc "+name+"(")) {
			t.Errorf("there is no test called %s", name)
		}
	}
}

// few returns the first of the states that a test takes a page through, one after the
// other; all of them if there is time. The first are those in which most can go wrong.
func few[T any](n int, all []T) []T {
	if testing.Short() {
		return all[:n]
	}
	return all
}

// TakesLong leaves a test to those who have time.
func TakesLong(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("another test sees most of this in less time")
	}
}

// InBrowsers runs a test body once in each browser; with -short only in those that
// browsers says. Tests run side by side, each in a window and on a server of its own:
// most of a test is waiting.
func InBrowsers(t *testing.T, body func(t *testing.T, p *Page)) {
	t.Helper()
	t.Parallel()
	for i, b := range browsers {
		if testing.Short() && i > 0 && !slices.Contains(b.short, t.Name()) {
			continue
		}
		t.Run(b.name, func(t *testing.T) { body(t, newPage(t, b.page(t))) })
	}
}

// InChromium runs a test body in Chromium alone, for what need not be seen in
// every browser.
func InChromium(t *testing.T, body func(t *testing.T, p *Page)) {
	t.Helper()
	t.Parallel()
	body(t, newPage(t, newChromiumPage(t)))
}

// A Page is a page of a browser in a test. Whatever goes wrong fails the test.
type Page struct {
	t       *testing.T
	browser browser
	origin  string   // of the site, "http://127.0.0.1:port"
	allowed []string // parts of errors that the test provokes
	servers []*httptest.Server
}

// InWebKit reports whether the page is in WebKit.
func (p *Page) InWebKit() bool {
	_, is := p.browser.(*webKitPage)
	return is
}

// built serves the built site.
var built = sync.OnceValue(func() http.Handler { return site.Handler(siteDir) })

// newPage serves the site for one test, where nothing stored by another test is seen,
// and checks at its end what was reported.
func newPage(t *testing.T, b browser) *Page {
	t.Helper()
	p := &Page{t: t, browser: b}
	tab, lasts := b.(lasting)
	if lasts && tab.site() != "" {
		p.origin = tab.site()
	} else {
		p.Serve(built())
	}
	t.Cleanup(func() {
		defer func() { // whatever is wrong with the page
			if t.Failed() || len(p.servers) > 0 || !lasts || !tab.leave() {
				b.close()
			}
			for _, server := range p.servers {
				server.Close()
			}
		}()
		p.checkProblems()
		if t.Failed() {
			p.Shot("failed-" + strings.NewReplacer("/", "-", "?", "-", "=", "-").Replace(t.Name()))
		}
	})
	return p
}

// Serve makes the page's site come from a handler of the test's own, at a new
// address. Without it, the built site is served.
func (p *Page) Serve(handler http.Handler) {
	if p.InWebKit() {
		handler = overheard(handler)
	}
	p.origin = p.Server(handler)
}

// Server starts a server for as long as the page lives, and returns its
// address. One that ended with the test's body would refuse what the page is
// still loading.
func (p *Page) Server(handler http.Handler) string {
	server := serve(handler)
	p.servers = append(p.servers, server)
	return server.URL
}

// serve starts a server at an address at which there has been none.
func serve(handler http.Handler) *httptest.Server {
	for {
		server := httptest.NewServer(handler)
		// A port that has been given back may come again, and with it what the
		// browser keeps for the site that was there.
		if _, again := served.LoadOrStore(server.URL, true); !again {
			return server
		}
		defer server.Close() // not before another port is found
	}
}

// served are the addresses at which there has been a site.
var served sync.Map

// Open opens an address of the site, such as "/?engine=main", or another one
// that begins with http, and waits until it has loaded.
func (p *Page) Open(address string) {
	p.t.Helper()
	if !strings.HasPrefix(address, "http") {
		address = p.origin + address
	}
	p.must("opening "+address, p.browser.open(address))
}

// Eval evaluates an expression and, unless result is nil, decodes its value
// into result. In Firefox an expression sees the properties of window, but not
// what a script of the page declared with const, let or class.
func (p *Page) Eval(expression string, result any) {
	p.t.Helper()
	value, err := p.browser.eval(expression)
	p.must("evaluating "+expression, err)
	if result != nil {
		p.must("decoding "+string(value), json.Unmarshal(value, result))
	}
}

// Text returns the value of an expression that gives a string.
func (p *Page) Text(expression string) string {
	p.t.Helper()
	var text string
	p.Eval("String("+expression+")", &text)
	return text
}

// Until waits for an expression, or the promise that it gives, to become true.
// An expression that throws is not true yet, so it may speak of what is still
// to come.
func (p *Page) Until(expression string, patience time.Duration) {
	p.t.Helper()
	const pause = 25 * time.Millisecond
	if p.InWebKit() {
		patience *= 5 // it paints without a graphics card, and compiles the program anew on each page
	}
	deadline := time.Now().Add(patience)
	var last string
	for {
		value, err := p.browser.eval("Promise.resolve(" + expression + ").then(Boolean)")
		if err == nil && string(value) == "true" {
			return
		}
		if err != nil {
			last = ": " + err.Error()
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("after %v still not true: %s%s%s", patience, expression, last, p.state())
		}
		time.Sleep(pause)
	}
}

// state returns what the page says of itself, for the text of a failure.
func (p *Page) state() string {
	value, err := p.browser.eval("[window.flockscope ? flockscope.state() : 'no flockscope', document.getElementById('why')?.textContent].join('\\n')")
	var text string
	if err != nil || json.Unmarshal(value, &text) != nil {
		return ""
	}
	return "\nthe page says: " + text
}

// EnterFrame makes what follows happen in the frame whose address starts so.
// It waits for the frame to be there.
func (p *Page) EnterFrame(address string) {
	p.t.Helper()
	deadline := time.Now().Add(15 * time.Second)
	for {
		err := p.browser.enterFrame(address)
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("entering the frame %s: %v", address, err)
		}
		time.Sleep(25 * time.Millisecond)
	}
}

// LeaveFrame makes what follows happen in the page around the frame again.
func (p *Page) LeaveFrame() {
	p.t.Helper()
	p.must("leaving the frame", p.browser.leaveFrame())
}

// Viewport sets the size of the page's window in CSS pixels.
func (p *Page) Viewport(width, height int) {
	p.t.Helper()
	p.must("setting the viewport", p.browser.viewport(width, height))
}

// ColorScheme makes the page believe that the person prefers "light" or "dark".
func (p *Page) ColorScheme(scheme string) {
	p.t.Helper()
	p.must("setting the colour scheme", p.browser.colorScheme(scheme))
}

// ReducedMotion makes the page believe that the person wants no animations.
func (p *Page) ReducedMotion() {
	p.t.Helper()
	p.must("asking for reduced motion", p.browser.reducedMotion(true))
}

// Click clicks the middle of the first element that a CSS selector matches, as a
// person would: once there is one, it stands still, and nothing lies over it.
func (p *Page) Click(selector string) {
	p.t.Helper()
	p.Until(`(() => {
		const el = document.querySelector(`+quote(selector)+`);
		el.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
		const box = el.getBoundingClientRect();
		const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
		const at = [box.x, box.y, box.width, box.height].join();
		const still = el.stoodAt === at;
		el.stoodAt = at;
		return still && (el.contains(hit) || hit.closest("label")?.control === el);
	})()`, patience)
	x, y := p.Middle(selector)
	p.must("clicking "+selector, p.browser.mouse(
		mouseEvent{"move", x, y}, mouseEvent{"press", x, y}, mouseEvent{"release", x, y}))
}

// Mouse acts with the mouse, in CSS pixels of the window.
func (p *Page) Mouse(events ...mouseEvent) {
	p.t.Helper()
	p.must("moving the mouse", p.browser.mouse(events...))
}

// Drag presses the mouse at one point, moves it in steps to another and
// releases it there. Points are CSS pixels of the window.
func (p *Page) Drag(fromX, fromY, toX, toY float64) {
	p.t.Helper()
	events := []mouseEvent{{"move", fromX, fromY}, {"press", fromX, fromY}}
	const steps = 8
	for i := 1; i <= steps; i++ {
		part := float64(i) / steps
		events = append(events, mouseEvent{"move", fromX + part*(toX-fromX), fromY + part*(toY-fromY)})
	}
	events = append(events, mouseEvent{"release", toX, toY})
	p.must("dragging", p.browser.mouse(events...))
}

// Middle scrolls the first element that a CSS selector matches into view and
// returns the window's coordinates of its middle.
func (p *Page) Middle(selector string) (x, y float64) {
	p.t.Helper()
	quoted, _ := json.Marshal(selector)
	var middle [2]float64
	p.Eval(`(() => {
		const el = document.querySelector(`+string(quoted)+`);
		el.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
		const box = el.getBoundingClientRect();
		return [box.x + box.width / 2, box.y + box.height / 2];
	})()`, &middle)
	return middle[0], middle[1]
}

// Key presses and releases a key, with any modifiers held: Key("ArrowRight"),
// Key("a"), Key("Shift+Tab").
func (p *Page) Key(combination string) {
	p.t.Helper()
	k, modifiers, err := parseKey(combination)
	p.must("reading the key "+combination, err)
	p.must("pressing "+combination, p.browser.key(k, modifiers...))
}

// Shot writes a picture of the window to .build/shots/NAME-BROWSER.png.
func (p *Page) Shot(name string) {
	p.t.Helper()
	picture, err := p.browser.shot()
	p.must("taking a picture", err)
	_, browserName, _ := strings.Cut(p.t.Name(), "/")
	browserName, _, _ = strings.Cut(browserName, "/")
	if browserName != "" && !strings.Contains(name, browserName) {
		name += "-" + browserName
	}
	dir := filepath.Join(root, ".build", "shots")
	p.must("making "+dir, os.MkdirAll(dir, 0o755))
	p.must("writing the picture", os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o644))
}

// AllowProblem lets the browser report errors that contain the text. Use it
// where a test provokes one.
func (p *Page) AllowProblem(text string) {
	p.allowed = append(p.allowed, text)
}

// checkProblems fails the test for every error that the browser reported.
func (p *Page) checkProblems() {
	p.t.Helper()
	problems, err := p.browser.problems()
	if err != nil {
		p.t.Errorf("reading the browser's console: %v", err)
	}
next:
	for _, problem := range problems {
		for _, text := range p.allowed {
			if strings.Contains(problem, text) {
				continue next
			}
		}
		p.t.Errorf("the browser reported: %s", problem)
	}
}

func (p *Page) must(what string, err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatalf("%s: %v", what, err)
	}
}
