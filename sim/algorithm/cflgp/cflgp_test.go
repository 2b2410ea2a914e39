package cflgp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/algotest"
	"flockscope/sim/fl"
)

// diary is a hand-driven CFL-GP whose clients answer with random gradients of
// a group each, and note what they said of which model.
type diary struct {
	*algotest.Rig
	seed   uint64
	groups []int
	r      *rand.Rand
	// said[i][k] are the gradients that client i gave of model k while k was
	// the common one, oldest first.
	said   [][][][]float64
	common []int // asked of every client, by clustering
	now    []map[int][]float32
	asked  []fl.Task // in the last round
}

func newDiary(t testing.TB, seed uint64, groups []int, size, models int, words ...string) *diary {
	words = append([]string{fmt.Sprintf("K=%d", models)}, words...)
	d := &diary{Rig: algotest.NewRig(t, "cflgp", len(groups), size, nil, words...), seed: seed, groups: groups,
		r: rand.New(rand.NewPCG(seed, seed)), said: make([][][][]float64, len(groups)),
		now: make([]map[int][]float32, len(groups)), asked: make([]fl.Task, len(groups))}
	for i := range d.said {
		d.said[i] = make([][][]float64, models)
	}
	d.Answer = func(i int, task *fl.Task, reply *fl.Reply) {
		d.asked[i] = *task
		d.asked[i].Updates = slices.Clone(task.Updates)
		d.now[i] = map[int][]float32{}
		say := func(k int) []float32 {
			g := make([]float32, size)
			for j := range g {
				g[j] = float32(4*math.Sin(float64(1+d.groups[i]+j*(1+d.groups[i]))) + 0.1*d.r.NormFloat64())
			}
			d.now[i][k] = g
			return g
		}
		for n, k := range task.Updates {
			copy(algotest.UpdateBuffer(reply, n, size), say(k))
		}
		if task.Feature > 0 {
			room := make([]float32, d.Round.Exchange.Width())
			reply.Feature = d.Round.Exchange.Select(room, say(task.Feature-1))
		}
	}
	return d
}

// step plays one round and finds out which model was the common one: the only
// one that every client gave a gradient of.
func (d *diary) step(t testing.TB, round int, clustering bool) {
	t.Helper()
	own := slices.Clone(d.Label)
	d.Play(round)
	if d.Round.Reclustered != clustering {
		t.Fatalf("seed %d: round %d: Reclustered = %v, want %v", d.seed, round, d.Round.Reclustered, clustering)
	}
	for i, task := range d.asked {
		if !slices.Equal(task.Updates, own[i:i+1]) || task.Losses || task.PickBest {
			t.Fatalf("seed %d: round %d: client %d was asked %+v, want the gradient of its model %d to train on",
				d.seed, round,
				i, task, own[i])
		}
		if !clustering && task.Feature != 0 || task.Feature == own[i]+1 {
			t.Fatalf(
				"seed %d: round %d: client %d with model %d was asked %+v, want features of another model in clustering rounds alone",
				d.seed, round, i, own[i], task)
		}
	}
	if !clustering {
		return
	}
	var candidates []int
	for k := range d.Bank.Models() {
		if !slices.ContainsFunc(d.now, func(said map[int][]float32) bool { _, ok := said[k]; return !ok }) {
			candidates = append(candidates, k)
		}
	}
	expect := len(d.common) % d.Bank.Models()
	if !slices.Contains(candidates, expect) {
		t.Fatalf("seed %d: round %d: every client gave gradients of models %v, want %d: common models in turn",
			d.seed, round,
			candidates, expect)
	}
	d.common = append(d.common, expect)
	for i, said := range d.now {
		g := make([]float64, len(said[expect]))
		for j, v := range said[expect] {
			g[j] = float64(v)
		}
		d.said[i][expect] = append(d.said[i][expect], g)
	}
}

// TestCFLGPBlockIsTheMean: with β_t = 1/(⌊t/KP⌋+1) and the common models in
// turn, each block of G is the arithmetic mean of the gradients taken on its
// model (spec 2.3, acceptance test g), and zero before the first; with
// compression, of their coordinates.
//
// Long rows are kept in float32. A step n of the mean rounds 1−β, β, both
// products and the sum, so its error is at most 5 units of the largest gradient
// times β = 1/n, and (n−1)/n of the one before: all in all no more than 5n units.
func TestCFLGPBlockIsTheMean(t *testing.T) {
	groups := []int{0, 0, 1, 1, 2, 2, 0}
	const largest = 6 // of a gradient's numbers: 4 and 20 deviations
	for seed, tt := range []struct {
		models, period, size, compression int
		long                              bool
	}{
		{1, 2, 3, 1, false}, {2, 2, 3, 1, false}, {3, 2, 3, 1, false}, {3, 5, 3, 1, false}, {4, 3, 3, 1, false}, {5, 7, 3, 1, false},
		{1, 2, 65, 1, true}, {3, 2, 30, 1, true}, {4, 3, 99, 1, true},
		{3, 2, 9, 4, false}, {3, 2, 3, 1000, false}, {3, 2, 300, 10, true}, {2, 3, 101, 2, true},
	} {
		d := newDiary(t, uint64(seed), groups, tt.size, tt.models, fmt.Sprintf("P=%d", tt.period),
			fmt.Sprintf("cr=%d", tt.compression))
		gradients := d.Server.(*paper).memory
		name := fmt.Sprintf("seed %d: %+v", seed, tt)
		if gradients.short() == tt.long || gradients.width != max(1, tt.size/tt.compression) {
			t.Fatalf("%s: rows of %d numbers are short: %v", name, gradients.width, gradients.short())
		}
		of := d.Round.Exchange.Coordinates
		for round := range 6 * tt.models * tt.period {
			d.step(t, round, round%tt.period == 1)
			g := gradients.whole()
			for i := range groups {
				for k := range tt.models {
					n := float64(len(d.said[i][k]))
					bound := 1e-12 * largest
					if tt.long {
						bound = 5 * n * 0x1p-24 * largest
					}
					for j, got := range g.Row(i)[k*gradients.width : (k+1)*gradients.width] {
						at := j
						if of != nil {
							at = int(of[j])
						}
						want := 0.0
						for _, said := range d.said[i][k] {
							want += said[at] / n
						}
						if math.Abs(got-want) > bound {
							t.Fatalf("%s: after round %d entry (%d, %d, %d) of G = %v, want %v, the mean of %v gradients", name, round, i, k,
								j, got, want, n)
						}
					}
				}
			}
		}
		if len(d.common) != 6*tt.models {
			t.Errorf("%s: %d clusterings, want %d", name, len(d.common), 6*tt.models)
		}
	}
}

// TestCFLGPBetaOneKeepsTheNewest: the paper's ablation.
func TestCFLGPBetaOneKeepsTheNewest(t *testing.T) {
	const size, models, period = 2, 3, 2
	d := newDiary(t, 1, []int{0, 1, 2, 0, 1, 2}, size, models, "beta=1")
	for round := range 30 {
		d.step(t, round, round%period == 1)
		for i := range d.Label {
			for k := range models {
				block := d.Server.(*paper).memory.whole().Row(i)[k*size : (k+1)*size]
				want := make([]float64, size)
				if n := len(d.said[i][k]); n > 0 {
					want = d.said[i][k][n-1]
				}
				if !slices.Equal(block, want) {
					t.Fatalf("after round %d block (%d, %d) of G = %v, want the newest gradient %v", round, i, k,
						block, want)
				}
			}
		}
	}
}

// TestCFLGPFeatures: what is clustered are the K leading singular features of
// G: all of its inner products when K is no less than its rank.
func TestCFLGPFeatures(t *testing.T) {
	d := newDiary(t, 2, []int{0, 0, 1, 1, 2, 2}, 2, 3)
	for round := range 20 {
		d.step(t, round, round%2 == 1)
	}
	g, features := d.Server.(*paper).memory.whole(), d.Embedding()
	if features.Rows != 6 || features.Cols != 3 {
		t.Fatalf("features are %d × %d, want 6 × 3", features.Rows, features.Cols)
	}
	var all, kept float64
	for i := range 6 {
		for _, v := range g.Row(i) {
			all += v * v
		}
		for _, v := range features.Row(i) {
			kept += v * v
		}
	}
	if kept > all*(1+1e-12) || kept < 0.9*all {
		t.Errorf("features keep %v of ‖G‖² = %v, want most of it and no more", kept, all)
	}
	var spectral clusterer.Spectral
	var want clusterer.Matrix
	spectral.Fit(&want, g, 3)
	if !slices.Equal(features.Data, want.Data) {
		t.Errorf("features = %v, want the leading 3 of G, %v", features.Data, want.Data)
	}
}

// TestCFLGPTrainsThenClusters: round t moves the models by the labels it began
// with (spec 2.3, step 2 before step 3), along the mean gradient.
func TestCFLGPTrainsThenClusters(t *testing.T) {
	const rate = 0.1
	d := newDiary(t, 3, []int{0, 0, 1, 1, 2, 2, 0, 1}, 2, 3)
	moved := false
	for round := range 12 {
		own := slices.Clone(d.Label)
		before := slices.Clone(d.Bank.Params)
		d.step(t, round, round%2 == 1)
		want := slices.Clone(before)
		for k := range 3 {
			var sum [2]float64
			n := 0.0
			for i, said := range d.now {
				if own[i] == k {
					for j, v := range said[k] {
						sum[j] += float64(v)
					}
					n++
				}
			}
			for j := range sum {
				if n > 0 {
					want[2*k+j] = float32(float64(before[2*k+j]) - float64(rate*(sum[j]/n)))
				}
			}
		}
		if !slices.Equal(d.Bank.Params, want) {
			t.Errorf("round %d moves the models to %v, want %v: the mean gradient over the labels %v", round,
				d.Bank.Params,
				want, own)
		}
		moved = moved || !slices.Equal(own, d.Label)
	}
	if !moved {
		t.Error("no client was ever moved: the test proves nothing")
	}
}

// TestCFLGPMatchesLabels: a clustering keeps the names of the one before as far
// as a renaming can: no permutation of the new labels agrees with more clients.
func TestCFLGPMatchesLabels(t *testing.T) {
	for seed := range uint64(20) {
		groups := []int{0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 1, 2}
		d := newDiary(t, seed, groups, 2, 3)
		for round := range 30 {
			if round > 5 && round%6 == 0 {
				i := int(seed+uint64(round)) % len(groups)
				groups[i] = (groups[i] + 1) % 3 // some client changes its mind
			}
			before := slices.Clone(d.Label)
			d.step(t, round, round%2 == 1)
			agree := func(perm [3]int) (n int) {
				for i, k := range d.Label {
					if perm[k] == before[i] {
						n++
					}
				}
				return n
			}
			got := agree([3]int{0, 1, 2})
			for _, perm := range [][3]int{{0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
				if best := agree(perm); best > got {
					t.Errorf("seed %d: round %d: labels %v after %v agree on %d clients, renamed by %v on %d", seed,
						round, d.Label,
						before, got, perm, best)
				}
			}
		}
	}
}

// TestCFLGPStopRule: T/10 rounds without a move freeze the labels and halve the
// questions; a move starts the count anew; without the switch nothing freezes.
func TestCFLGPStopRule(t *testing.T) {
	const clients, rounds, patience = 6, 60, 6
	d := newDiary(t, 4, []int{0, 0, 1, 1, 2, 2}, 2, 3, "stop=1", fmt.Sprint("T=", rounds))
	lastMove, frozenAt := 0, -1
	for round := range rounds {
		before := slices.Clone(d.Label)
		down, up := d.Traffic.Down, d.Traffic.Up
		d.step(t, round, round%2 == 1 && frozenAt < 0)
		if !slices.Equal(before, d.Label) {
			if frozenAt >= 0 {
				t.Errorf("round %d moves a client after the freeze in round %d", round, frozenAt)
			}
			lastMove = round
		}
		if frozenAt >= 0 && (d.Traffic.Down-down != clients*2 || d.Traffic.Up-up != clients*2) {
			t.Errorf("round %d, frozen: %d floats down and %d up, want %d each", round, d.Traffic.Down-down,
				d.Traffic.Up-up,
				clients*2)
		}
		if d.Round.Stopped {
			if frozenAt >= 0 {
				t.Errorf("frozen twice, in rounds %d and %d", frozenAt, round)
			}
			frozenAt = round
			if round-lastMove != patience {
				t.Errorf("frozen in round %d, %d rounds after the last move, want %d", round, round-lastMove, patience)
			}
		}
	}
	if frozenAt < 0 {
		t.Errorf("never frozen; the last move was in round %d of %d", lastMove, rounds)
	}

	d = newDiary(t, 4, []int{0, 0, 1, 1, 2, 2}, 2, 3, fmt.Sprint("T=", rounds))
	for round := range rounds {
		if d.step(t, round, round%2 == 1); d.Round.Stopped {
			t.Errorf("round %d is frozen without the stop rule", round)
		}
	}
}

// TestCFLGPStopRuleWaitsWhileClientsMove: patience counts from the last move.
func TestCFLGPStopRuleWaitsWhileClientsMove(t *testing.T) {
	groups := []int{0, 0, 1, 1, 2, 2}
	d := newDiary(t, 5, groups, 2, 3, "stop=1", "T=60", "beta=1")
	for round := range 60 {
		// Swapped every third clustering of a model: with β = 1 labels follow.
		if round%4 == 0 {
			groups[0], groups[2] = groups[2], groups[0]
		}
		before := slices.Clone(d.Label)
		d.step(t, round, round%2 == 1)
		if d.Round.Stopped {
			t.Fatalf("frozen in round %d, labels %v after %v", round, d.Label, before)
		}
	}
}

// TestCFLGPStart: the first labels are random, of all models, and keyed by
// client: more clients do not change those of the first.
func TestCFLGPStart(t *testing.T) {
	few, many := algotest.NewRig(t, "cflgp", 10, 2, nil, "K=4"), algotest.NewRig(t, "cflgp", 200, 2, nil, "K=4")
	if !slices.Equal(few.Label, many.Label[:10]) {
		t.Errorf("with 200 clients the first ten start with %v, with ten clients %v", many.Label[:10], few.Label)
	}
	count := make([]int, 4)
	for _, k := range many.Label {
		count[k]++
	}
	if slices.Min(count) < 25 || slices.Max(count) > 85 { // 50 ± 6 deviations
		t.Errorf("200 clients start in models %v times, want about 50 each", count)
	}
}

// TestCFLGPZeroGradients: with nothing to tell clients apart they all end in
// one cluster, and nothing is divided by zero.
func TestCFLGPZeroGradients(t *testing.T) {
	for _, size := range []int{2, 100} {
		r := algotest.NewRig(t, "cflgp", 5, size, nil)
		r.Answer = func(_ int, task *fl.Task, reply *fl.Reply) {
			for n := range task.Updates {
				algotest.UpdateBuffer(reply, n, size)
			}
			reply.Feature = make([]float32, size)
		}
		for round := range 10 {
			r.Play(round)
		}
		for i, k := range r.Label {
			if k != r.Label[0] {
				t.Errorf("size %d: client %d has label %d and client 0 %d, want one for all", size, i, k, r.Label[0])
			}
		}
		for _, v := range append(r.Embedding().Data, float64(r.Bank.Params[0])) {
			if v != 0 {
				t.Errorf("size %d: zero gradients give a feature or a model of %v", size, v)
			}
		}
	}
}
