package engine_test

import (
	"math"
	"testing"
)

// TestFedGMMTraffic: K models and m₁ means and variances each way, and up the shares
// of the Gaussians and the weights of the models; before the first round the moments
// of what clients see, which is 8 numbers of a picture's 784, and a line's only one.
func TestFedGMMTraffic(t *testing.T) {
	for _, tt := range []struct {
		query        string
		d, k, m1, de int
	}{
		{"data=linreg&T=6", 2, 3, 3, 1},
		{"data=mix1d&T=6&K=5&C=7&m1=2", 1, 5, 2, 1},
		{"data=mixreg&T=3&K=3&m1=4&dims=20", 20, 3, 4, 20},
		{"data=digits&n=80&T=5&C=4&K=3&exam=5&every=3&shift=none&net=softmax&b=8&probe=8&m1=5&avg=model", 7850, 3, 5, 8},
	} {
		r := record(t, tt.query+"&algos=fedgmm", nil)
		table := 2 * tt.m1 * tt.de
		for n, f := range r.lanes[0] {
			down, up := n*(tt.k*tt.d+table), n*(tt.k*tt.d+table+tt.m1+tt.k)
			if n > 0 {
				up += 1 + 2*tt.de
			}
			if f.Down != float64(down) || f.Up != float64(up) {
				t.Fatalf("%s after %d rounds: %v down and %v up, want %d and %d", tt.query, n, f.Down, f.Up, down, up)
			}
		}
	}
}

// TestFedGMMOneGaussian: a single Gaussian finds every input equally likely under every model, and
// FedGMM is FedEM.
func TestFedGMMOneGaussian(t *testing.T) {
	for _, data := range []string{"data=linreg&T=25", "data=linreg&T=15&avg=model&tau=2",
		"data=digits&n=90&C=5&T=4&exam=5&every=2&net=softmax&b=8&avg=model&lr=0.05"} {
		r := record(t, data+"&algos=fedgmm,fedem&m1=1&mean=weight", nil)
		for n, want := range r.lanes[1] {
			got := r.lanes[0][n]
			for j, w := range want.Mixture {
				if math.Abs(float64(got.Mixture[j]-w)) > 1e-3 {
					t.Fatalf("%s: round %d: weights %v, want %v", data, n, got.Mixture, want.Mixture)
				}
			}
			if math.Abs(float64(got.Loss-want.Loss)) > 1e-3*float64(want.Loss) {
				t.Errorf("%s: round %d: loss %v, want %v", data, n, got.Loss, want.Loss)
			}
		}
	}
}

// TestHCFLIsFedGMM: of HCFL's combinations, inputs and labels, weighed by
// expectation maximisation, a fixed number and means by weight is FedGMM.
func TestHCFLIsFedGMM(t *testing.T) {
	r := record(t, "data=linreg&T=20&m1=2&algos=fedgmm,hcfl&form=joint&mean=weight", nil)
	if a, b := r.summaries[0].Fingerprint, r.summaries[1].Fingerprint; a != b {
		t.Errorf("fingerprints %016x and %016x, want the same", a, b)
	}
}
