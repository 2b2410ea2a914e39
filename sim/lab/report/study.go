// Package report presents the records of a sweep: tables of methods by settings,
// comparisons of methods on the same seeds, and pictures.
//
//	study.go     records by setting, method and seed, and what is missing among them
//	measure.go   the scores that a table may show
//	rounds.go    curves over the rounds, and what is in the clusters at the end
//	tables.go    tables of a study
//	claims.go    one method against another, or against a number
//	idle.go      methods that did not do what they are for
//	joined.go    several sweeps as one study
//	scores.go    how much better: gains, shares and raw scores with intervals and verdicts
//	tests.go     who is better: Wilcoxon, Holm, Friedman, Nemenyi
//	pictures.go  curves, heat maps, mean ranks
//	document.go  headings, sentences and tables as Markdown, LaTeX and HTML
//	data.go      CSV and JSON
package report

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/lab/plan"
	"flockscope/sim/say"
)

// Source is the content of one file of results.
type Source struct {
	Name    string
	Plan    *plan.Plan // nil if the file has none
	Records []plan.Record
	Damaged int // number of records that cannot be read
}

// Axis is a setting that differs among the records.
type Axis struct {
	Key    string
	Values []string
	Labels []string // labels of the values in tables
}

// Study is the ordered records of one or several files.
type Study struct {
	Axes    []Axis
	Methods []string
	Seeds   []string // as "1", or "1/1/2" if the seeds of data, model and algorithm differ
	Notes   []string // sentences about missing, failed or ignored records
	Plan    *plan.Plan
	Records int     // number of records in the study
	Seconds float64 // computing time of all records; one without a time counts as the mean of the others

	runs     map[place]*Run
	parse    Parse
	settings int // number of combinations of values of the axes
}

// place is the position of a run in a study: the indices of its setting, method and seed.
type place struct{ setting, method, seed int }

// Run is one lane of one record.
type Run struct {
	Lane        *plan.Lane
	Query       string // query of the whole run
	Fingerprint string // fingerprint of the whole run, as the page shows it
}

// Labels gives names to values: Labels["data"]["digits&split=unequal"] is "sizes".
type Labels map[string]map[string]string

// Parse reads a query, as experiment.Schema.Parse does.
type Parse func(query string) (experiment.Config, []experiment.Problem)

// methodAxis is the axis of lanes.
const methodAxis = "algos"

// New makes a study of records. If all files have the same plan, its settings are the axes; otherwise the axes are the
// settings that differ among the queries. It returns an error if the records cannot be compared in one table.
func New(sources []Source, parse Parse, labels Labels) (*Study, error) {
	records, err := gather(sources)
	if err != nil {
		return nil, err
	}
	s := &Study{runs: map[place]*Run{}, parse: parse}
	for _, source := range sources {
		if source.Damaged > 0 {
			s.note("%s of %s cannot be read and %s left out.", say.Amount(source.Damaged, "record"), source.Name,
				say.Either(source.Damaged, "is", "are"))
		}
	}
	entries, err := s.entries(sources, records, parse)
	if err != nil {
		return nil, err
	}
	return s.complete(entries, labels)
}

// complete makes the study of its entries.
func (s *Study) complete(entries []entry, labels Labels) (*Study, error) {
	if err := s.order(entries); err != nil {
		return nil, err
	}
	timed, counted := 0, map[*plan.Record]bool{} // a record is in several settings if its method does not read them
	for _, e := range entries {
		if !counted[e.record] {
			counted[e.record] = true
			if s.Seconds += e.record.Seconds; e.record.Seconds > 0 {
				timed++
			}
		}
	}
	s.Records = len(counted)
	s.Seconds *= float64(s.Records) / float64(max(1, timed))
	for i := range s.Axes {
		x := &s.Axes[i]
		for _, v := range x.Values {
			x.Labels = append(x.Labels, cmp.Or(labels[x.Key][v], v))
		}
	}
	s.unpaired()
	return s, nil
}

func (s *Study) note(format string, args ...any) {
	s.Notes = append(s.Notes, fmt.Sprintf(format, args...))
}

// gather returns the records of all files by cell, or an error if they are not compatible.
func gather(sources []Source) (map[string]*plan.Record, error) {
	records := map[string]*plan.Record{}
	var first *plan.Record
	from := ""
	for i := range sources {
		source := &sources[i]
		if len(source.Records) == 0 {
			if source.Damaged > 0 {
				return nil, fmt.Errorf("%s holds no result that can be read; %s damaged", source.Name,
					say.Amount(source.Damaged, "record"))
			}
			return nil, fmt.Errorf("%s holds no results; flock sweep -o %s computes some", source.Name, plan.ShellWord(source.Name))
		}
		for j := range source.Records {
			r := &source.Records[j]
			if first == nil {
				first, from = r, source.Name
			}
			if r.Version != first.Version {
				return nil, fmt.Errorf("%s has a result of version %d of the engine, and %s one of version %d; "+
					"results of two versions may differ for reasons of their own, so report each by itself", source.Name,
					r.Version, from, first.Version)
			}
			if before := records[r.Cell]; before != nil {
				if before.Error == "" && r.Error == "" && !plan.Same(before, r) {
					return nil, fmt.Errorf("two results of one cell differ: %s has %s, the second in %s; one computer or one "+
						"program is not like the others: flock verify plays the run again", r.Query,
						plan.Mismatches(before, r)[0], source.Name)
				}
				if before.Error == "" && (r.Error != "" || before.HasClients()) {
					continue
				}
			}
			records[r.Cell] = r
		}
	}
	return records, nil
}

// entry is a record with the values of its settings.
type entry struct {
	values []string // values by axis; "*" stands for all
	seed   string
	record *plan.Record
}

// anyValue is the value of a setting that a method does not read: its run is compared with the runs of all values.
const anyValue = "*"

// entries determines the axes, and the values of each record.
func (s *Study) entries(sources []Source, records map[string]*plan.Record, parse Parse) ([]entry, error) {
	p := sources[0].Plan
	for _, source := range sources {
		if p == nil || source.Plan == nil || source.Plan.String() != p.String() {
			return s.axesFromQueries(sources, records, parse)
		}
	}
	return s.axesFromPlan(p, records)
}

// axesFromPlan takes the axes from a plan.
func (s *Study) axesFromPlan(p *plan.Plan, records map[string]*plan.Record) ([]entry, error) {
	engine := 0
	for _, r := range records {
		engine = r.Version
		break
	}
	s.Plan = p
	var entries []entry
	used := map[string]bool{}
	missing, unfit := 0, 0
	firstMissing, firstUnfit := "", ""
	for _, x := range p.Axes {
		s.Axes = append(s.Axes, Axis{Key: x.Key})
	}
	for point := range p.Points() {
		c, err := p.Point(point)
		if err != nil {
			if unfit++; unfit == 1 {
				firstUnfit = fmt.Sprintf("%s: %v", p.Name(point), err)
			}
			continue
		}
		for seed := range p.Seeds {
			cell := p.AtVersion(c, seed, engine)
			r := records[cell.ID]
			if r == nil {
				if missing++; missing == 1 {
					firstMissing = cell.Query
				}
				continue
			}
			used[cell.ID] = true
			entries = append(entries, entry{p.Values(point), seedOf(r.Query), r})
		}
	}
	if unfit > 0 {
		s.note("%s of the plan %s, the first: %s.", say.Amount(unfit, "combination"),
			say.Either(unfit, "does not go together and is left out", "do not go together and are left out"), firstUnfit)
	}
	if missing > 0 {
		s.note("%s of %s %s missing, the first: %s.", say.Amount(missing, "run"),
			say.Whole((p.Points()-unfit)*p.Seeds), say.Either(missing, "is", "are"), firstMissing)
	}
	if others := len(records) - len(used); others > 0 {
		s.note("%s %[2]s of no cell of the plan and %[2]s left out.", say.Amount(others, "record"),
			say.Either(others, "is", "are"))
	}
	if len(entries) == 0 {
		return nil, errors.New("none of the records belongs to the plan of the file")
	}
	return entries, nil
}

// seedOf returns the seeds of a query.
func seedOf(query string) string {
	p := plan.SettingsOf(query)
	sd, sm, sa := cmp.Or(p["sd"], "1"), cmp.Or(p["sm"], "1"), cmp.Or(p["sa"], "1")
	if sd == sm && sm == sa {
		return sd
	}
	return sd + "/" + sm + "/" + sa
}

// parsed is a record with its parsed query.
type parsed struct {
	config experiment.Config
	pairs  map[string]string
	record *plan.Record
}

// value returns a setting, "" if the run does not read it.
func (r *parsed) value(key string) string {
	if v, ok := r.pairs[key]; ok {
		return v
	}
	if _, ok := r.config.Field(key); ok && r.config.Reads(key) {
		return r.config.Value(key)
	}
	return ""
}

// parseRecords parses the queries of all records, one per cell.
func parseRecords(sources []Source, records map[string]*plan.Record, parse Parse) ([]parsed, error) {
	var all []parsed
	seen := map[string]bool{}
	for _, source := range sources {
		for i := range source.Records {
			r := records[source.Records[i].Cell]
			if seen[r.Cell] {
				continue
			}
			seen[r.Cell] = true
			c, problems := parse(r.Query)
			if err := experiment.Strict(problems); err != nil {
				return nil, fmt.Errorf("%s: the query %s: %w", source.Name, r.Query, err)
			}
			p := plan.SettingsOf(r.Query)
			p["floats"], p["file"] = strconv.FormatFloat(r.Floats, 'g', -1, 64), r.Data
			all = append(all, parsed{c, p, r})
		}
	}
	return all, nil
}

// varied returns the settings that differ among records, data first.
func varied(all []parsed) []string {
	values := map[string]map[string]bool{} // values by setting
	for i := range all {
		for key := range all[i].pairs {
			if !strings.Contains(key, ".") && !slices.Contains([]string{"sd", "sm", "sa", methodAxis}, key) {
				values[key] = map[string]bool{}
			}
		}
	}
	var keys []string
	for _, key := range slices.Sorted(maps.Keys(values)) {
		for i := range all {
			if v := all[i].value(key); v != "" {
				values[key][v] = true
			}
		}
		if len(values[key]) > 1 {
			keys = append(keys, key)
		}
	}
	if i := slices.Index(keys, "data"); i > 0 {
		keys = slices.Insert(slices.Delete(keys, i, i+1), 0, "data")
	}
	return keys
}

// axesFromQueries makes axes of the settings that differ.
func (s *Study) axesFromQueries(sources []Source, records map[string]*plan.Record, parse Parse) ([]entry, error) {
	all, err := parseRecords(sources, records, parse)
	if err != nil {
		return nil, err
	}
	keys := varied(all)
	// A method that does not read a setting is compared with all of its values, if other methods on the same data read
	// it. On other data the setting does not exist.
	reads := map[[2]string]bool{}
	for i := range all {
		for _, key := range keys {
			if all[i].value(key) != "" {
				reads[[2]string{all[i].config.Workload(), key}] = true
			}
		}
	}
	for _, key := range keys {
		s.Axes = append(s.Axes, Axis{Key: key})
	}
	var entries []entry
	for i := range all {
		e := entry{seed: seedOf(all[i].record.Query), record: all[i].record}
		for _, key := range keys {
			v := all[i].value(key)
			switch {
			case v == "" && reads[[2]string{all[i].config.Workload(), key}]:
				v = anyValue
			case v == "":
				v = "–"
			}
			e.values = append(e.values, v)
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// order sorts the entries into the study.
func (s *Study) order(entries []entry) error {
	for i := range s.Axes {
		x := &s.Axes[i]
		for _, e := range entries {
			if v := e.values[i]; v != anyValue && !slices.Contains(x.Values, v) {
				x.Values = append(x.Values, v)
			}
		}
		if len(x.Values) == 0 { // no method reads it
			x.Values = []string{anyValue}
		}
		slices.SortStableFunc(x.Values, func(a, b string) int { // stable: words keep their order
			v, errV := strconv.ParseFloat(a, 64)
			w, errW := strconv.ParseFloat(b, 64)
			if errV != nil || errW != nil {
				return 0
			}
			return cmp.Compare(v, w)
		})
	}
	if i := slices.IndexFunc(s.Axes, func(x Axis) bool { return x.Key == methodAxis }); i >= 0 {
		if s.merges(entries, i) {
			s.Axes = slices.Delete(s.Axes, i, i+1)
			for e := range entries {
				entries[e].values = slices.Delete(slices.Clone(entries[e].values), i, i+1)
			}
		}
	}
	s.settings = 1
	for _, x := range s.Axes {
		s.settings *= len(x.Values)
	}
	for _, e := range entries {
		for i := range e.record.Lanes {
			if id := e.record.Lanes[i].Lane; !slices.Contains(s.Methods, id) {
				s.Methods = append(s.Methods, id)
			}
		}
		if !slices.Contains(s.Seeds, e.seed) {
			s.Seeds = append(s.Seeds, e.seed)
		}
	}
	return s.fill(entries)
}

// merges reports whether every method still has one result for each setting and seed if the axis of lanes is dropped.
func (s *Study) merges(entries []entry, axis int) bool {
	prints := map[string]string{}
	for _, e := range entries {
		at := strings.Join(slices.Delete(slices.Clone(e.values), axis, axis+1), "\n") + "\n" + e.seed + "\n"
		for i := range e.record.Lanes {
			l := &e.record.Lanes[i]
			if before, ok := prints[at+l.Lane]; ok && before != l.Fingerprint {
				return false
			}
			prints[at+l.Lane] = l.Fingerprint
		}
	}
	return true
}

func (s *Study) fill(entries []entry) error {
	failed := 0
	var firstFailed *plan.Record
	for _, e := range entries {
		if e.record.Error != "" {
			if failed++; failed == 1 {
				firstFailed = e.record
			}
			continue
		}
		for _, setting := range s.expand(e.values) {
			for i := range e.record.Lanes {
				l := &e.record.Lanes[i]
				at := place{setting, slices.Index(s.Methods, l.Lane), slices.Index(s.Seeds, e.seed)}
				if before := s.runs[at]; before != nil && before.Lane.Fingerprint != l.Fingerprint {
					return fmt.Errorf("%s and %s are both %s with seed %s; give the files of one sweep, "+
						"or lanes with names of their own (ifca:a)", before.Query, e.record.Query, l.Lane, e.seed)
				}
				s.runs[at] = &Run{l, e.record.Query, e.record.Fingerprint}
			}
		}
	}
	if failed > 0 {
		s.note("%s failed and %s left out, the first: %s: %s.", say.Amount(failed, "run"),
			say.Either(failed, "is", "are"), firstFailed.Query, firstFailed.Error)
	}
	if len(s.runs) == 0 {
		return fmt.Errorf("none of %s succeeded, the first: %s: %s", say.Amount(failed, "run"), firstFailed.Query,
			firstFailed.Error)
	}
	return nil
}

// expand returns the indices of the settings that some values stand for.
func (s *Study) expand(values []string) []int {
	out := []int{0}
	for i, x := range s.Axes {
		var next []int
		for _, at := range out {
			for j, v := range x.Values {
				if values[i] == anyValue || values[i] == v {
					next = append(next, at*len(x.Values)+j)
				}
			}
		}
		out = next
	}
	return out
}

// Values returns the labels of a setting, one per axis.
func (s *Study) Values(setting int) []string {
	out := make([]string, len(s.Axes))
	for i := len(s.Axes) - 1; i >= 0; i-- {
		x := &s.Axes[i]
		out[i] = x.Labels[setting%len(x.Values)]
		setting /= len(x.Values)
	}
	return out
}

// Name returns the labels of a setting in one line, "" if nothing varies.
func (s *Study) Name(setting int) string { return strings.Join(s.Values(setting), ", ") }

// Run returns a run, nil if there is none.
func (s *Study) Run(setting, method, seed int) *Run { return s.runs[place{setting, method, seed}] }

// has returns the number of runs of a method with a setting.
func (s *Study) has(setting, method int) (n int) {
	for seed := range s.Seeds {
		if s.runs[place{setting, method, seed}] != nil {
			n++
		}
	}
	return n
}

// unpaired describes where methods do not have the same seeds.
func (s *Study) unpaired() {
	cells := 0
	first := ""
	for setting := range s.settings {
		least, most := len(s.Seeds)+1, 0
		fewest := ""
		for m, name := range s.Methods {
			n := s.has(setting, m)
			if n < least {
				least, fewest = n, name
			}
			most = max(most, n)
		}
		if least < most {
			if cells++; cells == 1 {
				first = fmt.Sprintf("%s has %s of %d", fewest, say.Amount(least, "run"), most)
				if name := s.Name(setting); name != "" {
					first += " with " + name
				}
			}
		}
	}
	if cells > 0 {
		s.note("Not all methods have the same seeds in %s (%s); comparisons use only the seeds that both have.",
			say.Amount(cells, "setting"), first)
	}
}
