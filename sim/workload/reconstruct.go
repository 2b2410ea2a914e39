package workload

import (
	"slices"

	"flockscope/sim/model"
	"flockscope/sim/partition"
)

// Reconstructing is a workload of autoencoders whose samples are images or have pictures.
type Reconstructing interface {
	// Rebuild draws a model's reconstruction of each client's first training sample, one after the other, as the
	// gallery of the data preview draws the samples.
	Rebuild(dst []uint8, clients []int, params []float32)
}

// Rebuilds returns w as a [Reconstructing] workload, nil if it is not one.
func Rebuilds(w Workload) Reconstructing {
	if s, ok := w.(*shared); ok && s.network.Task() == model.Reconstruction && s.sheet().Height > 1 &&
		s.set.Classes > 0 {
		return s
	}
	return nil
}

// Rebuild implements [Reconstructing].
func (w *shared) Rebuild(dst []uint8, clients []int, params []float32) {
	d := w.readers.Get().(*sampleReader)
	defer w.readers.Put(d)
	if d.network == nil {
		d.network = model.Fresh(w.network).(*model.Network)
	}
	d.firsts.Resize(len(clients), w.network.Inputs())
	for at, i := range clients {
		h := &w.clients[i]
		w.putSample(&d.firsts, at, d, h, h.Train[0], true)
	}
	n := w.network.Outputs()
	d.copies = slices.Grow(d.copies[:0], len(clients)*n)[:len(clients)*n]
	d.network.Predict(d.copies, params, d.firsts)
	size := len(dst) / len(clients)
	for at := range clients {
		w.paint(dst[at*size:(at+1)*size], d.copies[at*n:(at+1)*n], d)
	}
}

// paint draws one sample from the inputs or outputs of a network.
func (w *shared) paint(dst []uint8, row []float32, d *sampleReader) {
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
