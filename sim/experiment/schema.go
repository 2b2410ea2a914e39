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

	"flockscope/sim/param"
	"flockscope/sim/registry"
)

// Schema is everything that can be set.
type Schema struct {
	Common     []param.Field // of every run
	Seeds      []param.Field // the last keys of a query
	Workloads  []Workload
	Algorithms []registry.Meta
	Data       string // the workload when a query names none
	Lanes      string // the lanes when a query names none, such as "cflgp,ifca"
}

// Workload is what the schema knows of a workload.
type Workload struct {
	registry.Meta
	Defaults map[string]string // overrides of any field's default
	FromFile bool              // clients come from a file of the user's; C is not set
}

// keyData and keyLanes are the two keys that choose from the registries.
const (
	keyData  = "data"
	keyLanes = "algos"
)

// MaxLanes is the most algorithms that run side by side.
const MaxLanes = 4

// pageKeys belong to the page around a run: where it stands and how it is
// shown. A configuration passes them over in silence.
var pageKeys = []string{"v", "lesson", "t", "ph", "view", "sel", "lane", "embed", "controls", "hide", "lanes",
	"autoplay", "loop", "theme", "lang", "motion", "speed", "keys", "quiz", "id", "origin", "engine", "curve", "zoom"}

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

// Field returns the field called name, wherever it is declared.
func (s *Schema) Field(name string) (*param.Field, bool) {
	for f := range s.fields {
		if f.Name == name {
			return f, true
		}
	}
	return nil, false
}

// fields yields every field once, in canonical order: the workloads' fields,
// the common ones, the algorithms', the seeds.
func (s *Schema) fields(yield func(*param.Field) bool) {
	seen := map[string]bool{}
	once := func(list []param.Field) bool {
		for i := range list {
			if !seen[list[i].Name] {
				seen[list[i].Name] = true
				if !yield(&list[i]) {
					return false
				}
			}
		}
		return true
	}
	for i := range s.Workloads {
		if !once(s.Workloads[i].Fields) {
			return
		}
	}
	if !once(s.Common) {
		return
	}
	for i := range s.Algorithms {
		if !once(s.Algorithms[i].Fields) {
			return
		}
	}
	once(s.Seeds)
}

// Fields returns every field once, in canonical order.
func (s *Schema) Fields() []*param.Field { return slices.Collect(s.fields) }

// keys returns every key that a query may have without a lane before it.
func (s *Schema) keys() []string {
	out := []string{keyData, keyLanes}
	for f := range s.fields {
		out = append(out, f.Name)
	}
	return out
}

// Check panics if the schema contradicts itself: two fields of one name that
// differ, a default that its own field refuses, a name that is also a key of
// the page.
func (s *Schema) Check() {
	first := map[string]*param.Field{}
	verify := func(list []param.Field) {
		for i := range list {
			f := &list[i]
			if f.Name == keyData || f.Name == keyLanes || slices.Contains(pageKeys, f.Name) {
				panic("experiment: " + f.Name + " means something else already")
			}
			if text, err := f.Canonical(f.Default); err != nil || text != f.Default {
				panic("experiment: the default of " + f.Name + " is not canonical")
			}
			if g, ok := first[f.Name]; ok && !same(f, g) {
				panic("experiment: two different fields are called " + f.Name)
			}
			first[f.Name] = f
		}
	}
	for _, w := range s.Workloads {
		verify(w.Fields)
	}
	verify(s.Common)
	for _, a := range s.Algorithms {
		verify(a.Fields)
	}
	verify(s.Seeds)
	for _, w := range s.Workloads {
		for name, text := range w.Defaults {
			f, ok := first[name]
			if !ok {
				panic("experiment: " + w.Name + " sets a default for " + name + ", which no one reads")
			}
			if canonical, err := f.Canonical(text); err != nil || canonical != text {
				panic("experiment: " + w.Name + " sets a default for " + name + " that is not canonical")
			}
		}
	}
}

func same(f, g *param.Field) bool {
	return f.Kind == g.Kind && f.Min == g.Min && f.Max == g.Max && f.Default == g.Default && f.Label == g.Label &&
		f.PerLane == g.PerLane && slices.Equal(f.Options, g.Options)
}
