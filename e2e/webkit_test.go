package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A webKitPage is a page of a browser of its own, which keeps nothing: a driver can drive
// one at a time, and starts the one that comes with it.
type webKitPage struct {
	webDriverPage
	stops    []func()          // end what was started, the latest first
	home     string            // directory for all that the browser reads and writes
	session  string            // address at the driver
	settings map[string]string // of the windows' toolkit
	size     [2]int            // of the viewport
	bar      int               // height of what the window has above the page
	said     []string          // complaints so far
}

// errNoWebKit is the reason for which tests in WebKit are skipped.
var errNoWebKit = errors.New("no WebKit: webkit2gtk-driver or xvfb is not installed")

func newWebKitPage(t *testing.T) browser {
	t.Helper()
	acquirePage(t, false)
	return openWebKitPage(t)
}

func openWebKitPage(t *testing.T) browser {
	t.Helper()
	for _, program := range []string{"WebKitWebDriver", "Xvfb"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(errNoWebKit)
		}
	}
	settings := map[string]string{"gtk-theme-name": "Adwaita", "gtk-enable-animations": "true"}
	w := &webKitPage{settings: settings, size: [2]int{1280, 800}}
	w.call = w.send
	if err := w.start(); err != nil {
		w.close()
		t.Fatalf("starting WebKit: %v", err)
	}
	return w
}

// start starts the browser, on a screen of its own.
func (w *webKitPage) start() error {
	if err := w.configure(); err != nil {
		return err
	}
	display, err := w.startScreen()
	if err != nil {
		return err
	}
	if w.session, err = w.startDriver(display); err != nil {
		return err
	}
	var session struct{ SessionID string }
	timeouts := map[string]any{"script": limit.Milliseconds(), "pageLoad": limit.Milliseconds()}
	capabilities := map[string]any{"alwaysMatch": map[string]any{"timeouts": timeouts}}
	if err := w.send("NewSession", map[string]any{"capabilities": capabilities}, &session); err != nil {
		return err
	}
	w.session += "/session/" + session.SessionID
	w.stops = append(w.stops, func() { w.send("DeleteSession", nil, nil) })
	bar, err := w.eval("outerHeight - innerHeight")
	if err != nil {
		return err
	}
	if err := json.Unmarshal(bar, &w.bar); err != nil {
		return err
	}
	return w.viewport(w.size[0], w.size[1])
}

// configure writes the settings of the toolkit that draws the browser's windows.
func (w *webKitPage) configure() (err error) {
	if w.home, err = os.MkdirTemp("", "flockscope-webkit-"); err != nil {
		return err
	}
	w.stops = append(w.stops, func() { os.RemoveAll(w.home) })
	dir := filepath.Join(w.home, "gtk-3.0")
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	var settings strings.Builder
	settings.WriteString("[Settings]\n")
	for name, value := range w.settings {
		fmt.Fprintf(&settings, "%s=%s\n", name, value)
	}
	// With a bar as wide as its buttons, windows could not be as narrow as telephones.
	const style = "* { min-width: 0; min-height: 0; padding: 0; margin: 0; font-size: 1px }"
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "settings.ini"), []byte(settings.String()), 0o644),
		os.WriteFile(filepath.Join(dir, "gtk.css"), []byte(style), 0o644))
}

// startScreen starts a screen that nobody sees and returns its name. It ends with the
// last program that shows something on it. It is smaller than windows, so that the mouse,
// which begins in its middle, is in the window: only there keys are heard.
func (w *webKitPage) startScreen() (string, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return "", err
	}
	defer read.Close()
	screen := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "600x400x24", "-nolisten", "tcp", "-terminate")
	screen.ExtraFiles = []*os.File{write}
	err = screen.Start()
	write.Close()
	if err != nil {
		return "", err
	}
	w.stops = append(w.stops, func() { screen.Process.Kill(); screen.Wait() })
	number, err := io.ReadAll(read)
	if err != nil || len(number) == 0 {
		return "", fmt.Errorf("Xvfb names no screen: %w", errors.Join(err, io.ErrUnexpectedEOF))
	}
	return ":" + strings.TrimSpace(string(number)), nil
}

// startDriver starts the driver and returns its address.
func (w *webKitPage) startDriver(display string) (string, error) {
	for {
		// The driver does not tell which port it has found, so it is given one that is
		// free, unless another program takes it first; then the driver ends.
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return "", err
		}
		address := l.Addr().(*net.TCPAddr)
		l.Close()
		driver := exec.Command("WebKitWebDriver", fmt.Sprintf("--port=%d", address.Port))
		// Drawn without OpenGL, which would be emulated, a frame takes a tenth of the time.
		driver.Env = append(os.Environ(), "DISPLAY="+display, "GDK_BACKEND=x11", "NO_AT_BRIDGE=1",
			"WEBKIT_DISABLE_DMABUF_RENDERER=1", "XDG_CONFIG_HOME="+w.home, "XDG_CACHE_HOME="+w.home, "XDG_DATA_HOME="+w.home)
		driver.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // with the browser
		if err := driver.Start(); err != nil {
			return "", err
		}
		ended := make(chan struct{})
		go func() { driver.Wait(); close(ended) }()
		w.stops = append(w.stops, func() { syscall.Kill(-driver.Process.Pid, syscall.SIGKILL); <-ended })
		if at := "http://" + address.String(); ready(at, ended) {
			return at, nil
		}
	}
}

// ready waits until a driver at an address is ready, and reports false if it has ended.
// Whatever else may listen there does not say so.
func ready(address string, ended <-chan struct{}) bool {
	for {
		var status struct{ Value struct{ Ready bool } }
		if answer, err := http.Get(address + "/status"); err == nil {
			json.NewDecoder(answer.Body).Decode(&status)
			answer.Body.Close()
		}
		if status.Value.Ready {
			return true
		}
		select {
		case <-ended:
			return false
		case <-time.After(25 * time.Millisecond):
		}
	}
}

// webKitCommands are the methods and the addresses of the driver's commands, the latter
// below that of the session.
var webKitCommands = map[string][2]string{
	"NewSession":         {"POST", "/session"},
	"DeleteSession":      {"DELETE", ""},
	"Navigate":           {"POST", "/url"},
	"ExecuteAsyncScript": {"POST", "/execute/async"},
	"FindElement":        {"POST", "/element"},
	"PerformActions":     {"POST", "/actions"},
	"SetWindowRect":      {"POST", "/window/rect"},
	"SwitchToFrame":      {"POST", "/frame"},
	"TakeScreenshot":     {"GET", "/screenshot"},
}

// send sends a command to the driver, as webDriverPage.call says.
func (w *webKitPage) send(command string, params map[string]any, value any) error {
	how := webKitCommands[command]
	var body io.Reader
	if how[0] == "POST" {
		text, err := json.Marshal(params)
		if err != nil {
			return err
		}
		body = bytes.NewReader(text)
	}
	limited, cancel := context.WithTimeout(context.Background(), 2*limit) // the driver itself gives up before
	defer cancel()
	request, err := http.NewRequestWithContext(limited, how[0], w.session+how[1], body)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		var failure struct {
			Value struct{ Error, Message string }
		}
		if json.Unmarshal(text, &failure) != nil {
			return fmt.Errorf("%s: %s", command, text)
		}
		return fmt.Errorf("%s: %s: %s", command, failure.Value.Error, failure.Value.Message)
	}
	return json.Unmarshal(text, &struct{ Value any }{value})
}

func (w *webKitPage) open(url string) error {
	if err := w.leaveFrame(); err != nil {
		return err
	}
	if err := w.listen(); err != nil {
		return err
	}
	return w.webDriverPage.open(url)
}

func (w *webKitPage) leaveFrame() error {
	if err := w.listen(); err != nil {
		return err
	}
	return w.webDriverPage.leaveFrame()
}

// viewport sets the size of the window, and waits: the page hears of it only later.
func (w *webKitPage) viewport(width, height int) error {
	w.size = [2]int{width, height}
	if err := w.call("SetWindowRect", map[string]any{"width": width, "height": height + w.bar}, nil); err != nil {
		return err
	}
	value, err := w.eval(fmt.Sprintf(`new Promise((done) => {
		const check = () => innerWidth === %d && innerHeight === %d ? done("") : setTimeout(check, 10);
		setTimeout(done, %d, "it stays at " + innerWidth + " by " + innerHeight);
		check();
	})`, width, height, limit.Milliseconds()/2))
	if err == nil && string(value) != `""` {
		err = fmt.Errorf("a window of %d by %d: %s", width, height, value)
	}
	return err
}

func (w *webKitPage) colorScheme(scheme string) error {
	return w.set("gtk-theme-name", map[string]string{"light": "Adwaita", "dark": "Adwaita-dark"}[scheme])
}

func (w *webKitPage) reducedMotion(on bool) error {
	return w.set("gtk-enable-animations", strconv.FormatBool(!on))
}

// set changes one of the toolkit's settings. They are read at the start only: the
// browser is started again, and opens the same address.
func (w *webKitPage) set(name, value string) error {
	if w.settings[name] == value {
		return nil
	}
	w.settings[name] = value
	address, err := w.eval("location.href")
	if err != nil {
		return err
	}
	var url string
	if err := json.Unmarshal(address, &url); err != nil {
		return err
	}
	if err := w.listen(); err != nil {
		return err
	}
	w.close()
	if err := w.start(); err != nil {
		return err
	}
	return w.open(url)
}

// shot has the page paint all the while: the driver waits for what is painted next.
func (w *webKitPage) shot() ([]byte, error) {
	if err := w.leaveFrame(); err != nil {
		return nil, err
	}
	_, err := w.eval(`void (() => {
		const dot = document.documentElement.appendChild(document.createElement("i"));
		dot.style.cssText = "position: fixed; left: 0; top: 0; width: 1px; height: 1px; opacity: 0.01";
		let n = 0;
		const timer = setInterval(() => dot.style.background = n++ % 2 ? "black" : "white", 20);
		self.painted = () => (clearInterval(timer), dot.remove());
	})()`)
	if err != nil {
		return nil, err
	}
	picture, err := w.webDriverPage.shot()
	if err != nil {
		return nil, err
	}
	_, err = w.eval("painted()")
	return picture, err
}

// overheard serves a site whose page keeps what it complains of, of which WebKit tells a
// driver nothing.
func overheard(site http.Handler) http.Handler {
	const path = "/complaints.js"
	site = altered(site, "/", func(a *httptest.ResponseRecorder) {
		const script = `<script src="` + path + `"></script>`
		a.Body = bytes.NewBufferString(strings.Replace(a.Body.String(), "<head>", "<head>"+script, 1))
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != path {
			site.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/javascript")
		w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
		io.WriteString(w, complaints)
	})
}

const complaints = `{
	const list = self.complaints = [], note = (words, event) => list.push({ words, event });
	addEventListener("error", (e) => note(e.message ?? "could not load " + (e.target.src ?? e.target.href), e), true);
	addEventListener("unhandledrejection", (e) => note("unhandled: " + e.reason, e));
	addEventListener("securitypolicyviolation", (e) => e.isTrusted &&
		note("against the policy: " + e.violatedDirective + " " + e.blockedURI));
	for (const kind of ["error", "assert"]) {
		const plain = console[kind];
		console[kind] = (...words) => {
			if (kind === "error" || !words[0]) note(words.join(" "));
			plain.apply(console, words);
		};
	}
}`

// listen collects what the page, or the frame that was entered, has complained of.
func (w *webKitPage) listen() error {
	value, err := w.eval("(self.complaints ?? []).splice(0).filter((c) => !c.event?.defaultPrevented).map((c) => c.words)")
	if err != nil {
		return err
	}
	var list []string
	err = json.Unmarshal(value, &list)
	w.said = append(w.said, list...)
	return err
}

func (w *webKitPage) problems() ([]string, error) {
	err := w.leaveFrame()
	if err == nil {
		err = w.listen()
	}
	return w.said, err
}

func (w *webKitPage) close() {
	for _, stop := range slices.Backward(w.stops) {
		stop()
	}
	w.stops = nil
}
