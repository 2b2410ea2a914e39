package e2e

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// frameTime is what a screen of 60 Hz leaves for one picture, in ms.
const frameTime = 1000.0 / 60

// benchPage measures what a person feels: how long the page takes to open and a slider
// to answer, and how evenly frames come while a large run is computed and played.
func benchPage(b *bench) {
	var visits, sliders, frames [][]string
	b.each(func(p tab) {
		p.Viewport(1440, 900)
		visits = append(visits, benchVisits(p)...)
		sliders = append(sliders, benchSlider(p)...)
		frames = append(frames, benchFrames(p)...)
	})
	b.table([]string{"opening the page from localhost, ms", "least", "median", "mean", "95 %", "99 %"}, visits)
	b.table([]string{"a move of the Δφ slider, ms", "least", "median", "mean", "95 %", "99 %"}, sliders)
	b.table([]string{"between animation frames, ms", "least", "median", "mean", "95 %", "99 %", "worst", "late, of all",
		"main thread at work, median", "95 %", "99 %"}, frames)
	b.note("A frame is late that comes more than 1.5 frames of 60 Hz after the one before.")
}

// row tells of a spread.
func (s spread) row(p tab, what string, more ...string) []string {
	row := []string{p.title() + ", " + what}
	if len(s) == 0 {
		return append(row, "", "", "", "", "")
	}
	return append(append(row, number(s.at(0)), number(s.median()), number(s.mean()), number(s.at(0.95)),
		number(s.at(0.99))), more...)
}

// benchSlider moves Δφ three hundred times, each time when everything of the time
// before has arrived and been drawn. The page takes its own times, and nobody asks
// for them while the engines are at work: the page's answer would keep one of the
// processors from them.
func benchSlider(p tab) [][]string {
	p.Run("?data=linreg&t=100")
	move := `(async () => {
		const slider = document.querySelector(".hero input[data-slide=dphi]");
		const state = () => JSON.parse(flockscope.state());
		const frame = () => new Promise((done) => requestAnimationFrame(done));
		const out = [];
		for (let i = %d; i < %d; i++) {
			slider.value = 5 + i %% 50 / 2 + (i %% 2 ? 10 : 0);
			slider.dispatchEvent(new Event("input", { bubbles: true }));
			for (;;) {
				await new Promise((done) => setTimeout(done, 60));
				const s = state();
				if (s.done && s.runQuery === s.config) { out.push([s.answered, s.took]); break; }
			}
			await frame();
			await frame();
		}
		return out;
	})()`
	const warmUp, moves, part = 10, 300, 10
	var answered, took spread
	for from := 0; from < warmUp+moves; from += part {
		var out [][2]float64
		p.Eval(fmt.Sprintf(move, from, from+part), &out)
		for _, m := range out {
			if from >= warmUp {
				answered, took = append(answered, m[0]), append(took, m[1])
			}
		}
	}
	return [][]string{
		answered.row(p, "until the round looked at is there"),
		took.row(p, "until all rounds are there"),
	}
}

// watchFrames has the page note when its frames begin, and for how long the main
// thread is at work on each: until it reads a message that it sent itself when
// the frame began, which comes after styles, layout and painting.
const watchFrames = `(() => {
	window.beats = [];
	const echo = new MessageChannel();
	let frame = 0, begun = 0;
	echo.port1.onmessage = () => beats.push([frame, performance.now() - begun]);
	const beat = (now) => {
		frame = now;
		begun = performance.now();
		echo.port2.postMessage(null);
		requestAnimationFrame(beat);
	};
	requestAnimationFrame(beat);
})()`

// beats returns when each frame began since it was called last, and how long the
// main thread was at work on it, in ms.
func (p tab) beats() (beats [][2]float64) {
	p.t.Helper()
	p.Eval("beats.splice(0)", &beats)
	return beats
}

// frames tells of the frames of one or more stretches of time.
func (p tab) frames(what string, stretches ...[][2]float64) []string {
	var gaps, work spread
	late := 0
	for _, beats := range stretches {
		for i, b := range beats {
			work = append(work, b[1])
			if i == 0 {
				continue
			}
			gap := b[0] - beats[i-1][0]
			if gaps = append(gaps, gap); gap > 1.5*frameTime {
				late++
			}
		}
	}
	if len(gaps) == 0 {
		return gaps.row(p, what)
	}
	return gaps.row(p, what, number(slices.Max(gaps)), fmt.Sprintf("%d of %d", late, len(gaps)),
		number(work.median()), number(work.at(0.95)), number(work.at(0.99)))
}

// waits waits until the state s of the page is such.
func (p tab) waits(such string) {
	p.t.Helper()
	p.looks(says(such), patience)
}

// looks waits until an expression is true, looking seldom and from within the page: who
// asked all the while would take from the engines what is measured.
func (p tab) looks(expression string, patience time.Duration) {
	p.t.Helper()
	p.Until(`new Promise((done) => {
		const end = performance.now() + 10000;
		const look = () => {
			if (`+expression+`) done(true); else if (performance.now() > end) done(false); else setTimeout(look, 200);
		};
		setTimeout(look, 200);
	})`, patience)
}

// benchFrames compares the frames of a page at rest with those of the same
// page while a thousand clients in two lanes are computed and played, and with
// those of four lanes in every view.
func benchFrames(p tab) [][]string {
	p.Run("?data=linreg&t=0&speed=4")
	p.Eval(watchFrames, nil)
	p.waits("beats.length > 180")
	rows := [][]string{p.frames("page at rest", p.beats())}

	// enter sets a number and has the run played that it asks for.
	enter := func(key, value string) {
		p.Eval(fmt.Sprintf(`(() => {
			const box = document.querySelector(%s);
			box.focus();
			box.value = %s;
			box.dispatchEvent(new Event("change", { bubbles: true }));
			document.querySelector("#play").click();
			beats.splice(0);
		})()`, quote("#set-"+key), quote(value)), nil)
	}
	var took spread
	var computing, playing [][][2]float64
	for clients := 1000; clients < 1005; clients++ {
		enter("C", fmt.Sprint(clients))
		p.waits(fmt.Sprintf("s.clients === %d && s.done", clients))
		took, computing = append(took, p.State().Took/1000), append(computing, p.beats())
		p.waits("!s.playing")
		playing = append(playing, p.beats())
	}
	rows = append(rows,
		p.frames(fmt.Sprintf("computing 200 rounds of 1000 clients five times, in %.1f s each, and playing",
			took.mean()), computing...),
		p.frames("playing the rest of them", playing...))

	for _, views := range []struct{ of, names string }{
		{"data=linreg&algos=cflgp,ifca,clove,fedavg", "view=losses view=flow view=spectrum view=models map=3d"},
		{"data=linreg&algos=cfl,icfl,stocfl,hcflplus", "view=tree"},
		{"data=linreg&algos=fedem,fedsoft,fedrc,hcflplus", "view=weights"},
		{"data=digits&C=8&K=4&n=100&T=60&algos=cflgp,ifca,clove,fedavg", "view=answers"},
		{"data=digits&net=autoencoder&C=8&K=4&n=100&T=60&algos=cflgp,ifca,clove,fedavg", "view=rebuilt"},
	} {
		for view := range strings.FieldsSeq(views.names) {
			p.Run("?" + views.of + "&t=0&speed=4&" + view)
			p.Eval(watchFrames, nil)
			enter("lr", "0.09")
			p.waits("s.config.includes('lr=0.09') && !s.playing && s.done && s.shown > 0")
			rows = append(rows, p.frames("four lanes computed and played, "+strings.TrimPrefix(view, "view="),
				p.beats()))
		}
	}
	return rows
}
