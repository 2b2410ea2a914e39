package kernel

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// These tests hold the loops, by their exported names, to their definitions,
// computed in float64 in the most obvious way.

// near fails the test unless got is want but for rounding to float32.
func near(t *testing.T, what string, got []float32, want []float64) {
	t.Helper()
	for i := range want {
		if math.Abs(float64(got[i])-want[i]) > 1e-5*max(1, math.Abs(want[i])) {
			t.Fatalf("%s: element %d = %v, want %v", what, i, got[i], want[i])
		}
	}
}

func float64s(x []float32) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v)
	}
	return y
}

// transposed returns x[rows×cols] as cols×rows.
func transposed(x []float32, rows, cols int) []float32 {
	y := make([]float32, len(x))
	for i := range rows {
		for j := range cols {
			y[j*rows+i] = x[i*cols+j]
		}
	}
	return y
}

func TestProducts(t *testing.T) {
	for n := range uint64(50) {
		f := newFence(3, n)
		m, k, n := f.IntN(20), f.IntN(300), f.IntN(40)
		a, b, c := f.plain(m*k), f.plain(k*n), f.plain(m*n)
		want, sum := make([]float64, m*n), float64s(c)
		for i := range m {
			for j := range n {
				for p := range k {
					want[i*n+j] += float64(a[i*k+p]) * float64(b[p*n+j])
				}
				sum[i*n+j] += want[i*n+j]
			}
		}
		size := fmt.Sprintf("%d×%d×%d", m, k, n)
		at, bt, c2 := transposed(a, m, k), transposed(b, k, n), slices.Clone(c)
		AddMatMulTN(c, at, b, m, k, n)
		near(t, "AddMatMulTN "+size, c, sum)
		AddMatMulNT(c2, a, bt, m, k, n)
		near(t, "AddMatMulNT "+size, c2, sum)
		MatMul(c, a, b, m, k, n)
		near(t, "MatMul "+size, c, want)
		MatMulTN(c, at, b, m, k, n)
		near(t, "MatMulTN "+size, c, want)
		MatMulNT(c, a, bt, m, k, n)
		near(t, "MatMulNT "+size, c, want)
	}
}

// TestSumGoesOn: a batch in pieces gives the bits of the whole.
func TestSumGoesOn(t *testing.T) {
	f := newFence(4, 0)
	const m, k, n = 13, 301, 27
	a, b, whole, pieces := f.plain(k*m), f.plain(k*n), make([]float32, m*n), make([]float32, m*n)
	MatMulTN(whole, a, b, m, k, n)
	from := 0
	for _, to := range []int{1, 17, 290, k} {
		AddMatMulTN(pieces, a[from*m:to*m], b[from*n:to*n], m, to-from, n)
		from = to
	}
	if !slices.Equal(pieces, whole) {
		t.Error("AddMatMulTN over pieces of a batch differs from MatMulTN over all of it")
	}
	whole, pieces = make([]float32, n), make([]float32, n)
	SumRows(whole, b, k, n)
	SumRows(pieces, b[:100*n], 100, n)
	SumRows(pieces, b[100*n:], k-100, n)
	if !slices.Equal(pieces, whole) {
		t.Error("SumRows over pieces of a batch differs from SumRows over all of it")
	}
}

func TestBiases(t *testing.T) {
	const rows, cols = 3, 21
	f := newFence(5, 0)
	x, bias, planes := f.plain(rows*cols), f.plain(cols), f.plain(rows)
	byRow, byPlane := float64s(x), float64s(x)
	sumRows, sumPlanes := float64s(bias), float64s(planes)
	for i := range rows {
		for j := range cols {
			byRow[i*cols+j] += float64(bias[j])
			byPlane[i*cols+j] += float64(planes[i])
			sumRows[j] += float64(x[i*cols+j])
			sumPlanes[i] += float64(x[i*cols+j])
		}
	}
	y := slices.Clone(x)
	AddBias(y, bias, rows, cols)
	near(t, "AddBias", y, byRow)
	y = slices.Clone(x)
	AddBiasPlanes(y, planes, rows, cols)
	near(t, "AddBiasPlanes", y, byPlane)
	SumRows(bias, x, rows, cols)
	near(t, "SumRows", bias, sumRows)
	SumPlanes(planes, x, rows, cols)
	near(t, "SumPlanes", planes, sumPlanes)
}

func TestActivations(t *testing.T) {
	x := []float32{-3, -0.5, 0, 0.5, 3, -200, 200, 1, -1}
	logistic := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	var relu, reluBack, sigmoid, sigmoidBack []float64
	for _, v := range float64s(x) {
		relu = append(relu, max(v, 0))
		sigmoid = append(sigmoid, logistic(v))
		sigmoidBack = append(sigmoidBack, 7*logistic(v)*logistic(-v))
		slope := 0.
		if v > 0 {
			slope = 7
		}
		reluBack = append(reluBack, slope)
	}
	y, d := slices.Clone(x), make([]float32, len(x))
	Relu(y)
	near(t, "Relu", y, relu)
	fill(d, 7)
	ReluBack(d, y)
	near(t, "ReluBack", d, reluBack)
	y = slices.Clone(x)
	Sigmoid(y)
	near(t, "Sigmoid", y, sigmoid)
	fill(d, 7)
	SigmoidBack(d, y)
	near(t, "SigmoidBack", d, sigmoidBack)
}

func fill(x []float32, v float32) {
	for i := range x {
		x[i] = v
	}
}

// TestNaN: what is not a number stays so, so that a run that diverges shows it.
func TestNaN(t *testing.T) {
	for _, tt := range []struct {
		name string
		f    func([]float32)
	}{{"Relu", Relu}, {"Sigmoid", Sigmoid}, {"Trunc", func(x []float32) { Trunc(x, 2) }},
		{"Round", func(x []float32) { Round(x, 2) }}} {
		x := make([]float32, 11)
		fill(x, float32(math.NaN()))
		tt.f(x)
		for i, v := range x {
			if v == v {
				t.Errorf("%s: element %d of NaNs = %v, want NaN", tt.name, i, v)
			}
		}
	}
}

func TestSoftmaxCross(t *testing.T) {
	for n := range uint64(50) {
		f := newFence(6, n)
		rows, cols := 1+f.IntN(5), 1+f.IntN(12)
		logits, labels := f.plain(rows*cols), make([]float32, rows)
		scale(logits, 30)
		var loss, grad []float64
		for i := range rows {
			labels[i] = float32(f.IntN(cols))
			x := float64s(logits[i*cols : (i+1)*cols])
			sum := 0.
			for _, v := range x {
				sum += math.Exp(v)
			}
			for j, v := range x {
				g := math.Exp(v) / sum
				if j == int(labels[i]) {
					loss = append(loss, -math.Log(g))
					g--
				}
				grad = append(grad, g)
			}
		}
		gotLoss, alone, gotGrad := make([]float32, rows), make([]float32, rows), make([]float32, rows*cols)
		SoftmaxCross(gotLoss, gotGrad, logits, labels, rows, cols)
		near(t, "SoftmaxCross, loss", gotLoss, loss)
		near(t, "SoftmaxCross, gradient", gotGrad, grad)
		SoftmaxCross(alone, nil, logits, labels, rows, cols)
		if !slices.Equal(alone, gotLoss) {
			t.Fatalf("SoftmaxCross without a gradient: loss = %v, want %v as with it", alone, gotLoss)
		}
	}
}

func TestSquared(t *testing.T) {
	loss, grad := make([]float32, 2), make([]float32, 6)
	Squared(loss, grad, []float32{1, 2, 3, 4, 5, 6}, []float32{1, 1, 1, 4, 4, 0}, 2, 3)
	near(t, "Squared, loss", loss, []float64{5. / 3, 37. / 3})
	near(t, "Squared, gradient", grad, []float64{0, 2. / 3, 4. / 3, 0, 2. / 3, 4})
	Squared(loss, nil, nil, nil, 2, 0)
	near(t, "Squared over no columns", loss, []float64{0, 0})
}

// TestConvolution: a product with the patches of Im2Col is the convolution, and
// Col2Im is the transpose of Im2Col: ⟨Im2Col(x), y⟩ = ⟨x, Col2Im(y)⟩.
func TestConvolution(t *testing.T) {
	for n := range uint64(50) {
		f := newFence(7, n)
		g, filters := f.grid(), 3
		if g.channels == 0 {
			continue
		}
		image, weights := f.plain(g.image()), f.plain(filters*g.channels*g.kernel*g.kernel)
		patches, other := make([]float32, g.columns()), f.plain(g.columns())
		positions := g.down * g.across
		out, want := make([]float32, filters*positions), make([]float64, filters*positions)
		for o := range want {
			filter, y, x := o/positions, o%positions/g.across, o%g.across
			for c := range g.channels {
				for ky := range g.kernel {
					for kx := range g.kernel {
						w := weights[((filter*g.channels+c)*g.kernel+ky)*g.kernel+kx]
						want[o] += float64(w) * float64(image[(c*g.height+y+ky)*g.width+x+kx])
					}
				}
			}
		}
		Im2Col(patches, image, g.channels, g.height, g.width, g.kernel)
		MatMul(out, weights, patches, filters, g.channels*g.kernel*g.kernel, positions)
		near(t, fmt.Sprintf("convolution %+v", g), out, want)
		back := make([]float32, len(image))
		Col2Im(back, other, g.channels, g.height, g.width, g.kernel)
		if a, b := Dot(patches, other), Dot(image, back); math.Abs(a-b) > 1e-4*math.Sqrt(float64(len(other))) {
			t.Fatalf("%+v: ⟨Im2Col(x), y⟩ = %v, ⟨x, Col2Im(y)⟩ = %v, want the same", g, a, b)
		}
	}
}

func TestMaxPool2(t *testing.T) {
	src := []float32{
		1, 2, 5, 5, 9,
		3, 0, 5, 5, 9,
		-1, -2, 0, 7, 9,
		-3, -1, 7, 7, 9,
		9, 9, 9, 9, 9,
	}
	dst, back := make([]float32, 4), make([]float32, len(src))
	MaxPool2(dst, src, 1, 5, 5)
	if want := []float32{3, 5, -1, 7}; !slices.Equal(dst, want) {
		t.Errorf("MaxPool2 = %v, want %v", dst, want)
	}
	fill(back, 8)
	MaxPool2Back(back, []float32{10, 20, 30, 40}, src, 1, 5, 5)
	want := []float32{
		0, 0, 20, 0, 0,
		10, 0, 0, 0, 0,
		30, 0, 0, 40, 0,
		0, 0, 0, 0, 0,
		0, 0, 0, 0, 0,
	}
	if !slices.Equal(back, want) {
		t.Errorf("MaxPool2Back = %v, want %v", back, want)
	}
}

func TestVectors(t *testing.T) {
	const n = 21
	f := newFence(8, 0)
	x, y, z := f.plain(n), f.plain(n), f.plain(n)
	type loop struct {
		name string
		run  func(y []float32)
		want func(x, y, z float64) float64
	}
	for _, l := range []loop{
		{"Axpy", func(y []float32) { Axpy(y, 0.3, x) }, func(x, y, _ float64) float64 { return y + 0.3*x }},
		{"Scale", func(y []float32) { Scale(y, 0.3) }, func(_, y, _ float64) float64 { return 0.3 * y }},
		{"Lerp", func(y []float32) { Lerp(y, 0.3, x) }, func(x, y, _ float64) float64 { return 0.7*y + 0.3*x }},
		{"Sgd", func(y []float32) { Sgd(y, x, 0.3) }, func(x, y, _ float64) float64 { return y - 0.3*x }},
		{"Momentum", func(y []float32) { Momentum(y, slices.Clone(z), x, 0.3, 0.9) },
			func(x, y, z float64) float64 { return y - 0.3*(0.9*z+x) }},
	} {
		got, want := slices.Clone(y), make([]float64, n)
		l.run(got)
		for i := range want {
			want[i] = l.want(float64(x[i]), float64(y[i]), float64(z[i]))
		}
		near(t, l.name, got, want)
	}

	// Three clients' weighted mean, and a step along it.
	sum := make([]float64, n)
	for _, c := range [][]float32{x, y, z} {
		Accumulate(sum, 0.25, c)
	}
	params, want := slices.Clone(x), make([]float64, n)
	Descend(params, sum, 0.5, 0.75)
	for i := range want {
		if got, want := sum[i], 0.25*(float64(x[i])+float64(y[i])+float64(z[i])); math.Abs(got-want) > 1e-15 {
			t.Errorf("Accumulate: element %d = %v, want %v", i, got, want)
		}
		want[i] = float64(x[i]) - 0.5*sum[i]/0.75
	}
	near(t, "Descend", params, want)
}

// TestTrunc: what is left are whole multiples of 10⁻ⁿ, and less than one of them
// is cut off, towards 0. A product may be rounded up to a whole number, so both
// hold but for rounding.
func TestTrunc(t *testing.T) {
	f := newFence(9, 0)
	for digits := range 5 {
		x := f.plain(1000)
		cut := slices.Clone(x)
		Trunc(cut, digits)
		unit := math.Pow(10, -float64(digits))
		for i, v := range float64s(x) {
			c := float64(cut[i])
			if lost := math.Abs(v) - math.Abs(c); !(lost > -1e-7 && lost < unit+1e-7) || c*v < 0 ||
				math.Abs(c/unit-math.Round(c/unit)) > 1e-3 {
				t.Fatalf("Trunc(%v, %d) = %v", v, digits, c)
			}
		}
	}
	x := []float32{1.5, -1.5, 0.9999, -0.25, 3e9, -3e30, 0}
	Trunc(x, 0)
	if want := []float32{1, -1, 0, 0, 3e9, -3e30, 0}; !slices.Equal(x, want) {
		t.Errorf("Trunc to whole numbers = %v, want %v", x, want)
	}
}

// TestRound: as NumPy rounds, in float32: np.rint(x*np.float32(10**n)) / np.float32(10**n), which
// is np.round(x, n). Of two that are as near it takes the one with the even last digit.
func TestRound(t *testing.T) {
	x := []float32{0.005, 0.015, -0.015, 0.025, 0.0049, -0.0051, 0.125, -0.135, 1.005, 2.675, 0.22, -0.13, 1e-3, 0.4999,
		-0.5, 3e9, -3e30, 12345.678}
	for _, tt := range []struct {
		digits int
		want   []float32
	}{
		{0, []float32{0, 0, 0, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0, 0, 0, 3e9, -3e30, 12346}},
		{1, []float32{0, 0, 0, 0, 0, 0, 0.1, -0.1, 1, 2.7, 0.2, -0.1, 0, 0.5, -0.5, 3e9, -3e30, 12345.7}},
		{2, []float32{0, 0.02, -0.02, 0.02, 0, -0.01, 0.12, -0.14, 1, 2.68, 0.22, -0.13, 0, 0.5, -0.5, 2.99999974e9, -3e30,
			12345.6797}},
		{3, []float32{0.005, 0.015, -0.015, 0.025, 0.005, -0.005, 0.125, -0.135, 1.005, 2.675, 0.22, -0.13, 0.001, 0.5,
			-0.5, 3e9, -3e30, 12345.6777}},
	} {
		got := slices.Clone(x)
		if Round(got, tt.digits); !slices.Equal(got, tt.want) {
			t.Errorf("Round to %d digits = %v, want %v", tt.digits, got, tt.want)
		}
	}
}

func TestAdam(t *testing.T) {
	const n, rate, beta1, beta2, eps = 11, 0.01, 0.9, 0.999, 1e-8
	f := newFence(10, 0)
	got := f.plain(n)
	want := float64s(got)
	m, v, wantM, wantV := make([]float32, n), make([]float32, n), make([]float64, n), make([]float64, n)
	for step := range 20 {
		c1, c2 := 1-math.Pow(beta1, float64(step+1)), 1-math.Pow(beta2, float64(step+1))
		grad := f.plain(n)
		Adam(got, m, v, grad, rate, beta1, beta2, eps, c1, c2)
		for i, g := range float64s(grad) {
			wantM[i] = beta1*wantM[i] + (1-beta1)*g
			wantV[i] = beta2*wantV[i] + (1-beta2)*g*g
			want[i] -= rate * (wantM[i] / c1) / (math.Sqrt(wantV[i]/c2) + eps)
		}
		near(t, fmt.Sprintf("Adam, step %d", step+1), got, want)
	}
}

// TestDotError: Dot keeps the bound of its doc comment.
func TestDotError(t *testing.T) {
	for n := range uint64(20) {
		f := newFence(11, n)
		length := f.IntN(20_000)
		a, b := f.plain(length), f.plain(length)
		want, size := 0., 0.
		for i := range a {
			want += float64(a[i]) * float64(b[i])
			size += math.Abs(float64(a[i]) * float64(b[i]))
		}
		if got, bound := Dot(a, b), 36*0x1p-24*size; math.Abs(got-want) > bound {
			t.Errorf("Dot of %d = %v, want %v within %v", len(a), got, want, bound)
		}
	}
}

// TestGramIsDot to the bit, and symmetric.
func TestGramIsDot(t *testing.T) {
	for n := range uint64(10) {
		f := newFence(12, n)
		rows, d := make([][]float32, f.IntN(8)), f.IntN(6000)
		for i := range rows {
			rows[i] = f.plain(d)
		}
		dst := make([]float64, len(rows)*len(rows))
		Gram(dst, rows)
		for i, a := range rows {
			for j, b := range rows {
				if got, want := dst[i*len(rows)+j], Dot(a, b); got != want {
					t.Fatalf("Gram of %d rows of %d: [%d,%d] = %v, want %v", len(rows), d, i, j, got, want)
				}
			}
		}
	}
}
