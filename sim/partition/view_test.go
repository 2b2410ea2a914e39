package partition

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"flockscope/sim/dataset"
	"flockscope/sim/rng"
)

//go:embed testdata/golden.json
var goldenText []byte

type golden struct {
	Versions map[string]string
	Turns    []struct {
		Width, Height int
		Angle         float64
		From          []int
	}
	Image    []float32
	Bilinear []struct {
		Angle float64
		Want  []float32
	}
	Pixelate, Blur []struct {
		Severity int
		Want     []float32
	}
}

func readGolden(t *testing.T) (g golden) {
	t.Helper()
	if err := json.Unmarshal(goldenText, &g); err != nil {
		t.Fatal(err)
	}
	if g.Versions["PIL"] == "" || len(g.Turns) < 5 || len(g.Image) != 784 || len(g.Bilinear) == 0 ||
		len(g.Pixelate) == 0 || len(g.Blur) == 0 {
		t.Fatalf("golden.json is not complete")
	}
	return g
}

func image(height, width, channels int) dataset.Shape {
	return dataset.Shape{Height: height, Width: width, Channels: channels}
}

// show returns what a view makes of a picture.
func show(v interface {
	Show(dst, raw []float32, s rng.Stream)
}, picture []float32, seed uint64) []float32 {
	raw := append(slices.Clone(picture), 0)
	dst := make([]float32, len(picture))
	v.Show(dst, raw, *stream(seed))
	return dst
}

// noisy returns a picture of uniform noise with n numbers.
func noisy(n int, seed uint64) []float32 {
	s := stream(seed)
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(s.Float64())
	}
	return out
}

// at returns the view of a corruption at a severity.
func at(t *testing.T, name string, shape dataset.Shape, severity int) View {
	t.Helper()
	for _, c := range corruptions {
		if c.name == name {
			return &corrupted{name: c.title, show: c.show(shape, severity-1)}
		}
	}
	t.Fatalf("no corruption %s", name)
	return nil
}

func TestTurnGolden(t *testing.T) {
	for _, tt := range readGolden(t).Turns {
		// Of a picture whose pixels are their own positions.
		raw, turned := make([]float32, tt.Height*tt.Width+1), make([]float32, tt.Height*tt.Width)
		for i := range raw {
			raw[i] = float32(i)
		}
		rotate(image(tt.Height, tt.Width, 1), tt.Angle).Show(turned, raw, rng.Stream{})
		for j, want := range tt.From {
			if got := int(turned[j]); got != want {
				t.Errorf("%d × %d turned by %v: pixel %d comes from %d, want %d", tt.Width, tt.Height, tt.Angle, j,
					got, want)
			}
		}
	}
}

func TestLinearViewsGolden(t *testing.T) {
	g := readGolden(t)
	near := func(what string, got, want []float32) {
		for j := range want {
			if d := math.Abs(float64(got[j] - want[j])); !(d <= 2e-6) {
				t.Fatalf("%s: pixel %d = %v, want %v", what, j, got[j], want[j])
			}
		}
	}
	shape := image(28, 28, 1)
	for _, tt := range g.Bilinear {
		near(fmt.Sprint("bilinear ", tt.Angle), show(rotateBilinear(shape, tt.Angle), g.Image, 1), tt.Want)
	}
	for _, tt := range g.Pixelate {
		near(fmt.Sprint("pixelate ", tt.Severity), show(at(t, "pixelate", shape, tt.Severity), g.Image, 1), tt.Want)
	}
	for _, tt := range g.Blur {
		near(fmt.Sprint("blur ", tt.Severity), show(at(t, "blur", shape, tt.Severity), g.Image, 1), tt.Want)
	}
}

// TestQuarterTurns: multiples of a right angle move whole pixels, and four
// quarters are none.
func TestQuarterTurns(t *testing.T) {
	for _, side := range []int{5, 28} {
		for _, channels := range []int{1, 3} {
			shape := image(side, side, channels)
			picture := noisy(shape.Size(), 1)
			number := func(p []float32, y, x, c int) float32 { return p[(y*side+x)*channels+c] }
			quarter, half, back := show(rotate(shape, 90), picture, 1), show(rotate(shape, 180), picture,
				1), show(rotate(shape, -90), picture, 1)
			for y := range side {
				for x := range side {
					for c := range channels {
						// Counter-clockwise: what was at the right is on top.
						if got, want := number(quarter, y, x, c), number(picture, x, side-1-y, c); got != want {
							t.Fatalf("side %d, 90°: (%d, %d) = %v, want %v", side, x, y, got, want)
						}
						if got, want := number(half, y, x, c), number(picture, side-1-y, side-1-x, c); got != want {
							t.Fatalf("side %d, 180°: (%d, %d) = %v, want %v", side, x, y, got, want)
						}
						if got, want := number(back, y, x, c), number(picture, side-1-x, y, c); got != want {
							t.Fatalf("side %d, −90°: (%d, %d) = %v, want %v", side, x, y, got, want)
						}
					}
				}
			}
			again := picture
			for range 4 {
				again = show(rotate(shape, 90), again, 1)
			}
			if !slices.Equal(again, picture) {
				t.Errorf("side %d: four quarter turns change the picture", side)
			}
			for _, angle := range []float64{90, 180, 270} {
				blended, nearest := rotateBilinear(shape, angle), rotate(shape, angle)
				if !slices.Equal(show(blended, picture, 1), show(nearest, picture, 1)) {
					t.Errorf("side %d, %v°: blending four pixels is not the same as taking one", side, angle)
				}
			}
		}
	}
}

func TestSameAngle(t *testing.T) {
	shape := image(28, 28, 1)
	for _, a := range []float64{15, 33.3, 180, 275, 300} {
		for _, b := range []float64{a - 360} {
			if !reflect.DeepEqual(rotate(shape, a).sources, rotate(shape, b).sources) {
				t.Errorf("turning by %v and by %v differ", a, b)
			}
		}
	}
}

func TestChain(t *testing.T) {
	tests := []struct {
		angles []float64
		near   float64
		want   []int
	}{
		{[]float64{0, 15, 90, 105, 180, 195, 270, 275}, 20, []int{0, 0, 1, 1, 2, 2, 3, 3}},
		{[]float64{0, 15, 90, 105, 180, 185, 270, 285}, 15, []int{0, 0, 1, 1, 2, 2, 3, 3}},
		{[]float64{0, 15, 90}, 14, []int{0, 1, 2}},
		{[]float64{0, 350, 10, 180}, 20, []int{0, 0, 0, 1}},
		{[]float64{350, 180, 10}, 20, []int{0, 1, 0}},
		{[]float64{0, 30, 60, 90}, 30, []int{0, 0, 0, 0}},
		{[]float64{0, 90, 180, 270}, 90, []int{0, 0, 0, 0}},
		{[]float64{0, 360, -360, 90}, 0, []int{0, 0, 0, 1}},
		{[]float64{-90, 270, 90}, 0, []int{0, 0, 1}},
		{[]float64{42}, 180, []int{0}},
		{[]float64{200, 100, 190, 110}, 10, []int{0, 1, 0, 1}},
	}
	for _, tt := range tests {
		if got := chain(tt.angles, tt.near); !slices.Equal(got, tt.want) {
			t.Errorf("chain(%v, %v) = %v, want %v", tt.angles, tt.near, got, tt.want)
		}
	}
}

// TestCorruptionsStayInside: pixels stay in [0, 1], for one and three channels
// and pictures that are not square.
func TestCorruptionsStayInside(t *testing.T) {
	for _, shape := range []dataset.Shape{image(28, 28, 1), image(32, 32, 3), image(4, 9, 1), image(2, 2, 1)} {
		picture := noisy(shape.Size(), 3)
		for _, c := range corruptions[1:] {
			for severity := 1; severity <= 5; severity++ {
				got := show(at(t, c.name, shape, severity), picture, 5)
				for j, x := range got {
					if !(x >= 0 && x <= 1) {
						t.Fatalf("%s %d: pixel %d = %v, want 0 to 1", c.name, severity, j, x)
					}
				}
			}
		}
	}
}

// TestNoisyViews compares moments over all pixels of many samples with those of
// the definitions; the grey 0.5 is far enough from the ends for clipping to be
// rare at the lowest severity.
func TestNoisyViews(t *testing.T) {
	const samples, grey = 50, 0.5
	shape := image(28, 28, 1)
	picture := make([]float32, shape.Size())
	for j := range picture {
		picture[j] = grey
	}
	n := float64(samples * shape.Size())
	for _, tt := range []struct {
		name     string
		severity int
		variance float64
	}{
		{"gaussian", 1, .08 * .08},
		{"speckle", 1, .15 * .15 * grey * grey},
		{"shot", 1, grey / 60},
		{"impulse", 3, .09 * grey * grey},
		{"impulse", 5, .27 * grey * grey},
	} {
		v := at(t, tt.name, shape, tt.severity)
		sum, squares := 0.0, 0.0
		for seed := range uint64(samples) {
			for _, x := range show(v, picture, seed) {
				sum += float64(x) - grey
				squares += (float64(x) - grey) * (float64(x) - grey)
			}
		}
		if got, slack := sum/n, 5*math.Sqrt(tt.variance/n); math.Abs(got) > slack {
			t.Errorf("%s %d: mean change %v, want 0 ± %.2g", tt.name, tt.severity, got, slack)
		}
		// Distances are below 0.5, so squares vary by less than a quarter of
		// their mean.
		if got, slack := squares/n, 5*math.Sqrt(tt.variance/4/n); math.Abs(got-tt.variance) > slack {
			t.Errorf("%s %d: mean square change %v, want %v ± %.2g", tt.name, tt.severity, got, tt.variance, slack)
		}
	}
}

func TestPlainViews(t *testing.T) {
	shape := image(28, 28, 1)
	picture := noisy(784, 9)
	mean := 0.0
	for _, x := range picture {
		mean += float64(x) / 784
	}
	for j, x := range picture {
		for _, tt := range []struct {
			name     string
			severity int
			want     float64
		}{
			{"brightness", 2, min(1, float64(x)+.2)},
			{"contrast", 1, (float64(x)-mean)*.4 + mean},
			{"contrast", 5, (float64(x)-mean)*.05 + mean},
			{"inverse", 4, 1 - float64(x)},
			{"stripe", 1, striped(j%28, float64(x))},
		} {
			if j > 60 && tt.name != "stripe" {
				continue // a look at some is enough
			}
			if got := show(at(t, tt.name, shape, tt.severity), picture, 1)[j]; math.Abs(float64(got)-tt.want) > 1e-5 {
				t.Fatalf("%s %d: pixel %d of %v = %v, want %v", tt.name, tt.severity, j, x, got, tt.want)
			}
		}
	}
}

// striped is stripe's definition: columns 0 to 6 and 21 to 27 are inverted.
func striped(column int, x float64) float64 {
	if column <= 6 || column >= 21 {
		return 1 - x
	}
	return x
}

// TestTranslate: by k pixels along both axes, each way as often.
func TestTranslate(t *testing.T) {
	shape := image(28, 28, 1)
	picture := noisy(784, 4)
	for severity := 1; severity <= 5; severity++ {
		ways := map[[2]int]int{}
		for seed := range uint64(200) {
			got := show(at(t, "translate", shape, severity), picture, seed)
			found := false
			for _, way := range [][2]int{{severity, severity}, {severity, -severity}, {-severity, severity},
				{-severity, -severity}} {
				want := make([]float32, 784)
				for y := range 28 {
					for x := range 28 {
						if inside(shape, x-way[0], y-way[1]) {
							want[y*28+x] = picture[(y-way[1])*28+x-way[0]]
						}
					}
				}
				if slices.Equal(got, want) {
					ways[way]++
					found = true
				}
			}
			if !found {
				t.Fatalf("translate %d: not a shift by %d pixels along both axes", severity, severity)
			}
		}
		for way, n := range ways {
			// 50 ± 5 standard deviations of 6.1.
			if n < 19 || n > 81 {
				t.Errorf("translate %d: %v for %d of 200 samples, want about 50", severity, way, n)
			}
		}
	}
}

// TestSeverity: 0 leaves it to each client, any other holds for all.
func TestSeverity(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range build(t, digits(), 200, 1, "shift=corruptions", "corrupt=gaussian").Clients {
		if c.View != nil {
			seen[c.View.Words().String()] = true
		}
	}
	if len(seen) != 5 {
		t.Errorf("a hundred clients with noise of any severity have %v, want all five", seen)
	}
	clear := 0
	for _, c := range build(t, digits(), 200, 1, "shift=corruptions", "corrupt=gaussian", "severity=4").Clients {
		if c.View == nil {
			clear++
		} else if c.View.Words().String() != "noise 4" {
			t.Errorf("severity=4: a client has %v", c.View)
		}
	}
	if clear != 100 {
		t.Errorf("%d of 200 clients see clearly, want half", clear)
	}
}
