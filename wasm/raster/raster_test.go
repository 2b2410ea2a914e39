package raster

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"testing"

	"flockscope/sim/draw/scene"
)

// play draws a list on a picture of 100 × 100 and returns its pixels.
func play(t *testing.T, draw func(l *scene.List)) image.Image {
	t.Helper()
	var l scene.List
	draw(&l)
	var out bytes.Buffer
	if err := PNG(&out, &l, scene.Light, 100, 100); err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(&out)
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// inkOf returns how many pixels' worth of a colour there are on paper.
func inkOf(picture image.Image, c scene.Colour) float64 {
	sum := 0.0
	r, _, _ := scene.Light.RGB(c)
	for y := range 100 {
		for x := range 100 {
			got, _, _, _ := picture.At(x, y).RGBA()
			sum += (255 - float64(got>>8)) / (255 - float64(r))
		}
	}
	return sum
}

// A shape covers the area that it has.
func TestAreas(t *testing.T) {
	ink := scene.Pen{Colour: scene.Ink, Width: 4}
	tests := []struct {
		name string
		draw func(l *scene.List)
		want float64
	}{
		{"nothing", func(l *scene.List) {}, 0},
		{"rect", func(l *scene.List) { l.Rect(10.5, 10.5, 30, 20, scene.Ink, scene.Pen{}) }, 600},
		{"rect, outline", func(l *scene.List) { l.Rect(20, 20, 40, 40, scene.Nothing, ink) }, 4 * 4 * 40},
		{"circle", func(l *scene.List) { l.Mark(scene.Circle, 50, 50, 20, scene.Ink, scene.Pen{}) }, math.Pi * 400},
		{"square", func(l *scene.List) { l.Mark(scene.Square, 50, 50, 20, scene.Ink, scene.Pen{}) }, 2 * 1.253 * 1.253 * 400},
		{"ellipse", func(l *scene.List) { l.Ellipse(50, 50, 30, 10, 0.7, scene.Ink, scene.Pen{}) }, math.Pi * 300},
		{"polygon", func(l *scene.List) { l.Polygon(scene.Ink, scene.Pen{}, 10, 10, 50, 10, 10, 50) }, 800},
		{"line", func(l *scene.List) { l.Line(ink, 10, 20, 90, 20) }, 320},
		{"line back", func(l *scene.List) { l.Line(ink, 90, 20, 10, 20, 10, 20) }, 320},
		{"slanted", func(l *scene.List) { l.Line(ink, 10, 10, 40, 50) }, 200},
		{"dashes", func(l *scene.List) {
			l.Line(scene.Pen{Colour: scene.Ink, Width: 4, Dash: scene.Dashed}, 10, 20, 91, 20)
		}, 9 * 6 * 4},
		{"half", func(l *scene.List) { l.Fade(0.5); l.Rect(10, 10, 20, 20, scene.Ink, scene.Pen{}) }, 200},
		{"clipped", func(l *scene.List) {
			l.Clip(0, 0, 20, 100)
			l.Rect(10, 10, 20, 20, scene.Ink, scene.Pen{})
			l.Unclip()
			l.Rect(50, 50, 10, 10, scene.Ink, scene.Pen{})
		}, 300},
		{"two clips", func(l *scene.List) {
			l.Clip(0, 0, 20, 100)
			l.Clip(0, 0, 100, 20)
			l.Rect(10, 10, 50, 50, scene.Ink, scene.Pen{})
		}, 100},
		{"outside", func(l *scene.List) { l.Rect(-50, -50, 60, 60, scene.Ink, scene.Pen{}) }, 100},
		{"nowhere", func(l *scene.List) {
			nan := float32(math.NaN())
			l.Mark(scene.Circle, nan, 5, 5, scene.Ink, scene.Pen{})
			l.Line(ink, 0, 0, float32(math.Inf(1)), 0)
			l.Rect(0, 0, nan, nan, scene.Ink, ink)
		}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := inkOf(play(t, tt.draw), scene.Ink)
			// Edges are blended in steps, and a polygon stands for a circle.
			if tolerance := 3 + 0.02*tt.want; math.Abs(got-tt.want) > tolerance {
				t.Errorf("%v pixels are covered, want %v", got, tt.want)
			}
		})
	}
}

// Text stands where its anchor says, bold is bolder, and its letters differ.
func TestText(t *testing.T) {
	extent := func(f scene.Font, x float32, s string) (left, right int, ink float64) {
		picture := play(t, func(l *scene.List) { l.Text(x, 50, f, s) })
		left, right = 100, -1
		for y := range 100 {
			for x := range 100 {
				if r, _, _, _ := picture.At(x, y).RGBA(); r < 0x8000 {
					left, right = min(left, x), max(right, x)
				}
			}
		}
		return left, right, inkOf(picture, scene.Ink)
	}
	font := scene.Font{Size: 20, Colour: scene.Ink}
	left, right, thin := extent(font, 10, "HaH")
	if left < 10 || left > 13 || right < 40 || right > 60 {
		t.Errorf("from 10 on, HaH reaches from %d to %d", left, right)
	}
	width := right - left
	font.Anchor = scene.End
	if _, right, _ := extent(font, 90, "HaH"); right > 90 || right < 86 {
		t.Errorf("up to 90, HaH ends at %d", right)
	}
	font.Anchor = scene.Middle
	if left, right, _ := extent(font, 50, "HaH"); math.Abs(float64(left+right)/2-50) > 2 || right-left != width {
		t.Errorf("around 50, HaH reaches from %d to %d", left, right)
	}
	font.Bold = true
	if _, _, thick := extent(font, 50, "HaH"); thick < 1.1*thin {
		t.Errorf("bold has %v pixels of ink, plain %v", thick, thin)
	}
	if _, _, other := extent(scene.Font{Size: 20, Colour: scene.Ink}, 10, "HeH"); other == thin {
		t.Error("a and e look the same")
	}
	for _, r := range "AaZz09Δφσθβ⁰·°−…" {
		if !Draws(r) {
			t.Errorf("Draws(%q) = false", r)
		}
	}
	if Draws('漢') {
		t.Error("Draws(漢) = true")
	}
}

// In a picture of more colours than a palette has, plain colours are still right.
func TestFullPalette(t *testing.T) {
	picture := play(t, func(l *scene.List) {
		for v := range 256 {
			for alpha := 1; alpha <= 4; alpha++ {
				l.Fade(float32(alpha) / 4)
				l.Rect(float32(v%16)*6, float32(v/16)*6+float32(alpha), 6, 1, scene.Heat(uint8(v)), scene.Pen{})
			}
		}
		l.Rect(50, 50, 20, 20, scene.Cluster(7), scene.Pen{})
	})
	if n := len(picture.(*image.Paletted).Palette); n != 256 {
		t.Errorf("the palette has %d colours, want 256", n)
	}
	r, g, b := scene.Light.RGB(scene.Cluster(7))
	if got, want := picture.At(60, 60), (color.RGBA{r, g, b, 255}); got != want {
		t.Errorf("a plain colour is %v, want %v", got, want)
	}
}

// The same list has the same bytes.
func TestPNG(t *testing.T) {
	var l scene.List
	l.Text(5, 50, scene.Font{Size: 20, Colour: scene.Ink}, "same")
	l.Mark(scene.Star, 50, 50, 20, scene.Cluster(1), scene.Pen{Colour: scene.Ink, Width: 1, Dash: scene.Fine})
	var a, b bytes.Buffer
	if err := PNG(&a, &l, scene.Dark, 200, 100); err != nil {
		t.Fatal(err)
	}
	if err := PNG(&b, &l, scene.Dark, 200, 100); err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Errorf("the second picture differs (%v)", err)
	}
	if c, err := png.DecodeConfig(&a); err != nil || c.Width != 200 || c.Height != 100 {
		t.Errorf("the picture is %d × %d (%v), want 200 × 100", c.Width, c.Height, err)
	}
}
