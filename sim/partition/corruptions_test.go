package partition

import (
	"bytes"
	_ "embed"
	"encoding/json"
	goimage "image"
	gocolor "image/color"
	gojpeg "image/jpeg"
	"math"
	"slices"
	"testing"

	"flockscope/sim/dataset"
)

//go:embed testdata/corruptions.json
var corruptionsText []byte

type corruptionsGolden struct {
	Grey, Colour []float32
	Views        []struct {
		Name               string
		Channels, Severity int
		Want               []float32
	}
	Motion []struct {
		Angle, Sigma float64
		Radius       int
		Want         []float32
	}
	Positions    []float64
	Interpolated map[string][]float32
	Field        []float32
	Smooth       []struct {
		Sigma float64
		Want  []float32
	}
	Whole, Equal []float32
}

func readCorruptions(t *testing.T) (g corruptionsGolden) {
	t.Helper()
	if err := json.Unmarshal(corruptionsText, &g); err != nil {
		t.Fatal(err)
	}
	if len(g.Grey) != 144 || len(g.Colour) != 432 || len(g.Views) != 27 || len(g.Motion) == 0 || len(g.Smooth) == 0 {
		t.Fatal("corruptions.json is not complete")
	}
	return g
}

// near compares numbers with those of a reference.
func near(t *testing.T, got, want []float32, slack float64, format string, args ...any) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf(format+": %d numbers, want %d", append(args, len(got), len(want))...)
	}
	for j := range want {
		if d := math.Abs(float64(got[j] - want[j])); !(d <= slack) {
			t.Fatalf(format+": number %d is %v, want %v", append(args, j, got[j], want[j])...)
		}
	}
}

// TestCorruptionsGolden: what is not random is what SciPy and colorsys make.
func TestCorruptionsGolden(t *testing.T) {
	g := readCorruptions(t)
	for _, tt := range g.Views {
		picture := g.Grey
		if tt.Channels == 3 {
			picture = g.Colour
		}
		got := show(at(t, tt.Name, image(12, 12, tt.Channels), tt.Severity), picture, 1)
		near(t, got, tt.Want, 2e-5, "%s %d of %d channels", tt.Name, tt.Severity, tt.Channels)
	}
}

// TestPartsOfCorruptions: what random corruptions are made of.
func TestPartsOfCorruptions(t *testing.T) {
	g := readCorruptions(t)
	shape := image(12, 12, 3)
	for _, tt := range g.Motion {
		trail := newTrail(tt.Radius, tt.Sigma)
		got := make([]float32, shape.Size())
		trail.blur(got, g.Colour, make([]float32, trail.memory(shape)), shape, tt.Angle)
		near(t, got, tt.Want, 2e-6, "motion by %v°", tt.Angle)
	}
	shape = image(12, 12, 1)
	for name, edge := range map[string]func(i, n int) int{"mirror": mirrored, "reflect": reflected, "grid-constant": nowhere} {
		var got []float32
		for i := 0; i < len(g.Positions); i += 2 {
			var pixel [1]float32
			interpolate(pixel[:], g.Grey, shape, g.Positions[i], g.Positions[i+1], edge)
			got = append(got, pixel[0])
		}
		near(t, got, g.Interpolated[name], 2e-6, "interpolation with edge %s", name)
	}
	for _, tt := range g.Smooth {
		got, a := slices.Clone(g.Field), bell(12, tt.Sigma, 3, reflected)
		filter(make([]float32, len(got)), got, shape, &a, &a)
		near(t, got, tt.Want, 2e-6, "field smoothed by %v", tt.Sigma)
	}
	got := slices.Clone(g.Whole)
	equalize(got)
	near(t, got, g.Equal, 0, "equalized numbers")
}

// TestJPEG compares with the standard library, which rounds after each step: the decoded bytes differ a little.
func TestJPEG(t *testing.T) {
	soft := linear(image(32, 48, 3), func(n int) axis { return bell(n, 1.5, 4, replicated) })
	for _, channels := range []int{1, 3} {
		shape := image(32, 48, channels) // whole blocks of colours, since others are padded in several ways
		picture := noisy(shape.Size(), 2)
		if channels == 3 { // noise of colours is far from what JPEG is for
			raw := append(slices.Clone(picture), 0)
			soft(picture, raw, *stream(1))
		}
		for j, x := range picture {
			picture[j] = float32(Shade(x)) / 255
		}
		qualities := map[int]int{1: 25, 5: 7} // by severity
		if channels == 3 {
			qualities = map[int]int{1: 80, 5: 40}
		}
		for severity, quality := range qualities {
			var file bytes.Buffer
			at3 := func(x, y, k int) uint8 { return Shade(picture[(y*shape.Width+x)*channels+k]) }
			var in goimage.Image
			if channels == 1 {
				grey := goimage.NewGray(goimage.Rect(0, 0, shape.Width, shape.Height))
				for i := range grey.Pix {
					grey.Pix[i] = Shade(picture[i])
				}
				in = grey
			} else {
				rgb := goimage.NewRGBA(goimage.Rect(0, 0, shape.Width, shape.Height))
				for y := range shape.Height {
					for x := range shape.Width {
						rgb.Set(x, y, gocolor.RGBA{at3(x, y, 0), at3(x, y, 1), at3(x, y, 2), 255})
					}
				}
				in = rgb
			}
			if err := gojpeg.Encode(&file, in, &gojpeg.Options{Quality: quality}); err != nil {
				t.Fatal(err)
			}
			out, err := gojpeg.Decode(&file)
			if err != nil {
				t.Fatal(err)
			}
			got := show(at(t, "jpeg", shape, severity), picture, 1)
			off, change := 0.0, 0.0
			for j, x := range got {
				r, g, b, _ := out.At(j/channels%shape.Width, j/channels/shape.Width).RGBA()
				want := float64([3]uint32{r, g, b}[j%channels]) / 0xffff
				off += math.Abs(float64(x)-want) / float64(len(got))
				change += math.Abs(float64(x)-float64(picture[j])) / float64(len(got))
			}
			if off > .006 || off > change/5 {
				t.Errorf("%d channels, quality %d: %.4f from image/jpeg on average, with %.4f from the image", channels,
					quality, off, change)
			}
		}
	}
}

// TestRandomCorruptions: moments of what is drawn, over samples, for both kinds of images.
func TestRandomCorruptions(t *testing.T) {
	const samples = 60
	for _, tt := range []struct {
		name               string
		channels, severity int
		grey               float32
		low, high          float64 // of the mean
		deviation          float64 // least deviation of the pixels
	}{
		{"fog", 1, 3, .5, .2, .45, .05}, // x·½/(½+c) + cloud·½/(½+c)·c, with clouds of mean near ½
		{"fog", 3, 3, .5, .3, .45, .02},
		{"frost", 1, 1, .3, .4, .7, .05},
		{"frost", 3, 5, .3, .3, .7, .02},
		{"snow", 1, 1, .3, .4, .7, .03},
		{"snow", 3, 1, .3, .31, .45, .02},
		{"spatter", 1, 4, .9, .4, .9, .1}, // mud hides a part of the image
		{"spatter", 3, 5, .9, .6, .895, .05},
		{"spatter", 3, 1, .3, .3005, .4, .005}, // water brightens a part
	} {
		shape := image(28, 28, tt.channels)
		picture := slices.Repeat([]float32{tt.grey}, shape.Size())
		v := at(t, tt.name, shape, tt.severity)
		n := float64(samples * shape.Size())
		sum, squares := 0.0, 0.0
		for seed := range uint64(samples) {
			for _, x := range show(v, picture, seed) {
				sum += float64(x) / n
				squares += float64(x) * float64(x) / n
			}
		}
		if deviation := math.Sqrt(squares - sum*sum); sum < tt.low || sum > tt.high || deviation < tt.deviation {
			t.Errorf("%s %d of %d channels: mean %.4f and deviation %.4f, want %v to %v and at least %v", tt.name, tt.severity,
				tt.channels, sum, deviation, tt.low, tt.high, tt.deviation)
		}
	}
}

// TestPlasma: a cloud reaches from 0 to 1, is smoother with more decay, and has no seam.
func TestPlasma(t *testing.T) {
	const side = 32
	steps := func(decay float64) (inner, seam float64) {
		for seed := range uint64(20) {
			cloud := make([]float32, side*side)
			plasma(cloud, side, decay, stream(seed))
			if low, high := slices.Min(cloud), slices.Max(cloud); low != 0 || high != 1 {
				t.Errorf("decay %v: from %v to %v, want 0 to 1", decay, low, high)
			}
			for y := range side {
				for x := range side {
					d := math.Abs(float64(cloud[y*side+x] - cloud[y*side+(x+1)%side]))
					if inner += d / (20 * side * side); x == side-1 {
						seam += d / (20 * side)
					}
				}
			}
		}
		return inner, seam
	}
	rough, _ := steps(1.5)
	smooth, seam := steps(3)
	if smooth > rough/2 || seam > 2*smooth {
		t.Errorf("steps of %v with decay 3 and %v with 1.5, %v at the seam", smooth, rough, seam)
	}
}

// TestGlass: pixels come from near by. Without a blur, those of grey images are exchanged and those of colour copied.
func TestGlass(t *testing.T) {
	shape := image(32, 32, 3)
	picture := noisy(shape.Size(), 1)
	got := show(at(t, "glass", shape, 1), picture, 3) // a standard deviation of 0.05 blurs nothing
	moved := 0
	for y := range 32 {
		for x := range 32 {
			pixel, found := got[(y*32+x)*3:][:3], false
			for dy := -2; dy <= 2; dy++ {
				for dx := -2; dx <= 2; dx++ {
					if inside(shape, x+dx, y+dy) && slices.Equal(pixel, picture[((y+dy)*32+x+dx)*3:][:3]) {
						found = true
						if dx != 0 || dy != 0 {
							moved++
						}
					}
				}
			}
			if !found {
				t.Fatalf("pixel (%d, %d) is not one near it", x, y)
			}
		}
	}
	if moved < 500 || moved > 900 { // of 900, a quarter stay
		t.Errorf("%d of 1024 pixels moved, want about 700", moved)
	}
}

// TestThreePoints: the three points come from where they were.
func TestThreePoints(t *testing.T) {
	m := threePoints(image(28, 28, 1), 0, stream(1))
	for _, p := range [][2]float64{{0, 0}, {27, 3}, {14, 14}} {
		if x, y := m.at(p[0], p[1]); math.Abs(x-p[0]) > 1e-9 || math.Abs(y-p[1]) > 1e-9 {
			t.Errorf("moved by 0: (%v, %v) comes from (%v, %v)", p[0], p[1], x, y)
		}
	}
	for seed := range uint64(50) {
		s, again := stream(seed), stream(seed)
		m := threePoints(image(28, 28, 1), 3, s)
		for _, from := range [][2]float64{{23, 23}, {23, 5}, {5, 5}} {
			x, y := m.at(from[0]+again.Uniform(-3, 3), from[1]+again.Uniform(-3, 3))
			if math.Abs(x-from[0]) > 1e-9 || math.Abs(y-from[1]) > 1e-9 {
				t.Fatalf("seed %d: a point comes from (%v, %v), want %v", seed, x, y, from)
			}
		}
	}
}

// TestHCFLCorruptions: corrupt=hcfl has the paper's twenty kinds, and corrupt=all the twelve that old links have.
func TestHCFLCorruptions(t *testing.T) {
	for word, want := range map[string]int{"corrupt=hcfl": 20, "corrupt=all": 12} {
		kinds := map[string]bool{}
		for _, c := range build(t, digits(), 40, 1, "shift=corruptions", word, "severity=1").Clients {
			kinds[c.ViewName().String()] = true
		}
		if len(kinds) != want {
			t.Errorf("%s: %d kinds %v, want %d", word, len(kinds), kinds, want)
		}
	}
}

func TestShowCorruption(t *testing.T) {
	shape := image(8, 8, 3)
	picture := noisy(shape.Size(), 1)
	dst := make([]byte, 5*shape.Size())
	for _, c := range corruptions[1:] {
		if !ShowCorruption(dst, c.name, shape, picture) {
			t.Errorf("ShowCorruption does not know %s", c.name)
		}
		if same := bytes.Equal(dst[:len(picture)], dst[4*len(picture):]); same != c.flat {
			t.Errorf("%s: severities 1 and 5 are the same: %v, want %v", c.name, same, c.flat)
		}
	}
	for _, name := range []string{"identity", "all", ""} {
		if ShowCorruption(dst, name, dataset.Shape{}, nil) {
			t.Errorf("ShowCorruption knows %q", name)
		}
	}
}

// TestStrongCounts: above a mean of 100, where the inversion ends, counts have the right moments too.
func TestStrongCounts(t *testing.T) {
	s := stream(3)
	for _, mean := range []float64{101, 250, 500} {
		const n = 40000
		sum, squares := 0.0, 0.0
		for range n {
			d := float64(poisson(mean, s)) - mean
			sum += d / n
			squares += d * d / n
		}
		if math.Abs(sum) > 5*math.Sqrt(mean/n) || math.Abs(squares/mean-1) > 5*math.Sqrt(2./n) {
			t.Errorf("poisson(%v): mean off by %v, variance %v", mean, sum, squares)
		}
	}
}
