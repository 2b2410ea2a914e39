package algorithm

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/algorithm/internal/algotest"
	"flockscope/sim/fl"
	"flockscope/sim/param"
)

// cflRig is a CFL whose clients answer with the rows of a table that a test may
// change between rounds.
func cflRig(t testing.TB, updates [][]float32, words ...string) *algotest.Rig {
	r := algotest.NewRig(
		t,
		"cfl",
		len(updates),
		len(updates[0]),
		nil,
		append([]string{"warm=0", "eps1=0.1", "eps2=0.5", "lr=1"}, words...)...)
	r.Answer = func(i int, task *fl.Task, reply *fl.Reply) {
		copy(algotest.UpdateBuffer(reply, 0, len(updates[i])), updates[i])
	}
	return r
}

// samePartition reports whether a and b put the same clients together.
func samePartition(a, b []int) bool {
	for i := range a {
		for j := range i {
			if (a[i] == a[j]) != (b[i] == b[j]) {
				return false
			}
		}
	}
	return len(a) == len(b)
}

// TestCFLKeepsClients: halves are halved again, and clients keep their numbers. The
// released notebook numbers them within the parent from the second split on.
func TestCFLKeepsClients(t *testing.T) {
	const clients, d = 13, 3
	for seed := range uint64(50) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		leaf := make([]int, clients) // each of four has three members at least
		for i := range leaf {
			leaf[i] = i % 4
		}
		rnd.Shuffle(clients, func(i, j int) { leaf[i], leaf[j] = leaf[j], leaf[i] })
		updates := make([][]float32, clients)
		for i := range updates {
			updates[i] = make([]float32, d)
		}
		r := cflRig(t, updates)
		// In every round two sides pull against each other within each cluster
		// there is, so that its mean is 0.
		pull := func(axis int, side, cluster func(leaf int) int) {
			count := map[[2]int]float32{}
			for _, l := range leaf {
				count[[2]int{side(l), cluster(l)}]++
			}
			for i, l := range leaf {
				clear(updates[i])
				updates[i][axis] = float32(1-2*side(l)) * 6 / count[[2]int{side(l), cluster(l)}]
			}
		}
		half, whole := func(l int) int { return l / 2 }, func(int) int { return 0 }
		pull(0, half, whole)
		r.Play(1)
		first := slices.Clone(leaf)
		for i := range first {
			first[i] /= 2
		}
		if !samePartition(r.Label, first) {
			t.Fatalf("seed %d: the first split gives %v, want %v", seed, r.Label, first)
		}
		pull(1, func(l int) int { return l % 2 }, half)
		r.Play(2)
		if !samePartition(r.Label, leaf) {
			t.Fatalf("seed %d: the second splits give %v, want %v", seed, r.Label, leaf)
		}
		// Every client stands where its own updates took it, from 0.
		for i, k := range r.Label {
			same := [2]float32{}
			for _, l := range leaf {
				if l == leaf[i] {
					same[1]++
				}
				if l/2 == leaf[i]/2 {
					same[0]++
				}
			}
			want := []float32{-float32(1-2*(leaf[i]/2)) * 6 / same[0], -float32(1-2*(leaf[i]%2)) * 6 / same[1], 0}
			for j, v := range r.Bank.Model(k) {
				if math.Abs(float64(v-want[j])) > 1e-6 {
					t.Fatalf("seed %d: client %d has model %v, want %v", seed, i, r.Bank.Model(k), want)
				}
			}
		}
	}
}

// TestCFLSplits: when a cluster is split and when not.
func TestCFLSplits(t *testing.T) {
	apart := [][]float32{{1, 0}, {-1, 0}, {1, 0.1}, {-1, -0.1}}
	sides := []int{0, 1, 0, 1}
	one := []int{0, 0, 0, 0}
	scaled := func(f float32) [][]float32 {
		out := make([][]float32, len(apart))
		for i, u := range apart {
			out[i] = []float32{f * u[0], f * u[1]}
		}
		return out
	}
	tests := []struct {
		name    string
		updates [][]float32
		words   []string
		t       int
		want    []int
	}{
		{"apart", apart, nil, 1, sides},
		{"at warm-up's end", apart, []string{"warm=5"}, 5, one},
		{"after warm-up", apart, []string{"warm=5"}, 6, sides},
		{"mean not short", [][]float32{{1, 0}, {-1, 0}, {1, 0.3}, {-1, 0.3}}, nil, 1, one},
		{"nobody restless", scaled(0.4), nil, 1, one},
		{"two are not split", [][]float32{{1, 0}, {-1, 0}}, nil, 1, []int{0, 0}},
		{"no model left", apart, []string{"most=1"}, 1, one},
		{"γ that the split meets", apart, []string{"gmax=0.99"}, 1, sides},
		{"γ that it does not", [][]float32{{1, 0}, {-0.5, 0.866}, {-0.5, -0.866}}, []string{"gmax=0.9"}, 1, []int{0, 0, 0}},
		{"shares, small", scaled(0.001), []string{"eps=scaled"}, 1,
			one}, // of a mean of 0, which is not below a share of itself
		{"zeros", scaled(0), nil, 1, one},
	}
	for _, tt := range tests {
		r := cflRig(t, tt.updates, tt.words...)
		r.Play(tt.t)
		if !slices.Equal(r.Label, tt.want) {
			t.Errorf("%s: updates %v give %v, want %v", tt.name, tt.updates, r.Label, tt.want)
		}
	}
}

// TestCFLShares: shares of the longest mean update do not know the unit.
func TestCFLShares(t *testing.T) {
	for _, unit := range []float32{1e-4, 1, 1e4} {
		updates := [][]float32{{unit, 0}, {unit, 0}, {unit, 0}, {unit, 0}}
		r := cflRig(t, updates, "eps=scaled", "rel1=0.1", "rel2=0.5")
		r.Play(1)
		if !slices.Equal(r.Label, []int{0, 0, 0, 0}) {
			t.Errorf("unit %v: a cluster on its way is split: %v", unit, r.Label)
		}
		for i := range updates {
			updates[i][0] = unit * float32(1-2*(i%2)) * 0.6
		}
		r.Play(2)
		if !slices.Equal(r.Label, []int{0, 1, 0, 1}) {
			t.Errorf("unit %v: a cluster at a standstill has labels %v, want [0 1 0 1]", unit, r.Label)
		}
	}
}

// TestCFLLinkage: along a chain of directions single linkage parts the one whose
// gap is widest, complete linkage cuts in the middle.
func TestCFLLinkage(t *testing.T) {
	var updates [][]float32
	for _, degrees := range []float64{0, 20, 40, 60, 85} {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		updates = append(updates, []float32{float32(cos), float32(sin)})
	}
	for _, tt := range []struct {
		link string
		want []int
	}{{"single", []int{0, 0, 0, 0, 1}}, {"complete", []int{0, 0, 1, 1, 1}}} {
		r := cflRig(t, updates, "link="+tt.link, "eps1=2")
		if r.Play(1); !slices.Equal(r.Label, tt.want) {
			t.Errorf("%s linkage gives %v, want %v", tt.link, r.Label, tt.want)
		}
	}
}

// TestCFLWaitsForAll: a cluster is judged only when all its members that were ever
// heard have answered.
func TestCFLWaitsForAll(t *testing.T) {
	updates := [][]float32{{1, 0}, {-1, 0}, {1, 0}, {-1, 0}, {5, 5}}
	r := cflRig(t, updates, "missed=wait")
	play := func(t int, here, lost []int) {
		gone := make([]bool, len(updates))
		for _, i := range lost {
			gone[i] = true
		}
		r.Round.Begin(t)
		r.Round.SetParticipants(here, gone)
		r.Server.Round(r.Round)
	}
	play(1, []int{0, 1, 2}, []int{0})
	play(2, nil, nil)
	play(3, []int{0, 1, 2, 3}, []int{3})
	if want := []int{0, 0, 0, 0, 0}; !slices.Equal(r.Label, want) {
		t.Errorf("labels %v while some were missing, want %v", r.Label, want)
	}
	play(4, []int{0, 1, 2, 3}, nil) // client 4 was never heard
	if want := []int{0, 1, 0, 1, 0}; !slices.Equal(r.Label, want) {
		t.Errorf("labels %v when all were there, want %v", r.Label, want)
	}
}

// TestCFLMemory: to count last updates it keeps one update of each client, and says so.
func TestCFLMemory(t *testing.T) {
	entry, _ := Registry.Lookup("cfl")
	for missed, want := range map[string]int{"wait": 0, "last": 1} {
		v := param.Given{}
		algotest.Defaults(v, entry.Fields)
		v["missed"] = missed
		if got := entry.Make(v.Values(), 4).UpdatesKept; got != want {
			t.Errorf("missed=%s keeps %d updates of each client, want %d", missed, got, want)
		}
	}
}

// TestCFLLastUpdates: members that miss a round count with their last update, and those
// that were never heard not at all. In round 1 clients 0 and 1 pull one way and are a
// cluster on its way; in round 2 clients 2 and 3 pull the other way, so that the mean of all four
// is 0 while each pulls by 1. Client 4 was never heard.
func TestCFLLastUpdates(t *testing.T) {
	updates := [][]float32{{1, 0}, {1, 0}, {-1, 0}, {-1, 0}, {5, 5}}
	r := cflRig(t, updates, "missed=last")
	play := func(t int, here ...int) {
		r.Round.Begin(t)
		r.Round.SetParticipants(here, make([]bool, len(updates)))
		r.Server.Round(r.Round)
	}
	play(1, 0, 1)
	if want := []int{0, 0, 0, 0, 0}; !slices.Equal(r.Label, want) {
		t.Errorf("labels %v of clients that pull one way, want %v", r.Label, want)
	}
	// The model has moved by their mean update; that of the others takes it back.
	play(2, 2, 3)
	if want := []int{0, 0, 1, 1, 0}; !slices.Equal(r.Label, want) {
		t.Errorf("labels %v by the last updates of four clients, want %v", r.Label, want)
	}
	if want := []float32{-1, 0, 0, 0}; !slices.Equal(r.Bank.Params[:4], want) {
		t.Errorf("models %v, want %v: only those that answered move one", r.Bank.Params[:4], want)
	}
	play(3) // nobody has answered: nothing is judged anew
	if want := []int{0, 0, 1, 1, 0}; !slices.Equal(r.Label, want) {
		t.Errorf("labels %v after a round without answers, want %v", r.Label, want)
	}
}

// Without ε₁ and ε₂ a cluster splits where its mean update is shorter than a quarter of its longest one, and this not shorter
// than half of the longest so far, whatever the unit of updates; one threshold gives the other. The quarter is that of the
// authors' program.
func TestCFLFindsThresholds(t *testing.T) {
	// Two clients pull against two others, all move along x: the mean is (x, 0), the longest has length √(x² + 1).
	updates := func(x, unit float32) [][]float32 {
		return [][]float32{{x * unit, unit}, {x * unit, unit}, {x * unit, -unit}, {x * unit, -unit}}
	}
	for _, tt := range []struct {
		x     float32
		words string
		split bool
	}{
		{0.25, "eps1=-1 eps2=-1", true}, // 0.25 < √1.0625 / 4
		{0.27, "eps1=-1 eps2=-1", false},
		{0.25, "eps1=-1 eps2=1", false}, // ε₁ is 0.25
		{0.24, "eps1=-1 eps2=1", true},
		{0.24, "eps1=0.25 eps2=-1", true}, // ε₂ is 1
		{0.24, "eps1=0.26 eps2=-1", false},
	} {
		for _, unit := range []float32{1, 1e-3, 1e3} {
			if unit != 1 && tt.words != "eps1=-1 eps2=-1" {
				continue
			}
			r := cflRig(t, updates(tt.x, unit), strings.Fields(tt.words)...)
			r.Play(0)
			r.Play(1)
			if split := r.Label[0] != r.Label[2]; split != tt.split {
				t.Errorf("%s, x = %g, unit %g: split %v, want %v", tt.words, tt.x, unit, split, tt.split)
			}
		}
	}
}

// Updates that have shrunk to half of what they were are noise about a model that fits.
func TestCFLKeepsClustersThatFit(t *testing.T) {
	for _, tt := range []struct {
		before float32
		split  bool
	}{{1.9, true}, {2.1, false}} {
		updates := [][]float32{{tt.before, 0}, {tt.before, 0}, {tt.before, 0}, {tt.before, 0}} // the mean is as long
		r := cflRig(t, updates, "eps1=-1", "eps2=-1")
		r.Play(0)
		r.Play(1)
		for i := range updates {
			updates[i][0], updates[i][1] = 0, 1-2*float32(i/2)
		}
		r.Play(2)
		if split := r.Label[0] != r.Label[2]; split != tt.split {
			t.Errorf("updates of %g are now 1: split %v, want %v", tt.before, split, tt.split)
		}
	}
}
