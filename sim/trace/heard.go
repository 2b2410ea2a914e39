package trace

// Heard knows which clients a server has heard. The zero Heard has met no frame.
type Heard struct {
	seen []bool
	left int // clients that have not been heard
}

// All takes the frames of a lane in order, and reports whether every client has been heard by
// then. Before, a clustering of those who have can be right, but it has not been found: of the
// others no server knows anything.
func (h *Heard) All(f *Frame) bool {
	if f.Events.Has(Partial) {
		if h.seen == nil {
			h.seen, h.left = make([]bool, len(f.State)), len(f.State)
		}
		for i, s := range f.State {
			if s == Present && !h.seen[i] {
				h.seen[i] = true
				h.left--
			}
		}
	}
	return f.Round > 0 && h.left == 0
}
