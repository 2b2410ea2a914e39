package engine_test

import (
	"math"
	"slices"
	"testing"
)

// Told the groups, FedAvg has one model for each of them, from the first round on: that is FedAvg among the clients of
// each group alone, whatever the others do. Where no groups are known, it is FedAvg.
func TestOracle(t *testing.T) {
	const digits = "data=digits&n=240&C=6&T=4&net=mlp&hidden=8&b=10&avg=model&tau=2&shift=none&every=2"
	r := record(t, digits+"&concept=permute&concepts=3&algos=fedavg:oracle,fedavg&fedavg:oracle.told=groups", nil)
	oracle, one := r.lanes[0], r.lanes[1]
	for _, f := range oracle {
		if f.ARI != 1 || f.Clusters != 3 {
			t.Fatalf("round %d: ARI %g with %d clusters, want 1 with 3", f.Round, f.ARI, f.Clusters)
		}
	}
	last := len(oracle) - 1
	if a, b := oracle[last], one[last]; a.Down != b.Down || a.Up != b.Up || a.Accuracy <= b.Accuracy {
		t.Errorf("the oracle sends %g and %g floats, and FedAvg %g and %g; accuracies %g and %g", a.Down, a.Up, b.Down, b.Up,
			a.Accuracy, b.Accuracy)
	}
	same := record(t, digits+"&split=dirichlet&algos=fedavg:oracle,fedavg&fedavg:oracle.told=groups", nil)
	if a, b := same.lanes[0][last], same.lanes[1][last]; a.Loss != b.Loss || a.Accuracy != b.Accuracy {
		t.Errorf("without groups: loss %g and %g", a.Loss, b.Loss)
	}
	// With one group, also to the last bit.
	single := record(t, "algos=fedavg:oracle,fedavg&fedavg:oracle.told=groups&D=1&T=20", nil)
	for i, f := range single.lanes[0] {
		if g := single.lanes[1][i]; f.Loss != g.Loss || f.Down != g.Down || !slices.Equal(f.Label, g.Label) {
			t.Fatalf("one group, round %d: loss %g and %g", i, f.Loss, g.Loss)
		}
	}
}

// On lines the oracle's models go to the lines of their groups, where the loss of every client is its noise.
func TestOracleFindsLines(t *testing.T) {
	r := record(t, "algos=fedavg:oracle&fedavg:oracle.told=groups&sigma=0.1&T=200&lr=0.1&b=50", nil)
	last := r.lanes[0][len(r.lanes[0])-1]
	if excess := last.Loss/0.01 - 1; math.Abs(excess) > 0.5 {
		t.Errorf("the loss is %g, want about 0.01, the noise", last.Loss)
	}
}

// With pool=1 a client trains on all clients' samples as their owners see them, and is tested on its own: one client per
// round trains in one place. Contradicting labels of others then count as much as its own.
func TestPool(t *testing.T) {
	const digits = "data=digits&n=600&C=6&T=6&net=mlp&hidden=16&b=10&avg=model&tau=3&shift=none&every=6&exam=0&algos=fedavg"
	alone := record(t, digits+"&rho=0.001", nil)
	pooled := record(t, digits+"&rho=0.001&pool=1", nil)
	last := len(pooled.lanes[0]) - 1
	a, p := alone.lanes[0][last], pooled.lanes[0][last]
	if float64(p.Computed) < 5.9*float64(a.Computed) || float64(p.Computed) > 6.1*float64(a.Computed) {
		t.Errorf("a client computes %g on all samples and %g on its own, want six times as much", p.Computed, a.Computed)
	}
	if p.Down != a.Down || p.Accuracy < a.Accuracy+0.05 {
		t.Errorf("accuracy %g on all samples and %g on one client's", p.Accuracy, a.Accuracy)
	}
	// Who trains is all the same, but for the draws: every client has the same samples.
	for i, s := range pooled.header.DataPreview.Gallery.Clients {
		if own := alone.header.DataPreview.Gallery.Clients[i].Samples; s.Samples != own {
			t.Errorf("client %d is shown with %d samples, and holds %d", i, s.Samples, own)
		}
	}
	split := record(t, digits+"&rho=0.001&pool=1&concept=permute&concepts=3", nil)
	if got := split.lanes[0][last].Accuracy; got > p.Accuracy-0.1 {
		t.Errorf("with labels that contradict each other accuracy is %g, without %g", got, p.Accuracy)
	}
}
