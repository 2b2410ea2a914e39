package trace

// Replied knows which clients have replied to a server so far. The zero Heard has read no frame.
type Replied struct {
	seen []bool
	left int // clients that have not replied yet
}

// Complete takes the frames of a lane in order, and reports whether every client has replied by then.
// Before that a clustering does not count as found, even if it is correct for those that have
// replied: the server knows nothing of the others.
func (h *Replied) Complete(f *Frame) bool {
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
