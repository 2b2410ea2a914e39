package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// benchSweep measures how many runs of a sweep are computed a second: natively on one core
// and on two, by workers that a NATS server shares them out to, and in the tab. What comes
// before the first run and after the last is taken off, as the time of a sweep of few.
func benchSweep(b *bench) {
	const few = 4
	path, err := flock()
	if err != nil {
		b.t.Fatalf("building flock: %v", err)
	}
	header := []string{"runs a second", "flock, one core", "two cores", "times as many", "one NATS worker", "two"}
	for _, name := range b.installed() {
		header = append(header, tab{name: name}.title())
	}
	var rows [][]string
	for _, s := range []struct {
		query, vary string
		many        int
	}{{"T=50&algos=ifca", "dphi=20", 3000}, {"data=linreg", "dphi=20", 400},
		{"data=digits&n=400&C=8&T=20&algos=cflgp", "b=64", 40}} {
		rate := func(took func(seeds int) time.Duration) float64 {
			return float64(s.many-few) / (took(s.many) - took(few)).Seconds()
		}
		native := func(cores string, args ...string) float64 {
			return rate(func(seeds int) time.Duration {
				args := append([]string{"sweep", s.query, "-vary", s.vary, "-seeds", fmt.Sprint(seeds),
					"-o", filepath.Join(b.t.TempDir(), "a.flock")}, args...)
				return b.timed(path, cores, args...)
			})
		}
		one, two := native("1"), native("2")
		row := []string{"`" + s.query + "`", number(one), number(two), number(two / one),
			number(native("2", "-workers", "1")), number(native("2", "-workers", "2"))}
		b.each(func(p tab) {
			row = append(row, number(rate(func(seeds int) time.Duration { return p.sweep(s.query, seeds) })))
			p.leave()
		})
		rows = append(rows, row)
	}
	b.table(header, rows)
	b.note("A NATS server is inside the same program. A tab has as many background workers as it takes for itself.")
}

// timed runs a program on so many cores.
func (b *bench) timed(path, cores string, args ...string) time.Duration {
	b.t.Helper()
	run := exec.Command(path, args...)
	run.Env = append(os.Environ(), "GOMAXPROCS="+cores)
	var said bytes.Buffer
	run.Stderr = &said
	begin := time.Now()
	if err := run.Run(); err != nil {
		b.t.Fatalf("flock %q: %v: %s", args, err, &said)
	}
	return time.Since(begin)
}

// sweep has the page compute a sweep of one value and so many seeds, as a person would.
func (p tab) sweep(query string, seeds int) time.Duration {
	p.t.Helper()
	p.Run(fmt.Sprintf("?%s&scent=0&sd=%d", query, seeds)) // seeds of its own: nothing of it is kept yet
	p.Click("#open-sweep")
	p.When("s.sheet === 'sweep'")
	p.Drawn()
	p.Enter(`[data-sweep="0.count"]`, "1")
	p.Enter(`[data-sweep="seeds"]`, fmt.Sprint(seeds))
	begin := time.Now()
	p.Click("#sweep-run")
	p.Until(fmt.Sprintf("(s => s.sweep && !s.sweep.busy && s.sweep.done >= %d)(JSON.parse(flockscope.state()))", seeds),
		time.Minute)
	return time.Since(begin)
}
