package partition

import (
	"math"
	"testing"

	"flockscope/sim/rng"
)

// stream is one for a test of its own.
func stream(seed uint64) *rng.Stream {
	var s rng.Stream
	s.Reset(seed, 39, 0, 0)
	return &s
}

// TestDirichletMoments compares means and variances with those of the Dirichlet
// distribution. A mean of n draws is off by more than 5 standard deviations once
// in a million; squares of numbers in [0, 1] vary no more than the numbers do.
func TestDirichletMoments(t *testing.T) {
	const draws = 20_000
	for seed, weights := range [][]float64{
		{1, 1, 1}, {0.5, 0.5, 0.5, 0.5}, {0.1, 0.1, 0.1, 0.1, 0.1}, {2, 1, 0.3, 0}, {30, 10}, {0.01, 0.02, 0.005}, {7},
	} {
		s := stream(uint64(seed))
		q, total := make([]float64, len(weights)), 0.0
		for _, w := range weights {
			total += w
		}
		sum, squares := make([]float64, len(weights)), make([]float64, len(weights))
		for range draws {
			dirichlet(q, weights, s)
			whole := 0.0
			for i, x := range q {
				if !(x >= 0 && x <= 1) {
					t.Fatalf("dirichlet(%v) has the share %v", weights, x)
				}
				mean := weights[i] / total
				whole += x
				sum[i] += x
				squares[i] += (x - mean) * (x - mean)
			}
			if math.Abs(whole-1) > 1e-12 {
				t.Fatalf("dirichlet(%v) sums to %v, want 1", weights, whole)
			}
		}
		for i, w := range weights {
			mean, variance := w/total, w*(total-w)/(total*total*(total+1))
			slack := 5 * math.Sqrt(variance/draws)
			if got := sum[i] / draws; math.Abs(got-mean) > slack+1e-12 {
				t.Errorf("dirichlet(%v): mean of share %d = %v, want %v ± %.2g", weights, i, got, mean, slack)
			}
			if got := squares[i] / draws; math.Abs(got-variance) > slack+1e-12 {
				t.Errorf("dirichlet(%v): variance of share %d = %v, want %v ± %.2g", weights, i, got, variance, slack)
			}
		}
	}
}

// TestGammaMoments: a gamma variable has its shape as mean and as variance.
func TestGammaMoments(t *testing.T) {
	const draws = 50_000
	for _, shape := range []float64{0.2, 0.7, 1, 3.5, 40} {
		s := stream(7)
		sum, squares := 0.0, 0.0
		for range draws {
			x := math.Exp(logGamma(shape, s))
			sum += x
			squares += (x - shape) * (x - shape)
		}
		if got, slack := sum/draws, 5*math.Sqrt(shape/draws); math.Abs(got-shape) > slack {
			t.Errorf("gamma(%v): mean %v, want %v ± %.2g", shape, got, shape, slack)
		}
		// The fourth central moment is 3a² + 6a.
		if got, slack := squares/draws, 5*math.Sqrt((2*shape*shape+6*shape)/draws); math.Abs(got-shape) > slack {
			t.Errorf("gamma(%v): variance %v, want %v ± %.2g", shape, got, shape, slack)
		}
	}
}

// TestPoissonMoments: so has a Poisson variable its mean.
func TestPoissonMoments(t *testing.T) {
	const draws = 50_000
	for _, mean := range []float64{0.01, 0.5, 3, 12, 60, 300} {
		s := stream(11)
		sum, squares := 0.0, 0.0
		for range draws {
			x := float64(poisson(mean, s))
			sum += x
			squares += (x - mean) * (x - mean)
		}
		if got, slack := sum/draws, 5*math.Sqrt(mean/draws); math.Abs(got-mean) > slack {
			t.Errorf("poisson(%v): mean %v, want %v ± %.2g", mean, got, mean, slack)
		}
		// The fourth central moment is m + 3m².
		if got, slack := squares/draws, 5*math.Sqrt((mean+2*mean*mean)/draws); math.Abs(got-mean) > slack {
			t.Errorf("poisson(%v): variance %v, want %v ± %.2g", mean, got, mean, slack)
		}
	}
}

func TestShuffleIsFair(t *testing.T) {
	const n, draws = 5, 20_000
	var at [n][n]int
	s := stream(3)
	for range draws {
		list := indices(n)
		shuffle(list, s)
		for place, v := range list {
			at[v][place]++
		}
	}
	slack := 5 * math.Sqrt(draws*(1./n)*(1-1./n))
	for v := range n {
		for place := range n {
			if got := float64(at[v][place]); math.Abs(got-draws/n) > slack {
				t.Errorf("%d is at place %d %v times of %d, want %d ± %.0f", v, place, got, draws, draws/n, slack)
			}
		}
	}
}

func TestCut(t *testing.T) {
	list := make([]int32, 10)
	tests := []struct {
		shares []float64
		want   []int
	}{
		{[]float64{1}, []int{10}},
		{[]float64{0.5, 0.5}, []int{5, 5}},
		{[]float64{0.25, 0.25, 0.5}, []int{2, 3, 5}},
		{[]float64{0, 1, 0}, []int{0, 10, 0}},
		{[]float64{0.3333, 0.3333, 0.3333}, []int{3, 3, 4}},
		{[]float64{0.99, 0.99}, []int{9, 1}},
	}
	for _, tt := range tests {
		for i, part := range cut(list, tt.shares) {
			if len(part) != tt.want[i] {
				t.Errorf("cut(10 samples, %v): part %d has %d, want %d", tt.shares, i, len(part), tt.want[i])
			}
		}
	}
}
