package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"sync"
	"testing"

	"flockscope/sim/registry"
)

// each runs a test for every generator.
func each(t *testing.T, test func(t *testing.T, e registry.Entry[Generator])) {
	for _, e := range Registry.All() {
		t.Run(e.Name, func(t *testing.T) { test(t, e) })
	}
}

// images returns all samples of a set, one after another.
func images(s *Set) []float32 {
	size := s.Shape.Size()
	out := make([]float32, s.Len()*size)
	for i := range s.Len() {
		s.Row(out[i*size:(i+1)*size], i)
	}
	return out
}

// TestGolden holds the drawings still: on any processor, natively and in a
// browser, they are these bytes. A change of a drawing changes every result
// that stands on it, so it belongs into a generator of another name.
func TestGolden(t *testing.T) {
	golden := map[string]string{
		"digits":   "62661954b82cdd90",
		"garments": "9f69182abc90da9f",
		"words":    "e48a68b774f473c8",
		"shapes":   "b0364ae53e37a1db",
	}
	each(t, func(t *testing.T, e registry.Entry[Generator]) {
		s := e.Make(1, 200)
		h := sha256.New()
		h.Write(s.Label)
		row := make([]float32, s.Shape.Size())
		for i := range s.Len() {
			s.Row(row, i)
			for _, v := range row {
				h.Write([]byte{uint8(v*255 + 0.5)})
			}
		}
		if got := hex.EncodeToString(h.Sum(nil)[:8]); got != golden[e.Name] {
			t.Errorf("hash of %s(1, 200) = %s, want %s", e.Name, got, golden[e.Name])
		}
	})
}

func TestGeneratorSets(t *testing.T) {
	each(t, func(t *testing.T, e registry.Entry[Generator]) {
		shape, tests := Shape{28, 28, 1}, 7
		switch e.Name {
		case "words":
			shape = Shape{1, vocabulary, 1}
		case "shapes":
			shape, tests = Shape{32, 32, 3}, 6
		}
		for _, n := range []int{1, 9, 10, 105, 1000} {
			s := e.Make(3, n)
			if s.Len() != n || s.Shape != shape || s.Classes != 10 || len(s.ClassNames) != 10 || s.Train != n-n/tests {
				t.Errorf("%s(3, %d): %d samples of %v, %d classes named %q, %d to train, want %d of %v, 10, 10 names, %d",
					e.Name, n, s.Len(), s.Shape, s.Classes, s.ClassNames, s.Train, n, shape, n-n/tests)
			}
			count := make([]int, s.Classes)
			for _, k := range s.Label {
				count[k]++
			}
			if slices.Max(count)-slices.Min(count) > 1 {
				t.Errorf("%s(3, %d): classes have %d samples, want as many each", e.Name, n, count)
			}
			if s.Writers == nil {
				continue
			}
			count = make([]int, len(s.Writers))
			for _, w := range s.Writer {
				count[w]++
			}
			if len(s.Writer) != n || slices.Max(count)-slices.Min(count) > 1 {
				t.Errorf("%s(3, %d): writers of %d samples have %d, want as many each", e.Name, n, len(s.Writer), count)
			}
		}
	})
}

// TestPixels: every image has ink and ground, and nothing outside [0, 1]. Colour shapes have no black ground.
func TestPixels(t *testing.T) {
	each(t, func(t *testing.T, e registry.Entry[Generator]) {
		const n = 300
		darkest := float32(0)
		if e.Name == "shapes" {
			darkest = .5
		}
		s := e.Make(5, n)
		row := make([]float32, s.Shape.Size())
		for i := range n {
			s.Row(row, i)
			var sum float32
			for _, v := range row {
				sum += v
			}
			low, high := slices.Min(row), slices.Max(row)
			if mean := sum / float32(len(row)); low > darkest || high > 1 || high < 0.1 || mean < 0.01 || mean > 0.8 {
				t.Errorf("%s: image %d: pixels from %v to %v with mean %v, want from 0 to at most 1 and some of each",
					e.Name, i, low, high, mean)
			}
		}
	})
}

func TestSeedsAndLengths(t *testing.T) {
	each(t, func(t *testing.T, e registry.Entry[Generator]) {
		short, long, other := e.Make(7, 50), e.Make(7, 120), e.Make(8, 50)
		size := short.Shape.Size()
		if !slices.Equal(images(short), images(long)[:50*size]) || !slices.Equal(short.Label, long.Label[:50]) {
			t.Errorf("%s: the first 50 of 120 samples are others than those of 50", e.Name)
		}
		a, b := images(short), images(other)
		for i := range 50 {
			if slices.Equal(a[i*size:(i+1)*size], b[i*size:(i+1)*size]) {
				t.Errorf("%s: image %d is the same under seeds 7 and 8", e.Name, i)
			}
		}
	})
}

// TestDrawnWhenLookedAt: the order in which images are looked at, and by how
// many at once, changes nothing.
func TestDrawnWhenLookedAt(t *testing.T) {
	each(t, func(t *testing.T, e registry.Entry[Generator]) {
		const n = 120
		want := images(e.Make(11, n))
		s := e.Make(11, n)
		size := s.Shape.Size()
		var all sync.WaitGroup
		for g := range 4 {
			all.Go(func() {
				row := make([]float32, size)
				for i := range n {
					at := (i*7*(2*g-3) + 13*g + 100*n) % n
					if s.Row(row, at); !slices.Equal(row, want[at*size:(at+1)*size]) {
						t.Errorf("%s: image %d differs when it is drawn out of order", e.Name, at)
					}
				}
			})
		}
		all.Wait()
	})
}

func TestRowDoesNotAllocate(t *testing.T) {
	each(t, func(t *testing.T, e registry.Entry[Generator]) {
		s := e.Make(1, 200)
		row := make([]float32, s.Shape.Size())
		s.Row(row, 0)
		i := 0
		if got := testing.AllocsPerRun(99, func() {
			i++
			s.Row(row, i)   // drawn now
			s.Row(row, i/2) // drawn before
		}); got != 0 {
			t.Errorf("%s: Row allocates %v times, want 0", e.Name, got)
		}
	})
}

// TestClassesDiffer: the mean image of a class is nearer to its images than the
// means of other classes far more often than by chance, one in ten. MNIST gives
// about 0.77 by this measure, Fashion-MNIST 0.67.
func TestClassesDiffer(t *testing.T) {
	floor := map[string]float64{"digits": 0.6, "garments": 0.45, "words": 0.65, "shapes": 0.12}
	each(t, func(t *testing.T, e registry.Entry[Generator]) {
		for seed := range uint64(3) {
			s := e.Make(seed, 1050)
			if got := nearestMean(s); got < floor[e.Name] {
				t.Errorf("%s(%d, %d): nearest means tell %v of the test images right, want %v", e.Name, seed, s.Len(),
					got, floor[e.Name])
			}
		}
	})
}

func nearestMean(s *Set) float64 {
	size := s.Shape.Size()
	x := images(s)
	means := make([]float64, s.Classes*size)
	count := make([]float64, s.Classes)
	for i, k := range s.Label[:s.Train] {
		count[k]++
		for j := range size {
			means[int(k)*size+j] += float64(x[i*size+j])
		}
	}
	right := 0
	for i := s.Train; i < s.Len(); i++ {
		best, least := 0, 0.0
		for k := range s.Classes {
			var d float64
			for j := range size {
				e := float64(x[i*size+j]) - means[k*size+j]/count[k]
				d += e * e
			}
			if k == 0 || d < least {
				best, least = k, d
			}
		}
		if best == int(s.Label[i]) {
			right++
		}
	}
	return float64(right) / float64(s.Len()-s.Train)
}

func BenchmarkDraw(b *testing.B) {
	for _, e := range Registry.All() {
		b.Run(e.Name, func(b *testing.B) {
			s := e.Make(1, max(1, b.N))
			row := make([]float32, s.Shape.Size())
			b.ResetTimer()
			for i := range b.N {
				s.Row(row, i)
			}
		})
	}
}
