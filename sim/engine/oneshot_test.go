package engine_test

import (
	"math"
	"strings"
	"testing"
)

// TestPaperRecursiveSplits holds CFL against CFL-GP's section 5.1, where it is
// called MADMO, with the thresholds given there, and against an independent
// simulation of the same section, which over 20 seeds found a mean ARI of 0.000,
// 0.184, 0.465 and 0.835 for gaps of 5, 10, 20 and 40 degrees. Single runs spread
// by 0.3 at most, so the difference of means over 30 and 20 seeds by 0.09; the
// bounds are two of that.
func TestPaperRecursiveSplits(t *testing.T) {
	for query, want := range map[string]float64{"dphi=5": 0, "dphi=10": 0.184, "dphi=20": 0.465, "dphi=40": 0.835} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			runs := overSeeds(t, "data=linreg&algos=cfl&eps1=0.02&eps2=0.6&"+query, 30)
			got := mean(runs, 0, finalARI)
			t.Logf("mean ARI %.3f, MSE %.4f", got, mean(runs, 0, finalLoss))
			if math.Abs(got-want) > 0.18 {
				t.Errorf("%s: mean ARI = %.3f, want %.3f within 0.18", query, got, want)
			}
		})
	}
}

// TestWhatOneShotMethodsSee: methods that compare samples do not see the clients' labels, and
// methods that compare updates do.
func TestWhatOneShotMethodsSee(t *testing.T) {
	t.Parallel()
	const digits = "data=digits&n=1200&C=12&T=3&every=3&exam=5&net=softmax&b=20&probe=20&avg=model"
	tests := []struct {
		query     string
		seeds     int
		low, high float64 // of the mean ARI
	}{
		// Four groups that see the same images and swap two pairs of names.
		{digits + "&concept=swaps&shift=none&algos=pacfl&cut=20", 10, -0.1, 0.1},
		{digits + "&concept=swaps&shift=none&algos=pacfl&cut=5", 10, -0.1, 0.1},
		{digits + "&concept=swaps&shift=none&algos=kfed&K=4", 10, -0.15, 0.15},
		{digits + "&concept=swaps&shift=none&algos=fesem&K=4", 10, 0.8, 1},
		{digits + "&concept=swaps&shift=none&algos=flexcfl&K=4", 10, 0.8, 1},
		{digits + "&concept=swaps&shift=none&algos=fedclust&far=3", 10, 0.8, 1},
		// Turned by quarters, images differ themselves.
		{digits + "&shift=rotations&angles=0,90,180,270&algos=kfed&K=4", 10, 0.8, 1},
		// Directions take more samples than means do.
		{strings.Replace(digits, "n=1200", "n=2400", 1) + "&shift=rotations&angles=0,90,180,270&algos=pacfl&cut=20", 10, 0.8,
			1},
		// Lines through the middle of all samples have the same mean, and
		// directions of their own.
		{"data=mix1d&T=2&algos=kfed", 30, -0.3, 0.3},
		{"data=mix1d&T=2&algos=kfed&centres=awasthi", 30, -0.3, 0.3},
		{"data=mix1d&T=2&algos=kfed&kp=2", 30, -0.3, 0.3},
		{"data=mixreg&held=100&probe=100&b=20&T=2&algos=kfed", 10, -0.3, 0.3}, // acceptance test o of the specification
		{"data=mix1d&T=2&algos=pacfl", 30, 0.97, 1},
	}
	for _, tt := range tests {
		got := mean(overSeeds(t, tt.query, tt.seeds), 0, finalARI)
		t.Logf("%s: mean ARI %.3f", tt.query, got)
		if got < tt.low || got > tt.high {
			t.Errorf("%s: mean ARI = %.3f, want %v to %v", tt.query, got, tt.low, tt.high)
		}
	}
}

// TestTrafficOfOneShotMethods: what is sent once, and then a model to and fro in
// every round (the specification's section 10). Whole numbers do not count.
func TestTrafficOfOneShotMethods(t *testing.T) {
	const (
		line   = "data=linreg&T=12"
		slope  = "data=mix1d&T=9"
		digits = "data=digits&n=1200&C=4&T=4&every=4&exam=5&shift=none&net=softmax&b=8&probe=8"
	)
	const d, pixels = 7850, 784
	tests := []struct {
		query            string
		size             int // of a model
		downOnce, upOnce int
	}{
		{line + "&algos=cfl&eps1=10&eps2=0", 2, 0, 0}, {digits + "&algos=cfl", d, 0, 0},
		{line + "&algos=fesem", 2, 0, 0}, {digits + "&algos=fesem", d, 0, 0},
		{line + "&algos=flexcfl", 2, 2, 2}, {slope + "&algos=flexcfl", 1, 1, 1}, {digits + "&algos=flexcfl", d, d, d},
		{line + "&algos=fedclust", 2, 2, 2}, {slope + "&algos=fedclust", 1, 1, 1}, {digits + "&algos=fedclust", d, d, d},
		// Of 8 hidden units the last layer alone comes up: 10 classes with a bias each.
		{strings.Replace(digits, "net=softmax", "net=mlp&hidden=8", 1) + "&algos=fedclust", 785*8 + 90, 785*8 + 90, 90},
		{line + "&algos=kfed", 2, 0,
			2}, {line + "&algos=kfed&kp=4", 2, 0, 4 * 2}, {digits + "&algos=kfed&kp=2", d, 0, 2 * pixels},
		{line + "&algos=pacfl", 2, 0,
			1 * 2}, {digits + "&algos=pacfl&p=5&basis=all", d, 0, 5 * pixels}, {digits +
			"&algos=pacfl&p=2", d, 0, 2 * 10 * pixels},
	}
	for _, tt := range tests {
		for _, protocol := range []string{"", "&avg=model&tau=2"} {
			query := tt.query + protocol
			for n, f := range record(t, query, nil).lanes[0] {
				down, up := n*tt.size+tt.downOnce, n*tt.size+tt.upOnce
				if n == 0 {
					down, up = 0, 0
				}
				if f.Down != float64(down) || f.Up != float64(up) {
					t.Errorf("%s after %d rounds: %v down and %v up, want %d and %d", query, n, f.Down, f.Up, down, up)
					break
				}
			}
		}
	}
}
