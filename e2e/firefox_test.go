package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// firefoxPrefs keep a fresh profile silent. Port 0 lets Firefox choose a free
// port, which it then writes into the profile.
const firefoxPrefs = `
user_pref("marionette.port", 0);
user_pref("app.normandy.enabled", false);
user_pref("app.update.disabledForTesting", true);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.startup.page", 0);
user_pref("browser.topsites.contile.enabled", false);
user_pref("browser.newtabpage.enabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("dom.disable_open_during_load", false);
user_pref("extensions.systemAddon.update.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("services.settings.server", "data:,#remote-settings-dummy/v1");
user_pref("toolkit.telemetry.enabled", false);
`

// firefox is the one browser process that all pages share.
var firefox = sync.OnceValues(func() (*marionette, error) { return startFirefox(atExit) })

var errNoFirefox = errors.New("no Firefox is installed")

// startFirefox starts a Firefox, which what it gives to atEnd ends.
func startFirefox(atEnd func(func())) (*marionette, error) {
	path, err := exec.LookPath("firefox-esr")
	if err != nil {
		if path, err = exec.LookPath("firefox"); err != nil {
			return nil, errNoFirefox
		}
	}
	profile, err := os.MkdirTemp("", "flockscope-firefox-")
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(firefoxPrefs), 0o644); err != nil {
		return nil, err
	}
	// System access lets a test read the browser's own console.
	cmd := exec.Command(path, "--headless", "--marionette", "--remote-allow-system-access",
		"--no-remote", "--profile", profile, "--width", "1280", "--height", "800")
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	exited := make(chan struct{})
	go func() { cmd.Wait(); close(exited) }()
	var m *marionette
	atEnd(func() {
		if m != nil {
			m.call("Marionette:Quit", map[string]any{"flags": []string{"eForceQuit"}})
		} else {
			cmd.Process.Kill()
		}
		select {
		case <-exited:
		case <-time.After(10 * time.Second):
			cmd.Process.Kill()
			<-exited
		}
		os.RemoveAll(profile)
	})
	port, err := marionettePort(profile, exited)
	if err != nil {
		return nil, err
	}
	if m, err = dialMarionette(port); err != nil {
		return nil, err
	}
	_, err = m.call("WebDriver:SetTimeouts", map[string]any{
		"script": limit.Milliseconds(), "pageLoad": limit.Milliseconds(), "implicit": 0})
	return m, err
}

// marionettePort waits for Firefox to say on which port it listens.
func marionettePort(profile string, exited <-chan struct{}) (int, error) {
	deadline := time.After(time.Minute)
	for {
		text, err := os.ReadFile(filepath.Join(profile, "MarionetteActivePort"))
		if port, parsed := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && parsed == nil {
			return port, nil
		}
		select {
		case <-exited:
			return 0, errors.New("it ended right after its start")
		case <-deadline:
			return 0, errors.New("it does not say where it listens")
		case <-time.After(25 * time.Millisecond):
		}
	}
}

// A firefoxPage is a tab of the shared Firefox, which can be told things about one
// tab at a time: tests that run side by side take turns.
type firefoxPage struct {
	webDriverPage
	m      *marionette
	before string // handle of the tab that was there before
}

var firefoxTurn sync.Mutex

func newFirefoxPage(t *testing.T) browser {
	t.Helper()
	firefoxTurn.Lock()
	t.Cleanup(firefoxTurn.Unlock)
	acquirePage(t, true) // there is only one, and others have waited for this turn
	return openFirefoxPage(t, firefox)
}

// openFirefoxPage opens a tab in the Firefox that start returns.
func openFirefoxPage(t *testing.T, start func() (*marionette, error)) browser {
	t.Helper()
	m, err := start()
	if errors.Is(err, errNoFirefox) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatalf("starting Firefox: %v", err)
	}
	page := &firefoxPage{m: m, webDriverPage: webDriverPage{
		call: func(command string, params map[string]any, value any) error {
			return m.value("WebDriver:"+command, params, value)
		},
	}}
	if err := page.start(); err != nil {
		t.Fatalf("opening a tab in Firefox: %v", err)
	}
	return page
}

func (f *firefoxPage) start() error {
	if err := f.m.value("WebDriver:GetWindowHandle", struct{}{}, &f.before); err != nil {
		return err
	}
	result, err := f.m.call("WebDriver:NewWindow", map[string]any{"type": "tab", "focus": true})
	if err != nil {
		return err
	}
	var tab struct{ Handle string }
	if err := json.Unmarshal(result, &tab); err != nil {
		return err
	}
	if _, err := f.m.call("WebDriver:SwitchToWindow", map[string]any{"handle": tab.Handle, "focus": true}); err != nil {
		return err
	}
	// The window keeps the size that the test before gave it.
	if _, err := f.m.call("WebDriver:SetWindowRect", map[string]any{"width": 1280, "height": 800}); err != nil {
		return err
	}
	_, err = f.chrome(`Services.console.reset();`)
	return err
}

// chrome runs a script with the rights of the browser itself.
func (f *firefoxPage) chrome(script string) (json.RawMessage, error) {
	if _, err := f.m.call("Marionette:SetContext", map[string]any{"value": "chrome"}); err != nil {
		return nil, err
	}
	defer f.m.call("Marionette:SetContext", map[string]any{"value": "content"})
	return f.script(`arguments[arguments.length - 1]({ value: (() => {` + script + `})() ?? null });`)
}

func (f *firefoxPage) colorScheme(scheme string) error {
	override := map[string]int{"dark": 0, "light": 1}[scheme]
	_, err := f.chrome(fmt.Sprintf(`Services.prefs.setIntPref("layout.css.prefers-color-scheme.content-override", %d);`,
		override))
	return err
}

func (f *firefoxPage) reducedMotion(on bool) error {
	value := map[bool]int{true: 1}[on]
	_, err := f.chrome(fmt.Sprintf(`Services.prefs.setIntPref("ui.prefersReducedMotion", %d);`, value))
	return err
}

// problems returns the errors of pages, including violations of their policy,
// and leaves out what the browser says about itself.
func (f *firefoxPage) problems() ([]string, error) {
	value, err := f.chrome(`
		return Services.console.getMessageArray()
			.filter((m) => m instanceof Ci.nsIScriptError && !(m.flags & Ci.nsIScriptError.warningFlag))
			.filter((m) => /^(http|blob)/.test(m.sourceName) || /CSP|Security|content/i.test(m.category))
			// That is what it calls a load that was under way when its page was left.
			.filter((m) => !/A ServiceWorker intercepted the request and encountered an unexpected error/.test(m.errorMessage))
			.map((m) => m.errorMessage + " " + m.sourceName + ":" + m.lineNumber);`)
	if err != nil {
		return nil, err
	}
	var list []string
	err = json.Unmarshal(value, &list)
	return list, err
}

func (f *firefoxPage) close() {
	f.chrome(`Services.prefs.clearUserPref("layout.css.prefers-color-scheme.content-override");
		Services.prefs.clearUserPref("ui.prefersReducedMotion");`)
	f.m.call("WebDriver:CloseWindow", struct{}{})
	f.m.call("WebDriver:SwitchToWindow", map[string]any{"handle": f.before, "focus": true})
}
