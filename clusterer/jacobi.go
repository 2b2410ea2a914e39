package clusterer

import "math"

// jacobi rotates the rows of m among each other until they are orthogonal. Their
// lengths are then the singular values of m, in no order.
//
// This is Hestenes' one-sided method (J. SIAM 6 (1958), 51-90), for matrices of few rows: six
// to ten sweeps over all pairs. Unlike the eigenvalues of m·mᵀ it finds a small value next
// to large ones to nearly all digits.
func jacobi(m *Matrix) {
	const (
		sweeps = 30      // maximum, in case it does not converge
		small  = 0x1p-46 // cosine of two rows below which they count as orthogonal
	)
	for range sweeps {
		settled := true
		for i := range m.Rows {
			for j := range i {
				x, y := m.Row(i), m.Row(j)
				xx, yy, xy := dot(x, x), dot(y, y), dot(x, y)
				if !(math.Abs(xy) > small*(math.Sqrt(xx)*math.Sqrt(yy))) {
					continue
				}
				settled = false
				rotate(x, y, (yy-xx)/(2*xy))
			}
		}
		if settled {
			return
		}
	}
}

// rotate turns x and y by the angle, of at most 45°, that makes them orthogonal.
// Twice that angle has the cotangent zeta.
func rotate(x, y []float64, zeta float64) {
	tan := 1 / (math.Abs(zeta) + math.Sqrt(1+float64(zeta*zeta)))
	if zeta < 0 {
		tan = -tan
	}
	cos := 1 / math.Sqrt(1+float64(tan*tan))
	applyRotation(x, y, cos, cos*tan)
}

// applyRotation sets (x, y) to (cos·x − sin·y, sin·x + cos·y).
func applyRotation(x, y []float64, cos, sin float64) {
	y = y[:len(x)]
	for i, a := range x {
		b := y[i]
		x[i] = float64(cos*a) - float64(sin*b)
		y[i] = float64(sin*a) + float64(cos*b)
	}
}
