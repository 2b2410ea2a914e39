package algorithm

import (
	"fmt"
	"slices"
	"testing"

	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
)

// kinds returns loss vectors of clients of several kinds: each kind has a model of
// its own on which it loses little, and clients differ a bit.
func kinds(of []int, models int) [][]float64 {
	out := make([][]float64, len(of))
	for i, g := range of {
		out[i] = make([]float64, models)
		for k := range out[i] {
			out[i][k] = 5 + float64(g) + 0.3*float64(k) + 0.01*float64(i)
		}
		out[i][g] = 0.5 + 0.01*float64(i)
	}
	return out
}

// partners reports whether clients have equal labels just where their kinds are.
func partners(label, of []int) bool {
	for i := range of {
		for j := range i {
			if (of[i] == of[j]) != (label[i] == label[j]) {
				return false
			}
		}
	}
	return true
}

// TestCLoVEUnknownK: the number of clusters is found in every round, within the
// bound and the number of clients, and follows the clients (spec 6.5).
func TestCLoVEUnknownK(t *testing.T) {
	for _, tt := range []struct {
		name  string
		of    []int
		words []string
		want  int // clusters
	}{
		{"two kinds", []int{0, 0, 1, 1, 0, 1}, nil, 2},
		{"three kinds", []int{0, 0, 1, 1, 2, 2, 2}, nil, 3},
		{"four kinds", []int{3, 0, 0, 1, 1, 2, 2, 3}, nil, 4},
		{"three kinds by merging", []int{0, 0, 1, 1, 2, 2, 2}, []string{"by=ward"}, 3},
		{"three kinds, roots", []int{0, 0, 1, 1, 2, 2, 2}, []string{"sqrt=1"}, 3},
		{"three kinds, a margin", []int{0, 0, 1, 1, 2, 2, 2}, []string{"margin=0.1"}, 3},
		{"three kinds and a bound of two", []int{0, 0, 1, 1, 2, 2, 2}, []string{"most=2"}, 2},
		{"one client", []int{0}, nil, 1},
		{"two clients: silhouettes need three", []int{0, 1}, nil, 1},
	} {
		models := min(15, len(tt.of))
		if slices.Contains(tt.words, "most=2") {
			models = 2
		}
		losses := kinds(tt.of, max(models, 4))
		for i := range losses {
			losses[i] = losses[i][:models]
		}
		r := lossRig(t, "clove", losses, nil, append([]string{"bestk=silhouette"}, tt.words...)...)
		if r.Bank.Models() != models {
			t.Errorf("%s: %d models, want %d", tt.name, r.Bank.Models(), models)
		}
		for round := range 3 {
			r.Play(round)
			if got := len(slices.Compact(slices.Sorted(slices.Values(r.Label)))); got != tt.want {
				t.Errorf("%s: round %d: labels %v, want %d clusters", tt.name, round, r.Label, tt.want)
			}
			if tt.want == slices.Max(tt.of)+1 && !partners(r.Label, tt.of) {
				t.Errorf("%s: round %d: labels %v, want those of %v up to names", tt.name, round, r.Label, tt.of)
			}
		}
	}
	// Nobody differs any more: one cluster is left.
	losses := kinds([]int{0, 0, 1, 1, 2, 2}, 6)
	r := lossRig(t, "clove", losses, nil, "bestk=silhouette")
	r.Play(0)
	for i := range losses {
		copy(losses[i], losses[0])
	}
	if r.Play(1); slices.Max(r.Label) != slices.Min(r.Label) {
		t.Errorf("equal losses get models %v, want one for all", r.Label)
	}
}

// TestCLoVEMargin: three clusters score better than two, but not by a tenth.
func TestCLoVEMargin(t *testing.T) {
	var losses [][]float64
	for _, at := range []float64{0, 1, 8, 9, 33, 34} {
		losses = append(losses, []float64{at, 0, 0, 0, 0, 0})
	}
	for margin, want := range map[string]int{"0": 3, "0.1": 2} {
		r := lossRig(t, "clove", losses, nil, "bestk=silhouette", "margin="+margin)
		r.Play(0)
		if got := len(slices.Compact(slices.Sorted(slices.Values(r.Label)))); got != want {
			t.Errorf("margin=%s: labels %v of scores %v, want %d clusters", margin, r.Label,
				r.Server.(*clove).choice.Scores,
				want)
		}
	}
}

// TestCLoVECopies: of three kinds two have one client each. Alone in their clusters these score 0, so that two clusters are
// best; with copies they score 1, and three clusters are best by more than the margin.
func TestCLoVECopies(t *testing.T) {
	var losses [][]float64
	for _, at := range []float64{0, 0.01, 10, 16} {
		losses = append(losses, []float64{at, 0, 0, 0})
	}
	for copies, want := range map[string]int{"1": 2, "5": 3} {
		r := lossRig(t, "clove", losses, nil, "bestk=silhouette", "margin=0.1", "copies="+copies)
		r.Play(0)
		if got := len(slices.Compact(slices.Sorted(slices.Values(r.Label)))); got != want {
			t.Errorf("copies=%s: labels %v of scores %v, want %d clusters", copies, r.Label,
				r.Server.(*clove).choice.Scores, want)
		}
	}
}

// TestCLoVEWithoutMatching: clusters take models in the order of their first
// clients, whatever the losses say (spec 6.8, ablation).
func TestCLoVEWithoutMatching(t *testing.T) {
	for _, by := range []string{"kmeans", "ward", "kmedians", "trimmed"} {
		for _, tt := range []struct{ of, want []int }{
			{[]int{2, 2, 1, 1, 0, 0}, []int{0, 0, 1, 1, 2, 2}},
			{[]int{1, 0, 0, 2, 1, 2}, []int{0, 1, 1, 2, 0, 2}},
			{[]int{0, 0, 0, 0, 1, 2}, []int{0, 0, 0, 0, 1, 2}},
		} {
			r := lossRig(t, "clove", kinds(tt.of, 3), nil, "match=0", "by="+by)
			if r.Play(0); !slices.Equal(r.Label, tt.want) {
				t.Errorf("by=%s: kinds %v get models %v, want %v", by, tt.of, r.Label, tt.want)
			}
			r = lossRig(t, "clove", kinds(tt.of, 3), nil, "by="+by)
			if r.Play(0); !slices.Equal(r.Label, tt.of) {
				t.Errorf("by=%s: with matching kinds %v get models %v", by, tt.of, r.Label)
			}
		}
	}
}

// TestCLoVERandomFirst: round 0 asks for no losses; every model has clients, the
// first client has the first model, and so on; and the second round looks.
func TestCLoVERandomFirst(t *testing.T) {
	of := []int{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}
	var seen [][]int
	for _, tt := range []struct{ clients, models int }{{12, 4}, {12, 1}, {4, 4}, {5, 4}} {
		losses := kinds(of[:tt.clients], 4)
		for i := range losses {
			losses[i] = losses[i][:tt.models]
		}
		r := lossRig(t, "clove", losses, nil, fmt.Sprint("K=", tt.models), "first=random")
		r.Play(0)
		want := int64(2 * tt.clients)
		if r.Traffic != (fl.Traffic{Down: want, Up: want}) || r.Sends != 1 || r.Round.Reclustered {
			t.Errorf("%+v: round 0 costs %+v in %d exchanges, News = %v, want %d each way in one, and no news", tt,
				r.Traffic,
				r.Sends, r.Round.Reclustered, want)
		}
		next := 0
		for _, k := range r.Label {
			if k > next {
				t.Fatalf("%+v: labels %v, want models in the order of their first clients", tt, r.Label)
			}
			next = max(next, k+1)
		}
		if next != tt.models {
			t.Errorf("%+v: labels %v, want clients for each of %d models", tt, r.Label, tt.models)
		}
		seen = append(seen, slices.Clone(r.Label))
		if r.Play(1); tt.models == 4 && !slices.Equal(r.Label, of[:tt.clients]) {
			t.Errorf("%+v: round 1: labels %v, want %v", tt, r.Label, of[:tt.clients])
		}
	}
	if slices.Equal(seen[0], of) {
		t.Error("random clusters are the kinds")
	}
}

// TestStartAlike: all models begin as copies of the first.
func TestStartAlike(t *testing.T) {
	bank := fl.NewBank(3, 2)
	copy(bank.Params, []float32{1, 2, 3, 4, 5, 6})
	if method.StartAlike(&bank); !slices.Equal(bank.Params, []float32{1, 2, 1, 2, 1, 2}) {
		t.Errorf("startAlike gives %v, want copies of 1, 2", bank.Params)
	}
}
