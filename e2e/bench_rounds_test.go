package e2e

import (
	"fmt"
	"time"
)

// benchRounds measures whole runs in the page as a person starts them: rotated
// digits, 32 clients, one lane, with the accuracy tried every fifth round. To start one
// takes as long as three rounds or so, which runs are long enough to make little of. A
// frame with one worker and one with two take turns, so that what disturbs the machine
// disturbs both.
func benchRounds(b *bench) {
	const rounds, turns, most = 100, 5, 2
	query := fmt.Sprintf("?data=digits&algos=cflgp&K=4&C=32&b=64&T=%d&t=0&scent=0", rounds)
	var rows [][]string
	b.program("sim/model", true)
	b.each(func(p tab) {
		p.equip("")
		apart := p.sideBySide()
		p.Open("/page.html")
		var rate [most]spread
		var memory [most]float64
		for n := range most {
			rest := p.memory()
			p.frame(n, fmt.Sprintf("/%s&workers=%d", query, n+1)) // draws the samples
			p.frameAgain(n, 0)
			memory[n] = p.memory() - rest
		}
		for turn := range turns {
			for n := range most {
				rate[n] = append(rate[n], rounds/p.frameAgain(n, 1+turn).Seconds())
			}
		}
		twice := rate[1].over(rate[0])
		rows = append(rows, []string{p.title(), rate[0].round(), rate[1].round(), twice.times(),
			number(twice.median() / most), number(apart.median()), number(memory[0]), number(memory[1])})
		p.leave()
	})
	b.table([]string{"32 clients, b = 64, MLP 784-200-10", "rounds a second, 1 worker", "2 workers", "times as many",
		"parallel efficiency", "of two workers apart", "MB more than before, 1 worker", "2 workers"}, rows)
}

// sideBySide returns how efficient two workers are that each train the network
// alone, as fast as they can: what they take from each other is the machine's
// doing, and no way of sharing a run out comes to more.
func (p tab) sideBySide() spread {
	p.t.Helper()
	const turns, name = 7, "Step/mlp"
	message := map[string]any{"program": "programs/model.test.wasm", "argv": benchWords("^BenchmarkStep$/^mlp$", "250x"), "simd": true}
	// took is the mean time of a step of each of n workers, in ns.
	took := func(n int) (sum float64) {
		for i := range n {
			p.tell("go.js", fmt.Sprint("worker ", i), message)
		}
		for range n {
			var answer struct{ Text string }
			if problem := p.hear(&answer); problem != "" {
				p.t.Fatalf("a step in %s: %s", p.name, problem)
			}
			sum += figures(answer.Text)[name]["ns/op"] / float64(n)
		}
		return sum
	}
	alone := contestant{turn: func() float64 { return took(1) }}
	both := contestant{turn: func() float64 { return took(2) }}
	compete(turns, []*contestant{&alone, &both})
	return alone.took.over(both.took)
}

// frame adds a frame with the page, as large as the window, and waits until its run
// is complete.
func (p tab) frame(n int, address string) {
	p.t.Helper()
	p.Eval(fmt.Sprintf(`(() => {
		const frame = document.createElement("iframe");
		frame.style = "position: fixed; inset: 0; width: 100%%; height: 100%%; border: 0";
		frame.src = %s;
		document.body.append(frame);
	})()`, quote(address)), nil)
	p.Until(fmt.Sprintf("(w => w && w.flockscope && (s => %s)(JSON.parse(w.flockscope.state())))(frames[%d])", complete, n), long)
}

// frameAgain runs the experiment in a frame once more, with the samples drawn already,
// and returns how long it took from the wish to the last round.
func (p tab) frameAgain(n, run int) time.Duration {
	p.t.Helper()
	rate := fmt.Sprintf("0.0%d", 51+run)
	p.Eval(fmt.Sprintf(`(w => {
		const box = w.document.querySelector("#set-lr");
		box.focus();
		box.value = %s;
		box.dispatchEvent(new w.Event("change", { bubbles: true }));
	})(frames[%d])`, quote(rate), n), nil)
	p.looks(fmt.Sprintf("(s => %s && s.config.includes('lr=%s'))(JSON.parse(frames[%d].flockscope.state()))", complete, rate, n), long)
	var took float64
	p.Eval(fmt.Sprintf("JSON.parse(frames[%d].flockscope.state()).took", n), &took)
	return time.Duration(took * float64(time.Millisecond))
}

// whole opens the page and waits until its run is complete.
func (p tab) whole(query string) {
	p.t.Helper()
	p.Open("/" + query)
	p.Until("(s => "+complete+")(JSON.parse(flockscope.state()))", long)
}

// again runs the experiment on screen once more, with the samples drawn already,
// and returns how long it took from the wish to the last frame.
func (p tab) again(run int) time.Duration {
	p.t.Helper()
	rate := fmt.Sprintf("0.0%d", 5+run)
	p.Eval(fmt.Sprintf(`(() => {
		const box = document.querySelector("#set-lr");
		box.focus();
		box.value = %s;
		box.dispatchEvent(new Event("change", { bubbles: true }));
	})()`, quote(rate)), nil)
	p.looks(fmt.Sprintf("(s => %s && s.config.includes('lr=%s'))(JSON.parse(flockscope.state()))", complete, rate), long)
	return time.Duration(p.State().Took * float64(time.Millisecond))
}
