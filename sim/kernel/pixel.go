package kernel

// Shades sets dst to src/255, from 0 to 1.
func Shades(dst []float32, src []uint8) {
	must(len(src), len(dst))
	active.shades(dst, src)
}

// Places are positions in a slice.
type Places struct {
	at  []uint16
	end int // after the last position
}

// NewPlaces returns positions that Gather need not check one by one. It keeps the slice, which must not change.
func NewPlaces(at []uint16) Places {
	p := Places{at: at}
	for _, v := range at {
		p.end = max(p.end, int(v)+1)
	}
	return p
}

// Len returns the number of positions.
func (p Places) Len() int { return len(p.at) }

// Gather sets each element of dst to that of src at its position. It panics if a position is after
// the end of src.
func Gather(dst, src []float32, p Places) {
	must(len(dst), len(p.at))
	if p.end > len(src) {
		panic("kernel: a position is after the end of the slice")
	}
	active.gather(dst, src, p.at)
}
