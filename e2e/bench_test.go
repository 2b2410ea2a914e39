package e2e

import (
	"fmt"
	"os"
	"slices"
	"testing"
)

// A spread of measurements, for people to read.
type spread []float64

func (s spread) at(part float64) float64 {
	sorted := slices.Sorted(slices.Values(s))
	return sorted[min(int(part*float64(len(sorted))), len(sorted)-1)]
}

func (s spread) mean() float64 {
	sum := 0.0
	for _, v := range s {
		sum += v
	}
	return sum / float64(max(len(s), 1))
}

// frameTime is what a screen of 60 Hz leaves for one picture, in ms.
const frameTime = 1000.0 / 60

// TestBench measures what a person feels: how long a slider takes to answer,
// and how evenly frames come while a large run is computed and played. It
// asserts nothing, since a machine may have other things to do.
//
//	FLOCKSCOPE_BENCH=1 go test -run TestBench -v
func TestBench(t *testing.T) {
	if os.Getenv("FLOCKSCOPE_BENCH") == "" {
		t.Skip("FLOCKSCOPE_BENCH is not set")
	}
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		benchSlider(t, p)
		benchFrames(t, p)
	})
}

// benchSlider moves Δφ a hundred times, each time when everything of the time
// before has arrived and been drawn.
func benchSlider(t *testing.T, p *Page) {
	p.Run("?t=100")
	move := `(async () => {
		const slider = document.querySelector(".settings input[data-slide=dphi]");
		const state = () => JSON.parse(flockscope.state());
		const frame = () => new Promise((done) => requestAnimationFrame(done));
		const out = [];
		for (let i = %d; i < %d; i++) {
			const start = performance.now();
			slider.value = 5 + i %% 50 / 2 + (i %% 2 ? 10 : 0);
			slider.dispatchEvent(new Event("input", { bubbles: true }));
			const wanted = state().config;
			for (;;) {
				await new Promise((done) => setTimeout(done, 1));
				const s = state();
				if (s.done && s.runQuery === wanted) { out.push([s.answered, s.took, performance.now() - start]); break; }
			}
			await frame();
			await frame();
		}
		return out;
	})()`
	const warmUp, moves, part = 10, 100, 10
	var answered, took, whole spread
	for from := 0; from < warmUp+moves; from += part {
		var out [][3]float64
		p.Eval(fmt.Sprintf(move, from, from+part), &out)
		for _, m := range out {
			if from >= warmUp {
				answered, took, whole = append(answered, m[0]), append(took, m[1]), append(whole, m[2])
			}
		}
	}
	report := func(what string, s spread) {
		t.Logf("%-34s min %6.1f  median %6.1f  mean %6.1f  p95 %6.1f ms;  median / %.1f ms = %.2f frames",
			what, s.at(0), s.at(0.5), s.mean(), s.at(0.95), frameTime, s.at(0.5)/frameTime)
	}
	report("slider, wish to round looked at", answered)
	report("slider, wish to all frames here", took)
	report("slider, event to seen by a script", whole)
}

// benchFrames compares the frames of a page at rest with those of the same
// page while a thousand clients in two lanes are computed and played.
func benchFrames(t *testing.T, p *Page) {
	p.Run("?t=0&speed=4")
	p.Eval(`(() => {
		window.beats = [];
		const beat = (now) => { beats.push(now); requestAnimationFrame(beat); };
		requestAnimationFrame(beat);
	})()`, nil)
	report := func(what string) {
		var beats []float64
		p.Eval("beats.splice(0)", &beats)
		var gaps spread
		for i := 1; i < len(beats); i++ {
			gaps = append(gaps, beats[i]-beats[i-1])
		}
		if len(gaps) == 0 {
			t.Logf("%-34s no frames", what)
			return
		}
		late := 0
		for _, g := range gaps {
			if g > 1.5*frameTime {
				late++
			}
		}
		t.Logf("%-34s p50 %6.1f  p95 %6.1f  p99 %6.1f  worst %6.1f ms, %d of %d late, over %.1f s",
			what, gaps.at(0.5), gaps.at(0.95), gaps.at(0.99), slices.Max(gaps), late, len(gaps), gaps.mean()*float64(len(gaps))/1000)
	}
	const seconds = "new Promise((done) => { const end = performance.now() + %d; const look = () => performance.now() > end ? done(true) : setTimeout(look, 50); look(); })"

	p.Eval("beats.splice(0)", nil)
	p.Until(fmt.Sprintf(seconds, 3000), patience)
	report("frames, page at rest")

	p.Eval(`(() => {
		const box = document.querySelector("#set-C");
		box.focus();
		box.value = "1000";
		box.dispatchEvent(new Event("change", { bubbles: true }));
		document.querySelector("#play").click();
		beats.splice(0);
	})()`, nil)
	p.When("s.clients === 1000 && s.shown > 0")
	p.When("s.done")
	at := p.State()
	report(fmt.Sprintf("frames, computing and playing to %d", at.Shown))
	p.When("!s.playing && s.shown === 200")
	report("frames, playing the rest")
	t.Logf("%-34s %.0f ms", "a thousand clients, whole run", at.Took)
}
