package workload

import (
	"flockscope/sim/model"
	"flockscope/sim/partition"
)

// Rebuilding is a workload whose models squeeze samples and rebuild them, and
// whose samples can be seen.
type Rebuilding interface {
	// Rebuild draws what a model makes of a client's first training sample, as
	// the gallery of the scenery draws that.
	Rebuild(dst []uint8, client int, params []float32)
}

// Rebuilds returns w as one whose models rebuild what can be seen, nil if it is
// none.
func Rebuilds(w Workload) Rebuilding {
	if s, ok := w.(*shared); ok && s.network.Task() == model.Reconstruction && s.sheet().Height > 1 && s.set.Classes > 0 {
		return s
	}
	return nil
}

// Rebuild implements [Rebuilding].
func (w *shared) Rebuild(dst []uint8, client int, params []float32) {
	d := w.easels.Get().(*easel)
	defer w.easels.Put(d)
	if d.network == nil {
		d.network = model.Fresh(w.network).(*model.Network)
		d.copied = make([]float32, w.network.Outputs())
	}
	h := &w.hands[client]
	d.one.Resize(1, w.network.Inputs())
	w.lay(&d.one, 0, d, h, h.Train[0], true)
	d.network.Predict(d.copied, params, d.one)
	row := d.copied
	if c := w.set.Shape.Channels; c > 1 {
		n := len(row)
		for at := range d.pixels {
			d.pixels[at] = row[at%c*(n/c)+at/c]
		}
		row = d.pixels
	}
	if w.set.Picture != nil {
		w.set.Picture(dst, row)
		return
	}
	for j, x := range row {
		dst[j] = partition.Shade(x)
	}
}
