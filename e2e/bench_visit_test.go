package e2e

import "time"

// benchVisits opens the page at addresses where the browser has never been, and each of
// them a second time when all of it is kept: how long until the first run is there, and
// until it is drawn. The page itself looks for that, seldom enough not to be in its way,
// and counts from when its address was entered.
func benchVisits(p tab) [][]string {
	const visits, settled = 8, `new Promise((done) => {
		const look = () => {
			if (!window.flockscope || !JSON.parse(flockscope.state()).done) return setTimeout(look, 20);
			const there = performance.now();
			requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done([there, performance.now()]))));
		};
		look();
	})`
	var there, drawn [2]spread // at the first visit and at the next
	for range visits {
		p.Serve(built())
		for visit := range there {
			var ms [2]float64
			p.Open("/")
			p.Eval(settled, &ms)
			there[visit], drawn[visit] = append(there[visit], ms[0]), append(drawn[visit], ms[1])
			p.keptFor("")
			p.Until(programKept, patience)
			p.leave()
			time.Sleep(500 * time.Millisecond) // what the page left behind is tidied up
		}
	}
	return [][]string{
		there[0].row(p, "first visit, until the run is there"),
		drawn[0].row(p, "first visit, until it is drawn"),
		there[1].row(p, "next visit, until the run is there"),
		drawn[1].row(p, "next visit, until it is drawn"),
	}
}
