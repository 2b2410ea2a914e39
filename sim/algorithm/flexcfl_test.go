package algorithm

import (
	"math"
	"slices"
	"testing"

	"flockscope/sim/algorithm/internal/algotest"
	"flockscope/sim/fl"
	"flockscope/sim/model"
)

// scoutRig is a FlexCFL whose clients set out in given directions. Client i's
// update is (i+1, its model) then.
func scoutRig(t testing.TB, ways [][]float32, samples []int, words ...string) *algotest.Rig {
	r := algotest.NewRig(t, "flexcfl", len(ways), 2, samples, words...)
	r.Answer = func(i int, task *fl.Task, reply *fl.Reply) {
		if task.Call > 0 {
			reply.Answer = append(reply.Answer[:0], ways[i]...)
		}
		for n, k := range task.Updates {
			copy(algotest.UpdateBuffer(reply, n, 2), []float32{float32(i + 1), float32(k)})
		}
	}
	return r
}

// TestFlexCFLStarts: clients are clustered by direction, not by length, and models
// begin at the mean of where their members arrived.
func TestFlexCFLStarts(t *testing.T) {
	ways := [][]float32{{1, 0.1}, {0, 8}, {5, 0}, {0.1, 1}, {0.2, 0}, {0, 0.3}}
	for _, how := range []string{"edc", "madc"} {
		r := scoutRig(t, ways, nil, "K=2", "lr=0.000001", "directions="+how)
		r.Play(0)
		if want := []int{0, 1, 0, 1, 0, 1}; !samePartition(r.Label, want) {
			t.Errorf("%s: labels %v, want %v", how, r.Label, want)
		}
		along := r.Bank.Model(r.Label[0]) // the start is 0; steps of 10⁻⁶ do not show
		if want := []float32{-6.2 / 3, -0.1 / 3}; math.Abs(float64(along[0]-want[0])) > 1e-4 ||
			math.Abs(float64(along[1]-want[1])) > 1e-4 {
			t.Errorf("%s: a model begins at %v, want %v", how, along, want)
		}
		if r.Sends != 2 || !r.Round.Reclustered {
			t.Errorf("%s: %d exchanges, News %v, want 2 and true", how, r.Sends, r.Round.Reclustered)
		}
		// The start came down and a direction up, once, and models every round.
		if r.Play(1); r.Traffic.Down != 6*2*3 || r.Traffic.Up != 6*2*3 || r.Round.Reclustered {
			t.Errorf("%s: traffic %+v, News %v after two rounds, want 36 down, 36 up, false", how, r.Traffic,
				r.Round.Reclustered)
		}
	}
}

// TestFlexCFLJoins: who comes later takes the cluster whose members went most in
// its direction; before there are K clients nobody trains.
func TestFlexCFLJoins(t *testing.T) {
	ways := [][]float32{{1, 0}, {0, 1}, {3, 1}, {-1, 0.5}, {1, 9}}
	r := scoutRig(t, ways, nil, "K=2", "lr=0.000001")
	r.PlayWith(0, []int{0})
	if r.Round.Reclustered || r.Traffic.Up != 2 {
		t.Errorf("one client of two models: News %v and %d floats up, want false and 2", r.Round.Reclustered,
			r.Traffic.Up)
	}
	r.PlayWith(1, []int{1, 4}, 4)
	if r.Label[0] == r.Label[1] || !r.Round.Reclustered {
		t.Fatalf("labels %v, News %v, want two clusters", r.Label, r.Round.Reclustered)
	}
	r.PlayWith(2, []int{2, 3, 4})
	if want := []int{0, 1, 0, 1, 1}; !samePartition(r.Label, want) {
		t.Errorf("labels %v, want %v", r.Label, want)
	}
	if got, want := r.Embedding().Row(2), 3/math.Sqrt(10); math.Abs(got[r.Label[0]]-want) > 1e-6 {
		t.Errorf("the cosine of client 2 is %v, want %v", got, want)
	}
}

// TestFlexCFLWaits: clients that came before there were enough count once, as others do.
func TestFlexCFLWaits(t *testing.T) {
	r := scoutRig(t, [][]float32{{1, 0}, {0, 1}, {3, 0}}, nil, "K=2", "lr=0.000001")
	r.PlayWith(0, []int{0})
	r.PlayWith(1, []int{1, 2})
	if got := r.Bank.Model(r.Label[0])[0]; r.Label[0] != r.Label[2] || math.Abs(float64(got)+2) > 1e-4 {
		t.Errorf("labels %v, the model of clients 0 and 2 begins at %v, want −2", r.Label, got)
	}
}

// TestFlexCFLShares: a model takes on the other's unit vector.
func TestFlexCFLShares(t *testing.T) {
	r := scoutRig(t, [][]float32{{-3, 0}, {0, -4}}, nil, "K=2", "lr=0.000001", "between=0.5")
	r.Play(0)
	a, b := r.Bank.Model(r.Label[0]), r.Bank.Model(r.Label[1])
	// (3, 0) and (0, 4): weights 0.5/4 and 0.5/3.
	want := []float64{3 / 1.125, 0.5 / 1.125, 0.5 / (7. / 6), 4 / (7. / 6)}
	for j, v := range []float32{a[0], a[1], b[0], b[1]} {
		if math.Abs(float64(v)-want[j]) > 1e-4 {
			t.Errorf("models %v and %v, want %v", a, b, want)
			break
		}
	}
}

// TestFlexCFLClusters20K: at most 20·K clients make the clusters, and the others
// join them.
func TestFlexCFLClusters20K(t *testing.T) {
	var ways [][]float32
	for i := range 60 {
		ways = append(ways, []float32{float32(i % 2), float32(1 - i%2)})
	}
	r := scoutRig(t, ways, nil, "K=2")
	r.Play(0)
	s := r.Server.(*flexcfl)
	if len(s.chosen) != 40 || !slices.IsSorted(s.chosen) || len(slices.Compact(slices.Clone(s.chosen))) != 40 {
		t.Errorf("%d clients make the clusters: %v, want 40, ascending", len(s.chosen), s.chosen)
	}
	for i, k := range r.Label {
		if k != r.Label[i%2] || r.Label[0] == r.Label[1] {
			t.Fatalf("labels %v, want two kinds in turn", r.Label)
		}
	}
}

// TestFlexCFLStandsStill: without any direction there is one kind of client.
func TestFlexCFLStandsStill(t *testing.T) {
	for _, how := range []string{"edc", "madc"} {
		r := scoutRig(t, [][]float32{{0, 0}, {0, 0}, {0, 0}}, nil, "K=2", "directions="+how)
		r.Play(0)
		for _, v := range r.Embedding().Data {
			if v != 0 {
				t.Errorf("%s: embedding %v, want zeros", how, r.Embedding().Data)
				break
			}
		}
	}
}

// TestScout: steps of plain descent through the samples, over and over.
func TestScout(t *testing.T) {
	batch := model.Batch{X: []float32{1, 2, 3}, Y: []float32{2, 4, 5}, N: 3} // minibatches of two
	at := &spot{model: model.Linear{}, batch: batch, rate: 0.01}
	w := 0.5
	step := func(low, high int) {
		g := 0.0
		for j := low; j < high; j++ {
			x, y := float64(batch.X[j]), float64(batch.Y[j])
			g += 2 * (w*x - y) * x / float64(high-low)
		}
		w -= 0.01 * g
	}
	for range 2 {
		step(0, 2)
		step(2, 3)
	}
	step(0, 2)
	got := directionReporter{5}.Do([]float32{7}, opStartDirection, []float32{0.5}, at)
	if len(got) != 2 || got[0] != 7 || math.Abs(float64(got[1])-(0.5-w)) > 1e-6 {
		t.Errorf("five steps take away %v, want %v", got[1:], 0.5-w)
	}
	at.batch = model.Batch{}
	if got := (directionReporter{5}).Do(nil, opStartDirection, []float32{0.5}, at); !slices.Equal(got, []float32{0}) {
		t.Errorf("without samples: %v, want [0]", got)
	}
}
