package partition

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// keepLimit returns the most memory for corrupted images, in bytes. Those beyond are made anew whenever they are read.
func keepLimit() int64 {
	if runtime.GOOS == "js" { // a tab has little memory
		return 128 << 20
	}
	return 1 << 30 // 100 clients with 500 digits take 0.2
}

// kept are the corrupted images of one client. Each is made when it is first read, since making one can take several
// times as long as training on it.
type kept struct {
	samples []int32 // those of the client, in ascending order
	lock    sync.Mutex
	rows    []float32 // one image after another; nil until the first is read
	ready   []atomic.Bool
}

// keep has clients keep their corrupted images, as many clients as fit into limit bytes.
func (p *Partition) keep(limit int64) {
	for i := range p.Clients {
		c := &p.Clients[i]
		if _, ok := c.View.(*corrupted); !ok {
			continue
		}
		samples := slices.Concat(c.Train, c.Test)
		slices.Sort(samples)
		samples = slices.Compact(samples)
		bytes := int64(len(samples)) * int64(4*p.Set.Shape.Size()+8)
		if p.keptBytes+bytes > limit {
			return
		}
		p.keptBytes += bytes
		c.kept = &kept{samples: samples, ready: make([]atomic.Bool, len(samples))}
	}
}

// Bytes is the memory that clients may take for images that they keep, in addition to that of the set.
func (p *Partition) Bytes() int64 { return p.keptBytes }

// read writes an image that its client keeps to dst. It reports false for an image that the client does not keep.
func (d *Drawer) read(dst []float32, client int, sample int32) bool {
	k := d.p.Clients[client].kept
	if k == nil {
		return false
	}
	at, ok := slices.BinarySearch(k.samples, sample)
	if !ok {
		return false
	}
	size := len(d.raw) - 1
	if !k.ready[at].Load() {
		k.lock.Lock()
		defer k.lock.Unlock()
		if k.rows == nil {
			k.rows = make([]float32, len(k.samples)*size)
		}
		if row := k.rows[at*size : (at+1)*size]; !k.ready[at].Load() {
			d.show(row, client, sample)
			k.ready[at].Store(true)
		}
	}
	copy(dst, k.rows[at*size:(at+1)*size])
	return true
}
