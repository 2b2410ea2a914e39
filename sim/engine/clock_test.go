package engine_test

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"flockscope/sim/rng"
	"flockscope/sim/trace"
)

// TestClockByHand: with FedAvg a round lasts as long as the slowest client takes for
// two floats each way, its latency and bandwidth as the data seed draws them. A clock
// without a deadline changes no bit of anything else.
func TestClockByHand(t *testing.T) {
	const latency, bandwidth, spread = 0.2, 0.04, 0.7
	for seed := 1; seed <= 5; seed++ {
		base := fmt.Sprintf("data=linreg&T=20&algos=fedavg,cflgp,local&sd=%d", seed)
		query := base + fmt.Sprintf("&clock=on&latency=%v&bandwidth=%v&spread=%v", latency, bandwidth, spread)
		r := record(t, query, nil)
		slowest, fastest := 0.0, math.Inf(1)
		var s rng.Stream
		for i := range r.header.Clients {
			s.Reset(uint64(seed), rng.ClientSpeed, i, 0)
			took := latency*math.Exp(spread*s.Normal()) + 4/(1000*bandwidth*math.Exp(spread*s.Normal()))
			slowest, fastest = max(slowest, took), min(fastest, took)
		}
		if slowest < 1.5*fastest {
			t.Errorf("%s: clients take %v to %v s: they hardly differ", query, fastest, slowest)
		}
		for n, f := range r.lanes[0] {
			if want := float64(n) * slowest; math.Abs(f.Time-want) > 1e-9*want {
				t.Errorf("%s: FedAvg is at %v s after round %d, want %v", query, f.Time, n, want)
			}
			if g := r.lanes[1][n]; g.Time < f.Time || r.lanes[2][n].Time != 0 {
				t.Errorf("%s: after round %d CFL-GP is at %v s and local training at %v, want no less than %v and 0",
					query, n,
					g.Time, r.lanes[2][n].Time, f.Time)
			}
		}
		if got, want := r.fingerprints(), record(t, base, nil).fingerprints(); !slices.Equal(got, want) {
			t.Errorf("%s: fingerprints %x with a clock, %x without", query, got, want)
		}
	}
}

// TestDeadlineLeavesOut: clients slower than the deadline drop out in every round, whatever the
// scheduling; others do not; a round lasts no longer; and what the others find is what they find.
func TestDeadlineLeavesOut(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	const query = "data=linreg&T=15&clock=on&spread=1&bandwidth=1000&deadline=0.15&algos=fedavg,ifca,clove,local"
	r := record(t, query, nil)
	checkFrames(t, query, r)
	lost := 0
	for lane, frames := range r.lanes[:3] {
		for n := 1; n < len(frames); n++ {
			f := &frames[n]
			if !f.Events.Has(trace.Partial) || len(f.State) != r.header.Clients {
				t.Fatalf("%s: lane %d says nothing of who took part in round %d", query, lane, n)
			}
			for i, state := range f.State {
				if state != r.lanes[0][1].State[i] {
					t.Errorf("%s: lane %d: client %d is %v in round %d and %v in the first", query, lane, i, state, n,
						r.lanes[0][1].State[i])
				}
				if state == trace.Dropped {
					lost++
				}
			}
			if exchanges := []float64{1, 1, 2}[lane]; f.Time > exchanges*0.15*float64(n)+1e-9 {
				t.Errorf("%s: lane %d is at %v s after %d rounds", query, lane, f.Time, n)
			}
		}
	}
	if lost == 0 || lost == 3*15*r.header.Clients {
		t.Errorf("%s: %d answers are late: this proves nothing", query, lost)
	}
	for _, f := range r.lanes[3][1:] {
		if slices.Contains(f.State, trace.Dropped) || f.Time != 0 {
			t.Errorf("%s: local training loses clients, or time", query)
		}
	}
	for _, procs := range []int{1, 8} {
		runtime.GOMAXPROCS(procs)
		if got := record(t, query, nil).fingerprints(); !slices.Equal(got, r.fingerprints()) {
			t.Errorf("%s: other fingerprints with %d processors", query, procs)
		}
	}
}

// TestNobodyInTime: with a deadline that no client meets, no model changes.
func TestNobodyInTime(t *testing.T) {
	for _, name := range algorithms() {
		if name == "local" || name == "fedproto" {
			continue // their models move at home
		}
		query := "data=linreg&T=8&clock=on&deadline=0.0001&spread=0&algos=" + name
		r := record(t, query, nil)
		checkFrames(t, query, r)
		last := r.lanes[0][8]
		if !slices.Equal(last.Models, r.lanes[0][0].Models) || last.Up != 0 {
			t.Errorf("%s: models go from %v to %v with %v floats sent", query, r.lanes[0][0].Models, last.Models,
				last.Up)
		}
	}
}
