package partition

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"flockscope/sim/dataset"
)

// tables returns what each planted group calls the classes, nil without groups.
func tables(p *Partition) [][]uint8 {
	if p.Groups == 0 {
		return nil
	}
	out := make([][]uint8, p.Groups)
	for _, c := range p.Clients {
		out[c.Group] = c.Relabel
		if c.Relabel == nil {
			out[c.Group] = identity(p.Set.Classes)
		}
	}
	return out
}

func TestConceptTables(t *testing.T) {
	tests := []struct {
		words []string
		want  [][]uint8
	}{
		{[]string{"concept=none"}, nil},
		{[]string{"concept=swaps"}, [][]uint8{
			{3, 1, 2, 0, 4, 5, 6, 7, 9, 8}, {0, 4, 2, 3, 1, 5, 9, 7, 8, 6}, {0, 2, 1, 6, 4, 5, 3, 7, 8, 9}, {0, 1, 2, 5, 7, 3, 6, 4, 8, 9}}},
		{[]string{"concept=beta", "cbeta=3"}, [][]uint8{
			{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 0, 3, 4, 5, 6, 7, 8, 9}, {2, 0, 1, 3, 4, 5, 6, 7, 8, 9}}},
		{[]string{"concept=beta", "cbeta=2"}, [][]uint8{ // as printed, the third is the first again
			{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 0, 2, 3, 4, 5, 6, 7, 8, 9}}},
		{[]string{"concept=beta", "cbeta=2", "rename=swap"}, [][]uint8{
			{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 0, 2, 3, 4, 5, 6, 7, 8, 9}, {0, 1, 3, 2, 4, 5, 6, 7, 8, 9}}},
		{[]string{"concept=beta", "cbeta=4", "rename=swap"}, [][]uint8{
			{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 0, 3, 2, 4, 5, 6, 7, 8, 9}, {0, 1, 2, 3, 5, 4, 7, 6, 8, 9}}},
		{[]string{"concept=beta", "cbeta=10", "concepts=2"}, [][]uint8{
			{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 0}}},
	}
	for _, tt := range tests {
		p := build(t, digits(), 12, 1, tt.words...)
		got := tables(p)
		if fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("%v: classes are called %v, want %v", tt.words, got, tt.want)
		}
		for i, c := range p.Clients {
			for _, sample := range c.Train[:5] {
				want := p.Set.Label[sample]
				if tt.want != nil {
					want = tt.want[c.Group][want]
				}
				if l := p.Label(i, sample, true); l != want {
					t.Errorf("%v: Label(%d, %d, train) = %d, want %d", tt.words, i, sample, l, want)
				}
			}
		}
	}
}

// TestConceptNames: groups are told apart by the names of the classes that they rename.
func TestConceptNames(t *testing.T) {
	garments := labelled(700, 10, 0)
	garments.ClassNames = []string{"top", "pants", "coat", "dress", "shirt", "shoe", "bag", "boot", "hat", "sock"}
	plain := labelled(700, 10, 0)
	for _, tt := range []struct {
		set   *dataset.Set
		words []string
		want  []string
	}{
		{plain, []string{"concept=swaps"}, []string{"0↔3 8↔9", "1↔4 6↔9", "1↔2 3↔6", "3↔5 4↔7"}},
		{garments, []string{"concept=swaps"}, []string{"top↔dress, hat↔sock", "pants↔shirt, bag↔sock", "pants↔coat, dress↔bag", "dress↔shoe, shirt↔boot"}},
		{garments, []string{"concept=beta", "rename=swap", "cbeta=4"}, []string{"as it is", "top↔pants, coat↔dress", "shirt↔shoe, bag↔boot"}},
		{garments, []string{"concept=beta", "cbeta=4"}, []string{"as it is", "top to dress shifted by 1", "top to dress shifted by 2"}},
		{plain, []string{"concept=beta", "cbeta=4"}, []string{"as it is", "0 to 3 shifted by 1", "0 to 3 shifted by 2"}},
		{garments, []string{"concept=beta", "cbeta=10"}, []string{"as it is", "shifted by 1", "shifted by 2"}},
	} {
		if got := groupNames(build(t, tt.set, 12, 1, tt.words...)); !slices.Equal(got, tt.want) {
			t.Errorf("%v: the groups are %q, want %q", tt.words, got, tt.want)
		}
	}
}

// TestPermute: true permutations, all different, the first the identity, and
// the same for a larger number of concepts.
func TestPermute(t *testing.T) {
	for seed := range uint64(30) {
		all := tables(build(t, digits(), 16, seed, "concept=permute", "concepts=8"))
		for g, table := range all {
			sorted := slices.Clone(table)
			slices.Sort(sorted)
			if !slices.Equal(sorted, identity(10)) || g == 0 && !slices.Equal(table, sorted) {
				t.Errorf("seed %d: concept %d is %v", seed, g, table)
			}
			for h := range g {
				if slices.Equal(table, all[h]) {
					t.Errorf("seed %d: concepts %d and %d are the same", seed, g, h)
				}
			}
		}
		if few := tables(build(t, digits(), 16, seed, "concept=permute")); fmt.Sprint(few) != fmt.Sprint(all[:3]) {
			t.Errorf("seed %d: three concepts are not the first three of eight", seed)
		}
	}
	if got := tables(build(t, labelled(700, 2, 0), 6, 1, "concept=permute",
		"concepts=2")); fmt.Sprint(got) != "[[0 1] [1 0]]" {
		t.Errorf("two concepts of two classes are %v", got)
	}
}

func TestNoise(t *testing.T) {
	for _, tt := range []struct {
		words []string
		chi   float64
		pair  bool
	}{
		{[]string{"noise=none"}, 0, false},
		{[]string{"noise=symmetric", "chi=0.4"}, 0.4, false},
		{[]string{"noise=symmetric", "chi=1"}, 1, false},
		{[]string{"noise=pair"}, 0.2, true},
		{[]string{"noise=pair", "chi=0"}, 0, true},
	} {
		p := build(t, digits(), 10, 1, append(tt.words, "concept=swaps")...)
		var moved [10]int // from the right class, forwards around the circle
		n := 0
		for i, c := range p.Clients {
			for _, sample := range c.Train {
				right := int(c.Relabel[p.Set.Label[sample]])
				moved[(int(p.Label(i, sample, true))-right+10)%10]++
				n++
			}
			for _, sample := range c.Test {
				if got, want := p.Label(i, sample, false), c.Relabel[p.Set.Label[sample]]; got != want {
					t.Fatalf("%v: a test sample bears label %d, want %d", tt.words, got, want)
				}
			}
		}
		for d, got := range moved {
			var want float64
			switch {
			case d == 0:
				want = 1 - tt.chi
			case !tt.pair:
				want = tt.chi / 9
			case d == 1:
				want = tt.chi
			}
			slack := 5 * math.Sqrt(want*(1-want)*float64(n))
			if math.Abs(float64(got)-want*float64(n)) > slack {
				t.Errorf("%v: %d of %d labels are %d too high, want %.0f ± %.0f", tt.words, got, n, d,
					want*float64(n), slack)
			}
		}
	}
}

// TestMoreNoise: more noise leaves the mistakes of less as they are.
func TestMoreNoise(t *testing.T) {
	for _, noise := range []string{"noise=symmetric", "noise=pair"} {
		less, more := build(t, digits(), 4, 1, noise, "chi=0.2"), build(t, digits(), 4, 1, noise, "chi=0.5")
		for i, c := range less.Clients {
			for _, sample := range c.Train {
				if a, b := less.Label(i, sample, true), more.Label(i, sample, true); a != less.Set.Label[sample] &&
					a != b {
					t.Fatalf("%s: sample %d bears %d with little noise and %d with more", noise, sample, a, b)
				}
			}
		}
	}
}
