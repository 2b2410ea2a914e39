package rng

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"testing"

	"flockscope/sim/exact"
)

//go:embed testdata/golden.json
var goldenText []byte

// TestGolden pins the first draws of some streams against values computed
// without Go. They are part of every result: if this test fails, every
// fingerprint has changed.
func TestGolden(t *testing.T) {
	var file struct {
		Versions map[string]string
		Cases    []struct {
			Seed    string
			Purpose uint64
			A, B    int
			Words   []string
			Float64 []float64
			Dice    []int
		}
	}
	if err := json.Unmarshal(goldenText, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) < 5 {
		t.Fatalf("golden.json has %d cases, want 5 or more", len(file.Cases))
	}
	for _, tt := range file.Cases {
		seed, err := strconv.ParseUint(tt.Seed, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("stream (%d, %d, %d, %d)", seed, tt.Purpose, tt.A, tt.B)
		var s Stream
		reset := func() { s.Reset(seed, Purpose(tt.Purpose), tt.A, tt.B) }
		reset()
		for i, want := range tt.Words {
			if got := fmt.Sprintf("%016x", s.word()); got != want {
				t.Errorf("%s: word %d = %s, want %s", name, i, got, want)
			}
		}
		reset()
		for i, want := range tt.Float64 {
			if got := s.Float64(); got != want {
				t.Errorf("%s: Float64 %d = %v, want %v", name, i, got, want)
			}
		}
		reset()
		for i, want := range tt.Dice {
			if got := s.IntN(6); got != want {
				t.Errorf("%s: IntN(6) %d = %v, want %v", name, i, got, want)
			}
		}
		reset()
		for i, word := range tt.Words {
			w, _ := strconv.ParseUint(word, 16, 64)
			want := exact.NormalQuantile((float64(w>>12) + 0.5) / (1 << 52))
			if got := s.Normal(); got != want {
				t.Errorf("%s: Normal %d = %v, want %v", name, i, got, want)
			}
		}
	}
}

func TestPurposesKeepTheirNumbers(t *testing.T) {
	for want, got := range map[Purpose]Purpose{1: Samples, 2: Models, 3: Labels, 4: Clustering} {
		if got != want {
			t.Errorf("a purpose has number %d, want %d for ever", got, want)
		}
	}
}

// TestStreamsDiffer: changing any one argument gives another stream.
func TestStreamsDiffer(t *testing.T) {
	type name struct {
		seed uint64
		p    Purpose
		a, b int
	}
	first := map[[2]uint64]name{}
	for seed := range uint64(12) {
		for p := Samples; p <= Clustering; p++ {
			for a := range 25 {
				for b := range 25 {
					n := name{seed, p, a, b}
					var s Stream
					s.Reset(n.seed, n.p, n.a, n.b)
					draws := [2]uint64{s.word(), s.word()}
					if other, ok := first[draws]; ok {
						t.Fatalf("Reset(%v) and Reset(%v) give the same stream", n, other)
					}
					first[draws] = n
				}
			}
		}
	}
}

// TestNeighboursAreUnrelated: streams that differ in one argument by one share
// no more bits than chance allows.
func TestNeighboursAreUnrelated(t *testing.T) {
	base := [4]uint64{1, 1, 7, 3}
	for arg := range base {
		differing, total := 0, 0
		for step := range uint64(2000) {
			at := base
			at[arg] += step
			next := at
			next[arg]++
			var s, u Stream
			s.Reset(at[0], Purpose(at[1]), int(at[2]), int(at[3]))
			u.Reset(next[0], Purpose(next[1]), int(next[2]), int(next[3]))
			x := s.word() ^ u.word()
			for ; x != 0; x &= x - 1 {
				differing++
			}
			total += 64
		}
		// 5 standard deviations of a fair coin.
		if off := math.Abs(float64(differing) - float64(total)/2); off > 5*math.Sqrt(float64(total))/2 {
			t.Errorf("argument %d: %d of %d bits differ between neighbours, want half", arg, differing, total)
		}
	}
}

func TestResetReproduces(t *testing.T) {
	var s, u Stream
	s.Reset(7, Samples, 3, 4)
	var first [10]float64
	for i := range first {
		first[i] = s.Normal()
	}
	u.Reset(9, Models, 1, 1)
	u.Float64()
	for i, stream := range []*Stream{&s, &u} {
		stream.Reset(7, Samples, 3, 4)
		for j, want := range first {
			if got := stream.Normal(); got != want {
				t.Errorf("stream %d after Reset: draw %d = %v, want %v", i, j, got, want)
			}
		}
	}
	if n := testing.AllocsPerRun(100, func() { s.Reset(1, Labels, 2, 3); s.Normal() }); n != 0 {
		t.Errorf("Reset and Normal allocate %v times, want 0", n)
	}
}

// draws is how many draws the moments are taken over.
const draws = 1_000_000

// moments returns the first four moments of f's draws, and the ends.
func moments(f func() float64) (m [4]float64, low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for range draws {
		x := f()
		low, high = min(low, x), max(high, x)
		m[0] += x
		m[1] += x * x
		m[2] += x * x * x
		m[3] += x * x * x * x
	}
	for i := range m {
		m[i] /= draws
	}
	return m, low, high
}

// TestMoments compares the first four moments with those of the distribution.
// Each bound is 6 standard errors.
func TestMoments(t *testing.T) {
	const seed = 1
	tests := []struct {
		name      string
		draw      func(*Stream) float64
		want      [4]float64
		deviation [4]float64 // standard deviation of x, x², x³, x⁴
		low, high float64    // no draw beyond; high excluded
	}{
		{"Float64", (*Stream).Float64, [4]float64{1. / 2, 1. / 3, 1. / 4, 1. / 5},
			[4]float64{math.Sqrt(1. / 12), math.Sqrt(1./5 - 1./9), math.Sqrt(1./7 - 1./16),
				math.Sqrt(1./9 - 1./25)}, 0, 1},
		{"Uniform(-0.8, 0.8)", func(s *Stream) float64 { return s.Uniform(-0.8, 0.8) / 0.8 }, [4]float64{0, 1. / 3, 0, 1. / 5},
			[4]float64{math.Sqrt(1. / 3), math.Sqrt(1./5 - 1./9), math.Sqrt(1. / 7), math.Sqrt(1./9 - 1./25)}, -1, 1},
		{"Normal", (*Stream).Normal, [4]float64{0, 1, 0, 3},
			[4]float64{1, math.Sqrt(2), math.Sqrt(15), math.Sqrt(96)}, -9, 9},
		{"IntN(6)", func(s *Stream) float64 { return float64(s.IntN(6)) }, [4]float64{2.5, 55. / 6, 37.5, 979. / 6},
			[4]float64{1.71, 9.5, 45, 215}, 0, 6},
	}
	for _, tt := range tests {
		var s Stream
		s.Reset(seed, Samples, 1, 1)
		got, low, high := moments(func() float64 { return tt.draw(&s) })
		for i := range got {
			if bound := 6 * tt.deviation[i] / math.Sqrt(draws); math.Abs(got[i]-tt.want[i]) > bound {
				t.Errorf("%s, seed %d: moment %d = %v, want %v ± %.2g", tt.name, seed, i+1, got[i], tt.want[i], bound)
			}
		}
		if low < tt.low || high >= tt.high {
			t.Errorf("%s, seed %d: draws from %v to %v, want within [%v, %v)", tt.name, seed, low, high, tt.low,
				tt.high)
		}
	}
}

// TestFirstDrawsAcrossStreams: the first draw of many streams is as uniform as
// many draws of one, since a run takes few draws from each of many streams.
func TestFirstDrawsAcrossStreams(t *testing.T) {
	const cells, n = 64, 200_000
	for _, seed := range []uint64{0, 1, 2} {
		var count [cells]int
		for i := range n {
			var s Stream
			s.Reset(seed, Samples, i/100, i%100)
			count[int(s.Float64()*cells)]++
		}
		chi := 0.0
		for _, c := range count {
			d := float64(c) - n/cells
			chi += d * d / (n / cells)
		}
		// χ² with 63 degrees of freedom: mean 63, deviation 11.2.
		if chi < 63-6*11.2 || chi > 63+6*11.2 {
			t.Errorf("seed %d: χ² of first draws = %.1f, want 63 ± 67", seed, chi)
		}
	}
}

func TestIntNBounds(t *testing.T) {
	var s Stream
	s.Reset(1, Clustering, 0, 0)
	for range 1000 {
		if got := s.IntN(1); got != 0 {
			t.Fatalf("IntN(1) = %d, want 0", got)
		}
	}
}
