package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"flockscope/sim/draw/plot"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/stats"
	"flockscope/sim/param"
	"flockscope/sim/say"
)

// Score is what effect sizes are made of.
type Score string

// The scores.
const (
	Raw  Score = "raw"  // the measure itself
	Gain Score = "gain" // by how much it exceeds that of the better of fedavg and local
	// Share is a gain divided by the mean gain of the oracle in the row: 1 is all that knowing the groups gains.
	Share Score = "share"
)

// GlobalTraining is the method that trains one model for all clients.
const GlobalTraining = "fedavg"

// OracleTraining is the lane, or the end of a lane's name behind a colon, that knows the groups: "oracle", "ifca:oracle".
const OracleTraining = "oracle"

// defaultRope returns the half width of the region in which methods are practically equal.
func defaultRope(score Score) float64 {
	if score == Share {
		return 0.05
	}
	return 0.01
}

// leastOracleGain is the mean gain that the oracle must have on a row for shares of it to mean something: twice the half width
// within which gains are practically equal.
var leastOracleGain = 2 * defaultRope(Gain)

// Effects say how much better methods are than a reference and than one another: sizes with intervals, before any test.
// A row is a setting, and a family holds rows with alike data; families weigh the same, see [stats.Design].
type Effects struct {
	Measure    *Measure
	Score      Score
	Rope       float64 // half width of the region in which methods are practically equal
	Families   []string
	Rows       int
	Runs       int
	References []string // what gains are over, row by row; none for raw scores
	Methods    []Effect // the best first
	Missing    []string // methods without the measure
	Bounds     []float64
	Against    int            // the method of Differences
	Pairs      []EffectOfPair // the best first
	Notes      []string

	sign   float64 // −1 where lower is better: scores are compared as sign times the measure
	design stats.Design
	slots  []slot
	test   *stats.SignedRanks
}

// slot is the place of a run in a design.
type slot struct{ setting, seed int }

// Sized is a number with its interval.
type Sized struct {
	Value float64
	stats.Interval
}

// Effect is the score of a method.
type Effect struct {
	Method   int
	Runs     int     // number of runs with the score
	Middle   Sized   // interquartile mean over all runs, with an interval for other families, rows and seeds
	Mean     float64 // mean over all runs
	ByFamily []Sized // means, with intervals for other seeds alone; NaN where the method has no run
	Profile  []Sized // share of the runs beyond each of the bounds
	// Verdict judges gains: whether the method is practically better than the reference.
	Verdict Judgement

	scores  []float64
	typical *Run
}

// EffectOfPair compares a method with another on the same runs.
type EffectOfPair struct {
	Method      int
	Runs        int
	Middle      Sized // interquartile mean of the differences
	Improvement Sized // probability that the method has the better score in a run of a row
	Verdict     Judgement

	differences []float64
}

// Judgement is a verdict and what it is based on.
type Judgement struct {
	stats.Verdict
	Cases float64 // number of cases; rows of one family together count as one
}

// MinCases is the least number of cases of which a judgement says more than "not known". The test of two cases alone
// that agree would be sure of them.
const MinCases = 5

func (j Judgement) String() string {
	switch {
	case j.Cases < MinCases-1e-9:
	case j.Better >= stats.Decided:
		return "better"
	case j.Worse >= stats.Decided:
		return "worse"
	case j.Equal >= stats.Decided:
		return "practically equal"
	}
	return "not known"
}

// isOracle reports whether a lane knows the groups.
func isOracle(lane string) bool {
	return lane == OracleTraining || strings.HasSuffix(lane, ":"+OracleTraining)
}

// checkScore returns an error if the lanes cannot have the score of the options.
func (s *Study) checkScore(o *Options, against int) error {
	if o.Family != "" && !slices.ContainsFunc(s.Axes, func(x Axis) bool { return x.Key == o.Family }) {
		var keys []string
		for _, x := range s.Axes {
			keys = append(keys, x.Key)
		}
		return &param.Error{Field: "-family", Got: o.Family, Want: say.Messagef("a setting that is varied: %s", say.List(keys))}
	}
	if o.Score == Raw {
		return nil
	}
	if against < 0 && !(slices.Contains(s.Methods, GlobalTraining) && slices.Contains(s.Methods, LocalTraining)) {
		return &param.Error{Field: "-score", Got: string(o.Score), Want: say.Messagef(
			"raw, or -against METHOD as well: a gain is over the better of %s and %s, and the results have only %s",
			GlobalTraining, LocalTraining, say.List(s.Methods))}
	}
	if o.Score == Share && !slices.ContainsFunc(s.Methods, isOracle) {
		return &param.Error{Field: "-score", Got: string(o.Score), Want: say.Messagef(
			"gain or raw: a share of what can be gained needs a lane that knows the groups, named oracle or such as "+
				"ifca:oracle, and the results have only %s", say.List(s.Methods))}
	}
	return nil
}

// Effects compares the methods by a score of a measure. against is the method of the pairs, −1 for the best; gains are
// over it where the measure has no values of fedavg and local. Results are nil where nothing can be compared.
func (s *Study) Effects(m *Measure, o *Options, against int) *Effects {
	e := &Effects{Measure: m, Score: o.Score, Rope: defaultRope(o.Score), Against: against, sign: -1}
	if o.Rope != nil {
		e.Rope = *o.Rope
	}
	if m.HigherIsBetter {
		e.sign = 1
	}
	scores := e.collect(s, o.Family)
	if e.Runs == 0 {
		return nil
	}
	for method, name := range s.Methods {
		n := 0
		for _, v := range scores[method] {
			if !math.IsNaN(v) {
				n++
			}
		}
		if n == 0 {
			e.Missing = append(e.Missing, name)
			continue
		}
		e.Methods = append(e.Methods, Effect{Method: method, Runs: n, scores: scores[method]})
	}
	if len(e.Methods) == 0 {
		return nil
	}
	e.measure(s)
	return e
}

// collect finds the rows, families and runs, and returns the scores of every method in every run.
func (e *Effects) collect(s *Study, family string) (scores [][]float64) {
	axis := slices.IndexFunc(s.Axes, func(x Axis) bool { return x.Key == cmp.Or(family, "data") })
	names := map[string]int{}
	var members [][]int
	for setting := range s.settings {
		name := s.groupName(setting, -1)
		if axis >= 0 {
			if name = s.Values(setting)[axis]; s.Axes[axis].Key != "data" {
				name = s.Axes[axis].Key + " = " + name
			}
		}
		f, known := names[name]
		if !known {
			f = len(members)
			names[name], members, e.Families = f, append(members, nil), append(e.Families, name)
		}
		members[f] = append(members[f], setting)
	}
	scores = make([][]float64, len(s.Methods))
	guessed, without, small := 0, 0, 0
	var families []string
	for f, settings := range members {
		var rows []int
		for _, setting := range settings {
			row, seeds, diverged := e.row(s, setting)
			if len(seeds) == 0 {
				continue
			}
			if e.Score != Raw {
				reference, name := e.reference(s, row)
				if reference == nil {
					without++
					continue
				}
				if !e.subtract(s, row, reference) {
					small++
					continue
				}
				e.References = append(e.References, name)
			}
			guessed += diverged
			for method := range scores {
				scores[method] = append(scores[method], row[method]...)
			}
			for _, seed := range seeds {
				e.slots = append(e.slots, slot{setting, seed})
			}
			rows = append(rows, len(seeds))
		}
		if len(rows) > 0 {
			e.design, families = append(e.design, rows), append(families, e.Families[f])
			e.Rows += len(rows)
		}
	}
	e.Families, e.Runs = families, e.design.Runs()
	note := func(n int, format string) {
		if n > 0 {
			e.Notes = append(e.Notes, fmt.Sprintf(format, say.Amount(n, "row"), say.Either(n, "is", "are")))
		}
	}
	note(without, "%s %s left out: no run of the reference has the measure.")
	note(small, fmt.Sprintf("%%s %%s left out: the oracle gains less than %s there, so there is nothing to have a share of.",
		say.Number(leastOracleGain)))
	if guessed > 0 {
		e.Notes = append(e.Notes, fmt.Sprintf("%s diverged and %s as guessing.", say.Amount(guessed, "run"),
			say.Either(guessed, "counts", "count")))
	}
	if names := e.repeated(s); len(names) > 0 {
		e.Notes = append(e.Notes, fmt.Sprintf("Runs of %s stand in several rows, since these do not read what differs: intervals and "+
			"verdicts of comparisons among them count a run once for each row.", say.List(names)))
	}
	return scores
}

// repeated returns the methods whose runs stand in several rows, if there are two that can be compared.
func (e *Effects) repeated(s *Study) (names []string) {
	for method, name := range s.Methods {
		seen := map[*plan.Lane]bool{}
		for _, at := range e.slots {
			r := s.Run(at.setting, method, at.seed)
			if r != nil && seen[r.Lane] {
				names = append(names, name)
				break
			}
			if r != nil {
				seen[r.Lane] = true
			}
		}
	}
	if len(names) == 1 {
		return nil
	}
	return names
}

// row returns the measure of every method for the seeds of a setting that have any, with lower values as better ones
// negated, and how many runs diverged and count as guessing.
func (e *Effects) row(s *Study, setting int) (row [][]float64, seeds []int, diverged int) {
	row = make([][]float64, len(s.Methods))
	for seed := range s.Seeds {
		values := make([]float64, len(s.Methods))
		any := false
		for method := range s.Methods {
			r := s.Run(setting, method, seed)
			v, ok := e.Measure.Value(r)
			if !ok && r != nil && r.Lane.Diverged != nil {
				if v, ok = e.Measure.Chance(r); ok {
					diverged++
				}
			}
			if any = any || ok; !ok {
				v = math.NaN()
			}
			values[method] = e.sign * v
		}
		if any {
			seeds = append(seeds, seed)
			for method, v := range values {
				row[method] = append(row[method], v)
			}
		}
	}
	return row, seeds, diverged
}

// reference returns the values of a row that gains are over: of fedavg or local, whichever has the better mean over the
// seeds that both have, or else of the method of the pairs. It is nil if there are none.
func (e *Effects) reference(s *Study, row [][]float64) (values []float64, name string) {
	global, local := slices.Index(s.Methods, GlobalTraining), slices.Index(s.Methods, LocalTraining)
	if global >= 0 && local >= 0 {
		d := stats.Mean(differences(row[global], row[local]), nil)
		switch {
		case d >= 0:
			return row[global], GlobalTraining
		case d < 0:
			return row[local], LocalTraining
		}
	}
	if e.Against >= 0 && !math.IsNaN(stats.Mean(row[e.Against], nil)) {
		return row[e.Against], s.Methods[e.Against]
	}
	return nil, ""
}

// subtract makes gains of a row, or shares of the oracle's gain; false if the oracle gains next to nothing.
func (e *Effects) subtract(s *Study, row [][]float64, reference []float64) bool {
	reference = slices.Clone(reference) // one of the row
	for method := range row {
		row[method] = differences(row[method], reference)
	}
	if e.Score != Share {
		return true
	}
	all := stats.Mean(row[slices.IndexFunc(s.Methods, isOracle)], nil)
	if !(all >= leastOracleGain) {
		return false
	}
	for method := range row {
		for i := range row[method] {
			row[method][i] /= all
		}
	}
	return true
}

// differences returns a − b, NaN where either is.
func differences(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range out {
		out[i] = stats.Difference(a[i], b[i])
	}
	return out
}

// measure computes effects with their intervals.
func (e *Effects) measure(s *Study) {
	weights := e.design.Weights()
	middle := make([]*stats.Interquartile, len(e.Methods))
	for i := range e.Methods {
		x := &e.Methods[i]
		x.Middle.Value = stats.NewInterquartile(x.scores).Mean(weights)
		x.Mean = stats.Mean(x.scores, weights)
		if x.typical = e.nearest(s, x.Method, x.scores, x.Middle.Value); e.Score != Raw {
			x.Verdict = e.judge(x.scores)
		}
	}
	slices.SortStableFunc(e.Methods, func(a, b Effect) int { return cmp.Compare(b.Middle.Value, a.Middle.Value) })
	if e.Against < 0 || !slices.ContainsFunc(e.Methods, func(x Effect) bool { return x.Method == e.Against }) {
		e.Against = e.Methods[0].Method
	}
	other := e.Methods[slices.IndexFunc(e.Methods, func(x Effect) bool { return x.Method == e.Against })].scores
	apart := make([]*stats.Interquartile, len(e.Methods))
	wins := make([]*stats.Improvement, len(e.Methods))
	profiles := make([]*stats.Profile, len(e.Methods))
	e.Bounds = bounds(e.Methods)
	for i := range e.Methods {
		x := &e.Methods[i]
		d := differences(x.scores, other)
		middle[i], apart[i] = stats.NewInterquartile(x.scores), stats.NewInterquartile(d)
		wins[i], profiles[i] = e.design.NewImprovement(x.scores, other), stats.NewProfile(x.scores, e.Bounds)
		p := EffectOfPair{Method: x.Method, differences: d, Verdict: e.judge(d)}
		for _, v := range d {
			if !math.IsNaN(v) {
				p.Runs++
			}
		}
		e.Pairs = append(e.Pairs, p)
	}
	each := 3 + len(e.Bounds) // numbers of a method
	all := func(weights, out []float64) {
		for i := range e.Methods {
			at := out[i*each:][:each]
			at[0], at[1], at[2] = middle[i].Mean(weights), apart[i].Mean(weights), wins[i].Probability(weights)
			profiles[i].Shares(weights, at[3:])
		}
	}
	values := make([]float64, each*len(e.Methods))
	all(weights, values)
	intervals := e.design.Bootstrap(stats.Hierarchical, len(values), all)
	for i := range e.Methods {
		sized := func(j int) Sized { return Sized{values[i*each+j], intervals[i*each+j]} }
		e.Methods[i].Middle, e.Pairs[i].Middle, e.Pairs[i].Improvement = sized(0), sized(1), sized(2)
		for j := range e.Bounds {
			e.Methods[i].Profile = append(e.Methods[i].Profile, sized(3+j))
		}
	}
	e.byFamily(weights)
	e.Pairs = slices.DeleteFunc(e.Pairs, func(p EffectOfPair) bool { return p.Method == e.Against || p.Runs == 0 })
	slices.SortStableFunc(e.Pairs, func(a, b EffectOfPair) int { return cmp.Compare(b.Middle.Value, a.Middle.Value) })
}

// byFamily computes the means of the families.
func (e *Effects) byFamily(weights []float64) {
	ends := []int{0} // of the runs of each family
	for _, rows := range e.design {
		n := ends[len(ends)-1]
		for _, seeds := range rows {
			n += seeds
		}
		ends = append(ends, n)
	}
	n := len(e.design)
	means := func(weights, out []float64) {
		for i := range e.Methods {
			for f := range n {
				out[i*n+f] = stats.Mean(e.Methods[i].scores[ends[f]:ends[f+1]], weights[ends[f]:ends[f+1]])
			}
		}
	}
	values := make([]float64, n*len(e.Methods))
	means(weights, values)
	intervals := e.design.Bootstrap(stats.Stratified, len(values), means)
	for i := range e.Methods {
		for f := range n {
			e.Methods[i].ByFamily = append(e.Methods[i].ByFamily, Sized{values[i*n+f], intervals[i*n+f]})
		}
	}
}

// judge is the Bayesian signed-rank test of differences. A case is the mean over the seeds of a row, and a family's rows
// together weigh as one; with a single family each row is a case, and with a single row each seed.
func (e *Effects) judge(d []float64) Judgement {
	var cases, strengths []float64
	at := 0
	for _, rows := range e.design {
		for _, seeds := range rows {
			row := d[at : at+seeds]
			at += seeds
			switch {
			case e.Rows == 1:
				for _, v := range row {
					cases, strengths = append(cases, v), append(strengths, 1)
				}
			case len(e.design) == 1:
				cases, strengths = append(cases, stats.Mean(row, nil)), append(strengths, 1)
			default:
				cases, strengths = append(cases, stats.Mean(row, nil)), append(strengths, 1/float64(len(rows)))
			}
		}
	}
	if e.test == nil { // of all methods, cases have the same strengths
		e.test = stats.NewSignedRanks(strengths)
	}
	n := 0.0
	for i, v := range cases {
		if !math.IsNaN(v) {
			n += strengths[i]
		}
	}
	return Judgement{e.test.Compare(cases, e.Rope), n}
}

// nearest returns the first run whose score is nearest to a value.
func (e *Effects) nearest(s *Study, method int, scores []float64, to float64) *Run {
	x := Entry{values: scores}
	if i := x.nearest(to); i >= 0 {
		return s.Run(e.slots[i].setting, method, e.slots[i].seed)
	}
	return nil
}

// bounds returns round numbers over the middle nine tenths of all scores, for profiles.
func bounds(methods []Effect) (out []float64) {
	var all []float64
	for i := range methods {
		for _, v := range methods[i].scores {
			if !math.IsNaN(v) {
				all = append(all, v)
			}
		}
	}
	slices.Sort(all)
	low, high := all[len(all)/20], all[len(all)-1-len(all)/20]
	const most = 9
	step := 1e-6
	for _, factor := 0, 0; (high-low)/step > most-1; factor++ { // 1, 2, 5, 10, 20, …
		step *= [...]float64{2, 2.5, 2}[factor%3]
	}
	for k := math.Floor(low / step); k <= math.Ceil(high/step); k++ {
		out = append(out, stats.Round(float64(k*step)))
	}
	return out
}

// title returns what the score is of a measure.
func (e *Effects) title() string {
	switch e.Score {
	case Gain:
		return "gain in " + e.Measure.Title
	case Share:
		return "share of the oracle's gain in " + e.Measure.Title
	}
	return e.Measure.Title
}

// shown returns a score as a table shows it, with the ends of an interval in order.
func (e *Effects) shown(v Sized) Sized {
	if e.Score == Raw && e.sign < 0 {
		return Sized{-v.Value, stats.Interval{Low: -v.High, High: -v.Low}}
	}
	return v
}

// scoreParts presents effects: sizes with intervals first.
func (s *Study) scoreParts(m *Measure, o *Options, against int) []Part {
	heading := "How much better: " + m.Title
	e := s.Effects(m, o, against)
	if e == nil {
		return []Part{{Heading: heading, Text: []string{fmt.Sprintf("The runs have no %s: "+
			"the reference and the methods do not both have this measure. -against METHOD names another reference.",
			(&Effects{Measure: m, Score: o.Score}).title())}}}
	}
	parts := []Part{{Heading: heading, Text: e.about(s), Table: e.table(s)}}
	if len(e.Pairs) > 0 {
		parts = append(parts, Part{Table: e.pairTable(s)})
	}
	if len(e.Families) > 1 && len(e.Families) <= maxColumns {
		parts = append(parts, Part{Table: e.familyTable(s)})
	}
	return append(parts, Part{Table: e.profileTable(s)})
}

// about says what the numbers are.
func (e *Effects) about(s *Study) []string {
	capital := func(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
	over := ""
	if e.Score != Raw {
		counts := map[string]int{}
		for _, name := range e.References {
			counts[name]++
		}
		var names []string
		for _, name := range s.Methods {
			if n := counts[name]; n > 0 {
				names = append(names, fmt.Sprintf("%s in %s", name, say.Amount(n, "row")))
			}
		}
		over = fmt.Sprintf(" The reference of a row is the better of fedavg and local, by their means over seeds, or else the "+
			"method of -against: %s. A gain is over its run with the same seed.", say.List(names))
		if e.sign < 0 {
			over += " Lower values are better, so a gain is what a method has less."
		}
	}
	families := say.Amount(len(e.Families), "family")
	if len(e.Families) > 1 {
		families = fmt.Sprintf("%d families", len(e.Families))
	}
	text := []string{fmt.Sprintf("%s over %s in %s, %s of each method; families weigh the same, and so do the rows of "+
		"a family.%s Intervals of 95%% are for other families, rows and seeds (bootstrap). Scores that differ by at most %s are "+
		"practically equal; a verdict has a probability of at least 0.95, and at least %d cases (Bayesian signed-rank test of families).",
		capital(e.title()), say.Amount(e.Rows, "row"), families, say.Amount(e.Runs, "run"), over, say.Number(e.Rope),
		MinCases)}
	if len(e.Missing) > 0 {
		text = append(text, fmt.Sprintf("Without this score, and left out: %s.", say.List(e.Missing)))
	}
	return append(text, e.Notes...)
}

// cells returns a number and its interval, with as many digits as the interval has, at least two.
func cells(v Sized) []Cell {
	d := 3
	if width := v.High - v.Low; width > 0 {
		d = max(decimals(width), 2)
	}
	text := func(v float64) string {
		if math.Abs(v) < math.Pow10(-d)/2 {
			v = 0 // not −0
		}
		return number(v, d)
	}
	out := []Cell{{Text: "–"}, {Text: "–"}}
	if !math.IsNaN(v.Value) {
		out[0].Text = text(v.Value)
	}
	if !math.IsNaN(v.Low) {
		out[1].Text = text(v.Low) + " to " + text(v.High)
	}
	return out
}

// probability returns a number from 0 to 1 and its interval.
func probability(v Sized) []Cell {
	out := []Cell{{Text: "–"}, {Text: "–"}}
	if !math.IsNaN(v.Value) {
		out[0].Text = fmt.Sprintf("%.2f", v.Value)
	}
	if !math.IsNaN(v.Low) {
		out[1].Text = fmt.Sprintf("%.2f to %.2f", v.Low, v.High)
	}
	return out
}

// joined writes a number and its interval in one cell.
func joined(c []Cell) Cell {
	if c[1].Text != "–" {
		c[0].Text += " (" + c[1].Text + ")"
	}
	return c[0]
}

// verdictCells returns the probabilities of a verdict, and the verdict.
func verdictCells(v Judgement) []Cell {
	text := v.String()
	out := []Cell{}
	for _, p := range []float64{v.Worse, v.Equal, v.Better} {
		out = append(out, Cell{Text: fmt.Sprintf("%.2f", p)})
	}
	return append(out, Cell{Text: text, Bold: text == "better"})
}

func (e *Effects) table(s *Study) *Table {
	t := &Table{Names: 1, Head: []string{"method", "interquartile mean", "95% interval", "mean"},
		Caption: "Of each method, " + e.title() + ": a number links to the run that is nearest to it"}
	if e.Score != Raw {
		t.Head = append(t.Head, "P(worse)", "P(equal)", "P(better)", "than the reference")
	}
	for i := range e.Methods {
		x := &e.Methods[i]
		row := append([]Cell{{Text: s.Methods[x.Method]}}, cells(e.shown(x.Middle))...)
		row[1].open(x.typical, "")
		row = append(row, cells(e.shown(Sized{x.Mean, x.Middle.Interval}))[0])
		if e.Score != Raw {
			row = append(row, verdictCells(x.Verdict)...)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (e *Effects) pairTable(s *Study) *Table {
	t := &Table{Names: 1, Head: []string{"method", "runs", "interquartile mean", "95% interval",
		"P(improvement)", "95% interval", "P(worse)", "P(equal)", "P(better)", "verdict"},
		Caption: fmt.Sprintf("Differences from %s in the same runs, above zero where the method is better; P(improvement) "+
			"is the probability that a run of the method is better than one of %[1]s in the same row", s.Methods[e.Against])}
	for i := range e.Pairs {
		p := &e.Pairs[i]
		row := []Cell{{Text: s.Methods[p.Method]}, {Text: fmt.Sprint(p.Runs)}}
		row = append(append(row, cells(p.Middle)...), probability(p.Improvement)...)
		row[2].open(e.nearest(s, p.Method, p.differences, p.Middle.Value), "")
		t.Rows = append(t.Rows, append(row, verdictCells(p.Verdict)...))
	}
	return t
}

func (e *Effects) familyTable(s *Study) *Table {
	t := &Table{Names: 1, Head: append([]string{"method"}, e.Families...),
		Caption: "By family, " + e.title() + ": means, with 95% intervals for other seeds alone"}
	for i := range e.Methods {
		row := []Cell{{Text: s.Methods[e.Methods[i].Method]}}
		for _, v := range e.Methods[i].ByFamily {
			row = append(row, joined(cells(e.shown(v))))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// beyond says on which side of a bound the better scores are.
func (e *Effects) beyond() string {
	if e.Score == Raw && e.sign < 0 {
		return "below"
	}
	return "above"
}

func (e *Effects) profileTable(s *Study) *Table {
	t := &Table{Names: 1, Head: []string{"method"},
		Caption: fmt.Sprintf("Performance profile: share of the runs whose %s is %s the number at the head of the column, "+
			"with its 95%% interval", e.title(), e.beyond())}
	for _, b := range e.Bounds {
		t.Head = append(t.Head, number(e.shown(Sized{Value: b}).Value, -1))
	}
	for i := range e.Methods {
		row := []Cell{{Text: s.Methods[e.Methods[i].Method]}}
		for _, v := range e.Methods[i].Profile {
			row = append(row, joined(probability(v)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// profilePicture draws the performance profile.
func (e *Effects) profilePicture(s *Study) Picture {
	var labels []string
	for _, b := range e.Bounds {
		labels = append(labels, param.FormatFloat(e.shown(Sized{Value: b}).Value))
	}
	var series []plot.Series
	for i := range e.Methods {
		c := plot.Series{Name: s.Methods[e.Methods[i].Method]}
		for _, v := range e.Methods[i].Profile {
			c.Y, c.Low, c.High = append(c.Y, v.Value), append(c.Low, v.Low), append(c.High, v.High)
		}
		series = append(series, c)
	}
	name := fmt.Sprintf("profile-%s-%s.svg", e.Measure.Name, e.Score)
	return Picture{name, plot.Curves("Performance profile: "+e.title(), e.title(), "share of runs "+e.beyond(), labels, series)}
}

// conoverTable compares the pairs of a comparison by Conover's test; nil where Friedman's test does not apply.
func (s *Study) conoverTable(m *Measure, o *Options, c *Comparison) *Table {
	blocks := complete(s.blocks(m, o.Unit, slices.Concat(s.groups(-1)...)), c.Methods)
	p, err := stats.Conover(blocks)
	if err != nil || c.Mean == nil {
		return nil
	}
	t := &Table{Names: 2, Head: []string{"method", "against", "mean ranks", "p", "p (Holm)"},
		Caption: "Conover's test of mean ranks after Friedman's, two-sided, with Holm's correction: " + m.Title}
	var ps []float64
	for _, pair := range c.Pairs {
		a, b := slices.Index(c.Methods, pair.A), slices.Index(c.Methods, pair.B)
		ps = append(ps, p[a][b])
		t.Rows = append(t.Rows, []Cell{{Text: s.Methods[pair.A]}, {Text: s.Methods[pair.B]},
			{Text: number(c.Mean[a], 2) + " and " + number(c.Mean[b], 2)}, {Text: FormatP(p[a][b])}})
	}
	rejects := c.P < Level
	for i, v := range stats.Holm(ps) {
		t.Rows[i] = append(t.Rows[i], Cell{Text: FormatP(v), Bold: rejects && v < Level})
	}
	if !rejects {
		t.Caption += "; Friedman's test does not reject, so these decide nothing"
	}
	return t
}
