package e2e

import (
	"fmt"
	"time"
)

// benchRounds measures whole runs: rotated digits, 32 clients, one lane, as many rounds
// as in the paper, with the accuracy tried every fifth. What a person sees is the page,
// which wants a part of a processor for itself. Beside it stand the engine alone, and
// two engines apart, each with a run of its own: no way of sharing one run out comes to
// more. All of them take turns, so that what disturbs the machine disturbs everybody.
// To start a run takes as long as three rounds or so, which these make little of.
//
// How much a second worker helps hangs on how long a client has to do for each float
// that it sends, so a second table has the engine alone under other protocols.
func benchRounds(b *bench) {
	const rounds, turns, most = 200, 5, 2
	const common = "data=digits&K=4&C=32&b=64&algos="
	query := fmt.Sprintf(common+"cflgp&T=%d", rounds)
	protocols := []struct{ what, query string }{
		{"IFCA, gradients", "ifca"},
		{"CFL-GP, models after a local epoch", "cflgp&avg=model"},
		{"IFCA, models after a local epoch", "ifca&avg=model"},
		{"CLoVE, models after a local epoch", "clove&avg=model"},
	}
	const protocolRounds = 20
	var rows, others [][]string
	b.each(func(p tab) {
		p.equip("isolated.html", "")
		var memory [most]float64
		for n := range most {
			rest := p.memory()
			p.frame(n, fmt.Sprintf("/?%s&t=0&scent=0&workers=%d", query, n+1)) // draws the samples
			memory[n] = p.memory() - rest
		}
		run := 0
		framed := func(n int) *contestant {
			return &contestant{turn: func() float64 { run++; return rounds / p.frameAgain(n, run).Seconds() }}
		}
		engines := func(query string, rounds float64, shards int, names ...string) *contestant {
			return &contestant{turn: func() float64 {
				run++
				return float64(len(names)) * rounds / p.engines(query, run, shards, names...).Seconds()
			}}
		}
		page := [most]*contestant{framed(0), framed(1)}
		alone := [most]*contestant{engines(query, rounds, 0, "one"), engines(query, rounds, 1, "shared")}
		apart := engines(query, rounds, 0, "one", "other")
		all := []*contestant{page[0], page[1], alone[0], alone[1], apart}
		for _, other := range protocols {
			query := fmt.Sprintf(common+"%s&T=%d", other.query, protocolRounds)
			all = append(all, engines(query, protocolRounds, 0, "one"), engines(query, protocolRounds, 1, "shared"))
		}
		for n := range 1 + turns { // the first, in which engines start and draw their samples, does not count
			for _, c := range all {
				if rate := c.turn(); n > 0 {
					c.took = append(c.took, rate)
				}
			}
		}
		row := func(what string, one, two spread, rest ...string) []string {
			twice := two.over(one)
			return append([]string{p.title() + ", " + what, one.round(), two.round(), twice.times(),
				number(twice.median() / most)}, rest...)
		}
		rows = append(rows,
			row("the page", page[0].took, page[1].took, number(memory[0]), number(memory[1])),
			row("the engine alone", alone[0].took, alone[1].took, "", ""),
			row("two engines, a run each", alone[0].took, apart.took, "", ""))
		for i, other := range protocols {
			others = append(others, row(other.what, all[5+2*i].took, all[6+2*i].took))
		}
		p.leave()
	})
	columns := []string{"CFL-GP, gradients, 32 clients, b = 64, MLP 784-200-10", "rounds a second, 1 worker",
		"2 workers", "times as many", "parallel efficiency"}
	b.table(append(columns, "MB more than before, 1 worker", "2 workers"), rows)
	columns[0] = "the engine alone, other protocols"
	b.table(columns, others)
}

// engines has engines of these names play the same run at once, each with so many
// workers of its own, and returns how long it took on average. Runs with different
// numbers have samples in common and nothing else.
func (p tab) engines(query string, run, shards int, names ...string) time.Duration {
	p.t.Helper()
	for _, name := range names {
		p.Eval(fmt.Sprintf("void compute(%s, %s, %d)", quote(name), quote("?"+query+"&lr="+runRate(run)), shards), nil)
	}
	sum := 0.0
	for range names {
		var answer struct{ Ms float64 }
		if problem := p.hear(&answer); problem != "" {
			p.t.Fatalf("an engine in %s: %s", p.name, problem)
		}
		sum += answer.Ms
	}
	return time.Duration(sum / float64(len(names)) * float64(time.Millisecond))
}

// runRate is a learning rate that only the run with that number has, written as the
// page writes it: with no 0 at its end.
func runRate(run int) string { return fmt.Sprintf("0.0%d", 501+2*run) }

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
	p.Until(fmt.Sprintf("(w => w && w.flockscope && (s => %s)(JSON.parse(w.flockscope.state())))(frames[%d])", complete,
		n), long)
}

// frameAgain runs the experiment in a frame once more, with the samples drawn already,
// and returns how long it took from the wish to the last round.
func (p tab) frameAgain(n, run int) time.Duration {
	p.t.Helper()
	rate := runRate(run)
	p.Eval(fmt.Sprintf(`(w => {
		const box = w.document.querySelector("#set-lr");
		box.focus();
		box.value = %s;
		box.dispatchEvent(new w.Event("change", { bubbles: true }));
	})(frames[%d])`, quote(rate), n), nil)
	p.looks(fmt.Sprintf("(s => %s && s.config.includes('lr=%s'))(JSON.parse(frames[%d].flockscope.state()))", complete,
		rate, n), long)
	var took float64
	p.Eval(fmt.Sprintf("JSON.parse(frames[%d].flockscope.state()).took", n), &took)
	return time.Duration(took * float64(time.Millisecond))
}

// whole opens the page and waits until its run is complete, and the site is kept for the
// next visit, which begins then and takes a processor for a second.
func (p tab) whole(query string) {
	p.t.Helper()
	p.Open("/" + query)
	p.Until("(s => "+complete+")(JSON.parse(flockscope.state()))", long)
	p.keptFor("")
}

// again runs the experiment on screen once more, with the samples drawn already,
// and returns how long it took from the wish to the last frame.
func (p tab) again() time.Duration {
	p.t.Helper()
	rate := runRate(0)
	p.Eval(fmt.Sprintf(`(() => {
		const box = document.querySelector("#set-lr");
		box.focus();
		box.value = %s;
		box.dispatchEvent(new Event("change", { bubbles: true }));
	})()`, quote(rate)), nil)
	p.looks(fmt.Sprintf("(s => %s && s.config.includes('lr=%s'))(JSON.parse(flockscope.state()))", complete,
		rate), long)
	return time.Duration(p.State().Took * float64(time.Millisecond))
}
