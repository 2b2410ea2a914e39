// Package verdict judges a round of a run: what each method has achieved, and why.
package verdict

import (
	"flockscope/sim/registry"
	"flockscope/sim/trace"
)

// Kind is the outcome of a method at a round.
type Kind uint8

// The outcomes.
const (
	Start     Kind = iota // no client has replied
	Right                 // clusters are the groups
	Misplaced             // some clients have models of other groups
	Split                 // every model has clients of one group, and some group has several models
	Shared                // every group has one model, and some groups have the same
	Mixed                 // the groups are mixtures of others, so that no clustering is right
	Nothing               // all clients have the same distribution
	None                  // the method makes no clusters
	Unknown               // the groups are unknown
	Diverged              // the models have diverged, or are diverging
)

// Verdict is the outcome of a lane at a round, in words of the page's language.
type Verdict struct {
	Kind  Kind
	Head  string // "3 of 12 misplaced"
	Tail  string // a little more, such as "since round 18"; may be empty
	Cause string // one sentence with measured numbers of this run and round; may be empty
	Short string // Cause in a few words, for frames
	// Hollow reports by client whether its mark is hollow: only with Misplaced.
	Hollow []bool
}

// Judge judges runs. Method looks up a method by its name.
type Judge struct {
	Method func(name string) *registry.Meta
}

// Lane returns the verdict on a lane of the run at a round.
func (j *Judge) Lane(run *trace.Run, lane, round int) Verdict { return Verdict{} }

// Headline says in one or two short sentences what the methods have achieved at a round: "CFL-GP has found the three
// groups. IFCA has not."
func (j *Judge) Headline(run *trace.Run, round int) string { return "" }

// Question describes the clients and their data in one or two sentences, and asks who should train together.
func Question(h *trace.Header) string { return "" }
