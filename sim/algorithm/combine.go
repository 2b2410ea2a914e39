package algorithm

import "flockscope/sim/kernel"

// combiner computes how much each of n clients should weight every other. Client j is known by a vector h_j and its
// variance v_j. The weights a of client i, not negative and with sum 1, minimise
//
//	Σ_j v_j a_j²  +  ‖h_i − Σ_j a_j h_j‖²
//
// which is FedPAC's aᵀ(diag(v) + D_i)a with D_i[j,k] = (h_i − h_j)·(h_i − h_k). In this form one matrix serves all
// clients, and it has no negative eigenvalue.
type combiner struct {
	n     int
	gram  []float64 // h_j·h_k
	v     []float64
	slope []float64 // gradient of half the objective
}

func newCombiner(most int) *combiner {
	return &combiner{gram: make([]float64, most*most), v: make([]float64, most), slope: make([]float64, most)}
}

// setFeatures sets h of the clients. The caller sets v.
func (c *combiner) setFeatures(h [][]float32) {
	c.n = len(h)
	c.gram = c.gram[:c.n*c.n]
	c.v = c.v[:c.n]
	kernel.Gram(c.gram, h)
}

// entry returns an entry of diag(v) + HHᵀ.
func (c *combiner) entry(j, k int) float64 {
	if j == k {
		return c.gram[j*c.n+k] + c.v[j]
	}
	return c.gram[j*c.n+k]
}

// weigh sets a to the weights of a client. It starts with all weight on the client itself. Each step moves weight
// between the two clients for which the objective falls most, by the optimal amount, until no move gains more than a
// millionth of the client's variance.
func (c *combiner) weigh(a []float64, own int) {
	const enough, steps = 1e-6, 100
	clear(a)
	slope := c.slope[:c.n]
	clear(slope)
	a[own], slope[own] = 1, c.v[own]
	for range steps * c.n {
		to, from := 0, own
		for j, s := range slope {
			if s < slope[to] {
				to = j
			}
			if a[j] > 0 && (a[from] == 0 || s > slope[from]) {
				from = j
			}
		}
		gain := slope[from] - slope[to]
		if gain <= enough*c.v[own] {
			return
		}
		move := a[from]
		if bend := c.entry(to, to) + c.entry(from, from) - 2*c.entry(to, from); move*bend > gain {
			move = gain / bend
			a[from] -= move
		} else {
			a[from] = 0
		}
		a[to] += move
		c.updateSlope(to, from, move)
	}
}

// updateSlope updates the slope after a move of weight. HHᵀ is exactly symmetric, so its rows are its columns.
func (c *combiner) updateSlope(to, from int, move float64) {
	slope, gain, loss := c.slope[:c.n], c.gram[to*c.n:][:c.n], c.gram[from*c.n:][:c.n]
	there := slope[to] + float64(move*(c.entry(to, to)-c.entry(to, from)))
	here := slope[from] + float64(move*(c.entry(from, to)-c.entry(from, from)))
	for j := range slope {
		slope[j] += float64(move * (gain[j] - loss[j]))
	}
	slope[to], slope[from] = there, here
}

// trim sets weights below a thousandth to 0 and scales the others to a sum of 1.
func trim(a []float64) {
	const least = 1e-3
	total := 0.0
	for j, w := range a {
		if w < least {
			a[j] = 0
		}
		total += a[j]
	}
	for j := range a {
		a[j] /= total
	}
}
