package clusterer

import (
	"math"
	"slices"
)

// RobustMeans looks for k centres as [KMeans] does, in two ways that a few far points cannot spoil.
//
//   - With Medians it is k-medians: the distance is Σ|x − c|, and a centre is the median of each coordinate (Bradley,
//     Mangasarian and Street, NeurIPS 1996, algorithm 2.1).
//   - With Trim it is trimmed k-means: in each step the share Trim of the points that lie farthest from their centres is
//     left out of the means (Cuesta-Albertos, Gordaliza and Matrán, Annals of Statistics 25 (1997), 553-576). These points
//     still have the label of the nearest centre.
//
// Starts are k different points, drawn at random; a start like that of k-means++ would prefer far points. The zero value
// is k-means from such starts.
type RobustMeans struct {
	Medians    bool
	Trim       float64 // in [0, 1)
	Restarts   int     // number of starts; 0 means 50
	Iterations int     // maximum iterations per start; 0 means 100

	// The result of the last call, valid until the next.
	Labels    []int  // nearest centre of each point, the first on ties; −1 if it is not finite
	Kept      []bool // whether the point counted for its centre
	Centroids Matrix // k × Cols
	Inertia   float64

	finite  finitePoints
	centres Matrix
	labels  []int
	before  []int // labels of the last step, −1 if left out
	kept    []bool
	near    []float64 // distance of each point to its centre
	column  []float64
	drawn   []int
}

// Fit splits points into at most k clusters and keeps the start with the least sum of distances, squared unless Medians,
// over the points that are not left out; the first on ties. It panics if k < 1.
func (m *RobustMeans) Fit(points *Matrix, k int, r Rand) {
	points.check()
	if k < 1 {
		panic("clusterer: RobustMeans: k is less than 1")
	}
	all := points.Rows
	points = m.finite.of(points)
	for try := range orDefault(m.Restarts, 50) {
		m.seed(points, k, r)
		m.try(points, all, try == 0)
	}
}

// FitFrom iterates once from the given centres, which must have as many columns as points.
func (m *RobustMeans) FitFrom(points, start *Matrix) {
	points.check()
	start.check()
	all := points.Rows
	points = m.finite.of(points)
	m.centres.copyFrom(start)
	m.try(points, all, true)
}

// seed draws k different points, or all and copies of the first if there are fewer.
func (m *RobustMeans) seed(points *Matrix, k int, r Rand) {
	n := points.Rows
	m.centres.Reshape(k, points.Cols)
	clear(m.centres.Data)
	m.drawn = resize(m.drawn, n)
	for i := range m.drawn {
		m.drawn[i] = i
	}
	for c := range min(k, n) {
		at := c + r.IntN(n-c)
		m.drawn[c], m.drawn[at] = m.drawn[at], m.drawn[c]
	}
	for c := range k {
		if n > 0 {
			copy(m.centres.Row(c), points.Row(m.drawn[min(c, n-1)]))
		}
	}
}

// try iterates from m.centres, and keeps the result if it is the first or the best.
func (m *RobustMeans) try(points *Matrix, all int, first bool) {
	n := points.Rows
	m.labels, m.before, m.kept = resize(m.labels, n), resize(m.before, n), resize(m.kept, n)
	for i := range m.before {
		m.before[i] = -2
	}
	inertia := m.assign(points)
	for range orDefault(m.Iterations, 100) {
		if !m.changed() {
			break
		}
		m.move(points)
		inertia = m.assign(points)
	}
	if !first && !(inertia < m.Inertia) {
		return
	}
	m.Inertia = inertia
	m.Centroids.copyFrom(&m.centres)
	m.Labels, m.Kept = resize(m.Labels, all), resize(m.Kept, all)
	m.finite.spread(m.Labels, m.labels)
	at := 0
	for i, label := range m.Labels {
		if m.Kept[i] = label >= 0 && m.kept[at]; label >= 0 {
			at++
		}
	}
}

// assign labels points with their nearest centres, marks those that count, and returns the sum of their distances.
func (m *RobustMeans) assign(points *Matrix) (inertia float64) {
	m.near = resize(m.near, points.Rows)
	for i := range points.Rows {
		least := math.Inf(1)
		for k := range m.centres.Rows {
			if d := m.distance(points.Row(i), m.centres.Row(k)); d < least {
				m.labels[i], least = k, d
			}
		}
		m.near[i] = least
	}
	keep := points.Rows - int(m.Trim*float64(points.Rows))
	if keep == 0 {
		return 0
	}
	m.column = append(m.column[:0], m.near...)
	slices.Sort(m.column)
	limit, tied := m.column[keep-1], keep // of the points at the limit, the first count
	for _, d := range m.near {
		if d < limit {
			tied--
		}
	}
	for i, d := range m.near {
		if m.kept[i] = d < limit || d == limit && tied > 0; m.kept[i] {
			inertia += d
			if d == limit {
				tied--
			}
		}
	}
	return inertia
}

// distance returns the distance of a point and a centre, squared unless Medians.
func (m *RobustMeans) distance(x, centre []float64) float64 {
	if !m.Medians {
		return squaredDistance(x, centre)
	}
	sum := 0.0
	for j, v := range x {
		sum += math.Abs(v - centre[j])
	}
	return sum
}

// changed reports whether a label changed, or whether a point counts, since the last call.
func (m *RobustMeans) changed() (changed bool) {
	for i, label := range m.labels {
		if !m.kept[i] {
			label = -1
		}
		changed = changed || label != m.before[i]
		m.before[i] = label
	}
	return changed
}

// move sets each centre to the mean or the median of its points that count. A centre without any stays.
func (m *RobustMeans) move(points *Matrix) {
	for k := range m.centres.Rows {
		for j := range points.Cols {
			m.column = m.column[:0]
			for i, label := range m.before {
				if label == k {
					m.column = append(m.column, points.Row(i)[j])
				}
			}
			n := len(m.column)
			switch {
			case n == 0:
			case m.Medians:
				slices.Sort(m.column)
				m.centres.Row(k)[j] = (m.column[(n-1)/2] + m.column[n/2]) / 2
			default:
				sum := 0.0
				for _, v := range m.column {
					sum += v
				}
				m.centres.Row(k)[j] = sum / float64(n)
			}
		}
	}
}
