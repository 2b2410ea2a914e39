// Package registry keeps the lists that menus, docs, sweeps and tests read.
// An algorithm or a workload registers itself once, in its own file.
package registry

import (
	"slices"

	"flockscope/sim/param"
)

// Meta is what every entry says about itself.
type Meta struct {
	Name  string // as in the query: lower case, no spaces
	Title string // as in the paper
	// Family is the group of menus that an algorithm or a workload belongs to; 0 for
	// everything else.
	Family Family
	Doc    string // one sentence that a student understands
	Paper  Citation
	// Draft: a method that is being written. It runs everywhere and its title ends in
	// "(draft)", but it needs no texts, translations, golden links or reference, generated
	// files leave it out, and wasm/build makes no release with it.
	Draft bool
	// By is what an algorithm tells clients apart by, and Sends what a client
	// sends in a round, both in a few words; empty for what is none.
	By, Sends string
	// Counts is what clients count by in the mean that a model follows, in the
	// paper of an algorithm or where that is silent in its code; empty for one that
	// averages nothing. The setting mean changes it.
	Counts string
	// Unclustered says that an algorithm puts nobody together: every client uses a
	// model of its own, and there is no clustering to be right or wrong. One model
	// for all is a cluster, of all.
	Unclustered bool
	// Near is what is alike of clients that stand near each other on the map
	// of what an algorithm compares; empty for updates and losses. Where that
	// hangs on a choice it says so, as in models?weigh=near;labels?weigh=labels.
	Near string
	// Fields are the settings that this entry reads, in the order in which
	// they are shown. Two entries that share a name share its meaning: the
	// schema refuses two different fields of one name.
	Fields []param.Field
	// Steps are what an algorithm does in a round, in order.
	Steps []Step
	// Symbols are the signs of its formulas that mean something else than elsewhere.
	Symbols []Symbol
	// Stochastic: the algorithm seed can change what it does with its default settings.
	Stochastic bool
}

// Family is what similar entries have in common, 0 for none.
type Family uint8

// Families of algorithms, by who uses which model, and of workloads, by what a sample is.
// Menus list them in this order.
const (
	OneModel       Family = 1 + iota // one for all clients
	HardClusters                     // each client has the model of its cluster
	SoftClusters                     // each client mixes several models
	PersonalModels                   // each client has a model of its own

	Lines    // numbers that depend linearly on others
	Pictures // which a program draws
	Texts
	Channels
	OwnFiles

	families
)

// Title names the group in menus.
func (f Family) Title() string {
	return [families]string{"", "One model", "Hard clusters", "Soft clusters", "Personal models",
		"Lines and linear functions", "Synthetic images", "Texts", "Radio channels", "Your files"}[f]
}

// Group is the entries of a family.
type Group struct {
	Title   string
	Entries []*Meta
}

// Grouped returns n entries by family, without families that have none.
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

// Entry is one registered thing: what it says of itself and how to make it.
type Entry[T any] struct {
	Meta
	Make T
}

// Registry is an ordered list of entries.
type Registry[T any] struct {
	// Prepare, unless nil, completes what an entry says about itself when it is registered.
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
	// Go initialises the files of a package in an order that is easy to
	// change by accident; the year and the name are not.
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

// Finished returns those of All that are no drafts.
func (r *Registry[T]) Finished() []Entry[T] {
	return slices.DeleteFunc(slices.Clone(r.entries), func(e Entry[T]) bool { return e.Draft })
}
