package theory

import (
	"math"

	"flockscope/clusterer"
)

// SquareRootLoss returns α(θ, θ*) = √(‖θ − θ*‖² + σ²), to which the square root of a client's loss on a model comes
// close with many samples.
func SquareRootLoss(model, best []float64, sigma float64) float64 {
	sum := sigma * sigma
	for j, x := range model {
		off := x - best[j]
		sum += float64(off * off)
	}
	return math.Sqrt(sum)
}

// LossCentres returns the loss vectors c_k that the groups have in the limit of many samples: a row for each group, a
// column for each model.
func LossCentres(models, best [][]float64, sigma float64) *clusterer.Matrix {
	m := &clusterer.Matrix{}
	m.Reshape(len(best), len(models))
	for k, star := range best {
		for j, model := range models {
			m.Row(k)[j] = SquareRootLoss(model, star, sigma)
		}
	}
	return m
}

// LeastDistance returns the least distance of two rows, infinite with fewer than two.
func LeastDistance(m *clusterer.Matrix) float64 {
	_, least := GradientGaps(m, max(m.Cols, 1))
	return least
}

// SeparationOrthonormal is Lemma A.1: with as many orthonormal models as inputs, loss vectors of two groups are at least
// Δ/√(4 + σ²) apart.
func SeparationOrthonormal(delta, sigma float64) float64 {
	return delta / math.Sqrt(4+float64(sigma*sigma))
}

// SeparationProximal is Lemma A.2: with one model for each group, within Δ/4 of its best one, they are at least
// √2·(3 − √2)/4·Δ apart, which is more than Δ/2. The proof takes σ for at most Δ/4.
func SeparationProximal(delta float64) float64 { return math.Sqrt2 * (3 - math.Sqrt2) / 4 * delta }

// Proximity returns both sides of the condition of Theorem A.9, from which it follows that one run of k-means is right:
// of all clients and all other groups the least ‖a − c_other‖ − ‖a − c_own‖, and the largest (K/m_i + K/m_j)·‖A − C‖,
// without the constant c′, which the paper calls large. vectors has a row for each client.
func Proximity(vectors, centres *clusterer.Matrix, group []int) (margin, asked float64) {
	size := make([]float64, centres.Rows)
	off := clusterer.Matrix{}
	off.Reshape(vectors.Rows, vectors.Cols)
	for i, g := range group {
		size[g]++
		for j, v := range vectors.Row(i) {
			off.Row(i)[j] = v - centres.Row(g)[j]
		}
	}
	norm, k := SpectralNorm(&off), float64(centres.Rows)
	margin = math.Inf(1)
	for i, g := range group {
		own := SquareRootLoss(vectors.Row(i), centres.Row(g), 0)
		for h := range size {
			if h != g && size[h] > 0 {
				margin = min(margin, SquareRootLoss(vectors.Row(i), centres.Row(h), 0)-own)
				asked = max(asked, float64((k/size[g]+k/size[h])*norm))
			}
		}
	}
	return margin, asked
}

// SpectralNorm returns the largest singular value of a matrix.
func SpectralNorm(m *clusterer.Matrix) float64 {
	var s clusterer.Spectral
	var none clusterer.Matrix
	if s.Fit(&none, m, 0); len(s.Values) == 0 {
		return 0
	}
	return s.Values[0]
}

// LearningRate is η that CLoVE's Lemma A.13 sets, ½·(1 − Δ/12).
func LearningRate(delta float64) float64 { return (1 - delta/12) / 2 }

// Decay is the factor by which the error of a model shrinks in a round while clusters are right, |1 − 2η| (Corollary
// A.14), apart from what is added by samples: Δ/12 at the rate of the lemma, and so c₁ of Theorem 4.2 is 12/Δ.
func Decay(rate float64) float64 { return math.Abs(1 - 2*rate) }
