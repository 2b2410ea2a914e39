package grouping

import "flockscope/clusterer"

// Means are the mean points of the clients of each model. Newcomers get the model with the nearest mean.
type Means struct {
	At    clusterer.Matrix // one row per model
	count []int            // number of clients of each model
}

// Fit computes the means over the clients i with in[i].
func (m *Means) Fit(points *clusterer.Matrix, label []int, models int, in func(i int) bool) {
	m.At.Reshape(models, points.Cols)
	clear(m.At.Data)
	m.count = make([]int, models)
	for i, k := range label {
		if !in(i) {
			continue
		}
		m.count[k]++
		mean := m.At.Row(k)
		for j, v := range points.Row(i) {
			mean[j] += v
		}
	}
	for k, n := range m.count {
		mean := m.At.Row(k)
		for j := range mean {
			mean[j] /= float64(max(n, 1))
		}
	}
}

// Nearest returns the model with the nearest mean, the first on ties, among models that have clients.
func (m *Means) Nearest(point []float64) int {
	best, least := 0, -1.0
	for k, n := range m.count {
		if n == 0 {
			continue
		}
		d := 0.0
		for j, v := range m.At.Row(k) {
			e := point[j] - v
			d += float64(e * e)
		}
		if least < 0 || d < least {
			best, least = k, d
		}
	}
	return best
}
