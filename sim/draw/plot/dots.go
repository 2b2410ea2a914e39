package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
)

// Dot is a number with its interval; Kind selects its colour and shape.
type Dot struct {
	X, Low, High float64
	Kind         int
	Ringed       bool // stands out
}

// DotRow is a row of dots, with a bar from 0, NaN for none, and words at its end.
type DotRow struct {
	Name  string
	Dots  []Dot
	Bar   float64
	Words string
}

// Dots draws rows of numbers around 0 with their intervals, a band of ± band around 0, and a legend of the kinds. Numbers
// below least stand at its edge.
func Dots(title, xName string, kinds []string, barName string, band, least float64, rows []DotRow) *Picture {
	const high = 46
	p := &Picture{Title: title, W: 820, H: 4*line + high*float32(len(rows)) + 2*line}
	p.drawTitle()
	low, top := -band, band
	left, right := float32(0), float32(0)
	n := 0
	for _, r := range rows {
		left = max(left, scene.TextWidth(r.Name, small, false))
		for text := range strings.SplitSeq(r.Words, "\n") {
			right = max(right, scene.TextWidth(text, small, false))
		}
		for _, d := range r.Dots {
			low, top = min(low, d.X), max(top, d.X)
			n++
		}
		if !math.IsNaN(r.Bar) {
			top = max(top, r.Bar)
		}
	}
	low = max(low, least)
	marks := ticks(low, top)
	low, top = max(marks[0], least), max(band, marks[len(marks)-1])
	x0, x1, y0 := left+20, p.W-right-20, float32(3*line)
	y1 := y0 + high*float32(len(rows))
	x := func(v float64) float32 { return x0 + (x1-x0)*float32((min(max(v, low), top)-low)/(top-low)) }
	p.list.Fade(0.6)
	p.list.Rect(x(-band), y0, x(band)-x(-band), y1-y0, scene.Line, scene.Pen{})
	p.list.Fade(1)
	for _, v := range marks {
		if v < low-1e-9 {
			continue
		}
		p.list.Line(grid, x(v), y0, x(v), y1)
		p.list.Text(x(v), y1+line/2+2, anchored(quiet, scene.Middle), say.Figures(v, 3))
	}
	p.list.Line(scene.Pen{Colour: scene.Quiet, Width: 1}, x(0), y0, x(0), y1)
	p.list.Text((x0+x1)/2, y1+line+line/2+4, anchored(quiet, scene.Middle), xName)
	at := float32(8)
	for k, name := range kinds {
		p.list.Mark(scene.Shape(k), at+5, line+line/2+4, 4.5, colour(k), scene.Pen{Colour: scene.Paper, Width: 1})
		p.list.Text(at+15, line+line/2+4, quiet, name)
		at += scene.TextWidth(name, small, false) + 32
	}
	if barName != "" {
		p.list.Rect(at, line+line/2, 16, 8, scene.Nothing, scene.Pen{Colour: scene.Quiet, Width: 1.5})
		p.list.Text(at+22, line+line/2+4, quiet, barName)
	}
	for i, r := range rows {
		y := y0 + high*float32(i)
		p.list.Line(grid, x0, y, x1, y)
		p.list.Text(x0-8, y+high/2, anchored(ink, scene.End), r.Name)
		if !math.IsNaN(r.Bar) {
			from, to := min(x(0), x(r.Bar)), max(x(0), x(r.Bar))
			p.list.Rect(from, y+5, to-from, high-10, scene.Nothing, scene.Pen{Colour: scene.Quiet, Width: 1.5})
		}
		words := strings.Split(r.Words, "\n")
		for j, text := range words {
			p.list.Text(x1+8, y+high/2+(float32(j)-float32(len(words)-1)/2)*(small+2), ink, text)
		}
		dots := slices.Clone(r.Dots)
		slices.SortStableFunc(dots, func(a, b Dot) int { return cmp.Compare(a.X, b.X) })
		for j, d := range dots { // neighbours are at four heights
			at := y + 11 + float32(j%4)*8
			pen := scene.Pen{Colour: colour(d.Kind), Width: 1}
			if !math.IsNaN(d.Low) && d.High > low {
				p.list.Fade(0.5)
				p.list.Line(pen, x(d.Low), at, x(d.High), at)
				p.list.Fade(1)
			}
			if d.Ringed {
				p.list.Mark(scene.Circle, x(d.X), at, 8, scene.Nothing, scene.Pen{Colour: scene.Ink, Width: 1.5})
			}
			p.list.Mark(scene.Shape(d.Kind), x(d.X), at, 4, colour(d.Kind), scene.Pen{Colour: scene.Paper, Width: 1})
		}
	}
	p.Desc = fmt.Sprintf("%s of %d rows: %s with intervals, in %d kinds.", xName, len(rows), say.Amount(n, "dot"), len(kinds))
	return p
}
