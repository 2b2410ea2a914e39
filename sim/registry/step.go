package registry

import "cmp"

// Phase is a part of a round.
type Phase uint8

// The phases. A round has some of them, in the algorithm's order.
const (
	Broadcast Phase = iota // the server sends models
	Probe                  // clients send the data by which they are compared
	Embed                  // the server computes points from the answers
	Cluster                // the server clusters the points
	Match                  // clusters are matched with models
	Update                 // models are updated
	Phases                 // number of phases
)

// Name returns the phase as one word, whose first letter is its abbreviation.
func (p Phase) Name() string {
	return [Phases]string{"Broadcast", "Probe", "Embed", "Cluster", "Match", "Update"}[p]
}

// Step is one or a few lines of a method's pseudo-code, in our own words.
//
// The steps of a method are one Go value, nameSteps, which its registration names (Meta.Steps): one element per step,
// in the order of a round. It is in name_steps.go (steps.go in a package of the method's own), or at the end of name.go
// where there are one or two. A draft needs none. A step of every round has the name that package fl gives it
// (fl.StepSend, …); where a method has no such step, the page shows the common one (sim/algorithm/steps.go). The
// algorithm names other steps itself when it explains a round (fl.Recorder.Note).
//
//	{Name: "mix", Phase: registry.Embed, Lines: "8–9", Code: "mix the new gradient into the client's memory",
//		Says:    "The server keeps the mean of the gradients of client [client:client], now [taken] of them.",
//		Formula: "g ← (1−β) g + β ∇f(θ)", Numbers: "[new] ← [keep] [old] + [beta] [gradient]"},
//
// Says, Numbers and Sends have slots for what the recorder noted of one client: [name], [name:model] for the letter of
// a model, [name:models] for numbers by model, and [name:client] for a client's number. Formula and Numbers are in the
// notation of package formula.
type Step struct {
	_ [0]func() // prevents comparison of steps, whose code would enlarge the program

	When    string // the choice for which the step exists, such as form=joint or adapt=split|both; empty for all
	Name    string // name in a recorder's notes
	Phase   Phase
	Lines   string // line numbers in the paper; empty if it has none
	Code    string // pseudo-code
	Says    string // what happened in a round, in everyday words: first who does what
	Formula string // in symbols
	Numbers string // formula with numbers
	Sends   string // data sent, in a few words with slots; empty for that of the common step
}

// StepOf returns the step with a name: the entry's own, else the common one. If neither has Sends, it is that of the
// entry.
func (m *Meta) StepOf(name string, common []Step) (Step, bool) {
	var found Step
	for _, list := range [...][]Step{m.Steps, common} {
		for _, s := range list {
			if s.Name != name {
				continue
			}
			if found.Name == "" {
				found = s
			}
			found.Sends = cmp.Or(found.Sends, s.Sends)
		}
	}
	found.Sends = cmp.Or(found.Sends, m.Sends)
	return found, found.Name != ""
}
