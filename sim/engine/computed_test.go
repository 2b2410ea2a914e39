package engine_test

import (
	"fmt"
	"math"
	"testing"

	"flockscope/sim/trace"
)

// Multiply-adds of the network of TestComputed, per sample: 784-12-10.
const (
	firstLayer, lastLayer = 784 * 12, 12 * 10
	forwardPass           = firstLayer + lastLayer
	// A gradient passes forward and back. Back, each layer takes a product for its parameters and, but for the first layer,
	// one for its inputs.
	gradientPass = 2*firstLayer + 3*lastLayer
)

// TestComputed compares the multiply-adds of a client with those counted by hand, after every round.
func TestComputed(t *testing.T) {
	const clients, samples, k, epochs = 4, 14, 3, 2 // training samples
	data := fmt.Sprintf("data=digits&n=%d&T=4&C=%d&exam=0&every=3&shift=none&net=mlp&hidden=12", clients*20, clients)
	sending := func(b, probe int) string { return fmt.Sprintf("%s&b=%d&probe=%d", data, b, probe) }
	training := fmt.Sprintf("%s&b=8&probe=5&avg=model&tau=%d", data, epochs)
	const trainAll = epochs * samples * gradientPass
	// HCFL+ with k heads on all samples, forward, and a step of the trunk with them.
	const heads, step = samples * (firstLayer + k*lastLayer), samples * (2*firstLayer + 3*k*lastLayer)
	for _, tt := range []struct {
		name, query string
		want        int
	}{
		{"FedAvg", sending(8, 5) + "&algos=fedavg", 8 * gradientPass},
		{"FedAvg, training", training + "&algos=fedavg", trainAll},
		{"local", training + "&algos=local", trainAll},
		{"IFCA: K losses and a gradient", sending(8, 5) + "&K=3&algos=ifca", 5*k*forwardPass + 8*gradientPass},
		{"IFCA on the same samples", sending(8, 8) + "&K=3&algos=ifca", 8 * (k*forwardPass + gradientPass)},
		{"IFCA, training", training + "&K=3&algos=ifca", 5*k*forwardPass + trainAll},
		{"CLoVE: as IFCA", sending(8, 8) + "&K=3&algos=clove", 8 * (k*forwardPass + gradientPass)},
		{"CLoVE, gradient of all samples", sending(8, 8) + "&K=3&grad=all&algos=clove", 8*k*forwardPass + samples*gradientPass},
		{"FedEM: K models", sending(8, 8) + "&K=3&algos=fedem", 8 * k * (forwardPass + gradientPass)},
		{"FedEM, other samples", sending(8, 5) + "&K=3&algos=fedem", 5*k*forwardPass + 8*k*(forwardPass+gradientPass)},
		{"FedEM, training", training + "&K=3&algos=fedem", samples*k*forwardPass + k*trainAll},
		{"Per-FedAvg: a gradient after a step", sending(8, 8) + "&algos=perfedavg", 2 * 8 * gradientPass},
		{"HCFL+", sending(8, 8) + "&K=3&algos=hcflplus&hrho=2&spare=100", 8 * (firstLayer + k*lastLayer + 2*firstLayer + 3*k*lastLayer)},
		{"HCFL+, training", training + "&K=3&algos=hcflplus&hrho=2&spare=100", heads + epochs*step},
		{"HCFL+, heads first", training + "&K=3&algos=hcflplus&hrho=2&spare=100&train=heads", heads + epochs*(samples*2*k*lastLayer+step)},
	} {
		r := record(t, tt.query, nil)
		for n, f := range r.lanes[0] {
			if f.Computed != float64(n*tt.want) {
				t.Errorf("%s: %g multiply-adds after %d rounds, want %d", tt.name, f.Computed, n, n*tt.want)
				break
			}
		}
		if s := r.summaries[0]; s.Computed != float64(4*tt.want) {
			t.Errorf("%s: the summary has %g multiply-adds, want %d", tt.name, s.Computed, 4*tt.want)
		}
	}
}

// TestComputedByLines: a line takes a product a sample, and one more for its gradient.
func TestComputedByLines(t *testing.T) {
	for lane, want := range []float64{2 * 10, 3*20 + 2*10, 20*3 + 2*10} {
		r := record(t, "data=linreg&T=5&b=10&probe=20&K=3&algos=fedavg,ifca,clove", nil)
		if got := r.summaries[lane].Computed; got != 5*want {
			t.Errorf("%s: %g multiply-adds, want %g", r.header.Lanes[lane].ID, got, 5*want)
		}
	}
}

// TestComputedByGradientPartitioning: CFL-GP computes a gradient, and in rounds that compare clients another one at the
// common model unless that is the client's own.
func TestComputedByGradientPartitioning(t *testing.T) {
	const b, k = 8, 3
	r := record(t, "data=digits&n=80&T=9&C=4&K=3&P=2&exam=0&every=3&shift=none&net=mlp&hidden=12&b=8&probe=8&algos=cflgp", nil)
	gradients, clusterings := 0, 0
	for n := 1; n < len(r.lanes[0]); n++ {
		compares := (n-1)%2 == 1
		for _, label := range r.lanes[0][n-1].Label {
			if gradients++; compares && int(label) != clusterings%k {
				gradients++
			}
		}
		if compares {
			clusterings++
		}
		if got, want := r.lanes[0][n].Computed, float64(gradients*b*gradientPass)/4; got != want {
			t.Errorf("%g multiply-adds after %d rounds, want %g", got, n, want)
		}
	}
	if gradients == 4*9 {
		t.Error("no client compared a second gradient")
	}
}

// TestComputedByParticipants: those who do not take part compute nothing, and those who drop out what the others do.
func TestComputedByParticipants(t *testing.T) {
	r := record(t, "data=linreg&T=40&C=10&b=10&rho=0.5&drop=0.3&algos=fedavg", nil)
	took, dropped := 0, 0
	for n := 1; n < len(r.lanes[0]); n++ {
		for _, s := range r.lanes[0][n].State {
			if s != trace.Absent {
				took++
			}
			if s == trace.Dropped {
				dropped++
			}
		}
		if got, want := r.lanes[0][n].Computed, float64(2*10*took)/10; got != want {
			t.Errorf("%g multiply-adds after %d rounds, want %g", got, n, want)
		}
	}
	if dropped == 0 {
		t.Error("no client dropped out")
	}
}

// TestComputedAsInTable11 compares ratios with those of seconds per round in HCFL's Table 11, as far as seconds on one
// machine can be compared with products: ICFL 124.71, HCFL+ 176.48. There HCFL+ has 5 clusters at the end.
func TestComputedAsInTable11(t *testing.T) {
	const query = "data=garments&net=cnn&n=240&C=6&exam=5&T=3&every=3&b=20&avg=model&K=5&hrho=2&spare=100&algos=icfl,hcflplus"
	r := record(t, query, nil)
	got, want := r.summaries[1].Computed/r.summaries[0].Computed, 176.48/124.71
	if math.Abs(got-want) > 0.1*want {
		t.Errorf("HCFL+ takes %.3f times the multiply-adds of ICFL, want about %.3f", got, want)
	}
}
