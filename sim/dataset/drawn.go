package dataset

import (
	"sync"
	"sync/atomic"

	"flockscope/sim/kernel"
)

// drawn are samples that are drawn when they are first looked at, so that a set
// of 70,000 is there at once and a run pays for those that it uses.
type drawn struct {
	Pixels
	draw  func(dst []uint8, i int) // the same bytes whenever it is called
	ready []atomic.Bool
	// Clients look at samples at the same time. Two that meet at one lock
	// wait for one sample at most.
	locks [64]sync.Mutex
}

func newDrawn(shape Shape, n int, draw func(dst []uint8, i int)) *drawn {
	size := shape.Size()
	return &drawn{Pixels: Pixels{size, make([]uint8, n*size)}, draw: draw, ready: make([]atomic.Bool, n)}
}

func (d *drawn) Row(dst []float32, i int) { kernel.Shades(dst[:d.Size], d.at(i)) }

// at returns the bytes of sample i.
func (d *drawn) at(i int) []uint8 {
	if !d.ready[i].Load() {
		d.fill(i)
	}
	return d.Data[i*d.Size : (i+1)*d.Size]
}

func (d *drawn) fill(i int) {
	lock := &d.locks[i%len(d.locks)]
	lock.Lock()
	defer lock.Unlock()
	if !d.ready[i].Load() {
		d.draw(d.Data[i*d.Size:(i+1)*d.Size], i)
		d.ready[i].Store(true)
	}
}

func (d *drawn) Bytes() int64 { return d.Pixels.Bytes() + 4*int64(len(d.ready)) }
