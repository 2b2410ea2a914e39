package partition

import (
	"math"

	"flockscope/sim/exact"
	"flockscope/sim/rng"
)

// The purposes of this package's streams. The numbers are part of every
// result: never reuse or renumber one.
const (
	dealOrder   rng.Purpose = 20 // order of samples before they are divided; (turn, class or group)
	dealShares  rng.Purpose = 21 // share of each owner; (turn, try or client)
	splitPlan   rng.Purpose = 22 // class sets, writers, sizes; (which, 0)
	handOrder   rng.Purpose = 23 // order of a client's own samples; (client, 0)
	testOrder   rng.Purpose = 24 // test samples of one kind; (turn, kind)
	viewPlan    rng.Purpose = 25 // parameters of a client's view; (client, 0)
	viewDraw    rng.Purpose = 26 // one sample as one client sees it; (sample, client)
	conceptPlan rng.Purpose = 27 // a concept's labels; (concept, 0)
	noiseDraw   rng.Purpose = 28 // a wrong label; (sample, client)
)

// shuffle puts list into random order.
func shuffle[T any](list []T, s *rng.Stream) {
	for i := len(list) - 1; i > 0; i-- {
		j := s.IntN(i + 1)
		list[i], list[j] = list[j], list[i]
	}
}

// share returns part i of n consecutive parts of list, whose lengths differ by at most one.
func share[T any](list []T, i, n int) []T {
	return list[i*len(list)/n : (i+1)*len(list)/n]
}

// dirichlet fills dst with a draw from the Dirichlet distribution with the
// given weights, which are not negative and not all 0; where a weight is 0, so
// is the share. It is the normalised vector of gamma draws, formed from their
// logarithms, since with small weights most of them are too small for a float64.
func dirichlet(dst, weights []float64, s *rng.Stream) {
	most := math.Inf(-1)
	for i, w := range weights {
		dst[i] = math.Inf(-1)
		if w > 0 {
			dst[i] = logGamma(w, s)
		}
		most = max(most, dst[i])
	}
	sum := 0.0
	for i := range dst {
		dst[i] = exact.Exp(dst[i] - most)
		sum += dst[i]
	}
	for i := range dst {
		dst[i] /= sum
	}
}

// logGamma returns the logarithm of a draw from the gamma distribution of the
// given shape > 0 and scale 1: G. Marsaglia and W. W. Tsang, ACM Transactions on
// Mathematical Software 26 (2000), 363-372. A shape below 1 is drawn as a shape
// one larger, times U^(1/shape).
func logGamma(shape float64, s *rng.Stream) float64 {
	boost := 0.0
	if shape < 1 {
		boost = exact.Log(1-s.Float64()) / shape
		shape++
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := s.Normal()
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = v * v * v
		logV := exact.Log(v)
		limit := float64(x*x/2) + d - float64(d*v) + float64(d*logV)
		if exact.Log(1-s.Float64()) < limit {
			return exact.Log(d) + logV + boost
		}
	}
}

// poisson returns a draw from the Poisson distribution with a mean of at most
// 100, by inversion: the least n whose cumulated probability exceeds a uniform
// number. Above a mean of 100 the quantile is that of its Cornish-Fisher expansion, rounded.
func poisson(mean float64, s *rng.Stream) int {
	if mean > 100 {
		z := s.Normal()
		return max(0, int(mean+float64(math.Sqrt(mean)*z)+float64((float64(z*z)-1)/6)+.5))
	}
	u := s.Float64()
	p := exact.Exp(-mean)
	sum := p
	n := 0
	// Rounding may keep the sum below the largest uniform numbers; the loop ends when a term no
	// longer changes the sum.
	for u >= sum && p > 0x1p-80*sum {
		n++
		p = float64(p * (mean / float64(n)))
		sum += p
	}
	return n
}
