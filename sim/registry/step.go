package registry

import "cmp"

// Phase is a part of a round.
type Phase uint8

// The phases. An algorithm passes some of them, in an order of its own.
const (
	Broadcast Phase = iota // models go out
	Probe                  // clients answer with what they are compared by
	Embed                  // the server makes points of the answers
	Cluster                // and groups the points
	Match                  // groups get models
	Update                 // models learn
	Phases                 // how many there are
)

// Name is the phase in a word, whose first letter stands for it.
func (p Phase) Name() string {
	return [Phases]string{"Broadcast", "Probe", "Embed", "Cluster", "Match", "Update"}[p]
}

// Step is one or a few lines of a method's pseudo-code, in our own words.
//
// The steps of a method are one Go value, nameSteps, which its registration names (Meta.Steps): one element per step, in
// the order of a round. It stands in name_steps.go (steps.go in a package of the method's own), or at the end of name.go
// where there are one or two. A draft needs none. A step that every round has is known by the name that package fl gives it (fl.StepSend, …); where a method has
// no such step, the page shows the common one (sim/algorithm/steps.go). The algorithm names other steps itself when it
// explains a round (fl.Recorder.Note).
//
//	{Name: "mix", Phase: registry.Embed, Lines: "8–9", Code: "mix the new gradient into the client's memory",
//		Says:    "The server keeps the mean of the gradients of client [client:client], now [taken] of them.",
//		Formula: "g ← (1−β) g + β ∇f(θ)", Numbers: "[new] ← [keep] [old] + [beta] [gradient]"},
//
// Says, Numbers and Sends have slots for what the recorder noted of one client: [name], [name:model] for the letter of a
// model, [name:models] for numbers by model, and [name:client] for a client's number. Formula and Numbers are in the
// notation of package formula.
type Step struct {
	_ [0]func() // steps are not compared: saves the code that would

	When    string // the choice that it belongs to, such as form=joint or adapt=split|both; empty for all
	Name    string // by which a recorder's note speaks of it
	Phase   Phase
	Lines   string // as printed in the paper; empty where they have no numbers
	Code    string // pseudo-code
	Says    string // what happened in a round: first who does what, in everyday words
	Formula string // in symbols
	Numbers string // the same with numbers
	Sends   string // what travels, in a few words with slots; empty for what the common step says
}

// StepOf returns the step with a name: the entry's own, else the common one. Where neither
// says what travels, it is what the entry sends.
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
