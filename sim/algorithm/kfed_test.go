package algorithm

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"flockscope/sim/model"
)

// TestKFEDClusters: the server's start and clusters, and whose label a client gets.
func TestKFEDClusters(t *testing.T) {
	heavy := sketch{counts: []int{9, 1, 1}}
	heavy.rows.Reshape(3, 1)
	copy(heavy.rows.Data, []float64{0, 10, 10.1})
	light := sketch{counts: []int{1, 1, 9}}
	light.rows.Reshape(3, 1)
	copy(light.rows.Data, []float64{0, 10, 10.1})
	tests := []struct {
		name    string
		answers [][]float32
		words   []string
		want    []int
	}{
		// From the first client's centre the farthest is 10, then 4.
		{
			"farthest first",
			[][]float32{sketched([]float64{0}), sketched([]float64{4}), sketched([]float64{10}),
				sketched([]float64{0.2}),
				sketched([]float64{4.1})},
			[]string{"K=3"},
			[]int{0, 2, 1, 0, 2},
		},
		{"most samples", [][]float32{heavy.append(nil, &spot{}), light.append(nil, &spot{})}, []string{"K=2"}, []int{0, 1}},
		{"fewer kinds than models", [][]float32{sketched([]float64{1}), sketched([]float64{1}), sketched([]float64{1})},
			[]string{"K=3"}, []int{0, 0, 0}},
		{"a client without samples", [][]float32{sketched([]float64{1}), sketched(), sketched([]float64{5})}, []string{"K=2"},
			[]int{0, 0, 1}},
		{"one model", [][]float32{sketched([]float64{1}), sketched([]float64{9})}, []string{"K=1"}, []int{0, 0}},
		// Lloyd moves the first centre from 0 to the right until 5 belongs to it.
		{"until nothing changes", chain(), []string{"K=2"}, []int{0, 0, 0, 1, 1, 1}},
	}
	for _, tt := range tests {
		r := sketchRig(t, "kfed", tt.answers, nil, tt.words...)
		if r.Play(0); !slices.Equal(r.Label, tt.want) {
			t.Errorf("%s: labels %v, want %v", tt.name, r.Label, tt.want)
		}
	}
}

// chain is centres 0, 1, 2 and 8, 9, 10, which two starts at the ends split well.
func chain() (out [][]float32) {
	for _, x := range []float64{0, 1, 2, 8, 9, 10} {
		out = append(out, sketched([]float64{x}))
	}
	return out
}

// TestKFEDAwasthi: the other start finds clusters that lie far apart, too.
func TestKFEDAwasthi(t *testing.T) {
	for seed := range uint64(20) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		var answers [][]float32
		var group []int
		for i := range 18 {
			g := i * 7 % 3
			group = append(group, g)
			at := []float64{rnd.NormFloat64(), rnd.NormFloat64(), rnd.NormFloat64()}
			at[g] += 100
			answers = append(answers, sketched(at))
		}
		for _, words := range [][]string{{"centres=awasthi"}, {"centres=farthest"}, {"lloyd=one"}} {
			r := sketchRig(t, "kfed", answers, nil, append(words, "K=3")...)
			if r.Play(0); !samePartition(r.Label, group) {
				t.Errorf("seed %d, %v: labels %v, want the groups %v", seed, words, r.Label, group)
			}
		}
	}
}

// TestKFEDNewcomers: once there are K centres, newcomers take the nearest of the
// server's and nobody else moves.
func TestKFEDNewcomers(t *testing.T) {
	answers := chain()
	r := sketchRig(t, "kfed", answers, nil, "K=2")
	r.PlayWith(0, []int{4})
	if r.Label[4] != 0 {
		t.Errorf("one client of two models has label %d, want 0", r.Label[4])
	}
	r.PlayWith(1, []int{1, 5}, 5)
	if want := []int{0, 0, 0, 0, 1, 0}; !slices.Equal(r.Label, want) {
		t.Errorf("clients 1 and 4 have %v, want %v", r.Label, want)
	}
	r.PlayWith(2, []int{0, 2, 3, 5})
	if want := []int{0, 0, 0, 1, 1, 1}; !slices.Equal(r.Label, want) {
		t.Errorf("all have %v, want %v", r.Label, want)
	}
	if r.PlayWith(3, []int{0, 2, 3, 5}); r.Round.Reclustered {
		t.Error("a round without newcomers is news")
	}
}

// TestCentred: a client sends the mean of its samples, or the centres of its own
// clusters, with how many samples each has.
func TestCentred(t *testing.T) {
	at := &spot{model: model.Linear{}, batch: model.Batch{X: []float32{1, 2, 6}, Y: []float32{10, 20, 60}, N: 3}}
	tests := []struct {
		centres int
		want    []float32
	}{
		{1, []float32{1, 3, 3, 30}},
		{3, []float32{3, 1, 1, 1, 1, 10, 2, 20, 6, 60}},
		{8, []float32{3, 1, 1, 1, 1, 10, 2, 20, 6, 60}}, // no more than samples
	}
	for _, tt := range tests {
		got := centreReporter{tt.centres}.Do(nil, opSketch, nil, at)
		if len(got) != len(tt.want) {
			t.Errorf("%d centres: %v, want %v", tt.centres, got, tt.want)
			continue
		}
		for j, v := range got {
			if math.Abs(float64(v-tt.want[j])) > 1e-5 {
				t.Errorf("%d centres: %v, want %v", tt.centres, got, tt.want)
				break
			}
		}
	}
	at.batch = model.Batch{}
	if got := (centreReporter{1}).Do(nil, opSketch, nil, at); !slices.Equal(got, []float32{0}) {
		t.Errorf("without samples: %v, want [0]", got)
	}
}
