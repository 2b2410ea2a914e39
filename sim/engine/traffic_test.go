package engine_test

import (
	"fmt"
	"testing"

	"flockscope/sim/trace"
)

// TestTraffic compares the floats that a client receives and sends with the
// closed forms of the specification's section 10, exactly, after every round. A
// trained model costs what a gradient does, however long it was trained, and
// trying models costs nothing.
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
		{"digits", "data=digits&n=80&T=8&C=4&exam=5&every=3&shift=none&net=softmax&b=8&probe=8", 7850, 4, 2},
	}
	for _, tt := range tests {
		for _, protocol := range []string{"", "&nd=3&avg=model&tau=3&opt=adam&keep=kept&lr=0.01"} {
			query := tt.query + protocol
			r := record(t, query+"&algos=fedavg,local,ifca,clove", nil)
			perRound := [][2]int{{tt.d, tt.d}, {0, 0}, {tt.k * tt.d, tt.d}, {tt.k * tt.d, tt.k + tt.d}}
			for lane, want := range perRound {
				for n, f := range r.lanes[lane] {
					if f.Down != float64(n*want[0]) || f.Up != float64(n*want[1]) {
						t.Errorf("%s: %s after %d rounds: %v down and %v up, want %d and %d", query,
							r.header.Lanes[lane].ID, n, f.Down,
							f.Up, n*want[0], n*want[1])
						break
					}
				}
			}
			for _, stop := range []string{"", "&stop=1"} {
				for _, compression := range []int{1, 2, 100} {
					checkGradientTraffic(t, query+fmt.Sprintf("&algos=cflgp&P=%d&cr=%d", tt.p, compression)+stop, tt.d,
						tt.k, tt.p,
						max(1, tt.d/compression))
				}
			}
		}
	}
}

// checkGradientTraffic: CFL-GP sends d floats each way, and in a round with
// t mod P = 1, where the client's model is not the common one, another d down and
// d̂ up; after the stop rule d alone.
func checkGradientTraffic(t *testing.T, query string, d, k, p, width int) {
	t.Helper()
	r := record(t, query, nil)
	frames := r.lanes[0]
	down, up, clusterings, frozen := 0, 0, 0, false
	for n := 1; n < len(frames); n++ {
		clustering := (n-1)%p == 1 && !frozen
		common := clusterings % k
		for _, label := range frames[n-1].Label { // the labels that the round began with
			down += d
			up += d
			if clustering && int(label) != common {
				down += d
				up += width
			}
		}
		if clustering {
			clusterings++
		}
		if got := frames[n].Events.Has(trace.Reclustered); got != clustering {
			t.Errorf("%s: round %d reclusters: %v, want %v", query, n, got, clustering)
		}
		clients := float64(r.header.Clients)
		if f := &frames[n]; f.Down != float64(down)/clients || f.Up != float64(up)/clients {
			t.Errorf("%s: after %d rounds %v down and %v up, want %v and %v", query, n, f.Down, f.Up,
				float64(down)/clients,
				float64(up)/clients)
			return
		}
		frozen = frozen || frames[n].Events.Has(trace.ClusteringStopped)
	}
	if clusterings < 2 && !frozen {
		t.Errorf("%s: %d clusterings prove nothing", query, clusterings)
	}
}
