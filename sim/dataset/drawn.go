package dataset

import (
	"sync"
	"sync/atomic"
)

// drawn are images that are drawn when they are first looked at, so that a set
// of 70,000 is there at once and a run pays for those that it uses.
type drawn struct {
	pixels
	draw  func(dst []uint8, i int) // the same bytes whenever it is called
	ready []atomic.Bool
	// Clients look at samples at the same time. Two that meet at one lock
	// wait for one image at most.
	locks [64]sync.Mutex
}

func newDrawn(shape Shape, n int, draw func(dst []uint8, i int)) *drawn {
	size := shape.Size()
	return &drawn{pixels: pixels{size, make([]uint8, n*size)}, draw: draw, ready: make([]atomic.Bool, n)}
}

func (d *drawn) row(dst []float32, i int) {
	if !d.ready[i].Load() {
		d.fill(i)
	}
	d.pixels.row(dst, i)
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
