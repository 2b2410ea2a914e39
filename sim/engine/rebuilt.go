package engine

import (
	"flockscope/sim/fl"
	"flockscope/sim/trace"
	"flockscope/sim/workload"
)

// rebuilder computes the images that autoencoders reconstruct, for the page. Servers do not see
// them, they count as no traffic, and fingerprints leave them out.
type rebuilder struct {
	data     workload.Reconstructing
	clients  []int
	models   int
	personal bool // each client has its own model
	size     int  // bytes of a picture
	pictures []uint8
}

// newRebuilder returns nil if the models reconstruct no images.
func newRebuilder(h *trace.Header, lane *trace.Lane, data workload.Workload, personal bool) *rebuilder {
	rebuilds, size := workload.Rebuilds(data), h.DataPreview.Gallery.Size()
	if rebuilds == nil || size == 0 {
		return nil
	}
	m := &rebuilder{data: rebuilds, clients: h.PreviewClients()[:previewCount(h, lane)], models: lane.Reconstructing(),
		personal: personal, size: size}
	m.pictures = make([]uint8, m.models*len(m.clients)*size)
	return m
}

const (
	rebuiltLimit = 64 << 20 // bytes of a run's pictures, if every round is evaluated
	minPreviews  = 8        // clients with a picture, regardless of the limit
)

// previewCount returns the number of clients for whom a lane's models reconstruct a picture.
func previewCount(h *trace.Header, lane *trace.Lane) int {
	trials := len(h.Lanes) * (h.Rounds + 1)
	room := rebuiltLimit / (trials * lane.Reconstructing() * h.DataPreview.Gallery.Size())
	return min(h.Clients, max(room, minPreviews))
}

// rebuild returns the pictures of a frame. They are valid until the next call.
func (m *rebuilder) rebuild(bank *fl.Bank) []uint8 {
	if m.personal {
		for at, i := range m.clients {
			m.data.Rebuild(m.pictures[at*m.size:(at+1)*m.size], m.clients[at:at+1], bank.Model(i))
		}
		return m.pictures
	}
	of := len(m.clients) * m.size
	for k := range m.models {
		m.data.Rebuild(m.pictures[k*of:(k+1)*of], m.clients, bank.Model(k))
	}
	return m.pictures
}
