package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// says waits until an element holds a text.
func (p *Page) says(selector, text string) {
	p.t.Helper()
	p.Until("document.querySelector("+quote(selector)+").textContent.includes("+quote(text)+")", patience)
}

// gone waits until no element is left.
func (p *Page) gone(selector string) {
	p.t.Helper()
	p.Until("!document.querySelector("+quote(selector)+")", patience)
}

// The first lesson, from the list to the next one: the question by keyboard, the
// steps by hand and by being shown.
func TestLesson(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		before := p.Run("?dphi=7&algos=clove&t=5")
		p.Focus("#lessons")
		p.Key("Enter")
		p.Until("document.querySelector('#sheet').open", patience)
		for range 20 {
			if p.Text("document.activeElement.dataset.lesson") == "1" {
				break
			}
			p.Key("Tab")
		}
		p.Key("Enter")
		p.says("#lesson-title", "Lesson 1")
		p.Until("document.activeElement.id === 'lesson-title'", patience)
		p.When(complete)
		p.Drawn()
		p.audit("the first lesson")

		for range 20 {
			if p.Text("document.activeElement.dataset.option") == "2" {
				break
			}
			p.Key("Tab")
		}
		p.Key("Enter")
		p.When("s.playing")
		p.says(".watching", "Watch")
		p.Key("End")
		p.says(".answer", "Right: the answer")
		p.gone(".task.done")

		x, y, left, _ := p.thumb(gapSlider)
		p.Mouse(mouseEvent{"move", x, y}, mouseEvent{"press", x, y}, mouseEvent{"move", x - left/2, y},
			mouseEvent{"move", x - left - 15, y}, mouseEvent{"release", x - left - 15, y})
		p.says(".task.done[data-step='0']", "one model is enough")
		p.Click("[data-step='1'] .show")
		p.says(".task.done[data-step='1']", "At 17.5°")
		p.Drawn()
		p.audit("the first lesson, done")

		p.Click("#lesson-next")
		p.says("#lesson-title", "Lesson 2")
		p.When(complete + " && s.query.includes('lesson=2')")
		// Back is the lesson before; on is this one.
		p.Eval("history.back(), 0", nil)
		p.says("#lesson-title", "Lesson 1")
		p.Eval("history.forward(), 0", nil)
		p.says("#lesson-title", "Lesson 2")
		p.When(complete)

		// What was done is remembered, and what a link has nothing to give back for
		// stays.
		p.Run("?lesson=1")
		p.says(".task.done[data-step='1']", "At 17.5°")
		p.Click("#lessons")
		p.says("[data-lesson='1']", "done")
		p.Key("Escape")
		p.Click("#lesson-leave")
		p.gone("#lesson")

		p.Go("?dphi=7&algos=clove&t=5")
		p.Click("#lessons")
		p.says("[data-lesson='3']", "Patience")
		p.Click("[data-lesson='3']")
		p.When(complete + " && s.query.includes('lesson=3')")
		p.Click("#lesson-leave")
		p.When(complete + " && s.query === " + quote(before.Query))
	})
}

// A lesson in a frame, by its number alone.
func TestLessonInFrame(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		for _, size := range [][2]int{{800, 450}, {490, 294}} {
			p.Viewport(size[0], size[1])
			p.ReducedMotion()
			p.Run("?lesson=3&embed=1&motion=none")
			p.says("#lesson-title", "Lesson 3")
			if s := p.State(); !strings.Contains(s.Config, "cflgp:forget") {
				t.Errorf("the lesson runs %s", s.Config)
			}
			if size[0] == 800 { // in the second frame the answer is remembered
				p.Until("(document.querySelector('[data-option=\"1\"]').click(), true)", patience)
			}
			p.says(".answer", "Right: the answer")
			p.Drawn()
		}
	})
}

// The tour by keyboard, from the list of keys.
func TestTour(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?t=14")
		p.gone("#tour")
		p.Key("?")
		p.says("#tour-start", "Tour")
		p.Click("#tour-start")
		p.says("#tour", "1 of ")
		p.Until("document.activeElement.id === 'tour-title' && !document.querySelector('#sheet').open", patience)
		p.Until("getComputedStyle(document.querySelector('#tour-ring')).display === 'block'", patience)
		p.Key("ArrowRight")
		p.says("#tour", "2 of ")
		if s := p.State(); s.Shown != 14 {
			t.Errorf("in the tour's card the arrow goes to round %d", s.Shown)
		}
		p.Focus(gapSlider)
		p.Key("ArrowRight")
		p.says("#tour .hush", "Done.")
		p.Viewport(900, 600)
		framed := `(() => {
			const control = document.querySelector(".side .hero").getBoundingClientRect();
			return Math.abs(document.querySelector("#tour-ring").getBoundingClientRect().top + 4 - control.top) < 2 && control.top;
		})()`
		p.Until("(window.framedAt = "+framed+")", patience)
		var before float64
		p.Eval("framedAt", &before)
		p.Eval(`document.querySelector(".stage").scrollTop += 30`, nil)
		p.Until(fmt.Sprintf("%s <= %v - 20", framed, before), patience) // it goes along
		p.Viewport(1440, 900)
		for n := 3; ; n++ { // each stop has something to frame
			p.Click("#tour-next")
			if p.Text("document.querySelector('#tour') === null") == "true" || n > 20 {
				break
			}
			p.says("#tour", fmt.Sprint(n, " of "))
			p.Until("getComputedStyle(document.querySelector('#tour-ring')).display === 'block' && document.querySelector('#tour-ring').getBoundingClientRect().width > 20", patience)
			if p.Text("document.querySelector('#tour-next').textContent") == "Done" {
				break
			}
		}
		p.Key("Escape")
		p.gone("#tour")
	})
}

// Every method is explained from its lane, with its paper.
func TestExplanations(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?t=14")
		p.Click(".lane.focus [data-explain=cflgp]")
		p.Viewport(390, 844)
		p.says(".explained", "Clustered Federated Learning via Gradient-based Partitioning")
		p.Until("document.querySelector('#sheet').scrollWidth <= document.querySelector('#sheet').clientWidth",
			patience)
		p.Click("#sheet [data-explain=clove]")
		p.says(".explained", "Loss Vector")
	})
}

// Texts of explanations are fetched when their sheet opens; the sheet says when they cannot
// be, and asks again with the next topic. Nothing runs out of the sheet of a phone.
func TestExplanationsFetched(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		var there atomic.Bool
		p.AllowProblem("404")
		p.Serve(changed("/assets/guide.txt", func(a *httptest.ResponseRecorder) {
			if !there.Load() {
				a.Code = http.StatusNotFound
				a.Header().Set("Cache-Control", "no-store")
			}
		}))
		p.Viewport(1440, 900)
		p.Run("?t=14")
		p.Click(".lane.focus [data-explain=cflgp]")
		p.Viewport(390, 844)
		p.says(".explain", "The explanations could not be loaded")
		there.Store(true)
		p.Click("#sheet [data-explain=ifca]")
		p.says(".explained", "Fails when")
		p.Until("document.querySelector('.picture svg').getBoundingClientRect().width > 200", patience)
		p.Until("document.querySelector('.meanings th[scope=row]')", patience)
		p.Until("document.querySelector('#sheet').scrollWidth <= document.querySelector('#sheet').clientWidth",
			patience)
		p.Eval(`[...document.querySelectorAll(".topics button")].find((b) => b.textContent === "Figures").click()`, nil)
		p.says(".explained", "Typical misreading")
	})
}

// Until the question is answered nothing on the page tells the end of the run: neither
// curves, nor the timeline, nor previews along sliders, nor what opens from them. And the
// question is in sight, in the smallest frame too, with all answers and both methods.
func TestLessonKeepsItsAnswer(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		p.ReducedMotion()
		for _, screen := range []struct {
			width, height int
			query         string
		}{{1440, 900, "?lesson=1&scent=1"}, {390, 844, "?lesson=1&scent=1"}, {800, 450, "?lesson=1&scent=1&embed=1"},
			{490, 294, "?lesson=1&scent=1&embed=1"}} {
			what := fmt.Sprintf("%d by %d", screen.width, screen.height)
			p.Viewport(screen.width, screen.height)
			p.Run("?t=0&scent=0") // a page that has a store
			p.Eval("localStorage.clear(), 0", nil)
			p.Run(screen.query)
			p.says("#lesson-question", "How large is the error")
			p.Drawn()
			p.Shot("lesson-" + fmt.Sprint(screen.width, "x", screen.height))
			var told []string
			p.Eval(`[...document.querySelectorAll(".curves canvas, .scrub canvas, .scent, .try, #open-sweep, #pin, .curves .show-data")]
				.filter((e) => e.checkVisibility({ visibilityProperty: true })).map((e) => e.className + e.id)`, &told)
			if len(told) > 0 {
				t.Errorf("%s: before the answer there are %q", what, told)
			}
			if got := p.Text(`(() => {
				const card = document.querySelector(".lesson-text").getBoundingClientRect();
				return [...document.querySelectorAll("#lesson-question, [data-option]")].filter((el) => {
					const box = el.getBoundingClientRect();
					return !(box.top >= card.top - 1 && box.bottom <= Math.min(card.bottom, innerHeight) + 1);
				}).map((el) => el.textContent).join("; ");
			})()`); got != "" {
				t.Errorf("%s: out of sight are %q", what, got)
			}
			if got := p.Text("[...document.querySelectorAll('.lane canvas')].filter((c) => c.checkVisibility()).length"); got != "2" {
				t.Errorf("%s: beside the question there are %s methods", what, got)
			}
			p.audit(what)
		}
	})
}

// The sheet to print has the whole address, also as a QR code, a line for a name, the lanes'
// names, and shows the start, whatever round is on screen.
func TestLessonSheet(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?lesson=1&t=200")
		p.Click("#lesson-skip") // the sheet is behind the answer
		p.says(".answer", "The answer")
		p.Click(".lesson-foot button:last-child")
		p.When("s.sheet")
		p.says(".to-fill", "Name")
		p.Until("document.querySelector('.paper .address a').textContent === location.origin + location.pathname + '?lesson=1'", patience)
		p.Until("[...document.querySelectorAll('.paper-maps h3')].map((e) => e.textContent).join() === 'CFL-GP,FedAvg'",
			patience)
		p.Drawn()
		const picture = "[...document.querySelectorAll('.paper-maps canvas')].map((c) => c.toDataURL()).join()"
		end := p.Text(picture)
		p.Until(`(() => {
			const code = document.getElementById("qr"), size = code.width;
			if (!code.checkVisibility() || size < 29) return false;
			const pixels = code.getContext("2d").getImageData(0, 0, size, size).data;
			let dark = 0;
			for (let i = 0; i < pixels.length; i += 4) dark += pixels[i + 3] > 0 && pixels[i] < 128;
			return dark > size * size / 4 && dark < size * size * 3 / 4;
		})()`, patience)
		p.Shot("lesson-sheet")
		p.Eval("document.querySelector('.sheet').scrollTop = 9999, 0", nil)
		p.Shot("lesson-sheet-end")
		p.Run("?lesson=1&t=0")
		p.Click(".lesson-foot button:last-child")
		p.When("s.sheet")
		p.Drawn()
		p.Until(picture+" === "+quote(end), patience)
	})
}

// The builder shows the whole frame, as small as the dialog wants it.
func TestWholePreview(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		for _, width := range []int{1440, 390} {
			p.Viewport(width, 844)
			p.Run("?t=14")
			p.Click("#take")
			p.When("s.sheet")
			p.Click("[data-how=build]")
			p.Click("#preview")
			p.Until(`(() => {
				const frame = document.querySelector(".preview iframe");
				if (!frame) return false;
				const box = frame.getBoundingClientRect(), place = document.querySelector(".preview").getBoundingClientRect();
				return Math.abs(box.width - place.width) < 4 && box.right <= place.right + 1 && box.bottom <= place.bottom + 1 && Math.abs(box.width / box.height - 800 / 450) < 0.01;
			})()`, patience)
			p.Shot(fmt.Sprint("preview-", width))
		}
	})
}

// In the lesson on updates, students see the pictures that its explanation speaks of, with the correlation that it prints,
// and noise wipes them.
func TestUpdateLesson(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.ReducedMotion()
		p.Run("?lesson=11")
		p.says("#lesson-title", "What an update gives away")
		p.When(complete)
		p.Click("[data-option='1']")
		p.says(".answer", "The correlation is 0.50 in round 10 of this run")
		p.When("s.round === 10")
		p.Key("x")
		p.When("s.phase === 1")
		for n := range 5 { // Update is the last phase
			p.Key(".")
			p.When(fmt.Sprintf("s.phase === %d", n+2))
		}
		p.says(".inside .seen", "client 1. Their correlation with the mean pictures of the classes that it holds is 0.50.")
		p.Until("document.querySelectorAll('.inside .seen img').length === 10", patience)
		p.Shot("lesson-update")
		p.Click("[data-step='0'] .show")
		p.says(".task.done[data-step='0']", "The correlation is now 0.01 in round 10 of this run.")
		p.Shot("lesson-update-noise")
	})
}
