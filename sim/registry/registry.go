// Package registry keeps the lists that menus, docs, sweeps and tests read.
// An algorithm or a workload registers itself once, in its own file.
package registry

import (
	"slices"

	"flockscope/sim/param"
)

// Meta describes an entry.
type Meta struct {
	Name  string // as in the query: lower case, no spaces
	Title string // as in the paper
	// Family is the group of menus that an algorithm or a workload belongs to; 0 for
	// everything else.
	Family Family
	Doc    string // one sentence that a student understands
	Paper  Citation
	// Draft: a method that is being written. It runs everywhere and its title ends in "(draft)", but it needs no texts,
	// translations, golden links or reference, generated files omit it, and wasm/build makes no release with it.
	Draft bool
	// By is the data by which an algorithm compares clients, and Sends is the data that a client sends in a round, both
	// in a few words; empty for none.
	By, Sends string
	// Counts describes the weights of clients in the mean of a model, according to the algorithm's paper or else its
	// code; empty if the algorithm does not average. The setting mean changes it.
	Counts string
	// Unclustered means that an algorithm makes no clusters: every client uses its own model, and there is no
	// clustering to evaluate. One model for all clients counts as one cluster.
	Unclustered bool
	// Near describes what clients that are near each other on the map have in common; empty for updates and losses. It
	// may depend on a choice, as in models?weigh=near;labels?weigh=labels.
	Near string
	// Fields are the settings that this entry reads, in the order in which
	// they are shown. Two entries that share a name share its meaning: the
	// schema refuses two different fields of one name.
	Fields []param.Field
	// Cause says in one sentence with measured numbers why a round of an algorithm has come out as it did, and in a few
	// words, both in the language of the page. It never says more than what was measured. A draft needs none.
	Cause func(e *Evidence) (why, short string) `json:"-"`
	// Steps are what an algorithm does in a round, in order.
	Steps []Step
	// Phases are what an algorithm does in the phases of a round, in plain words.
	Phases []*PhaseText
	// Symbols are the signs of its formulas that have another meaning than in other algorithms.
	Symbols []Symbol
	// Stochastic means that the algorithm seed can change the result with default settings.
	Stochastic bool
}

// Family is what similar entries have in common, 0 for none.
type Family uint8

// Families of algorithms, by the models that clients use, and of workloads, by the kind of samples. Menus list them in
// this order.
const (
	OneModel       Family = 1 + iota // one for all clients
	HardClusters                     // each client has the model of its cluster
	SoftClusters                     // each client mixes several models
	PersonalModels                   // each client has a model of its own

	Lines    // numbers that depend linearly on others
	Pictures // synthetic images
	Texts
	Channels
	OwnFiles

	families
)

// Title returns the title of the group in menus.
func (f Family) Title() string {
	return [families]string{"", "One model", "Hard clusters", "Soft clusters", "Personal models",
		"Lines and linear functions", "Synthetic images", "Texts", "Radio channels", "Your files"}[f]
}

// Group is the entries of one family.
type Group struct {
	Title   string
	Entries []*Meta
}

// Grouped returns n entries by family, without empty families.
func Grouped(n int, entry func(i int) *Meta) []Group {
	groups := make([]Group, families)
	for i := range n {
		e := entry(i)
		g := &groups[e.Family]
		g.Title, g.Entries = e.Family.Title(), append(g.Entries, e)
	}
	some := groups[:0]
	for _, g := range groups {
		if g.Title != "" {
			some = append(some, g)
		}
	}
	return some
}

// Entry is one registered object: its description and its constructor.
type Entry[T any] struct {
	Meta
	Make T
}

// Registry is an ordered list of entries.
type Registry[T any] struct {
	// Prepare, unless nil, completes the description of an entry when it is registered.
	Prepare func(m *Meta)
	entries []Entry[T]
}

// Register adds an entry. It panics on a duplicate name or a missing Title,
// Doc or paper, at program start, where a programmer sees it.
func (r *Registry[T]) Register(e Entry[T]) {
	if e.Name == "" || e.Title == "" || e.Doc == "" || e.Paper.Title == "" {
		panic("registry: " + e.Name + " needs a name, a title, a doc and a paper")
	}
	if _, ok := r.Lookup(e.Name); ok {
		panic("registry: " + e.Name + " is registered twice")
	}
	if r.Prepare != nil {
		r.Prepare(&e.Meta)
	}
	if e.Draft {
		e.Title += " (draft)"
	}
	r.entries = append(r.entries, e)
	// Go initialises the files of a package in an order that is easy to change by accident; so entries are sorted by
	// year and name.
	for i := len(r.entries) - 1; i > 0 && e.before(r.entries[i-1].Meta); i-- {
		r.entries[i-1], r.entries[i] = r.entries[i], r.entries[i-1]
	}
}

// before reports whether m comes before o: by year of the paper, then by name.
func (m Meta) before(o Meta) bool {
	if m.Paper.Year != o.Paper.Year {
		return m.Paper.Year < o.Paper.Year
	}
	return m.Name < o.Name
}

// Lookup returns the entry called name.
func (r *Registry[T]) Lookup(name string) (Entry[T], bool) {
	for _, e := range r.entries {
		if e.Name == name {
			return e, true
		}
	}
	return Entry[T]{}, false
}

// All returns the entries by year of the paper, then by name.
func (r *Registry[T]) All() []Entry[T] { return r.entries }

// Finished returns the entries of All without drafts.
func (r *Registry[T]) Finished() []Entry[T] {
	return slices.DeleteFunc(slices.Clone(r.entries), func(e Entry[T]) bool { return e.Draft })
}
