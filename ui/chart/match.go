package chart

import (
	"flockscope/clusterer"
	"flockscope/sim/trace"
	"flockscope/sim/verdict"
)

// Matching pairs each planted group with one model so that as many clients as possible have the
// model of their group. A client is misplaced when it has another one, but only where the verdict on
// the lane is [verdict.Misplaced]: not if groups are split over models or share models as a whole, are
// mixtures or all alike, or if there is one model. Clients that have not taken part yet are neither
// correct nor misplaced.
type Matching struct {
	modelOf []int // model of each group
	first   FirstRounds
	round   int
	cost    clusterer.Matrix // minus the number of clients that have the group and the model
	solver  clusterer.Assigner
}

// Find matches the groups of v's run with the labels of f, for the clients that have taken part
// by then. Without known groups, or with a method that does not cluster, nobody is misplaced.
func (m *Matching) Find(v *View, f *trace.Frame) {
	m.first.update(v)
	m.pair(v, f)
}

// pair is Find for the clients that m knows to have taken part.
func (m *Matching) pair(v *View, f *trace.Frame) {
	m.round = f.Round
	m.modelOf = m.modelOf[:0]
	if !judged(v, f) {
		return
	}
	groups, models := v.Run.Header.Groups, 0
	for _, k := range f.Label {
		models = max(models, int(k)+1)
	}
	models = max(models, groups)
	m.cost.Reshape(groups, models)
	clear(m.cost.Data)
	for i, k := range f.Label {
		if g := v.Group(i); g >= 0 && g < groups && m.Participated(i) {
			m.cost.Row(g)[k]--
		}
	}
	if verdict.Compare(groups, models, func(g, k int) int { return int(-m.cost.Row(g)[k]) }) != verdict.Misplaced {
		return
	}
	m.modelOf = trace.Resize(m.modelOf, groups)
	m.solver.Assign(m.modelOf, &m.cost)
}

// judged reports whether clients can be misplaced in f: their groups are known and differ, the method
// clusters, and its clusters rest on evidence.
func judged(v *View, f *trace.Frame) bool {
	h := v.Run.Header
	p, lane := &h.DataPreview, v.LaneHeader()
	switch {
	case h.Groups < 2 || p.Alike || len(p.Mixtures) > 0 || f.Round == 0 || v.IsUnclustered(v.Lane):
		return false
	case lane == nil:
		return true
	case lane.Models == 1 || lane.Map != trace.NoMap && !lane.Border && len(f.XY) == 0:
		return false
	}
	return !verdict.IsDiverged(v.Run, v.Lane, f) && !verdict.Diverging(v.Run, v.Lane, f.Round)
}

// Participated reports whether a client has taken part by the round of the matching.
func (m *Matching) Participated(client int) bool { return m.first.participated(client, m.round) }

// Given returns the model that a client was given in f, −1 until it has taken part: the initial
// assignment is not a result.
func (m *Matching) Given(f *trace.Frame, client int) int {
	if !m.Participated(client) {
		return -1
	}
	return ModelOf(f, client)
}

// Misplaced reports whether a client that has taken part was given another model than its
// group's.
func (m *Matching) Misplaced(v *View, client, model int) bool {
	g := v.Group(client)
	return g >= 0 && g < len(m.modelOf) && model >= 0 && m.modelOf[g] != model && m.Participated(client)
}
