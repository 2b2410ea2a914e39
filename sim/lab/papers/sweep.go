// Package papers holds named sweeps: the arena, which compares all methods, and the tables and
// figures of papers. A sweep is a file in the folder sweeps and nothing else:
//
//	title    what a list says of it
//	version  raised when other cells make up the sweep
//	source   the paper, and where in it
//	about    a paragraph; any number of times
//	data     which samples, and, after a semicolon, those of the paper
//	real     SET | SETTINGS | DIFFERS: the set whose numbers are the paper's; then images
//	         may take the place of drawn digits, or texts of drawn texts, and the query says
//	         data=digits or data=words, and n. On files, SETTINGS win over those of the
//	         query, and DIFFERS takes the place of what differs; both may be left out
//	differs  what is not as in the paper, and why; any number of times
//	cannot   why it cannot be run; then nothing but these lines follows
//	query    the base of all runs
//	vary     a setting and its values, as for flock sweep; algos=all stands for every
//	         method that is registered
//	row      LABEL | SETTINGS: one value of a further setting that is varied, with a
//	         name; the settings of all rows begin with the same key
//	seeds    how many, and how many of a reduced run: 20, 3
//	floats   the budget of each run
//	measure  what tables show
//	columns  the setting whose values stand side by side
//	paper    ROW | METHOD | MEASURE | NUMBER | WHERE: what the paper has
//	claim    holds | ROW | A > B | MEASURE | WHERE: an ordering that the paper claims, and
//	         that holds here; A and B are methods, or B is a number
//	claim    fails | ROW | A > B | MEASURE | WHERE | WHY: one that does not hold here
//	absent   WHAT | WHY: a row or method of the paper that is not here
//
// ROW names a value of each setting that matters: "concepts", "20, 3" or "K=3"; * stands
// for all. Lines that begin with # are comments.
//
//	sweep.go     the text of a sweep, and its plan
//	files.go     a sweep on a user's files in place of synthetic samples
//	verdict.go   which claims the runs support, and the report of a sweep
//	document.go  one report on several sweeps
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
)

//go:embed sweeps/*.sweep
var files embed.FS

// Sweep is a named sweep.
type Sweep struct {
	Name, Title, Source    string
	Data, Real             string
	Version                int
	About, Differs, Cannot []string
	Columns                string
	Measures               []*report.Measure
	Seeds, Reduced         int
	Numbers                []Number
	Claims                 []Claim
	Absent                 [][2]string // what is absent, and why

	draft    plan.Draft
	rows     [][2]string // label and settings of each row
	onFiles  bool
	settings []string  // settings for files
	override [2]string // on files: settings that take precedence, and the difference
}

// Number is a number in a paper.
type Number struct {
	Row, Method string
	Measure     *report.Measure
	Value       string // as printed in the paper
	Where       string
}

// Claim says that method A has a higher value of the measure than method B.
type Claim struct {
	Holds     bool // whether it holds here
	Row       string
	A, B      string // methods
	Bound     float64
	Measure   *report.Measure
	Where     string
	Why       string // why it does not hold
	usesBound bool
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
		s, err := Read(strings.TrimSuffix(path.Base(name), ".sweep"), string(text))
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
	if s.Real != "" && (s.drawn() == "" || !strings.Contains(s.Data, "; ")) {
		return nil, errors.New("real: only drawn digits or texts have files in their place, and data says what the paper has after a semicolon")
	}
	if s.Title == "" || len(s.Cannot) == 0 && s.draft.Query == "" {
		return nil, errors.New("a sweep needs a title, and a query or the reason why it cannot be run")
	}
	return s, nil
}

func (s *Sweep) line(word, rest string) (err error) {
	parts := strings.Split(rest, "|")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	want := func(n int) error {
		if len(parts) != n {
			return fmt.Errorf("%s: got %d parts, want %d with | between them", word, len(parts), n)
		}
		return nil
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
		if len(parts) > 3 {
			return want(3)
		}
		s.Real = parts[0]
		copy(s.override[:], parts[1:])
	case "differs":
		s.Differs = append(s.Differs, rest)
	case "cannot":
		s.Cannot = append(s.Cannot, rest)
	case "query":
		s.draft.Query = rest
	case "vary":
		s.draft.Vary = append(s.draft.Vary, rest)
	case "row":
		if err = want(2); err == nil {
			s.rows = append(s.rows, [2]string{parts[0], parts[1]})
		}
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
	case "columns":
		s.Columns = rest
	case "paper":
		if err = want(5); err != nil {
			return err
		}
		number := Number{Row: parts[0], Method: parts[1], Value: parts[3], Where: parts[4]}
		number.Measure, err = report.FindMeasure(parts[2])
		s.Numbers = append(s.Numbers, number)
	case "claim":
		return s.claim(parts)
	case "absent":
		if err = want(2); err == nil {
			s.Absent = append(s.Absent, [2]string{parts[0], parts[1]})
		}
	default:
		err = fmt.Errorf("there are no lines that begin with %q", word)
	}
	return err
}

func (s *Sweep) claim(parts []string) (err error) {
	c := Claim{Holds: parts[0] == "holds"}
	if c.Holds && len(parts) != 5 || !c.Holds && (parts[0] != "fails" || len(parts) != 6) {
		return errors.New("claim: want holds | ROW | A > B | MEASURE | WHERE, or fails with | WHY at the end")
	}
	c.Row, c.Where = parts[1], parts[4]
	if !c.Holds {
		c.Why = parts[5]
	}
	more, less, ok := strings.Cut(parts[2], ">")
	if !ok {
		return fmt.Errorf("claim: got %q, want A > B", parts[2])
	}
	c.A, c.B = strings.TrimSpace(more), strings.TrimSpace(less)
	if v, err := strconv.ParseFloat(c.B, 64); err == nil {
		c.Bound, c.usesBound = v, true
	}
	c.Measure, err = report.FindMeasure(parts[3])
	s.Claims = append(s.Claims, c)
	return err
}

// allMethods stands for every method that is registered.
const allMethods = "algos=all"

// Plan returns the plan of the sweep, and labels for the values of its rows.
func (s *Sweep) Plan(reduced bool) (*plan.Plan, report.Labels, error) {
	if len(s.Cannot) > 0 {
		return nil, nil, fmt.Errorf("%s cannot be run: %s", s.Name, strings.Join(s.Cannot, " "))
	}
	draft := s.draft
	draft.Seeds = s.Seeds
	if reduced {
		draft.Seeds = s.Reduced
	}
	draft.Vary = nil
	key := ""
	if len(s.rows) > 0 {
		var values []string
		for _, r := range s.rows {
			k, value, _ := strings.Cut(r[1], "=")
			if key == "" {
				key = k
			} else if k != key {
				return nil, nil, fmt.Errorf("%s: the rows begin with %s and with %s; they need one key",
					s.Name, key, k)
			}
			values = append(values, value)
		}
		draft.Vary = append(draft.Vary, key+"="+strings.Join(values, ";")+";")
	}
	for _, v := range s.draft.Vary {
		if v == allMethods {
			var names []string
			for _, a := range catalog.Algorithms() {
				names = append(names, a.Name)
			}
			v = "algos=" + strings.Join(names, ",")
		}
		draft.Vary = append(draft.Vary, v)
	}
	base, problems := catalog.Schema().Parse(draft.Query)
	err := experiment.Strict(problems)
	for _, setting := range s.settings {
		k, value, _ := strings.Cut(setting, "=")
		if _, given := base.Given(k); given {
			continue
		}
		if with, err := base.With(k, value); err == nil && with.Reads(k) {
			base = with
		}
	}
	var p *plan.Plan
	if err == nil {
		p, err = draft.Around(base)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	labels := report.Labels{}
	if key != "" {
		labels[key] = map[string]string{}
		if len(p.Axes[0].Values) != len(s.rows) {
			return nil, nil, fmt.Errorf("%s: two rows have the same settings", s.Name)
		}
		for i, r := range s.rows {
			labels[key][p.Axes[0].Values[i]] = r[0]
		}
	}
	return p, labels, nil
}

// Arena is the name of the sweep that compares all methods.
const Arena = "arena"

// IsPaper reports whether the sweep is from a paper.
func (s *Sweep) IsPaper() bool { return s.Name != Arena }

// Settings returns the indices of a study's settings that a row names.
func Settings(study *report.Study, row string) []int {
	var out []int
	for setting := range study.Settings() {
		fits := true
		if row != "*" {
			values := study.Values(setting)
			for part := range strings.SplitSeq(row, ",") {
				any := false
				for i, v := range values {
					any = any || named(study.Axes[i].Key, v, part)
				}
				fits = fits && any
			}
		}
		if fits {
			out = append(out, setting)
		}
	}
	return out
}

// named reports whether a part of a row's name is a value of a setting.
func named(key, label, part string) bool {
	part = strings.TrimSpace(part)
	return part == label || part == key+"="+label
}
