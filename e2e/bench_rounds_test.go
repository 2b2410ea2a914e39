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
	for _, p := range b.tabs() {
		rate, memory := map[int]spread{}, map[int]spread{}
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
			number(twice.median() / 2), memory[1].round(), memory[2].round()})
	}
	b.table([]string{"32 clients, b = 64, MLP 784-200-10", "rounds a second, 1 worker", "2 workers", "times as many",
		"parallel efficiency", "MB more than an empty page, 1 worker", "2 workers"}, rows)
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
