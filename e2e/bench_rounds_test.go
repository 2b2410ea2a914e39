package e2e

import (
	"fmt"
	"time"
)

// benchRounds measures whole runs in the page as a person starts them: rotated
// digits, 32 clients, one lane, with the accuracy tried every fifth round.
func benchRounds(b *bench) {
	const rounds, visits, runs = 40, 2, 2
	query := fmt.Sprintf("?data=digits&algos=cflgp&K=4&C=32&b=64&T=%d&t=0", rounds)
	var rows [][]string
	b.program("sim/model", true)
	for _, p := range b.benches("") {
		rate, memory := map[int]spread{}, map[int]spread{}
		most := p.sideBySide()
		for range visits {
			for _, workers := range []int{1, 2} {
				rest := p.memory()
				p.whole(fmt.Sprintf("%s&workers=%d", query, workers)) // draws the samples
				for run := range runs {
					rate[workers] = append(rate[workers], rounds/p.again(run).Seconds())
				}
				memory[workers] = append(memory[workers], p.memory()-rest)
				p.leave()
			}
		}
		twice := rate[2].over(rate[1])
		rows = append(rows, []string{p.title(), rate[1].round(), rate[2].round(), twice.times(),
			number(twice.median() / 2), number(most.median()), memory[1].round(), memory[2].round()})
	}
	b.table([]string{"32 clients, b = 64, MLP 784-200-10", "rounds a second, 1 worker", "2 workers", "times as many",
		"parallel efficiency", "of two workers apart", "MB more than an empty page, 1 worker", "2 workers"}, rows)
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
	p.Until(fmt.Sprintf("(s => %s && s.config.includes('lr=%s'))(JSON.parse(flockscope.state()))", complete, rate), long)
	return time.Duration(p.State().Took * float64(time.Millisecond))
}
