package algorithm

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"flockscope/sim/algorithm/internal/algotest"
	"flockscope/sim/fl"
)

// TestCombiner: what it finds is a minimum: the weights are convex, the slope is the
// same wherever there is weight, and nowhere less (Karush, Kuhn, Tucker).
func TestCombiner(t *testing.T) {
	c := newCombiner(40)
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 0))
		n, width := 1+r.IntN(40), 1+r.IntN(20)
		h := make([][]float32, n)
		for j := range h {
			h[j] = make([]float32, width)
			for k := range h[j] {
				h[j][k] = float32(j%3) + 0.2*float32(r.NormFloat64())
			}
		}
		c.setFeatures(h)
		for j := range c.v {
			c.v[j] = 0.01 + r.Float64()
		}
		a, own := make([]float64, n), r.IntN(n)
		c.weigh(a, own)
		sum, least := 0.0, math.Inf(1)
		slope := make([]float64, n) // of half of Σ v a² + ‖h_i − Σ a h‖², from its definition
		for j := range slope {
			slope[j] = c.v[j] * a[j]
			for k := range width {
				e := -float64(h[own][k])
				for m, w := range a {
					e += w * float64(h[m][k])
				}
				slope[j] += e * float64(h[j][k])
			}
			least, sum = min(least, slope[j]), sum+a[j]
		}
		for j, w := range a {
			if w < 0 || w > 0 && slope[j]-least > 1e-4*(1+c.v[own]) {
				t.Errorf("seed %d: client %d of %d has weight %v and slope %v, the least is %v", seed, j, n, w,
					slope[j], least)
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("seed %d: weights add up to %v", seed, sum)
		}
	}
}

// TestCombinerByHand: clients that look alike share by how certain they are, one
// that looks otherwise is on its own, and small weights go.
func TestCombinerByHand(t *testing.T) {
	c := newCombiner(3)
	c.setFeatures([][]float32{{1, 0}, {1, 0}, {-9, 5}})
	copy(c.v, []float64{0.1, 0.3, 0.2})
	a := make([]float64, 3)
	for own, want := range [][]float64{{0.75, 0.25, 0}, {0.75, 0.25, 0}, {0, 0, 1}} {
		c.weigh(a, own)
		trim(a)
		for j := range want {
			// The third is worth about v/distance² of a move: below a thousandth for the first two.
			if math.Abs(a[j]-want[j]) > 2e-3 {
				t.Errorf("client %d has weights %v, want %v", own, a, want)
				break
			}
		}
	}
	b := []float64{0.0009, 0.4, 0.5991}
	if trim(b); b[0] != 0 || math.Abs(b[1]-0.4/0.9991) > 1e-12 || math.Abs(b[1]+b[2]-1) > 1e-12 {
		t.Errorf("trim leaves %v", b)
	}
}

// TestFedPACStatistics: h and v of five samples by hand (spec 9.4, step 1).
func TestFedPACStatistics(t *testing.T) {
	d := newSeat(t)
	h, v := statistics(d, d.params)
	want := []float32{0.4 * 2, 0.4 * 3, 0, 0, 0.6 * 2, 0.6 * 1}
	for j := range want {
		if math.Abs(float64(h[j]-want[j])) > 1e-6 {
			t.Errorf("h = %v, want %v", h, want)
			break
		}
	}
	spread := 0.4*15 + 0.6*23./3 - 0.16*13 - 0.36*5
	if math.Abs(float64(v)-spread/5) > 1e-6 {
		t.Errorf("v = %v, want %v", v, spread/5)
	}
}

// TestFedPACClient: the head goes first, and alone; then the trunk, at the new head
// and with the pull.
func TestFedPACClient(t *testing.T) {
	d, device := newSeat(t), &alignClient{lambda: 2}
	size, low := d.net.Size(), d.net.Head().Lo
	inf := float32(math.Inf(1))
	for _, global := range [][]float32{nil, {0, 0, inf, inf, 1, 1}} {
		got := device.Do(nil, opAlign, global, d)
		want, between := make([]float32, size), slices.Clone(d.params)
		d.net.Gradient(want, d.params, d.batch)
		clear(want[:low])
		for j := low; j < size; j++ {
			between[j] -= 0.5 * want[j]
		}
		trunk := make([]float32, size)
		d.net.Toward(trunk, between, d.batch, global, 2)
		copy(want[:low], trunk)
		if !slices.Equal(got[:size], want) {
			t.Errorf("with %v: update %v, want %v", global, got[:size], want)
		}
		after := slices.Clone(between)
		for j := range low {
			after[j] -= 0.5 * want[j]
		}
		mine := classMeansOf(d, after)
		rest := mine.append([]float32{3, 2}, d)
		h, v := statistics(d, d.params)
		if rest = append(append(rest, h...), v); !slices.Equal(got[size:], rest) {
			t.Errorf("with %v: the answer ends in %v, want %v", global, got[size:], rest)
		}
	}
	if !slices.Equal(d.epochs, []int{1, 1}) {
		t.Errorf("the head is trained for %v epochs, want one each time", d.epochs)
	}
}

// TestFedPACServer: one trunk, by samples; heads by likeness. Two clients are alike
// and one is not; a model has a trunk of 1 and a head of 1.
func TestFedPACServer(t *testing.T) {
	r := algotest.NewRig(t, "fedpac", 3, 2, []int{1, 2, 5}, "lr=0.5")
	for i := range 3 {
		copy(r.Bank.Model(i), []float32{1, 1})
	}
	r.Answer = func(i int, _ *fl.Task, reply *fl.Reply) {
		shows := []float32{3, 3, -90}[i]
		reply.Answer = append(reply.Answer[:0], float32(i+1), float32(4*i), // an update
			1, 1, float32(i+1), shows, // one class of width 1, so many samples
			shows, 0.5) // h and v
	}
	r.Play(0)
	trunk := float32(1 - 0.5*(1*1+2*2+5*3)/8.)
	for i, head := range []float32{0, 0, -3} { // heads of 1 and −1 meet halfway
		if got := r.Bank.Model(i); got[0] != trunk || math.Abs(float64(got[1]-head)) > 0.02 {
			t.Errorf("model %d is %v, want about %v", i, got, []float32{trunk, head})
		}
	}
	if want := float32((1*3 + 2*3 - 3*90) / 6.); r.Server.(*fedpac).protos.means[0] != want {
		t.Errorf("the prototype is %v, want %v", r.Server.(*fedpac).protos.means[0], want)
	}
	if want := (fl.Traffic{Down: 3 * 2, Up: 3 * (2 + 1 + 1 + 1)}); r.Traffic != want {
		t.Errorf("traffic %+v, want %+v", r.Traffic, want)
	}
}
