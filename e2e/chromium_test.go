package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// chromiumFlags start a browser without a window, dialogs and connections of its own.
// --site-per-process gives a cross-site frame its own process, as browsers on desktops do.
var chromiumFlags = []chromedp.ExecAllocatorOption{
	chromedp.NoFirstRun,
	chromedp.NoDefaultBrowserCheck,
	chromedp.Headless,
	chromedp.NoSandbox,
	chromedp.DisableGPU,
	chromedp.Flag("disable-quic", true),
	chromedp.Flag("disable-background-networking", true),
	chromedp.Flag("disable-component-update", true),
	chromedp.Flag("disable-sync", true),
	chromedp.Flag("disable-default-apps", true),
	chromedp.Flag("disable-extensions", true),
	chromedp.Flag("disable-dev-shm-usage", true),
	chromedp.Flag("disable-background-timer-throttling", true),
	chromedp.Flag("disable-backgrounding-occluded-windows", true),
	chromedp.Flag("disable-renderer-backgrounding", true),
	// Its own bars are pages, too, and each window would start them.
	chromedp.Flag("disable-features", "WebUIOmniboxPopup,WebUIOmniboxFullPopup,WebUIOmniboxAimPopup"),
	chromedp.Flag("force-color-profile", "srgb"),
	chromedp.Flag("metrics-recording-only", true),
	chromedp.Flag("password-store", "basic"),
	chromedp.Flag("site-per-process", true),
	chromedp.WindowSize(1280, 800),
}

// inShort delays V8's optimising compiler for pages that live for seconds, which would not
// earn back its time. Loops of the kernel are still compiled soon.
const inShort = "--wasm-tiering-budget=2000000000"

// chromium is the one browser process that all pages share, started by the first test. With
// -short it is Chromium's headless shell, if it is installed, which is a fifth faster.
var chromium = sync.OnceValues(func() (context.Context, error) {
	flags := slices.Clone(chromiumFlags)
	if testing.Short() {
		flags = append(flags, chromedp.Flag("js-flags", inShort))
		if shell, err := exec.LookPath("chromium-headless-shell"); err == nil {
			flags = append(flags, chromedp.ExecPath(shell))
		}
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), flags...)
	ctx, _ := chromedp.NewContext(allocator)
	atExit(func() {
		limited, cancel := context.WithTimeout(ctx, 10*time.Second)
		defer cancel()
		chromedp.Cancel(limited)
		stop()
	})
	return ctx, chromedp.Do(ctx)
})

// A chromiumPage is a tab of its own browser context, which shares no storage
// with others.
type chromiumPage struct {
	home    *httptest.Server // of the built site, where a tab is used for one test after the other
	changed bool             // in a way that the next test would see
	tab     context.Context  // of the page
	current context.Context  // of the page or of the frame that was entered
	cancel  context.CancelFunc
	console []*console        // of the page, and of the frames that were entered
	said    []string          // problems of frames that have gone with their pages
	media   map[string]string // emulated media features
	medium  string            // emulated, "" for the screen
	pressed bool              // the mouse's button is down
}

func newChromiumPage(t *testing.T) browser {
	t.Helper()
	acquirePage(t, false)
	return openChromiumPage(t)
}

func openChromiumPage(t *testing.T) browser {
	t.Helper()
	shared, err := chromium()
	if err != nil {
		t.Fatalf("starting Chromium: %v", err)
	}
	lasts := testing.Short() && !hasServiceWorker(t.Name())
	if lasts {
		select {
		case c := <-warm:
			return c
		default:
		}
	}
	tab, cancel := chromedp.NewContext(shared, chromedp.WithNewBrowserContext())
	if err := chromedp.Do(tab); err != nil {
		cancel()
		t.Fatalf("opening a tab in Chromium: %v", err)
	}
	if err := mayCopy(tab); err != nil {
		t.Fatal(err)
	}
	c := &chromiumPage{tab: tab, current: tab, cancel: cancel, media: map[string]string{}}
	if lasts {
		if err := keepNothing(tab); err != nil {
			t.Fatal(err)
		}
		c.home = serve(built())
	}
	c.console = append(c.console, listen(tab))
	return c
}

// warm are the tabs that tests have reset. A tab that has had the site before, at the same
// address, opens it again in two thirds of the time.
var warm = make(chan *chromiumPage, maxPages)

// site is the address at which a tab has the built site; "" if it has none of its own.
func (c *chromiumPage) site() string {
	if c.home == nil {
		return ""
	}
	return c.home.URL
}

// reset removes what a tab has stored, and keeps it for the next test. It reports false if
// that is impossible, because the page is busy or because of what the test did.
func (c *chromiumPage) reset() bool {
	if c.home == nil || c.changed || c.pressed || len(c.console) > 1 {
		return false
	}
	rests, err := c.eval(`origin === ` + quote(c.site()) + ` && !frames.length && (s => s.done && !s.playing)(JSON.parse(flockscope.state())) &&
		(localStorage.clear(), sessionStorage.clear(), history.replaceState(null, "", "/left"), true)`)
	if err != nil || string(rests) != "true" {
		return false
	}
	clear(c.media)
	c.medium, c.said = "", nil
	err = c.do(c.tab, chromedp.MouseEvent(chromedp.MouseMoved, -1, -1, chromedp.ButtonNone),
		chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia,
				emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{}})
			if err == nil {
				_, err = cdp.Call(ctx, t, emulation.ClearDeviceMetricsOverride, cdp.Empty{})
			}
			if err == nil {
				_, err = cdp.Call(ctx, t, page.ResetNavigationHistory, cdp.Empty{})
			}
			return err
		}))
	if err != nil {
		return false
	}
	c.console[0].forget()
	select {
	case warm <- c:
		return true
	default:
		return false
	}
}

// mayCopy allows a page to copy after a click, as browsers with windows do.
func mayCopy(tab context.Context) error {
	return chromedp.Do(tab, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, cdpbrowser.SetPermission, cdpbrowser.SetPermissionParams{
			Permission: &cdpbrowser.PermissionDescriptor{Name: "clipboard-write"}, Setting: cdpbrowser.PermissionSettingGranted,
			BrowserContextID: chromedp.FromContext(ctx).BrowserContextID})
		return err
	}))
}

// keepNothing disables service workers in a tab: otherwise a new page fetches and stores the
// whole site once more.
func keepNothing(tab context.Context) error {
	return chromedp.Do(tab, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument,
			page.AddScriptToEvaluateOnNewDocumentParams{Source: "delete Navigator.prototype.serviceWorker"})
		return err
	}))
}

// limit is the time limit of one command to a browser.
const limit = 30 * time.Second

func (c *chromiumPage) do(ctx context.Context, actions ...chromedp.Action[chromedp.Void]) error {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return chromedp.Do(limited, actions...)
}

func (c *chromiumPage) open(url string) error {
	c.current = c.tab
	for _, frame := range c.console[1:] {
		problems, err := frame.problems()
		if err != nil {
			return err
		}
		c.said = append(c.said, problems...)
	}
	c.console = c.console[:1]
	return c.do(c.tab, chromedp.Navigate(url))
}

func (c *chromiumPage) eval(expression string) (json.RawMessage, error) {
	return evaluate(c.current, expression)
}

func evaluate(ctx context.Context, expression string) (json.RawMessage, error) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	value, err := chromedp.Run(limited, chromedp.Evaluate[[]byte](expression, chromedp.EvalAwaitPromise))
	if err == nil && len(value) == 0 {
		value = []byte("null")
	}
	return value, err
}

func (c *chromiumPage) enterFrame(url string) error {
	targets, err := chromedp.Targets(c.tab)
	if err != nil {
		return err
	}
	for _, info := range targets {
		if info.Type == "iframe" && strings.HasPrefix(info.URL, url) {
			frame, _ := chromedp.NewContext(c.tab, chromedp.WithTargetID(info.TargetID), chromedp.WithDetachOnCancel())
			if err := chromedp.Do(frame); err != nil {
				return err
			}
			c.current = frame
			c.console = append(c.console, listen(frame))
			return nil
		}
	}
	return fmt.Errorf("there is no frame of another site at %s", url)
}

func (c *chromiumPage) leaveFrame() error {
	c.current = c.tab
	return nil
}

func (c *chromiumPage) viewport(width, height int) error {
	return c.do(c.tab, chromedp.EmulateViewport(int64(width), int64(height)))
}

func (c *chromiumPage) colorScheme(scheme string) error {
	return c.emulate("prefers-color-scheme", scheme)
}

func (c *chromiumPage) reducedMotion(on bool) error {
	return c.emulate("prefers-reduced-motion", map[bool]string{true: "reduce"}[on])
}

// forcedColours emulates forced colours.
func (c *chromiumPage) forcedColours(on bool) error {
	return c.emulate("forced-colors", map[bool]string{true: "active", false: "none"}[on])
}

// network emulates being offline or online.
func (c *chromiumPage) network(on bool) error {
	c.changed = true
	return c.do(c.tab, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, network.OverrideNetworkState,
			network.OverrideNetworkStateParams{Offline: !on, DownloadThroughput: -1, UploadThroughput: -1})
		return err
	}))
}

// emulate sets one media feature, and all that were set before: a call
// replaces the ones before it.
func (c *chromiumPage) emulate(feature, value string) error {
	c.media[feature] = value
	var features []*emulation.MediaFeature
	for name, value := range c.media {
		features = append(features, &emulation.MediaFeature{Name: name, Value: value})
	}
	return c.do(c.tab, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia,
			emulation.SetEmulatedMediaParams{Media: c.medium, Features: features})
		return err
	}))
}

// print emulates the media type print, or screen again.
func (c *chromiumPage) print(on bool) error {
	c.medium = map[bool]string{true: "print"}[on]
	return c.emulate("prefers-contrast", "no-preference")
}

func (c *chromiumPage) mouse(events ...mouseEvent) error {
	for _, e := range events {
		kind, options := chromedp.MouseMoved, []chromedp.MouseOption{chromedp.ButtonNone}
		switch e.kind {
		case "press":
			kind, c.pressed = chromedp.MousePressed, true
		case "release":
			kind = chromedp.MouseReleased
		}
		if c.pressed {
			options = []chromedp.MouseOption{chromedp.ButtonLeft, chromedp.ClickCount(1)}
		}
		if e.kind == "release" {
			c.pressed = false
		}
		if err := c.do(c.tab, chromedp.MouseEvent(kind, e.x, e.y, options...)); err != nil {
			return err
		}
	}
	return nil
}

// touchScreen emulates a touch screen; swipe moves a finger from one point to another on it.
func (c *chromiumPage) touchScreen() error {
	c.changed = true
	return c.do(c.tab, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetTouchEmulationEnabled,
			emulation.SetTouchEmulationEnabledParams{Enabled: true, MaxTouchPoints: 1})
		return err
	}))
}

func (c *chromiumPage) swipe(fromX, fromY, toX, toY float64) error {
	return c.do(c.tab, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		const steps = 12
		for i := 0; i <= steps+1; i++ {
			part := float64(i) / steps
			event := input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchMove,
				TouchPoints: []*input.TouchPoint{{X: fromX + part*(toX-fromX), Y: fromY + part*(toY-fromY)}}}
			switch i {
			case 0:
				event.Type = input.DispatchTouchEventTypeTouchStart
			case steps + 1:
				event.Type, event.TouchPoints = input.DispatchTouchEventTypeTouchEnd, []*input.TouchPoint{}
			}
			if _, err := cdp.Call(ctx, t, input.DispatchTouchEvent, event); err != nil {
				return err
			}
		}
		return nil
	}))
}

func (c *chromiumPage) key(k key, modifiers ...key) error {
	var held []chromedp.Modifier
	for _, m := range modifiers {
		held = append(held, m.modifier)
	}
	return c.do(c.current, chromedp.KeyEvent(k.chromium, chromedp.KeyModifiers(held...)))
}

func (c *chromiumPage) shot() ([]byte, error) {
	limited, cancel := context.WithTimeout(c.tab, limit)
	defer cancel()
	return chromedp.Run(limited, chromedp.CaptureScreenshot())
}

func (c *chromiumPage) problems() ([]string, error) {
	all := slices.Clone(c.said)
	for _, console := range c.console {
		problems, err := console.problems()
		if err != nil {
			return nil, err
		}
		all = append(all, problems...)
	}
	return all, nil
}

func (c *chromiumPage) close() {
	c.cancel()
	if c.home != nil {
		c.home.Close()
	}
}

// A console collects the errors that one target reports.
type console struct {
	ctx  context.Context
	mark chan struct{} // receives when the mark of problems has come by

	mu   sync.Mutex
	list []string
}

// mark is logged to wait until everything logged before has been received.
const mark = "e2e: end of messages"

func listen(ctx context.Context) *console {
	c := &console{ctx: ctx, mark: make(chan struct{}, 1)}
	messages := chromedp.Console(ctx) // subscribes now, not in the goroutine
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			c.add(m)
		}
	}()
	return c
}

func (c *console) add(m chromedp.ConsoleMessage) {
	if m.Text == mark {
		c.mark <- struct{}{}
		return
	}
	// A violated policy is an error in the browser's log too.
	if m.Type != chromedp.ConsoleError && m.Type != chromedp.ConsoleException && m.Type != "assert" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(c.list, strings.TrimSpace(fmt.Sprintf("%s %s", m.String(), m.URL)))
}

// forget drops what was reported so far.
func (c *console) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = nil
}

func (c *console) problems() ([]string, error) {
	if _, err := evaluate(c.ctx, fmt.Sprintf("console.debug(%q)", mark)); err != nil {
		return nil, err
	}
	select {
	case <-c.mark:
	case <-time.After(limit):
		return nil, fmt.Errorf("the console does not answer")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.list, nil
}
