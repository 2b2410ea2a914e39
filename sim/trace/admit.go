package trace

// Admits reports whether f can be a frame of the given lane of this run: every list that is indexed
// by client or model has the right length, and every label is a model. Foreign bytes may decode
// without an error and still belong to another run.
func (h *Header) Admits(lane int, f *Frame) bool {
	l := &h.Lanes[lane]
	if f.Round > h.Rounds || len(f.Label) != h.Clients || len(f.Losses) != h.Clients*l.Columns ||
		len(f.Models) != l.Models*l.FrameParams {
		return false
	}
	if len(f.XY) != 0 && len(f.XY) != 2*h.Clients {
		return false
	}
	if len(f.Embedding) != 0 && len(f.Embedding)%h.Clients != 0 {
		return false
	}
	if n := len(f.Accuracies); n != 0 && n != h.Clients {
		return false
	}
	classes := len(h.DataPreview.Gallery.Classes)
	if n := len(f.Confusion); n != 0 && n != h.Clients*classes*classes {
		return false
	}
	if n := len(f.State); n != 0 && n != h.Clients {
		return false
	}
	if n := len(f.Mixture); n != 0 && n != h.Clients*l.Models {
		return false
	}
	if n, each := len(f.Reconstructed), l.Reconstructing()*h.DataPreview.Gallery.Size(); n != 0 &&
		(each == 0 || n%each != 0 || n/each > h.Clients) {
		return false
	}
	if len(f.Spectrum) > MaxSpectrum || f.Directions > maxCount {
		return false
	}
	for _, list := range [...]struct{ n, each int }{{len(f.Lead), 1}, {len(f.Noise), 1}, {len(f.Alone), 2},
		{len(f.Replies), 1}, {len(f.Pull), l.Pulls()}} {
		if list.n != 0 && list.n != list.each*h.Clients {
			return false
		}
	}
	if len(f.Lead) != len(f.Noise) {
		return false
	}
	for _, k := range f.Label {
		if int(k) >= l.Models {
			return false
		}
	}
	return true
}

// maxCount limits the counts of a header, far above any run, so that a few hostile bytes cannot cause
// loops over four billion clients.
const maxCount = 1 << 20

// Valid reports whether the parts of a header are consistent.
func (h *Header) Valid() bool {
	if h.Clients < 1 || h.Clients > maxCount || h.Rounds > maxCount || h.Groups > h.Clients ||
		len(h.Group) != 0 && len(h.Group) != h.Clients {
		return false
	}
	if n := len(h.Liar); n == 0 && h.LiesFrom != 0 || n != 0 &&
		(n != h.Clients || h.Honest() == 0 || h.LiesFrom < 1 || h.LiesFrom > maxCount) {
		return false
	}
	for _, g := range h.Group {
		if g < 0 || int(g) >= h.Groups {
			return false
		}
	}
	for _, g := range h.DataPreview.Mixtures {
		if g < 0 || int(g) >= h.Groups {
			return false
		}
	}
	if g := &h.DataPreview.Gallery; len(g.Pixels) != 0 && !g.valid(h) {
		return false
	}
	if !h.DataPreview.Gallery.clientsValid(h) {
		return false
	}
	for i := range h.Lanes {
		if l := &h.Lanes[i]; l.Models < 1 || l.Models > maxCount || l.Columns > l.Models || l.Columns < 1 ||
			l.FrameParams > l.Size || l.Trunk > len(h.Blocks) {
			return false
		}
	}
	for i := range h.Blocks {
		if b := &h.Blocks[i]; max(b.Height, b.Width, b.Channels) > maxCount || !(b.MultiplyAdds >= 0) {
			return false
		}
	}
	return true
}

// valid reports whether the numbers of pixels and labels of a gallery are those of its sizes.
func (g *Gallery) valid(h *Header) bool {
	size := h.Clients
	for _, n := range [...]int{g.Each, g.Channels, g.Height, g.Width} {
		if n < 1 || n > maxCount || size > maxCount*maxCount/n {
			return false
		}
		size *= n
	}
	if len(g.Pixels) != size || len(g.Label) != h.Clients*g.Each {
		return false
	}
	for _, c := range g.Label {
		if int(c) >= len(g.Classes) {
			return false
		}
	}
	return len(g.Groups) == 0 || len(g.Groups) == h.Groups
}

// clientsValid reports whether the summaries of clients are consistent with the gallery.
func (g *Gallery) clientsValid(h *Header) bool {
	if len(g.Clients) != 0 && len(g.Clients) != h.Clients || len(g.TrueLabel) != 0 && len(g.TrueLabel) != len(g.Label) {
		return false
	}
	for _, c := range g.TrueLabel {
		if int(c) >= len(g.Classes) {
			return false
		}
	}
	for _, names := range g.Names {
		if len(names) != len(g.Classes) {
			return false
		}
	}
	for i := range g.Clients {
		p := &g.Clients[i]
		if p.Set < 0 || p.Set >= max(1, len(g.Names)) || p.Samples < 0 ||
			len(p.PerClass) != 0 && len(p.PerClass) != len(g.Classes) {
			return false
		}
		for _, n := range p.PerClass {
			if n < 0 {
				return false
			}
		}
	}
	return true
}
