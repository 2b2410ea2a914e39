package dataset

import (
	"sync"
	"sync/atomic"

	"flockscope/sim/kernel"
)

// lazyPixels are images that are generated when they are first read, so that a set of 70,000
// costs nothing until its samples are used.
type lazyPixels struct {
	Pixels
	draw  func(dst []uint8, i int) // gives the same bytes at every call
	ready []atomic.Bool
	// Clients read samples concurrently; a lock is held while one sample is read.
	locks [64]sync.Mutex
}

func newLazyPixels(shape Shape, n int, draw func(dst []uint8, i int)) *lazyPixels {
	size := shape.Size()
	return &lazyPixels{Pixels: Pixels{size, make([]uint8, n*size)}, draw: draw, ready: make([]atomic.Bool, n)}
}

func (d *lazyPixels) Row(dst []float32, i int) { kernel.Shades(dst[:d.Size], d.at(i)) }

// at returns the bytes of sample i.
func (d *lazyPixels) at(i int) []uint8 {
	if !d.ready[i].Load() {
		d.fill(i)
	}
	return d.Data[i*d.Size : (i+1)*d.Size]
}

func (d *lazyPixels) fill(i int) {
	lock := &d.locks[i%len(d.locks)]
	lock.Lock()
	defer lock.Unlock()
	if !d.ready[i].Load() {
		d.draw(d.Data[i*d.Size:(i+1)*d.Size], i)
		d.ready[i].Store(true)
	}
}

func (d *lazyPixels) Bytes() int64 { return d.Pixels.Bytes() + 4*int64(len(d.ready)) }
