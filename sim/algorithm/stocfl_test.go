package algorithm

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"flockscope/sim/algorithm/internal/algotest"
	"flockscope/sim/fl"
)

// pulls is a StoCFL whose clients pull at the first model as a table says, and
// whose updates are (client + 1, model) of their cluster's model and
// (client + 1, −1) of the common one.
func pulls(t testing.TB, table [][]float32, words ...string) *algotest.Rig {
	size := len(table[0])
	r := algotest.NewRig(t, "stocfl", len(table), size, nil, words...)
	r.Answer = func(i int, task *fl.Task, reply *fl.Reply) {
		switch {
		case task.Call == opDirection:
			reply.Answer = append(reply.Answer[:0], table[i]...)
		case task.Call >= opTrain:
			k := task.Call - opTrain
			if !slices.Equal(task.Models, []int{k, r.Bank.Models() - 1}) ||
				!slices.Equal(task.Updates, []int{r.Bank.Models() - 1}) {
				t.Errorf("client %d is asked %+v, want its cluster's model and the common one", i, task)
			}
			reply.Answer = make([]float32, size)
			copy(reply.Answer, []float32{float32(i + 1), float32(k)})
			copy(algotest.UpdateBuffer(reply, 0, size), []float32{float32(i + 1), -1})
		}
	}
	return r
}

// direction is a unit vector in the plane, at an angle in degrees.
func direction(degrees float64) []float32 {
	s, c := math.Sincos(degrees * math.Pi / 180)
	return []float32{float32(c), float32(s)}
}

// TestStoCFLMerges: whoever is connected by cosines of τ or more is one cluster,
// the lengths of pulls do not matter, and a pull of zero is like no other (spec 8.2).
func TestStoCFLMerges(t *testing.T) {
	turned := func(degrees ...float64) (out [][]float32) {
		for i, d := range degrees {
			v := direction(d)
			out = append(out, []float32{v[0] * float32(i+1), v[1] * float32(i+1)})
		}
		return out
	}
	for _, tt := range []struct {
		name  string
		table [][]float32
		words []string
		want  []int
	}{
		{"two directions", turned(0, 90, 3, 92, 178), []string{"like=0.9"}, []int{0, 1, 0, 1, 2}},
		{"a chain", turned(0, 20, 40, 60, 150), []string{"like=0.9"}, []int{0, 0, 0, 0, 1}},
		{"a chain cut", turned(0, 20, 40, 60, 150), []string{"like=0.95"}, []int{0, 1, 2, 3, 4}},
		{"everybody", turned(0, 90, 180, 270), []string{"like=-0.99"}, []int{0, 0, 0, 0}},
		{"nobody", turned(0, 90, 180, 270), []string{"like=1"}, []int{0, 1, 2, 3}},
		{"zeros", [][]float32{{0, 0}, {1, 0}, {0, 0}, {2, 0}}, []string{"like=0.5"}, []int{0, 1, 2, 1}},
		{"too few models: the nearest whatever τ", turned(0, 30, 100, 190, 300), []string{"like=0.99", "most=3"}, []int{0, 0, 1, 2, 0}},
		{"one model", turned(0, 30, 100, 190, 300), []string{"like=0.99", "most=1"}, []int{0, 0, 0, 0, 0}},
	} {
		r := pulls(t, tt.table, tt.words...)
		for round := range 3 {
			r.Play(round)
			if !partners(r.Label, tt.want) {
				t.Errorf("%s: round %d: labels %v, want those of %v up to names", tt.name, round, r.Label, tt.want)
			}
			if slices.Contains(r.Label, r.Bank.Models()-1) || r.Round.Reclustered != (round == 0) {
				t.Errorf("%s: round %d: labels %v, news %v, want models of clusters, and news once", tt.name, round,
					r.Label,
					r.Round.Reclustered)
			}
		}
	}
}

// TestStoCFLRound: cluster models begin as the common model and move by the plain
// mean of their clients' updates, the common one by that of all; a client costs
// 2d each way, and d more the first time.
func TestStoCFLRound(t *testing.T) {
	const d, rate = 2, 0.5
	r := pulls(t, [][]float32{{1, 0}, {0, 1}, {1, 0.1}, {0, 2}}, "lr=0.5", "like=0.9")
	w := len(r.Label)
	copy(r.Bank.Model(w), []float32{7, 8})
	for k := range w {
		copy(r.Bank.Model(k), []float32{100, 100})
	}
	r.PlayWith(0, []int{0, 1})
	if want := (fl.Traffic{Down: 2 * 3 * d, Up: 2 * 3 * d}); r.Traffic != want {
		t.Errorf("round 0: traffic %+v, want %+v", r.Traffic, want)
	}
	if !slices.Equal(r.Label, []int{0, 1, w, w}) {
		t.Errorf("round 0: labels %v, want clusters of 0 and 1, and the common model for the others", r.Label)
	}
	want := [][]float32{{7 - rate*1, 8}, {7 - rate*2, 8 - rate*1}}
	for k := range want {
		if got := r.Bank.Model(k); !slices.Equal(got, want[k]) {
			t.Errorf("round 0: model %d = %v, want %v", k, got, want[k])
		}
	}
	if got, want := r.Bank.Model(w), []float32{7 - rate*1.5, 8 + rate}; !slices.Equal(got, want) {
		t.Errorf("round 0: the common model = %v, want %v", got, want)
	}
	before := r.Traffic
	first := slices.Clone(r.Bank.Model(0))
	r.PlayWith(1, []int{0, 2, 3}, 3)
	// Client 3 is lost with the first model on its device and nothing else.
	if want := (fl.Traffic{Down: before.Down + 2*d + 3*d + d, Up: before.Up + 2*d + 3*d}); r.Traffic != want {
		t.Errorf("round 1: traffic %+v, want %+v", r.Traffic, want)
	}
	if !slices.Equal(r.Label, []int{0, 1, 0, w}) {
		t.Errorf("round 1: labels %v, want 2 with 0", r.Label)
	}
	if got, want := r.Bank.Model(0), []float32{first[0] - rate*2, first[1]}; !slices.Equal(got, want) {
		t.Errorf("round 1: model 0 = %v, want %v", got, want)
	}
	if got := r.Bank.Model(1); !slices.Equal(got, want[1]) {
		t.Errorf("round 1: model 1 without clients = %v, want %v", got, want[1])
	}
}

// TestStoCFLKeepsTheLargerModel: of two clusters that become one, that of more
// clients has its model go on, whichever root is lower.
func TestStoCFLKeepsTheLargerModel(t *testing.T) {
	// Client 0 alone, 1 to 3 together, and 4 in between joins them.
	table := [][]float32{direction(0), direction(50), direction(51), direction(52), direction(25)}
	r := pulls(t, table, "like=0.85")
	r.PlayWith(0, []int{0, 1, 2, 3})
	if !partners(r.Label[:4], []int{0, 1, 1, 1}) {
		t.Fatalf("labels %v: this proves nothing", r.Label)
	}
	model := r.Label[1]
	r.PlayWith(1, []int{0, 1, 2, 3, 4})
	for i, k := range r.Label {
		if k != model {
			t.Errorf("client %d has model %d, want that of the larger cluster, %d", i, k, model)
		}
	}
}

// TestStoCFLReusesModels: the models of merged clusters are there for new ones.
func TestStoCFLReusesModels(t *testing.T) {
	var table [][]float32
	for i := range 30 {
		table = append(table, direction(float64(i)*12))
	}
	for _, most := range []int{2, 3, 7} {
		r := pulls(t, table, fmt.Sprint("most=", most), "like=0.999")
		for round := range 30 {
			r.PlayWith(round, []int{max(0, round-1), round}[min(round, 1)^1:])
			used := map[int]bool{}
			for i := range round + 1 {
				if k := r.Label[i]; k >= most {
					t.Fatalf("most=%d: round %d: client %d has model %d", most, round, i, k)
				}
				used[r.Label[i]] = true
			}
			if len(used) > most || round >= most && len(used) != most {
				t.Errorf("most=%d: round %d: %d clusters, want all models in use", most, round, len(used))
			}
		}
	}
}
