package hcfl

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"flockscope/sim/algorithm/internal/algotest"
	"flockscope/sim/fl"
	"flockscope/sim/model"
)

// normal is the density of a Gaussian with a diagonal covariance.
func normal(z, mean, variance []float32) float64 {
	p := 1.0
	for d := range z {
		off, v := float64(z[d]-mean[d]), float64(variance[d])
		p *= math.Exp(-off*off/(2*v)) / math.Sqrt(2*math.Pi*v)
	}
	return p
}

// twoOf are two Gaussians in the plane: of each the mean, and the variances.
var twoOf = []float32{0, 1, 1, 0.5, 2, -1, 0.25, 2}

// of returns mean and variances of Gaussian a of some.
func of(gaussians []float32, a, width int) (mean, variance []float32) {
	g := gaussians[2*a*width : 2*(a+1)*width]
	return g[:width], g[width:]
}

// someInputs are points in the plane.
func someInputs(n int) model.Batch {
	r := rand.New(rand.NewPCG(3, 3))
	b := model.Batch{X: make([]float32, 2*n), Y: make([]float32, n), N: n}
	for j := range b.X {
		b.X[j] = float32(r.NormFloat64()) + 0.5
	}
	return b
}

// TestJointByHand: γ_jab of a table of Gaussians and clusters, the new table, means
// and variances, against sums over all pairs in plain numbers.
func TestJointByHand(t *testing.T) {
	const n = 7
	b := someInputs(n)
	see := &inputDensity{width: 2, count: 2}
	omega, table := []float32{0.7, 0.3}, []float32{0.2, 0.8, 0.6, 0.4} // π_a|k, a row a cluster
	logL := [][]float32{{-1, -2, 0, -0.5, -3, -0.1, -1}, {-0.5, -0.5, -4, -1, 0, -2, -0.2}}

	var gamma [2][2][n]float64 // cluster, Gaussian
	var shareOf [2]float64     // Σ_k π_ak
	for j := range n {
		total := 0.0
		for k := range 2 {
			for a := range 2 {
				mean, variance := of(twoOf, a, 2)
				gamma[k][a][j] = float64(omega[k]) * float64(table[2*k+a]) * normal(b.X[2*j:2*j+2], mean,
					variance) * math.Exp(
					float64(logL[k][j]))
				total += gamma[k][a][j]
			}
		}
		for k := range 2 {
			for a := range 2 {
				gamma[k][a][j] /= total
				shareOf[a] += gamma[k][a][j] / n
			}
		}
	}

	o := clientDensity{inputDensity: see}
	o.begin(table, twoOf, []int{0, 1})
	o.project(b)
	o.logDensities()
	rows := [][]float32{append([]float32(nil), logL[0]...), append([]float32(nil), logL[1]...)}
	for k, row := range rows {
		o.addTo(row, k)
	}
	weights := append([]float32(nil), omega...)
	clientWise{}.weigh(rows, weights, nil, make([]float64, 2))
	learnt := append([]float32(nil), table...)
	for k := range 2 {
		o.share(learnt[2*k:2*k+2], rows[k], k)
	}
	fitted := o.fit(nil)

	const close = 2e-6
	for k := range 2 {
		for a := range 2 {
			sum := 0.0
			for j := range n {
				sum += gamma[k][a][j]
			}
			if got := float64(weights[k]) * float64(learnt[2*k+a]); math.Abs(got-sum/n) > close {
				t.Errorf("π of Gaussian %d and cluster %d is %v, want %v", a, k, got, sum/n)
			}
		}
	}
	for a := range 2 {
		told := fitted[5*a : 5*a+5]
		if math.Abs(float64(told[0])-shareOf[a]) > close {
			t.Errorf("Gaussian %d has %v of the samples, want %v", a, told[0], shareOf[a])
		}
		mean, variance := told[1:3], told[3:]
		for d := range 2 {
			m, s := 0.0, 0.0
			for j := range n {
				m += (gamma[0][a][j] + gamma[1][a][j]) * float64(b.X[2*j+d]) / (n * shareOf[a])
			}
			for j := range n {
				off := float64(b.X[2*j+d]) - m
				s += (gamma[0][a][j] + gamma[1][a][j]) * off * off / (n * shareOf[a])
			}
			if math.Abs(float64(mean[d])-m) > 10*close || math.Abs(float64(variance[d])-s) > 10*close {
				t.Errorf("Gaussian %d: mean %v and variance %v, want %v and %v", a, mean[d], variance[d], m, s)
			}
		}
	}
}

// TestDiscern: the weights of models for an input are what the Gaussians make of it,
// with the logarithm of π, as far off as the input may be; a cluster without weight
// has none anywhere.
func TestDiscern(t *testing.T) {
	b := someInputs(5)
	see, table, omega := &inputDensity{width: 2, count: 2}, []float32{0.2, 0.8, 0.5, 0.5, 0.6, 0.4}, []float32{0.7,
		0, 0.3}
	o := clientDensity{inputDensity: see}
	o.begin(table, twoOf, []int{0, 1, 2})
	o.project(b)
	o.logDensities()
	dst := make([]float32, 3*b.N)
	o.predictWeights(dst, omega, []int{0, 1, 2}, make([]float64, 3))
	for j := range b.N {
		var w [3]float64
		for k := range 3 {
			for a := range 2 {
				mean, variance := of(twoOf, a, 2)
				w[k] += float64(omega[k]) * float64(table[2*k+a]) * normal(b.X[2*j:2*j+2], mean, variance)
			}
		}
		for k := range 3 {
			if want := w[k] / (w[0] + w[1] + w[2]); math.Abs(float64(dst[k*b.N+j])-want) > 1e-6 {
				t.Errorf("sample %d: model %d weighs %v, want %v", j, k, dst[k*b.N+j], want)
			}
		}
	}
	for j := range b.X {
		b.X[j] *= 1e6
	}
	o.project(b)
	o.logDensities()
	o.predictWeights(dst, omega, []int{0, 1, 2}, make([]float64, 3))
	for j := range b.N {
		if sum := dst[j] + dst[b.N+j] + dst[2*b.N+j]; !(math.Abs(float64(sum)-1) < 1e-6) {
			t.Errorf("far off, sample %d has weights that add up to %v", j, sum)
		}
	}
}

// TestFitNothing: a Gaussian of no samples stays where it was.
func TestFitNothing(t *testing.T) {
	o := clientDensity{inputDensity: &inputDensity{count: 2}, across: 2, n: 2, gaussians: twoOf,
		shares: []float32{0, 0, 1, 1}, z: []float32{1, 1, 3, 5}}
	if got, want := o.fit(nil), []float32{0, 0, 1, 1, 0.5, 1, 2, 3, 1, 4}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestSight: few numbers are seen as they are, many through a matrix that is the
// same for everybody, and another with another seed.
func TestSight(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	b := model.Batch{X: make([]float32, 30), N: 2}
	for j := range b.X {
		b.X[j] = r.Float32()
	}
	see := func(width int, seed uint64) []float32 {
		o := clientDensity{inputDensity: &inputDensity{width: width, seed: seed}}
		o.project(b)
		return o.z
	}
	if few := see(15, 1); !slices.Equal(few, b.X) {
		t.Fatalf("15 numbers are seen as %v, want as they are", few)
	}
	z, again, elsewhere := see(4, 1), see(4, 1), see(4, 2)
	matrix, differ := make([]float32, 60), false
	(&inputDensity{seed: 1}).normals(matrix, 0)
	for j := range z {
		want := 0.0
		for d := range 15 {
			want += float64(b.X[j/4*15+d]) * float64(matrix[d*4+j%4]) / math.Sqrt(15)
		}
		if len(z) != 8 || math.Abs(float64(z[j])-want) > 1e-5 || z[j] != again[j] {
			t.Fatalf("seen are %v and %v, want %v in place %d", z, again, want, j)
		}
		differ = differ || z[j] != elsewhere[j]
	}
	if !differ {
		t.Error("another seed sees the same")
	}
}

// TestFedGMMLikelihood: while the models stand still, a round is an exact step of
// expectation maximisation: Σ log Σ_ab π_iab N_a(x) L_b(x, y) over all clients never
// falls. That takes the spread of the clients' means; a single client has none.
func TestFedGMMLikelihood(t *testing.T) {
	for _, tt := range []struct {
		samples []int
		words   []string
	}{
		{[]int{9}, nil},
		{[]int{9}, []string{"widen=1"}},
		{[]int{9, 20, 3}, []string{"widen=1", "m1=3"}},
		{[]int{40, 40}, []string{"widen=1", "m1=5", "dims=1"}},
	} {
		r := algotest.NewRig(t, "fedgmm", len(tt.samples), 1, tt.samples, append(tt.words, "K=2", "lr=0")...)
		copy(r.Bank.Params, []float32{0, 2})
		random := rand.New(rand.NewPCG(7, 7))
		var desks []*algotest.FakeClient
		for i, n := range tt.samples {
			b := model.Batch{X: make([]float32, n), Y: make([]float32, n), N: n}
			for j := range n {
				b.X[j] = float32(random.NormFloat64()+3*float64(i)) + 4*float32(j%2)
				b.Y[j] = b.X[j]*float32(2*((i+j)%2)) + float32(random.NormFloat64())
			}
			desks = append(desks, &algotest.FakeClient{Models: [][]float32{r.Bank.Model(0), r.Bank.Model(1)}, Batch: b})
		}
		r.Answer = func(i int, task *fl.Task, reply *fl.Reply) {
			reply.Answer = r.Device.Do(reply.Answer[:0], task.Call, task.With, desks[i])
		}
		server := r.Server.(*hcfl)
		last := math.Inf(-1)
		for round := range 40 {
			r.Play(round)
			sum, m1 := 0.0, server.inputs.count
			for _, d := range desks {
				losses := make([]float32, d.Batch.N)
				density := make([]float64, d.Batch.N)
				for k := range 2 {
					d.Model().Losses(losses, d.Models[k], d.Batch)
					for j, l := range losses {
						for a := range m1 {
							mean, variance := of(server.inputs.gaussians, a, 1)
							density[j] += float64(d.Own[1+k]) * float64(
								d.Own[3+k*m1+a]) * normal(d.Batch.X[j:j+1], mean, variance) * math.Exp(
								-float64(l),
							)
						}
					}
				}
				for _, p := range density {
					sum += math.Log(p)
				}
			}
			if sum < last-1e-4 {
				t.Fatalf("%v %v: round %d: the likelihood falls from %v to %v", tt.samples, tt.words, round, last, sum)
			}
			if round == 39 && !(sum > last-0.1) {
				t.Errorf("%v %v: still on its way at %v", tt.samples, tt.words, sum)
			}
			last = sum
		}
	}
}

// TestWiden: two clients with points at 0 and at 4 make one Gaussian around 2, which
// is narrow as the authors have it, and as wide as all points with what they are
// apart. Variances are about the mean that was sent then.
func TestWiden(t *testing.T) {
	for words, want := range map[string]float64{"widen=0": 0.25, "widen=1": 4.25} {
		r := algotest.NewRig(t, "fedgmm", 2, 1, []int{1, 3}, "K=1", words)
		r.Answer = func(i int, task *fl.Task, reply *fl.Reply) {
			if task.Call == emMoments {
				reply.Answer = []float32{1, 2, 8}
				return
			}
			reply.Answer = []float32{0, 0, 1, []float32{1, 1. / 3}[i], float32(4 * i), 0.25}
			if old := float64(task.With[1]); words == "widen=1" {
				off := float64(4*i) - old
				reply.Answer[5] += float32(off * off)
			}
		}
		r.Play(0)
		mean, variance := of(r.Server.(*hcfl).inputs.gaussians, 0, 1)
		if !algotest.Near(float64(mean[0]), 2) || !algotest.Near(float64(variance[0]), want) {
			t.Errorf("%s: mean %v and variance %v, want 2 and %v", words, mean[0], variance[0], want)
		}
	}
}
