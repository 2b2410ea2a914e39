package e2e

import "testing"

// A figure has its tab where the run has what it shows.
func TestFiguresOfTheRun(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?algos=fedem,cflgp&T=40&t=8")
		p.Drawn()
		for _, tab := range []struct{ lane, name, want string }{
			{"0", "weights", "true"}, {"1", "weights", "false"},
			{"0", "spectrum", "false"}, {"1", "spectrum", "true"},
			{"0", "flow", "true"}, {"1", "models", "true"},
		} {
			if got := p.Text(`!!document.querySelector('[data-lane="` + tab.lane + `"] [data-below="` + tab.name +
				`"]')`); got != tab.want {
				t.Errorf("lane %s has a tab for %s: %s, want %s", tab.lane, tab.name, got, tab.want)
			}
		}
		p.Click(`[data-lane="0"] [data-below="weights"]`)
		p.When(`s.tab === "weights" && s.query.includes("view=weights")`)
		p.Until(`document.querySelector('canvas[data-figure="weights"]').getAttribute("aria-label").startsWith("Weights, round 8, FedEM")`, patience)
		// Where a lane has no weights, its losses stay.
		if got := p.Text(`document.querySelectorAll('canvas[data-figure="losses"]').length`); got != "1" {
			t.Errorf("%s figures of losses beside the weights, want 1", got)
		}
		// One row of links in each lane, and nothing sticks out of it.
		if got := p.Text(`[...document.querySelectorAll(".lane :is(figcaption, .views)")].every(c => c.clientHeight < 36 && c.scrollWidth <= c.clientWidth + 8)`); got != "true" {
			t.Error("links below a stage take more than a row")
		}
		p.Click(`[data-lane="0"] [data-below="weights"]`) // again: it closes
		p.When(`s.tab === "map"`)
		p.Until(`!document.querySelector(".lane .below canvas")`, patience)
	})
}

// The numbers behind a figure open by a key and close by another, and the focus
// comes back.
func TestShowData(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?t=14&view=spectrum")
		p.Drawn()
		p.Focus(`canvas[data-figure="spectrum"]`)
		p.Key("t")
		p.Until(`document.querySelector("#sheet").open && document.querySelectorAll("#sheet tbody tr").length > 2`,
			patience)
		if got := p.Text(`document.querySelector("#sheet th:nth-child(2)").textContent`); got != "singular value" {
			t.Errorf("the second column is called %q", got)
		}
		p.Key("Escape")
		p.Until(`!document.querySelector("#sheet").open && document.activeElement.dataset.figure === "spectrum"`,
			patience)
	})
}

// On a phone the tabs are one row that scrolls in itself, with the one in force
// in view.
func TestTabsOnAPhone(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(390, 844)
		p.Run("?algos=fedem,cflgp&T=40&t=8&view=curves")
		p.Drawn()
		inView := `(() => {
			const row = document.querySelector("nav.tabs").getBoundingClientRect(), tab = document.querySelector("nav.tabs .on").getBoundingClientRect();
			return tab.left >= row.left - 1 && tab.right <= row.right + 1 && document.documentElement.scrollWidth <= innerWidth;
		})()`
		p.Until(inView, patience)
		for _, tab := range []string{"map", "weights", "curves"} {
			p.Click(`[data-tab="` + tab + `"]`)
			p.When(`s.tab === "` + tab + `"`)
			p.Until(inView, patience)
		}
		if got := p.Text(`document.querySelector("nav.tabs").clientHeight < 60`); got != "true" {
			t.Error("the tabs take more than a row")
		}
	})
}
