package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// checkers installs what looks for faults of accessibility, in the versions that
// axe/package-lock.json pins.
var checkers = sync.OnceValue(func() error {
	install := exec.Command(filepath.Join(root, ".ci", "npm"), "e2e/axe", "axe")
	install.Stdout, install.Stderr = os.Stderr, os.Stderr
	return install.Run()
})

// script returns a script of the checkers. axe-core knows many of the rules of WCAG 2.2 and
// looks for what breaks them.
func (p *Page) script(path ...string) string {
	p.t.Helper()
	p.must("installing what looks for faults of accessibility", checkers())
	source, err := os.ReadFile(filepath.Join(append([]string{root, ".build", "axe", "node_modules"}, path...)...))
	p.must("reading it", err)
	return string(source)
}

// allRules are those that what is on screen should keep, colours the ones among
// them that a theme may break.
const (
	allRules = `["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]`
	colours  = `{ type: "rule", values: ["color-contrast", "link-in-text-block"] }`
)

// faults runs axe-core over the part of the page that a CSS selector matches, "" for
// all of it, and fails for each finding that it calls serious or critical.
func (p *Page) faults(what, part, rules string) {
	p.t.Helper()
	if p.Text("typeof axe") == "undefined" {
		p.Eval(p.script("axe-core", "axe.min.js")+"\n;0", nil)
	}
	if part == "" {
		part = "html"
	} else if p.Text("document.querySelectorAll("+quote(part)+").length") == "0" {
		p.t.Errorf("%s: there is no %s", what, part)
		return
	}
	var found []string
	p.Eval(`axe.run(`+quote(part)+`, { resultTypes: ["violations"], runOnly: `+rules+` }).then(({ violations }) => violations
		.filter(({ impact }) => impact === "serious" || impact === "critical")
		.flatMap(({ id, help, nodes }) => nodes.map(({ target, any }) => id + ": " + help + ": " + target.join(" ") + " " + any.map((a) => a.message).join(", "))))`, &found)
	for _, text := range found {
		p.t.Errorf("%s: %s", what, text)
	}
}

// The page in its main states, in both themes. Of what is the same as in a state
// before, nothing is looked at again: where something opens, only that; and in the
// dark, only colours.
func TestAxe(t *testing.T) {
	states := []struct {
		name, query   string
		width, height int
		open          func(p *Page)
		part          string // that was not there before; "" for the whole page
	}{
		{"the page", "?t=14&scent=1", 1440, 900, func(*Page) {}, ""},
		{"explanations", "", 1440, 900, func(p *Page) {
			p.Key("Escape")
			p.When("!s.sheet")
			p.Click("[data-explain=cflgp]")
			p.says(".explained", "CFL-GP")
		}, "#sheet"},
		{"the numbers of a figure", "", 1440, 900, func(p *Page) {
			p.Key("Escape")
			p.When("!s.sheet")
			p.Key("t")
			p.When("s.sheet")
		}, "#sheet"},
		{"a refused setting", "?t=14&dphi=900", 1440, 900, func(p *Page) { p.Enter("#heroset-C", "0") }, ".hero, .notices"},
		{"a lane's settings", "", 1440, 900, func(p *Page) { p.Click(".lane [aria-label^='Settings of']") }, ".lane"},
		{"the list of algorithms", "", 1440, 900, func(p *Page) { p.Click("#add-lane") }, ".menu"},
		{"a lesson", "?lesson=1", 1440, 900, func(p *Page) { p.Click("#lesson-skip"); p.says(".answer", "The answer") }, "#lesson"},
		{"a telephone", "?t=14", 390, 844, func(*Page) {}, ""},
		{"a telephone's settings", "", 390, 844, func(p *Page) {
			p.Click(".tools [aria-label=Settings]")
			p.Until("getComputedStyle(document.querySelector('.settings')).opacity === '1'", patience)
		}, ".settings"},
		{"a frame in slides", "?t=14&embed=1", 800, 450, func(*Page) {}, ""},
		{"pictures", "?data=digits&n=400&hidden=16&T=20&t=14", 1440, 900, func(*Page) {}, "main"},
		{"a frame in a text", "?t=14&embed=1", 490, 294, func(*Page) {}, ""},
		{"a client in the light", "?t=14&sel=3", 1440, 900, func(*Page) {}, "main"},
		{"all settings", "?t=14", 1440, 900, func(p *Page) { p.OpenSettings(); p.Click("#advanced") }, ".settings"},
		{"the sheet of keys", "?t=14", 1440, 900, func(p *Page) { p.Key("?") }, "#sheet"},
		{"the tour", "", 1440, 900, func(p *Page) {
			p.says("#tour-start", "Tour")
			p.Click("#tour-start")
			p.says("#tour", "1 of")
		}, ".tour"},
		{"the list of lessons", "?t=14", 1440, 900, func(p *Page) { p.Click("#lessons"); p.says("[data-lesson='1']", "average") }, "#sheet"},
		{"a lesson on a telephone", "?lesson=2", 390, 844, func(*Page) {}, ""},
		{"a tablet", "?t=14", 768, 1024, func(*Page) {}, ""},
	}
	InChromium(t, func(t *testing.T, p *Page) {
		p.ReducedMotion() // a colour that is on its way to another is none of the theme's
		for _, state := range firstStates(11, states) {
			p.Viewport(state.width, state.height)
			p.ColorScheme("light")
			if state.query != "" { // without one it goes on from the state before
				p.Run(state.query)
			}
			p.When("s.theme === 'light'")
			state.open(p)
			p.Drawn()
			p.faults(state.name, state.part, allRules)
			p.ColorScheme("dark")
			p.When("s.theme === 'dark'")
			p.Until("!document.getAnimations().length", patience)
			p.faults(state.name+" in the dark", state.part, colours)
		}
	})
}
