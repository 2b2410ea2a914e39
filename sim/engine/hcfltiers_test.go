package engine_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestHCFLPresets: methods that are a choice a tier have the same labels, losses and
// floats as the method itself, every round, also where clients have unequally many
// samples, some take no part and some drop out. StoCFL needs that nothing ties clusters
// to its common model, which travels besides, and that all clients are there at first;
// the models of FeSEM are means of models there and move along means of updates here,
// which rounds otherwise. IFCA, FeSEM and StoCFL count clients.
func TestHCFLPresets(t *testing.T) {
	t.Parallel()
	const (
		lines  = "data=linreg&T=30"
		kinds  = "data=mix2&T=12"
		turned = "data=digits&n=120&C=5&T=6&exam=5&every=2&shift=rotations&angles=0,90&net=softmax&b=8"
		// all samples decide, as for HCFL where models are averaged
		uneven  = "data=digits&n=400&C=5&T=4&exam=0&every=2&split=unequal&ratio=9&shift=none&net=softmax&b=16&probe=400"
		some    = "&rho=0.7&drop=0.2"
		trained = "&avg=model&tau=2"
	)
	for _, tt := range []struct {
		name, tiers string
		data        []string
		off         float64 // how far losses may be apart
	}{
		{"ifca", "&weigh=loss&mean=clients", []string{lines, turned, uneven, uneven + trained, turned + some}, 1e-6},
		{"fedavg", "&weigh=member", []string{lines, turned + trained, uneven, uneven + trained, uneven + some}, 1e-6},
		{"fedavg", "&weigh=member&heads=1", []string{uneven + trained + "&net=mlp&hidden=5"}, 1e-6}, // trunk and head are one model
		{"fesem", "&weigh=near&mean=clients", []string{lines + "&dphi=40", turned + "&K=2" + trained, uneven + trained}, 1e-5},
		{"stocfl", "&tie=0&weigh=member&adapt=merge&mean=clients", []string{lines + "&init=0", lines + "&init=0&dphi=60&like=0.9"}, 1e-6},
		{"cfl", "&weigh=member&adapt=norms&dist=update&plain=1&most=3&warm=0" +
			"&eps1=0.05&tol1=0.05&eps2=0.3&tol2=0.3", []string{lines, lines + "&dphi=60"}, 1e-6},
		{"fedem", "", []string{lines, kinds, turned, uneven, uneven + trained, turned + some}, 0},
		{"fedem", "&mean=weight", []string{kinds, uneven + trained, turned + some}, 0},
		{"fedrc", "&form=ratio", []string{kinds, turned, uneven, uneven + trained, turned + some}, 0},
		{"fedrc", "&form=ratio&mean=weight", []string{turned, uneven + trained}, 0},
		{"fedgmm", "&form=joint&mean=weight", []string{lines, turned, uneven + trained, turned + some}, 0},
		{"hcflplus", "&form=ratio&weigh=sample&mu=0.4&heads=1&adapt=both&dist=concept&spare=9", []string{turned + trained, uneven + trained, turned}, 0},
		{"hcflplus", "&base=fedem&weigh=sample&mu=0&heads=1&adapt=both&dist=any&spare=9", []string{turned + trained + "&net=mlp&hidden=5", uneven}, 0},
	} {
		for _, data := range tt.data {
			if strings.Contains(data, "&net=mlp") {
				data = strings.Replace(data, "&net=softmax", "", 1)
			}
			for seed := 1; seed <= 3; seed++ {
				query := fmt.Sprintf("%s%s&algos=%s,hcfl&sd=%d&sm=%[4]d&sa=%[4]d", data, tt.tiers, tt.name, seed)
				r := recordAny(t, query)
				common := 0.0 // what StoCFL sends besides, each way
				for n, want := range r.lanes[0] {
					got := r.lanes[1][n]
					if n > 0 && tt.name == "stocfl" {
						common += 2
					}
					// StoCFL has everybody in its common model before the first round.
					if !slices.Equal(got.Label, want.Label) && (n > 0 || tt.name != "stocfl") {
						t.Fatalf("%s: round %d: labels %v, %s has %v", query, n, got.Label, tt.name, want.Label)
					}
					if !sameLoss(got.Loss, want.Loss) && !(math.Abs(got.Loss-want.Loss) <= tt.off) {
						t.Fatalf("%s: round %d: loss %v, %s has %v", query, n, got.Loss, tt.name, want.Loss)
					}
					if got.Down != want.Down-common || got.Up != want.Up-common {
						t.Fatalf("%s: round %d: %v floats down and %v up, %s has %v and %v", query, n, got.Down, got.Up,
							tt.name,
							want.Down-common, want.Up-common)
					}
				}
			}
		}
	}
}

// TestHCFLPlusIsHCFL: HCFL+ is four choices and a common trunk, with any μ, to the bit;
// unless μ is set it is that of the paper's Table 1 for either backbone.
func TestHCFLPlusIsHCFL(t *testing.T) {
	const data = "data=digits&n=400&C=8&T=12&every=5&exam=20&net=mlp&hidden=16&avg=model&b=16&lr=0.5&shift=none&concept=permute" +
		"&spare=3&hrho=0.05&weigh=sample&adapt=both&heads=1&algos=hcflplus,hcflplus:mu,hcfl"
	for _, query := range []string{
		"&base=fedem&hcflplus:mu.mu=0&hcfl.mu=0&form=label&dist=any",
		"&base=fedrc&hcflplus:mu.mu=0.4&hcfl.mu=0.4&form=ratio&dist=concept",
		"&base=fedem&mu=0.1&form=label&dist=any",
	} {
		prints := record(t, data+query, nil).fingerprints()
		if prints[0] != prints[1] || prints[1] != prints[2] {
			t.Errorf("%s: fingerprints %x, want three alike", query, prints)
		}
	}
	prints := record(t, data+"&base=fedem&form=label&dist=any&hcflplus:mu.mu=0.4", nil).fingerprints()
	if prints[0] == prints[1] {
		t.Errorf("fingerprints %x with μ = 0 and 0.4, want two", prints)
	}
}

// TestHCFLPutTraffic: a client that is put into a cluster gets its model alone and
// sends one back; once, it is asked what it is compared by: P each way for a pull at
// the first model, and C up for shares of labels. One that picks a cluster gets all and
// sends back the one that it trained.
func TestHCFLPutTraffic(t *testing.T) {
	const query = "data=digits&n=90&C=4&T=4&K=3&exam=5&every=5&net=mlp&hidden=5&b=8&probe=8"
	const trunk, head, k, c = 784*5 + 5, 5*10 + 10, 3, 10
	const whole = trunk + head
	r := record(
		t,
		query+"&algos=hcfl:near,hcfl:labels,hcfl:member,hcfl:loss&hcfl:near.weigh=near&hcfl:labels.weigh=labels&hcfl:labels.form=ratio"+
			"&hcfl:member.weigh=member&hcfl:member.adapt=merge&hcfl:loss.weigh=loss&hcfl:loss.adapt=split&hcfl:loss.dist=anchor&hcfl:loss.most=3",
		nil,
	)
	for n := range 5 {
		once := min(n, 1)
		for lane, want := range [][2]int{
			{n * whole, n * whole},
			{n * whole, n*whole + once*c},
			{(n + once) * whole, (n + once) * whole},
			{n*k*whole + once*whole, n*whole + once*whole},
		} {
			if f := r.lanes[lane][n]; f.Down != float64(want[0]) || f.Up != float64(want[1]) {
				t.Errorf("%s after %d rounds: %v down and %v up, want %d and %d", r.header.Lanes[lane].ID, n, f.Down,
					f.Up, want[0],
					want[1])
			}
		}
	}
}

// TestHCFLFindsTheGroups: merging, weights that the server finds, and pulls at the
// first model tell clients apart where there is what they go by: turned digits, digits
// that clients call differently, few labels each. From twice as many clusters as there
// are groups merging leaves what the weights alone do not.
func TestHCFLFindsTheGroups(t *testing.T) {
	t.Parallel()
	const base = "data=digits&n=1200&C=12&net=softmax&probe=100&exam=10&every=100&T=30&b=20&algos=hcfl&"
	const turned, named, few = "shift=rotations&angles=0,90,180,270&", "shift=none&concept=permute&order=shuffled&avg=model&", "shift=none&split=skew1&"
	const merge = "&adapt=merge&like=0.6"
	for _, tt := range []struct {
		query string
		least float64 // mean ARI
	}{
		{turned + "weigh=member" + merge, 0.99},
		{turned + "weigh=member&adapt=split&dist=anchor&hrho=0.2", 0.99},
		{turned + "weigh=loss&K=8" + merge, 0.85}, // 0.83 without merging
		{named + "weigh=loss&K=6" + merge, 0.95},  // 0.74
		{named + "weigh=em&K=6" + merge, 0.6},
		{named + "weigh=near&K=3", 0.95},
		{named + "weigh=near&K=6" + merge, 0.9}, // 0.58
		{few + "weigh=labels&K=5", 0.95},
		{few + "weigh=labels&K=8" + merge, 0.95},
	} {
		runs := overSeeds(t, base+tt.query, 10)
		got := mean(runs, 0, finalARI)
		t.Logf("%s: mean ARI %.3f", tt.query, got)
		if got < tt.least {
			t.Errorf("%s: mean ARI %.3f, want %v or more", tt.query, got, tt.least)
		}
	}
}
