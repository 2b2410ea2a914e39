package algorithm

import (
	"math"
	"slices"
	"testing"

	"flockscope/sim/algorithm/internal/algotest"
	"flockscope/sim/fl"
	"flockscope/sim/model"
	"flockscope/sim/param"
)

// headRig is a FedClust whose clients arrive at given last layers of two numbers, in
// models of four. Client i's update is (i+1, 0, 0, its model).
func headRig(t testing.TB, heads [][]float32, samples []int, words ...string) *algotest.Rig {
	r := algotest.NewRig(t, "fedclust", len(heads), 4, samples, words...)
	r.Answer = func(i int, task *fl.Task, reply *fl.Reply) {
		if task.Call > 0 {
			reply.Answer = append(reply.Answer[:0], heads[i]...)
		}
		for n, k := range task.Updates {
			copy(algotest.UpdateBuffer(reply, n, 4), []float32{float32(i + 1), 0, 0, float32(k)})
		}
	}
	return r
}

// TestFedClustMerges: clusters are merged up to a distance of last layers, or until
// there are as few as models, and only once.
func TestFedClustMerges(t *testing.T) {
	// 0 and 2 are 1 apart, and so are 1 and 3; between the two pairs there are twice 5,
	// √18 and √34, which are 4.24 and 5.83, in the mean 5.02.
	pairs := [][]float32{{0, 0}, {3, 4}, {0, 1}, {3, 5}}
	two, one := []int{0, 1, 0, 1}, []int{0, 0, 0, 0}
	tests := []struct {
		name  string
		heads [][]float32
		words []string
		want  []int
	}{
		{"two clear groups", pairs, []string{"far=2"}, two},
		{"at the distance exactly", pairs, []string{"far=1"}, two},
		{"below it", pairs, []string{"far=0.99"}, []int{0, 1, 2, 3}},
		{"below the mean", pairs, []string{"far=5.01"}, two},
		{"above the mean", pairs, []string{"far=5.02"}, one},
		{"farthest members", pairs, []string{"far=5.8", "merge=max"}, two},
		{"all of them", pairs, []string{"far=5.84", "merge=max"}, one},
		{"nearest members", pairs, []string{"far=4.25", "merge=min"}, one},
		{"as many as there are models", pairs, []string{"far=0", "most=2"}, two},
		{"nobody differs", [][]float32{{1, 2}, {1, 2}, {1, 2}}, []string{"far=0"}, []int{0, 0, 0}},
	}
	for _, tt := range tests {
		r := headRig(t, tt.heads, nil, tt.words...)
		r.Play(0)
		if !slices.Equal(r.Label, tt.want) {
			t.Errorf("%s: labels %v, want %v", tt.name, r.Label, tt.want)
		}
		if !r.Round.Reclustered || r.Sends != 2 {
			t.Errorf("%s: Reclustered %v after %d exchanges, want true after 2", tt.name, r.Round.Reclustered, r.Sends)
		}
		if r.Play(1); r.Round.Reclustered || r.Sends != 3 {
			t.Errorf("%s: the second round has Reclustered %v and %d exchanges in all, want false and 3", tt.name,
				r.Round.Reclustered, r.Sends)
		}
	}
}

// TestFedClustNewcomers: who comes later joins the cluster with the nearest mean, and
// moves nobody else, nor the means. Who drops out is asked when it comes back.
func TestFedClustNewcomers(t *testing.T) {
	heads := [][]float32{{0, 0}, {3, 4}, {0, 1}, {3, 5}, {2, 2}, {2, 2.5}}
	r := headRig(t, heads, nil, "far=2", "most=3")
	r.PlayWith(0, []int{0, 1, 2, 3, 5}, 5)
	if want := []int{0, 1, 0, 1, 0, 0}; !slices.Equal(r.Label, want) {
		t.Fatalf("labels %v, want %v", r.Label, want)
	}
	// The means are (0, 0.5) and (3, 4.5): client 4 is 2.5 and 2.69 away from them,
	// client 5 2.83 and 2.24.
	r.PlayWith(1, []int{3, 4, 5})
	if want := []int{0, 1, 0, 1, 0, 1}; !slices.Equal(r.Label, want) || !r.Round.Reclustered {
		t.Errorf("labels %v, Reclustered %v, want %v and true", r.Label, r.Round.Reclustered, want)
	}
	apart := r.Embedding()
	for i, want := range map[int][]float64{0: {0.5, math.Hypot(3, 4.5)}, 4: {2.5, math.Sqrt(7.25)},
		5: {math.Sqrt(8), math.Sqrt(5)}} {
		if got := apart.Row(i)[:2]; math.Abs(got[0]-want[0]) > 1e-12 || math.Abs(got[1]-want[1]) > 1e-12 {
			t.Errorf("client %d is %v from the means, want %v", i, got, want)
		}
	}
	if r.PlayWith(2, []int{4, 5}); r.Round.Reclustered {
		t.Error("nobody new came, and clients were placed")
	}
}

// TestFedClustTrains: FedAvg in each cluster, weighted by samples, from one start; of
// what clients answer the last layer alone is charged.
func TestFedClustTrains(t *testing.T) {
	r := headRig(t, [][]float32{{0, 0}, {0, 1}, {5, 0}}, []int{1, 3, 7}, "far=1", "lr=1", "most=2")
	r.Play(0)
	if want := []float32{-(1 + 6) / 4., 0, 0, 0, -3, 0, 0, -1}; !slices.Equal(r.Bank.Params, want) {
		t.Errorf("models %v, want %v", r.Bank.Params, want)
	}
	// Down came the start and a model of 4; up went a last layer of 2 and an update of 4.
	if r.Traffic.Down != 3*(4+4) || r.Traffic.Up != 3*(2+4) {
		t.Errorf("traffic %+v, want 24 down and 18 up", r.Traffic)
	}
	if r.Play(1); r.Traffic.Down != 3*(4+4+4) || r.Traffic.Up != 3*(2+4+4) {
		t.Errorf("traffic %+v after two rounds, want 36 down and 30 up", r.Traffic)
	}
}

// TestFedClustNotFinite: a client whose steps led nowhere is left out of the clustering,
// trains the model that it has, and is asked again.
func TestFedClustNotFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		heads := [][]float32{{0, 0}, {float32(bad), 0}, {5, 0}}
		r := headRig(t, heads, nil, "far=1", "lr=1")
		r.Play(0)
		if want := []int{0, 0, 1}; !slices.Equal(r.Label, want) {
			t.Errorf("%v: labels %v, want %v", bad, r.Label, want)
		}
		if got := r.Bank.Model(0)[0]; got != -(1+2)/2. {
			t.Errorf("%v: model 0 is at %v, want -1.5", bad, got)
		}
		heads[1] = []float32{4, 0}
		if r.Play(1); r.Label[1] != 1 || !r.Round.Reclustered {
			t.Errorf("%v: client 1 came back and has model %d, want 1", bad, r.Label[1])
		}
	}
}

// TestHeadReporter: a client answers with the last layer of a network, and with all of
// a model without layers.
func TestHeadReporter(t *testing.T) {
	e, ok := model.Registry.Lookup("mlp")
	if !ok {
		t.Fatal("no model mlp")
	}
	v := param.Given{}
	algotest.Defaults(v, e.Fields)
	algotest.Set(v, []string{"hidden=2"})
	network, err := e.Make.Make(v.Values(), model.Samples{Shape: model.Shape{Height: 1, Width: 1, Channels: 1},
		Classes: 2})
	if err != nil {
		t.Fatal(err)
	}
	// Two weights and two biases of the hidden units; then for each unit its weights to
	// the two classes, and the classes' biases. The second unit is asleep. On the sample 1
	// of class 0 the first unit says 1, both classes have probability ½, and gradients by
	// class are ∓½.
	start := []float32{1, -1, 0, 0, 0, 0, 0, 0, 0, 0}
	at := &spot{model: network, batch: model.Batch{X: []float32{1, 1}, Y: []float32{0, 0}, N: 2}, rate: 0.1}
	got := headReporter{1}.Do([]float32{7}, opHead, start, at)
	want := []float32{7, 0.05, -0.05, 0, 0, 0.05, -0.05}
	if len(got) != len(want) {
		t.Fatalf("a network's client answers %v, want %v", got, want)
	}
	for j, v := range got {
		if math.Abs(float64(v-want[j])) > 1e-6 {
			t.Fatalf("a network's client answers %v, want %v", got, want)
		}
	}
	// Of a line all weights are the last layer: (½ − 2)² has the slope 2·(½ − 2) = −3.
	line := &spot{model: model.Linear{}, batch: model.Batch{X: []float32{1}, Y: []float32{2}, N: 1}, rate: 0.1}
	got = headReporter{1}.Do(nil, opHead, []float32{0.5}, line)
	if len(got) != 1 || math.Abs(float64(got[0])-0.8) > 1e-6 {
		t.Errorf("a line's client answers %v, want [0.8]", got)
	}
}
