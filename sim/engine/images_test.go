package engine_test

import (
	"runtime"
	"testing"
)

// The tests of this file hold the instrument against what CFL-GP and CLoVE claim
// about images, on drawn digits in MNIST's place. Short tests have smaller networks
// and fewer clients, samples and rounds. The bounds leave room for what twelve and
// more new seeds gave in the short tests.

// images runs the small query over three seeds, and the whole one over five when
// tests may take their time. The small ones are of a size that the race detector,
// which looks at every pixel, gets through in half a minute.
func images(t *testing.T, small, whole string) []outcomes {
	t.Helper()
	if runtime.GOOS == "js" {
		t.Skip("takes too long compiled for the browser, where runs have the same bits")
	}
	if testing.Short() {
		return overSeeds(t, small, 3)
	}
	return overSeeds(t, whole, 5)
}

// within checks a mean over the runs.
func within(t *testing.T, runs []outcomes, lane int, what string, of func(*outcome) float64, low, top float64) {
	t.Helper()
	got := mean(runs, lane, of)
	t.Logf("lane %d: mean %s %.4f", lane, what, got)
	if !(got >= low && got <= top) {
		t.Errorf("lane %d: mean %s = %.4f, want %.3f to %.3f", lane, what, got, low, top)
	}
}

func finalAccuracy(o *outcome) float64 { return o.summary.Accuracy }

// ariAfter returns the ARI after so many rounds.
func ariAfter(round int) func(*outcome) float64 {
	return func(o *outcome) float64 { return o.ari[round] }
}

// foundBy checks that a lane has the groups in every run from a round on.
func foundBy(t *testing.T, runs []outcomes, lane, round int) {
	t.Helper()
	for seed, run := range runs {
		for n, ari := range run.lanes[lane].ari {
			if n >= round && ari != 1 {
				t.Errorf("seed %d, lane %d: ARI %.3f after round %d, want 1 from round %d on", seed+1, lane, ari,
					n, round)
				break
			}
		}
	}
}

// TestPaperRotatedDigits is CFL-GP's section 5.2, Tables 3 and 10 (K = 4, P = 2,
// b = 64, rate 0.1): the groups of angles are found by the first clustering or
// soon after and never lost, FedAvg is far behind, and IFCA takes longer and may
// stop at the wrong clusters.
func TestPaperRotatedDigits(t *testing.T) {
	t.Parallel()
	const cflgp, fedavg, ifca = 0, 1, 2
	const lanes = "&shift=rotations&K=4&P=2&b=64&probe=64&lr=0.1&exam=0&every=200&algos=cflgp,fedavg,ifca"
	runs := images(t, "data=digits&n=3200&C=16&hidden=32&T=30"+lanes, "data=digits&n=70000&C=32&hidden=200&T=200"+lanes)
	first := 2 // the round of the first clustering
	if testing.Short() {
		first = 6 // of the third: small networks say less
	}
	foundBy(t, runs, cflgp, first)
	within(t, runs, cflgp, "accuracy", finalAccuracy, 0.45, 1)
	within(t, runs, fedavg, "accuracy", finalAccuracy, 0.2, mean(runs, cflgp, finalAccuracy)-0.1)
	within(t, runs, fedavg, "ARI", finalARI, 0, 0)
	within(t, runs, ifca, "ARI after round 6", ariAfter(6), 0, 0.8)
	within(t, runs, ifca, "accuracy", finalAccuracy, 0.2, mean(runs, cflgp, finalAccuracy)+0.02)
}

// TestPaperRotatedDigitsByClients is CFL-GP's Table 3 for the other numbers of
// clients: whole runs only.
func TestPaperRotatedDigitsByClients(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes; with fewer clients TestPaperRotatedDigits says the same")
	}
	for _, clients := range []string{"16", "64"} {
		runs := images(t, "",
			"data=digits&n=70000&shift=rotations&K=4&P=2&b=64&lr=0.1&exam=0&every=200&hidden=200&T=200&algos=cflgp&C="+clients)
		foundBy(t, runs, 0, 2)
		within(t, runs, 0, "accuracy at C = "+clients, finalAccuracy, 0.75, 1)
	}
}

// TestPaperDecimals is CFL-GP's Table 7: gradients cut to two decimals or more
// tell the groups apart, and cut to one or none they do not.
func TestPaperDecimals(t *testing.T) {
	const lanes = "&shift=rotations&K=4&P=2&lr=0.1&exam=0&every=200&algos=cflgp:0,cflgp:1,cflgp:2,cflgp:3" +
		"&cflgp:0.nd=0&cflgp:1.nd=1&cflgp:2.nd=2&cflgp:3.nd=3"
	runs := images(t, "data=digits&n=3200&C=16&b=64&hidden=32&T=12"+lanes,
		"data=digits&n=70000&angles=0,90,180,270&C=40&b=100&hidden=200&T=60"+lanes)
	within(t, runs, 0, "ARI", finalARI, 0, 0)
	within(t, runs, 0, "accuracy", finalAccuracy, 0, 0.2) // models that never moved
	within(t, runs, 1, "ARI", finalARI, -0.2, 0.2)
	within(t, runs, 2, "ARI", finalARI, 0.97, 1)
	within(t, runs, 3, "ARI", finalARI, 0.97, 1)
	within(t, runs, 3, "accuracy", finalAccuracy, mean(runs, 1, finalAccuracy)+0.1, 1)
}

// TestPaperCompression is CFL-GP's Figure 4: a thousandth of the coordinates, 159 of
// them, is enough to compare gradients by, and a tenth of that is not, at least for
// the first clustering. A small network is no smaller in what it has to tell, so a
// tenth of its coordinates is taken in place of a thousandth, and a thousandth, 25
// of them, in place of less.
func TestPaperCompression(t *testing.T) {
	const lanes = "&shift=rotations&K=4&P=2&lr=0.1&every=200&T=8&algos=cflgp,cflgp:some,cflgp:few"
	runs := images(t, "data=digits&n=3200&C=16&b=64&hidden=32&cflgp:some.cr=10&cflgp:few.cr=1000"+lanes,
		"data=digits&n=70000&angles=0,90,180,270&C=80&b=100&hidden=200&cflgp:some.cr=1000&cflgp:few.cr=10000"+lanes)
	within(t, runs, 0, "ARI", finalARI, 1, 1)
	within(t, runs, 1, "ARI", finalARI, 0.97, 1)
	within(t, runs, 2, "ARI after the first clustering", ariAfter(2), -0.2, 0.8)
}

// TestPaperLossVectorsOfImages is CLoVE's Table 2: clients that hold different
// classes (label skew 1 and 2), see turned digits (feature skew) or call them by
// other names (concept shift) are told apart by round 3. Small runs have a dense
// network in the place of the convolutional one.
func TestPaperLossVectorsOfImages(t *testing.T) {
	t.Parallel()
	const training = "&test=set&avg=model&tau=1&opt=adam&lr=0.01&exam=0&every=5&T=4&algos=clove"
	const small, whole = "data=digits&net=mlp&hidden=32&b=25" + training, "data=digits&n=70000&net=cnn&b=100" + training
	tests := []struct{ name, query, small, whole string }{
		{"label skew 1", "&shift=none&split=skew1&K=5", "&n=2800&C=15&each=100&probe=100", "&C=25&each=500&probe=500"},
		{"label skew 2", "&shift=none&split=skew2&K=5", "&n=2800&C=15&each=100&probe=100", "&C=25&each=500&probe=500"},
		{"feature skew", "&shift=rotations&angles=0,90,180,270&reuse=1&K=4", "&n=4200&C=12&each=250&probe=250",
			"&C=40&each=500&probe=500"},
		{"concept shift", "&shift=none&concept=swaps&reuse=1&K=4", "&n=4200&C=12&each=250&probe=250",
			"&C=20&each=1000&probe=1000"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			runs := images(t, small+tt.query+tt.small, whole+tt.query+tt.whole)
			foundBy(t, runs, 0, 3)
			within(t, runs, 0, "accuracy", finalAccuracy, 0.65, 1)
		})
	}
}

// TestPaperLossVectorsWithoutLabels is CLoVE's unsupervised experiment: ten kinds
// of clients with one digit each, and autoencoders, which nobody tells what they
// see. IFCA's clients crowd around few models. With two clients a digit CLoVE's
// k-means now and then finds a tighter partition than the planted one.
func TestPaperLossVectorsWithoutLabels(t *testing.T) {
	t.Parallel()
	const clove, ifca = 0, 1
	const lanes = "&shift=none&split=classes&per=1&test=set&net=autoencoder&K=10&avg=model&tau=1&opt=adam&T=4&every=5&algos=clove,ifca"
	runs := images(t, "data=digits&n=2800&code=16&C=20&each=100&b=25&probe=100&lr=0.01"+lanes,
		"data=digits&n=20000&C=50&each=200&b=25&probe=200&lr=0.003"+lanes)
	within(t, runs, clove, "ARI", finalARI, 0.85, 1)
	within(t, runs, ifca, "ARI", finalARI, -0.1, 0.4)
}
