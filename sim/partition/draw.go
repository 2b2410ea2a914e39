package partition

import "flockscope/sim/rng"

// Drawer reads samples as clients see them. Each goroutine needs its own.
type Drawer struct {
	p   *Partition
	raw []float32 // an unchanged sample, followed by a 0
}

// Drawer returns a drawer for one goroutine.
func (p *Partition) Drawer() *Drawer {
	return &Drawer{p: p, raw: make([]float32, p.Set.Shape.Size()+1)}
}

// Row writes sample as a client sees it to dst, which must hold as many numbers
// as a sample has. The result is deterministic, and Row does not allocate, but for memory of images that are kept.
func (d *Drawer) Row(dst []float32, client int, sample int32) {
	size := len(d.raw) - 1
	if d.p.Clients[client].View == nil {
		d.p.Set.Row(dst, int(sample))
		return
	}
	if !d.read(dst[:size], client, sample) {
		d.show(dst[:size], client, sample)
	}
}

// show makes the view of a sample.
func (d *Drawer) show(dst []float32, client int, sample int32) {
	d.p.Set.Row(d.raw[:len(d.raw)-1], int(sample))
	var s rng.Stream
	s.Reset(d.p.seed, viewDraw, int(sample), client)
	d.p.Clients[client].View.Show(dst, d.raw, s)
}

// Label returns the label of a sample at a client: after its concept and, in training, noise. The
// set must have classes.
func (p *Partition) Label(client int, sample int32, train bool) uint8 {
	label := p.Set.Label[sample]
	if relabel := p.Clients[client].Relabel; relabel != nil {
		label = relabel[label]
	}
	if train && p.noise != nil {
		var s rng.Stream
		s.Reset(p.seed, noiseDraw, int(sample), client)
		label = p.noise(label, p.Set.Classes, s)
	}
	return label
}

// Preview writes the first n training samples of a client to dst, as it sees them, one byte per
// number: 0 for 0 and 255 for 1. It returns how many there are.
func (p *Partition) Preview(dst []byte, client, n int) int {
	d := p.Drawer()
	size := p.Set.Shape.Size()
	row := make([]float32, size)
	n = min(n, len(p.Clients[client].Train))
	for k, sample := range p.Clients[client].Train[:n] {
		d.Row(row, client, sample)
		for j, x := range row {
			dst[k*size+j] = Shade(x)
		}
	}
	return n
}

// Shade returns a number as a grey level: 0 for 0 or less, 255 for 1 or more.
func Shade(x float32) byte { return byte(float32(255*clip(x)) + 0.5) }
