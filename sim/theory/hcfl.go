package theory

import (
	"math"

	"flockscope/clusterer"
)

// Subspace computes distances of representations. Its zero value is ready to use; it keeps its memory.
type Subspace struct {
	basis, rest, none clusterer.Matrix // basis and rest have a row for each column of B and B*
	spectral          clusterer.Spectral
}

// Distance returns dist(B, B*) of Definition B.1, the sine of the largest angle between the spaces that the columns of two
// matrices span, from 0 to 1. B has inputs × width numbers, row by row; star has the columns of B*, which are
// orthonormal, as rows. If the columns of B are dependent, they span less, and the distance is 1.
func (s *Subspace) Distance(b []float32, star *clusterer.Matrix) float64 {
	width, inputs := star.Rows, star.Cols
	s.basis.Reshape(width, inputs)
	for k := range width {
		for j := range inputs {
			s.basis.Data[k*inputs+j] = float64(b[j*width+k])
		}
	}
	return s.of(star)
}

// of returns the distance of the rows of s.basis, which it makes orthonormal.
func (s *Subspace) of(star *clusterer.Matrix) float64 {
	width := star.Rows
	for k := range s.basis.Rows { // Gram and Schmidt, twice, to remove rounding errors
		row := s.basis.Row(k)
		before := length(row)
		for range 2 {
			for l := range k {
				remove(row, s.basis.Row(l))
			}
		}
		n := length(row)
		if !(n > 1e-6*before) { // B is float32
			return 1
		}
		for j := range row {
			row[j] /= n
		}
	}
	s.rest.Reshape(width, star.Cols)
	copy(s.rest.Data, star.Data)
	for k := range width {
		for l := range s.basis.Rows {
			remove(s.rest.Row(k), s.basis.Row(l))
		}
	}
	s.spectral.Fit(&s.none, &s.rest, 0)
	return min(s.spectral.Values[0], 1)
}

// remove removes from v what lies along u, which has the length 1.
func remove(v, u []float64) {
	along := dot(v, u)
	for j, x := range u {
		v[j] -= float64(along * x)
	}
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for j, x := range a {
		sum += float64(x * b[j])
	}
	return sum
}

func length(v []float64) float64 { return math.Sqrt(dot(v, v)) }

// Shares has what HCFL's Theorem B.12 is about.
type Shares struct {
	Rate        float64 // η
	Groups      int     // K
	Least, Most float64 // min N̂_k/N and max N̂_k/N, shares of the samples
	// Diversity is σ̄: the least singular value of the matrix with a row θ*_k for each group, divided by √K, as the proof needs
	// in (165) and (170). Assumption 2 prints it without √K; with that, (142) can be false.
	Diversity       float64
	InitialDistance float64 // of the first B̂ from B*
}

// constants returns c_min and c_max.
func (s *Shares) constants() (least, most float64) {
	start := 1 - float64(s.InitialDistance*s.InitialDistance) // E₀
	common := s.Rate * float64(s.Groups) * s.Diversity * s.Diversity * start
	return float64(common * s.Least), float64(common * s.Most)
}

// Next returns the bound (142) of Theorem B.12 on the distance after a round that begins with the given distance,
//
//	(dist·(1 − c_min + 57/200·c_max) + 7/100·c_max) · (1 − c_max/2)^(−1/2)
//
// which is infinite if c_max ≥ 2. A distance is at most 1, so a bound of 1 or more says nothing.
func (s *Shares) Next(distance float64) float64 {
	least, most := s.constants()
	if most >= 2 {
		return math.Inf(1)
	}
	return (float64(distance*(1-least+float64(57.0/200*most))) + float64(7.0/100*most)) / math.Sqrt(1-float64(most/2))
}

// Limit returns what the bound comes to after many rounds, 1 if it does not shrink: with small steps
//
//	7/100 / (r − 107/200),  r = min N̂_k / max N̂_k
//
// so that it is below 1 only if the smallest group has more than 0.605 of the largest one's samples, and 0.15 for equal
// groups.
func (s *Shares) Limit() float64 {
	slope := s.Next(1) - s.Next(0)
	if !(slope < 1) {
		return 1
	}
	return min(s.Next(0)/(1-slope), 1)
}
