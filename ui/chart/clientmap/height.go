package clientmap

import (
	"math"

	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

// heights are the third coordinates of a lane's map. The flat map is an orthogonal projection of
// the embedding, so map and height together are an orthogonal projection onto three dimensions.
// The height is the sum of losses for a map of three losses, and the third principal component
// for a map of the first two.
//
// The sign of a component is arbitrary. The power iteration of each frame starts from the heights
// of the frame before, and so keeps their sign. Therefore frames are read in order, each once.
type heights struct {
	run    *trace.Run
	lane   int
	values []float32    // frames × clients
	ranges [][2]float32 // by frame: the smallest and the largest

	mean, u, next []float64
	flat          [2][]float64 // directions of the flat map in the embedding
}

// heightSteps is the number of steps of the power iteration. It does not need to converge where
// two components have the same length: any direction between them is correct.
const heightSteps = 24

// update computes the heights of the new frames of v's lane.
func (h *heights) update(v *chart.View) {
	frames := v.Run.Tracks[v.Lane].Frames
	if h.run != v.Run || h.lane != v.Lane || len(h.ranges) > len(frames) {
		h.run, h.lane, h.values, h.ranges = v.Run, v.Lane, h.values[:0], h.ranges[:0]
	}
	n := v.Run.Header.Clients
	for t := len(h.ranges); t < len(frames); t++ {
		f := &frames[t]
		h.values = append(h.values, make([]float32, n)...)
		z := h.values[t*n:]
		switch {
		case Dimensions(f) < 3 || len(f.XY) < 2*n:
		case v.LaneHeader().Map == trace.LossTriangle:
			for i := range z {
				e := f.Embedding[3*i:]
				z[i] = float32(float64(e[0]+e[1]+e[2]) / math.Sqrt(3))
			}
		default:
			var before []float32
			if t > 0 {
				before = h.values[(t-1)*n : t*n]
			}
			h.findComponent(z, before, f)
		}
		var span [2]float32
		for i, at := range z {
			if !chart.Finite(at) {
				z[i], at = 0, 0
			}
			if i == 0 {
				span = [2]float32{at, at}
			}
			span[0], span[1] = min(span[0], at), max(span[1], at)
		}
		h.ranges = append(h.ranges, span)
	}
}

// at returns the heights after a round, by client.
func (h *heights) at(round int) []float32 {
	n := h.run.Header.Clients
	return h.values[round*n : (round+1)*n]
}

// commonRange returns the range of heights of 95 % of the frames.
func (h *heights) commonRange(scratch []float32) (span [2]float32, _ []float32) {
	stride := len(h.ranges)/96 + 1
	for side, q := range [...]float64{0.05, 0.95} {
		scratch = scratch[:0]
		for t := 0; t < len(h.ranges); t += stride {
			if h.ranges[t][0] < h.ranges[t][1] {
				scratch = append(scratch, h.ranges[t][side])
			}
		}
		if len(scratch) > 0 {
			span[side] = layout.Quantile(scratch, q)
		}
	}
	return span, scratch
}

// Dimensions returns the dimension of the embedding in a frame.
func Dimensions(f *trace.Frame) int {
	if len(f.Label) == 0 {
		return 0
	}
	return len(f.Embedding) / len(f.Label)
}

// findComponent writes the coordinates on the largest component of f's embedding outside the
// plane of its map to z; 0 if there is none.
func (h *heights) findComponent(z, before []float32, f *trace.Frame) {
	n, w := len(z), Dimensions(f)
	h.mean, h.u, h.next = trace.Resize(h.mean, w), trace.Resize(h.u, w), trace.Resize(h.next, w)
	clear(h.mean)
	for i := range n {
		for j, e := range f.Embedding[i*w : (i+1)*w] {
			h.mean[j] += float64(e) / float64(n)
		}
	}
	// The directions of the map span the same plane as the sums of embeddings times coordinates,
	// since they are eigenvectors of the embedding's covariance.
	for axis := range h.flat {
		h.flat[axis] = trace.Resize(h.flat[axis], w)
		d := h.flat[axis]
		h.weightedSum(d, f, 1, func(i int) float64 { return float64(f.XY[2*i+axis]) })
		size := norm(d)
		for range 2 { // Gram-Schmidt twice, against rounding
			for _, other := range h.flat[:axis] {
				removeDirection(d, other)
			}
		}
		normalize(d, 1e-6*size)
	}
	// A sample of the clients estimates the component well enough.
	step := n/max(32768/w, 32) + 1
	if before != nil {
		h.weightedSum(h.u, f, step, func(i int) float64 { return float64(before[i]) })
		h.removePlane(h.u)
	}
	if before == nil || !normalize(h.u, 1e-12) {
		h.farthest(f, step)
	}
	for range heightSteps {
		h.weightedSum(h.next, f, step, func(i int) float64 { return h.coordinate(f, i) })
		h.removePlane(h.next)
		if !normalize(h.next, 1e-12) {
			break
		}
		h.u, h.next = h.next, h.u
	}
	for i := range z {
		z[i] = float32(h.coordinate(f, i))
	}
}

// weightedSum sets d to the weighted sum of the centred embeddings of every step-th client.
func (h *heights) weightedSum(d []float64, f *trace.Frame, step int, weight func(i int) float64) {
	clear(d)
	w := len(d)
	for i := 0; i*w < len(f.Embedding); i += step {
		k := weight(i)
		for j, e := range f.Embedding[i*w : (i+1)*w] {
			d[j] += float64(k * (float64(e) - h.mean[j]))
		}
	}
}

// farthest sets u to the direction of the client farthest from the plane of the map, 0 if all lie
// on it.
func (h *heights) farthest(f *trace.Frame, step int) {
	clear(h.u)
	w, most := len(h.u), 1e-9
	for i := 0; i*w < len(f.Embedding); i += step {
		for j, e := range f.Embedding[i*w : (i+1)*w] {
			h.next[j] = float64(e) - h.mean[j]
		}
		all := norm(h.next)
		h.removePlane(h.next)
		if d := norm(h.next); d > most && d > 1e-5*all {
			most = d
			copy(h.u, h.next)
		}
	}
	normalize(h.u, 0)
}

// coordinate returns the coordinate of client i in the direction u.
func (h *heights) coordinate(f *trace.Frame, i int) (d float64) {
	w := len(h.u)
	for j, e := range f.Embedding[i*w : (i+1)*w] {
		d += float64(h.u[j] * (float64(e) - h.mean[j]))
	}
	return d
}

// removePlane makes d orthogonal to the plane of the flat map.
func (h *heights) removePlane(d []float64) {
	removeDirection(d, h.flat[0])
	removeDirection(d, h.flat[1])
}

// removeDirection makes d orthogonal to the unit vector u.
func removeDirection(d, u []float64) {
	var dot float64
	for j := range d {
		dot += float64(d[j] * u[j])
	}
	for j := range d {
		d[j] -= float64(dot * u[j])
	}
}

func norm(d []float64) float64 {
	var sum float64
	for _, x := range d {
		sum += float64(x * x)
	}
	return math.Sqrt(sum)
}

// normalize scales d to length 1 and reports whether it was longer than least; else d becomes 0.
func normalize(d []float64, least float64) bool {
	size := norm(d)
	if !(size > least) {
		clear(d)
		return false
	}
	for j := range d {
		d[j] /= size
	}
	return true
}
