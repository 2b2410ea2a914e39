package stats

import (
	"cmp"
	"math"
	"slices"

	"flockscope/sim/exact"
	"flockscope/sim/rng"
)

// Verdict is what a Bayesian signed-rank test says of two methods: how probable it is that the first is practically
// worse, practically equal, or practically better. The three sum to 1.
type Verdict struct{ Worse, Equal, Better float64 }

// Decided returns the probability from which a verdict says more than "not known".
const Decided = 0.95

const (
	posteriorDraws = 20000 // the standard error of a probability of 0.95 is 0.0015
	priorStrength  = 0.5   // of the observation of no difference that the prior adds
)

// SignedRanks is the Bayesian signed-rank test for differences on some cases: it draws their weights once, for all pairs
// of methods.
type SignedRanks struct {
	draws []float64 // for each draw a number for each case and, last, one for the prior; not normalised
	cases int
}

// NewSignedRanks makes a test for as many cases as there are strengths. A strength of 1 is that of an observation; cases
// that are alike, such as the k rows of a family, count as one of them if each has the strength 1/k.
func NewSignedRanks(strengths []float64) *SignedRanks {
	t := &SignedRanks{cases: len(strengths)}
	t.draws = make([]float64, 0, posteriorDraws*(t.cases+1))
	var s rng.Stream
	s.Reset(0, rng.Reports, 1, 0)
	for range posteriorDraws {
		for _, strength := range strengths {
			t.draws = append(t.draws, gamma(&s, strength))
		}
		t.draws = append(t.draws, gamma(&s, priorStrength))
	}
	return t
}

// Compare judges differences between the scores of two methods, one for each case, first minus second, where higher is
// better; differences that are NaN are left out. Methods that differ by at most rope are practically equal.
//
// The differences z₁ … z_n, and z₀ = 0 of the prior, have Dirichlet-distributed weights w. Two cases drawn by these
// weights speak for the first method if their mean is above rope: with probability
//
//	better = Σᵢ Σⱼ wᵢ wⱼ [zᵢ + zⱼ > 2·rope],
//
// and means at the edge of the region count half to either side. The verdict says how often in 20 000 draws of w each
// of the three probabilities is the largest. Benavoli, Corani, Demšar, Zaffalon: "Time for a Change: a Tutorial for
// Comparing Multiple Classifiers Through Bayesian Analysis", JMLR 18(77), 2017, section 4.2; the prior has the strength
// of half an observation, as there.
func (t *SignedRanks) Compare(differences []float64, rope float64) Verdict {
	z := make([]float64, 0, len(differences)+1)
	var place []int // of z in a draw
	for i, v := range differences {
		if !math.IsNaN(v) {
			z, place = append(z, v), append(place, i)
		}
	}
	z, place = append(z, 0), append(place, t.cases)
	order := make([]int, len(z))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(z[a], z[b]) })
	// For each difference: how many, in order, make a mean below and at each end of the region. Those before
	// cut[0] are below it, from cut[3] above.
	cuts := make([][4]int, len(z))
	for i := range order {
		for _, j := range order {
			sum, edge := Round(z[order[i]]+z[j]), Round(2*rope)
			for c, in := range [4]bool{sum < -edge, sum <= -edge, sum < edge, sum <= edge} {
				if in {
					cuts[i][c]++
				}
			}
		}
	}
	var out Verdict
	sums := make([]float64, len(z)+1) // of the weights, in order
	for draw := range posteriorDraws {
		w := t.draws[draw*(t.cases+1):]
		for i, at := range order {
			sums[i+1] = sums[i] + w[place[at]]
		}
		total := sums[len(z)]
		worse, better := 0.0, 0.0
		for i, at := range order {
			c, g := &cuts[i], w[place[at]]
			worse += float64(g * (sums[c[0]] + sums[c[1]]) / 2)
			better += float64(g * (total - (sums[c[2]]+sums[c[3]])/2))
		}
		equal := float64(total*total) - worse - better
		most := max(worse, equal, better)
		// Shares that are equal but for rounding share the draw, as those of no difference without a region do.
		tie := func(v float64) bool { return v > most-1e-12*float64(total*total) }
		n := 0.0
		for _, v := range [...]float64{worse, equal, better} {
			if tie(v) {
				n++
			}
		}
		for i, v := range [...]float64{worse, equal, better} {
			if tie(v) {
				*[...]*float64{&out.Worse, &out.Equal, &out.Better}[i] += 1 / n
			}
		}
	}
	out.Worse, out.Equal, out.Better = out.Worse/posteriorDraws, out.Equal/posteriorDraws, out.Better/posteriorDraws
	return out
}

// gamma returns a number from the gamma distribution with a shape and the scale 1: Marsaglia and Tsang, "A Simple Method
// for Generating Gamma Variables", ACM Transactions on Mathematical Software 26(3), 2000.
func gamma(s *rng.Stream, shape float64) float64 {
	if shape < 1 { // section 6
		u := s.Float64()
		for u == 0 {
			u = s.Float64()
		}
		return float64(gamma(s, shape+1) * exact.Exp(exact.Log(u)/shape))
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := s.Normal()
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = float64(float64(v*v) * v)
		u := s.Float64()
		if u == 0 || exact.Log(u) < float64(x*x)/2+d-float64(d*v)+float64(d*exact.Log(v)) {
			return float64(d * v)
		}
	}
}
