package stats_test

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"flockscope/sim/lab/stats"
)

type golden struct {
	Wilcoxon []struct {
		D    []float64
		How  string
		N    int
		W, P float64
	}
	Friedman []struct {
		Blocks  [][]float64
		Ranks   []float64
		Chi2, P float64
		Exact   *float64
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

// With ties and zeros as without, p is what a count of all signs says.
func TestWilcoxon(t *testing.T) {
	hows := map[string]int{}
	for i, g := range read(t).Wilcoxon {
		got := stats.Wilcoxon(g.D)
		hows[g.How]++
		if want := map[bool]stats.Variant{true: stats.Normal, false: stats.Exact}[g.How == "normal"]; got.Variant != want {
			t.Errorf("case %d is %s, want %s", i, got.Variant, want)
		}
		if got.N != g.N || got.N+got.Zeros != len(g.D) {
			t.Errorf("case %d has %d differences and %d zeros, want %d of %d", i, got.N, got.Zeros, g.N, len(g.D))
		}
		near(t, "the statistic", min(got.Plus, got.Minus), g.W)
		near(t, "p", got.P, g.P)
		if g.P < 1e-6 && math.Abs(got.P/g.P-1) > 1e-9 {
			t.Errorf("case %d: p is %g, want %g", i, got.P, g.P)
		}
		if got.P < got.Least || g.W == 0 && got.P != got.Least {
			t.Errorf("case %d: p is %g, and the least possible is said to be %g", i, got.P, got.Least)
		}
	}
	for _, how := range []string{"signs", "scipy", "sums", "normal"} {
		if hows[how] < 7 {
			t.Errorf("the cases are computed as %v", hows)
		}
	}
	for _, d := range [][]float64{nil, {0}, {0, 0, 0}} {
		if got := stats.Wilcoxon(d); got.P != 1 || got.Least != 1 || got.Variant != stats.None || got.Zeros != len(d) {
			t.Errorf("without a difference: %+v", got)
		}
	}
}

// What only the order of a sum tells apart is equal.
func TestRounded(t *testing.T) {
	tenth, fifth, third := 0.1, 0.2, 0.3
	sum := tenth + fifth
	if sum == third {
		t.Fatal("0.1 + 0.2 is 0.3")
	}
	if ranks, ties := stats.Ranks([]float64{sum, third, 1}); !slices.Equal(ranks, []float64{1.5, 1.5, 3}) ||
		!slices.Equal(ties, []int{2}) {
		t.Errorf("0.1 + 0.2, 0.3 and 1 have ranks %v", ranks)
	}
	if ranks, _ := stats.Ranks([]float64{1e-17, -1e-17, 0}); !slices.Equal(ranks, []float64{2, 2, 2}) {
		t.Errorf("nothing and what is left of it have ranks %v", ranks)
	}
	if ranks, _ := stats.Ranks([]float64{0.3, 0.300000000002, 1e9, 1e9 + 1e-3}); !slices.Equal(ranks,
		[]float64{1, 2, 3, 4}) {
		t.Errorf("different scores have ranks %v", ranks)
	}
	if got := stats.Wilcoxon([]float64{sum - third, 1, -1}); got.Zeros != 1 || got.P != 1 {
		t.Errorf("of dust and two equal differences: %+v", got)
	}
	for _, d := range []struct{ a, b, want float64 }{{sum, third, 0}, {third, tenth, fifth}, {1e6 + 0.3, 1e6, 0.3},
		{1e9 + 0.125, 1e9, 0.125}, {1e15 + 1, 1e15, 1}, {-2.5, 2.5, -5}} {
		if got := stats.Difference(d.a, d.b); got != d.want {
			t.Errorf("%g − %g is %g, want %g", d.a, d.b, got, d.want)
		}
	}
	dusty := [][]float64{{sum, third, 1}, {third, sum, 1}, {sum, sum, 1}}
	clean := [][]float64{{third, third, 1}, {third, third, 1}, {third, third, 1}}
	got, err := stats.Friedman(dusty, true)
	want, err2 := stats.Friedman(clean, true)
	if err != nil || err2 != nil || !slices.Equal(got.Mean, want.Mean) || got.P != want.P {
		t.Errorf("ranked %+v with dust and %+v without", got, want)
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), 1e300, -1e-300} {
		if got := stats.Round(v); got != v && !math.IsNaN(v) && math.Abs(got) > 1e-12 {
			t.Errorf("%g is rounded to %g", v, got)
		}
	}
}

func TestFriedman(t *testing.T) {
	variants := map[stats.Variant]int{}
	for _, g := range read(t).Friedman {
		got, err := stats.Friedman(g.Blocks, false)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "χ²", got.Chi2, g.Chi2)
		variants[got.Variant]++
		switch {
		case got.Variant == stats.Exact && g.Exact == nil:
			t.Errorf("of %d methods in %d blocks golden.json has no exact p", len(g.Ranks), len(g.Blocks))
		case got.Variant == stats.Exact:
			near(t, "the exact p", got.P, *g.Exact)
		case len(g.Blocks) < 4 && len(g.Ranks) < 5:
			t.Errorf("%d methods in %d blocks: %s", len(g.Ranks), len(g.Blocks), got.Variant)
		default:
			near(t, "p", got.P, g.P)
		}
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
	if variants[stats.Exact] < 20 || variants[stats.ChiSquared] < 6 {
		t.Errorf("the cases are of the variants %v", variants)
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
	q := stats.CriticalDifference(5, 30, 0.05) / math.Sqrt(5*6/(6*30.0)) * math.Sqrt2
	near(t, "Nemenyi's p at the critical difference", 1-stats.StudentizedRange(q, 5), 0.05)
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
