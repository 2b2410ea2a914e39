package stage

import (
	"flockscope/sim/registry"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
)

// Phases of the round as they are compared here; rest is the end of the round.
const (
	rest      = -1
	broadcast = int(registry.Broadcast)
	probe     = int(registry.Probe)
	embed     = int(registry.Embed)
	cluster   = int(registry.Cluster)
	match     = int(registry.Match)
	update    = int(registry.Update)
)

// family is how the server sees the clients.
type family uint8

const (
	places   family = iota // by what it compares: a map
	columns                // by the model that they chose
	heights                // by one number of each
	mixtures               // by their weights of the models
)

// moment is what is shown of a round.
type moment struct {
	v           *chart.View
	lane        *trace.Lane
	f           *trace.Frame // with the models of clients that are known so far
	now, before *trace.Frame // the shown round, and the one before, nil for none
	phase       int
	part        float32 // of the phase
	skipped     bool
	family      family
	lines       bool // models are lines in the plane of the data
}

// find finds out what is shown, and reports whether there is anything.
func (m *moment) find(v *chart.View) bool {
	*m = moment{v: v, lane: v.LaneHeader(), phase: rest, part: 1}
	if m.lane == nil {
		return false
	}
	if m.f = v.Frame(); m.f == nil {
		return false
	}
	m.now = m.f
	frames := v.Run.Tracks[v.Lane].Frames
	if t := m.f.Round; t >= 0 && t < len(frames) {
		m.now = &frames[t]
		if t > 0 {
			m.before = &frames[t-1]
		}
	}
	if d := v.Detail; d != nil {
		m.phase, m.part, m.skipped = int(d.Phase), min(max(d.Part, 0), 1), d.Skipped
		if v.ReducedMotion || m.skipped {
			m.part = 1
		}
	}
	size := m.lane.FrameParams
	m.lines = size >= 1 && size <= 2 && v.Run.Header.DataPreview.Axes == "" && len(v.Run.Header.DataPreview.Points) > 0
	hasPlaces := len(m.now.XY) > 0
	switch {
	case v.Mixes():
		m.family = mixtures
	case m.lane.Border && (len(m.now.Lead) > 0 && len(m.now.Noise) > 0 || !hasPlaces):
		m.family = columns
	case m.lane.Map != trace.NoMap:
		m.family = places
	case m.lane.Models == 1 || chart.OwnModels(m.lane):
		m.family = heights
	default:
		m.family = columns
	}
	return true
}

// has reports whether the round is at rest, or has come to a phase.
func (m *moment) has(phase int) bool { return m.phase == rest || m.phase >= phase }

// progress returns how much has happened, from 0 to 1, of what happens between two parts of a phase: 0 before it and
// 1 after it.
func (m *moment) progress(phase int, from, to float32) float32 {
	switch {
	case m.phase == rest || m.phase > phase:
		return 1
	case m.phase < phase:
		return 0
	}
	return ease((m.part - from) / (to - from))
}

// ease slows a motion down at both ends.
func ease(p float32) float32 {
	p = min(max(p, 0), 1)
	if p < 0.5 {
		return 4 * p * p * p
	}
	p = 2 - 2*p
	return 1 - p*p*p/2
}

func mix(a, b, share float32) float32 { return a + (b-a)*share }

// replied reports whether a client has replied in the shown round.
func (m *moment) replied(client int) bool {
	return client >= len(m.now.State) || m.now.State[client] == trace.Present
}

// asked reports whether a client takes part in the shown round.
func (m *moment) asked(client int) bool {
	return client >= len(m.now.State) || m.now.State[client] != trace.Absent
}

// labels returns the models of clients before or after the round.
func (m *moment) labels(after bool) []uint16 {
	if d := m.v.Detail; d != nil {
		if after && len(d.After) > 0 {
			return d.After
		}
		if !after && len(d.Before) > 0 {
			return d.Before
		}
	}
	if !after && m.before != nil {
		return m.before.Label
	}
	return m.now.Label
}

// parameter returns parameter j of a model, between the values before the round and after it.
func (m *moment) parameter(k, j int) float32 {
	size := m.lane.FrameParams
	at := k*size + j
	if j >= size || at >= len(m.now.Models) {
		return 0
	}
	value := m.now.Models[at]
	if m.phase != rest && m.before != nil && at < len(m.before.Models) {
		value = mix(m.before.Models[at], value, m.progress(update, 0.55, 0.95))
	} else if m.v.Back > 0 && m.before != nil && at < len(m.before.Models) {
		value = mix(value, m.before.Models[at], m.v.Back)
	}
	return value
}

// hasParameters reports whether frames have the models.
func (m *moment) hasParameters() bool {
	return m.lane.FrameParams > 0 && len(m.now.Models) >= m.lane.Models*m.lane.FrameParams
}
