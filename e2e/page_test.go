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

// A reusable browser has the built site at an address of its own, unless that is "". It may
// keep its page for another test, which reset reports.
type reusable interface {
	site() string
	reset() bool
}

// browsers are the ways to get a fresh page, by name. They wait until a page may be opened.
// With -short all tests run in the first browser, and the listed ones in the others.
var browsers = []struct {
	name  string
	page  func(t *testing.T) browser
	short []string
}{
	{"chromium", newChromiumPage, nil},
	{"firefox", newFirefoxPage, firefoxTests},
	{"webkit", newWebKitPage, webKitTests},
}

// maxPages is the number of pages that may be open at the same time: a browser uses one or
// two processors.
const maxPages = 2

var (
	pagesMu       sync.Mutex
	pagesChanged  = sync.NewCond(&pagesMu)
	openPages     int // places
	reservedPages int // for tests with priority
)

// acquirePage waits until a page may be opened, and releases it after the test. A test with
// priority gets the next free one.
func acquirePage(t *testing.T, ahead bool) {
	pagesMu.Lock()
	defer pagesMu.Unlock()
	if ahead {
		reservedPages++
	}
	for openPages == maxPages || !ahead && openPages+reservedPages >= maxPages {
		pagesChanged.Wait()
	}
	if ahead {
		reservedPages--
	}
	openPages++
	t.Cleanup(func() {
		pagesMu.Lock()
		defer pagesMu.Unlock()
		openPages--
		pagesChanged.Broadcast()
	})
}

// firefoxTests are the tests that run in Firefox with -short, too: the main tasks of users,
// and what browsers do differently. Tests of the engine are left out, since TestSameBits,
// TestEmbedMatrix and TestKernel cover it; so are tests whose steps are part of another one.
var firefoxTests = []string{
	"TestDragSlider", "TestEmbedMatrix", "TestFile", "TestKernel", "TestLesson", "TestMessages", "TestOffline", "TestPictures",
	"TestPlayer", "TestRecordedRun", "TestSameBits", "TestScreensInFirefox", "TestTabOrder", "TestTakeAway",
}

// webKitTests are the same for WebKit, which takes twice as long.
var webKitTests = []string{"TestDragSlider", "TestSameBits"}

// serviceWorkerTests are the tests of offline use, and some others: their pages have a
// service worker with -short, too. In Firefox all pages have one.
var serviceWorkerTests = []string{
	"TestDamagedCacheMends", "TestDragSlider", "TestFirstVisit", "TestFramesKeepNothing", "TestLesson", "TestNoNetworkIsSaid",
	"TestNoOtherHost", "TestNothingIsKeptOfBrokenSite", "TestNothingJumps", "TestOffline", "TestPictures", "TestProgramIsKept",
	"TestRecordedRun",
}

// hasServiceWorker reports whether a test is one of serviceWorkerTests.
func hasServiceWorker(test string) bool {
	test, _, _ = strings.Cut(test, "/")
	return slices.Contains(serviceWorkerTests, test)
}

// The names in the lists above are those of tests, and the tests in Firefox cannot block all
// others.
func TestListedTests(t *testing.T) {
	if len(firefoxTests) >= waiting {
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
	for _, name := range slices.Concat(firefoxTests, webKitTests, serviceWorkerTests) {
		if !bytes.Contains(source, []byte("\nfunc "+name+"(")) {
			t.Errorf("there is no test called %s", name)
		}
	}
}

// firstStates returns the first n of the states that a test goes through with -short, else
// all of them. Tests list the most error-prone states first.
func firstStates[T any](n int, all []T) []T {
	if testing.Short() {
		return all[:n]
	}
	return all
}

// SkipIfShort skips a test with -short.
func SkipIfShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("another test sees most of this in less time")
	}
}

// InBrowsers runs a test body once in each browser; with -short only in those that browsers
// lists for it. Tests run in parallel, each with a window and a server of its own, because
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

// InChromium runs a test body in Chromium alone.
func InChromium(t *testing.T, body func(t *testing.T, p *Page)) {
	t.Helper()
	t.Parallel()
	body(t, newPage(t, newChromiumPage(t)))
}

// A Page is a page of a browser in a test. Every error fails the test.
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

// InChromium reports whether the page is in Chromium.
func (p *Page) InChromium() bool {
	_, is := p.browser.(*chromiumPage)
	return is
}

// built serves the built site.
var built = sync.OnceValue(func() http.Handler { return site.Handler(siteDir) })

// newPage serves the site for one test, without data stored by other tests, and checks the
// reported errors at its end.
func newPage(t *testing.T, b browser) *Page {
	t.Helper()
	p := &Page{t: t, browser: b}
	tab, lasts := b.(reusable)
	if lasts && tab.site() != "" {
		p.origin = tab.site()
	} else {
		p.Serve(built())
	}
	t.Cleanup(func() {
		defer func() { // whatever is wrong with the page
			if t.Failed() || len(p.servers) > 0 || !lasts || !tab.reset() {
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

// Serve replaces the built site by a handler, at a new address.
func (p *Page) Serve(handler http.Handler) {
	if p.InWebKit() {
		handler = overheard(handler)
	}
	p.origin = p.Server(handler)
}

// Server starts a server that ends with the page, and returns its address. A server that
// ended with the test's body would refuse what the page is still loading.
func (p *Page) Server(handler http.Handler) string {
	server := serve(handler)
	p.servers = append(p.servers, server)
	return server.URL
}

// serve starts a server at an unused address.
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

// served are the addresses that have been used.
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

// Until waits until an expression, or its promise, is true. An expression that throws is not
// true yet, so it may use elements that do not exist yet.
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

// state returns the page's state as text, for messages of failures.
func (p *Page) state() string {
	value, err := p.browser.eval("[window.flockscope ? flockscope.state() : 'no flockscope', document.getElementById('why')?.textContent].join('\\n')")
	var text string
	if err != nil || json.Unmarshal(value, &text) != nil {
		return ""
	}
	return "\nthe page says: " + text
}

// EnterFrame waits for the frame whose address starts with address, and directs the following
// calls to it.
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

// LeaveFrame directs the following calls to the page around the frame again.
func (p *Page) LeaveFrame() {
	p.t.Helper()
	p.must("leaving the frame", p.browser.leaveFrame())
}

// Viewport sets the size of the page's window in CSS pixels.
func (p *Page) Viewport(width, height int) {
	p.t.Helper()
	p.must("setting the viewport", p.browser.viewport(width, height))
}

// ColorScheme emulates the preference for a "light" or "dark" theme.
func (p *Page) ColorScheme(scheme string) {
	p.t.Helper()
	p.must("setting the colour scheme", p.browser.colorScheme(scheme))
}

// ReducedMotion emulates the preference for reduced motion.
func (p *Page) ReducedMotion() {
	p.t.Helper()
	p.must("asking for reduced motion", p.browser.reducedMotion(true))
}

// Click clicks the centre of the first element that a CSS selector matches, once the element
// exists, does not move, and is not covered.
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

// Middle scrolls the first element that a CSS selector matches into view and returns the
// coordinates of its centre in the window.
func (p *Page) Middle(selector string) (x, y float64) {
	p.t.Helper()
	quoted, _ := json.Marshal(selector)
	var middle [2]float64
	p.Eval(`(() => {
		const el = document.querySelector(`+string(quoted)+`), block = parent === self ? "center" : "nearest"; // the page around stays
		el.scrollIntoView({ block, inline: block, behavior: "instant" });
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

// AllowProblem allows the browser to report errors that contain the text, for tests that
// provoke one.
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
