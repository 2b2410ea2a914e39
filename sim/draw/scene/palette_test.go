package scene

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

// The matrices that simulate dichromats in linear RGB: Machado, Oliveira and
// Fernandes, "A physiologically-based model for simulation of color vision
// deficiency", IEEE TVCG 15(6), 2009, severity 1.0.
var vision = map[string][3][3]float64{
	"normal": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protan": {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deutan": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritan": {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// TestPaletteApart holds every pair of cluster colours apart for people with
// each kind of vision: the first eight well apart, all twelve further than the
// eight of Okabe and Ito, which reach 10.9.
func TestPaletteApart(t *testing.T) {
	for _, tt := range []struct {
		theme  Theme
		colour int
		want   float64
	}{{Light, 8, 14.3}, {Dark, 8, 16}, {Light, Clusters, 11.7}, {Dark, Clusters, 13}} {
		theme, least, where := tt.theme, math.Inf(1), ""
		for kind, matrix := range vision {
			for a := range tt.colour {
				for b := range a {
					d := ciede2000(lab(seen(theme, Cluster(a), matrix)), lab(seen(theme, Cluster(b), matrix)))
					if d < least {
						least, where = d, theme.Name(a)+" and "+theme.Name(b)+", "+kind
					}
				}
			}
		}
		t.Logf("%v, %d colours: least difference %.2f (%s)", theme, tt.colour, least, where)
		if least < tt.want {
			t.Errorf("%v, %d colours: least difference %.2f (%s), want at least %v", theme, tt.colour, least, where,
				tt.want)
		}
	}
}

// TestContrast holds graphics at 3.1 : 1 on paper and text at 4.5 : 1. WCAG
// 2.2, 1.4.11 and 1.4.3, ask for 3 and 4.5. Forced colours are those of the contrast themes of
// Windows 11. The projector shows the light theme.
func TestContrast(t *testing.T) {
	for name, palette := range map[string][]string{
		"light": Light.Palette(), "dark": Dark.Palette(), "greyscale": Greyscale.Palette(),
		"Aquatic":   Forced("#ffffff", "#202020", ForcedGreyDark),
		"Desert":    Forced("#3d3d3d", "#fffaef", ForcedGrey),
		"Dusk":      Forced("#ffffff", "#2d3236", ForcedGreyDark),
		"Night sky": Forced("#ffffff", "#000000", ForcedGreyDark),
	} {
		if len(palette) != Colours || palette[Nothing] != "none" || palette[Heat(255)] != "#fdea45" {
			t.Errorf("%s: %d colours, %q first, %q last", name, len(palette), palette[0], palette[len(palette)-1])
		}
		floor := func(a, b Colour, want float64) {
			if c := contrast(rgb(t, palette[a]), rgb(t, palette[b])); c < want {
				t.Errorf("%s: colour %d has contrast %.2f on colour %d, want at least %v", name, a, c, b, want)
			}
		}
		for k := range Clusters {
			floor(Cluster(k), Paper, 3.1)
		}
		for _, ground := range []Colour{Paper, Panel} {
			floor(Ink, ground, 4.5)
			floor(Quiet, ground, 4.5)
		}
		floor(Unassigned, Paper, 3)
		floor(Line, Paper, 1.35) // decoration: frames and grids are seen, but stay behind
		floor(Ink, Line, 2.5)
	}
}

func rgb(t *testing.T, hex string) (out [3]uint8) {
	t.Helper()
	if n, err := fmt.Sscanf(hex, "#%02x%02x%02x", &out[0], &out[1], &out[2]); n != 3 {
		t.Fatalf("%q is no colour: %v", hex, err)
	}
	return out
}

// TestGreyscale holds the colours of clusters apart in print without colour: by their
// lightness alone, the first few well apart. They still have the hues of the light theme.
func TestGreyscale(t *testing.T) {
	grey := func(k int) float64 { return lab(seen(Greyscale, Cluster(k), vision["normal"]))[0] }
	for _, tt := range []struct {
		colours int
		want    float64 // of lightness, which goes from 0 to 100
	}{{2, 30}, {3, 18}, {4, 13}, {6, 8.5}, {Clusters, 4.1}} {
		for a := range tt.colours {
			for b := range a {
				if d := math.Abs(grey(a) - grey(b)); d < tt.want {
					t.Errorf("of %d colours, %s and %s differ in lightness by %.1f, want at least %v", tt.colours,
						Greyscale.Name(a), Greyscale.Name(b), d, tt.want)
				}
			}
		}
	}
	hue := func(theme Theme, k int) float64 {
		c := lab(seen(theme, Cluster(k), vision["normal"]))
		return math.Atan2(c[2], c[1]) * 180 / math.Pi
	}
	for k := range Clusters {
		d := math.Mod(hue(Greyscale, k)-hue(Light, k)+540, 360) - 180
		if math.Abs(d) > 8 {
			t.Errorf("%s has another hue than in the light theme: by %.0f°", Greyscale.Name(k), d)
		}
	}
}

// TestHeatIsOrdered checks that the ramp only gets lighter: it must be
// readable without any hue.
func TestHeatIsOrdered(t *testing.T) {
	last := -1.0
	for v := range 256 {
		l := lab(seen(Light, Heat(uint8(v)), vision["normal"]))[0]
		if l < last-0.3 {
			t.Fatalf("step %d has lightness %.2f after %.2f", v, l, last)
		}
		last = max(last, l)
	}
	if got := Light.Hex(Heat(0)) + Light.Hex(Heat(255)); got != "#002051#fdea45" {
		t.Errorf("the ramp ends at %s, want cividis: #002051 and #fdea45", got)
	}
}

// TestCIEDE2000 uses rows of the test data of Sharma, Wu and Dalal, Color
// Research & Application 30 (2005), 21-30.
func TestCIEDE2000(t *testing.T) {
	for _, tt := range []struct {
		a, b [3]float64
		want float64
	}{
		{[3]float64{50, 2.6772, -79.7751}, [3]float64{50, 0, -82.7485}, 2.0425},
		{[3]float64{50, -1, 2}, [3]float64{50, 0, 0}, 2.3669},
		{[3]float64{50, 2.5, 0}, [3]float64{73, 25, -18}, 27.1492},
		{[3]float64{6.7747, -0.2908, -2.4247}, [3]float64{5.8714, -0.0985, -2.2286}, 0.6377},
		{[3]float64{2.0776, 0.0795, -1.1350}, [3]float64{0.9033, -0.0636, -0.5514}, 0.9082},
	} {
		if got := ciede2000(tt.a, tt.b); math.Abs(got-tt.want) > 1e-4 {
			t.Errorf("ciede2000(%v, %v) = %.4f, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

// linear returns channels without the sRGB curve (IEC 61966-2-1).
func linear(rgb [3]uint8) (out [3]float64) {
	for i, v := range rgb {
		if x := float64(v) / 255; x <= 0.04045 {
			out[i] = x / 12.92
		} else {
			out[i] = math.Pow((x+0.055)/1.055, 2.4)
		}
	}
	return out
}

func seen(theme Theme, c Colour, m [3][3]float64) (out [3]float64) {
	r, g, b := theme.RGB(c)
	rgb := linear([3]uint8{r, g, b})
	for i := range out {
		out[i] = min(max(m[i][0]*rgb[0]+m[i][1]*rgb[1]+m[i][2]*rgb[2], 0), 1)
	}
	return out
}

func contrast(a, b [3]uint8) float64 {
	y := func(c [3]uint8) float64 {
		v := linear(c)
		return 0.2126*v[0] + 0.7152*v[1] + 0.0722*v[2] + 0.05
	}
	return max(y(a)/y(b), y(b)/y(a))
}

// lab converts linear sRGB to CIELAB under D65.
func lab(rgb [3]float64) [3]float64 {
	f := func(v float64) float64 {
		if v > 216.0/24389 {
			return math.Cbrt(v)
		}
		return (24389.0/27*v + 16) / 116
	}
	x := f((0.4124564*rgb[0] + 0.3575761*rgb[1] + 0.1804375*rgb[2]) / 0.95047)
	y := f(0.2126729*rgb[0] + 0.7151522*rgb[1] + 0.0721750*rgb[2])
	z := f((0.0193339*rgb[0] + 0.1191920*rgb[1] + 0.9503041*rgb[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// ciede2000 is the colour difference ΔE₀₀ of two CIELAB colours with all
// weights 1, in the notation of Sharma, Wu and Dalal.
func ciede2000(p, q [3]float64) float64 {
	const rad = math.Pi / 180
	pow7 := func(c float64) float64 { return math.Sqrt(math.Pow(c, 7) / (math.Pow(c, 7) + math.Pow(25, 7))) }
	g := 0.5 * (1 - pow7((math.Hypot(p[1], p[2])+math.Hypot(q[1], q[2]))/2))
	a1, a2 := (1+g)*p[1], (1+g)*q[1]
	c1, c2 := math.Hypot(a1, p[2]), math.Hypot(a2, q[2])
	angle := func(a, b float64) float64 {
		if a == 0 && b == 0 {
			return 0
		}
		return math.Mod(math.Atan2(b, a)/rad+360, 360)
	}
	h1, h2 := angle(a1, p[2]), angle(a2, q[2])
	dl, dc, dh := q[0]-p[0], c2-c1, h2-h1
	hm := h1 + h2
	if c1*c2 == 0 {
		dh = 0
	} else {
		switch {
		case dh > 180:
			dh -= 360
		case dh < -180:
			dh += 360
		}
		switch {
		case math.Abs(h1-h2) <= 180:
			hm /= 2
		case hm < 360:
			hm = (hm + 360) / 2
		default:
			hm = (hm - 360) / 2
		}
	}
	dH := 2 * math.Sqrt(c1*c2) * math.Sin(dh/2*rad)
	lm, cm := (p[0]+q[0])/2, (c1+c2)/2
	t := 1 - 0.17*math.Cos((hm-30)*rad) + 0.24*math.Cos(2*hm*rad) +
		0.32*math.Cos((3*hm+6)*rad) - 0.20*math.Cos((4*hm-63)*rad)
	turn := 30 * math.Exp(-math.Pow((hm-275)/25, 2))
	sl := 1 + 0.015*math.Pow(lm-50, 2)/math.Sqrt(20+math.Pow(lm-50, 2))
	sc, sh := 1+0.045*cm, 1+0.015*cm*t
	rt := -math.Sin(2*turn*rad) * 2 * pow7(cm)
	return math.Sqrt(dl/sl*dl/sl + dc/sc*dc/sc + dH/sh*dH/sh + rt*dc/sc*dH/sh)
}

// The marks of the page's legend have the colours of the first three models.
func TestLegendColours(t *testing.T) {
	css, err := os.ReadFile("../../../assets/style.css")
	if err != nil {
		t.Fatal(err)
	}
	for theme, times := range map[Theme]int{Light: 1, Dark: 2} { // dark by the system, and by choice
		rule := fmt.Sprintf("--model-a: %s; --model-b: %s; --model-c: %s;", theme.Hex(Cluster(0)),
			theme.Hex(Cluster(1)), theme.Hex(Cluster(2)))
		if got := strings.Count(string(css), rule); got != times {
			t.Errorf("style.css has %q %d times, want %d", rule, got, times)
		}
	}
}
