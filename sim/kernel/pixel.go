package kernel

// Shades sets dst to the numbers from 0 to 1 that bytes stand for, src/255.
func Shades(dst []float32, src []uint8) {
	must(len(src), len(dst))
	active.shades(dst, src)
}

// Places are positions in a slice.
type Places struct {
	at  []uint16
	end int // behind the last position
}

// NewPlaces returns positions that Gather can go through without a look at each.
// The list is kept.
func NewPlaces(at []uint16) Places {
	p := Places{at: at}
	for _, v := range at {
		p.end = max(p.end, int(v)+1)
	}
	return p
}

// Len returns how many there are.
func (p Places) Len() int { return len(p.at) }

// Gather sets each element of dst to that of src at its place. A place behind the
// end of src is a panic.
func Gather(dst, src []float32, p Places) {
	must(len(dst), len(p.at))
	if p.end > len(src) {
		panic("kernel: a place is behind the end of the slice")
	}
	active.gather(dst, src, p.at)
}
