package e2e

import (
	"strings"
	"testing"
)

// reachable returns the elements of a part of the page that Tab should come to.
const reachable = `((part) => {
	window.stops = [...document.querySelector(part).querySelectorAll("a[href], button, select, input, textarea, summary, [tabindex]")].filter((el) =>
		el.tabIndex >= 0 && !el.disabled && el.checkVisibility({ visibilityProperty: true }));
	return stops.map((el) => el.id || el.ariaLabel || el.dataset.slide || el.textContent.trim().slice(0, 30));
})`

// here says which of them has the focus, −1 for none, and what is wrong with
// how it shows.
const here = `(() => {
	const el = document.activeElement, at = stops.indexOf(el);
	if (at < 0) return { at, wrong: "" };
	const seen = el.closest(".pick") ?? el, box = seen.getBoundingClientRect(), ring = getComputedStyle(seen);
	const x = box.left + box.width / 2, y = box.top + box.height / 2;
	const top = document.elementFromPoint(x, y);
	return { at, wrong: box.width < 8 || x < 0 || x > innerWidth || y < 0 || y > innerHeight ? "is out of sight"
		: !(top && (seen.contains(top) || top.contains(seen) || el.id === "scrub" || top.closest(".lane-head, label, .scrub"))) ? "is covered by " + top?.className
		: ring.outlineStyle === "none" || parseFloat(ring.outlineWidth) < 2 ? "does not show that it has the focus" : "" };
})()`

// With the keyboard all controls can be reached, the focus is visible, and it can leave every
// dialog.
func TestKeyboardWalk(t *testing.T) {
	states := []struct {
		name, query   string // without a query it goes on from the state before
		width, height int
		opener        string // pressed before the walk begins there; "" to begin at the top
		part          string // where Tab must come everywhere
	}{
		{"the page", "?t=14", 1440, 900, "", "#flockscope"},
		{"a lane's settings", "", 1440, 900, ".lane [aria-label^='Settings of']", ".tuning"},
		{"a telephone", "?t=14", 390, 844, "", "#flockscope"},
		{"a telephone's settings", "", 390, 844, ".tools [aria-label=Settings]", ".settings"},
		{"more settings", "?t=14", 1440, 900, "#more-settings", ".settings"},
		{"all settings", "?t=14", 1440, 900, "#more-settings then #advanced", ".settings .advanced"},
		{"the list of algorithms", "?t=14", 1440, 900, "#add-lane", ".menu"},
		{"a tablet", "?t=14", 768, 1024, "", "#flockscope"},
		{"a frame in slides", "?t=14&embed=1", 800, 450, "", "#flockscope"},
	}
	const top = `(() => {
		const top = Object.assign(document.createElement("i"), { tabIndex: -1 });
		document.body.prepend(top);
		top.focus();
	})()`
	InChromium(t, func(t *testing.T, p *Page) {
		for _, state := range firstStates(4, states) {
			p.Viewport(state.width, state.height)
			if state.query != "" {
				p.Run(state.query)
			}
			if state.opener == "" {
				p.Eval(top, nil)
			} else {
				for opener := range strings.SplitSeq(state.opener, " then ") {
					p.Focus(opener)
					p.Key("Enter")
				}
			}
			p.Drawn()
			var names []string
			p.Eval(reachable+"("+quote(state.part)+")", &names)
			if len(names) < 4 {
				t.Fatalf("%s has only %q", state.name, names)
			}
			seen, reached, left := make([]bool, len(names)), false, false
			var at struct {
				At    int
				Wrong string
			}
			p.Eval(here, &at)
			if at.At >= 0 { // what opened has taken the focus
				seen[at.At] = true
			}
			for range 2*len(names) + 8 {
				p.Key("Tab")
				p.Eval(here, &at)
				if at.At >= 0 && at.Wrong != "" {
					t.Errorf("%s: %q %s", state.name, names[at.At], at.Wrong)
				}
				if reached && (at.At < 0 || seen[at.At]) {
					left = true
					break
				}
				if at.At >= 0 {
					reached, seen[at.At] = true, true
				}
			}
			if !left {
				t.Errorf("%s: Tab never comes out", state.name)
			}
			for i, ok := range seen {
				if !ok {
					t.Errorf("%s: Tab does not come to %q", state.name, names[i])
				}
			}
			if state.opener != "" { // where it comes out there is nothing in front
				p.Until(`(() => {
					const el = document.activeElement, box = el.getBoundingClientRect();
					const front = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
					return el === document.body || !front?.closest(".menu, .tuning, .settings") || el.closest(".settings");
				})()`, patience)
			}
		}
	})
}

// Escape closes what was opened, and the focus returns to where it was.
func TestEscapeGivesTheFocusBack(t *testing.T) {
	tests := []struct {
		name          string
		width, height int
		opener        string
		inside        string // something in it that can have the focus
	}{
		{"a telephone's settings", 390, 844, ".tools [aria-label=Settings]", ".settings #advanced"},
		{"settings", 1440, 900, "#more-settings", ".settings #advanced"},
		{"the list of algorithms", 1440, 900, "#add-lane", ".menu button"},
		{"a lane's settings", 1440, 900, ".lane [aria-label^='Settings of']", ".tuning input"},
	}
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Run("?t=14")
		for _, tt := range firstStates(3, tests) {
			if tt.width < 500 && t.Name() == "TestEscapeGivesTheFocusBack/firefox" {
				continue // its window is never so narrow
			}
			p.Viewport(tt.width, tt.height)
			p.Drawn()
			p.Focus(tt.opener)
			p.Key("Enter")
			p.Until("document.querySelector("+quote(tt.opener)+").ariaExpanded === 'true' && document.querySelector("+
				quote(tt.inside)+").checkVisibility({ visibilityProperty: true })", patience)
			p.Focus(tt.inside)
			p.Key("Escape")
			p.Until("document.querySelector("+quote(tt.opener)+
				").ariaExpanded === 'false' && document.activeElement === document.querySelector("+quote(tt.opener)+")", patience)
		}
		// The browser's own dialog does as much.
		p.Focus("#step")
		p.Key("?")
		p.Until("document.querySelector('#sheet').open && document.querySelector('#sheet').contains(document.activeElement)", patience)
		p.Key("Escape")
		p.Until("!document.querySelector('#sheet').open && document.activeElement.id === 'step'", patience)
	})
}
