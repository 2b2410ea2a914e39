package kernel

import (
	"math"
	"testing"
)

// TestConvolutionsAreProducts: a convolution without patches has the bits of the products with patches, for kernels of
// several sizes, strides and images.
func TestConvolutionsAreProducts(t *testing.T) {
	defer func(was *set) { active = was }(active)
	for _, active = range compared {
		t.Run(active.name, testConvolutionsAreProducts)
	}
}

func testConvolutionsAreProducts(t *testing.T) {
	found := 0
	for n := range uint64(240) {
		f := newFence(3, n)
		if n%2 == 1 {
			f = newWildFence(3, n)
		}
		filters, channels := 16*(1+f.IntN(4)), 8*(1+f.IntN(3))
		down, across := 2*(1+f.IntN(6)), []int{8, 16, 32, 48}[f.IntN(4)]
		if n%4 > 1 { // sizes for which some loops are not made
			filters, channels, down, across = 1+f.IntN(14), 1+f.IntN(4), 1+f.IntN(7), 1+f.IntN(30)
		}
		high, wide, stride := 1+f.IntN(3), 1+f.IntN(3), 1+f.IntN(2)
		// One small image after the other for each remainder of rows and columns, as with strides.
		height, width := down+(high-1)/stride, across+(wide-1)/stride
		plane := stride * stride * height * width
		var from []int
		for y := range high {
			for x := range wide {
				from = append(from, ((y%stride*stride+x%stride)*height+y/stride)*width+x/stride)
			}
		}
		c := NewConvolution(filters, channels, plane, from, down, across, width)
		if c == nil {
			continue
		}
		found++
		positions, fanIn := down*across, channels*len(from)
		image, weights, bias := f.numbers(channels*plane), f.numbers(filters*fanIn), f.numbers(filters)
		dOut, patches := f.numbers(filters*positions), make([]float32, 0, fanIn*positions)
		for channel := range channels {
			for _, at := range from {
				for y := range down {
					patches = append(patches, image[channel*plane+at+y*width:][:across]...)
				}
			}
		}
		same := func(what string, got, want []float32) {
			t.Helper()
			unify(got)
			unify(want)
			for i := range want {
				if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
					t.Fatalf("%d: %s of %d filters, %d channels, %d×%d weights, %d×%d positions, stride %d: element %d = %v, want %v",
						n, what, filters, channels, high, wide, down, across, stride, i, got[i], want[i])
				}
			}
		}

		got, want := f.numbers(filters*positions), make([]float32, filters*positions)
		c.Forward(got, weights, bias, image)
		portable.matMul(want, weights, patches, filters, fanIn, positions, false)
		portable.addBiasPlanes(want, bias, filters, positions)
		same("outputs", got, want)
		if !c.HasGradients() {
			f.check(t)
			continue
		}

		got, want, turned := make([]float32, filters*fanIn), f.numbers(filters*fanIn), f.numbers(filters*fanIn)
		c.Transpose(turned, want)
		c.AddGradient(turned, dOut, image)
		c.TransposeBack(got, turned)
		portable.matMulNT(want, dOut, patches, filters, positions, fanIn, true)
		same("the weights' gradient", got, want)

		got, want = f.numbers(len(image)), make([]float32, len(image))
		c.Back(got, weights, dOut)
		portable.matMulTN(patches[:fanIn*positions], weights, dOut, fanIn, filters, positions, false)
		for channel := range channels {
			for k, at := range from {
				row := patches[(channel*len(from)+k)*positions:]
				for y := range down {
					portable.axpy(want[channel*plane+at+y*width:][:across], 1, row[y*across:])
				}
			}
		}
		same("the image's gradient", got, want)
		f.check(t)
	}
	if (convolves() || convolvesForward()) && found < 60 {
		t.Errorf("%d convolutions of 240, want at least a quarter", found)
	}
}

// TestConvolutionRefuses: sizes that do not fit cause a panic before anything is written.
func TestConvolutionRefuses(t *testing.T) {
	if !convolves() && !convolvesForward() {
		t.Skip("this machine has no loops for convolutions")
	}
	x := func(n int) []float32 { return make([]float32, n) }
	newOne := func(plane int) *Convolution { return NewConvolution(16, 8, plane, []int{0, 1, 17, 18}, 2, 16, 17) }
	c := newOne(51)
	if c == nil {
		t.Fatal("no convolution of 16 filters, 8 channels and 2×16 positions")
	}
	for name, call := range map[string]func(){
		"an image that is too small": func() { newOne(50) },
		"Forward, out":               func() { c.Forward(x(511), x(512), x(16), x(408)) },
		"Forward, weights":           func() { c.Forward(x(512), x(511), x(16), x(408)) },
		"Forward, bias":              func() { c.Forward(x(512), x(512), x(15), x(408)) },
		"Forward, image":             func() { c.Forward(x(512), x(512), x(16), x(407)) },
	} {
		panics(t, name, call)
	}
	if !c.HasGradients() {
		return
	}
	for name, call := range map[string]func(){
		"AddGradient, weights": func() { c.AddGradient(x(511), x(512), x(408)) },
		"AddGradient, image":   func() { c.AddGradient(x(512), x(512), x(407)) },
		"Back, image":          func() { c.Back(x(407), x(512), x(512)) },
		"Back, out":            func() { c.Back(x(408), x(512), x(511)) },
		"Transpose":            func() { c.Transpose(x(511), x(512)) },
		"TransposeBack":        func() { c.TransposeBack(x(512), x(511)) },
	} {
		panics(t, name, call)
	}
}

// panics fails the test unless the call panics.
func panics(t *testing.T, name string, call func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", name)
		}
	}()
	call()
}

// TestCopyRows: rows with and without gaps, and nothing between them is written.
func TestCopyRows(t *testing.T) {
	for n := range uint64(200) {
		f := newFence(4, n)
		rows, cols := f.IntN(6), f.IntN(40)
		to, from := Rows{Step: 1}, Rows{Step: 1}
		if n%3 == 0 {
			to.Step += f.IntN(3)
		} else {
			from.Step += f.IntN(3)
		}
		to.Row = max(cols, 1)*to.Step - f.IntN(to.Step) + f.IntN(5)
		from.Row = max(cols, 1)*from.Step - f.IntN(from.Step) + f.IntN(5)
		room := func(r Rows) int { return max(0, (rows-1)*r.Row+(cols-1)*r.Step+1) }
		dst, src := f.numbers(room(to)), f.numbers(room(from))
		want := append([]float32(nil), dst...)
		for y := range rows {
			for x := range cols {
				want[y*to.Row+x*to.Step] = src[y*from.Row+x*from.Step]
			}
		}
		CopyRows(dst, src, rows, cols, to, from)
		f.check(t)
		for i := range want {
			if math.Float32bits(dst[i]) != math.Float32bits(want[i]) {
				t.Fatalf("%d: %d×%d from %v to %v: element %d = %v, want %v", n, rows, cols, from, to, i, dst[i], want[i])
			}
		}
	}
}
