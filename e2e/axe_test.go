package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// axe is the source of axe-core, which knows many of the rules of WCAG 2.2 and
// looks for what breaks them. axe/package-lock.json pins its version.
var axe = sync.OnceValues(func() (string, error) {
	install := exec.Command(filepath.Join(root, ".ci", "npm"), "e2e/axe", "axe")
	install.Stdout, install.Stderr = os.Stderr, os.Stderr
	if err := install.Run(); err != nil {
		return "", err
	}
	source, err := os.ReadFile(filepath.Join(root, ".build", "axe", "node_modules", "axe-core", "axe.min.js"))
	return string(source), err
})

// faults runs axe-core over what is on screen, and fails for each finding that
// it calls serious or critical.
func (p *Page) faults(what string) {
	p.t.Helper()
	source, err := axe()
	p.must("getting axe-core", err)
	if p.Text("typeof axe") == "undefined" {
		p.Eval(source+"\n;0", nil)
	}
	var found []string
	p.Eval(`axe.run(document, { resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }).then(({ violations }) => violations
		.filter(({ impact }) => impact === "serious" || impact === "critical")
		.flatMap(({ id, help, nodes }) => nodes.map(({ target, any }) => id + ": " + help + ": " + target.join(" ") + " " + any.map((a) => a.message).join(", "))))`, &found)
	for _, text := range found {
		p.t.Errorf("%s: %s", what, text)
	}
}

// The page in its main states, in both themes.
func TestAxe(t *testing.T) {
	states := []struct {
		name, query   string
		width, height int
		open          func(p *Page)
	}{
		{"the page", "?t=14", 1440, 900, func(*Page) {}},
		{"a client in the light", "?t=14&sel=3", 1440, 900, func(*Page) {}},
		{"all settings", "?t=14", 1440, 900, func(p *Page) { p.Click("#advanced") }},
		{"a lane's settings", "?t=14", 1440, 900, func(p *Page) { p.Click(".lane [aria-label^='Settings of']") }},
		{"the list of algorithms", "?t=14", 1440, 900, func(p *Page) { p.Click("#add-lane") }},
		{"a refused setting", "?t=14&dphi=900", 1440, 900, func(p *Page) { p.Enter("#set-C", "0") }},
		{"the sheet of keys", "?t=14", 1440, 900, func(p *Page) { p.Key("?") }},
		{"the list of lessons", "?t=14", 1440, 900, func(p *Page) { p.Click("#lessons"); p.says("[data-lesson='1']", "average") }},
		{"explanations", "?t=14", 1440, 900, func(p *Page) { p.Click("[data-explain=cflgp]"); p.says(".about", "CFL-GP") }},
		{"the tour", "?t=14", 1440, 900, func(p *Page) {
			p.Key("?")
			p.says("#tour-start", "Tour")
			p.Click("#tour-start")
			p.says("#tour", "1 of")
		}},
		{"a lesson", "?lesson=1", 1440, 900, func(p *Page) { p.Click("#lesson-skip"); p.says(".answer", "The answer") }},
		{"a lesson on a telephone", "?lesson=2", 390, 844, func(*Page) {}},
		{"the numbers of a figure", "?t=14", 1440, 900, func(p *Page) { p.Key("t") }},
		{"a tablet", "?t=14", 768, 1024, func(*Page) {}},
		{"a telephone", "?t=14", 390, 844, func(*Page) {}},
		{"a telephone's settings", "?t=14", 390, 844, func(p *Page) {
			p.Click(".tools [aria-label=Settings]")
			p.Until("getComputedStyle(document.querySelector('.settings')).opacity === '1'", patience)
		}},
		{"a frame in slides", "?t=14&embed=1", 800, 450, func(*Page) {}},
		{"a frame in a text", "?t=14&embed=1", 490, 294, func(*Page) {}},
		{"pictures", "?data=digits&n=400&hidden=16&T=20&t=14", 1440, 900, func(*Page) {}},
	}
	InChromium(t, func(t *testing.T, p *Page) {
		for _, state := range states {
			p.Viewport(state.width, state.height)
			p.ColorScheme("light")
			p.Run(state.query)
			state.open(p)
			p.Drawn()
			for _, theme := range []string{"light", "dark"} {
				p.ColorScheme(theme)
				p.When("s.theme === " + quote(theme))
				p.Drawn()
				p.faults(strings.Join([]string{state.name, theme}, ", "))
			}
		}
	})
}
