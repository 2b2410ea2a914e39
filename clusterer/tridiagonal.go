package clusterer

import "math"

// tridiagonalize reduces the symmetric matrix A in the lower triangle of e.vectors
// to the tridiagonal T = Qᵀ·A·Q, whose diagonal it writes to e.values and whose subdiagonal
// to e.subdiagonal.
//
// Q is the product of the reflections H₀·H₁·…, of which Hᵢ = I − τ·v·vᵀ clears
// column i below the subdiagonal. v is kept in row i to the right of the diagonal, where the
// matrix is no longer needed (Householder's method; Golub and Van
// Loan, Matrix Computations, 4th ed., section 8.3.1).
func (e *eigen) tridiagonalize() {
	a, n := &e.vectors, e.vectors.Rows
	for i := range n - 1 {
		v, w := a.Row(i)[i+1:], e.work[:n-1-i]
		for k := range v {
			v[k] = a.Data[(i+1+k)*n+i]
		}
		var tau float64
		e.subdiagonal[i], tau = reflector(v)
		e.values[i], e.tau[i] = a.Data[i*n+i], tau
		if tau == 0 {
			continue
		}
		// With B the part of A below and to the right of entry i, w = τ·B·v …
		for j, x := range v {
			row, f, sum := a.Row(i + 1 + j)[i+1:], float64(tau*x), 0.0
			for k, b := range row[:j] {
				sum += float64(v[k] * b)
				w[k] += float64(f * b)
			}
			w[j] = float64((sum + float64(x*row[j])) * tau)
		}
		// … less the part along v, so that H·B·H = B − v·wᵀ − w·vᵀ.
		var along float64
		for k, x := range v {
			along += float64(x * w[k])
		}
		axpy(-0.5*tau*along, v, w)
		for j, x := range v {
			row, y := a.Row(i + 1 + j)[i+1:], w[j]
			for k := range row[:j+1] {
				row[k] -= float64(x*w[k]) + float64(v[k]*y)
			}
		}
	}
	e.values[n-1] = a.Data[n*n-1]
}

// reflector turns v into the vector, with v[0] = 1, of the reflection I − τ·v·vᵀ
// that maps the old v to (beta, 0, 0, …). The sign of beta is opposite to that of v[0], so
// that nothing cancels. τ is 0 if v already has that form, or if its other entries are
// negligible compared with the largest entry of the matrix, which is about 1.
func reflector(v []float64) (beta, tau float64) {
	const negligible = 0x1p-500
	alpha, rest := v[0], v[1:]
	v[0] = 1
	length := lengthOf(rest)
	if length < negligible {
		return alpha, 0
	}
	beta = -math.Copysign(hypot(alpha, length), alpha)
	scale(rest, 1/(alpha-beta))
	return beta, (beta - alpha) / beta
}

// accumulate replaces the reflections that tridiagonalize left in e.vectors by their
// product Q. It begins with the last one, which touches the fewest entries.
func (e *eigen) accumulate() {
	q, n := &e.vectors, e.vectors.Rows
	for i := n - 2; i >= 0; i-- {
		// So far Q is a matrix from row and column i+2 on, and the identity elsewhere.
		v, w, tau := q.Row(i)[i+1:], e.work[:n-2-i], e.tau[i]
		clear(q.Row(i + 1))
		if tau == 0 {
			clear(v)
		} else {
			clear(w)
			for k, x := range v {
				axpy(x, q.Row(i + 1 + k)[i+2:], w)
			}
			scale(v, -tau)
			for k, x := range v {
				axpy(x, w, q.Row(i + 1 + k)[i+2:])
			}
		}
		for k, x := range v {
			q.Data[(i+1+k)*n+i+1] = x
		}
		q.Data[(i+1)*n+i+1]++ // the diagonal of the identity
	}
	for i := range n {
		q.Data[i], q.Data[i*n] = 0, 0
	}
	q.Data[0] = 1
}

// diagonalize turns the tridiagonal matrix into a diagonal one by rotations, which it applies to the rows of e.vectors
// as well. It reports false if that takes more than 30 sweeps for each row; usually two suffice.
//
// These are LAPACK's variants of the QL and QR iterations (DSTEQR; Golub and Van Loan, section 8.3.3). Where a
// subdiagonal entry is negligible, the matrix falls into blocks. Each begins at the end with the smaller number,
// because small eigenvalues then come out with more digits: QL begins at the top, QR at the bottom, and one is the
// other with the indices counted backwards.
func (e *eigen) diagonalize() bool {
	d, n := e.values, len(e.values)
	for sweeps, from := 30*n, 0; from < n; {
		to := from
		for to < n-1 && math.Abs(e.subdiagonal[to]) >
			roundoff*(math.Sqrt(math.Abs(d[to]))*math.Sqrt(math.Abs(d[to+1]))) {
			to++
		}
		e.subdiagonal[to] = 0
		at, end, step := from, to, 1
		if math.Abs(d[to]) < math.Abs(d[from]) {
			at, end, step = to, from, -1
		}
		for (end-at)*step >= 0 {
			last := at
			for last != end && !e.negligible(last, last+step) {
				last += step
			}
			switch last {
			case at:
				at += step
			case at + step:
				e.solvePair(min(at, last))
				at += 2 * step
			default:
				if sweeps == 0 {
					return false
				}
				sweeps--
				e.sweep(at, last, step)
			}
		}
		from = to + 1
	}
	return true
}

// roundoff is the largest relative error of a rounded number.
const roundoff = 0x1p-53

// offDiagonal returns the off-diagonal entry of the neighbouring rows i and j.
func (e *eigen) offDiagonal(i, j int) *float64 { return &e.subdiagonal[min(i, j)] }

// negligible reports whether the off-diagonal entry of rows i and j counts as 0, and sets it
// to 0 if so.
func (e *eigen) negligible(i, j int) bool {
	b := e.offDiagonal(i, j)
	small := float64(roundoff*roundoff*math.Abs(e.values[i])*math.Abs(e.values[j])) + 0x1p-1022
	if float64(*b**b) > small {
		return false
	}
	*b = 0
	return true
}

// sweep takes one implicit step of QL or QR on the rows first … last, counted by
// step. The shift is the eigenvalue of the two rows at first that is nearer to the
// first one's entry (Wilkinson's), so that the entry between them vanishes fast.
func (e *eigen) sweep(first, last, step int) {
	d := e.values
	b := *e.offDiagonal(first, first+step)
	g := (d[first+step] - d[first]) / (2 * b)
	g = d[last] - d[first] + b/(g+math.Copysign(hypot(g, 1), g))
	cos, sin, p := 1.0, 1.0, 0.0
	for i := last; i != first; i -= step {
		next := i - step
		b := *e.offDiagonal(i, next)
		across, down := float64(sin*b), float64(cos*b)
		var r float64
		cos, sin, r = givens(g, across)
		if i != last {
			*e.offDiagonal(i, i+step) = r
		}
		g = d[i] - p
		r = float64((d[next]-g)*sin) + float64(2*cos*down)
		p = float64(sin * r)
		d[i] = g + p
		g = float64(cos*r) - down
		applyRotation(e.vectors.Row(next), e.vectors.Row(i), cos, sin)
	}
	d[first] -= p
	*e.offDiagonal(first, first+step) = g
}

// givens returns the rotation that takes (x, y) to (r, 0).
func givens(x, y float64) (cos, sin, r float64) {
	if y == 0 {
		return 1, 0, x
	}
	if x == 0 {
		return 0, math.Copysign(1, y), math.Abs(y)
	}
	if max(math.Abs(x), math.Abs(y)) < 0x1p-500 { // if their squares underflow
		cos, sin, r = givens(x*0x1p500, y*0x1p500)
		return cos, sin, r * 0x1p-500
	}
	length := norm(x, y)
	r = math.Copysign(length, x)
	return math.Abs(x) / length, y / r, r
}

// solvePair diagonalizes rows i and i+1, which are joined to no others, in closed
// form (LAPACK's DLAEV2). The eigenvalue of larger magnitude comes first, and the
// other from the determinant, where nothing cancels.
func (e *eigen) solvePair(i int) {
	a, b, c := e.values[i], e.subdiagonal[i], e.values[i+1]
	sum, difference := a+c, a-c
	root := hypot(difference, 2*b)
	large, small := a, c
	if math.Abs(a) <= math.Abs(c) {
		large, small = c, a
	}
	first, second := 0.5*root, -0.5*root
	if sum != 0 {
		first = 0.5 * (sum + math.Copysign(root, sum))
		second = float64(large/first*small) - float64(b/first*b)
	}
	var cos, sin float64
	if t := difference + math.Copysign(root, difference); math.Abs(t) > math.Abs(2*b) {
		cot := -2 * b / t
		sin = 1 / math.Sqrt(1+float64(cot*cot))
		cos = cot * sin
	} else {
		tan := -t / (2 * b)
		cos = 1 / math.Sqrt(1+float64(tan*tan))
		sin = tan * cos
	}
	if (sum < 0) == (difference < 0) {
		cos, sin = -sin, cos
	}
	e.values[i], e.values[i+1], e.subdiagonal[i] = first, second, 0
	applyRotation(e.vectors.Row(i+1), e.vectors.Row(i), cos, sin)
}

// lengthOf returns √Σ vᵢ². It divides by the largest |vᵢ| before squaring, so that
// no square overflows or vanishes.
func lengthOf(v []float64) float64 {
	var largest, sum float64
	for _, x := range v {
		largest = max(largest, math.Abs(x))
	}
	if largest == 0 {
		return 0
	}
	for _, x := range v {
		x /= largest
		sum += float64(x * x)
	}
	return float64(largest * math.Sqrt(sum))
}

// hypot returns √(x²+y²); like lengthOf, it neither overflows nor vanishes.
func hypot(x, y float64) float64 {
	x, y = math.Abs(x), math.Abs(y)
	if x < y {
		x, y = y, x
	}
	if x == 0 {
		return 0
	}
	y /= x
	return float64(x * math.Sqrt(1+float64(y*y)))
}
