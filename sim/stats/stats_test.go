package stats_test

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"flockscope/sim/stats"
)

type golden struct {
	Wilcoxon []struct {
		D     []float64
		Exact bool
		W, P  float64
	}
	Friedman []struct {
		Blocks  [][]float64
		Ranks   []float64
		Chi2, P float64
	}
	Holm []struct{ P, Want []float64 }
	// Of the studentized range.
	Range []struct {
		K    int
		Q, P float64
	}
	Critical []struct {
		K        int
		Alpha, Q float64
	}
	Summary []struct {
		X         []float64
		Mean, SD  float64
		Quartiles []float64
	}
}

func read(t *testing.T) *golden {
	t.Helper()
	text, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	g := &golden{}
	if err := json.Unmarshal(text, g); err != nil {
		t.Fatal(err)
	}
	if min(len(g.Wilcoxon), len(g.Friedman), len(g.Holm), len(g.Range), len(g.Critical), len(g.Summary)) == 0 {
		t.Fatal("a part of golden.json is empty")
	}
	return g
}

// near fails unless got is want to 1e-9.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9*max(1, math.Abs(want))) {
		t.Errorf("%s is %.15g, want %.15g", what, got, want)
	}
}

func TestWilcoxon(t *testing.T) {
	variants := map[stats.Variant]int{}
	for i, g := range read(t).Wilcoxon {
		got := stats.Wilcoxon(g.D)
		variants[got.Variant]++
		if (got.Variant == stats.Exact) != g.Exact {
			t.Errorf("case %d is %s, want exact %v", i, got.Variant, g.Exact)
		}
		near(t, "the statistic", min(got.Plus, got.Minus), g.W)
		near(t, "p", got.P, g.P)
		if g.P < 1e-6 && math.Abs(got.P/g.P-1) > 1e-9 {
			t.Errorf("case %d: p is %g, want %g", i, got.P, g.P)
		}
	}
	if variants[stats.Exact] < 10 || variants[stats.Normal] < 10 {
		t.Errorf("the cases are of the variants %v", variants)
	}
	for _, d := range [][]float64{nil, {0}, {0, 0, 0}} {
		if got := stats.Wilcoxon(d); got.P != 1 || got.Variant != stats.None || got.Zeros != len(d) {
			t.Errorf("without a difference: %+v", got)
		}
	}
}

func TestFriedman(t *testing.T) {
	for _, g := range read(t).Friedman {
		got, err := stats.Friedman(g.Blocks, false)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "χ²", got.Chi2, g.Chi2)
		near(t, "p", got.P, g.P)
		for j := range g.Ranks {
			near(t, "a mean rank", got.Mean[j], g.Ranks[j])
		}
		higher, err := stats.Friedman(g.Blocks, true)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "χ² where higher is better", higher.Chi2, g.Chi2)
		for j, r := range got.Mean {
			near(t, "a mean rank where higher is better", higher.Mean[j], float64(len(got.Mean)+1)-r)
		}
	}
	equal, err := stats.Friedman([][]float64{{1, 1, 1}, {2, 2, 2}}, true)
	if err != nil || equal.P != 1 || !slices.Equal(equal.Mean, []float64{2, 2, 2}) {
		t.Errorf("equal scores: %+v, %v", equal, err)
	}
	for _, blocks := range [][][]float64{nil, {{1, 2, 3}}, {{1, 2}, {2, 1}}} {
		if _, err := stats.Friedman(blocks, true); err == nil {
			t.Errorf("%v is ranked", blocks)
		}
	}
}

func TestHolm(t *testing.T) {
	for _, g := range read(t).Holm {
		for i, p := range stats.Holm(g.P) {
			near(t, "p", p, g.Want[i])
		}
	}
	got := stats.Holm([]float64{0.02, math.NaN(), 0.01})
	if got[0] != 0.02 || !math.IsNaN(got[1]) || got[2] != 0.02 {
		t.Errorf("with NaN: %v", got)
	}
}

func TestStudentizedRange(t *testing.T) {
	g := read(t)
	for _, r := range g.Range {
		near(t, "P", stats.StudentizedRange(r.Q, r.K), r.P)
	}
	for _, c := range g.Critical {
		near(t, "q", stats.StudentizedRangeQuantile(1-c.Alpha, c.K), c.Q)
	}
	// Demšar 2006, Table 5(a), divides q by √2: 2.343 for three classifiers at 0.05.
	if got := stats.CriticalDifference(3, 1, 0.05) / math.Sqrt(2); math.Abs(got-2.343) > 1e-3 {
		t.Errorf("the critical difference of three methods has the factor %.4f, want 2.343", got)
	}
	near(t, "Nemenyi's p at the critical difference", stats.Nemenyi(stats.CriticalDifference(5, 30, 0.05), 5, 30), 0.05)
}

func TestSummarize(t *testing.T) {
	for _, g := range read(t).Summary {
		s := stats.Summarize(g.X)
		near(t, "the mean", s.Mean, g.Mean)
		near(t, "the standard deviation", s.SD, g.SD)
		near(t, "the lower quartile", s.Q1, g.Quartiles[0])
		near(t, "the median", s.Median, g.Quartiles[1])
		near(t, "the upper quartile", s.Q3, g.Quartiles[2])
	}
	if s := stats.Summarize(nil); s.N != 0 || !math.IsNaN(s.Mean) || !math.IsNaN(s.Median) {
		t.Errorf("of nothing: %+v", s)
	}
}
