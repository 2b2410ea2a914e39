package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// benchGrowth measures a round of rotated digits, with 64 samples a client, for
// more and more clients and for larger and larger networks.
func benchGrowth(b *bench) {
	type size struct{ clients, hidden int }
	sizes := []size{{8, 200}, {32, 200}, {128, 200}, {256, 200}, {32, 16}, {32, 64}, {32, 800}}
	path, err := flock()
	if err != nil {
		b.t.Fatalf("building flock: %v", err)
	}
	header := []string{"clients × parameters", "native, ms a round", "MB"}
	for _, name := range b.installed() {
		header = append(header, tab{name: name}.title()+", ms a round", "MB")
	}
	var rows [][]string
	for _, s := range sizes {
		parameters := s.hidden*(784+1+10) + 10
		// A run has about a second of work, and clients of every run hold equally
		// many samples.
		rounds := min(max(150_000_000/(s.clients*parameters), 4), 20)
		query := func(rounds int) string {
			return fmt.Sprintf("data=digits&n=%d&algos=cflgp&K=4&C=%d&hidden=%d&b=64&T=%d", 100*s.clients, s.clients,
				s.hidden, rounds)
		}
		short, _ := runFlock(b, path, query(1))
		long, memory := runFlock(b, path, query(1+rounds))
		row := []string{fmt.Sprintf("%d × %d", s.clients, parameters), number((long - short) / float64(rounds)),
			number(memory)}
		b.each(func(p tab) { // a new page, which has nothing left of another size
			rest := p.settled()
			p.whole("?workers=1&t=0&" + query(rounds))
			took := p.again()
			row = append(row, number(float64(took.Milliseconds())/float64(rounds)), number(p.memory()-rest))
			p.leave()
		})
		rows = append(rows, row)
	}
	b.table(header, rows)
	b.note("One lane of CFL-GP with K = 4 on one core: natively of %d, where a run includes drawing its samples; in browsers with one worker, beyond an empty page.", runtime.NumCPU())
}

// runFlock runs an experiment on one core and returns how long it took, in ms,
// and the most memory that it had, in MB.
func runFlock(b *bench, path, query string) (ms, memory float64) {
	b.t.Helper()
	run := exec.Command(path, "run", query)
	run.Env = append(os.Environ(), "GOMAXPROCS=1")
	begin := time.Now()
	if err := run.Run(); err != nil {
		b.t.Fatalf("flock run %s: %v", query, err)
	}
	took := time.Since(begin)
	if usage, ok := run.ProcessState.SysUsage().(*syscall.Rusage); ok {
		memory = float64(usage.Maxrss) / 1000
	}
	return float64(took.Microseconds()) / 1000, memory
}
