package exact

import (
	_ "embed"
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"
)

//go:embed testdata/golden.json
var goldenText []byte

// reference is a number to twice the digits of a float64: the nearest one, and
// what it lacks.
type reference [2]float64

// ulps returns the error of got in units of the last place of r.
func (r reference) ulps(got float64) float64 {
	ulp := math.Nextafter(math.Abs(r[0]), math.Inf(1)) - math.Abs(r[0])
	return math.Abs((got-r[0])-r[1]) / ulp
}

// golden is what mpmath made of the same arguments.
func golden(t *testing.T) (file struct {
	Versions map[string]string
	Log      []struct {
		X    float64
		Want reference
	}
	SinCos []struct {
		Degrees  float64
		Sin, Cos reference
	}
	Quantile []struct {
		P    float64
		Want reference
	}
}) {
	t.Helper()
	if err := json.Unmarshal(goldenText, &file); err != nil {
		t.Fatal(err)
	}
	if file.Versions["mpmath"] == "" || len(file.Log) < 100 || len(file.SinCos) < 100 || len(file.Quantile) < 100 {
		t.Fatalf("golden.json: versions %v and %d, %d, %d cases, want a version and 100 of each",
			file.Versions, len(file.Log), len(file.SinCos), len(file.Quantile))
	}
	return file
}

// The limits in units of the last place. The doc comments promise 2 for the
// first two functions, and about 16 digits for the third: 1e-15 is 4.5 to 9 ulps.
const (
	ulpsElementary = 2
	ulpsQuantile   = 4.5
)

func TestLogGolden(t *testing.T) {
	worst := 0.0
	for _, tt := range golden(t).Log {
		got := Log(tt.X)
		e := tt.Want.ulps(got)
		worst = max(worst, e)
		if !(e <= ulpsElementary) {
			t.Errorf("Log(%v) = %v, want %v: off by %.2f ulps, want at most %v", tt.X, got, tt.Want[0], e,
				ulpsElementary)
		}
	}
	t.Logf("Log: largest error %.3f ulps", worst)
}

// TestLogDense looks between the golden points: math.Log is good to 1 ulp, but
// for subnormal numbers, where its amd64 assembly is wrong in the fourth digit.
func TestLogDense(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, seed))
	for range 200_000 {
		x := math.Float64frombits(r.Uint64() >> 1)
		if math.IsNaN(x) || math.IsInf(x, 0) || x < 0x1p-1022 {
			continue
		}
		got, want := Log(x), math.Log(x)
		if e := (reference{want}).ulps(got); !(e <= ulpsElementary+1) {
			t.Fatalf("seed %d: Log(%v) = %v, want %v within %v ulps, off by %.2f", seed, x, got, want,
				ulpsElementary+1, e)
		}
	}
}

func TestSinCosDegreesGolden(t *testing.T) {
	worst := 0.0
	for _, tt := range golden(t).SinCos {
		sin, cos := SinCosDegrees(tt.Degrees)
		e := max(tt.Sin.ulps(sin), tt.Cos.ulps(cos))
		worst = max(worst, e)
		if !(e <= ulpsElementary) {
			t.Errorf("SinCosDegrees(%v) = %v, %v, want %v, %v: off by %.2f ulps, want at most %v",
				tt.Degrees, sin, cos, tt.Sin[0], tt.Cos[0], e, ulpsElementary)
		}
	}
	t.Logf("SinCosDegrees: largest error %.3f ulps", worst)
}

func TestSinCosDegreesExact(t *testing.T) {
	tests := []struct {
		name              string
		degrees, sin, cos float64
	}{
		{"zero", 0, 0, 1},
		{"right angle", 90, 1, 0},
		{"half turn", 180, 0, -1},
		{"right angle, backwards", -90, -1, 0},
		{"half turn, backwards", -180, 0, -1},
	}
	for _, tt := range tests {
		if sin, cos := SinCosDegrees(tt.degrees); sin != tt.sin || cos != tt.cos {
			t.Errorf("%s: SinCosDegrees(%v) = %v, %v, want %v, %v", tt.name, tt.degrees, sin, cos, tt.sin, tt.cos)
		}
	}
}

// TestSinCosDegreesSymmetry: the planted lines of linreg must come out as
// mirror images, to the bit.
func TestSinCosDegreesSymmetry(t *testing.T) {
	for i := range 18_000 {
		d := float64(i) / 100
		sin, cos := SinCosDegrees(d)
		if s, c := SinCosDegrees(-d); s != -sin || c != cos {
			t.Errorf("SinCosDegrees(%v) = %v, %v, want %v, %v as at the opposite angle", -d, s, c, -sin, cos)
		}
		if square := sin*sin + cos*cos; math.Abs(square-1) > 5e-16 {
			t.Errorf("SinCosDegrees(%v): sin² + cos² = %v, want 1", d, square)
		}
	}
}

func TestNormalQuantileGolden(t *testing.T) {
	worst := 0.0
	for _, tt := range golden(t).Quantile {
		got := NormalQuantile(tt.P)
		e := tt.Want.ulps(got)
		worst = max(worst, e)
		if !(e <= ulpsQuantile) {
			t.Errorf("NormalQuantile(%v) = %v, want %v: off by %.2f ulps, want at most %v", tt.P, got, tt.Want[0], e,
				ulpsQuantile)
		}
	}
	t.Logf("NormalQuantile: largest error %.3f ulps", worst)
}

func TestNormalQuantileSymmetry(t *testing.T) {
	const seed = 2
	r := rand.New(rand.NewPCG(seed, seed))
	for range 100_000 {
		// An odd multiple of 2⁻⁵³, as the streams draw it, so that 1−p is exact.
		p := (float64(r.Uint64()>>12) + 0.5) / (1 << 52)
		if a, b := NormalQuantile(p), NormalQuantile(1-p); a != -b {
			t.Fatalf("seed %d: NormalQuantile(%v) = %v and NormalQuantile(%v) = %v, want opposite numbers", seed, p, a,
				1-p, b)
		}
	}
}

func TestNormalQuantileRises(t *testing.T) {
	last := math.Inf(-1)
	for i := 1; i < 100_000; i++ {
		p := float64(i) / 100_000
		z := NormalQuantile(p)
		if z <= last {
			t.Fatalf("NormalQuantile(%v) = %v, want more than the %v before it", p, z, last)
		}
		last = z
	}
}

func TestPanics(t *testing.T) {
	tests := []struct {
		name string
		call func()
	}{
		{"Log(0)", func() { Log(0) }},
		{"Log(-1)", func() { Log(-1) }},
		{"Log(NaN)", func() { Log(math.NaN()) }},
		{"Log(Inf)", func() { Log(math.Inf(1)) }},
		{"SinCosDegrees(180.0000001)", func() { SinCosDegrees(180.0000001) }},
		{"SinCosDegrees(-181)", func() { SinCosDegrees(-181) }},
		{"SinCosDegrees(NaN)", func() { SinCosDegrees(math.NaN()) }},
		{"NormalQuantile(0)", func() { NormalQuantile(0) }},
		{"NormalQuantile(1)", func() { NormalQuantile(1) }},
		{"NormalQuantile(-0.1)", func() { NormalQuantile(-0.1) }},
		{"NormalQuantile(NaN)", func() { NormalQuantile(math.NaN()) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Errorf("%s returned, want a panic", tt.name)
				}
			}()
			tt.call()
		})
	}
}
