package engine_test

import (
	"fmt"
	"math"
	"testing"
)

// TestProbeOfAllSamples: 0 stands for all training samples of every client, more of which there are
// not; where they cannot be counted, for the minibatch. It is the default of IFCA and CLoVE where
// clients train models themselves, and of no other method.
func TestProbeOfAllSamples(t *testing.T) {
	const gradient = "data=digits&n=600&C=6&T=8&every=4&exam=10&net=softmax&b=16&split=unequal&algos=ifca,clove,fedem"
	const digits = gradient + "&avg=model"
	for _, tt := range []struct{ name, a, b string }{
		{"all", digits + "&probe=0", digits + "&probe=100000"},
		{"the default", digits, digits + "&ifca.probe=0&clove.probe=0&fedem.probe=64"},
		{"a gradient", gradient, gradient + "&probe=64"},
		{"no fixed samples", "data=linreg&T=20&b=7&probe=0&algos=ifca,clove", "data=linreg&T=20&b=7&probe=7&algos=ifca,clove"},
		{"no fixed samples, by default", "data=mix1d&T=20&avg=model&b=30&algos=ifca,clove", "data=mix1d&T=20&avg=model&b=30&probe=30&algos=ifca,clove"},
	} {
		a, b := record(t, tt.a, nil).fingerprints(), record(t, tt.b, nil).fingerprints()
		if fmt.Sprint(a) != fmt.Sprint(b) {
			t.Errorf("%s: fingerprints %x and %x, want the same", tt.name, a, b)
		}
	}
	all, some := record(t, digits, nil).fingerprints(), record(t, digits+"&probe=64", nil).fingerprints()
	if all[0] == some[0] || all[1] == some[1] || all[2] != some[2] {
		t.Errorf("fingerprints %x on all samples and %x on 64, want IFCA and CLoVE to differ and FedEM not to",
			all, some)
	}
}

// TestGradientOfAllSamples: CLoVE's Option II on all local data is that on a minibatch of
// all samples, but for the order in which they are added up.
func TestGradientOfAllSamples(t *testing.T) {
	const query = "data=digits&n=400&C=6&T=5&every=5&exam=10&net=softmax&split=unequal&lr=0.5&algos=clove"
	all, same := record(t, query+"&b=16&grad=all", nil), record(t, query+"&b=10000", nil)
	for n, want := range same.lanes[0] {
		if got := all.lanes[0][n]; math.Abs(got.Loss-want.Loss) > 1e-5 ||
			fmt.Sprint(got.Label) != fmt.Sprint(want.Label) {
			t.Errorf("round %d: loss %v and labels %v, want %v and %v", n, got.Loss, got.Label, want.Loss, want.Label)
		}
	}
	if part := record(t, query+"&b=16", nil); math.Abs(part.lanes[0][5].Loss-same.lanes[0][5].Loss) < 1e-5 {
		t.Error("a minibatch of 16 leads where all samples do: this proves nothing")
	}
}

// TestIFCAByAccuracy: as CFL-GP's authors ran it IFCA finds groups later than CFL-GP, if
// at all (CFL-GP, Table 3).
func TestIFCAByAccuracy(t *testing.T) {
	runs := overSeeds(
		t,
		"data=digits&n=1600&C=16&net=softmax&b=64&T=40&every=40&exam=20&angles=0,15,90,105,180,195,270,285"+
			"&algos=ifca,ifca:loss,cflgp&choose=accuracy&ifca:loss.choose=loss",
		5,
	)
	var sums [3]int
	differ := false
	for i := range runs {
		for lane := range sums {
			found := runs[i].lanes[lane].summary.FirstCorrect
			if found < 0 {
				found = 40 // the paper counts a run that never finds them as the longest
			}
			sums[lane] += found
		}
		differ = differ || runs[i].lanes[0].summary.Fingerprint != runs[i].lanes[1].summary.Fingerprint
	}
	if !differ || sums[0] < 3*sums[2] {
		t.Errorf(
			"rounds to the right clusters, summed over 5 runs: %v by accuracy, by loss and of CFL-GP; want the first to be by far above the last",
			sums)
	}
}
