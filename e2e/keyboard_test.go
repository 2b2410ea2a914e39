package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// focused describes the element that has the focus, as short as tells it from
// others.
const focused = `(() => {
	const el = document.activeElement;
	if (!el || el === document.body || el === document.documentElement) return "";
	const data = el.dataset, lane = data.lane ? " " + data.lane : "";
	if (data.figure) return data.figure + (data.figure === "data" ? "" : lane);
	const row = el.closest(".views");
	if (row) return "tab " + (data.below ?? el.textContent) + " " + el.closest(".lane").dataset.lane;
	if (data.slide) return "slide " + data.slide;
	if (data.algorithm) return "algorithm " + data.algorithm;
	return el.id || el.getAttribute("aria-label") || el.textContent.trim();
})()`

// Tab reaches everything in the order in which it is read, shows where it is,
// and comes out at the end.
func TestTabOrder(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?t=14")
		p.Drawn()
		var seen []string
		for range 120 {
			p.Key("Tab")
			var now struct {
				At   string
				Seen bool
			}
			p.Eval(`(() => {
				const el = document.activeElement, box = (el.closest(".pick") ?? el).getBoundingClientRect();
				const ring = getComputedStyle(el.closest(".pick") ?? el);
				return { at: `+focused+`, seen: box.width > 8 && box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight &&
					ring.outlineStyle !== "none" && parseFloat(ring.outlineWidth) >= 2 };
			})()`, &now)
			if now.At == "" || slices.Contains(seen, now.At) {
				break
			}
			seen = append(seen, now.At)
			if !now.Seen {
				t.Errorf("%q has the focus, but is out of sight or does not show it", now.At)
			}
		}
		want := []string{"lecture", "lessons", "copy-link", "take", "Theme: system", "help",
			"data-of", "data", "heroset-dphi", "slide dphi", "heroset-b", "slide b", "heroset-C", "slide C", "more-settings",
			"watch", "1Broadcast", "2Probe", "3Embed", "4Cluster", "5Match", "6Update", "exact",
			"algorithm 0", "Settings of CFL-GP", "Remove CFL-GP", "stage 0", "tab losses 0", "tab models 0", "tab Table 0",
			"algorithm 1", "Settings of IFCA", "Remove IFCA", "stage 1", "tab losses 1", "tab Table 1",
			"rewind", "back", "play", "step", "scrub", "speed", "ARI", "misplaced", "loss", "cost", "add-lane", "curves"}
		rest := seen
		for _, name := range want {
			i := slices.Index(rest, name)
			if i < 0 {
				t.Errorf("Tab does not come to %q after what is before it; it comes to %q", name, seen)
				break
			}
			rest = rest[i+1:]
		}
		// And back again, from some place in the middle.
		p.Focus("#speed")
		p.Key("Shift+Tab")
		if got := p.Text(focused); got != "scrub" {
			t.Errorf("a step back from the speed is %q, want the scrubber", got)
		}
	})
}

// Keys move through the rounds wherever no control needs them.
func TestTransportKeys(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Run("?t=14")
		p.Key("Space")
		p.When("s.playing && s.shown > 14")
		p.Key("Space")
		p.When("!s.playing")
		p.Key("Home")
		p.When("s.shown === 0")
		for _, tt := range []struct {
			key  string
			want int
		}{
			{"ArrowRight", 1}, {"ArrowRight", 2}, {"ArrowLeft", 1}, {"Shift+ArrowRight", 11}, {"Shift+ArrowLeft", 1},
			{"ArrowLeft", 0}, {"ArrowLeft", 0}, {"End", 200}, {"ArrowRight", 200}, {"ArrowLeft", 199}, {"r", 0},
		} {
			p.Key(tt.key)
			p.When(fmt.Sprintf("s.shown === %d && !s.playing", tt.want))
		}
		p.Key("l")
		p.When("s.lane === 1")
		p.Key("l")
		p.When("s.lane === 0")

		// On a button Space presses the button, once.
		p.Focus("#play")
		p.Key("Space")
		p.When("s.playing && s.shown > 0")
		p.Key("Space")
		p.When("!s.playing")

		// At the end, play starts over.
		p.Key("End")
		p.When("s.shown === 200")
		p.Key("k")
		p.When("s.playing && s.shown < 200")
		p.Key("k")
		p.When("!s.playing")

		before := p.State()
		p.Key("Shift+R")
		p.When(complete + " && s.config !== " + quote(before.Config))
		p.Key("Control+z")
		p.When(complete + " && s.config === " + quote(before.Config))
	})
}

// Settings by the keyboard: sliders by arrows, boxes by typing. A refused text
// says why, beside the box, and changes nothing else.
func TestSettingKeys(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		before := p.Run("?t=14")

		p.Focus(gapSlider)
		p.Key("ArrowRight")
		p.When(complete + " && s.config.includes('dphi=20.5')")
		p.Key("ArrowLeft")
		p.Key("ArrowLeft")
		p.When(complete + " && s.config.includes('dphi=19.5')")
		p.Key("End")
		p.When(complete + " && s.config.includes('dphi=45')")
		if got := p.State(); got.Round != 14 || p.Text(focused) != "slide dphi" {
			t.Errorf("keys on the slider went elsewhere: round %d, focus on %q", got.Round, p.Text(focused))
		}
		// The slider of b moves by ratios: from 10 to the next number that
		// a person would type.
		p.Focus(".hero input[data-slide=b]")
		p.Key("ArrowRight")
		p.When(complete + " && s.config.includes('b=12')")
		p.Key("ArrowRight")
		p.When(complete + " && s.config.includes('b=15')")

		// Back to the start, in as many steps as the keys came to, and forth: those that
		// came one upon the other are one.
		for range 6 {
			p.Key("Control+z")
		}
		p.When(complete + " && s.config === " + quote(before.Config))
		if got := p.State(); got.CanUndo || got.Fingerprint != before.Fingerprint {
			t.Errorf("all undone, the page is at %s and there is more to undo: %v", got.Fingerprint, got.CanUndo)
		}
		p.Key("Control+Shift+Z")
		p.When(complete + " && s.config !== " + quote(before.Config))
		p.Key("Control+z")
		p.When(complete + " && s.config === " + quote(before.Config))
		p.OpenSettings()
		p.Drawn() // a box that is written anew forgets what was selected in it

		for _, tt := range []struct{ box, text, why string }{
			{"dphi", "900", "Expected: a number from 0 to 80."},
			{"dphi", "", "Expected: a number from 0 to 80."},
			{"K", "2.5", "Expected: a whole number from 1 to 64 (nearest is 3)."},
			{"K", "13", "Expected: at most C = 12 (more models than clients)."},
		} {
			p.Enter("#set-"+tt.box, tt.text+map[bool]string{true: " "}[tt.text == ""])
			p.Until(fmt.Sprintf("document.querySelector('#set-%s-why').textContent === %s", tt.box, quote(tt.why)),
				patience)
			got := p.State()
			if !got.Done || got.Config != before.Config || got.Fingerprint != before.Fingerprint || got.CanUndo {
				t.Errorf("%s=%s changed the page to %q", tt.box, tt.text, got.Config)
			}
			if shown := strings.TrimSpace(p.Text("document.querySelector('#set-" + tt.box +
				"').value")); shown != tt.text {
				t.Errorf("the refused text %q has become %q", tt.text, shown)
			}
			if p.Text("document.querySelector('#set-"+tt.box+"').getAttribute('aria-invalid')") != "true" ||
				p.Text("document.getElementById(document.querySelector('#set-"+tt.box+
					"').getAttribute('aria-describedby')).checkVisibility()") != "true" {
				t.Errorf("%s=%s: the box is not marked, or its reason not shown", tt.box, tt.text)
			}
		}
		p.Enter("#set-dphi", "30")
		p.When(complete + " && s.config.includes('dphi=30')")
		p.Until("document.querySelector('#set-dphi-why').textContent === ''", patience)
	})
}

// What is being typed stays while the page goes on around it.
func TestTypingWhilePlaying(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?T=1000&t=1&speed=2")
		p.Click("#play")
		p.When("s.playing")
		p.Select("#heroset-dphi")
		p.Key("3")
		round := p.Text("document.getElementById('round').textContent")
		p.Until("document.getElementById('round').textContent !== "+quote(round), patience)
		p.Key("5")
		p.Key("Enter")
		p.When("s.runQuery.includes('dphi=35') || !s.playing")
		if got := p.State(); !strings.Contains(got.Config, "dphi=35") {
			t.Errorf("typed 35 while the run played, got %q; the box says %q", got.Config,
				p.Text("document.querySelector('#heroset-dphi').value"))
		}
	})
}

// A box that was typed in and left as it was follows the settings again.
func TestTypingBack(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?t=1")
		p.OpenSettings()
		p.Select("#set-K")
		p.Type("43")
		p.Key("Backspace")
		p.Key("Backspace")
		p.Key("3")
		p.Key("Tab")
		p.Choose("#set-data", "mix1d")
		p.When(complete + " && s.config.startsWith('data=mix1d')")
		p.Drawn()
		if got := p.Text("document.querySelector('#set-K').value"); got != "2" {
			t.Errorf("two slopes have K = 2, but the box still says %q", got)
		}
	})
}

// Arrows walk over the clients of a figure; what is known of each is text.
func TestWalkOverClients(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?t=14&view=losses")
		card := "document.getElementById('client').innerText"
		for _, figure := range []string{"stage", "losses", "data"} {
			p.Focus("canvas[data-figure=" + figure + "]")
			p.Key("ArrowRight")
			p.When("s.hover === 0")
			p.Key("ArrowRight")
			p.When("s.hover === 1")
			p.Until(card+".startsWith('Client 2, group 1')", patience)
			p.Key("ArrowLeft")
			p.Key("ArrowLeft")
			p.When("s.hover === 11")
			p.Key("ArrowDown")
			p.Key("ArrowDown")
			p.Key("ArrowDown")
			p.Key("ArrowDown")
			p.Key("ArrowDown")
			p.When("s.hover === 4 && s.shown === 14")
			p.Until(card+".startsWith('Client 5, group 2 (square)')", patience)
			text := p.Text(card)
			for _, want := range []string{"CFL-GP: model B since round", "IFCA: model ", "losses A 0.", ", B 0.",
				", C 0."} {
				if !strings.Contains(text, want) {
					t.Errorf("%s: the card says %q, want %q in it", figure, text, want)
				}
			}
			p.Key("Enter")
			p.When("s.selected === 4")
			p.Key("Escape")
			p.When("s.hover === -1")
			if got := p.Text(focused); got != "" {
				t.Errorf("%s: Escape leaves the focus on %q", figure, got)
			}
			p.Until(card+".startsWith('Client 5')", patience)
			p.Key("Escape")
			p.When("s.selected === -1")
			p.Until(card+".trim() === ''", patience)
		}
		// On a focused figure Space still plays.
		p.Focus("canvas[data-figure=stage]")
		p.Key("Space")
		p.When("s.playing")
		p.Key("Space")
		p.When("!s.playing")
		// To a screen reader the map is a sentence.
		p.Until("/^Stage, round [0-9]+, CFL-GP: .*[.]$/.test(document.querySelector('canvas[data-figure=stage]').getAttribute('aria-label'))", patience)
	})
}

// What goes with the focus in it leaves the focus nearby.
func TestFocusStaysNearby(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?t=14&dphi=900")
		p.Focus(".notices button")
		p.Key("Enter")
		p.Until("!document.querySelector('.notice') && document.activeElement.id === 'play'", patience)
		for _, lane := range []string{"IFCA", "CFL-GP"} { // the first is the only one in the end
			p.Go("?t=14")
			p.Focus("button[aria-label='Remove " + lane + "']")
			p.Key("Enter")
			p.Until("!document.querySelector(\"button[aria-label='Remove "+lane+
				"']\") && document.activeElement.id === 'play'", patience)
		}
	})
}

// A link that is there for those who work with keys leads past what comes early on the page:
// the first control of the curves is a few steps away, and the address stays as it is.
func TestSkipLinks(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?t=14")
		query := p.Text("location.href")
		p.Key("Tab")
		p.Key("Tab")
		p.Until("document.activeElement.textContent === 'Skip to the curves' && document.activeElement.getBoundingClientRect().width > 60", patience)
		p.Key("Enter")
		p.Until("document.activeElement.id === 'curves'", patience)
		p.Key("Tab")
		if got := p.Text("document.activeElement.dataset.metric"); got != "ARI" {
			t.Errorf("behind the link to the curves is %s", p.Text(focused))
		}
		if got := p.Text("location.href"); got != query {
			t.Errorf("the link changes the address from %s to %s", query, got)
		}
	})
}

// What happened in a round is told in a live region when the run is stepped and paused, and
// at its end; not while it plays.
func TestStoryIsTold(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?t=11&T=20")
		story := "[...document.querySelectorAll('.verdict b')].length === 2 && [...document.querySelectorAll('.verdict b')].every((e) => document.querySelector('#told[role=status]').textContent.includes(e.textContent))"
		p.Focus("#step")
		p.Key("Enter")
		p.says("#told", "Round 12")
		p.Until(story, patience)
		p.Key("Space") // on the button: one more step
		p.says("#told", "Round 13")
		p.Click("#play")
		p.Until("document.querySelector('#told').textContent.trim() === ''", patience)
		p.When("!s.playing && s.shown === 20")
		p.says("#told", "Round 20")
		p.Until(story, patience)
	})
}
