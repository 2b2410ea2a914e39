package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// ids are the lanes of a run, as in the query.
func ids(s state) string {
	var words []string
	for _, lane := range s.Lanes {
		words = append(words, lane.ID)
	}
	return strings.Join(words, ",")
}

// lanesAre is true of the state once these lanes have run and are on screen.
func lanesAre(ids string) string {
	return fmt.Sprintf("%s && s.lanes.map((l) => l.id).join() === %s", complete, quote(ids))
}

// Lanes come, change and go; the others keep their result to the last bit.
func TestLanes(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		before := p.Run("?t=14")
		of := map[string]string{} // fingerprints by lane
		note := func(s state) {
			t.Helper()
			for _, lane := range s.Lanes {
				if old, ok := of[lane.ID]; ok && old != lane.Fingerprint {
					t.Errorf("with the lanes %s, %s comes to %s, before to %s", ids(s), lane.ID, lane.Fingerprint, old)
				}
				of[lane.ID] = lane.Fingerprint
			}
		}
		note(before)
		heads := func() string {
			p.Drawn()
			return p.Text("[...document.querySelectorAll('#told b')].map((b) => b.textContent).join(', ')")
		}

		p.Add("clove")
		p.When(lanesAre("cflgp,ifca,clove"))
		note(p.State())
		p.Add("cflgp")
		p.When(lanesAre("cflgp,ifca,clove,cflgp:b"))
		four := p.State()
		note(four)
		if four.Lanes[0].Fingerprint != four.Lanes[3].Fingerprint || four.Round != 14 {
			t.Errorf("the same algorithm twice gives %s, at round %d; want equal lanes at 14", prints(four), four.Round)
		}
		if got, want := heads(), "CFL-GP, IFCA, CLoVE, CFL-GP · b"; got != want {
			t.Errorf("what is told is of %q, want %q", got, want)
		}
		if got := p.Text("[...document.querySelectorAll('.lane-head .label')].map((l) => l.textContent).join('|')"); got != "|||b" {
			t.Errorf("the labels are %q, want b on the fourth lane", got)
		}
		if got := p.Text("document.querySelector('#add-lane').disabled"); got != "true" {
			t.Error("a fifth lane can be added")
		}
		if got := p.Text("[...document.querySelectorAll('canvas[data-figure=stage]')].map((c) => c.dataset.lane).join()"); got != "0,1,2,3" {
			t.Errorf("there are stages of the lanes %s, want four", got)
		}

		// Another algorithm in the second lane.
		p.Choose("select[data-algorithm='1']", "fedavg")
		p.When(lanesAre("cflgp,fedavg,clove,cflgp:b"))
		note(p.State())
		p.Choose("select[data-algorithm='1']", "clove")
		p.When(lanesAre("cflgp,clove:b,clove,cflgp:b"))
		note(p.State())
		p.Drawn()

		p.Click("button[aria-label='Remove CLoVE']")
		p.When(lanesAre("cflgp,clove:b,cflgp:b"))
		p.Drawn()
		p.Click("button[aria-label='Remove CLoVE · b']")
		p.When(lanesAre("cflgp,cflgp:b"))
		p.Drawn()
		p.Click("button[aria-label='Remove CFL-GP']")
		p.When(lanesAre("cflgp:b"))
		note(p.State())
		if got := heads(); got != "CFL-GP · b" {
			t.Errorf("what is told is of %q, want CFL-GP · b", got)
		}
		if got := p.Text("document.querySelector('button[aria-label^=Remove]').disabled"); got != "true" {
			t.Error("the last lane can be removed")
		}

		// All of it can be taken back, one step at a time.
		for range 7 {
			p.Key("Control+z")
		}
		p.When(lanesAre("cflgp,ifca"))
		if got := p.State(); got.CanUndo || got.Fingerprint != before.Fingerprint || got.Config != before.Config {
			t.Errorf("all undone, the page is at %q and there is more to undo: %v", got.Config, got.CanUndo)
		}
		if got := heads(); got != "CFL-GP, IFCA" {
			t.Errorf("what is told is of %q, want CFL-GP, IFCA", got)
		}
	})
}

// A lane has settings of its own, which show beside its name and in the link.
func TestLaneSettings(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		before := p.Run("?algos=cflgp,cflgp:b&dphi=5&T=60&t=40")
		if before.Lanes[0].Fingerprint != before.Lanes[1].Fingerprint {
			t.Errorf("two equal lanes come to %s", prints(before))
		}
		p.Click("button[aria-label='Settings of CFL-GP · b']")
		p.Until("document.querySelector('.tuning').checkVisibility()", patience)
		p.Choose(".tuning [data-set='cflgp:b.beta']", "1")
		p.When(complete + " && s.runQuery.includes('cflgp:b.beta=1')")
		p.Drawn()
		after := p.State()
		if after.Lanes[0].Fingerprint != before.Lanes[0].Fingerprint ||
			after.Lanes[1].Fingerprint == before.Lanes[1].Fingerprint {
			t.Errorf("with beta=1 in the second lane the run is %s, before %s", prints(after), prints(before))
		}
		label := "document.querySelectorAll('.lane-head .label')[1].textContent"
		if got := p.Text(label); got != "b · beta=1" {
			t.Errorf("the second lane's label is %q, want b · beta=1", got)
		}
		// A slider of the lane's own, too.
		p.Focus(".tuning input[data-slide='cflgp:b.K']")
		p.Key("ArrowRight")
		p.When(complete + " && s.runQuery.includes('cflgp:b.K=4')")
		p.Enter("[id='set-cflgp:b.K']", "99")
		p.Until("document.querySelector('[id=\"set-cflgp:b.K-why\"]').textContent.startsWith('Expected: a whole number from 1 to 64')", patience)

		// As the others again, in one step; which can be taken back.
		p.Click(".tuning > button")
		p.When(complete + " && s.config === " + quote(before.Config))
		p.Drawn()
		if got := p.State(); got.Fingerprint != before.Fingerprint || p.Text(label) != "b" {
			t.Errorf("as the other lane again, the run is %s and the label %q", prints(got), p.Text(label))
		}
		p.Key("Control+z")
		p.When(complete + " && s.runQuery.includes('cflgp:b.beta=1') && s.runQuery.includes('cflgp:b.K=4')")
		p.Key("Control+z")
		p.When(complete + " && s.config === " + quote(after.Config))
		p.Key("Control+z")
		p.When(complete + " && s.config === " + quote(before.Config))
		p.Drawn()
		p.Click("button[aria-label='Settings of CFL-GP · b']")
		p.Until("!document.querySelector('.tuning')", patience)
	})
}

// Looking through the algorithms by the keyboard adds none of them yet; one is
// added when its entry is pressed, and Escape leaves the list without any. Arrows
// open the list and go round in it.
func TestAddLaneByKeys(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		before := p.Run("?t=14")
		const at = "String([...document.querySelectorAll('.menu button')].indexOf(document.activeElement))"
		const n = "document.querySelectorAll('.menu button').length"
		p.Focus("#add-lane")
		for _, tt := range []struct {
			key  string
			want string // which entry has the focus
		}{
			{"ArrowDown", "0"}, {"ArrowDown", "1"}, {"ArrowUp", "0"}, {"ArrowUp", "String(" + n + " - 1)"}, {"ArrowDown", "0"},
			{"End", "String(" + n + " - 1)"}, {"Home", "0"},
		} {
			p.Key(tt.key)
			if got, want := p.Text(at), p.Text("String("+tt.want+")"); got != want {
				t.Errorf("%s in the list leads to entry %s, want %s", tt.key, got, want)
			}
		}
		p.Drawn()
		if got := p.State(); got.Config != before.Config || got.Round != 14 {
			t.Errorf("arrows in the list made it %q in round %d", got.Config, got.Round)
		}
		p.Key("Escape")
		p.Until("!document.querySelector('.menu') && document.activeElement.id === 'add-lane'", patience)
		p.Key("ArrowUp") // the list opens at its end
		if got, want := p.Text(at), p.Text("String("+n+" - 1)"); got != want {
			t.Errorf("up on the button leads to entry %s, want %s", got, want)
		}
		p.Key("Escape")
		p.Until("!document.querySelector('.menu')", patience)
		p.Key("Enter")
		p.Until("document.querySelector('.menu')", patience)
		p.Key("Tab")
		p.Key("Tab")
		p.Key("Escape")
		p.Until("!document.querySelector('.menu')", patience)
		if got := p.State(); got.Config != before.Config {
			t.Errorf("looking through the list made it %q", got.Config)
		}
		p.Focus("#add-lane")
		p.Key("Enter")
		p.Until("document.querySelector('.menu')", patience)
		p.Key("ArrowDown")
		for range 100 {
			if p.Text("document.activeElement.dataset.add") == "clove" {
				break
			}
			p.Key("ArrowDown")
		}
		p.Key("Enter")
		p.When(lanesAre("cflgp,ifca,clove"))
	})
}

// A pointer on the curves reads the round under it, and the lane next to it stands out;
// with the keyboard the arrows go from lane to lane. Every lane shows its line beside its
// title.
func TestReadCurves(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?dphi=20&t=14&curve=ari&scent=0")
		lines := p.Text(`[...document.querySelectorAll(".lane-head .sample path")].map((el) => el.getAttribute("stroke-dasharray")).join("; ")`)
		if lines != "none; 6 3" {
			t.Errorf("the lanes show the lines %q", lines)
		}
		p.When("!s.reading.on")
		at := p.Box(`canvas[data-figure="curves"]`)
		p.Mouse(mouseEvent{"move", at.X + 0.5*at.Width, at.Y + 12}) // where the ARI is 1
		p.When("s.reading.on && s.reading.round > 50 && s.reading.round < 150 && s.reading.lane === 0")
		p.Drawn()
		p.Shot("curves-read")
		p.Mouse(mouseEvent{"move", at.X + 0.5*at.Width, at.Y - 120})
		p.When("!s.reading.on")

		p.Eval(`document.querySelector('canvas[data-figure="curves"]').focus()`, nil)
		p.When("s.reading.on && s.reading.round < 0 && s.reading.lane < 0")
		says := func(key, words string) {
			t.Helper()
			p.Key(key)
			p.Until(fmt.Sprintf(`document.querySelector('canvas[data-figure="curves"]').getAttribute("aria-label").includes(%q)`, words), patience)
		}
		says("ArrowDown", "at round 14: CFL-GP")
		says("ArrowDown", "at round 14: IFCA")
		says("ArrowDown", "at round 14: CFL-GP 1.00 and IFCA")
		says("ArrowUp", "at round 14: IFCA")
		p.Eval(`document.activeElement.blur()`, nil)
		p.When("!s.reading.on")
	})
}

// The heat maps of all lanes have the same colours; a button gives each its own, as
// the link says.
func TestOwnScale(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?dphi=20&t=14&view=losses&scent=0")
		p.Click(`.lane[data-lane="1"] .own-scale`)
		p.When(`s.query.includes("heat=own")`)
		if got := p.Text(`[...document.querySelectorAll(".own-scale")].map((el) => el.getAttribute("aria-pressed")).join()`); got != "true,true" {
			t.Errorf("the buttons are pressed: %s", got)
		}
		p.Click(`.lane[data-lane="0"] .own-scale`)
		p.When(`!s.query.includes("heat=own")`)
	})
}

// The list of algorithms is searched by the keyboard: it opens with the focus in its search
// box, typing narrows it, arrows lead to what is left and a letter back, Enter adds the first,
// and an empty list says so.
func TestSearchLanes(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		before := p.Run("?t=14")
		const searching = "document.activeElement.matches('.menu input')"
		const left = "[...document.querySelectorAll('.menu button')].map((b) => b.dataset.add).join()"
		p.Focus("#add-lane")
		p.Key("Enter")
		p.Until(searching, patience)
		p.Type("losses vector")
		p.Until(left+" === 'clove'", patience)
		p.Key("ArrowDown")
		p.Until("document.activeElement.dataset.add === 'clove'", patience)
		p.Type("x") // the keyboard goes back to the box
		p.Until(searching+" && document.activeElement.value === 'losses vectorx' && "+left+" === ''", patience)
		p.says(".menu", "No method has all of these words")
		p.Key("ArrowDown")
		p.Key("Enter") // there is nothing to add
		p.Key("Escape")
		p.Until("!document.querySelector('.menu') && document.activeElement.id === 'add-lane'", patience)
		if got := p.State(); got.Config != before.Config {
			t.Errorf("searching in vain made it %q", got.Config)
		}
		p.Key("Enter")
		p.Until(searching+" && document.activeElement.value === ''", patience)
		p.Type("personal prototype")
		p.Until(left+" === 'fedproto'", patience)
		p.Key("Enter")
		p.When(lanesAre("cflgp,ifca,fedproto"))
	})
}
