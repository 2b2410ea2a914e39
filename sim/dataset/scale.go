package dataset

import "math"

// Plain reports whether the numbers of samples are as they should be for a model: pixels,
// or counts of words.
func (s *Set) Plain() bool {
	switch s.rows.(type) {
	case *pixels, *sparse:
		return true
	}
	return false
}

// Scaled returns the set with each feature scaled as the samples in train say: standard
// takes their mean away and divides by their standard deviation, minmax maps their least
// to 0 and their greatest to 1. A feature that is the same in all of them becomes 0.
// Any other scale leaves the set as it is.
func (s *Set) Scaled(scale string, train []bool) *Set {
	if scale != "standard" && scale != "minmax" {
		return s
	}
	size := s.Shape.Size()
	r := &scaled{rows: s.rows, from: make([]float64, size), by: make([]float64, size)}
	row := make([]float32, size)
	n := 0.0
	each := func(visit func(j int, v float64)) {
		for i, used := range train {
			if !used {
				continue
			}
			s.Row(row, i)
			for j, v := range row {
				visit(j, float64(v))
			}
		}
	}
	for _, used := range train {
		if used {
			n++
		}
	}
	if scale == "standard" {
		each(func(j int, v float64) { r.from[j] += v })
		for j := range r.from {
			r.from[j] /= max(1, n)
		}
		each(func(j int, v float64) {
			d := v - r.from[j]
			r.by[j] += float64(d * d)
		})
		for j, sum := range r.by {
			r.by[j] = math.Sqrt(sum / max(1, n))
		}
	} else {
		for j := range r.from {
			r.from[j], r.by[j] = math.Inf(1), math.Inf(-1) // least, greatest
		}
		each(func(j int, v float64) { r.from[j], r.by[j] = min(r.from[j], v), max(r.by[j], v) })
		for j := range r.by {
			r.by[j] -= r.from[j]
		}
	}
	for j, width := range r.by {
		// A sum of equal numbers may round: then their deviation is not quite 0.
		if r.by[j] = 1 / width; !(width > 1e-6*math.Abs(r.from[j])) || math.IsInf(r.by[j], 0) {
			r.by[j] = 0
		}
	}
	out := *s
	out.rows, out.Reach = r, 0
	return &out
}

// scaled are the rows of a set, with each number moved and multiplied.
type scaled struct {
	rows
	from, by []float64 // of each feature
}

func (s *scaled) row(dst []float32, i int) {
	s.rows.row(dst, i)
	for j, from := range s.from {
		dst[j] = float32((float64(dst[j]) - from) * s.by[j])
	}
}

// Numbers returns a set of samples of one number each, to predict nothing.
func Numbers(x []float32) *Set {
	return &Set{Shape: Shape{1, 1, 1}, Value: make([]float32, len(x)), Train: len(x), rows: &features{1, x}}
}
