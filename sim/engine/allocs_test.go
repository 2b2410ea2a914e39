package engine_test

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"

	"flockscope/sim/engine"
	"flockscope/sim/trace"
	"flockscope/sim/workload"
)

// allocations reads the number of allocations so far after every round. It
// allocates nothing itself.
type allocations struct {
	mallocs []uint64
	stats   runtime.MemStats
}

func (a *allocations) Begin(h *trace.Header)   { a.mallocs = make([]uint64, 0, h.Rounds+1) }
func (a *allocations) Frame(int, *trace.Frame) {}
func (a *allocations) End(int, *trace.Summary) {}
func (a *allocations) Round(int) {
	runtime.ReadMemStats(&a.stats)
	a.mallocs = append(a.mallocs, a.stats.Mallocs)
}

// TestNoAllocationInTheRoundLoop: once every buffer has been used, a round
// allocates nothing, whatever the algorithm and the data.
func TestNoAllocationInTheRoundLoop(t *testing.T) {
	const warm = 30
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the collector has allocations of its own
	check := func(query string, file *workload.File, rounds int, lanes string) {
		t.Helper()
		query = fmt.Sprintf("%s&T=%d&algos=%s", query, rounds, lanes)
		if at := allocatingRounds(t, query, file, warm, rounds); len(at) > 0 {
			t.Errorf("%s: allocations in %d rounds from %d to %d, such as %v, want none", query, len(at), warm+1,
				rounds, at[:min(8, len(at))])
		}
	}
	for query, file := range map[string]*workload.File{
		"data=linreg": nil, "data=linreg&C=48&D=8": nil, "data=mix1d&probe=100&b=100": nil, "data=csv&probe=20": table(t, 1, 10, 60, 1, true),
	} {
		for _, lanes := range append(algorithms(), "ifca&private=noise&rr=5", "clove&mean=median", "fesem&mean=geomedian", "ifca&mean=krum",
			"fedem&mean=bulyan&f=0", "cflgp&liars=1&lie=noise", "ifca&liars=2&lie=collude", "clove&liars=1&lie=losses", "clove&sqrt=1", "cflgp&stop=1", "cflgp&beta=1", "cflgp&cr=2",
			"cflgp,ifca,clove,local") {
			check(query, file, 150, lanes)
		}
	}
	for i, protocol := range protocols {
		lanes := []string{"cflgp,ifca,clove,local", "fedavg", "cflgp&cr=2"}[i%3]
		check("data=linreg&C=9"+protocol, nil, 60, lanes)
		check("data=csv&probe=20"+protocol, table(t, 2, 6, 30, 1, true), 60, lanes)
	}
	const network = "data=digits&n=60&C=4&exam=5&every=2&net=mlp&hidden=4&b=6&probe=6&shift=none"
	for i, protocol := range protocols {
		lanes := append(algorithms(), "cflgp&cr=100")[i%(1+len(algorithms()))]
		check(network+protocol, nil, 40, lanes+",fedavg:b") // somebody reads all of the protocol
		check(network+protocol+"&liars=1&lie="+everyLie[i%len(everyLie)], nil, 40, lanes+",fedavg:b")
	}
}

// allocatingRounds returns the rounds after warm in which a run allocates, however often it
// is repeated: the runtime allocates now and then when goroutines wait for each other; what
// a round allocates, it allocates every time.
func allocatingRounds(t *testing.T, query string, file *workload.File, warm, rounds int) (at []int) {
	t.Helper()
	for r := warm; r < rounds; r++ {
		at = append(at, r+1)
	}
	for tries := 0; tries < 3 && len(at) > 0; tries++ {
		runtime.GC()
		var a allocations
		if err := engine.Run(context.Background(), parse(t, query), file, &a); err != nil {
			t.Fatalf("Run(%s): %v", query, err)
		}
		at = slices.DeleteFunc(at, func(round int) bool { return a.mallocs[round] == a.mallocs[round-1] })
	}
	return at
}
