package kernel

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"
)

// A fence hands out slices with a strip of a known number on either side, to
// find out who writes beyond the end.
type fence struct {
	*rand.Rand
	wild  bool // with infinities, and numbers that are none
	whole [][]float32
}

const (
	strip = 16
	post  = float32(12345)
)

var negativeZero = float32(math.Copysign(0, -1))

func newFence(seed, n uint64) *fence { return &fence{Rand: rand.New(rand.NewPCG(seed, n))} }

func newWildFence(seed, n uint64) *fence {
	f := newFence(seed, n)
	f.wild = true
	return f
}

// numbers returns n numbers around 0, some of them 0 or −0 and a few large or small.
func (f *fence) numbers(n int) []float32 {
	x := make([]float32, strip+n+strip)
	for i := range x {
		x[i] = post
	}
	f.whole = append(f.whole, x)
	x = x[strip : strip+n : strip+n]
	for i := range x {
		x[i] = float32(f.Float64() + f.Float64() - 1)
		switch f.IntN(32) {
		case 0, 1:
			x[i] = 0
		case 4, 5:
			x[i] = negativeZero
		case 2:
			x[i] *= 1000
		case 3:
			x[i] *= 1e-30
		case 6:
			if f.wild {
				x[i] = float32(math.Inf(1 - 2*f.IntN(2)))
			}
		case 7:
			if f.wild {
				x[i] = float32(math.NaN())
			}
		}
	}
	return x
}

// size returns a length: mostly short, to meet all tails, sometimes longer.
func (f *fence) size() int {
	if f.IntN(8) == 0 {
		return f.IntN(700)
	}
	return f.IntN(40)
}

func (f *fence) check(t *testing.T) {
	t.Helper()
	for _, x := range f.whole {
		for i := range strip {
			if x[i] != post || x[len(x)-1-i] != post {
				t.Fatalf("a slice of %d elements was written outside", len(x)-2*strip)
			}
		}
	}
}

// An operation runs one loop of a set on random data of random sizes and
// returns what it computed.
type operation struct {
	name string
	run  func(s *set, f *fence) []float32
}

var operations = []operation{
	{"MatMul", func(s *set, f *fence) []float32 { return multiply(f, s.matMul) }},
	{"MatMulTN", func(s *set, f *fence) []float32 { return multiply(f, s.matMulTN) }},
	{"MatMulNT", func(s *set, f *fence) []float32 { return multiply(f, s.matMulNT) }},
	{"MatMul of pictures", func(s *set, f *fence) []float32 { return multiplyPictures(f, s.matMul, false) }},
	{"MatMulTN of pictures", func(s *set, f *fence) []float32 { return multiplyPictures(f, s.matMulTN, true) }},
	{"MatMulNT of pictures", func(s *set, f *fence) []float32 { return multiplyPictures(f, s.matMulNT, false) }},
	{"AddBias", func(s *set, f *fence) []float32 {
		rows, cols := f.IntN(10), f.size()
		x := f.numbers(rows * cols)
		s.addBias(x, f.numbers(cols), rows, cols)
		return x
	}},
	{"AddBiasPlanes", func(s *set, f *fence) []float32 {
		rows, cols := f.IntN(10), f.size()
		x := f.numbers(rows * cols)
		s.addBiasPlanes(x, f.numbers(rows), rows, cols)
		return x
	}},
	{"SumRows", func(s *set, f *fence) []float32 {
		rows, cols := f.IntN(10), f.size()
		dst := f.numbers(cols)
		s.sumRows(dst, f.numbers(rows*cols), rows, cols)
		return dst
	}},
	{"SumPlanes", func(s *set, f *fence) []float32 {
		rows, cols := f.IntN(10), f.size()
		dst := f.numbers(rows)
		s.sumPlanes(dst, f.numbers(rows*cols), rows, cols)
		return dst
	}},
	{"Relu", func(s *set, f *fence) []float32 {
		x := f.numbers(f.size())
		s.relu(x)
		return x
	}},
	{"ReluBack", func(s *set, f *fence) []float32 {
		n := f.size()
		d := f.numbers(n)
		s.reluBack(d, f.numbers(n))
		return d
	}},
	{"Sigmoid", func(s *set, f *fence) []float32 {
		x := f.numbers(f.size())
		for i := range x {
			x[i] *= 20
		}
		s.sigmoid(x)
		return x
	}},
	{"SigmoidBack", func(s *set, f *fence) []float32 {
		n := f.size()
		d := f.numbers(n)
		s.sigmoidBack(d, f.numbers(n))
		return d
	}},
	{"SoftmaxCross", func(s *set, f *fence) []float32 {
		rows, cols := f.IntN(10), 1+f.IntN(20)
		logits, labels := f.numbers(rows*cols), f.numbers(rows)
		for i := range labels {
			labels[i] = float32(f.IntN(cols))
		}
		loss, alone, grad := f.numbers(rows), f.numbers(rows), f.numbers(rows*cols)
		s.softmaxCross(loss, grad, logits, labels, rows, cols)
		s.softmaxCross(alone, nil, logits, labels, rows, cols)
		s.softmaxCross(loss, logits, logits, labels, rows, cols) // in place
		return join(loss, alone, grad, logits)
	}},
	{"Squared", func(s *set, f *fence) []float32 {
		rows, cols := f.IntN(10), 1+f.size()
		out, want := f.numbers(rows*cols), f.numbers(rows*cols)
		loss, alone, grad := f.numbers(rows), f.numbers(rows), f.numbers(rows*cols)
		s.squared(loss, grad, out, want, rows, cols)
		s.squared(alone, nil, out, want, rows, cols)
		s.squared(loss, out, out, want, rows, cols) // in place
		return join(loss, alone, grad, out)
	}},
	{"Im2Col", func(s *set, f *fence) []float32 {
		g := f.grid()
		dst := f.numbers(g.columns())
		s.im2Col(dst, f.numbers(g.image()), g)
		return dst
	}},
	{"Col2Im", func(s *set, f *fence) []float32 {
		g := f.grid()
		dst := f.numbers(g.image())
		s.col2Im(dst, f.numbers(g.columns()), g)
		return dst
	}},
	{"MaxPool2", func(s *set, f *fence) []float32 {
		planes, height, width := f.IntN(4), f.IntN(8), f.IntN(30)
		dst := f.numbers(planes * (height / 2) * (width / 2))
		s.maxPool2(dst, f.digits(planes*height*width), planes, height, width)
		return dst
	}},
	{"MaxPool2Back", func(s *set, f *fence) []float32 {
		planes, height, width := f.IntN(4), f.IntN(8), f.IntN(30)
		dsrc, ddst := f.numbers(planes*height*width), f.numbers(planes*(height/2)*(width/2))
		s.maxPool2Back(dsrc, ddst, f.digits(planes*height*width), planes, height, width)
		return dsrc
	}},
	{"Axpy", func(s *set, f *fence) []float32 {
		n := f.size()
		y := f.numbers(n)
		s.axpy(y, 0.3, f.numbers(n))
		return y
	}},
	{"Lerp", func(s *set, f *fence) []float32 {
		n := f.size()
		y := f.numbers(n)
		s.lerp(y, 0.3, f.numbers(n))
		return y
	}},
	{"Scale", func(s *set, f *fence) []float32 {
		y := f.numbers(f.size())
		s.scale(y, 0.3)
		return y
	}},
	{"Accumulate", func(s *set, f *fence) []float32 {
		n := f.size()
		sum := make([]float64, n)
		for range 3 {
			s.accumulate(sum, 1./3, f.numbers(n))
		}
		return halves(sum)
	}},
	{"Shades", func(s *set, f *fence) []float32 {
		src := make([]uint8, f.size())
		for i := range src {
			src[i] = uint8(f.IntN(256))
		}
		x := f.numbers(len(src))
		s.shades(x, src)
		return x
	}},
	{"Gather", func(s *set, f *fence) []float32 {
		x, y, at := f.numbers(f.size()), f.numbers(1+f.size()), []uint16(nil)
		for range x {
			at = append(at, uint16(f.IntN(len(y))))
		}
		s.gather(x, y, at)
		return x
	}},
	{"Trunc", func(s *set, f *fence) []float32 {
		x := f.numbers(f.size())
		s.trunc(x, 1000)
		return x
	}},
	{"Descend", func(s *set, f *fence) []float32 {
		n := f.size()
		params, sum := f.numbers(n), make([]float64, n)
		s.accumulate(sum, 1./3, f.numbers(n))
		s.descend(params, sum, 0.1, 3)
		return params
	}},
	{"Momentum", func(s *set, f *fence) []float32 {
		n := f.size()
		params, velocity := f.numbers(n), f.numbers(n)
		s.momentum(params, velocity, f.numbers(n), 0.1, 0.9)
		return join(params, velocity)
	}},
	{"Adam", func(s *set, f *fence) []float32 {
		n := f.size()
		params, m, v := f.numbers(n), f.numbers(n), f.numbers(n)
		for i := range v {
			v[i] = float32(math.Abs(float64(v[i])))
		}
		s.adam(params, m, v, f.numbers(n), adamStep{0.9, 0.1, 0.999, 0.001, 0.01, 0.5, 1e-8})
		return join(params, m, v)
	}},
	{"Dot", func(s *set, f *fence) []float32 {
		n := f.size()
		return halves([]float64{s.dot(f.numbers(n), f.numbers(n))})
	}},
	{"Gram", func(s *set, f *fence) []float32 {
		rows, n := make([][]float32, f.IntN(9)), f.size()
		if f.IntN(4) == 0 {
			n += 2000 // beyond one stretch of gramTiles
		}
		for i := range rows {
			rows[i] = f.numbers(n)
		}
		dst := make([]float64, len(rows)*len(rows))
		s.gram(dst, rows)
		return halves(dst)
	}},
}

func multiply(f *fence, product func(c, a, b []float32, m, k, n int, add bool)) []float32 {
	m, k, n := f.IntN(30), f.size(), f.size()
	c, d, a, b := f.numbers(m*n), f.numbers(m*n), f.numbers(m*k), f.numbers(k*n)
	product(c, a, b, m, k, n, false)
	product(d, a, b, m, k, n, true)
	return join(c, d)
}

// multiplyPictures is multiply for an a that is 0 nearly everywhere, at times in
// whole blocks. The sums that it goes on from are sums that began at 0.
func multiplyPictures(f *fence, product func(c, a, b []float32, m, k, n int, add bool), turned bool) []float32 {
	m, k, n := f.IntN(80), f.size(), 24+f.size()
	c, d, a, b := f.numbers(m*n), f.numbers(m*n), f.numbers(m*k), f.numbers(k*n)
	zeros, block := f.Float64(), 1<<f.IntN(4)
	for low := 0; low < m; low += block {
		for p := range k {
			if f.Float64() >= zeros {
				continue
			}
			for i := low; i < min(low+block, m); i++ {
				at := i*k + p
				if turned {
					at = p*m + i
				}
				a[at] = []float32{0, negativeZero}[f.IntN(2)]
			}
		}
	}
	for i := range d {
		d[i] += 0
	}
	product(c, a, b, m, k, n, false)
	product(d, a, b, m, k, n, true)
	return join(c, d)
}

func (f *fence) grid() grid {
	k := 1 + f.IntN(5)
	return newGrid(f.IntN(3), k+f.IntN(6), k+f.IntN(20), k)
}

// digits returns numbers among which there are many equals, and both zeros.
func (f *fence) digits(n int) []float32 {
	x := f.numbers(n)
	for i := range x {
		if x[i] != 0 {
			x[i] = float32(f.IntN(3) - 1)
		}
	}
	return x
}

func join(parts ...[]float32) []float32 {
	var all []float32
	for _, x := range parts {
		all = append(all, x...)
	}
	return all
}

// halves returns the bits of float64 numbers as those of pairs of float32.
func halves(x []float64) []float32 {
	var all []float32
	for _, v := range x {
		if v != v {
			v = math.NaN() // of one payload
		}
		bits := math.Float64bits(v)
		all = append(all, math.Float32frombits(uint32(bits>>32)), math.Float32frombits(uint32(bits)))
	}
	return all
}

// compared are the sets that this machine can run: the one in use comes first.
var compared = []*set{active}

// TestSameBits: each set computes, to the bit, what portable Go computes, and
// neither writes beyond a slice.
func TestSameBits(t *testing.T) { testSameBits(t, newFence) }

// TestSameBitsWild: so it does with infinities and numbers that are none, but
// for the payload of the latter.
func TestSameBitsWild(t *testing.T) { testSameBits(t, newWildFence) }

func testSameBits(t *testing.T, newFence func(seed, n uint64) *fence) {
	for _, s := range compared {
		t.Run(s.name, func(t *testing.T) { s.testSameBits(t, newFence) })
	}
}

func (s *set) testSameBits(t *testing.T, newFence func(seed, n uint64) *fence) {
	rounds := uint64(300)
	if testing.Short() {
		rounds = 60
	}
	for _, op := range operations {
		t.Run(op.name, func(t *testing.T) {
			for n := range rounds {
				f, g := newFence(1, n), newFence(1, n)
				got, want := op.run(s, f), op.run(&portable, g)
				if f.wild {
					unify(got)
					unify(want)
				}
				f.check(t)
				g.check(t)
				for i := range want {
					if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
						t.Fatalf("seed 1, %d: element %d of %d = %v (%#x), want %v (%#x)", n, i, len(want),
							got[i], math.Float32bits(got[i]), want[i], math.Float32bits(want[i]))
					}
				}
			}
		})
	}
}

// TestEdges: so it does where the tiles, panels and pieces of products end.
func TestEdges(t *testing.T) {
	products := func(s *set) []func(c, a, b []float32, m, k, n int, add bool) {
		return []func(c, a, b []float32, m, k, n int, add bool){s.matMul, s.matMulTN, s.matMulNT}
	}
	widths := []int{1, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 40, 47, 48, 49, 63, 64, 65, 79, 80, 81, 95, 96, 97,
		112, 113}
	depths := []int{1, 2, 7, 8, 9, 63, 64, 65, 111, 112, 113, 224, 225, 256, 257}
	for _, s := range compared {
		for m := 1; m <= 25; m++ {
			for _, n := range widths {
				k := depths[(m+n)%len(depths)]
				f := newFence(uint64(m), uint64(n))
				a, b, got, want := f.numbers(m*k), f.numbers(k*n), f.numbers(m*n), make([]float32, m*n)
				for form, product := range products(s) {
					for _, add := range []bool{false, true} {
						copy(want, got)
						product(got, a, b, m, k, n, add)
						products(&portable)[form](want, a, b, m, k, n, add)
						for i := range want {
							if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
								t.Fatalf("%s, %s of %d×%d×%d, add %t: element %d = %v, want %v", s.name,
									[]string{"NN", "TN", "NT"}[form], m, k, n, add, i, got[i], want[i])
							}
						}
					}
				}
				f.check(t)
			}
		}
	}
}

// unify replaces what is not a number by one and the same.
func unify(x []float32) {
	for i, v := range x {
		if v != v {
			x[i] = post
		}
	}
}

// TestFingerprint: the same bits on every machine, native and in a browser.
func TestFingerprint(t *testing.T) {
	const want = 0xea0ec8abf58d083e
	for _, s := range compared {
		h := fnv.New64a()
		for _, op := range operations {
			for n := range uint64(20) {
				for _, v := range op.run(s, newFence(2, n)) {
					bits := math.Float32bits(v)
					h.Write([]byte{byte(bits), byte(bits >> 8), byte(bits >> 16), byte(bits >> 24)})
				}
			}
		}
		if got := h.Sum64(); got != want {
			t.Errorf("fingerprint of all loops (%s) = %#x, want %#x", s.name, got, uint64(want))
		}
	}
}
