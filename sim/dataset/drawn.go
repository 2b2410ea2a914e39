package dataset

import (
	"sync"
	"sync/atomic"

	"flockscope/sim/kernel"
)

// drawn are samples that are drawn when they are first looked at, so that a set
// of 70,000 is there at once and a run pays for those that it uses.
type drawn struct {
	pixels
	draw  func(dst []uint8, i int) // the same bytes whenever it is called
	ready []atomic.Bool
	// Clients look at samples at the same time. Two that meet at one lock
	// wait for one sample at most.
	locks [64]sync.Mutex
}

func newDrawn(shape Shape, n int, draw func(dst []uint8, i int)) *drawn {
	size := shape.Size()
	return &drawn{pixels: pixels{size, make([]uint8, n*size)}, draw: draw, ready: make([]atomic.Bool, n)}
}

func (d *drawn) row(dst []float32, i int) { kernel.Shades(dst[:d.size], d.at(i)) }

// at returns the bytes of sample i.
func (d *drawn) at(i int) []uint8 {
	if !d.ready[i].Load() {
		d.fill(i)
	}
	return d.data[i*d.size : (i+1)*d.size]
}

func (d *drawn) fill(i int) {
	lock := &d.locks[i%len(d.locks)]
	lock.Lock()
	defer lock.Unlock()
	if !d.ready[i].Load() {
		d.draw(d.data[i*d.size:(i+1)*d.size], i)
		d.ready[i].Store(true)
	}
}

func (d *drawn) bytes() int64 { return d.pixels.bytes() + 4*int64(len(d.ready)) }
