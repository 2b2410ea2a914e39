package e2e

import (
	"os"
	"path/filepath"
	"testing"
)

// pictures are those of the README: an address, the size of the window, and
// what to do before the picture is taken.
var pictures = []struct {
	name          string
	query         string
	width, height int
	theme         string
	before        func(p *Page)
}{
	{"compare", "?t=14", 1440, 900, "light", func(p *Page) {
		p.When("s.scents.length > 0 && s.scents.every((x) => !x.busy)")
	}},
	{"digits", "?data=digits&algos=cflgp,ifca&C=16&b=64&T=60&t=60&view=answers", 1440, 900, "light", nil},
	{"lesson", "?lesson=2&t=40", 1440, 900, "dark", nil},
	{"sweep", "?scent=0", 1440, 900, "light", func(p *Page) {
		p.Click("#open-sweep")
		p.Until("document.querySelector('[data-sweep=\"1.key\"]') !== null", patience)
		p.Eval(`(() => {
			const choose = document.querySelector("[data-sweep='1.key']");
			choose.value = "b";
			choose.dispatchEvent(new Event("change", { bubbles: true }));
		})()`, nil)
		p.Click("#sweep-run")
		p.When("s.sweep && s.sweep.done === s.sweep.of")
	}},
	{"phone", "?t=14&view=losses&scent=0", 390, 844, "dark", nil},
	{"frame", "?t=14&embed=1&scent=0", 800, 450, "light", nil},
}

// TestReadmePictures takes the pictures of the README, if FLOCKSCOPE_PICTURES names a
// directory for them.
func TestReadmePictures(t *testing.T) {
	dir := os.Getenv("FLOCKSCOPE_PICTURES")
	if dir == "" {
		t.Skip("FLOCKSCOPE_PICTURES names no directory")
	}
	InChromium(t, func(t *testing.T, p *Page) {
		for _, s := range pictures {
			p.Viewport(s.width, s.height)
			p.ColorScheme(s.theme)
			p.ReducedMotion()
			p.Run(s.query)
			if s.before != nil {
				s.before(p)
			}
			p.Drawn()
			picture, err := p.browser.shot()
			p.must("taking a picture", err)
			p.must("writing it", os.WriteFile(filepath.Join(dir, s.name+".png"), picture, 0o644))
		}
	})
}
