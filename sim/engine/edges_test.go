package engine_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"flockscope/clusterer"
	"flockscope/sim/engine"
	"flockscope/sim/trace"
)

// TestDivideAllWithDeadline: IFCA's divide=all divides by the clients whose answers came in time.
// From the same start, a model moves n/m of what it moves with the mean over its n clients, of m
// that replied.
func TestDivideAllWithDeadline(t *testing.T) {
	partial := 0
	for seed := 1; seed <= 20; seed++ {
		query := fmt.Sprintf(
			"data=linreg&T=1&C=24&clock=on&spread=1&bandwidth=1000&deadline=0.12&algos=ifca,ifca:all&ifca:all.divide=all&sd=%d&sm=%d",
			seed, seed)
		r := record(t, query, nil)
		start, mean, all := r.lanes[0][0].Models, &r.lanes[0][1], &r.lanes[1][1]
		answered, of := 0, make([]int, 3)
		for i, state := range mean.State {
			if state == trace.Present {
				answered++
				of[mean.Label[i]]++
			}
		}
		if answered > 0 && answered < 24 {
			partial++
		}
		size := len(start) / 3
		for k, n := range of {
			for j := k * size; j < (k+1)*size; j++ {
				want := float64(start[j])
				if n > 0 {
					want += float64(mean.Models[j]-start[j]) * float64(n) / float64(answered)
				}
				if got := float64(all.Models[j]); math.Abs(got-want) > 1e-6*(1+math.Abs(want)) {
					t.Errorf("%s: parameter %d of model %d is %v, want %v: %d of %d answers are for it", query, j, k,
						got, want, n,
						answered)
				}
			}
		}
	}
	if partial < 10 {
		t.Errorf("in %d of 20 runs some clients are late: this proves little", partial)
	}
}

// sharedOf returns the clients that the groups share with the models, and their number: those of a round count nine tenths of
// those of the next.
func sharedOf(r *recording, lane int) (shared [][]float64, all float64) {
	shared = make([][]float64, r.header.Groups)
	for g := range shared {
		shared[g] = make([]float64, r.header.Lanes[lane].Models)
	}
	frames := r.lanes[lane]
	for t := range frames[1:] {
		weight := math.Pow(0.9, float64(len(frames)-2-t))
		for i, k := range frames[t+1].Label {
			shared[r.header.Group[i]][k] += weight
			all += weight
		}
	}
	return shared, all
}

// served counts the clients whose model has the colour of their group.
func served(r *recording, lane int) (n float64) {
	shared, _ := sharedOf(r, lane)
	for k, colour := range r.summaries[lane].Alias {
		if int(colour) < len(shared) {
			n += shared[colour][k]
		}
	}
	return n
}

// mostServed is the most that any way of giving each group a model of its own comes to, less the tenth for which names
// do not change.
func mostServed(r *recording, lane int) float64 {
	models := r.header.Lanes[lane].Models
	shared, all := sharedOf(r, lane)
	taken := make([]bool, models)
	var best func(g int) float64
	best = func(g int) float64 {
		if g == len(shared) {
			return 0
		}
		most := best(g + 1) // no model for this group
		for k := range models {
			if !taken[k] && shared[g][k] > 0 {
				taken[k] = true
				most = max(most, shared[g][k]+best(g+1))
				taken[k] = false
			}
		}
		return most
	}
	return best(0) - all/10 - 1e-9
}

// TestAliasOfManyModels: whatever the number of models up to 64, colours go to the models
// so that about as many clients as possible have that of their group, and each model has a colour of its own.
func TestAliasOfManyModels(t *testing.T) {
	for _, models := range []int{1, 2, 3, 4, 5, 6, 8, 13, 31, 63, 64} {
		query := fmt.Sprintf("data=linreg&C=80&T=3&K=%d&algos=cflgp,clove,fesem&sa=%d", models, models)
		r := record(t, query, nil)
		for lane := range r.lanes {
			alias := r.summaries[lane].Alias
			for k, colour := range slices.Sorted(slices.Values(alias)) {
				if int(colour) != k || len(alias) != models {
					t.Fatalf("%s: lane %d: alias %v is no permutation of %d", query, lane, alias, models)
				}
			}
			// Where a group has no model of its own, its colour goes to some model all the same.
			if got, want := served(r, lane), mostServed(r, lane); got < want && models >= r.header.Groups {
				t.Errorf("%s: lane %d: %v clients have the colour of their group, want %v", query, lane, got, want)
			}
		}
	}
	// One model more, and colours mean nothing.
	r := record(t, "data=linreg&C=80&T=3&algos=stocfl,icfl&most=64&like=1", nil)
	for lane := range r.lanes {
		if r.header.Lanes[lane].Models != 65 {
			t.Fatalf("lane %d has %d models, want 65", lane, r.header.Lanes[lane].Models)
		}
		for k, colour := range r.summaries[lane].Alias {
			if int(colour) != k {
				t.Errorf("lane %d: of 65 models, model %d has the colour %d", lane, k, colour)
			}
		}
	}
}

// TestLabelsOfDivergedLane: when models blow up, clients go back to where they were before
// that round: colours are those of the labels that the last frame shows.
func TestLabelsOfDivergedLane(t *testing.T) {
	diverged := 0
	for seed := 1; seed <= 30; seed++ {
		query := fmt.Sprintf("data=linreg&T=40&lr=%d&algos=ifca,clove,cflgp,fesem&sd=%d&sm=%d&sa=%d", 3+seed%7,
			seed, seed,
			seed)
		r := record(t, query, nil)
		for lane, s := range r.summaries {
			if s.Diverged < 0 {
				continue
			}
			diverged++
			last, before := r.lanes[lane][s.Diverged], r.lanes[lane][s.Diverged-1]
			if !slices.Equal(last.Label, before.Label) {
				t.Errorf("%s: lane %d: labels go from %v to %v when it diverges", query, lane, before.Label, last.Label)
			}
			if got, want := served(r, lane), mostServed(r, lane); got < want {
				t.Errorf("%s: lane %d, diverged in round %d: %v clients have the colour of their group, want %v",
					query, lane,
					s.Diverged, got, want)
			}
		}
	}
	if diverged < 30 {
		t.Errorf("%d lanes diverge: this proves little", diverged)
	}
}

// TestPartialScores: where not all clients take part, a clustering is judged by those that have
// replied so far, also in rounds without changes.
func TestPartialScores(t *testing.T) {
	still := 0 // rounds that move nobody and change the score
	for seed := 1; seed <= 12; seed++ {
		for _, how := range []string{"rho=0.2", "drop=0.6", "late=4&join=6",
			"clock=on&spread=1&bandwidth=1000&deadline=0.12"} {
			query := fmt.Sprintf("data=linreg&T=15&C=18&%s&algos=cflgp,ifca,clove,fedavg&sd=%d&sa=%d", how, seed, seed)
			r := record(t, query, nil)
			for lane, frames := range r.lanes {
				seen := make([]bool, r.header.Clients)
				for n := 1; n < len(frames); n++ {
					f := &frames[n]
					var group, label []int
					for i, state := range f.State {
						seen[i] = seen[i] || state == trace.Present
						if seen[i] {
							group, label = append(group, int(r.header.Group[i])), append(label, int(f.Label[i]))
						}
					}
					var table clusterer.Contingency
					ari, misplaced := table.AdjustedRand(group, label), table.Misplaced(group, label)
					nmi, purity := table.NMI(group, label), table.Purity(group, label)
					if f.ARI != ari || f.Misplaced != misplaced || f.NMI != nmi || f.Purity != purity {
						t.Errorf(
							"%s: lane %d after round %d: ARI %v, %d misplaced, NMI %v, purity %v; of the %d clients heard want %v, %d, %v, %v",
							query, lane, n, f.ARI, f.Misplaced, f.NMI, f.Purity, len(group), ari, misplaced, nmi,
							purity)
					}
					if slices.Equal(f.Label, frames[n-1].Label) && f.ARI != frames[n-1].ARI {
						still++
					}
				}
			}
		}
	}
	if still < 20 {
		t.Errorf("%d rounds move nobody and change the score: this proves little", still)
	}
}

// TestFoundAfterTheStart: labels that are correct before any training, as where there is one group,
// do not count as found; after the first round they do, for its price.
func TestFoundAfterTheStart(t *testing.T) {
	r := record(t, "data=linreg&D=1&K=1&C=5&T=4&algos=ifca,clove,cflgp,fedavg", nil)
	for lane, s := range r.summaries {
		frames := r.lanes[lane]
		if frames[0].ARI != 1 {
			t.Errorf("lane %d begins with an ARI of %v, want 1: this proves nothing", lane, frames[0].ARI)
		}
		if want := frames[1].Down + frames[1].Up; s.FirstCorrect != 1 || s.CostToCorrect != want || want == 0 {
			t.Errorf("lane %d finds the groups in round %d for %v, want round 1 for %v", lane, s.FirstCorrect, s.CostToCorrect, want)
		}
		if s.Settled != 1 {
			t.Errorf("lane %d has settled since round %d, want 1", lane, s.Settled)
		}
	}
}

// TestSpectrumIsCut: of more singular values than a frame carries it has the largest.
func TestSpectrumIsCut(t *testing.T) {
	for _, tt := range []struct{ clients, want int }{{20, 20}, {31, 31}, {32, 32}, {33, 32}, {50, 32}} {
		query := fmt.Sprintf("data=mixreg&held=20&b=20&probe=20&T=4&avg=gradient&lr=0.1&algos=cflgp&D=3&K=3&C=%d",
			tt.clients)
		clustered := 0
		for _, f := range record(t, query, nil).lanes[0] {
			if !f.Events.Has(trace.Reclustered) {
				continue
			}
			clustered++
			if len(f.Spectrum) != tt.want || f.Spectrum[0] <= f.Spectrum[len(f.Spectrum)-1] {
				t.Errorf("%s: %d singular values after round %d, want the %d largest: %v", query, len(f.Spectrum),
					f.Round, tt.want,
					f.Spectrum)
			}
		}
		if clustered == 0 {
			t.Errorf("%s: nothing was clustered", query)
		}
	}
}

// TestMapKeepsAll: maps of two and of three losses keep all of the spread; those of more,
// and of other evidence, say how much.
func TestMapKeepsAll(t *testing.T) {
	for _, tt := range []struct {
		query string
		all   bool
	}{{"K=2&algos=ifca", true}, {"K=3&algos=ifca", true}, {"K=5&algos=ifca", false}, {"K=5&algos=cflgp", false}} {
		looked := 0
		for _, f := range record(t, "data=linreg&C=20&sigma=0.5&T=6&"+tt.query, nil).lanes[0] {
			if !f.Events.Has(trace.Reclustered) {
				continue
			}
			looked++
			if f.Kept <= 0 || f.Kept > 1 || tt.all && f.Kept != 1 {
				t.Errorf("%s: the map after round %d keeps %v, want all of it: %v", tt.query, f.Round, f.Kept, tt.all)
			}
		}
		if looked == 0 {
			t.Errorf("%s: there is no map", tt.query)
		}
	}
}

// TestLossTriangle: three losses are seen along (1, 1, 1): on the map clients are as far
// from each other as their losses are, less what all three have in common.
func TestLossTriangle(t *testing.T) {
	looked := 0
	for _, f := range record(t, "data=linreg&C=9&sigma=0.5&T=3&K=3&algos=ifca", nil).lanes[0] {
		if !f.Events.Has(trace.Reclustered) {
			continue
		}
		looked++
		for i := range 9 {
			for j := range i {
				mean, square := 0.0, 0.0
				for k := range 3 {
					mean += float64(f.Embedding[3*i+k]-f.Embedding[3*j+k]) / 3
				}
				for k := range 3 {
					d := float64(f.Embedding[3*i+k]-f.Embedding[3*j+k]) - mean
					square += d * d
				}
				got := math.Hypot(float64(f.XY[2*i]-f.XY[2*j]), float64(f.XY[2*i+1]-f.XY[2*j+1]))
				if want := math.Sqrt(square); math.Abs(got-want) > 1e-5*(1+want) {
					t.Errorf("round %d: clients %d and %d are %v apart, want %v", f.Round, i, j, got, want)
				}
			}
		}
	}
	if looked != 3 {
		t.Errorf("%d rounds have a map, want 3", looked)
	}
}

// TestLossesAtTheStart: before the first round clients try the models as they are.
func TestLossesAtTheStart(t *testing.T) {
	f := &record(t, "data=digits&n=200&C=5&K=3&hidden=4&b=4&probe=4&T=1&algos=ifca", nil).lanes[0][0]
	for i, loss := range f.Losses {
		// Of ten classes a model that knows nothing has a loss of about ln 10.
		if loss < 1 || loss > 5 {
			t.Errorf("client %d has a loss of %v with model %d, want about 2.3", i/3, loss, i%3)
		}
	}
}

// TestExplainsWhoIsThere: where the client that was asked for is not there, another one is
// looked at, also if that is the only one.
func TestExplainsWhoIsThere(t *testing.T) {
	for _, query := range []string{"T=4&C=9&rho=0.001&algos=ifca", "T=4&C=9&rho=0.4&algos=ifca"} {
		c := parse(t, query)
		run := record(t, query, nil)
		others := 0
		for round := 1; round <= 4; round++ {
			state := run.lanes[0][round].State
			for client := range 9 {
				d, err := engine.Explain(context.Background(), c, nil, 0, round, client, nil)
				if err != nil {
					t.Fatal(err)
				}
				if state[d.Client] == trace.Absent || state[client] != trace.Absent && d.Client != client {
					t.Errorf("%s: round %d: asked for client %d, told of %d", query, round, client, d.Client)
				}
				if d.Client != client {
					others++
				}
			}
		}
		if others < 10 {
			t.Errorf("%s: %d times another client is looked at: this proves little", query, others)
		}
	}
}
