// Package experiment is the contract: one experiment is one query text, the
// same in the address bar, a share link, a preset file and the command line.
//
// A [Schema] lists every setting there is, as plain data; package catalog
// builds it from the registries, so this package, and whoever only reads and
// writes configurations, needs no algorithm. A [Config] is a set of checked
// settings. Its canonical text names only what differs from the defaults, so
// the defaults are part of the contract: they never change.
package experiment

import (
	"slices"
	"strings"

	"flockscope/sim/param"
	"flockscope/sim/registry"
)

// Schema is everything that can be set.
type Schema struct {
	Common     []param.Field // of every run
	Shared     []param.Field // of most algorithms; a lane may set its own
	Seeds      []param.Field // the last keys of a query
	Workloads  []Workload
	Algorithms []registry.Meta
	Steps      []registry.Step // of a round, that need no words of an algorithm's own
	Data       string          // the workload when a query names none
	Lanes      string          // the lanes when a query names none, such as "cflgp,ifca"
	// Lesson returns the link that a lesson shows, "" if there is no such number.
	Lesson func(number string) string `json:"-"`

	list   []*param.Field          // every field once
	byName map[string]*param.Field // the same
	was    map[string]string       // today's name of a field by one that it had
}

// Workload is what the schema knows of a workload.
type Workload struct {
	registry.Meta
	Defaults map[string]string // overrides of any field's default
	NeedFile bool              // samples come from files of the user's
	FromFile bool              // and so do the clients: C is not set
	Endless  bool              // samples are drawn anew in every round, and cannot be counted
}

// Methods are the algorithms as menus list them: by family.
func (s *Schema) Methods() []registry.Group {
	return registry.Grouped(len(s.Algorithms), func(i int) *registry.Meta { return &s.Algorithms[i] })
}

// Samples are the workloads as menus list them.
func (s *Schema) Samples() []registry.Group {
	return registry.Grouped(len(s.Workloads), func(i int) *registry.Meta { return &s.Workloads[i].Meta })
}

// keyData and keyLanes are the two keys that choose from the registries.
const (
	keyData  = "data"
	keyLanes = "algos"
)

// Finished returns the schema without the methods that are drafts.
func (s *Schema) Finished() *Schema {
	f := &Schema{Common: s.Common, Shared: s.Shared, Seeds: s.Seeds, Workloads: s.Workloads, Steps: s.Steps,
		Data: s.Data, Lanes: s.Lanes, Lesson: s.Lesson}
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

// pageKeys belong to the page around a run: where it stands and how it is
// shown. A configuration passes them over in silence.
var pageKeys = []string{"v", "lesson", "t", "ph", "view", "sel", "lane", "embed", "controls", "hide", "lanes",
	"autoplay", "loop", "theme", "lang", "motion", "speed", "keys", "quiz", "id", "origin", "engine", "workers", "simd", "curve", "zoom", "heat", "map", "autostop", "scent"}

// PageKeys returns the keys of a link that belong to the page around a run.
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

// Unclustered reports whether a lane's algorithm puts nobody together.
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

// current returns the key of today for one of an older link, with or without a lane
// before it, and any other key as it is.
func (s *Schema) current(key string) string {
	id, name, ok := cutLast(key, ".")
	if !ok {
		name = key
	}
	now, old := s.was[name]
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

// Seal makes the schema ready for use. It panics if the schema contradicts
// itself: two fields of one name that differ, a default that its own field
// refuses, a name that is also a key of the page.
func (s *Schema) Seal() {
	s.byName = map[string]*param.Field{}
	one := func(f *param.Field) {
		if f.Name == keyData || f.Name == keyLanes || slices.Contains(pageKeys, f.Name) {
			panic("experiment: " + f.Name + " means something else already")
		}
		if text, err := f.Canonical(f.Default); err != nil || text != f.Default {
			panic("experiment: the default of " + f.Name + " is not canonical")
		}
		if low, _ := f.Range(); f.Log && low <= 0 {
			panic("experiment: " + f.Name + " moves by ratios and starts at 0")
		}
		g, ok := s.byName[f.Name]
		if ok && !same(f, g) {
			panic("experiment: two different fields are called " + f.Name)
		}
		if !ok {
			s.list = append(s.list, f)
			s.byName[f.Name] = f
		}
	}
	add := func(list []param.Field) {
		for f := range param.All(list) {
			one(f)
		}
	}
	for _, w := range s.Workloads {
		add(w.Fields)
	}
	add(s.Common)
	add(s.Shared)
	// By name, so that a new algorithm puts its settings between those that
	// are there, and canonical texts stay as they were.
	own := len(s.list)
	for _, a := range s.Algorithms {
		add(a.Fields)
	}
	slices.SortFunc(s.list[own:], func(f, g *param.Field) int { return strings.Compare(f.Name, g.Name) })
	add(s.Seeds)
	s.was = map[string]string{}
	for _, f := range s.list {
		for _, name := range f.Was {
			if s.byName[name] != nil || s.was[name] != "" || slices.Contains(pageKeys, name) {
				panic("experiment: " + name + ", which " + f.Name + " was called, means something else")
			}
			s.was[name] = f.Name
		}
	}
	for _, w := range s.Workloads {
		s.override(w.Name, w.Defaults)
	}
	for _, a := range s.Algorithms {
		s.overrideLane(&a)
	}
	for _, f := range s.list {
		for i := range f.Options {
			o := &f.Options[i]
			s.override(f.Name+"="+o.Name, o.Defaults)
			for name := range o.Defaults {
				if slices.ContainsFunc(s.byName[name].Options, func(o param.Option) bool { return o.Defaults != nil }) {
					panic("experiment: " + f.Name + " and " + name + " both set defaults, and one that of the other")
				}
			}
		}
	}
}

// overrideLane panics unless the options of an algorithm may set defaults: those of
// settings that a lane may have for itself, and that set none in their turn.
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

// override panics unless somebody may set these defaults.
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
	return slices.Equal(f.Was, g.Was) &&
		f.Kind == g.Kind && f.Min == g.Min && f.Max == g.Max && f.Default == g.Default && f.Label == g.Label &&
		f.PerLane == g.PerLane && slices.EqualFunc(f.Options, g.Options, func(o, p param.Option) bool {
		return o.Name == p.Name && o.Title == p.Title
	})
}
