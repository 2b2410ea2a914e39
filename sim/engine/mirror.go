package engine

import (
	"flockscope/sim/fl"
	"flockscope/sim/trace"
	"flockscope/sim/workload"
)

// mirror shows what models that rebuild samples make of some of them. It belongs
// to the instrument: no server sees it, nobody is charged for it, and the
// fingerprint leaves it out.
type mirror struct {
	data     workload.Rebuilding
	sitters  []int
	models   int
	personal bool // the one model is the client's own
	size     int  // bytes of a picture
	pictures []uint8
}

// newMirror returns nil where there is nothing to see.
func newMirror(h *trace.Header, lane *trace.Lane, data workload.Workload, personal bool) *mirror {
	rebuilds, size := workload.Rebuilds(data), h.Scenery.Gallery.Size()
	if rebuilds == nil || size == 0 {
		return nil
	}
	m := &mirror{data: rebuilds, sitters: h.Sitters(), models: lane.Rebuilds(), personal: personal, size: size}
	m.pictures = make([]uint8, m.models*len(m.sitters)*size)
	return m
}

// look returns the pictures of a frame, good until the next call.
func (m *mirror) look(bank *fl.Bank) []uint8 {
	rest := m.pictures
	for k := range m.models {
		for _, i := range m.sitters {
			if m.personal {
				k = i
			}
			m.data.Rebuild(rest[:m.size], i, bank.Model(k))
			rest = rest[m.size:]
		}
	}
	return m.pictures
}
