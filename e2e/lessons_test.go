package e2e

import (
	"fmt"
	"strings"
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
		p.says(".watch", "Watch")
		p.Key("End")
		p.says(".answer", "Right: the answer")
		p.gone(".step.done")

		x, y, left, _ := p.thumb(gapSlider)
		p.Mouse(mouseEvent{"move", x, y}, mouseEvent{"press", x, y}, mouseEvent{"move", x - left/2, y}, mouseEvent{"move", x - left - 15, y}, mouseEvent{"release", x - left - 15, y})
		p.says(".step.done[data-step='0']", "nothing to tell apart")
		p.Click("[data-step='1'] .show")
		p.says(".step.done[data-step='1']", "At 17.5°")
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
		p.says(".step.done[data-step='1']", "At 17.5°")
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
		p.Focus("#step")
		p.Key("Enter")
		p.says("#tour .hush", "Done.")
		p.Click("#tour-next")
		p.says("#tour", "3 of ")
		p.Viewport(900, 600)
		framed := `(() => {
			const control = document.querySelector(".settings [data-slide]").getBoundingClientRect();
			return Math.abs(document.querySelector("#tour-ring").getBoundingClientRect().top + 4 - control.top) < 2 && control.top;
		})()`
		p.Until(framed, patience)
		var before float64
		p.Eval(framed, &before)
		p.Eval(`document.querySelector(".settings").scrollTop += 30`, nil)
		p.Until(fmt.Sprintf("%s <= %v - 20", framed, before), patience) // it goes along
		p.Key("Escape")
		p.gone("#tour")
	})
}

// Every method is explained from its lane, with its paper.
func TestExplanations(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(390, 844)
		p.Run("?t=14")
		p.Click(".lane.focus [data-explain=cflgp]")
		p.says(".about", "Clustered Federated Learning via Gradient-based Partitioning")
		p.Until("document.querySelector('#sheet').scrollWidth <= document.querySelector('#sheet').clientWidth", patience)
		p.Click("#sheet [data-explain=clove]")
		p.says(".about", "Loss Vector")
	})
}
