package algorithm

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"flockscope/sim/algorithm/internal/algotest"
	"flockscope/sim/fl"
)

// reference is what NumPy and SciPy did, as recorded by testdata/golden.py.
type reference struct {
	Versions map[string]string
	CFL      []struct {
		Optimum, Models [][]float64
		Samples         []int
		LR              float64
		Rounds          []struct{ Here, Label []int }
	}
	StoCFL []struct {
		Pulls  [][]float32
		Rounds []struct{ Here, Known, Label []int }
	}
	PACFL []struct {
		Lines [][]float64
		Label []int
	}
	FedClust []struct {
		Merge string
		Heads [][]float32
		Label []int
	}
}

func golden(t *testing.T) (g reference) {
	t.Helper()
	text, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &g); err != nil {
		t.Fatal(err)
	}
	if len(g.CFL) == 0 || len(g.StoCFL) == 0 || len(g.PACFL) == 0 || len(g.FedClust) == 0 || g.Versions["scipy"] == "" {
		t.Fatalf("golden.json by versions %v lacks methods", g.Versions)
	}
	return g
}

// TestCFLNewcomersGolden: clients that come after splits go down the tree of splits by
// cosine, and clusters, labels and models are those of the reference in every round.
func TestCFLNewcomersGolden(t *testing.T) {
	for n, tt := range golden(t).CFL {
		clients, d := len(tt.Optimum), len(tt.Optimum[0])
		r := algotest.NewRig(t, "cfl", clients, d, tt.Samples, "warm=0", "eps=absolute", "eps1=0.1", "eps2=0.5")
		r.Round.Step = tt.LR
		visits := 0
		r.Answer = func(i int, task *fl.Task, reply *fl.Reply) {
			from := func(dst, model []float32) {
				for j := range dst {
					dst[j] = model[j] - float32(tt.Optimum[i][j])
				}
			}
			if task.Call == opSplitUpdate {
				visits++
				reply.Answer = make([]float32, d)
				from(reply.Answer, task.With)
			}
			for u, k := range task.Updates {
				from(algotest.UpdateBuffer(reply, u, d), r.Bank.Model(k))
			}
		}
		for round, want := range tt.Rounds {
			if r.PlayWith(round, want.Here); !slices.Equal(r.Label, want.Label) {
				t.Fatalf("case %d: labels %v after round %d, want %v", n, r.Label, round, want.Label)
			}
		}
		for k, want := range tt.Models {
			for j, v := range r.Bank.Model(k) {
				if math.Abs(float64(v)-want[j]) > 1e-5 {
					t.Errorf("case %d: model %d is %v, want %v", n, k, r.Bank.Model(k), want)
					break
				}
			}
		}
		if visits == 0 {
			t.Errorf("case %d: nobody goes down the tree", n)
		}
	}
}

// TestStoCFLFoundGolden: the threshold that is found merges the clusters of the reference,
// also when clients come little by little.
func TestStoCFLFoundGolden(t *testing.T) {
	for n, tt := range golden(t).StoCFL {
		r := pulls(t, tt.Pulls, "most=64")
		for round, want := range tt.Rounds {
			r.PlayWith(round, want.Here)
			var got []int
			for _, i := range want.Known {
				got = append(got, r.Label[i])
			}
			if !samePartition(got, want.Label) {
				t.Fatalf("case %d: clients %v have %v after round %d, want %v up to names", n, want.Known, got, round,
					want.Label)
			}
		}
	}
}

// TestPACFLFoundGolden: the same for angles between lines.
func TestPACFLFoundGolden(t *testing.T) {
	for n, tt := range golden(t).PACFL {
		var answers [][]float32
		for _, line := range tt.Lines {
			answers = append(answers, sketched(line))
		}
		r := sketchRig(t, "pacfl", answers, nil)
		if r.Play(0); !slices.Equal(r.Label, tt.Label) {
			t.Errorf("case %d: labels %v, want %v", n, r.Label, tt.Label)
		}
	}
}

// TestFedClustFoundGolden: the same for distances of last layers, by three linkages.
func TestFedClustFoundGolden(t *testing.T) {
	for n, tt := range golden(t).FedClust {
		r := headRig(t, tt.Heads, nil, "merge="+tt.Merge)
		if r.Play(0); !slices.Equal(r.Label, tt.Label) {
			t.Errorf("case %d, %s: labels %v, want %v", n, tt.Merge, r.Label, tt.Label)
		}
	}
}
