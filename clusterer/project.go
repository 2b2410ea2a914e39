package clusterer

import "math"

// Plane projects points to two dimensions by principal components. The zero value is ready
// to use. Maps are part of a run's trace, whose bits are the same everywhere, so it uses
// [Spectral] and no library.
type Plane struct {
	centred  Matrix
	spectral Spectral
}

// Fit writes the first two principal components of the points to dst, which it
// shapes to Rows × 2, and returns the share of the variance they keep:
//
//	kept = (σ₁² + σ₂²) / Σ σⱼ²
//
// with σ the singular values of the centred points. kept lies in [0, 1], and is
// 1 if the points do not vary at all. Points with one column have a second
// component of 0. Signs are fixed as in [Spectral.Fit], so equal points give
// equal pictures; if a point is not finite, dst is all 0, and so is kept. dst must not
// share memory with points. Pearson, Philosophical Magazine 2 (1901), 559-572.
func (p *Plane) Fit(dst *Matrix, points *Matrix) (kept float64) {
	points.check()
	p.centred.copyFrom(points)
	centre(&p.centred)
	p.spectral.Fit(dst, &p.centred, 2)

	var two, all float64
	for j, s := range p.spectral.Values {
		all += float64(s * s)
		if j < 2 {
			two = all
		}
	}
	switch {
	case !finite(points.Data):
		return 0
	case all == 0:
		return 1
	}
	return two / all
}

// centre subtracts the mean of each column.
func centre(m *Matrix) {
	if m.Rows == 0 {
		return
	}
	for j := range m.Cols {
		// Relative to the first point, so that equal points give exact zeros instead of
		// rounding errors that would count as a direction.
		origin := m.Data[j]
		var mean float64
		for at := j; at < len(m.Data); at += m.Cols {
			m.Data[at] -= origin
			mean += m.Data[at]
		}
		mean /= float64(m.Rows)
		for at := j; at < len(m.Data); at += m.Cols {
			m.Data[at] -= mean
		}
	}
}

// Align turns dst, n points in the plane, to lie as close to reference as it can: it applies the rotation or reflection
// Q about dst's own mean that makes
//
//	Σᵢ ‖Q·(xᵢ − x̄) − (rᵢ − r̄)‖²
//
// least; x̄ and all distances stay the same. Successive pictures of moving points then neither spin nor flip. It is the
// orthogonal Procrustes problem (Schönemann, Psychometrika 31 (1966), 1-10), which in two dimensions has a closed form.
// If no turn is better than another, as when either side is a single point, dst stays as it is. A reflection is taken
// only if it is truly better, by one part in 10⁹: for points on a line both fit.
//
// It panics if dst and reference are not both n × 2. They may be the same.
func Align(dst *Matrix, reference *Matrix) {
	dst.check()
	reference.check()
	if dst.Cols != 2 || reference.Cols != 2 || dst.Rows != reference.Rows {
		panic("clusterer: Align: dst and reference are not both n × 2")
	}
	x, r := dst.Data, reference.Data
	xm, ym := planeMean(x)
	um, vm := planeMean(r)
	// The residual falls as the sum of rᵀ·Q·x rises. With h the sums of the
	// products of coordinates, a rotation by θ gives cos θ·p + sin θ·q, which is
	// at most ‖(p, q)‖, reached by pointing (cos θ, sin θ) along (p, q). A
	// reflection about the line at θ/2 gives the same with another p and q.
	var hxu, hxv, hyu, hyv float64
	for i := 0; i < len(x); i += 2 {
		dx, dy, du, dv := x[i]-xm, x[i+1]-ym, r[i]-um, r[i+1]-vm
		hxu += float64(dx * du)
		hxv += float64(dx * dv)
		hyu += float64(dy * du)
		hyv += float64(dy * dv)
	}
	cos, sin, flip := hxu+hyv, hxv-hyu, 1.0
	gain := norm(cos, sin)
	if g := norm(hxu-hyv, hxv+hyu); g > gain*(1+1e-9) {
		cos, sin, flip, gain = hxu-hyv, hxv+hyu, -1, g
	}
	if !(gain > 0) || !isFinite(gain) {
		return
	}
	cos, sin = cos/gain, sin/gain
	for i := 0; i < len(x); i += 2 {
		dx, dy := x[i]-xm, (x[i+1]-ym)*flip
		x[i] = xm + (float64(cos*dx) - float64(sin*dy))
		x[i+1] = ym + (float64(sin*dx) + float64(cos*dy))
	}
}

// planeMean returns the mean of points in the plane, 0 if there are none.
func planeMean(xy []float64) (x, y float64) {
	for i := 0; i < len(xy); i += 2 {
		x += xy[i]
		y += xy[i+1]
	}
	n := max(1, float64(len(xy)/2))
	return x / n, y / n
}

// norm returns √(x²+y²). math.Hypot has an assembly version of its own.
func norm(x, y float64) float64 {
	return math.Sqrt(float64(x*x) + float64(y*y))
}
