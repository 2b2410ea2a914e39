package engine_test

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/param"
)

// tiers are the choices of HCFL's four tiers and of its layout; the fourth tier
// and split, the settings of splitting, are asked for by those of the third that
// split, and another fourth tier by the one that merges.
func tiers(split string) (queries []string) {
	for _, form := range []string{"label", "ratio", "joint"} {
		for _, weigh := range []string{"loss", "count", "em", "sample", "near", "labels", "member"} {
			for _, adapt := range []string{"fixed", "remove", "split&dist=any", "split&dist=concept",
				"split&dist=update", "split&dist=anchor",
				"split&dist=mean", "norms&dist=update", "both&dist=any", "both&dist=concept", "both&dist=update", "both&dist=anchor", "merge&after=1", "merge&after=1&alike=any&like=0.9", "merge&after=1&alike=concept&like=0.9"} {
				if strings.Contains(adapt, "dist") {
					adapt += split
				}
				if strings.Contains(adapt, "norms") {
					adapt = strings.NewReplacer("hrho=0.001", "tol1=1000&tol2=0", "hrho=0", "tol1=1000&tol2=0").Replace(adapt)
				}
				for _, heads := range []string{"0", "1"} {
					queries = append(queries, fmt.Sprintf("algos=hcfl&form=%s&weigh=%s&adapt=%s&heads=%s", form, weigh,
						adapt, heads))
				}
			}
		}
	}
	return append(queries, "algos=hcflplus&base=fedem"+split, "algos=hcflplus&base=fedrc"+split)
}

// refused reports whether tiers do not go together, with a reason and a way out: labels
// where there are none, and features before anything was trained.
func refused(t *testing.T, query string) bool {
	t.Helper()
	_, _, err := catalog.Build(parse(t, query), nil)
	var e *param.Error
	if err != nil && (!errors.As(err, &e) || e.Hint == "" || e.Got == "") {
		t.Errorf("%s: %v, want a reason", query, err)
	}
	labels := strings.Contains(query, "weigh=labels") &&
		(strings.Contains(query, "linreg") || strings.Contains(query, "autoencoder"))
	early := strings.Contains(query, "weigh=member") && strings.Contains(query, "alike")
	if (err != nil) != (labels || early) {
		t.Errorf("%s: %v, want a refusal: %v", query, err, labels || early)
	}
	if err != nil {
		e.Field = strings.TrimPrefix(e.Field, "hcfl.")
		if c, bad := parse(t, query).With(e.Suggestions[0].Key, e.Suggestions[0].Value); bad != nil ||
			c.String() == parse(t, query).String() {
			t.Errorf("%s: offers %v: %v", query, e.Suggestions, bad)
		}
	}
	return err != nil
}

// TestHCFLEveryCombination: all choices of all tiers go together or are refused,
// where clients can count their samples and where they cannot, where there are
// classes, hidden layers and local epochs and where there are none, and where clients
// miss rounds.
func TestHCFLEveryCombination(t *testing.T) {
	grown, merged := 0, 0 // runs in which a cluster was added, and became part of another
	for n, data := range []struct{ query, split string }{
		{"data=linreg&T=12&C=7&K=2", "&most=5&hrho=0.001"},
		{"data=linreg&T=6&C=6&K=3&avg=model&tau=2&rho=0.5&drop=0.3", "&most=4&hrho=0&plain=1"},
		{"data=digits&n=60&C=4&T=4&K=2&exam=5&every=2&net=mlp&hidden=5&b=6&probe=6", "&hrho=0.001"},
		{"data=digits&n=60&C=4&T=4&K=3&exam=5&every=2&net=softmax&b=6&probe=6&avg=model", "&hrho=0.001&plain=1&few=2"},
		{"data=digits&n=60&C=4&T=3&K=2&exam=5&every=2&net=autoencoder&code=6,3,6&b=6&probe=6&avg=model&opt=adam&rho=0.7", "&hrho=0&plain=1"},
	} {
		for m, tier := range tiers(data.split) {
			if testing.Short() && (n+m)%14 > 0 {
				continue
			}
			query := data.query + "&" + tier
			if refused(t, query) {
				continue
			}
			r := record(t, query, nil)
			if s := r.summaries[0]; s.Diverged >= 0 {
				t.Errorf("%s: diverged in round %d", query, s.Diverged)
			}
			if last := r.lanes[0][len(r.lanes[0])-1]; int(slices.Max(last.Label)) >= parse(t, query).Values(0).
				Int("K") {
				grown++
			}
			if strings.Contains(tier, "merge") && r.lanes[0][1].Clusters > r.summaries[0].Clusters {
				merged++
			}
			for round, f := range r.lanes[0] {
				models := r.header.Lanes[0].Models
				for i, label := range f.Label {
					row := f.Mixture[i*models : (i+1)*models]
					sum := 0.0
					for _, w := range row {
						sum += float64(w)
					}
					if math.Abs(sum-1) > 1e-5 || row[label] != slices.Max(row) {
						t.Fatalf("%s: round %d: client %d with label %d has weights %v", query, round, i, label, row)
					}
				}
			}
		}
	}
	if grown == 0 {
		t.Error("no cluster ever split")
	}
	if merged == 0 {
		t.Error("no clusters ever merged")
	}
}

// TestHCFLAllocatesNothing in rounds, once every buffer has been used.
func TestHCFLAllocatesNothing(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for _, query := range []string{
		"data=linreg&T=120&algos=hcfl&weigh=loss&adapt=both&dist=update&hrho=0.01",
		"data=mix2&T=120&algos=fedgmm",
		"data=mixreg&T=70&C=6&algos=hcflplus&avg=model",
		"data=digits&n=60&C=5&exam=5&every=2&net=mlp&hidden=4&b=6&probe=6&avg=model&T=70&K=2&algos=hcflplus&hrho=0.01&plain=1&most=4",
		"data=digits&n=60&C=5&exam=5&every=2&net=softmax&b=6&probe=6&avg=model&T=70&K=2&algos=hcfl&weigh=sample&form=ratio&adapt=both&dist=any&hrho=0.01&plain=1&most=4",
		"data=digits&n=60&C=5&exam=5&every=2&net=softmax&b=6&probe=6&T=70&K=2&algos=hcfl&weigh=em&form=joint&adapt=both&dist=any&hrho=0.01&plain=1&most=4",
		"data=linreg&T=120&C=9&K=5&algos=hcfl&weigh=loss&adapt=merge",
		"data=linreg&T=120&C=9&algos=hcfl&weigh=member&adapt=merge",
		"data=digits&n=60&C=5&exam=5&every=2&net=mlp&hidden=4&b=6&probe=6&avg=model&T=70&K=3&algos=hcfl&weigh=near&adapt=merge&alike=any&like=0.9",
		"data=linreg&T=120&algos=hcfl&weigh=member&adapt=norms&dist=update&tol1=0.05&tol2=0.3&plain=1",
		"data=digits&n=60&C=5&exam=5&every=2&net=softmax&b=6&probe=6&avg=model&T=70&K=3&algos=hcfl&weigh=labels&adapt=split&dist=anchor",
	} {
		at := allocatingRounds(t, query, nil, 50, parse(t, query).Values(-1).Int("T"))
		if len(at) > 2 { // a cluster more, now and then
			t.Errorf("%s: allocations in rounds %v", query, at)
		}
	}
}

// TestHCFLIsFedEM: of HCFL's combinations, labels given inputs, weighed by
// expectation maximisation, a fixed number is FedEM, and with the information
// ratio FedRC, bit for bit. What both cost is in TestHCFLPresets.
func TestHCFLIsFedEM(t *testing.T) {
	for _, data := range []string{"data=linreg&T=30", "data=linreg&T=20&avg=model&tau=2&mean=weight",
		"data=digits&n=90&C=5&T=5&K=3&exam=5&every=5&net=softmax&b=8&avg=model&lr=0.05",
		"data=digits&n=90&C=5&T=5&K=3&exam=5&every=5&net=mlp&hidden=5&b=8&probe=8&rho=0.5"} {
		r := record(t, data+"&algos=fedem,hcfl,fedrc,hcfl:r&hcfl:r.form=ratio", nil)
		for lane := 0; lane < 4; lane += 2 {
			for n, want := range r.lanes[lane] {
				got := r.lanes[lane+1][n]
				if !slices.Equal(got.Models, want.Models) || !slices.Equal(got.Label, want.Label) ||
					!slices.Equal(got.Mixture, want.Mixture) ||
					got.Weights != want.Weights ||
					!sameLoss(got.Loss, want.Loss) {
					t.Errorf("%s: in round %d %s is not %s", data, n, r.header.Lanes[lane+1].ID,
						r.header.Lanes[lane].ID)
					break
				}
			}
		}
	}
}

// TestHCFLTraffic: with heads of its own a cluster costs a head: P_φ + K·P_h down,
// with FedRC's shares K·C more from the second round on; up as much, and for HCFL+ K
// weights, K·C masses and d features of all samples and of each class that a client has,
// five of them (HCFL, Algorithm 2, line 7; the features of a layer of 5).
func TestHCFLTraffic(t *testing.T) {
	const query = "data=digits&n=400&split=classes&per=5&C=4&T=4&K=3&exam=5&every=5&net=mlp&hidden=5&b=8&avg=model"
	const trunk, head, k, c, d = 784*5 + 5, 5*10 + 10, 3, 10, 5
	r := record(t,
		query+"&algos=hcflplus,hcflplus:em,hcfl,hcfl:heads&hcflplus:em.base=fedem&hcflplus.spare=99&hcflplus:em.spare=99&most=3&hcfl:heads.heads=1",
		nil)
	const heads, whole = trunk + k*head, k * (trunk + head)
	for n := range 5 {
		shares := max(n-1, 0) * k * c
		want := [][2]int{
			{n*heads + shares, n * (heads + k + k*c + (5+1)*d)},
			{n * heads, n * (heads + k + k*c + (5+1)*d)},
			{n * whole, n * whole},
			{n * heads, n * heads},
		}
		for lane, w := range want {
			if f := r.lanes[lane][n]; f.Down != float64(w[0]) || f.Up != float64(w[1]) {
				t.Errorf("%s after %d rounds: %v down and %v up, want %d and %d", r.header.Lanes[lane].ID, n, f.Down,
					f.Up, w[0],
					w[1])
			}
		}
	}
}

// TestHCFLScheduling: neither processors nor shards change a bit, with splits and
// removals that clients hear of rounds later.
func TestHCFLScheduling(t *testing.T) {
	for _, query := range []string{
		"data=digits&C=5&n=200&T=5&every=2&exam=10&hidden=6&K=2&b=16&probe=16&hrho=0.001&plain=1&algos=hcflplus,hcflplus:em,hcfl&hcflplus:em.base=fedem",
		"data=digits&C=5&n=200&T=5&every=2&exam=10&hidden=6&K=2&b=16&rho=0.7&drop=0.2&hrho=0.001&plain=1&algos=fedgmm,hcfl&form=joint&adapt=both&dist=update",
		"data=digits&C=5&n=200&T=5&every=2&exam=10&hidden=6&K=2&b=16&avg=model&rho=0.7&drop=0.2&hrho=0.001&plain=1&algos=hcflplus,hcfl&weigh=sample&adapt=both&dist=update",
		"data=digits&C=5&n=200&T=5&every=2&exam=10&hidden=6&K=4&b=16&avg=model&rho=0.7&drop=0.2&like=0.1&after=1&algos=hcfl,hcfl:near,hcfl:labels,hcfl:member&adapt=merge&form=joint&hcfl:near.weigh=near&hcfl:labels.weigh=labels&hcfl:member.weigh=member",
		"data=digits&C=5&n=200&T=5&every=2&exam=10&hidden=6&K=4&b=16&heads=1&hrho=0.001&algos=hcfl,hcfl:near,hcfl:labels,hcfl:member&adapt=split&dist=anchor&form=ratio&hcfl:near.weigh=near&hcfl:labels.weigh=labels&hcfl:member.weigh=member",
	} {
		want := record(t, query, nil)
		for _, n := range []int{1, 2, 8} {
			p := newPlaces(n, nil)
			same(t, query, play(t, query, p), want)
			if p.asked.Load() == 0 {
				t.Errorf("%s: no shard was asked", query)
			}
			p.close()
		}
	}
}

// TestHCFLPlusPrinciples: clients that call the same digits differently, in three
// ways, are told apart by HCFL+, and better than by FedEM, on either backbone;
// clients that merely see other digits are parted on FedEM and stay together on
// FedRC (HCFL, section 4 and Table 1: there too the latter has fewer clusters).
func TestHCFLPlusPrinciples(t *testing.T) {
	t.Parallel()
	const base = "data=digits&n=720&C=9&K=3&shift=none&net=mlp&hidden=24&avg=model&b=16&every=40&T=40&spare=10&algos=fedem,hcflplus,hcflplus:em&hcflplus:em.base=fedem"
	const runs = 5
	var ari, right [3]float64 // in the mean
	for seed := 1; seed <= runs; seed++ {
		seeds := fmt.Sprintf("&sd=%d&sm=%d", seed, seed)
		named := record(t, base+"&concept=permute&order=shuffled"+seeds, nil)
		for lane, s := range named.summaries {
			ari[lane] += s.ARI / runs
			right[lane] += s.Accuracy / runs
		}
		skew := record(t, base+"&split=skew1"+seeds, nil)
		if rc, em := skew.summaries[1].Clusters, skew.summaries[2].Clusters; rc != 1 || em < 2 {
			t.Errorf("seed %d: clients with other digits are in %d clusters on FedRC and %d on FedEM, want 1 and more",
				seed, rc,
				em)
		}
	}
	for lane, name := range []string{1: "FedRC", 2: "FedEM"} {
		if lane > 0 && (ari[lane] < ari[0]+0.2 || right[lane] < right[0]) {
			t.Errorf("HCFL+ on %s has ARI %.2f and %.2f right, want clearly more than FedEM with %.2f and %.2f", name,
				ari[lane],
				right[lane], ari[0], right[0])
		}
	}
}
