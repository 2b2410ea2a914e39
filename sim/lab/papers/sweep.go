// Package papers holds named sweeps: the arena, which compares all methods, and the tables and
// figures of papers. A sweep is a file in the folder sweeps and nothing else:
//
//	title    what a list says of it
//	version  raised when other cells make up the sweep
//	source   the paper, and where in it
//	about    a paragraph; any number of times
//	data     which samples, and, after a semicolon, those of the paper
//	real     SET, … | SETTINGS | DIFFERS: the sets whose numbers the paper has; then images
//	         may take the place of drawn pictures, or texts of drawn texts, and the query says
//	         data=digits, garments, shapes or words, and n. The table runs once on each of
//	         these sets that a folder is given for. A query that says data=samples has nothing
//	         drawn, and runs on files of these sets only. On files, SETTINGS win over those of
//	         the query and of rows, and DIFFERS is what differs on them alone; both may be
//	         left out. Sets with other settings have lines of their own. "A + B" is the files of
//	         two sets together, as domains, in place of data=both
//	smaller  FACTOR | WHAT | SET: what is smaller than in the paper, on the files of one set, on
//	         drawn samples (SET is drawn) or, without SET, on all; any number of times. Then
//	         claims on numbers are not judged, only those on orders
//	differs  what else is not as in the paper, on all samples, and why; any number of times
//	cannot   why it cannot be run; then nothing but these lines follows
//	query    the base of all runs, of the paper's size and with its settings
//	vary     a setting and its values, as for flock sweep; algos=all stands for every
//	         method that is registered, and algos=needs-k for those that are told the number
//	         of clusters
//	without  METHOD | WHY: of algos=all, one that is left out
//	told     METHOD | WHY: one that finds the number of clusters and still counts as told it
//	also     LANE | SETTINGS | WHY: beside algos=all, a method with other settings
//	line     LANE | SETTINGS | WHAT: a reference line, which is shown and not ranked
//	budget   NAME | WHAT: what methods have equally much of: rounds, floats or steps
//	tuning   TRIES, SEEDS: how many tries on how many seeds tuned settings are chosen from
//	tuned    FAMILY | METHOD | SETTINGS: settings that were chosen for a family
//	row      LABEL | SETTINGS: one value of a further setting that is varied, with a
//	         name; the settings of all rows begin with the same key. With | SET behind them
//	         the row runs on the files of this set only, and rows without one do not
//	family   NAME | WHAT: the family of the rows below
//	small    the settings of the reduced form, for tests: they win over those of the query and
//	         of rows, and over the values of settings that are varied; any number of times
//	seeds    how many, and how many of the reduced form: 20, 3
//	realseeds how many at most on files
//	rights   who owns a set of files, and its licence; any number of times
//	floats   the budget of each run
//	measure  what tables show
//	columns  the setting whose values stand side by side
//	curve    what is drawn over the rounds, with a line for each method and a picture for each
//	         row: some of ari, clusters, accuracy, loss
//	heat     loss: the loss of each model on a client of each group, of each method's first run; or
//	         a measure, drawn for each method over two settings
//	contents METHOD: a table of the classes in each cluster of one run
//	paper    ROW | METHOD | MEASURE | NUMBER | WHERE: what the paper has
//	claim    ROW | A > B | MEASURE | WHERE | NOTE: an ordering that the paper claims; A and B
//	         are methods, or one is a number. NOTE may be left out. With "ROW > ROW" A is of the
//	         first row and B of the second, whose settings are paired in their order
//	protocol ROW | METHOD | SETTINGS | WHERE: settings that the paper states for a method, or
//	         for all with *, and where; the method has them here. ROW may be left out
//	absent   WHAT | WHY: a row or method of the paper that is not here
//
// ROW names a value of each setting that matters: "concepts", "20, 3" or "K=3"; * stands
// for all together. A claim on "each", or on "K=3, each", is about every row by itself, or
// every one of these. Lines that begin with # are comments.
//
//	sweep.go       the text of a sweep, and its plan
//	arena.go       families, rows on files, reference lines and budgets of the arena, and its design
//	arenaplace.go  which run of the arena a record is
//	files.go       a sweep on a user's files in place of synthetic samples
//	verdict.go     which claims the runs support, and the report of a sweep
//	document.go    one report on several sweeps
//	book.go        one page that summarizes the results of all sweeps
package papers

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/report"
	"flockscope/sim/say"
)

//go:embed sweeps
var files embed.FS

// Sweep is a named sweep.
type Sweep struct {
	Name, Title, Source    string
	Data                   string
	Real                   []Real
	Version                int
	About, Differs, Cannot []string
	Files                  []string // where samples that are not drawn come from, and whose they are
	Columns                string
	Measures               []*report.Measure
	Curves                 []*report.Curve
	HeatLosses             bool            // whether losses of models on groups are drawn
	Heat                   *report.Measure // drawn for each method over two settings; nil for none
	Contents               []string        // methods whose clusters are listed with their classes
	Seeds, Reduced         int
	Numbers                []Number
	Claims                 []Claim
	Absent                 [][2]string // what is absent, and why
	smaller                []Smaller   // also on files that it does not run on
	Protocol               []Protocol

	// IsReduced is set in the reduced form.
	IsReduced bool

	Families  []Family
	Left      [][2]string // methods that algos=all leaves out, and why
	Told      [][2]string // methods that count as told the number of clusters, and why
	Also      []Variant   // methods with other settings
	Lines     []Variant   // reference lines, which are not ranked
	Budgets   [][2]string // what methods have equally much of
	Tries     int         // tries of a tuned method
	TuneSeeds int         // on so many seeds
	Tuned     []Tuned
	RealSeeds int      // the most seeds on files; 0 for no limit
	Rights    []string // owners and licences of the sets of files

	every    statements // those of all sets
	draft    plan.Draft
	rows     []Row
	tuned    bool     // methods have the tuned settings
	single   Entrant  // the one that takes part; "" for all
	small    []string // settings of the reduced form
	set      string   // on files: the name of the set
	settings []string // settings for files
}

// statements are what is said of a sweep's runs.
type statements struct {
	numbers  []Number
	claims   []Claim
	protocol []Protocol
}

// ofSet keeps what is said of runs on a set, or of all runs.
func (s *Sweep) ofSet(set string) {
	if s.every.numbers == nil && s.every.claims == nil && s.every.protocol == nil {
		s.every = statements{s.Numbers, s.Claims, s.Protocol}
	}
	s.Numbers, s.Claims, s.Protocol = nil, nil, nil
	for _, n := range s.every.numbers {
		if s.about(set, &n.Row) {
			s.Numbers = append(s.Numbers, n)
		}
	}
	for _, c := range s.every.claims {
		if s.about(set, &c.Row) {
			s.Claims = append(s.Claims, c)
		}
	}
	for _, p := range s.every.protocol {
		if s.about(set, &p.Row) {
			s.Protocol = append(s.Protocol, p)
		}
	}
}

// about reports whether a row is of runs on a set, and removes names of sets from it.
func (s *Sweep) about(set string, row *string) bool {
	var parts []string
	about, named := false, false
	for part := range strings.SplitSeq(*row, ",") {
		part = strings.TrimSpace(part)
		if slices.Contains(s.Sets(), part) {
			about, named = about || part == set, true
		} else {
			parts = append(parts, part)
		}
	}
	*row = cmp.Or(strings.Join(parts, ", "), "*")
	return about || !named
}

// Real is a set of the paper, whose files may take the place of synthetic samples.
type Real struct {
	Set      string // its name
	Settings string // settings on its files, which take precedence
	Differs  string // what differs on its files alone, "" for nothing
}

// Smaller is what a sweep has less of than the paper.
type Smaller struct {
	Factor float64 // how many times less, above 1
	What   string
	set    string // the set of files on which it is, "drawn" for drawn samples, "" for all
}

// drawnSamples are what is not a set of files, in a line that begins with smaller.
const drawnSamples = "drawn"

// Smaller returns what the sweep has less of than the paper, on its samples.
func (s *Sweep) Smaller() []Smaller {
	return slices.DeleteFunc(slices.Clone(s.smaller), func(o Smaller) bool {
		return o.set != "" && o.set != cmp.Or(s.set, drawnSamples)
	})
}

// Protocol is what a paper states about the settings of a method.
type Protocol struct {
	Row, Method string // "*" for all
	Settings    [][2]string
	Where       string // section or table of the paper
}

// Row is one kind of clients.
type Row struct {
	Label, Settings string
	Family          string // "" for none
	Set             string // set of files that the row runs on; "" if its samples are drawn, or for any files
}

// Number is a number in a paper.
type Number struct {
	Row, Method string
	Measure     *report.Measure
	Value       string // as printed in the paper
	Where       string
}

// Claim says that A has a higher value of the measure than B.
type Claim struct {
	Row     string
	Other   string // the row of B, "" for that of A
	A, B    string // methods, or one of them a number
	Measure *report.Measure
	Where   string
	Note    string

	bound        float64 // A or B, if it is a number
	above, below bool    // B is a number; A is one
}

// All returns the sweeps by name, with Table 9 before Table 10.
func All() ([]*Sweep, error) {
	names, err := fs.Glob(files, "sweeps/*.sweep")
	if err != nil {
		return nil, err
	}
	var out []*Sweep
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		base := strings.TrimSuffix(name, ".sweep")
		tuned, err := files.ReadFile(base + ".tuned") // written by flock arena -tune; only the arena has one
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		s, err := Read(path.Base(base), string(text)+string(tuned))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out = append(out, s)
	}
	padded := func(s *Sweep) string {
		return number.ReplaceAllStringFunc(s.Name, func(n string) string { return fmt.Sprintf("%09s", n) })
	}
	slices.SortFunc(out, func(a, b *Sweep) int { return cmp.Compare(padded(a), padded(b)) })
	return out, nil
}

var number = regexp.MustCompile(`\d+`)

// Find returns a sweep by its name.
func Find(name string) (*Sweep, error) {
	all, err := All()
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		if s.Name == name {
			return s, nil
		}
	}
	return nil, fmt.Errorf("there is no sweep called %q; flock reproduce -list names them", name)
}

// Read reads the text of a sweep.
func Read(name, text string) (*Sweep, error) {
	s := &Sweep{Name: name, Version: 1, Seeds: 1, Reduced: 1}
	if err := plan.Lines(text, s.line); err != nil {
		return nil, err
	}
	if err := s.checkArena(); err != nil {
		return nil, err
	}
	if len(s.Real) > 0 && (s.drawn() == "" && !s.OnlyFiles() || !strings.Contains(s.Data, "; ")) {
		return nil, errors.New("real: only drawn pictures or texts have files in their place, or data=samples, and data says what the paper has after a semicolon")
	}
	if s.OnlyFiles() && len(s.Real) == 0 {
		return nil, errors.New("query: data=samples needs the sets that it runs on, in a line that begins with real")
	}
	for _, o := range s.smaller {
		if o.set != "" && o.set != drawnSamples && !slices.Contains(s.Sets(), o.set) {
			return nil, fmt.Errorf("smaller: there is no set %q in a line that begins with real", o.set)
		}
	}
	if len(s.Real) > 0 { // drawn samples stand for the first set
		s.ofSet(s.Real[0].Set)
	}
	if s.Title == "" || len(s.Cannot) == 0 && s.draft.Query == "" {
		return nil, errors.New("a sweep needs a title, and a query or the reason why it cannot be run")
	}
	return s, nil
}

// partsOf are the least and the largest number of parts of a line, with | between them. Others are one text.
var partsOf = map[string][2]int{"real": {1, 3}, "smaller": {2, 3}, "paper": {5, 5}, "absent": {2, 2}, "claim": {4, 5},
	"protocol": {3, 4}, "row": {2, 3}, "family": {2, 2}, "without": {2, 2}, "told": {2, 2}, "budget": {2, 2}, "also": {3, 3},
	"line": {3, 3}, "tuned": {3, 3}}

func (s *Sweep) line(word, rest string) (err error) {
	parts := strings.Split(rest, "|")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	if n, ok := partsOf[word]; ok {
		if len(parts) < n[0] || len(parts) > n[1] {
			want := strconv.Itoa(n[0])
			if n[1] > n[0] {
				want += " to " + strconv.Itoa(n[1])
			}
			return fmt.Errorf("%s: got %s, want %s with | between them", word, say.Amount(len(parts), "part"), want)
		}
		parts = append(parts, make([]string, n[1]-len(parts))...)
	}
	switch word {
	case "title":
		s.Title = rest
	case "version":
		s.Version, err = strconv.Atoi(rest)
	case "source":
		s.Source = rest
	case "about":
		s.About = append(s.About, rest)
	case "data":
		s.Data = rest
	case "real":
		for set := range strings.SplitSeq(parts[0], ",") {
			s.Real = append(s.Real, Real{strings.TrimSpace(set), parts[1], parts[2]})
		}
	case "smaller":
		f, err := strconv.ParseFloat(parts[0], 64)
		if err != nil || !(f > 1) {
			return fmt.Errorf("smaller: got %q, want how many times smaller, a number above 1", parts[0])
		}
		s.smaller = append(s.smaller, Smaller{f, parts[1], parts[2]})
	case "protocol":
		return s.protocol(parts)
	case "small":
		s.small = append(s.small, strings.Split(rest, "&")...)
	case "differs":
		s.Differs = append(s.Differs, rest)
	case "cannot":
		s.Cannot = append(s.Cannot, rest)
	case "query":
		s.draft.Query = rest
	case "vary":
		s.draft.Vary = append(s.draft.Vary, rest)
	case "row":
		return s.row(parts)
	case "seeds":
		full, reduced, _ := strings.Cut(rest, ",")
		if s.Seeds, err = plan.ParseSeeds(full); err == nil {
			s.Reduced, err = plan.ParseSeeds(strings.TrimSpace(reduced))
		}
	case "floats":
		s.draft.Floats, err = plan.ParseFloats(rest)
	case "measure":
		for name := range strings.SplitSeq(rest, ",") {
			m, err := report.FindMeasure(strings.TrimSpace(name))
			if err != nil {
				return err
			}
			s.Measures = append(s.Measures, m)
		}
	case "curve":
		for name := range strings.SplitSeq(rest, ",") {
			c, err := report.FindCurve(strings.TrimSpace(name))
			if err != nil {
				return err
			}
			s.Curves = append(s.Curves, c)
		}
	case "heat":
		if rest == "loss" {
			s.HeatLosses = true
		} else {
			s.Heat, err = report.FindMeasure(rest)
		}
	case "contents":
		s.Contents = append(s.Contents, rest)
	case "columns":
		s.Columns = rest
	case "paper":
		number := Number{Row: parts[0], Method: parts[1], Value: parts[3], Where: parts[4]}
		number.Measure, err = report.FindMeasure(parts[2])
		s.Numbers = append(s.Numbers, number)
	case "claim":
		return s.claim(parts)
	case "absent":
		s.Absent = append(s.Absent, [2]string{parts[0], parts[1]})
	default:
		return s.arenaLine(word, rest, parts)
	}
	return err
}

// claim reads ROW | A > B | MEASURE | WHERE | NOTE.
func (s *Sweep) claim(parts []string) (err error) {
	c := Claim{Where: parts[3], Note: parts[4]}
	c.Row, c.Other, _ = strings.Cut(parts[0], " > ")
	more, less, ok := strings.Cut(parts[1], ">")
	if !ok {
		return fmt.Errorf("claim: got %q, want A > B", parts[1])
	}
	c.A, c.B = strings.TrimSpace(more), strings.TrimSpace(less)
	if v, err := strconv.ParseFloat(c.B, 64); err == nil {
		c.bound, c.above = v, true
	} else if v, err := strconv.ParseFloat(c.A, 64); err == nil {
		c.bound, c.below = v, true
	}
	if c.Measure, err = report.FindMeasure(parts[2]); err != nil {
		return err
	}
	if slices.ContainsFunc(s.Claims, func(o Claim) bool {
		return o.Row == c.Row && o.Other == c.Other && o.A == c.A && o.B == c.B && o.Measure == c.Measure
	}) {
		return fmt.Errorf("claim: %s of %s in %s is there already, and would count twice", parts[1], c.Measure.Name, c.Row)
	}
	s.Claims = append(s.Claims, c)
	return nil
}

// protocol reads METHOD | SETTINGS | WHERE, or ROW before them.
func (s *Sweep) protocol(parts []string) error {
	if parts[3] == "" {
		parts = append([]string{"*"}, parts...)
	}
	p := Protocol{Row: parts[0], Method: parts[1], Where: parts[3]}
	for setting := range strings.SplitSeq(parts[2], "&") {
		key, value, ok := strings.Cut(setting, "=")
		if !ok {
			return fmt.Errorf("protocol: got %q, want settings as in a query", parts[2])
		}
		p.Settings = append(p.Settings, [2]string{key, value})
	}
	s.Protocol = append(s.Protocol, p)
	return nil
}

// row reads LABEL | SETTINGS | SET.
func (s *Sweep) row(parts []string) error {
	r := Row{Label: parts[0], Settings: parts[1], Set: parts[2]}
	if n := len(s.Families); n > 0 {
		r.Family = s.Families[n-1].Name
	}
	s.rows = append(s.rows, r)
	return nil
}

// allMethods stands for every method that is registered, and needsK for those that are told the number of clusters.
const allMethods, needsK = "algos=all", "algos=needs-k"

// Small returns the reduced form of the sweep, for tests. It is not comparable with the paper's numbers.
func (s *Sweep) Small() *Sweep {
	out := *s
	out.IsReduced, out.Seeds = true, s.Reduced
	out.replace(s.small)
	return &out
}

// HasSmall reports whether the reduced form has settings of its own, and not only fewer seeds.
func (s *Sweep) HasSmall() bool { return len(s.small) > 0 }

// replace replaces settings of the query, of rows and of settings that are varied by others.
func (s *Sweep) replace(settings []string) {
	s.rows, s.draft.Vary = slices.Clone(s.rows), slices.Clone(s.draft.Vary)
	for _, setting := range settings {
		key, _, _ := strings.Cut(setting, "=")
		has := func(text string) bool { return strings.HasPrefix(text, key+"=") }
		if i := slices.IndexFunc(s.draft.Vary, has); i >= 0 {
			s.draft.Vary[i] = setting
			continue
		}
		inRows := false
		for i := range s.rows {
			parts := strings.Split(s.rows[i].Settings, "&")
			if at := slices.IndexFunc(parts, has); at >= 0 {
				parts[at], inRows = setting, true
				s.rows[i].Settings = strings.Join(parts, "&")
			}
		}
		parts := strings.Split(s.draft.Query, "&")
		if at := slices.IndexFunc(parts, has); at >= 0 {
			parts[at] = setting
		} else if !inRows { // only there: other rows may not read it
			parts = append(parts, setting)
		}
		s.draft.Query = strings.Join(parts, "&")
	}
}

// Plan returns the plan of the sweep, and labels for the values of its rows.
func (s *Sweep) Plan() (*plan.Plan, report.Labels, error) {
	if len(s.Cannot) > 0 {
		return nil, nil, fmt.Errorf("%s cannot be run: %s", s.Name, strings.Join(s.Cannot, " "))
	}
	draft := s.draft
	draft.Seeds = s.Seeds
	draft.Vary = nil
	rows := s.Rows()
	key, axis, err := s.rowsAxis()
	if err != nil {
		return nil, nil, err
	}
	if axis != "" {
		draft.Vary = append(draft.Vary, axis)
	}
	for _, v := range s.draft.Vary {
		if v == allMethods || v == needsK {
			v = "algos=" + strings.Join(s.lanes(v), ";") + ";"
		}
		draft.Vary = append(draft.Vary, v)
	}
	var p *plan.Plan
	base, err := s.base()
	if err == nil {
		p, err = draft.Around(base)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	labels := report.Labels{}
	if key != "" {
		labels[key] = map[string]string{}
		if len(p.Axes[0].Values) != len(rows) {
			return nil, nil, fmt.Errorf("%s: two rows have the same settings", s.Name)
		}
		for i, r := range rows {
			labels[key][p.Axes[0].Values[i]] = r.Label
		}
	}
	return p, labels, nil
}

// rowsAxis returns the key that all rows begin with, and their settings as a sweep varies them; "" without rows.
func (s *Sweep) rowsAxis() (key, axis string, err error) {
	var values []string
	for _, r := range s.Rows() {
		k, value, _ := strings.Cut(r.Settings, "=")
		if key == "" {
			key = k
		} else if k != key {
			return "", "", fmt.Errorf("%s: the rows begin with %s and with %s; they need one key", s.Name, key, k)
		}
		values = append(values, value)
	}
	if key == "" {
		return "", "", nil
	}
	return key, key + "=" + strings.Join(values, ";") + ";", nil
}

// hasSets reports whether rows say which files they run on.
func (s *Sweep) hasSets() bool {
	return slices.ContainsFunc(s.rows, func(r Row) bool { return r.Set != "" })
}

// Rows returns the rows that this sweep runs: those whose samples are drawn, or those of its set of files.
func (s *Sweep) Rows() []Row {
	if !s.hasSets() {
		return s.rows
	}
	return slices.DeleteFunc(slices.Clone(s.rows), func(r Row) bool { return r.Set != s.set })
}

// AllRows returns the rows of all sets, too.
func (s *Sweep) AllRows() []Row { return s.rows }

// base returns the experiment that rows change.
func (s *Sweep) base() (experiment.Config, error) {
	base, problems := catalog.Schema().Parse(s.draft.Query)
	for _, setting := range s.settings {
		k, value, _ := strings.Cut(setting, "=")
		if _, given := base.Given(k); given {
			continue
		}
		if with, err := base.With(k, value); err == nil && with.Reads(k) {
			base = with
		}
	}
	return base, experiment.Strict(problems)
}
