package e2e

import (
	"fmt"
	"strings"
	"testing"

	"flockscope/sim/registry"
)

// opening is a link to a round in which one method has found the groups, another has not, and clients are clustered.
const opening = "?dphi=8&t=26"

// sentences are what the methods on screen do in a phase, in their order.
const sentences = "[...document.querySelectorAll('.lane .says')].map((e) => e.textContent)"

// As the page opens, each phase answers to a click, with words of every method and numbers of a client; a second click
// ends it. None of them is skipped by the first method.
func TestStagePhases(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.ReducedMotion()
		p.Open("/")
		p.When(complete + " && !s.playing && s.shown > 20")
		p.Drawn()
		seen := map[string]bool{}
		for phase := range registry.Phases {
			button := fmt.Sprintf(".step[data-phase=%s]", phase.Name())
			p.Click(button)
			p.When(fmt.Sprintf("s.phase === %d && s.phases.length > 0", int(phase)+1))
			p.Until("document.querySelector('#headline').textContent.startsWith("+quote(phase.Name()+". ")+")", patience)
			p.Drawn()
			var says []string
			p.Eval(sentences, &says)
			if len(says) != 2 || says[0] == "" || says[1] == "" || says[0] == says[1] || seen[says[0]] {
				t.Errorf("%s: the methods say %q", phase.Name(), says)
				continue
			}
			seen[says[0]] = true
			if got := p.Text("document.querySelector('.lane .told').className"); strings.Contains(got, "skipped") {
				t.Errorf("%s is skipped as the page opens: %q", phase.Name(), says[0])
			}
			p.Until(`[...document.querySelectorAll(".lane .told:not(.skipped)")].every((e) => /client \d/.test(e.querySelector(".follows").textContent))`, patience)
			if phase != registry.Embed && phase != registry.Match { // whose numbers are in the figure
				p.Until(`/[0-9A-D]/.test(document.querySelector(".follows > span:last-child").textContent)`, patience)
			}
			p.Click(button)
			p.When("s.phase === 0")
		}
		p.gone(".says")
	})
}

// Watched, a round goes through its phases by itself and rests at its end.
func TestWatchRound(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run(opening + "&speed=4&scent=0")
		p.Eval(`window.passed = [], new MutationObserver(() => {
			const name = document.querySelector(".step.on")?.dataset.phase;
			if (name && passed.at(-1) !== name) passed.push(name);
		}).observe(document.querySelector(".steps"), { subtree: true, attributes: true }), 0`, nil)
		p.Click("#watch")
		p.Until("document.querySelector('#watch').textContent.trim() === 'Stop'", patience)
		p.When("s.phase === 0 && s.shown === 26")
		p.Until("passed.join() === 'Broadcast,Probe,Embed,Cluster,Match,Update'", patience)
	})
}

// The end of each phase is one picture, whether it was reached with motion or without, and each phase has another.
func TestStillPhases(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		var moved [registry.Phases][2]string
		for _, still := range []bool{false, true} {
			if still {
				p.ReducedMotion()
			}
			p.Run(opening + "&scent=0&speed=4")
			for phase := range registry.Phases {
				p.Key(fmt.Sprint(int(phase) + 1))
				p.When(fmt.Sprintf("s.phase === %d && s.phases.length > 0", int(phase)+1))
				for range 20 { // until the motion has ended
					p.Text(drawnFrames)
					p.Until(waitFrames, patience)
					if p.Text(drawnFrames) == "0" {
						break
					}
				}
				now := [2]string{p.drawing("0"), p.drawing("1")}
				switch {
				case still && now != moved[phase]:
					t.Errorf("%s ends in another picture with reduced motion", phase.Name())
				case phase > 0 && now[0] == moved[phase-1][0]:
					t.Errorf("%s ends in the picture of the phase before", phase.Name())
				}
				moved[phase] = now
			}
		}
	})
}

// verdicts are the outcomes that stand above the stages.
const verdicts = "[...document.querySelectorAll('.lane .verdict b')].map((e) => e.textContent).join(' | ')"

// A larger gap turns a verdict, and none turns all, on the same page. With one distribution no client is misplaced, and
// there is no ARI.
func TestVerdictTurns(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run(opening + "&scent=0")
		p.Eval("void (window.same = true)", nil)
		before := p.Text(verdicts)
		if right, wrong, _ := strings.Cut(before, " | "); !strings.HasPrefix(right, "All 12 right") || !strings.Contains(wrong, "misplaced") {
			t.Errorf("at 8° the verdicts are %q", before)
		}
		if got := p.Text("document.querySelector('#headline b').textContent"); !strings.Contains(got, "CFL-GP has found the three groups") {
			t.Errorf("at 8° the headline is %q", got)
		}
		hollow := p.Text("document.querySelector('.lane:last-child canvas').getAttribute('aria-label')")
		if !strings.Contains(hollow, "misplaced") || strings.Contains(hollow, "none misplaced") {
			t.Errorf("at 8° the stage of IFCA says %q", hollow)
		}
		p.Enter("#heroset-dphi", "40")
		p.When(complete + " && s.config.includes('dphi=40') && s.shown === 26")
		p.Until(verdicts+".split(' | ').every((text) => text.startsWith('All 12 right'))", patience)
		p.Enter("#heroset-dphi", "0")
		p.When(complete + " && s.config.includes('dphi=0') && s.shown === 26")
		p.Until(verdicts+" === 'Nothing to tell apart | Nothing to tell apart'", patience)
		var told []string
		p.Eval(`[...document.querySelectorAll(".lane :is(.score, .told), .lane canvas, #told, #headline")].map((e) => e.innerText + " " + (e.ariaLabel ?? "")).filter((text) => /ARI|wrong|[1-9]\d* misplaced|misplaced [1-9]/.test(text))`, &told)
		if len(told) > 0 {
			t.Errorf("with one distribution the page says %q", told)
		}
		if got := p.Text("document.querySelectorAll('.follows .sign svg > :not(.solid)').length"); got != "0" {
			t.Error("with one distribution the mark of the followed client is hollow")
		}
		if got := p.Text("window.same"); got != "true" {
			t.Error("the page was loaded anew")
		}
	})
}

// tooLow lists the texts in sight with letters under 22 px.
const tooLow = `[...document.querySelectorAll("#flockscope *")].filter((el) => {
	const box = el.getBoundingClientRect();
	return [...el.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) && !el.closest(".hush, option") &&
		el.checkVisibility({ visibilityProperty: true }) && box.width > 2 && box.bottom > 0 && box.top < innerHeight && parseFloat(getComputedStyle(el).fontSize) < 22;
}).map((el) => el.className + " " + el.textContent.slice(0, 30) + " " + getComputedStyle(el).fontSize)`

// A lecture goes from the question to the verdicts by eight presses, the first of which opens it, and back; a black screen,
// a jump and the way out have keys. Nothing is written small.
func TestLecture(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.ReducedMotion()
		p.Run(opening)
		stop := func(n int) {
			t.Helper()
			p.Until(fmt.Sprintf("document.querySelector('#flockscope.lecture.stop-%d') && document.querySelectorAll('.stop.past').length === %d", n, n), patience)
			p.Drawn()
		}
		p.Key("Shift+L")
		for n := range 8 {
			if n > 0 {
				p.Key("Space")
			}
			stop(n)
			p.audit(fmt.Sprintf("stop %d of the lecture", n))
			var small []string
			if p.Eval(tooLow, &small); len(small) > 0 {
				t.Errorf("stop %d of the lecture is written small: %q", n, small)
			}
			switch says := p.Text(sentences + ".filter((text) => text).length"); {
			case n > 0 && n < 7 && says != "2", (n == 0 || n == 7) && says != "0":
				t.Errorf("at stop %d, %s methods say what they do", n, says)
			}
			p.Shot(fmt.Sprint("lecture-", n))
		}
		if got := p.Text("[...document.querySelectorAll('.verdict')].map((e) => getComputedStyle(e).fontSize + e.checkVisibility()).join()"); got != "44px"+"true,44px"+"true" {
			t.Errorf("at the end the verdicts are %s", got)
		}
		const black = "getComputedStyle(document.querySelector('#flockscope'), '::after').backgroundColor === 'rgb(0, 0, 0)'"
		p.Key("Space")
		stop(7)
		p.Key("ArrowLeft")
		stop(6)
		p.Key("b")
		p.Until(black, patience)
		p.Key("b")
		p.Until("!("+black+")", patience)
		p.Key("PageUp")
		stop(5)
		p.Key("Home")
		stop(0)
		p.Key("Escape")
		p.Until("!document.querySelector('.lecture') && document.querySelector('.side').checkVisibility()", patience)
		p.When("s.shown === 26 && s.phase === 0 && !s.query.includes('lecture')")

		p.Run(opening + "&lecture=1&embed=1")
		stop(0)
		p.Click("#next-stop")
		stop(1)
		p.Click("#leave-lecture")
		p.gone(".lecture-head")

		p.Run("?data=digits&n=360&C=12&shift=rotations&angles=0,90,180&net=softmax&T=20&liars=2&algos=cflgp,clove&t=20&lecture=1")
		stop(0)
		p.audit("a lecture about liars")
	})
}

// cut lists what is wrong with the room for the methods: a sentence that is cut, a stage that is low, a verdict out of sight.
const cut = `(() => {
	const out = [];
	const seen = (el) => el.checkVisibility({ visibilityProperty: true }) && el.getBoundingClientRect().width > 2;
	for (const el of document.querySelectorAll("#headline, .lead, .verdict, .cause, .says, .reading, .step, .lane-head .title, .option")) {
		if (seen(el) && !el.closest(".embed-foot") && (el.scrollWidth > el.clientWidth + 1 || el.scrollHeight > el.clientHeight + 3)) {
			out.push("cut: " + el.className + " " + el.textContent.trim().slice(0, 50) + ", " + el.scrollWidth + " by " + el.scrollHeight + " in " + el.clientWidth + " by " + el.clientHeight);
		}
	}
	const main = document.querySelector("main.stage").getBoundingClientRect();
	for (const el of document.querySelectorAll("canvas[data-figure=stage]")) {
		const box = el.getBoundingClientRect();
		if (box.height < main.height / 3) out.push("a stage of " + box.height + " px in " + main.height);
	}
	const verdicts = [...document.querySelectorAll(".verdict")].filter(seen);
	const said = verdicts.length ? verdicts : [...document.querySelectorAll(".says")].filter(seen);
	if (said.length !== 2 && innerHeight > 400) out.push(said.length + " methods say something");
	for (const el of verdicts) {
		const box = el.getBoundingClientRect();
		if (box.top < 0 || box.bottom > innerHeight || box.left < 0 || box.right > innerWidth) out.push("out of sight: " + el.textContent);
	}
	return out;
})()`

// The stage has room in windows, on telephones, in frames, at 200 % and with a wide font: nothing overlaps or is cut,
// the stages take a third of the height, and both verdicts are in the first screen.
func TestStageFits(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		p.ReducedMotion()
		for _, wide := range []bool{true, false} {
			if testing.Short() && !wide {
				continue // its own font is narrower
			}
			for _, size := range []struct {
				width, height int
				query         string
			}{
				{1440, 900, ""}, {1280, 720, ""}, {1920, 1080, ""}, {390, 844, ""}, {360, 640, ""}, {844, 390, ""},
				{720, 450, ""}, // 1440 by 900 at 200 %
				{800, 450, "&embed=1"}, {490, 294, "&embed=1"}, {1440, 900, "&lang=zh"}, {390, 844, "&lang=zh"},
			} {
				what := fmt.Sprintf("%d by %d%s, wide font %v", size.width, size.height, size.query, wide)
				p.Viewport(size.width, size.height)
				if address := "/" + opening + size.query; p.Text("location.pathname + location.search") != address {
					p.Run(opening + size.query)
				}
				if wide {
					p.Eval("document.styleSheets[0].insertRule(\"* { font-family: 'DejaVu Sans', Verdana !important }\", document.styleSheets[0].cssRules.length), 0", nil)
				}
				for _, phase := range []string{"", "3"} {
					if phase != "" {
						p.Key(phase)
						p.When("s.phase === 3")
					}
					p.Drawn()
					p.audit(what + " " + phase)
					var wrong []string
					p.Eval(cut, &wrong)
					for _, text := range wrong {
						t.Errorf("%s, phase %q: %s", what, phase, text)
					}
					if size.height == 900 && phase == "" && size.query == "" {
						p.ColorScheme("dark")
						p.When("s.theme === 'dark'")
						p.Drawn()
						p.audit(what + " dark")
						p.ColorScheme("light")
						p.When("s.theme === 'light'")
					}
				}
				p.Key("Escape")
				p.When("s.phase === 0")
				p.Shot(fmt.Sprintf("stage-%dx%d", size.width, size.height))
			}
		}
	})
}

// On a telephone both methods, the tabs of the phases and all answers to a lesson's question are in the first screen, and
// large enough for a thumb.
func TestPhoneStage(t *testing.T) {
	const first = `((selector, high) => [...document.querySelectorAll(selector)].filter((el) => {
		const box = el.getBoundingClientRect();
		return !el.checkVisibility() || box.left < -0.5 || box.right > innerWidth + 0.5 || box.top < 0 || box.bottom > innerHeight || box.height < high;
	}).map((el) => el.textContent.trim().slice(0, 20) + " " + JSON.stringify(el.getBoundingClientRect())).join("; "))`
	InChromium(t, func(t *testing.T, p *Page) {
		p.ReducedMotion()
		for _, size := range [][2]int{{390, 844}, {360, 640}} {
			p.Viewport(size[0], size[1])
			p.Run(opening)
			p.Drawn()
			for selector, high := range map[string]int{"canvas[data-figure=stage]": 200, ".verdict": 10, ".step": 44, "#watch": 44, "#play": 44} {
				if size[1] < 700 && (selector == ".step" || selector == "#watch") {
					continue // below the stages
				}
				if got := p.Text(first + fmt.Sprintf("(%s, %d)", quote(selector), high)); got != "" {
					t.Errorf("%v: %s is out of sight or small: %s", size, selector, got)
				}
			}
			if got := p.Text("[...document.querySelectorAll('canvas[data-figure=stage]')].map((c) => Math.round(c.getBoundingClientRect().top)).filter((y, i, all) => y !== all[0]).length"); got != "0" {
				t.Errorf("%v: the methods are not side by side", size)
			}
			p.Run("?t=0&scent=0") // a page that has a store
			p.Eval("localStorage.clear(), 0", nil)
			p.Run("?lesson=1")
			p.says("#lesson-question", "?")
			p.Drawn()
			if got := p.Text(first + "('[data-option]', 44)"); got != "" || p.Text("document.querySelectorAll('[data-option]').length") == "0" {
				t.Errorf("%v: answers are out of sight or small: %s", size, got)
			}
			if got := p.Text("[...document.querySelectorAll('canvas[data-figure=stage]')].filter((c) => c.getBoundingClientRect().top < innerHeight - 100).length"); got != "2" && size[1] > 700 {
				t.Errorf("%v: beside the question %s methods are in sight", size, got)
			}
		}
	})
}

// A screen reader hears of each phase the round, the phase, and of each method its name, what it does and the numbers of a
// client: once.
func TestPhaseIsTold(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.ReducedMotion()
		p.Run(opening)
		for phase := range registry.Phases {
			p.Key(fmt.Sprint(int(phase) + 1))
			p.When(fmt.Sprintf("s.phase === %d && s.phases.length > 0", int(phase)+1))
			p.says("#told", "Round 26 · "+phase.Name())
			p.Drawn()
			var wrong []string
			p.Eval(`(() => {
				const live = [...document.querySelectorAll("[role=status], [role=alert], [aria-live]")].filter((e) => e.checkVisibility()).map((e) => e.textContent).join("\n");
				const of = (selector) => [...document.querySelectorAll(selector)].map((e) => e.textContent);
				return [...of("#told b"), ...of(".says"), ...of(".lane .told:not(.skipped) .follows > span:last-child")].filter((text) => live.split(text).length !== 2);
			})()`, &wrong)
			if len(wrong) > 0 {
				t.Errorf("%s: not heard once: %q, in %q", phase.Name(), wrong, p.Text("document.querySelector('#told').textContent"))
			}
		}
	})
}
