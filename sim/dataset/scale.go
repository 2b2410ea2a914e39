package dataset

import (
	"math"
	"slices"
)

// Plain reports whether the features need no scaling: pixels, and weights or numbers of words.
func (s *Set) Plain() bool {
	switch s.Rows.(type) {
	case *Pixels, *Sparse, *Tokens:
		return true
	}
	return false
}

// Scaled returns the set with each feature scaled by statistics of the samples in train: standard
// subtracts the mean and divides by the standard deviation; minmax maps the minimum to 0 and the
// maximum to 1; both in float64. A feature that is constant there, up to rounding, becomes 0. Any
// other scale returns the set unchanged.
func (s *Set) Scaled(scale string, train []bool) *Set {
	if scale != "standard" && scale != "minmax" {
		return s
	}
	size := s.Shape.Size()
	rows, more := withoutOffsets(s.Rows)
	r := &scaled{Rows: rows, offset: make([]float64, size), factor: make([]float64, size)}
	low, high := slices.Repeat([]float64{math.Inf(1)}, size), slices.Repeat([]float64{math.Inf(-1)}, size)
	row := make([]float32, size)
	n := 0.0
	each := func(visit func(j int, v float64)) {
		for i, used := range train {
			if !used {
				continue
			}
			rows.Row(row, i)
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
	each(func(j int, v float64) {
		low[j], high[j] = min(low[j], v), max(high[j], v)
		r.offset[j] += v
	})
	if scale == "standard" {
		for j := range r.offset {
			r.offset[j] /= max(1, n)
		}
		each(func(j int, v float64) {
			d := v - r.offset[j]
			r.factor[j] += float64(d * d)
		})
		for j, sum := range r.factor {
			r.factor[j] = math.Sqrt(sum / max(1, n))
		}
	} else {
		for j := range r.factor {
			r.offset[j], r.factor[j] = low[j], high[j]-low[j]
		}
	}
	for j, width := range r.factor {
		most := max(-low[j], high[j])
		if more != nil {
			most = max(-low[j]-more[j], high[j]+more[j])
		}
		if r.factor[j] = 1 / width; !(high[j]-low[j] > rounding*most) || math.IsInf(r.factor[j], 0) {
			r.factor[j] = 0
		}
	}
	out := *s
	out.Rows, out.MaxAbs = r, 0
	return &out
}

// rounding is the relative difference below which values count as equal: a few units in the last
// place of a float64.
const rounding = 1. / (1 << 49)

// Constant returns the features, counted from 0, that are constant in the training samples, up to
// rounding. Scaled sets them to 0.
func (s *Set) Constant() (out []int) {
	train := make([]bool, s.Len())
	for i := range s.Train {
		train[i] = true
	}
	for j, by := range s.Scaled("minmax", train).Rows.(*scaled).factor {
		if by == 0 {
			out = append(out, j)
		}
	}
	return out
}

// scaled are rows with each feature shifted and multiplied.
type scaled struct {
	Rows
	offset, factor []float64 // offset and factor of each feature
}

func (s *scaled) Row(dst []float32, i int) {
	s.Rows.Row(dst, i)
	for j, from := range s.offset {
		dst[j] = float32((float64(dst[j]) - from) * s.factor[j])
	}
}

// Numbers returns a set of samples with one feature each, x[i]+offset, and no targets.
func Numbers(x []float32, offset float64) *Set {
	return &Set{Shape: Shape{1, 1, 1}, Value: make([]float32, len(x)), Train: len(x),
		Rows: &Features{1, x, []float64{offset}}}
}

// Differences returns the set without the offset of its first feature, and that offset: 0 for none.
func (s *Set) Differences() (*Set, float64) {
	out := *s
	rows, from := withoutOffsets(s.Rows)
	if from == nil {
		return s, 0
	}
	out.Rows = rows
	return &out, from[0]
}

// Curvature is the largest eigenvalue of the correlation matrix of the features, estimated by power
// iteration over some samples. It bounds the curvature of the loss of a linear model of scaled
// features. It is at least 1, or 0 if all features are constant.
func (s *Set) Curvature() float64 {
	const most, rounds = 2 << 20, 20 // maximum numbers to read, and iterations
	size := s.Shape.Size()
	n := min(s.Train, max(20, most/size), 1000)
	all := make([]bool, s.Len())
	for i := range n {
		all[i*s.Train/n] = true
	}
	to := s.Scaled("standard", all)
	x := make([]float32, 0, n*size)
	for i, used := range all {
		if used {
			x = append(x, make([]float32, size)...)
			to.Row(x[len(x)-size:], i)
		}
	}
	v, next := make([]float64, size), make([]float64, size)
	for j := range v {
		v[j] = float64(j*7919%101) - 50.5
	}
	value := 0.0
	for range rounds {
		norm := 0.0
		for _, a := range v {
			norm += float64(a * a)
		}
		if norm == 0 {
			return 0
		}
		clear(next)
		for i := range n {
			row := x[i*size : (i+1)*size]
			dot := 0.0
			for j, a := range row {
				dot += float64(float64(a) * v[j])
			}
			for j, a := range row {
				next[j] += float64(dot * float64(a))
			}
		}
		value = 0
		scale := 1 / (math.Sqrt(norm) * float64(n))
		for j := range next {
			next[j] *= scale
			value += float64(next[j] * next[j])
		}
		value = math.Sqrt(value)
		v, next = next, v
	}
	return value
}
