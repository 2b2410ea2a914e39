package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestAdaptiveTraffic: ICFL and Per-FedAvg cost a model each way in every round,
// StoCFL two, and one more when a client first comes (specification, sections 8
// and 9).
func TestAdaptiveTraffic(t *testing.T) {
	for _, tt := range []struct {
		query string
		d     int
	}{
		{"data=linreg&T=30", 2}, {"data=linreg&T=20&avg=model&tau=2&opt=adam&lr=0.02", 2}, {"data=mix1d&T=20", 1},
		{"data=digits&n=80&T=5&C=4&exam=5&every=3&shift=none&net=softmax&b=8&probe=8", 7850},
	} {
		r := record(t, tt.query+"&algos=stocfl,icfl,perfedavg", nil)
		checkFrames(t, tt.query, r)
		for lane, want := range []func(n int) int{
			func(n int) int { return (2*n + min(n, 1)) * tt.d }, func(n int) int { return n * tt.d }, func(n int) int {
				return n * tt.d
			},
		} {
			for n, f := range r.lanes[lane] {
				if f.Down != float64(want(n)) || f.Up != float64(want(n)) {
					t.Fatalf("%s: lane %d after %d rounds: %v down and %v up, want %d", tt.query, lane, n, f.Down, f.Up,
						want(n))
				}
			}
		}
	}
}

// TestAdaptiveFindsTheGroups: StoCFL in its first round, and ICFL when its threshold has grown,
// separate rotated and renamed digits without being given how many kinds there are, for every seed;
// StoCFL also while clients come and go.
func TestAdaptiveFindsTheGroups(t *testing.T) {
	t.Parallel()
	const base = "data=digits&n=1200&net=softmax&probe=10&exam=10&every=100"
	for _, tt := range []struct {
		query string
		least float64 // mean ARI
	}{
		{base + "&C=12&T=2&b=5&shift=rotations&angles=0,90,180,270&algos=stocfl", 1},
		{base + "&C=12&T=2&b=5&shift=none&concept=swaps&algos=stocfl", 0.95},
		{base + "&C=15&T=2&b=5&shift=none&split=skew1&algos=stocfl", 1},
		{base + "&C=12&T=80&b=5&rho=0.4&shift=rotations&angles=0,90,180,270&algos=stocfl", 1},
		{base + "&C=12&T=8&b=5&shift=rotations&angles=0,90,180,270&late=3&join=6&algos=stocfl", 1},
		{base + "&C=12&T=16&b=100&shift=rotations&angles=0,90,180,270&algos=icfl", 0.9},
		{base + "&C=12&T=20&b=100&shift=rotations&angles=0,90,180,270&late=3&join=18&algos=icfl", 0.85},
	} {
		runs := overSeeds(t, tt.query, 10)
		got := mean(runs, 0, finalARI)
		t.Logf("%s: mean ARI %.3f", tt.query, got)
		if got < tt.least {
			t.Errorf("%s: mean ARI %.3f, want %v or more", tt.query, got, tt.least)
		}
	}
}

// TestPersonalStart: with few classes a client, a model that one step adapts
// answers better than one for all, for every seed.
func TestPersonalStart(t *testing.T) {
	for seed := 1; seed <= 10; seed++ {
		r := record(
			t,
			fmt.Sprintf(
				"data=digits&n=750&C=15&net=softmax&b=40&probe=10&exam=30&every=10&T=10&shift=none&split=skew1&algos=perfedavg,fedavg&sd=%d&sm=%d",
				seed, seed),
			nil,
		)
		if own, all := r.summaries[0].Accuracy, r.summaries[1].Accuracy; own < all+0.1 {
			t.Errorf("seed %d: accuracy %.3f after a step, %.3f of FedAvg, want a tenth more", seed, own, all)
		}
	}
}

// TestAdaptiveIsSound: corners, and bits that do not hang on where clients live.
func TestAdaptiveIsSound(t *testing.T) {
	const lanes = "&algos=stocfl,stocfl:one,icfl,perfedavg&stocfl:one.most=1&like=0.9&icfl.amax=1"
	for _, query := range []string{
		"data=linreg&C=1&D=1&T=9", "data=linreg&dphi=0&sigma=0&init=0&T=30", "data=linreg&C=40&T=30&rho=0.2&drop=0.4&late=9&join=9", "data=linreg&b=1&probe=2&T=40",
		"data=mix1d&T=30&avg=model&tau=3&opt=momentum&keep=kept&lr=0.02", "data=digits&n=240&C=6&T=4&every=2&exam=20&net=autoencoder&code=4&b=16&probe=20&nd=3",
	} {
		r := record(t, query+lanes, nil)
		checkFrames(t, query, r)
	}
	for _, query := range []string{
		"data=digits&C=7&n=350&T=5&every=2&exam=20&hidden=12&b=16&probe=16" + lanes,
		"data=digits&C=7&n=350&T=5&every=2&exam=20&hidden=12&b=16&probe=16&rho=0.6&drop=0.2&avg=model&opt=adam&lr=0.01" + lanes,
		"data=digits&C=6&n=300&T=9&every=3&exam=20&hidden=12&b=16&probe=16&late=2&join=6&algos=clove,cflgp,cflgp:r&settle=stable&calm=2&agree=0.5&meet=once&layer=head&trunk=common&cflgp:r.as=released",
	} {
		want := record(t, query, nil)
		checkFrames(t, query, want)
		for _, n := range []int{1, 3} {
			p := newPlaces(n, nil)
			got := play(t, query, p)
			p.close()
			if !slices.Equal(got.fingerprints(), want.fingerprints()) {
				t.Errorf("%s: fingerprints %x with %d shards, %x without", query, got.fingerprints(), n,
					want.fingerprints())
			}
		}
	}
}

// TestFoundThresholds: without settings of their own StoCFL, PACFL and FedClust put neither
// each client alone nor all together, on any of these data, and find the groups of the
// data that show what they compare.
func TestFoundThresholds(t *testing.T) {
	const digits = "data=digits&n=600&C=12&T=2&net=softmax&angles=0,90,180,270"
	for _, tt := range []struct {
		query string
		right []string // finds the groups in every run
	}{
		{digits, []string{"stocfl", "fedclust"}},
		{strings.Replace(digits, "digits", "garments", 1), []string{"stocfl", "fedclust"}},
		{"data=digits&n=600&C=12&T=2&net=softmax&shift=none&concept=permute&concepts=3", []string{"stocfl"}},
		{"data=mixreg&T=2", []string{"stocfl", "pacfl", "fedclust"}},
		{"data=words&n=2000&T=2", []string{"stocfl", "fedclust"}},
		{"data=linreg&T=2&dphi=40", nil},
		{"data=linrep&T=2", nil},
	} {
		seeds := 10
		if testing.Short() {
			seeds = 2
		}
		for seed := 1; seed <= seeds; seed++ {
			query := fmt.Sprintf("%s&algos=stocfl,pacfl,fedclust&sd=%d&sm=%d&sa=%d", tt.query, seed, seed, seed)
			r := record(t, query, nil)
			for lane, name := range []string{"stocfl", "pacfl", "fedclust"} {
				f := r.lanes[lane][len(r.lanes[lane])-1]
				if slices.Contains(tt.right, name) && f.ARI < 0.99 || f.Clusters == 1 || f.Clusters == len(f.Label) {
					t.Errorf("%s: %s has %d clusters of %d clients, ARI %.2f", query, name, f.Clusters, len(f.Label), f.ARI)
				}
			}
		}
	}
}
