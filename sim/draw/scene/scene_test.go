package scene

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	imagepng "image/png"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"flockscope/sim/draw/scene/glyphs"
)

var update = flag.Bool("update", false, "write testdata anew")

// everything returns a list with each operation and each shape.
func everything() *List {
	l := &List{}
	l.Rect(1, 2, 30, 20, Panel, Pen{Line, 1, Solid})
	l.Clip(0, 0, 90, 40)
	l.Line(Pen{Ink, 2, Dashed}, 0, 0, 50, 25, 100, 0)
	l.Polygon(Cluster(2), Pen{Quiet, 1, Fine}, 0, 50, 10, 40, 20, 50)
	l.Fade(0.5)
	l.Ellipse(50, 25, 20, 10, 0.5, Heat(128), Pen{Cluster(3), 1, Solid})
	l.Unclip()
	l.Fade(1)
	for s := range Shape(Shapes) {
		l.Mark(s, 8+float32(s)*12, 30, 4, Cluster(int(s)), Pen{Paper, 1, Solid})
	}
	l.Mark(Circle, 60, 10, 4, Nothing, Pen{Cluster(1), 2.5, Solid})
	copy(l.Image(70, 5, 12, 8, 3, 2, 1, Paper, Ink), "\x00\x80\xff\xff\x80\x00")
	copy(l.Image(90, 5, 2, 1, 2, 1, 3, Paper, Ink), "\xff\x00\x00\x00\xff\x00")
	l.Text(10, 20, Font{Size: 12, Bold: true, Anchor: End, Colour: Ink}, "ä − B")
	l.TextBytes(50, 30, Font{Size: 14, Anchor: Middle, Baseline: Centre, Colour: Quiet}, []byte(`<&">`))
	return l
}

// TestEmbolden widens lines and outlines, and nothing else.
func TestEmbolden(t *testing.T) {
	draw := func(l *List) {
		l.Line(Pen{Colour: Ink, Width: 1}, 0, 0, 5, 5)
		l.Mark(Circle, 5, 5, 3, Paper, Pen{Colour: Ink, Width: 2})
		l.Text(0, 9, Font{Size: 12, Colour: Ink}, "A")
	}
	var plain, bold List
	draw(&plain)
	bold.Embolden(1.5)
	draw(&bold)
	if len(plain.Bytes()) != len(bold.Bytes()) {
		t.Fatalf("a bold list has %d bytes, a plain one %d", len(bold.Bytes()), len(plain.Bytes()))
	}
	var widths []float32
	if err := Walk(bold.Bytes(), func(op *Op) { widths = append(widths, op.Width) }); err != nil {
		t.Fatal(err)
	}
	if want := []float32{1.5, 3, 0}; !slices.Equal(widths, want) {
		t.Errorf("line widths are %v, want %v", widths, want)
	}
	bold.Reset()
	draw(&bold)
	if !bytes.Equal(bold.Bytes(), plain.Bytes()) {
		t.Error("a list that was reset is still bold")
	}
}

func TestWalkReturnsWhatWasDrawn(t *testing.T) {
	var got strings.Builder
	err := Walk(everything().Bytes(), func(op *Op) {
		got.WriteString(op.Kind() + " ")
		if op.Kind() == "text" {
			got.WriteString(op.Text + " ")
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	want := "rect clip line polygon fade ellipse unclip fade " + strings.Repeat("mark ", Shapes+1) +
		`image image text ä − B text <&"> `
	if got.String() != want {
		t.Errorf("Walk = %q, want %q", got.String(), want)
	}
}

func TestMarksOfAKindAreOneOperation(t *testing.T) {
	var l List
	for i := range 70000 {
		l.Mark(Circle, float32(i), 0, 3, Ink, Pen{})
	}
	items, firsts := 0, 0
	if err := Walk(l.Bytes(), func(op *Op) {
		items++
		if op.First {
			firsts++
		}
	}); err != nil {
		t.Fatal(err)
	}
	if items != 70000 || firsts != 2 {
		t.Errorf("%d marks in %d operations, want 70000 in 2: a count has 16 bits", items, firsts)
	}
}

func TestClipsAndFadesStayApart(t *testing.T) {
	var l List
	l.Fade(0.5)
	l.Fade(0.5)
	l.Mark(Circle, 0, 0, 1, Ink, Pen{})
	l.Fade(1)
	l.Mark(Circle, 0, 0, 1, Ink, Pen{})
	firsts := 0
	if err := Walk(l.Bytes(), func(op *Op) {
		if op.First {
			firsts++
		}
	}); err != nil {
		t.Fatal(err)
	}
	if firsts != 5 {
		t.Errorf("%d operations, want 5", firsts)
	}
}

func TestWalkRefuses(t *testing.T) {
	whole := everything().Bytes()
	for n := 1; n < len(whole); n++ {
		// A cut between operations is a list; elsewhere it must be an error.
		_ = Walk(whole[:n], func(*Op) {})
	}
	for name, b := range map[string][]byte{
		"zero":     make([]byte, 12),
		"unknown":  {opEnd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0},
		"channels": {opImage, 2, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0},
		"tints":    {opImage, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0},
		"huge":     append([]byte{opImage, 3, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0}, bytes.Repeat([]byte{255}, 20)...),
		"shape":    {opMark, 99, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0},
		"colour":   {opUnclip, 0, 255, 255, 0, 0, 0, 0, 0, 0, 1, 0},
		"cut":      whole[:len(whole)-1],
		"cut head": whole[:5],
	} {
		if err := Walk(b, func(*Op) {}); err == nil {
			t.Errorf("%s: Walk accepted it", name)
		}
	}
}

func FuzzWalk(f *testing.F) {
	f.Add(everything().Bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		items := 0
		if Walk(b, func(*Op) { items++ }) == nil && items > len(b)*65535 {
			t.Errorf("%d items from %d bytes", items, len(b))
		}
	})
}

// An image's bytes are where its caller writes them, and come back as they were.
func TestImage(t *testing.T) {
	var l List
	l.Origin(10, 20)
	pixels := l.Image(1, 2, 30, 40, 3, 2, 1, Paper, Ink)
	if len(pixels) != 6 {
		t.Fatalf("room for %d bytes, want 6", len(pixels))
	}
	copy(pixels, "abcdef")
	l.Rect(0, 0, 1, 1, Ink, Pen{})
	if err := Walk(l.Bytes(), func(op *Op) {
		if op.Kind() != "image" {
			return
		}
		r := op.Raster
		if r.Columns != 3 || r.Rows != 2 || r.Channels != 1 || string(r.Pixels) != "abcdef" || op.Fill != Ink ||
			op.Stroke != Paper {
			t.Errorf("the image came back as %+v of %v to %v", r, op.Stroke, op.Fill)
		}
		if x0, y0, x1, y1, ok := op.Extent(); !ok || x0 != 11 || y0 != 22 || x1 != 41 || y1 != 62 {
			t.Errorf("it covers %v %v %v %v", x0, y0, x1, y1)
		}
	}); err != nil {
		t.Fatal(err)
	}
}

// The PNG of an image is one that others can read, and shows its pixels.
func TestPNG(t *testing.T) {
	big := Raster{Columns: 300, Rows: 300, Channels: 1, Pixels: make([]byte, 90000)} // more than one block
	for i := range big.Pixels {
		big.Pixels[i] = byte(i * 7)
	}
	colour := Raster{Columns: 2, Rows: 1, Channels: 3, Pixels: []byte{1, 2, 3, 250, 251, 252}}
	for _, r := range []*Raster{&big, &colour} {
		picture, err := imagepng.Decode(bytes.NewReader(png(r, Light, Paper, Ink)))
		if err != nil {
			t.Fatal(err)
		}
		if b := picture.Bounds(); b.Dx() != r.Columns || b.Dy() != r.Rows {
			t.Fatalf("the picture has %v, want %d × %d", b, r.Columns, r.Rows)
		}
		for i := range r.Columns * r.Rows {
			var want [3]uint8
			if r.Channels == 3 {
				copy(want[:], r.Pixels[3*i:])
			} else {
				copy(want[:], ramp(Light, Paper, Ink)[3*int(r.Pixels[i]):])
			}
			red, green, blue, _ := picture.At(i%r.Columns, i/r.Columns).RGBA()
			if got := [3]uint8{uint8(red >> 8), uint8(green >> 8), uint8(blue >> 8)}; got != want {
				t.Fatalf("pixel %d is %v, want %v", i, got, want)
			}
		}
	}
	if got := ramp(Light, Paper, Ink); Light.Hex(Paper) != "#ffffff" || got[0] != 255 || got[765] != 0x1B ||
		got[767] != 0x24 {
		t.Errorf("the ramp goes from %v to %v", got[:3], got[765:])
	}
}

func TestSVG(t *testing.T) {
	for _, theme := range []Theme{Light, Dark} {
		var got bytes.Buffer
		if err := SVG(&got, everything(), theme, 110, 50, "Every <operation>", "One of each."); err != nil {
			t.Fatal(err)
		}
		wellFormed(t, got.Bytes())
		name := "testdata/everything-" + theme.String() + ".svg"
		if *update {
			if err := os.WriteFile(name, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%s differs; look at it and run go test -update", name)
		}
	}
}

func wellFormed(t *testing.T, b []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(b))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestBuildingAgainAllocatesNothing(t *testing.T) {
	var l List
	words := []byte("round 14")
	draw := func() {
		l.Reset()
		for i := range 1000 {
			l.Mark(Shape(i%3), float32(i), 1, 2, Cluster(i%8), Pen{Paper, 1, Solid})
			l.Line(Pen{Ink, 1, Solid}, 1, 2, 3, 4, 5, 6)
			l.Rect(1, 2, 3, 4, Heat(uint8(i)), Pen{})
			l.Image(1, 2, 3, 4, 28, 28, 1, Paper, Ink)[783] = 9
		}
		l.Text(1, 2, Font{Size: 12, Colour: Ink}, "label")
		l.TextBytes(1, 2, Font{Size: 12, Colour: Ink}, words)
	}
	draw()
	if n := testing.AllocsPerRun(20, draw); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}

func TestClusterBeyondThePalette(t *testing.T) {
	if Cluster(Clusters) != Quiet || Cluster(-1) != Quiet {
		t.Errorf("a model beyond the palette is not quiet ink")
	}
}

// Texts become outlines that end where the next letter would begin; what the font lacks
// stays a text, in fonts that are named.
func TestOutlines(t *testing.T) {
	outlines := ReadOutlines(string(glyphs.Text))
	for r := ' '; r <= '~'; r++ {
		if _, ok := outlines[r]; !ok {
			t.Errorf("%q has no outline", r)
		}
	}
	for _, r := range "−×·±°⁰¹⁶⁹Δφσü…’→≥∞" {
		if _, ok := outlines[r]; !ok {
			t.Errorf("%q has no outline", r)
		}
	}
	for r, g := range outlines {
		for face, path := range g.path {
			if x, y := end(t, path); x != g.width[face] || y != 0 {
				t.Errorf("%q ends at %d, %d, want %d, 0", r, x, y, g.width[face])
			}
		}
	}
	var l List
	l.Text(10, 20, Font{Size: 12, Anchor: End, Colour: Ink}, "Round 10⁶")
	l.Text(10, 40, Font{Size: 12, Bold: true, Colour: Ink}, "第 3 轮")
	var b strings.Builder
	p := Picture{W: 200, H: 100, Title: `"a" < b`, Outlines: outlines}
	if err := p.SVG(&b, &l); err != nil {
		t.Fatal(err)
	}
	svg := b.String()
	if !strings.Contains(svg, `width="200" height="100" viewBox="0 0 200 100"`) || strings.Contains(svg, ">Round") ||
		!strings.Contains(svg, ">第 3 轮</text>") || strings.Count(svg, "font-family") != 1 {
		t.Errorf("the picture is %s", svg)
	}
}

// end returns where the relative commands of a path lead.
func end(t *testing.T, path string) (x, y int) {
	numbers := map[byte]int{'m': 2, 'l': 2, 'q': 4, 'c': 6, 'z': 0}
	startX, startY := 0, 0
	for _, command := range regexp.MustCompile(`[a-z][^a-z]*`).FindAllString(path, -1) {
		fields := strings.Fields(command[1:])
		if n, ok := numbers[command[0]]; !ok || len(fields) != n {
			t.Fatalf("%q is no command", command)
		}
		if command == "z" {
			x, y = startX, startY
			continue
		}
		dx, _ := strconv.Atoi(fields[len(fields)-2])
		dy, _ := strconv.Atoi(fields[len(fields)-1])
		if x, y = x+dx, y+dy; command[0] == 'm' {
			startX, startY = x, y
		}
	}
	return x, y
}
