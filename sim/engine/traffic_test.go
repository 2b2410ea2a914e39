package engine_test

import (
	"fmt"
	"testing"

	"flockscope/sim/trace"
)

// TestTraffic compares the floats that a client receives and sends with the
// closed forms of the specification's section 10, exactly, after every round.
func TestTraffic(t *testing.T) {
	tests := []struct {
		name, query string
		d, k, p     int
	}{
		{"linreg", "data=linreg&T=60", 2, 3, 2},
		{"linreg, many models", "data=linreg&T=40&K=7&C=20", 2, 7, 5},
		{"linreg, one model", "data=linreg&T=12&K=1", 2, 1, 3},
		{"mix1d", "data=mix1d&T=40", 1, 2, 2},
		{"mix1d, four models", "data=mix1d&T=40&K=4", 1, 4, 3},
	}
	for _, tt := range tests {
		r := record(t, tt.query+"&algos=fedavg,local,ifca,clove", nil)
		perRound := [][2]int{{tt.d, tt.d}, {0, 0}, {tt.k * tt.d, tt.d}, {tt.k * tt.d, tt.k + tt.d}}
		for lane, want := range perRound {
			for n, f := range r.lanes[lane] {
				if f.Down != float64(n*want[0]) || f.Up != float64(n*want[1]) {
					t.Errorf("%s: %s after %d rounds: %v down and %v up, want %d and %d", tt.name, r.header.Lanes[lane].ID, n, f.Down, f.Up, n*want[0], n*want[1])
					break
				}
			}
		}
		for _, stop := range []string{"", "&stop=1"} {
			checkGradientTraffic(t, tt.query+fmt.Sprintf("&algos=cflgp&P=%d", tt.p)+stop, tt.d, tt.k, tt.p)
		}
	}
}

// checkGradientTraffic: CFL-GP sends d floats each way, and in a round with
// t mod P = 1 another d where the client's model is not the common one; after
// the stop rule d alone.
func checkGradientTraffic(t *testing.T, query string, d, k, p int) {
	t.Helper()
	r := record(t, query, nil)
	frames := r.lanes[0]
	total, clusterings, frozen := 0, 0, false
	for n := 1; n < len(frames); n++ {
		clustering := (n-1)%p == 1 && !frozen
		common := clusterings % k
		for _, label := range frames[n-1].Label { // the labels that the round began with
			total += d
			if clustering && int(label) != common {
				total += d
			}
		}
		if clustering {
			clusterings++
		}
		if got := frames[n].Events.Has(trace.Reclustered); got != clustering {
			t.Errorf("%s: round %d reclusters: %v, want %v", query, n, got, clustering)
		}
		want := float64(total) / float64(r.header.Clients)
		if frames[n].Down != want || frames[n].Up != want {
			t.Errorf("%s: after %d rounds %v down and %v up, want %v each", query, n, frames[n].Down, frames[n].Up, want)
			return
		}
		frozen = frozen || frames[n].Events.Has(trace.Frozen)
	}
	if clusterings < 2 && !frozen {
		t.Errorf("%s: %d clusterings prove nothing", query, clusterings)
	}
}
