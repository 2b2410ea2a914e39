package theory

import (
	"math"

	"flockscope/clusterer"
	"flockscope/sim/exact"
)

// MisplacedBound returns the bound (18) of CFL-GP on the number of misplaced clients,
//
//	|W| ≤ 128·K·‖E‖² / Δg²
//
// from the spectral norm of the gradient noise and the gap between groups. It holds with either gap of [GradientGaps].
func MisplacedBound(models int, noise, gap float64) float64 {
	ratio := noise / gap
	return float64(128 * float64(models) * ratio * ratio)
}

// GradientGaps returns the least distances of two groups, given the mean gradients of each group as rows of models ×
// width numbers: block is that of Assumption 3, the least one over the blocks of single models, and whole that of
// equation (20), over entire rows, which is all that the proof of (18) needs. With fewer than two groups both are
// infinite.
func GradientGaps(groups *clusterer.Matrix, width int) (block, whole float64) {
	block, whole = math.Inf(1), math.Inf(1)
	for g := range groups.Rows {
		for h := range g {
			a, b, all := groups.Row(g), groups.Row(h), 0.0
			for from := 0; from < len(a); from += width {
				sum := 0.0
				for j := from; j < from+width; j++ {
					off := a[j] - b[j]
					sum += float64(off * off)
				}
				block, all = min(block, sum), all+sum
			}
			whole = min(whole, all)
		}
	}
	return math.Sqrt(block), math.Sqrt(whole)
}

// Setting has the constants that CFL-GP's theorems are about.
type Setting struct {
	Clients, Models, Period, Batch int     // C, K, P and b
	Size                           int     // d, parameters of a model
	Smallest                       float64 // ρ: the smallest group's share of the clients
	Noise                          float64 // v: the root mean square noise of the gradient of one sample, at most
	Convexity, Smoothness          float64 // μ and L: the least and the largest curvature of a group's risk
	Norm                           float64 // ω: no model is longer
	Gap                            float64 // Δg
}

// Lambda returns λ of Theorem 1, (96√2·ζ′)² + 1 with ζ′ = 4 + ζ, where ζ ≥ 0 is the constant of Lemma 5, whose value
// nobody gives. So λ is at least 294 913.
func Lambda(zeta float64) float64 {
	root := 96 * math.Sqrt2 * (4 + zeta)
	return float64(root*root) + 1
}

// Updates returns T_a, how often each block of the gradient profile has been updated at the beginning of round t at
// least: ⌊(t − 1)/KP⌋.
func (s *Setting) Updates(t int) int { return (t - 1) / (s.Models * s.Period) }

// AssumesEnough reports whether the first assumption holds: Cρ ≥ 2, and Kd ≥ C ≥ (log Kd)^(3/2).
func (s *Setting) AssumesEnough() bool {
	c, all := float64(s.Clients), float64(s.Models*s.Size)
	return c*s.Smallest >= 2 && all >= c && c >= power(all)
}

// power returns (log x)^(3/2).
func power(x float64) float64 {
	l := exact.Log(x)
	return l * math.Sqrt(l)
}

// ExpectedNoise returns the bound (73) on the mean of ‖E‖ after each block was updated so often, with ζ of Lemma 5.
func (s *Setting) ExpectedNoise(updates int, zeta float64) float64 {
	one := s.Noise / math.Sqrt(float64(updates*s.Batch))
	return one * (2*math.Sqrt(float64(s.Clients)) + 2*math.Sqrt(float64(s.Models)) +
		float64(zeta*power(float64(s.Models*s.Size))))
}

// MisplacedShare returns the bound of Lemma 1 on the share of misplaced clients in round t, with a probability of 1 − δ:
// (18) with Lemma 3, as in (22), and (73) divided by δ for ‖E‖.
func (s *Setting) MisplacedShare(t int, delta, zeta float64) float64 {
	return MisplacedBound(s.Models, s.ExpectedNoise(s.Updates(t), zeta)/delta, s.Gap) / float64(s.Clients)
}

// FirstRound returns the round after which Theorem 1 says something.
func (s *Setting) FirstRound(delta, lambda float64) float64 {
	k, p := float64(s.Models), float64(s.Period)
	return float64(lambda*k*k*p*float64(s.Clients)*s.Noise*s.Noise)/
		(delta*delta*s.Gap*s.Gap*s.Smallest*float64(s.Batch)) + float64(k*p) + 1
}

// LastClustering returns the round T_cl after which Proposition 1 lets clustering end.
func (s *Setting) LastClustering(delta, lambda float64) float64 {
	k, c := float64(s.Models), float64(s.Clients)
	updates := lambda*k*c*c*s.Noise*s.Noise/(delta*delta*s.Gap*s.Gap*float64(s.Batch)) + 1
	return float64(updates*k*float64(s.Period)) + 1
}

// Contraction returns the factor of (4) by which the error of a model shrinks in a round, √(1 − 3ρμL/(μ+L)²).
func (s *Setting) Contraction() float64 {
	sum := s.Convexity + s.Smoothness
	return math.Sqrt(1 - float64(3*s.Smallest*s.Convexity*s.Smoothness)/float64(sum*sum))
}

// ErrorRate returns ε of (5), what a round adds to the error with a probability of 1 − δ; infinite in rounds in which
// the theorem says nothing.
func (s *Setting) ErrorRate(t int, delta, lambda float64) float64 {
	k, c, b, v := float64(s.Models), float64(s.Clients), float64(s.Batch), s.Noise
	updates, sum := float64(s.Updates(t)), s.Convexity+s.Smoothness
	noise := v * v / (delta * delta * updates * b)
	left := 1 - float64(lambda*k*c*noise)/(4*s.Smallest*s.Gap*s.Gap)
	if updates < 1 || left <= 0 {
		return math.Inf(1)
	}
	noisy := 6 * v / (delta * sum * math.Sqrt(b*c*s.Smallest*left))
	wrong := lambda * s.Smoothness * s.Norm * k * c * noise / (sum * s.Gap * s.Gap)
	others := 3 * math.Sqrt(lambda) * k * k * v * v / (sum * delta * delta * s.Gap * math.Sqrt(updates) * b)
	return noisy + wrong + others
}

// OptimalRate is the limit of [Setting.ErrorRate] (Remark 3), which goes with 1/√(bC).
func (s *Setting) OptimalRate(delta float64) float64 {
	return 6 * s.Noise / (delta * (s.Convexity + s.Smoothness) * math.Sqrt(float64(s.Batch*s.Clients)*s.Smallest))
}

// MeasuredRate returns what (57), from which (5) follows, lets a round add to the error, given ‖E‖ as it was: no
// unknown constant is left. δ is shared out as below (59). It is infinite while (18) does not exclude that a model
// loses all of its clients.
func (s *Setting) MeasuredRate(delta, noise float64) float64 {
	k, c, b := float64(s.Models), float64(s.Clients), float64(s.Batch)
	wrong, sum := MisplacedBound(s.Models, noise, s.Gap), s.Convexity+s.Smoothness
	left := float64(c*s.Smallest) - wrong
	if left <= 0 {
		return math.Inf(1)
	}
	first, others := delta/3, delta/(3*max(k-1, 1))
	own := 2 * s.Noise / (first * sum * math.Sqrt(b*left))
	return own + float64(4*s.Smoothness*s.Norm*wrong/(sum*c)) +
		float64(2*math.Sqrt(128)*k*s.Noise*noise/(sum*s.Gap*c*others*math.Sqrt(b)))
}
