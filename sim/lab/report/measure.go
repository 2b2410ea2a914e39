package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"flockscope/sim/dataset"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/stats"
	"flockscope/sim/param"
	"flockscope/sim/say"
)

// Measure is a score in a table.
type Measure struct {
	Name, Title    string
	HigherIsBetter bool // larger values are better
	value          func(s *plan.Lane) (float64, bool)
}

func optional[T int | float64](get func(s *plan.Lane) *T) func(s *plan.Lane) (float64, bool) {
	return func(s *plan.Lane) (float64, bool) {
		if v := get(s); v != nil {
			return float64(*v), true
		}
		return 0, false
	}
}

// finite excludes lanes that diverged, whose numbers are those of the round before.
func finite(value func(s *plan.Lane) (float64, bool)) func(s *plan.Lane) (float64, bool) {
	return func(s *plan.Lane) (float64, bool) {
		if s.Diverged != nil {
			return 0, false
		}
		return value(s)
	}
}

func always(get func(s *plan.Lane) float64) func(s *plan.Lane) (float64, bool) {
	return func(s *plan.Lane) (float64, bool) { return get(s), true }
}

// Chance returns what guessing gets in a measure; ok is false if that is unknown or makes no sense.
func (m *Measure) Chance(r *Run) (v float64, ok bool) {
	switch m.Name {
	case "ari", "ari10", "ari_participants", "ari10_participants":
		return 0, true
	case "accuracy", "val", "test", "testatbestval", "valatbesttest":
		if classes := r.Lane.Classes; classes > 1 {
			return 1 / float64(classes), true
		}
	case "best", "bestval", "besttest": // one of many guesses: such as the most frequent class
		if classes := r.Lane.Classes; classes > 1 {
			return luckyGuess(classes), true
		}
	}
	return 0, false
}

// luckyGuess returns what the best of many rounds of guessing gets. A model that has learned nothing and answers one class has
// the share of that class; over 100 clients with classes from Dirichlet(1), the largest of ten is some 15 % above the mean, and
// chance adds less for the few hundred samples that are held out. For ten classes, 0.15 is above what such models get on
// average; the excess over one guess varies with the root of its mean, for chance and for shares alike.
func luckyGuess(classes int) float64 {
	c := float64(classes)
	return (1 + 0.5*math.Sqrt(c/10)) / c
}

// best reports whether one value of a measure can be better than another. One cluster for all is stable and has its largest
// ARI from the start.
func (m *Measure) best() bool {
	return !slices.Contains([]string{"clusters", "mostclusters", "bestround", "spectralgap", "peak", "stable"}, m.Name)
}

// until returns rounds until something happened, counted from 0 as papers count them; a run in which it never happened
// counts as all of its rounds.
func until(from int, get func(s *plan.Lane) *int) func(s *plan.Lane) (float64, bool) {
	return func(s *plan.Lane) (float64, bool) {
		if v := get(s); v != nil {
			return float64(*v - from), true
		}
		return float64(s.Rounds), s.Rounds > 0 && s.ARI != nil
	}
}

// whether returns 1 if something happened and 0 if not, of runs whose clustering can be right.
func whether(get func(s *plan.Lane) *int) func(s *plan.Lane) (float64, bool) {
	return func(s *plan.Lane) (float64, bool) {
		if get(s) != nil {
			return 1, true
		}
		return 0, s.ARI != nil
	}
}

// onlyOf has the data of measures that make sense for one kind of data alone.
var onlyOf = map[string]string{"nmse": "wireless"}

// happens has what measures wait for in which a run that fails counts as all of its rounds.
var happens = map[string]func(s *plan.Lane) *int{
	"rounds":               func(s *plan.Lane) *int { return s.Found },
	"first90":              func(s *plan.Lane) *int { return s.First90 },
	"first90_participants": func(s *plan.Lane) *int { return cmp.Or(s.First90Participants, s.First90) },
	"first90of":            func(s *plan.Lane) *int { return s.First90Of },
	"stopped":              func(s *plan.Lane) *int { return s.Stopped },
}

// Measures are all measures, the most informative first.
var Measures = []Measure{
	{"accuracy", "accuracy", true, finite(optional(func(s *plan.Lane) *float64 { return s.Accuracy }))},
	{"ari", "ARI", true, optional(func(s *plan.Lane) *float64 { return s.ARI })},
	{"loss", "loss", false, finite(optional(func(s *plan.Lane) *float64 { return s.Loss }))},
	{"val", "Val", true, finite(optional(func(s *plan.Lane) *float64 { return s.Val }))},
	{"test", "Test", true, finite(optional(func(s *plan.Lane) *float64 { return s.Test }))},
	{"weakest", "lowest accuracy of a client", true,
		finite(optional(func(s *plan.Lane) *float64 { return s.Weakest }))},
	{"worst", "largest loss of a client", false, finite(optional(func(s *plan.Lane) *float64 { return s.Worst }))},
	{"ari_participants", "ARI of the participants of the last round", true,
		optional(func(s *plan.Lane) *float64 { return s.ARIParticipants })},
	{"attack", "success of the backdoor", false, finite(optional(func(s *plan.Lane) *float64 { return s.Attack }))},
	{"nmi", "NMI", true, optional(func(s *plan.Lane) *float64 { return s.NMI })},
	{"purity", "purity", true, optional(func(s *plan.Lane) *float64 { return s.Purity })},
	{"misplaced", "misplaced clients", false, optional(func(s *plan.Lane) *int { return s.Misplaced })},
	{"settled", "round from which the clustering stays correct", false,
		optional(func(s *plan.Lane) *int { return s.Settled })},
	{"found", "first round with a correct clustering", false, optional(func(s *plan.Lane) *int { return s.Found })},
	{"price", "floats per client until the clustering was first correct", false,
		optional(func(s *plan.Lane) *float64 { return s.Price })},
	{"clusters", "clusters", false, always(func(s *plan.Lane) float64 { return float64(s.Clusters) })},
	{"traffic", "floats per client, sent and received", false,
		always(func(s *plan.Lane) float64 { return s.Down + s.Up })},
	{"computed", "multiply-adds per client", false,
		func(s *plan.Lane) (float64, bool) { return s.Computed, s.Computed > 0 }},
	{"rounds", "rounds until the clustering is correct, from 0; a run that fails counts as T", false,
		until(1, func(s *plan.Lane) *int { return s.Found })},
	{"success", "share of runs whose clustering was ever correct", true,
		whether(func(s *plan.Lane) *int { return s.Found })},
	{"ari10", "ARI after round 10", true, optional(func(s *plan.Lane) *float64 { return s.ARI10 })},
	{"ari10_participants", "ARI of the participants of round 10", true,
		optional(func(s *plan.Lane) *float64 { return cmp.Or(s.ARI10Participants, s.ARI10) })},
	{"share10", "ARI after round 10 as a share of the last one", true, func(s *plan.Lane) (float64, bool) {
		switch {
		case s.ARI10 == nil:
			return 0, false
		case *s.ARI == 0:
			return 0, true
		}
		return *s.ARI10 / *s.ARI, true
	}},
	{"first90", "first round with an ARI of at least 0.9; a run that fails counts as T", false,
		until(0, func(s *plan.Lane) *int { return s.First90 })},
	{"success90", "share of runs that ever have an ARI of at least 0.9", true,
		whether(func(s *plan.Lane) *int { return s.First90 })},
	{"first90_participants", "first round whose participants have an ARI of at least 0.9; a run that fails counts as T",
		false, until(0, func(s *plan.Lane) *int { return cmp.Or(s.First90Participants, s.First90) })},
	{"first90of", "first round with 90% of the last ARI; a run that fails counts as T", false,
		until(0, func(s *plan.Lane) *int { return s.First90Of })},
	{"peak", "first round with the run's largest ARI, from 0", false, func(s *plan.Lane) (float64, bool) {
		if s.Peak == nil {
			return 0, false
		}
		return float64(*s.Peak - 1), true
	}},
	{"stable", "first round from which no client changes its companions", false,
		optional(func(s *plan.Lane) *int { return s.Stable })},
	{"stopped", "round in which clustering stops, from 0; T if it does not", false,
		until(1, func(s *plan.Lane) *int { return s.Stopped })},
	{"mostclusters", "most clusters of any round", false,
		func(s *plan.Lane) (float64, bool) { return float64(s.MostClusters), s.MostClusters > 0 }},
	{"spectralgap", "singular values before the largest gap", false,
		optional(func(s *plan.Lane) *int { return s.Gap })},
	{"best", "accuracy in its best round", true, optional(func(s *plan.Lane) *float64 { return s.Best })},
	{"bestround", "round with the best accuracy", false, optional(func(s *plan.Lane) *int { return s.BestRound })},
	{"bestval", "Val in its best round", true, optional(func(s *plan.Lane) *float64 { return s.BestVal })},
	{"testatbestval", "Test in Val's best round", true, optional(func(s *plan.Lane) *float64 { return s.TestThen })},
	{"besttest", "Test in its best round", true, optional(func(s *plan.Lane) *float64 { return s.BestTest })},
	{"valatbesttest", "Val in Test's best round", true, optional(func(s *plan.Lane) *float64 { return s.ValThen })},
	{"nmse", "NMSE in dB", false, finite(func(s *plan.Lane) (float64, bool) { // of radio channels: see onlyOf
		if s.Loss == nil || *s.Loss <= 0 {
			return 0, false
		}
		return 10 * math.Log10(*s.Loss/dataset.ChannelPower), true
	})},
	{"sent", "models sent in both directions, over all clients", false, func(s *plan.Lane) (float64, bool) {
		return s.Transmissions, s.Transmissions > 0
	}},
	reached("sent60", "models sent until an accuracy of 60%; a run that fails counts as all of its models",
		func(s *plan.Lane) ([]float32, float64) { return s.Reached, s.Transmissions }),
	reached("sent80", "models sent until an accuracy of 80%; a run that fails counts as all of its models",
		func(s *plan.Lane) ([]float32, float64) { return s.Reached, s.Transmissions }),
	reached("computed60", "multiply-adds per client until an accuracy of 60%; a run that fails counts as all of its own",
		func(s *plan.Lane) ([]float32, float64) { return s.ReachedComputed, s.Computed }),
	reached("computed80", "multiply-adds per client until an accuracy of 80%; a run that fails counts as all of its own",
		func(s *plan.Lane) ([]float32, float64) { return s.ReachedComputed, s.Computed }),
}

// accuracies has the accuracy in percent that measures of what a run spent wait for.
var accuracies = map[string]int{"sent60": 60, "sent80": 80, "computed60": 60, "computed80": 80}

// never reports whether all of some runs spent without reaching what the measure waits for: then less spent is not better.
func (m *Measure) never(runs []*Run) bool {
	percent, waits := accuracies[m.Name]
	reaches := func(r *Run) bool { return r != nil && percent/5 <= len(r.Lane.Reached) }
	return waits && !slices.ContainsFunc(runs, reaches)
}

// reached returns the measure of what a run spent until an accuracy in percent, a multiple of 5, and of all it spent if
// it never had that accuracy (see accuracies).
func reached(name, title string, get func(s *plan.Lane) ([]float32, float64)) Measure {
	return Measure{name, title, false, func(s *plan.Lane) (float64, bool) {
		list, all := get(s)
		if at := accuracies[name]/5 - 1; at < len(list) {
			return float64(list[at]), true
		}
		return all, all > 0 && s.Accuracy != nil
	}}
}

// FindMeasure returns a measure by its name.
func FindMeasure(name string) (*Measure, error) {
	var names []string
	for i := range Measures {
		if Measures[i].Name == name {
			return &Measures[i], nil
		}
		names = append(names, Measures[i].Name)
	}
	return nil, &param.Error{Field: "-measure", Got: name, Want: say.Messagef("some of %s, with commas between them", strings.Join(names, ", "))}
}

// measures returns those that a report has.
func (s *Study) measures(o *Options) []*Measure {
	if len(o.Measures) > 0 {
		return o.Measures
	}
	return s.defaultMeasures()
}

// defaultMeasures returns the default measures of a report: accuracy and ARI; the loss for regressions; and HCFL's two accuracies
// if there are test clients.
func (s *Study) defaultMeasures() []*Measure {
	has := map[string]bool{}
	for _, r := range s.runs {
		for _, m := range Measures {
			if _, ok := m.value(r.Lane); ok {
				has[m.Name] = true
			}
		}
	}
	var out []*Measure
	for i := range Measures {
		m := &Measures[i]
		if has[m.Name] && (slices.Contains([]string{"accuracy", "ari", "test"},
			m.Name) || m.Name == "loss" && !has["accuracy"]) {
			out = append(out, m)
		}
	}
	return out
}

// MainMeasure returns the accuracy, or the loss if no run has an accuracy.
func (s *Study) MainMeasure() *Measure {
	accuracy, _ := FindMeasure("accuracy")
	for _, r := range s.runs {
		if r.Lane.Accuracy != nil {
			return accuracy
		}
	}
	loss, _ := FindMeasure("loss")
	return loss
}

// Value returns a measure of a run; ok is false if the run does not have it or is nil.
func (m *Measure) Value(r *Run) (v float64, ok bool) {
	if r == nil {
		return 0, false
	}
	if data := onlyOf[m.Name]; data != "" && !strings.Contains("&"+r.Query+"&", "&data="+data+"&") {
		return 0, false
	}
	return m.value(r.Lane)
}

// Entry is a measure of one method with one setting, over seeds.
type Entry struct {
	stats.Summary
	Runs     int // runs with or without the measure
	Diverged int // how many of the runs diverged
	Failed   int // how many of the values are those of runs that failed, which count as all of their rounds

	values []float64
	runs   []*Run // the runs with these values
	unit   string // unit after the number
}

// Entry returns a measure of a method with a setting.
func (s *Study) Entry(setting, method int, m *Measure) Entry {
	var e Entry
	for seed := range s.Seeds {
		e.add(s.Run(setting, method, seed), m)
	}
	e.Summary = stats.Summarize(e.values)
	return e
}

func (e *Entry) add(r *Run, m *Measure) {
	if r == nil {
		return
	}
	e.Runs++
	if r.Lane.Diverged != nil {
		e.Diverged++
	}
	if v, ok := m.Value(r); ok {
		if happened := happens[m.Name]; happened != nil && happened(r.Lane) == nil {
			e.Failed++
		}
		e.values, e.runs = append(e.values, v), append(e.runs, r)
	}
}

// centre returns the number to show in a table.
func (e *Entry) centre(spread Spread) float64 {
	if spread == Quartiles {
		return e.Median
	}
	return e.Mean
}

// Typical returns the first run whose value is nearest to the number that a table shows, nil if there are no values.
func (e *Entry) Typical(spread Spread) *Run {
	if i := e.nearest(e.centre(spread)); i >= 0 {
		return e.runs[i]
	}
	return nil
}

// nearest returns the index of the first value that is nearest to a number, −1 if there are no values.
func (e *Entry) nearest(to float64) int {
	best, least := -1, math.Inf(1)
	for i, v := range e.values {
		if far := math.Abs(v - to); far < least {
			best, least = i, far
		}
	}
	return best
}

// Spread selects the spread to show beside a number.
type Spread string

// The spreads.
const (
	SD        Spread = "sd"
	Quartiles Spread = "quartiles"
)

// words formats an entry, with the number of runs that have a value if not all do.
func (e *Entry) words(spread Spread) string {
	if e.N == 0 {
		if e.Diverged > 0 && e.Diverged == e.Runs {
			return "diverged"
		}
		return "–"
	}
	text := ""
	if spread == Quartiles {
		d := decimals(e.Q3 - e.Q1)
		text = fmt.Sprintf("%s%s (%s to %s)", number(e.Median, d), e.unit, number(e.Q1, d), number(e.Q3, d))
	} else {
		d := decimals(e.SD)
		text = number(e.Mean, d)
		switch {
		case e.N > 1 && e.SD < 1e-6*math.Abs(e.Mean): // 32-bit numbers that were equal
			text += " ± 0"
		case e.N > 1 && d < 0:
			text += " ± " + say.Figures(e.SD, 1)
		case e.N > 1:
			text += " ± " + number(e.SD, d)
		}
		text += e.unit
	}
	if e.Failed > 0 {
		text += fmt.Sprintf(" (%s%% succeed)", say.Figures(100*float64(e.N-e.Failed)/float64(e.N), 3))
	}
	if e.N < e.Runs {
		text += fmt.Sprintf(" [%d of %d]", e.N, e.Runs)
	}
	return text
}

// decimals returns the number of decimals that show two digits of a spread; −1 for all digits, if the spread is
// negligible.
func decimals(spread float64) int {
	if spread < 1e-5 {
		return -1
	}
	d := 0
	for limit := 10.0; spread < limit && d < 5; limit /= 10 {
		d++
	}
	return d
}

// number formats v with d decimals, or as say.Number if d is negative, with a real minus sign.
func number(v float64, d int) string {
	text := fmt.Sprintf("%.*f", max(d, 0), v)
	if d < 0 {
		text = say.Number(v)
	}
	return strings.Replace(text, "-", "−", 1)
}

// Interval formats an interval with as many digits as its width has, and a bound that these would make zero with its
// first digit, since a verdict depends on its sign.
func Interval(low, high float64) string {
	d := decimals(high - low)
	bound := func(v float64) string {
		if d >= 0 && v != 0 && math.Abs(v) < 0.5*math.Pow10(-d) {
			return strings.Replace(say.Figures(v, 1), "-", "−", 1)
		}
		return number(v, d)
	}
	return bound(low) + " to " + bound(high)
}
