package clusterer

import (
	"math"
	"slices"
)

// Angles compares flats through the origin. A flat is given by a [Matrix] whose
// rows are unit vectors at right angles to each other, as [Spectral.Basis] makes
// them. The zero value is ready to use.
type Angles struct {
	cross, rest Matrix
	cos, sin    []float64
	angles      []float64
}

// Fit returns the principal angles between the flats of a and b, in radians, ascending in [0, π/2]: as many as the
// smaller flat has dimensions. The first is the least angle between a direction in one and a direction in the other;
// the second the least between directions at right angles to those; and so on.
//
// The cosines are the singular values of b·aᵀ, which cannot tell small angles from 0. The sines are those of b minus
// its projection on a, and with both no angle is off by much more than 10⁻¹⁶ (Björck and Golub, Mathematics of
// Computation 27 (1973), 579-594). If a number is not finite, the angles are NaN. It panics if the rows of a and b
// differ in length. The result is valid until the receiver's next call.
func (an *Angles) Fit(a, b *Matrix) []float64 {
	a.check()
	b.check()
	if a.Cols != b.Cols {
		panic("clusterer: Angles: the flats are in different spaces")
	}
	if a.Rows < b.Rows {
		a, b = b, a
	}
	an.cross.Reshape(b.Rows, a.Rows)
	an.rest.copyFrom(b)
	for i := range b.Rows {
		row, cross := an.rest.Row(i), an.cross.Row(i)
		for j := range cross {
			cross[j] = dot(b.Row(i), a.Row(j))
		}
		for j, c := range cross {
			axpy(-c, a.Row(j), row)
		}
	}
	an.cos = singularValues(an.cos, &an.cross)
	an.sin = singularValues(an.sin, &an.rest)
	an.angles = resize(an.angles, b.Rows)
	for i, sin := range an.sin {
		an.angles[i] = angle(sin, an.cos[len(an.cos)-1-i])
	}
	return an.angles
}

// singularValues returns those of m in ascending order, in the memory of dst, one
// for each row. It overwrites m.
func singularValues(dst []float64, m *Matrix) []float64 {
	jacobi(m)
	dst = resize(dst, m.Rows)
	for i := range dst {
		dst[i] = math.Sqrt(dot(m.Row(i), m.Row(i)))
	}
	slices.Sort(dst)
	return dst
}

// MinAngle returns the least angle, in radians in [0, π/2], between the line
// through a row of a and that through a row of b. It depends on the bases and not
// on the flats alone, and is at least the first principal angle. The code of PACFL
// compares points by it, though with rows as directions, not lines, and so by the
// arbitrary signs of singular vectors too. Rows must have unit length, but need
// not be at right angles. A row that is not finite does not count; without rows it is
// π/2. It panics if the rows of a and b
// differ in length.
func MinAngle(a, b *Matrix) float64 {
	a.check()
	b.check()
	if a.Cols != b.Cols {
		panic("clusterer: MinAngle: the vectors are in different spaces")
	}
	least := math.Pi / 2
	var nearest float64
	for i := range a.Rows {
		for j := range b.Rows {
			cos := dot(a.Row(i), b.Row(j))
			if c := math.Abs(cos); c > nearest {
				nearest = c
				least = min(math.Pi/2, between(a.Row(i), b.Row(j), cos < 0))
			}
		}
	}
	return least
}

// between returns the angle between unit vectors x and y, or −y if flip: twice
// that of the triangle with sides ‖x−y‖ and ‖x+y‖, which unlike the arc cosine is
// good for small angles.
func between(x, y []float64, flip bool) float64 {
	var apart, along float64
	for i, a := range x {
		b := y[i]
		apart += float64((a - b) * (a - b))
		along += float64((a + b) * (a + b))
	}
	if flip {
		apart, along = along, apart
	}
	return 2 * angle(math.Sqrt(apart), math.Sqrt(along))
}
