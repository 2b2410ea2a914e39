package papers

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/report"
	"flockscope/sim/lab/tune"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/say"
)

// Arena is the name of the sweep that compares all methods.
const Arena = "arena"

// FindArena returns the arena, or a study beside it by its name without "arena-", and all studies.
func FindArena(study string) (s *Sweep, studies []*Sweep, err error) {
	all, err := All()
	if err != nil {
		return nil, nil, err
	}
	name := strings.TrimSuffix(Arena+"-"+study, "-")
	var names []string
	for _, of := range all {
		if of.IsStudy() {
			studies, names = append(studies, of), append(names, strings.TrimPrefix(of.Name, Arena+"-"))
		}
		if of.Name == name {
			s = of
		}
	}
	if s == nil {
		return nil, nil, fmt.Errorf("there is no study %q beside the arena; there are %s", study, strings.Join(names, ", "))
	}
	return s, studies, nil
}

// IsPaper reports whether the sweep is from a paper.
func (s *Sweep) IsPaper() bool { return s.Name != Arena && !s.IsStudy() }

// IsStudy reports whether the sweep is a study beside the arena, which ranks nobody.
func (s *Sweep) IsStudy() bool { return strings.HasPrefix(s.Name, Arena+"-") }

// Family is a group of rows whose clients differ in the same way. Families have equal weights.
type Family struct{ Name, What string }

// Variant is a method with settings of its own.
type Variant struct {
	Lane     string // its name among lanes, such as fedavg:oracle
	Settings string // settings of the lane, and of the whole run if the method does not have them
	What     string
}

// Tuned are settings that were chosen for a method and a family of rows.
type Tuned struct{ Family, Lane, Settings string }

// arenaLine reads a line that only the arena and its studies have.
func (s *Sweep) arenaLine(word, rest string, parts []string) (err error) {
	switch word {
	case "family":
		s.Families = append(s.Families, Family{parts[0], parts[1]})
	case "without":
		s.Left = append(s.Left, [2]string{parts[0], parts[1]})
	case "told":
		s.Told = append(s.Told, [2]string{parts[0], parts[1]})
	case "budget":
		s.Budgets = append(s.Budgets, [2]string{parts[0], parts[1]})
	case "also":
		s.Also = append(s.Also, Variant{parts[0], parts[1], parts[2]})
	case "line":
		s.Lines = append(s.Lines, Variant{parts[0], parts[1], parts[2]})
	case "tuned":
		s.Tuned = append(s.Tuned, Tuned{parts[0], parts[1], parts[2]})
	case "rights":
		s.Rights = append(s.Rights, rest)
	case "tuning":
		tries, seeds, _ := strings.Cut(rest, ",")
		if s.Tries, err = strconv.Atoi(tries); err == nil {
			s.TuneSeeds, err = plan.ParseSeeds(strings.TrimSpace(seeds))
		}
	case "realseeds":
		s.RealSeeds, err = plan.ParseSeeds(rest)
	default:
		err = fmt.Errorf("there are no lines that begin with %q", word)
	}
	return err
}

// checkArena returns an error if lines about families, methods or budgets name what is not there.
func (s *Sweep) checkArena() error {
	for _, b := range s.Budgets {
		if !slices.Contains([]string{"rounds", "floats", "steps"}, b[0]) {
			return fmt.Errorf("budget: got %q, want rounds, floats or steps", b[0])
		}
	}
	for _, l := range s.Left {
		if !slices.ContainsFunc(catalog.Schema().Algorithms, func(m registry.Meta) bool { return m.Name == l[0] }) {
			return fmt.Errorf("without: there is no method %q", l[0])
		}
	}
	for _, t := range s.Tuned {
		if !slices.ContainsFunc(s.Families, func(f Family) bool { return f.Name == t.Family }) {
			return fmt.Errorf("tuned: there is no family %q", t.Family)
		}
	}
	for _, f := range s.Families {
		if !slices.ContainsFunc(s.rows, func(r Row) bool { return r.Family == f.Name }) {
			return fmt.Errorf("family: %q has no rows", f.Name)
		}
	}
	return nil
}

// onRows returns the sweep with the rows that run on a set of files.
func (s *Sweep) onRows(f *Files) (*Sweep, error) {
	if !slices.Contains(s.Sets(), f.Name) {
		return nil, fmt.Errorf("%s has rows on %s, and none on %s", s.Name, strings.Join(s.Sets(), ", "), f.Name)
	}
	out := *s
	out.set, out.settings, out.draft.Data = f.Name, f.Settings, f.Hash
	if out.RealSeeds > 0 {
		out.Seeds = min(out.Seeds, out.RealSeeds)
	}
	out.Data = fmt.Sprintf("%s, %s of %s, chosen anew with each data seed", f.Name, say.Whole(f.Samples), f.Kind)
	out.Files = f.provenance("A link opens a run on the same files: drop them on the page when it asks for them.")
	// What is claimed of drawn rows has no runs here.
	out.Claims = slices.DeleteFunc(slices.Clone(s.Claims), func(c Claim) bool {
		return !slices.ContainsFunc(out.Rows(), func(r Row) bool { return r.Label == c.Row })
	})
	return &out, nil
}

// WithTuned returns the sweep of one family in which methods have the settings that were chosen for it. It is false if
// there are none.
func (s *Sweep) WithTuned(family string) (*Sweep, bool) {
	out := *s
	of := func(t Tuned) bool { return t.Family == family }
	if out.tuned = slices.ContainsFunc(s.Tuned, of); !out.tuned {
		return nil, false
	}
	out.Tuned = slices.DeleteFunc(slices.Clone(s.Tuned), func(t Tuned) bool { return !of(t) })
	out.only(family)
	out.Name += "-tuned-" + strings.ReplaceAll(family, " ", "-") // it has a file of results of its own
	return &out, true
}

func (s *Sweep) only(family string) {
	s.rows = slices.DeleteFunc(slices.Clone(s.rows), func(r Row) bool { return r.Family != family })
}

// OfFamily returns the sweep with the rows of a family on which settings are chosen for it: those with drawn samples, or all
// of a family that has none.
func (s *Sweep) OfFamily(family string) *Sweep {
	out := *s
	out.only(family)
	if drawn := slices.DeleteFunc(slices.Clone(out.rows), func(r Row) bool { return r.Set != "" }); len(drawn) > 0 {
		out.rows = drawn
	}
	out.Name += "-tune-" + strings.ReplaceAll(family, " ", "-")
	return &out
}

// Search returns the search for settings of all methods on the rows of this sweep.
func (s *Sweep) Search() (*tune.Search, error) {
	_, axis, err := s.rowsAxis()
	if err != nil {
		return nil, err
	}
	base, err := s.base()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	out := &tune.Search{Base: base, Tries: s.Tries, Seeds: s.TuneSeeds, Vary: []string{axis}, Data: s.draft.Data}
	if s.IsReduced {
		out.Tries, out.Seeds = min(3, out.Tries), 1
	}
	for _, e := range s.Entrants() {
		if !strings.Contains(e.Lane, ":") {
			out.Methods = append(out.Methods, e.Lane)
		}
	}
	return out, nil
}

// OfFirstRow returns the experiment of the first row, which links to chosen settings open.
func (s *Sweep) OfFirstRow() (experiment.Config, error) {
	base, err := s.base()
	if err != nil {
		return base, err
	}
	c, problems := catalog.Schema().Parse(over(base.String(), s.Rows()[0].Settings))
	return c, experiment.Strict(problems)
}

// Chosen returns what a search has chosen for a family. A method with settings of its own, and a reference line, have what was
// chosen for the method; where the defaults were chosen there is nothing to say.
func (s *Sweep) Chosen(family string, r *tune.Result) (out []Tuned) {
	for _, e := range s.Entrants() {
		method, _, _ := strings.Cut(e.Lane, ":")
		for i := range r.Methods {
			if t := &r.Methods[i]; t.Method == method && t.Best > 0 {
				var settings []string
				for _, x := range t.Tries[t.Best].Settings {
					settings = append(settings, x[0]+"="+x[1])
				}
				out = append(out, Tuned{family, e.Lane, strings.Join(settings, "&")})
			}
		}
	}
	return out
}

// MethodKind is what a method has to be told.
type MethodKind string

// The kinds of methods.
const (
	NeedsK     MethodKind = "needs K"
	FindsK     MethodKind = "finds K"
	NoClusters MethodKind = "no clusters"
	Unranked   MethodKind = "not ranked"
)

// Entrant is a method as it takes part in the arena.
type Entrant struct {
	Lane  string
	Value string // value of algos, with its settings
	Kind  MethodKind
	Note  string // why it is there, or what it is
}

// Entrants returns all methods, those with other settings, and the reference lines at the end.
func (s *Sweep) Entrants() []Entrant {
	var out []Entrant
	for _, a := range catalog.Algorithms() {
		if slices.ContainsFunc(s.Left, func(l [2]string) bool { return l[0] == a.Name }) {
			continue
		}
		out = append(out, s.entrant(a.Name, "", a.Title))
	}
	for _, v := range s.Also {
		out = append(out, s.entrant(v.Lane, v.Settings, v.What))
	}
	for _, v := range s.Lines {
		e := s.entrant(v.Lane, v.Settings, v.What)
		e.Kind = Unranked
		out = append(out, e)
	}
	return out
}

// entrant makes the value of algos of a method: its own settings have its name before them.
func (s *Sweep) entrant(lane, settings, note string) Entrant {
	for _, t := range s.Tuned {
		if s.tuned && t.Lane == lane {
			settings = strings.TrimPrefix(settings+"&"+t.Settings, "&")
		}
	}
	e := Entrant{Lane: lane, Value: lane, Kind: NoClusters, Note: note}
	c, _ := catalog.Schema().Parse("data=digits&algos=" + lane)
	if settings != "" {
		for setting := range strings.SplitSeq(settings, "&") {
			key, value, _ := strings.Cut(setting, "=")
			if own, err := c.With(lane+"."+key, value); err == nil {
				c, setting = own, lane+"."+setting
			}
			e.Value += "&" + setting
		}
	}
	name, _, _ := strings.Cut(lane, ":")
	all := catalog.Schema().Algorithms
	at := slices.IndexFunc(all, func(m registry.Meta) bool { return m.Name == name })
	switch {
	case at < 0 || c.Unclustered(0) || all[at].Family == registry.OneModel:
	case slices.ContainsFunc(s.Told, func(t [2]string) bool { return t[0] == lane }):
		e.Kind = NeedsK
	case c.FindsK(0):
		e.Kind = FindsK
	case slices.ContainsFunc(c.LaneFields(0), func(f param.Field) bool { return f.Name == "K" }):
		e.Kind = NeedsK
	default:
		e.Kind = FindsK
	}
	return e
}

// Only returns the sweep with one lane, whose settings are its own: for a method that is to stand beside the others.
func (s *Sweep) Only(lane, settings string) (*Sweep, error) {
	name, _, _ := strings.Cut(lane, ":")
	if !slices.ContainsFunc(catalog.Schema().Algorithms, func(m registry.Meta) bool { return m.Name == name }) {
		return nil, fmt.Errorf("there is no method %q; flock list names them", name)
	}
	if settings != "" && name == lane {
		return nil, fmt.Errorf("%s with settings of its own needs a name of its own, such as %s:mine", lane, lane)
	}
	out := *s
	out.single = s.entrant(lane, settings, "")
	out.Name += "-with-" + strings.ReplaceAll(lane, ":", "-")
	return &out, nil
}

// lanes returns the values of algos that algos=all or algos=needs-k stands for.
func (s *Sweep) lanes(vary string) (out []string) {
	if s.single.Lane != "" {
		return []string{s.single.Value}
	}
	for _, e := range s.Entrants() {
		if s.tuned && !slices.ContainsFunc(s.Tuned, func(t Tuned) bool { return t.Lane == e.Lane }) {
			continue // its default settings were chosen, and the arena has run them
		}
		if vary == allMethods || e.Kind == NeedsK {
			out = append(out, e.Value)
		}
	}
	return out
}

// Design returns all that the arena is made of, before anything runs: rows by family, methods, reference lines, budgets, tuning
// and the studies beside it.
func (s *Sweep) Design(studies []*Sweep) (*report.Document, error) {
	d := &report.Document{Title: s.Title, Parts: []report.Part{{Text: s.About}}}
	base, problems := catalog.Schema().Parse(s.draft.Query)
	if err := experiment.Strict(problems); err != nil {
		return nil, err
	}
	rows := &report.Table{Names: 5, Caption: "Rows by family. Families have equal weights, and so have rows within a family",
		Head: []string{"family", "row", "settings", "samples", "seeds"}}
	for _, f := range s.Families {
		name := f.Name + ": " + f.What
		for _, r := range s.rows {
			if r.Family != f.Name {
				continue
			}
			samples, seeds := "drawn", s.Seeds
			if r.Set != "" {
				samples = r.Set
				if s.RealSeeds > 0 {
					seeds = min(seeds, s.RealSeeds)
				}
			}
			rows.Rows = append(rows.Rows, report.TextRow(name, r.Label, r.Settings, samples, strconv.Itoa(seeds)))
			name = ""
		}
	}
	d.Parts = append(d.Parts, report.Part{Heading: "Rows", Table: rows,
		Text: []string{"All rows have these settings, unless they say otherwise: " + base.Explicit(true)}})

	methods := &report.Table{Names: 4, Caption: "Methods with what they have to be told, and reference lines, which are not ranked",
		Head: []string{"method", "kind", "", "settings that are not the default"}}
	for _, e := range s.Entrants() {
		_, settings, _ := strings.Cut(e.Value, "&")
		methods.Rows = append(methods.Rows, report.TextRow(e.Lane, string(e.Kind), e.Note, settings))
	}
	part := report.Part{Heading: "Methods", Table: methods}
	for _, l := range s.Left {
		part.Text = append(part.Text, fmt.Sprintf("Without %s: %s.", l[0], l[1]))
	}
	for _, l := range s.Told {
		part.Text = append(part.Text, fmt.Sprintf("%s counts as told K: %s.", l[0], l[1]))
	}
	d.Parts = append(d.Parts, part)

	part = report.Part{Heading: "Budgets and tuning"}
	for _, b := range s.Budgets {
		part.Text = append(part.Text, fmt.Sprintf("Equal %s: %s.", b[0], b[1]))
	}
	if s.Tries > 0 {
		part.Text = append(part.Text, fmt.Sprintf("Tuned settings: %s for each method and family on %s.",
			say.Whole(s.Tries)+" tries", say.Amount(s.TuneSeeds, "seed"))+" They run on the drawn rows of a family, and on those on "+
			"files only if it has no others.")
	}
	for _, t := range s.Tuned {
		part.Text = append(part.Text, fmt.Sprintf("%s, %s: %s", t.Family, t.Lane, t.Settings))
	}
	d.Parts = append(d.Parts, part)

	runs := &report.Table{Names: 2, Caption: "Runs with drawn samples", Head: []string{"sweep", "", "runs", "reduced"}}
	for _, of := range append([]*Sweep{s}, studies...) {
		p, _, err := of.Plan()
		if err != nil {
			return nil, err
		}
		small, _, err := of.Small().Plan()
		if err != nil {
			return nil, err
		}
		runs.Rows = append(runs.Rows, report.TextRow(of.Name, of.Title, say.Whole(p.Runs()), say.Whole(small.Runs())))
	}
	d.Parts = append(d.Parts, report.Part{Heading: "Sweeps", Table: runs})
	return d, nil
}
