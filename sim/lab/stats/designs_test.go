package stats_test

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"
	"time"

	"flockscope/sim/lab/stats"
)

// maybe is numbers of JSON in which null is NaN.
type maybe []float64

func (m *maybe) UnmarshalJSON(text []byte) error {
	var all []*float64
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	*m = nil
	for _, v := range all {
		if v == nil {
			*m = append(*m, math.NaN())
		} else {
			*m = append(*m, *v)
		}
	}
	return nil
}

type intervals struct{ Mean, Middle [2]float64 }

type designCases struct {
	Interquartile []struct {
		X    maybe
		W    []float64
		Want float64
	}
	Above []struct {
		X           maybe
		W           []float64
		Bound, Want float64
	}
	Improvement []struct {
		X, Y        []float64
		Rows, Seeds int
		Want        float64
	}
	Bootstrap []struct {
		Design stats.Design
		Kind   string
		X      []float64
		SD     float64
		Free   intervals
		Exact  *intervals
	}
	SignedRank []struct {
		Z, S  []float64
		Rope  float64
		Want  [3]float64
		Exact bool
	}
	Conover []struct{ Blocks, P [][]float64 }
}

func readDesigns(t *testing.T) *designCases {
	t.Helper()
	text, err := os.ReadFile("testdata/designs.json")
	if err != nil {
		t.Fatal(err)
	}
	c := &designCases{}
	if err := json.Unmarshal(text, c); err != nil {
		t.Fatal(err)
	}
	if min(len(c.Interquartile), len(c.Above), len(c.Improvement), len(c.Bootstrap), len(c.SignedRank),
		len(c.Conover)) < 10 {
		t.Fatal("a part of designs.json has fewer than ten cases")
	}
	return c
}

func TestInterquartile(t *testing.T) {
	for _, c := range readDesigns(t).Interquartile {
		near(t, "the interquartile mean", stats.NewInterquartile(c.X).Mean(c.W), c.Want)
	}
	for _, c := range []struct{ x, w []float64 }{{nil, nil}, {[]float64{math.NaN()}, []float64{1}}, {[]float64{1},
		[]float64{0}}} {
		if got := stats.NewInterquartile(c.x).Mean(c.w); !math.IsNaN(got) {
			t.Errorf("%v with the weights %v have the mean %g", c.x, c.w, got)
		}
		if got := stats.Mean(c.x, c.w); !math.IsNaN(got) {
			t.Errorf("%v with the weights %v have the mean %g", c.x, c.w, got)
		}
	}
	if got := stats.Mean([]float64{1, math.NaN(), 4}, []float64{2, 5, 1}); got != 2 {
		t.Errorf("the mean is %g, want 2", got)
	}
}

func TestProfile(t *testing.T) {
	share := func(x, w []float64, bounds ...float64) []float64 {
		out := make([]float64, len(bounds))
		stats.NewProfile(x, bounds).Shares(w, out)
		return out
	}
	for _, c := range readDesigns(t).Above {
		near(t, "the share", share(c.X, c.W, -10, c.Bound, 10)[1], c.Want)
	}
	sum := 0.1
	sum += 0.2
	ones := []float64{1, 1, 1}
	if got := share([]float64{sum, math.NaN(), 1}, ones, 0.2, 0.3, 1); !slices.Equal(got, []float64{1, 0.5, 0}) {
		t.Errorf("of 0.1 + 0.2 and 1, shares of %v are above 0.2, 0.3 and 1", got)
	}
	if got := share([]float64{math.NaN()}, ones[:1], 0); !math.IsNaN(got[0]) {
		t.Errorf("without scores the share is %g", got[0])
	}
}

// Without weights of their own, probabilities of improvement are those of Mann and Whitney's test.
func TestImprovement(t *testing.T) {
	for _, c := range readDesigns(t).Improvement {
		d := stats.Design{}
		for range c.Rows {
			d = append(d, []int{c.Seeds})
		}
		got := d.NewImprovement(c.X, c.Y).Probability(d.Weights())
		near(t, "the probability", got, c.Want)
		near(t, "the probability of the reverse", d.NewImprovement(c.Y, c.X).Probability(d.Weights()), 1-got)
	}
	// A run twice in a resample is two runs; a row without runs of both says nothing.
	d := stats.Design{{3}, {2}}
	nan := math.NaN()
	p := d.NewImprovement([]float64{1, 2, 3, nan, nan}, []float64{2, 2, nan, 1, 1})
	near(t, "with weights", p.Probability([]float64{2, 1, 1, 1, 1}), (2*0+0.5+1)/4)
}

// The intervals are those of an independent program with the same resamples, and near those of its own.
func TestDesignBootstrap(t *testing.T) {
	exact := 0
	for _, c := range readDesigns(t).Bootstrap {
		kind := map[string]stats.Resampling{"hierarchical": stats.Hierarchical, "stratified": stats.Stratified}[c.Kind]
		middle := stats.NewInterquartile(c.X)
		got := c.Design.Bootstrap(kind, 2, func(weights, out []float64) {
			out[0], out[1] = stats.Mean(c.X, weights), middle.Mean(weights)
		})
		near := func(got stats.Interval, want [2]float64, within float64) {
			t.Helper()
			if !(math.Abs(got.Low-want[0]) <= within && math.Abs(got.High-want[1]) <= within) {
				t.Errorf("%v %s: the interval is %v, want %v", c.Design, c.Kind, got, want)
			}
		}
		if len(c.X) > 4 && len(c.Design) != 1 { // of two or three units, an interval ends at the most extreme resamples
			near(got[0], c.Free.Mean, 0.3*c.SD)
			near(got[1], c.Free.Middle, 0.6*c.SD)
		}
		if c.Exact != nil {
			exact++
			near(got[0], c.Exact.Mean, 1e-9)
			near(got[1], c.Exact.Middle, 1e-9)
		}
		if len(c.Design) == 1 && len(c.Design[0]) == 1 {
			low, high := stats.Bootstrap(c.X)
			near(got[0], [2]float64{low, high}, 0.2*c.SD)
		}
	}
	if exact < 8 {
		t.Errorf("%d cases are exact", exact)
	}
	for _, d := range []stats.Design{{{1}}} {
		for _, kind := range []stats.Resampling{stats.Hierarchical, stats.Stratified} {
			got := d.Bootstrap(kind, 1, func(_, out []float64) { out[0] = 1 })
			if !math.IsNaN(got[0].Low) || !math.IsNaN(got[0].High) {
				t.Errorf("a single run has the interval %v", got[0])
			}
		}
	}
	// A number that some resamples do not have is judged by the others; one that none has, has no interval.
	d := stats.Design{{1}, {1}}
	x := []float64{2, math.NaN()}
	got := d.Bootstrap(stats.Hierarchical, 2, func(weights, out []float64) {
		out[0], out[1] = stats.Mean(x, weights), math.NaN()
	})
	if (got[0] != stats.Interval{Low: 2, High: 2}) || !math.IsNaN(got[1].Low) {
		t.Errorf("with missing numbers: %v", got)
	}
}

// The weights are those of families, then rows, then seeds.
func TestDesignWeights(t *testing.T) {
	d := stats.Design{{2, 1}, {4}}
	want := []float64{1.0 / 8, 1.0 / 8, 1.0 / 4, 1.0 / 8, 1.0 / 8, 1.0 / 8, 1.0 / 8}
	for i, w := range d.Weights() {
		near(t, "a weight", w, want[i])
	}
	if d.Runs() != len(want) {
		t.Errorf("%d runs", d.Runs())
	}
}

func TestSignedRanks(t *testing.T) {
	for _, c := range readDesigns(t).SignedRank {
		if testing.Short() && len(c.Z) > 10 {
			continue
		}
		got := stats.NewSignedRanks(c.S).Compare(c.Z, c.Rope)
		for i, p := range [3]float64{got.Worse, got.Equal, got.Better} {
			n := 1/20000.0 + 1/200000.0
			if c.Exact {
				n = 1 / 20000.0
			}
			if want := c.Want[i]; math.Abs(p-want) > 4*math.Sqrt(max(want*(1-want), 1e-4)*n) {
				t.Errorf("%v, region %g: the verdict is %v, want %v", c.Z, c.Rope, got, c.Want)
			}
		}
		near(t, "the sum", got.Worse+got.Equal+got.Better, 1)
	}
	// Cases without a difference are left out.
	nan := math.NaN()
	with := stats.NewSignedRanks([]float64{1, 1, 1, 1}).Compare([]float64{0.03, nan, 0.05, nan}, 0.01)
	without := stats.NewSignedRanks([]float64{1, 1}).Compare([]float64{0.03, 0.05}, 0.01)
	if math.Abs(with.Better-without.Better) > 0.015 {
		t.Errorf("with missing cases %v, without them %v", with, without)
	}
	// Ten rows of one family say no more than one.
	alike, ten, tenth := make([]float64, 10), make([]float64, 10), make([]float64, 10)
	for i := range alike {
		alike[i], ten[i], tenth[i] = 0.03, 1, 0.1
	}
	family := stats.NewSignedRanks(tenth).Compare(alike, 0.01)
	one := stats.NewSignedRanks([]float64{1}).Compare(alike[:1], 0.01)
	rows := stats.NewSignedRanks(ten).Compare(alike, 0.01)
	if math.Abs(family.Better-one.Better) > 0.015 || rows.Better < 0.99 || one.Better > stats.Decided {
		t.Errorf("one family: %v, one row: %v, ten rows: %v", family, one, rows)
	}
}

func TestConover(t *testing.T) {
	cases := readDesigns(t).Conover
	for _, c := range cases {
		got, err := stats.Conover(c.Blocks)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			for j, p := range got[i] {
				if want := c.P[i][j]; math.Abs(p-want) > 1e-9*want {
					t.Errorf("%d methods, %d blocks: p is %g, want %g", len(got), len(c.Blocks), p, want)
				}
			}
		}
	}
	// Conover 1999, section 5.8, example 1, compares four grasses: sums of ranks differ at the level of 0.05 when they are
	// more than 11.48 apart. Here they are 38, 23.5, 24.5 and 34.
	p, err := stats.Conover(cases[0].Blocks)
	if err != nil || p[0][1] >= 0.05 || p[0][2] >= 0.05 || p[0][3] <= 0.05 || p[1][3] <= 0.05 {
		t.Errorf("the grasses have %v, %v", p, err)
	}
	for _, blocks := range [][][]float64{nil, {{1, 2, 3}}, {{1, 2}, {2, 1}}} {
		if _, err := stats.Conover(blocks); err == nil {
			t.Errorf("%v is tested", blocks)
		}
	}
}

// A table of 24 methods on 16 rows with 20 seeds takes three seconds.
func BenchmarkDesign(b *testing.B) {
	d := stats.Design{}
	for range 8 {
		d = append(d, []int{20, 20})
	}
	x := make([][]float64, 24)
	for m := range x {
		for i := range d.Runs() {
			x[m] = append(x[m], math.Mod(float64(i*i*(m+3)), 97)/97)
		}
	}
	for b.Loop() {
		began := time.Now()
		means := make([]*stats.Interquartile, len(x))
		wins := make([]*stats.Improvement, len(x))
		for m := range x {
			means[m], wins[m] = stats.NewInterquartile(x[m]), d.NewImprovement(x[m], x[0])
		}
		d.Bootstrap(stats.Hierarchical, 2*len(x), func(weights, out []float64) {
			for m := range x {
				out[m], out[len(x)+m] = means[m].Mean(weights), wins[m].Probability(weights)
			}
		})
		b.ReportMetric(time.Since(began).Seconds(), "s-bootstrap")
		began = time.Now()
		test := stats.NewSignedRanks(make16(0.5))
		for m := range x {
			test.Compare(x[m][:16], 0.01)
		}
		b.ReportMetric(time.Since(began).Seconds(), "s-bayes")
	}
}

func make16(v float64) []float64 {
	out := make([]float64, 16)
	for i := range out {
		out[i] = v
	}
	return out
}
