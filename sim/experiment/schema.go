// Package experiment has the configuration of an experiment. One experiment is one query text, the
// same in the address bar, a link, a preset file and the command line.
//
// A [Schema] lists all settings as plain data; package catalog builds it from the registries, so
// code that only reads and writes configurations needs no algorithm. A [Config] is a set of checked
// settings. Its canonical text has only settings that differ from their defaults, so defaults never
// change.
package experiment

import (
	"slices"
	"strings"

	"flockscope/sim/param"
	"flockscope/sim/registry"
)

// Schema has all settings of experiments.
type Schema struct {
	Common     []param.Field // settings of every run
	Shared     []param.Field // settings of most algorithms; a lane may have its own values
	Seeds      []param.Field // seeds, the last keys of a query
	Workloads  []Workload
	Algorithms []registry.Meta
	Steps      []registry.Step       // steps of a round, described for all algorithms
	Phases     []*registry.PhaseText // texts of the phases of a round, for all algorithms
	Data       string                // the workload of a query without one
	Lanes      string                // the lanes of a query without any, such as "cflgp,ifca"
	// Lesson returns the query of a lesson, "" if there is no lesson of that number.
	Lesson func(number string) string `json:"-"`

	list        []*param.Field          // every field, once
	byName      map[string]*param.Field // the fields of list by name
	formerNames map[string]string       // present name of a field by former name
}

// Workload describes a workload.
type Workload struct {
	registry.Meta
	Defaults map[string]string // defaults of fields with this workload
	NeedFile bool              // samples come from the user's files
	FromFile bool              // clients come from the user's files, and C has no effect
	Endless  bool              // every round has new samples
}

// MethodMenu returns the algorithms by family, as in menus.
func (s *Schema) MethodMenu() []registry.Group {
	return registry.Grouped(len(s.Algorithms), func(i int) *registry.Meta { return &s.Algorithms[i] })
}

// WorkloadMenu returns the workloads by family, as in menus.
func (s *Schema) WorkloadMenu() []registry.Group {
	return registry.Grouped(len(s.Workloads), func(i int) *registry.Meta { return &s.Workloads[i].Meta })
}

// keyData and keyLanes are the keys of the workload and of the algorithms.
const (
	keyData  = "data"
	keyLanes = "algos"
)

// Finished returns the schema without the methods that are drafts.
func (s *Schema) Finished() *Schema {
	f := &Schema{Common: s.Common, Shared: s.Shared, Seeds: s.Seeds, Workloads: s.Workloads, Steps: s.Steps,
		Phases: s.Phases, Data: s.Data, Lanes: s.Lanes, Lesson: s.Lesson}
	for _, m := range s.Algorithms {
		if !m.Draft {
			f.Algorithms = append(f.Algorithms, m)
		}
	}
	f.Seal()
	return f
}

// MaxLanes is the most algorithms that run side by side.
const MaxLanes = 4

// pageKeys are settings of the page: what it shows, and how. A configuration ignores them.
var pageKeys = []string{"v", "lesson", "marks", "t", "ph", "view", "sel", "lane", "embed", "controls", "hide", "lanes",
	"autoplay", "loop", "theme", "lang", "motion", "speed", "keys", "quiz", "id", "origin", "engine", "workers", "simd", "curve", "zoom", "heat", "map", "autostop", "scent", "lecture", "sweep"}

// PageKeys returns the keys of a link that are settings of the page.
func PageKeys() []string { return slices.Clone(pageKeys) }

// workload returns the workload called name.
func (s *Schema) workload(name string) (*Workload, bool) {
	for i := range s.Workloads {
		if s.Workloads[i].Name == name {
			return &s.Workloads[i], true
		}
	}
	return nil, false
}

// algorithm returns the algorithm called name.
func (s *Schema) algorithm(name string) (*registry.Meta, bool) {
	for i := range s.Algorithms {
		if s.Algorithms[i].Name == name {
			return &s.Algorithms[i], true
		}
	}
	return nil, false
}

// Unclustered reports whether a lane's algorithm makes no clusters.
func (c Config) Unclustered(lane int) bool {
	a, ok := c.schema.algorithm(c.lanes[lane].Algorithm)
	return ok && a.Unclustered
}

// Field returns the field called name, wherever it is declared.
func (s *Schema) Field(name string) (*param.Field, bool) {
	f, ok := s.byName[name]
	return f, ok
}

// Fields returns every field once: the workloads', the common ones, the
// algorithms', the seeds. Do not modify.
func (s *Schema) Fields() []*param.Field { return s.list }

// current returns the present key for one of an older link, with or without a lane before it, and
// any other key as it is.
func (s *Schema) current(key string) string {
	id, name, ok := cutLast(key, ".")
	if !ok {
		name = key
	}
	now, old := s.formerNames[name]
	switch {
	case !old:
		return key
	case ok:
		return id + "." + now
	}
	return now
}

// keys returns every key that a query may have without a lane before it.
func (s *Schema) keys() []string {
	out := append(make([]string, 0, 2+len(s.list)), keyData, keyLanes)
	for _, f := range s.list {
		out = append(out, f.Name)
	}
	return out
}

// Seal completes the schema. It panics if the schema is inconsistent: two different fields of one
// name, a default that its field refuses, or a name that is also a key of the page.
func (s *Schema) Seal() {
	s.byName, s.formerNames = map[string]*param.Field{}, map[string]string{}
	for _, w := range s.Workloads {
		s.add(w.Fields)
	}
	s.add(s.Common)
	s.add(s.Shared)
	// Sorted by name, so that a new algorithm does not change canonical texts.
	own := len(s.list)
	for _, a := range s.Algorithms {
		s.add(a.Fields)
	}
	slices.SortStableFunc(s.list[own:], func(f, g *param.Field) int { return strings.Compare(f.Name, g.Name) })
	s.add(s.Seeds)
	for _, f := range s.list {
		for _, name := range f.FormerNames {
			if s.byName[name] != nil || s.formerNames[name] != "" || slices.Contains(pageKeys, name) {
				panic("experiment: " + name + ", a former name of " + f.Name + ", is in use")
			}
			s.formerNames[name] = f.Name
		}
	}
	for _, w := range s.Workloads {
		s.override(w.Name, w.Defaults)
	}
	for _, a := range s.Algorithms {
		s.overrideLane(&a)
	}
	for _, f := range s.list {
		s.overrideByOptions(f)
	}
}

// add adds the fields of a list to the schema, unless they are already there.
func (s *Schema) add(list []param.Field) {
	for f := range param.All(list) {
		if f.Name == keyData || f.Name == keyLanes || slices.Contains(pageKeys, f.Name) {
			panic("experiment: " + f.Name + " is another key already")
		}
		if text, err := f.Canonical(f.Default); err != nil || text != f.Default {
			panic("experiment: the default of " + f.Name + " is not canonical")
		}
		if low, _ := f.Range(); f.Log && low <= 0 {
			panic("experiment: " + f.Name + " is logarithmic and starts at 0")
		}
		if g, ok := s.byName[f.Name]; !ok {
			s.list = append(s.list, f)
			s.byName[f.Name] = f
		} else if !same(f, g) {
			panic("experiment: two different fields are called " + f.Name)
		}
	}
}

// overrideByOptions panics unless the options of a field set valid defaults, and only of fields whose
// options set none.
func (s *Schema) overrideByOptions(f *param.Field) {
	for i := range f.Options {
		o := &f.Options[i]
		s.override(f.Name+"="+o.Name, o.Defaults)
		for name := range o.Defaults {
			if slices.ContainsFunc(s.byName[name].Options, func(o param.Option) bool { return o.Defaults != nil }) {
				panic("experiment: " + f.Name + " sets a default of " + name + ", whose options set defaults, too")
			}
		}
	}
}

// overrideLane panics unless the options of an algorithm set defaults only of settings that a lane
// may have for itself and whose options set no defaults.
func (s *Schema) overrideLane(a *registry.Meta) {
	sets := map[string]bool{}
	for _, f := range a.Fields {
		for _, o := range f.Options {
			s.override(a.Name+"."+f.Name+"="+o.Name, o.Defaults)
			sets[f.Name] = sets[f.Name] || o.Defaults != nil
		}
	}
	for _, f := range a.Fields {
		for _, o := range f.Options {
			for name := range o.Defaults {
				if !s.byName[name].PerLane || sets[name] {
					panic("experiment: " + a.Name + "." + f.Name + " may not set the default of " + name)
				}
			}
		}
	}
}

// override panics unless these are canonical defaults of existing settings.
func (s *Schema) override(who string, defaults map[string]string) {
	for name, text := range defaults {
		f, ok := s.byName[name]
		if !ok {
			panic("experiment: " + who + " sets a default for " + name + ", which no one reads")
		}
		if canonical, err := f.Canonical(text); err != nil || canonical != text {
			panic("experiment: " + who + " sets a default for " + name + " that is not canonical")
		}
	}
}

func same(f, g *param.Field) bool {
	return slices.Equal(f.FormerNames, g.FormerNames) &&
		f.Kind == g.Kind && f.Min == g.Min && f.Max == g.Max && f.Default == g.Default && f.Label == g.Label &&
		f.PerLane == g.PerLane && slices.EqualFunc(f.Options, g.Options, func(o, p param.Option) bool {
		return o.Name == p.Name && o.Title == p.Title
	})
}
