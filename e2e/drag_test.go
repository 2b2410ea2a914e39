package e2e

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
)

// scores are the verdicts of all lanes.
func scores(s state) string {
	var words []string
	for _, lane := range s.Lanes {
		words = append(words, lane.ID+" "+lane.Score)
	}
	return strings.Join(words, ", ")
}

// prints are the fingerprints of all lanes.
func prints(s state) string {
	var words []string
	for _, lane := range s.Lanes {
		words = append(words, lane.ID+" "+lane.Fingerprint)
	}
	if f := strings.ToUpper(s.Fingerprint); f != "" {
		words = append(words, "result "+f[:4]+"-"+f[4:8]) // as the page writes it
	}
	return strings.Join(words, ", ")
}

// thumb returns where the thumb of a slider is, and how far it can go to
// either side.
func (p *Page) thumb(selector string) (x, y, left, right float64) {
	p.t.Helper()
	var at [4]float64
	p.Eval(fmt.Sprintf(`(() => {
		const el = document.querySelector(%s), box = el.getBoundingClientRect(), half = 9;
		const part = (el.value - el.min) / (el.max - el.min);
		const from = box.left + half, to = box.right - half;
		return [from + part * (to - from), box.top + box.height / 2, part * (to - from), (1 - part) * (to - from)];
	})()`, quote(selector)), &at)
	return at[0], at[1], at[2], at[3]
}

const gapSlider = ".hero input[data-slide=dphi]"

// A slider moves the run while it moves, keeps the round that is looked at,
// and is one step of undo; the link brings everything back.
func TestDragSlider(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		before := p.Run("?t=14")
		x, y, left, _ := p.thumb(gapSlider)

		p.Mouse(mouseEvent{"move", x, y}, mouseEvent{"press", x, y}, mouseEvent{"move", x - left/4, y},
			mouseEvent{"move", x - left/3, y})
		p.When(complete + " && s.config !== " + quote(before.Config))
		under := p.State()
		if scores(under) == scores(before) {
			t.Errorf("with the slider on its way the lanes still say %q", scores(under))
		}
		p.Mouse(mouseEvent{"move", x - left/2, y}, mouseEvent{"move", x - 0.6*left, y},
			mouseEvent{"release", x - 0.6*left, y})
		p.When(complete + " && s.config !== " + quote(under.Config))
		after := p.State()
		if !strings.Contains(after.RunQuery, "dphi=") || prints(after) == prints(before) ||
			scores(after) == scores(before) {
			t.Errorf("after the drag the run is %q with %q, before it was %q", after.RunQuery, scores(after),
				scores(before))
		}
		if after.Round != 14 || after.Shown != 14 || after.Playing {
			t.Errorf("after the drag round %d is looked at and %d shown, want 14", after.Round, after.Shown)
		}
		p.Until(fmt.Sprintf("document.querySelector('#heroset-dphi').value === new URLSearchParams(%s).get('dphi')",
			quote(after.RunQuery)), patience)

		p.Key("Control+z")
		p.When(complete + " && s.config === " + quote(before.Config))
		if got := p.State(); prints(got) != prints(before) || got.CanUndo {
			t.Errorf("undone once, the lanes are %q and there is more to undo: %v, want %q and false", prints(got),
				got.CanUndo, prints(before))
		}
		p.Key("Control+Shift+z")
		p.When(complete + " && s.config === " + quote(after.Config))

		p.Click("#copy-link")
		p.When("s.copied || s.link")
		link := p.State().Link
		if link == "" {
			link = p.Text("location.href")
		}
		p.Open(link)
		p.When(complete)
		again := p.State()
		if again.Fingerprint != after.Fingerprint || prints(again) != prints(after) || again.Round != after.Round ||
			again.Query != after.Query {
			t.Errorf("the link %s brings round %d of %s (%s), want round %d of %s (%s)",
				link, again.Round, again.Fingerprint, again.Query, after.Round, after.Fingerprint, after.Query)
		}
	})
}

// The ring in the data figure drags the same setting.
func TestDragRing(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		before := p.Run("?t=14")
		p.Drawn()
		canvas := p.Box("canvas[data-figure=data]")
		// The ring stands on the first true line, one long, in a plane of
		// 0 to 1 by ±0.85 with margins of 10 px, 22 px on the right.
		at := func(degrees float64) (x, y float64) {
			sin, cos := math.Sincos(degrees * math.Pi / 180)
			return canvas.X + 10 + (canvas.Width-32)*cos, canvas.Y + 10 + (canvas.Height-20)*(0.85-sin)/1.7
		}
		x, y := at(20)
		p.Mouse(mouseEvent{"move", x, y})
		p.Until("document.querySelector('canvas[data-figure=data]').style.cursor === 'grab'", patience)
		toX, toY := at(12)
		p.Drag(x, y, toX, toY)
		p.When(complete + " && s.config !== " + quote(before.Config))
		p.When(complete)
		after := p.State()
		_, text, _ := strings.Cut(after.Config, "dphi=")
		text, _, _ = strings.Cut(text, "&")
		if gap, err := strconv.ParseFloat(text, 64); err != nil || math.Abs(gap-12) > 1 {
			t.Errorf("dragged to 12°, the settings are %q", after.Config)
		}
		if prints(after) == prints(before) || after.Round != 14 {
			t.Errorf("dragged, the page shows round %d of %q, before round 14 of %q", after.Round, prints(after),
				prints(before))
		}
		p.Key("Control+z")
		p.When(complete + " && s.config === " + quote(before.Config))
		if got := p.State(); got.CanUndo || got.Fingerprint != before.Fingerprint {
			t.Errorf("one undo leaves %+v", got)
		}
	})
}
