package chart

import (
	"math"

	"flockscope/sim/trace"
)

// matching pairs each planted group with one model so that as many clients as
// possible have the model of their group. A client is misplaced when it has
// another one. It is the matching behind trace.Metrics.Misplaced, found here
// again because the map must know who, not how many. As there, clients that have
// not been heard yet are neither right nor wrong.
type matching struct {
	home   []int // model of each group
	debuts debuts
	round  int
	// Scratch of the assignment; the overlap of group g and model k is at
	// [g·models + k].
	overlap         []int32
	pg, pm          []int32 // potentials of groups and models
	slack           []int32
	owner, previous []int
	done            []bool
}

// find matches the groups of v's run with the labels of f, as far as clients have
// been heard by then. With no truth, or where nobody is put together, it forgets
// everything, and nobody is misplaced.
func (m *matching) find(v *View, f *trace.Frame) {
	m.debuts.follow(v)
	m.pair(v, f)
}

// pair does so with those of the clients that m knows to have been heard.
func (m *matching) pair(v *View, f *trace.Frame) {
	m.round = f.Round
	m.home = m.home[:0]
	groups, models := v.Run.Header.Groups, 0
	if !v.Run.Header.HasTruth() || v.alone(v.Lane) {
		return
	}
	for _, k := range f.Label {
		models = max(models, int(k)+1)
	}
	models = max(models, groups)
	m.overlap = grow(m.overlap, groups*models)
	clear(m.overlap)
	for i, k := range f.Label {
		if g := v.group(i); g >= 0 && g < groups && m.heard(i) {
			m.overlap[g*models+int(k)]++
		}
	}
	m.assign(groups, models)
}

// heard reports whether a client has been heard by the round of the matching.
func (m *matching) heard(client int) bool { return m.debuts.heard(client, m.round) }

// given returns the model that a client was given in f, −1 while it has not been
// heard: that of the start is no finding.
func (m *matching) given(f *trace.Frame, client int) int {
	if !m.heard(client) {
		return -1
	}
	return label(f, client)
}

// wrong reports whether a client that has been heard was given another model than
// its group's.
func (m *matching) wrong(v *View, client, model int) bool {
	g := v.group(client)
	return g >= 0 && g < len(m.home) && model >= 0 && m.home[g] != model && m.heard(client)
}

// assign is the Hungarian method in O(groups²·models), on costs −overlap, with
// groups entering one by one. Index 0 of models is the entry; the others are
// one more than the model.
func (m *matching) assign(groups, models int) {
	m.pg, m.pm, m.slack = grow(m.pg, groups+1), grow(m.pm, models+1), grow(m.slack, models+1)
	m.owner, m.previous, m.done = grow(m.owner, models+1), grow(m.previous, models+1), grow(m.done, models+1)
	clear(m.pg)
	clear(m.pm)
	clear(m.owner)
	for g := 1; g <= groups; g++ {
		m.owner[0] = g
		at := 0
		for k := range m.slack {
			m.slack[k], m.done[k] = math.MaxInt32, false
		}
		for m.owner[at] != 0 {
			m.done[at] = true
			group, step, next := m.owner[at], int32(math.MaxInt32), 0
			for k := 1; k <= models; k++ {
				if m.done[k] {
					continue
				}
				cost := -m.overlap[(group-1)*models+k-1] - m.pg[group] - m.pm[k]
				if cost < m.slack[k] {
					m.slack[k], m.previous[k] = cost, at
				}
				if m.slack[k] < step {
					step, next = m.slack[k], k
				}
			}
			for k := range m.done {
				if m.done[k] {
					m.pg[m.owner[k]] += step
					m.pm[k] -= step
				} else {
					m.slack[k] -= step
				}
			}
			at = next
		}
		for at != 0 {
			m.owner[at] = m.owner[m.previous[at]]
			at = m.previous[at]
		}
	}
	m.home = grow(m.home, groups)
	for k := 1; k <= models; k++ {
		if g := m.owner[k]; g > 0 {
			m.home[g-1] = k - 1
		}
	}
}
