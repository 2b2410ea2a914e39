package engine

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"flockscope/clusterer"
	"flockscope/sim/algorithm"
	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/fl"
	"flockscope/sim/model"
	"flockscope/sim/param"
	"flockscope/sim/rng"
	"flockscope/sim/trace"
	"flockscope/sim/userfiles"
	"flockscope/sim/workload"
)

// The laws of this file hold for every method, whatever it computes: what a run shows
// follows from what clients hold, and not from their numbers, the groups' names or how
// often a kind of client is there. Clients learn from all of their samples in every
// round, so that no draw depends on a client's number.

// view shows the clients of another workload in another order, some of them more than
// once or in parts, and groups under other names.
type view struct {
	workload.Workload
	finite workload.Finite
	of     []int     // the client behind each
	rows   [][]int32 // which of its samples each has
	name   []int     // of each group
	seed   uint64    // of the models
	own    bool      // model i begins as client i's own
}

// newView is a view of clients as they are.
func newView(data workload.Workload, of []int) *view {
	v := &view{Workload: data, finite: data.(workload.Finite), of: of}
	_, groups := data.Groups()
	for g := range groups {
		v.name = append(v.name, g)
	}
	for _, i := range of {
		rows := make([]int32, v.finite.Holds(i))
		for j := range rows {
			rows[j] = int32(j)
		}
		v.rows = append(v.rows, rows)
	}
	return v
}

func (v *view) Clients() int      { return len(v.of) }
func (v *view) Samples(i int) int { return len(v.rows[i]) }
func (v *view) Holds(i int) int   { return len(v.rows[i]) }
func (v *view) Groups() ([]int, int) {
	all, n := v.Workload.Groups()
	group := make([]int, len(v.of))
	for i, c := range v.of {
		group[i] = v.name[all[c]]
	}
	return group, n
}

func (v *view) Take(b *model.Batch, i int, which []int32) {
	own := make([]int32, len(which))
	for n, j := range which {
		own[n] = v.rows[i][j]
	}
	v.finite.Take(b, v.of[i], own)
}

// Draw takes all samples in their own order.
func (v *view) Draw(b *model.Batch, i, _ int, _ *rng.Stream) { v.finite.Take(b, v.of[i], v.rows[i]) }

// Start gives a model of a client's own the start that this client's has.
func (v *view) Start(params []float32, k int, s *rng.Stream) {
	if v.own {
		k = v.of[k]
		s.Reset(v.seed, rng.Models, k, 0)
	}
	v.Workload.Start(params, k, s)
}

func (v *view) Scenery(*rng.Stream, uint64) trace.DataPreview { return trace.DataPreview{Floor: -1} }

// analytic is a view of a workload with known risks.
type analytic struct{ *view }

func (v analytic) Risk(i int, params []float32) float64 {
	return v.Workload.(workload.Analytic).Risk(v.of[i], params)
}
func (v analytic) Curvature() float64 { return v.Workload.(workload.Analytic).Curvature() }

func (v analytic) Line(dst []float64, params []float32) {
	v.Workload.(workload.Analytic).Line(dst, params)
}

func (v analytic) LineRisk(i int, line []float64) float64 {
	return v.Workload.(workload.Analytic).LineRisk(v.of[i], line)
}

func (v analytic) Nodes(b *model.Batch, i int) { v.Workload.(workload.Analytic).Nodes(b, v.of[i]) }

// tested is a view of one whose models are evaluated.
type tested struct{ *view }

func (v tested) TestSamples(b *model.Batch, i int) {
	v.Workload.(workload.Evaluated).TestSamples(b, v.of[i])
}
func (v tested) Every() int   { return v.Workload.(workload.Evaluated).Every() }
func (v tested) Classes() int { return v.Workload.(workload.Evaluated).Classes() }

// story is what a law speaks of: labels, losses and floats of every round, and models
// after the last.
type story struct {
	frames []trace.Frame
	models []float32
	size   int // of a model
}

// given returns the model that a client was given last.
func (s *story) given(i int) []float32 {
	k := int(s.frames[len(s.frames)-1].Label[i])
	return s.models[k*s.size : (k+1)*s.size]
}

func (s *story) Begin(*trace.Header)     {}
func (s *story) Round(int)               {}
func (s *story) End(int, *trace.Summary) {}
func (s *story) Frame(_ int, f *trace.Frame) {
	own := trace.Frame{Round: f.Round, Metrics: f.Metrics, Label: slices.Clone(f.Label)}
	s.frames = append(s.frames, own)
}

// lawsWorld is data for the laws: three groups of three clients that lie far apart.
type lawsWorld struct {
	name, query string
	file        *workload.File
}

// worlds are lines through clients' rows, and turned digits.
func worlds(t *testing.T, seed int) []lawsWorld {
	t.Helper()
	var b strings.Builder
	b.WriteString("client,x,y,group\n")
	var s rng.Stream
	for i := range 9 {
		s.Reset(uint64(seed), rng.Samples, 0, i)
		for range 8 {
			x := s.Uniform(0.2, 1)
			fmt.Fprintf(&b, "c%d,%v,%v,g%d\n", i, x, x*float64(i%3-1)*1.5+0.1*s.Normal(), i%3)
		}
	}
	table, err := userfiles.ReadTable([]byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	seeds := fmt.Sprintf("&sd=%d&sm=%d&sa=%d", seed, seed, seed)
	return []lawsWorld{
		{"lines", "data=csv&scale=none&b=1000&probe=1000&T=12&K=3&most=9&lr=0.3&algos=%s" + seeds, &workload.File{Table: table}},
		{"digits", "data=digits&n=135&C=9&split=even&angles=0,90,180&net=softmax&b=1000&probe=1000&T=5&every=2&exam=0&K=3" +
			"&most=9&lr=0.05&algos=%s" + seeds, nil},
	}
}

// tell plays a method on a view.
func tell(t *testing.T, w lawsWorld, name, more string, change func(data workload.Workload) *view) *story {
	t.Helper()
	query := fmt.Sprintf(w.query, name) + more
	c, problems := catalog.Schema().Parse(query)
	if err := experiment.First(problems); err != nil {
		t.Fatalf("Parse(%s): %s", query, err)
	}
	data, _, err := catalog.Build(c, w.file)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	v := change(data)
	var shown workload.Workload = tested{v}
	if _, ok := data.(workload.Analytic); ok {
		shown = analytic{v}
	}
	entry, _ := algorithm.Registry.Lookup(name)
	plan := entry.Make(c.Values(0), len(v.of))
	plan.Protocol = algorithm.ProtocolOf(c.Values(0))
	v.own, v.seed = name == "local", uint64(c.Values(-1).Int("sm"))
	s := &story{size: data.Model().Size()}
	keep := func(l *lane, t int, play func()) {
		play()
		s.models = append(s.models[:0], l.bank.Params...)
	}
	if err := play(context.Background(), c, shown, []fl.Plan{plan}, []int{0}, nil, s, keep); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return s
}

// asIs shows everybody.
func asIs(data workload.Workload) *view { return newView(data, indices(data.Clients())) }

// A law says that two runs are equal: client i of one is client to[i] of the other, the same
// clients share a model in every round, and in the end it is the same.
type law struct {
	name  string
	views func(data workload.Workload, s *rng.Stream) (one, other *view, to []int)
	// means: losses and floats, which are means over clients, are the same too.
	means bool
	// bySamples: it holds for methods that count clients by their samples.
	bySamples bool
	// set are settings in force: what is found from the clients may change with their copies.
	set string
}

// thresholds are set, since those that are found lie among the heights of merges, and copies
// of clients merge at 0.
const thresholds = "&like=0.6&cut=10&far=0.2"

var laws = []law{
	{name: permuted, means: true,
		views: func(data workload.Workload, s *rng.Stream) (one, other *view, to []int) {
			of, to := indices(data.Clients()), make([]int, data.Clients())
			for j := range of {
				k := j + s.IntN(len(of)-j)
				of[j], of[k] = of[k], of[j]
			}
			for at, i := range of {
				to[i] = at
			}
			return asIs(data), newView(data, of), to
		}},
	{name: "renamed groups", means: true,
		views: func(data workload.Workload, _ *rng.Stream) (one, other *view, to []int) {
			other = asIs(data)
			other.name = append(other.name[1:], other.name[0])
			return asIs(data), other, indices(data.Clients())
		}},
	{name: twice, means: true, set: thresholds,
		views: func(data workload.Workload, _ *rng.Stream) (one, other *view, to []int) {
			all := indices(data.Clients())
			return asIs(data), newView(data, append(all, all...)), all
		}},
	// A client that is split has every sample twice, so that its halves are alike.
	{name: halved, bySamples: true, set: thresholds,
		views: func(data workload.Workload, s *rng.Stream) (one, other *view, to []int) {
			one, other = asIs(data), newView(data, nil)
			for i, rows := range one.rows {
				to = append(to, len(other.of))
				other.of, other.rows = append(other.of, i), append(other.rows, rows)
				if i == 0 || s.IntN(3) == 0 {
					one.rows[i] = slices.Concat(rows, rows)
					other.of, other.rows = append(other.of, i), append(other.rows, rows)
				}
			}
			return one, other, to
		}},
}

// countsSamples returns the setting by which a method counts clients by their samples,
// and whether it does.
func countsSamples(fields []param.Field, name string) (setting string, ok bool) {
	for _, f := range fields {
		if f.Name == "mean" &&
			slices.ContainsFunc(f.Options, func(o param.Option) bool { return o.Name == "samples" }) {
			return "&mean=samples", true
		}
	}
	return "", !slices.Contains([]string{"fedavg", "ifca", "perfedavg", "cfl", "stocfl", "fesem"}, name)
}

// broken returns what of a law does not hold, "" if all of it does.
func (l *law) broken(one, other *story, to []int) string {
	for n, f := range one.frames {
		g := other.frames[n]
		var x, y []int
		for i, k := range f.Label {
			x, y = append(x, int(k)), append(y, int(g.Label[to[i]]))
		}
		switch {
		case clusterer.AdjustedRand(x, y) != 1:
			return fmt.Sprintf("labels after round %d: %v and %v", n, x, y)
		case l.means && math.Abs(f.Loss-g.Loss) > 1e-5*f.Loss:
			return fmt.Sprintf("loss after round %d: %v and %v", n, f.Loss, g.Loss)
		case l.means && (f.Down != g.Down || f.Up != g.Up):
			return fmt.Sprintf("floats per client after round %d: %v down, %v up and %v down, %v up", n, f.Down, f.Up,
				g.Down,
				g.Up)
		case l.means && len(f.Label) == len(g.Label) && math.Abs(f.ARI-g.ARI) > 1e-9:
			return fmt.Sprintf("ARI after round %d: %v and %v", n, f.ARI, g.ARI)
		}
	}
	for i := range to {
		a, b := one.given(i), other.given(to[i])
		for j := range a {
			if !(math.Abs(float64(a[j]-b[j])) <= 1e-5) {
				return fmt.Sprintf("parameter %d of client %d: %v and %v", j, i, a[j], b[j])
			}
		}
	}
	return ""
}

// TestLaws holds every method to the laws.
func TestLaws(t *testing.T) {
	seeds := 10
	if testing.Short() {
		seeds = 2
	}
	for _, l := range laws {
		t.Run(strings.ReplaceAll(l.name, " ", "-"), func(t *testing.T) {
			breaks, keeps := map[string]bool{}, map[string]bool{} // exceptions that were looked at
			for seed := 1; seed <= seeds; seed++ {
				for _, w := range worlds(t, seed) {
					for _, a := range catalog.Algorithms() {
						more, counts := countsSamples(a.Fields, a.Name)
						more += l.set
						on, excepted := l.name, Methods[a.Name].Breaks
						if excepted[on] == "" {
							on += " on " + w.name
						}
						exception := a.Name + ": " + on
						if l.bySamples && !counts || excepted[on] != "" && (testing.Short() || breaks[exception]) {
							continue
						}
						var s rng.Stream
						var to []int
						side := func(second bool) *story {
							return tell(t, w, a.Name, more, func(data workload.Workload) (v *view) {
								s.Reset(uint64(seed), rng.Samples, 0, 0)
								one, other, at := l.views(data, &s)
								if to = at; second {
									return other
								}
								return one
							})
						}
						why := l.broken(side(false), side(true), to)
						switch {
						case excepted[on] != "":
							breaks[exception], keeps[exception] = why != "", why == ""
						case why != "":
							t.Errorf("%s on %s, seed %d: %s; if it must be so, write Breaks: map[string]string{%q: \"why\"} "+
								"into the line of %s in sim/engine/methods_test.go", a.Name, w.name, seed, why, l.name, a.Name)
						}
					}
				}
			}
			for exception := range keeps {
				if !breaks[exception] && !strings.Contains(exception, " on ") {
					t.Errorf("%s is an exception, and keeps the law", exception)
				}
			}
		})
	}
}
