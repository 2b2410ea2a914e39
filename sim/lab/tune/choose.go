package tune

import (
	"slices"
	"strings"

	"flockscope/sim/lab/report"
	"flockscope/sim/lab/stats"
)

// Result is what a search found.
type Result struct {
	Search  *Search
	Measure *report.Measure
	Methods []Tuned
	Notes   []string // what is missing
	Seconds float64  // computing time
}

// Tuned is a method with its tries.
type Tuned struct {
	Method string
	Tries  []Tried
	Best   int // the try that is chosen; −1 if no try has all runs
	// Curve[n] is what the best of n+1 tries is expected to have, if they are drawn at random of all: see [expectedBest].
	Curve []float64
}

// Tried is what came out of one try.
type Tried struct {
	Settings [][2]string
	Runs     int // number of runs with the measure
	Missing  int // number of runs without it, because they failed or were not computed
	Diverged int
	stats.Summary
	lane int
}

// Choose finds the best tries in the records of a search. A run that diverged counts as guessing, where that is known, and
// otherwise rules its try out. Of tries that are equally good the first is chosen, and the first of all has the defaults.
func (s *Search) Choose(study *report.Study, m *report.Measure) (*Result, error) {
	out := &Result{Search: s, Measure: m, Notes: study.Notes, Seconds: study.Seconds}
	for _, method := range s.Methods {
		space, err := s.Space(method)
		if err != nil {
			return nil, err
		}
		t := Tuned{Method: method, Best: -1}
		var means []float64
		for try := range s.Tries {
			x := tried(study, m, slices.Index(study.Methods, laneOf(method, try)))
			x.Settings = Try(space, try)
			t.Tries = append(t.Tries, x)
			if x.Missing > 0 || x.Runs == 0 {
				continue
			}
			means = append(means, stats.Round(x.Mean))
			if t.Best < 0 || better(m, x.Mean, t.Tries[t.Best].Mean) {
				t.Best = try
			}
		}
		t.Curve = expectedBest(means, m.HigherIsBetter)
		out.Methods = append(out.Methods, t)
	}
	return out, nil
}

// tried sums up the runs of a lane.
func tried(study *report.Study, m *report.Measure, lane int) Tried {
	out := Tried{lane: lane}
	var values []float64
	for setting := range study.Settings() {
		for seed := range study.Seeds {
			r := study.Run(setting, lane, seed)
			v, ok := m.Value(r)
			if r != nil && r.Lane.Diverged != nil {
				out.Diverged++
				if chance, known := m.Chance(r); !ok && known {
					v, ok = chance, true
				}
			}
			if ok {
				values = append(values, v)
			} else {
				out.Missing++
			}
		}
	}
	out.Runs, out.Summary = len(values), stats.Summarize(values)
	return out
}

func better(m *report.Measure, a, b float64) bool {
	a, b = stats.Round(a), stats.Round(b)
	return m.HigherIsBetter && a > b || !m.HigherIsBetter && a < b
}

// expectedBest returns for n = 1, 2, … the mean over all choices of n of the values of the best among them (Dodge and
// others, "Show Your Work", EMNLP 2019, without replacement). Where others tried n values, this is what they would have.
func expectedBest(values []float64, higher bool) []float64 {
	sorted := slices.Sorted(slices.Values(values))
	if !higher {
		slices.Reverse(sorted)
	}
	all := len(sorted)
	out := make([]float64, all)
	for n := 1; n <= all; n++ {
		// The i-th is the best of n in C(i, n−1) of C(all, n) choices, i counted from 0; p is that share, from the best down.
		p, sum := float64(n)/float64(all), 0.0
		for i := all - 1; i >= n-1; i-- {
			sum += float64(p * sorted[i])
			if i > 0 {
				p *= float64(i-n+1) / float64(i)
			}
		}
		out[n-1] = stats.Round(sum)
	}
	return out
}

// Lanes returns the chosen settings as values of algos, as flock sweep -vary takes them, without methods of which no try
// is complete.
func (r *Result) Lanes() string {
	var lanes []string
	for i := range r.Methods {
		if t := &r.Methods[i]; t.Best >= 0 {
			lanes = append(lanes, strings.Join(t.pairs(), "&"))
		}
	}
	return "algos=" + strings.Join(lanes, ";") + ";"
}

// pairs returns a method and its chosen settings: "ifca", "ifca.lr=0.2".
func (t *Tuned) pairs() []string {
	out := []string{t.Method}
	for _, x := range t.Tries[t.Best].Settings {
		out = append(out, t.Method+"."+x[0]+"="+x[1])
	}
	return out
}

// Query returns the query of the base with a method and its chosen settings; "" if no try is complete.
func (r *Result) Query(t *Tuned) string {
	if t.Best < 0 {
		return ""
	}
	pairs := [][2]string{{"algos", t.Method}}
	for _, x := range t.Tries[t.Best].Settings {
		pairs = append(pairs, [2]string{t.Method + "." + x[0], x[1]})
	}
	c, err := r.Search.Base.WithAll(pairs)
	if err != nil {
		return ""
	}
	return c.String()
}

// AtEdge returns the chosen settings that lie in the outer twentieth of their range: a wider range may have better ones.
func (r *Result) AtEdge(t *Tuned) (names []string) {
	if t.Best < 0 {
		return nil
	}
	space, err := r.Search.Space(t.Method)
	if err != nil {
		return nil
	}
	for i := range t.Tries[t.Best].Settings {
		f := &space[i]
		for _, at := range []float64{0.05, 0.95} {
			edge, v := number(draw(f, at)), number(t.Tries[t.Best].Settings[i][1])
			if at < 0.5 && v <= edge || at > 0.5 && v >= edge {
				names = append(names, f.Name)
			}
		}
	}
	return names
}
