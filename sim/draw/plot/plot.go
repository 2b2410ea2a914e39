// Package plot draws results of many runs: curves with bands, heat maps, and mean ranks
// with a critical difference. Unlike the figures of the page it takes plain numbers, and
// each picture is drawn once.
//
// Lengths are CSS pixels. No text is smaller than 12 px.
package plot

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
)

// Picture is a drawing with a title, and a sentence for screen readers.
type Picture struct {
	Title, Desc string
	W, H        float32

	list scene.List
}

// SVG writes the picture as an SVG file in the light theme.
func (p *Picture) SVG(w io.Writer) error { return p.Outlined(w, nil) }

// Outlined is SVG with texts as outlines, so that the picture needs no font.
func (p *Picture) Outlined(w io.Writer, outlines scene.Outlines) error {
	s := scene.Picture{W: p.W, H: p.H, Title: p.Title, Desc: p.Desc, Outlines: outlines}
	return s.SVG(w, &p.list)
}

const (
	small  = 12
	normal = 14
	line   = 18
)

var (
	quiet = scene.Font{Size: small, Baseline: scene.Centre, Colour: scene.Quiet}
	ink   = scene.Font{Size: small, Baseline: scene.Centre, Colour: scene.Ink}
	grid  = scene.Pen{Colour: scene.Line, Width: 1}
)

func (p *Picture) drawTitle() {
	p.list.Text(8, line/2+2, scene.Font{Size: normal, Bold: true, Baseline: scene.Centre, Colour: scene.Ink}, p.Title)
}

// anchored returns a font with the given anchor.
func anchored(f scene.Font, a scene.Anchor) scene.Font {
	f.Anchor = a
	return f
}

// Series is one curve: a value and a band for each value of the setting, NaN if there is none.
type Series struct {
	Name         string
	Y, Low, High []float64
}

// Curves draws a curve for each series over the values of a setting. If all values are numbers
// the axis is linear, else the values are evenly spaced. Curves differ by colour, dash pattern
// and mark, and have their names at their ends.
func Curves(title, xName, yName string, values []string, series []Series) *Picture {
	p := &Picture{Title: title, W: 720, H: max(360, float32(len(series))*(small+3)+3*line)}
	p.drawTitle()
	names := float32(0)
	low, high := math.Inf(1), math.Inf(-1)
	for _, s := range series {
		names = max(names, scene.TextWidth(s.Name, small, false))
		for _, list := range [][]float64{s.Y, s.Low, s.High} {
			for _, v := range list {
				if !math.IsNaN(v) {
					low, high = min(low, v), max(high, v)
				}
			}
		}
	}
	if low > high {
		p.Desc = "No values."
		return p
	}
	ticks := ticks(low, high)
	low, high = min(low, ticks[0]), max(high, ticks[len(ticks)-1])
	x0, x1, y0, y1 := float32(64), p.W-names-24, float32(2*line+8), p.H-2*line-10
	places := positions(values)
	x := func(i int) float32 { return x0 + (x1-x0)*float32(places[i]) }
	y := func(v float64) float32 { return y1 - (y1-y0)*float32((v-low)/(high-low)) }
	for _, v := range ticks {
		p.list.Line(grid, x0, y(v), x1, y(v))
		p.list.Text(x0-6, y(v), anchored(quiet, scene.End), strconv.FormatFloat(v, 'g', 6, 64))
	}
	p.list.Text(8, line+line/2+2, quiet, yName)
	named := labelled(values, x)
	for i, text := range values {
		p.list.Line(grid, x(i), y1, x(i), y1+3)
		if slices.Contains(named, i) {
			p.list.Text(x(i), y1+line/2+4, anchored(quiet, scene.Middle), text)
		}
	}
	p.list.Text((x0+x1)/2, p.H-line/2, anchored(quiet, scene.Middle), xName)
	type end struct {
		y float32
		s int
	}
	var ends []end
	for s := range series {
		if last := p.drawCurve(&series[s], s, x, y); last >= 0 {
			ends = append(ends, end{y(series[s].Y[last]), s})
		}
	}
	slices.SortStableFunc(ends, func(a, b end) int { return cmp.Compare(a.y, b.y) })
	for i := range ends { // names must not overlap
		ends[i].y = max(ends[i].y, y0)
		if i > 0 {
			ends[i].y = max(ends[i].y, ends[i-1].y+small+3)
		}
	}
	bottom := p.H - small/2
	for i := len(ends) - 1; i >= 0; i-- {
		ends[i].y = min(ends[i].y, bottom)
		bottom = ends[i].y - small - 3
		f := ink
		f.Colour = colour(ends[i].s)
		p.list.Text(x1+10, ends[i].y, f, series[ends[i].s].Name)
	}
	p.Desc = fmt.Sprintf("%s over %s, with bands, for %d methods.", yName, xName, len(series))
	return p
}

func colour(s int) scene.Colour { return scene.Cluster(s % scene.Clusters) }

// drawCurve draws one series and returns the index of the last value, −1 if there is none.
func (p *Picture) drawCurve(s *Series, n int, x func(int) float32, y func(float64) float32) (last int) {
	last = -1
	pen := scene.Pen{Colour: colour(n), Width: 1.75,
		Dash: [...]scene.Dash{scene.Solid, scene.Dashed, scene.DashDot}[n/scene.Clusters%3]}
	var over, under, middle []float32
	flush := func() {
		band := over
		for i := len(under) - 2; i >= 0; i -= 2 {
			band = append(band, under[i], under[i+1])
		}
		p.list.Fade(0.12)
		p.list.Polygon(pen.Colour, scene.Pen{}, band...)
		p.list.Fade(1)
		p.list.Line(pen, middle...)
		over, under, middle = nil, nil, nil
	}
	for i, v := range s.Y {
		if math.IsNaN(v) {
			flush()
			continue
		}
		last = i
		middle = append(middle, x(i), y(v))
		over = append(over, x(i), y(s.High[i]))
		under = append(under, x(i), y(s.Low[i]))
	}
	flush()
	for i, v := range s.Y {
		if !math.IsNaN(v) {
			p.list.Mark(scene.Shape(n%scene.Shapes), x(i), y(v), 3.5, pen.Colour,
				scene.Pen{Colour: scene.Paper, Width: 1})
		}
	}
	return last
}

// labelled returns the indices of the values that an axis names: all, or every second, fourth or tenth, whichever fits
// first and leaves five; else each that has room beside the one before.
func labelled(values []string, x func(int) float32) (out []int) {
	for _, every := range []int{1, 2, 4, 10, 1} {
		out = out[:0]
		free := float32(-1)
		fit := len(values) >= 5*every
		for i := 0; i < len(values); i += every {
			w := scene.TextWidth(values[i], small, false)
			if x(i)-w/2 <= free {
				fit = false
				continue
			}
			out = append(out, i)
			free = x(i) + w/2 + 6
		}
		if fit {
			break
		}
	}
	return out
}

// positions returns the positions of values on an axis, 0 to 1.
func positions(values []string) []float64 {
	places := make([]float64, len(values))
	low, high := math.Inf(1), math.Inf(-1)
	for i, text := range values {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			low = math.Inf(1)
			break
		}
		places[i] = v
		low, high = min(low, v), max(high, v)
	}
	for i := range places {
		switch {
		case len(places) == 1:
			places[i] = 0.5
		case low < high && !math.IsInf(low, 0):
			places[i] = (places[i] - low) / (high - low)
		default:
			places[i] = float64(i) / float64(len(places)-1)
		}
	}
	return places
}

// ticks returns round numbers around low and high.
func ticks(low, high float64) []float64 {
	if high == low {
		low, high = low-0.5, high+0.5
	}
	step := math.Pow(10, math.Floor(math.Log10((high-low)/4)))
	for _, times := range []float64{1, 2, 5, 10} {
		if (high-low)/(step*times) <= 6 {
			step *= times
			break
		}
	}
	var ticks []float64
	for i := math.Floor(low / step); i <= math.Ceil(high/step); i++ {
		ticks = append(ticks, i*step)
	}
	return ticks
}

// Heat draws values over two settings, values[i][j] for the i-th row and the j-th column. Bright
// means a large value; NaN stays empty.
func Heat(title, xName, yName string, columns, rows []string, values [][]float64) *Picture {
	left := float32(8)
	for _, text := range rows {
		left = max(left, scene.TextWidth(text, small, false)+16)
	}
	wide := float32(56)
	for _, text := range columns {
		wide = max(wide, scene.TextWidth(text, small, false)+8)
	}
	const high = 28
	p := &Picture{Title: title, W: max(left+wide*float32(len(columns))+8, scene.TextWidth(title, normal, true)+24),
		H: 4*line + high*float32(len(rows)) + 16}
	p.drawTitle()
	low, top := math.Inf(1), math.Inf(-1)
	for _, row := range values {
		for _, v := range row {
			if !math.IsNaN(v) {
				low, top = min(low, v), max(top, v)
			}
		}
	}
	y0 := float32(2*line + 4)
	p.list.Text(8, line+line/2+2, quiet, "↓ "+yName)
	for i, row := range values {
		y := y0 + high*float32(i)
		p.list.Text(left-8, y+high/2, anchored(quiet, scene.End), rows[i])
		for j, v := range row {
			x := left + wide*float32(j)
			if math.IsNaN(v) {
				p.list.Rect(x+0.5, y+0.5, wide-1, high-1, scene.Panel, grid)
				continue
			}
			shade := uint8(128)
			if top > low {
				shade = uint8(255 * (v - low) / (top - low))
			}
			p.list.Rect(x+0.5, y+0.5, wide-1, high-1, scene.Heat(shade), scene.Pen{})
			f := anchored(ink, scene.Middle)
			if f.Colour = scene.Edge; shade > 140 {
				f.Colour = scene.Heat(0)
			}
			p.list.Text(x+wide/2, y+high/2, f, strconv.FormatFloat(v, 'g', 3, 64))
		}
	}
	y := y0 + high*float32(len(rows))
	for j, text := range columns {
		p.list.Text(left+wide*(float32(j)+0.5), y+line/2+2, anchored(quiet, scene.Middle), text)
	}
	p.list.Text(left, y+line+line/2+2, quiet, xName+" →")
	p.Desc = fmt.Sprintf("%d by %d values from %s to %s.", len(rows), len(columns), say.Figures(low, 3), say.Figures(top, 3))
	return p
}

// Ranks draws a critical-difference diagram (Demšar, JMLR 2006): mean ranks on an axis with the
// best on the left, and bars below methods whose mean ranks differ by less than critical.
func Ranks(title string, names []string, ranks []float64, critical float64) *Picture {
	k := len(names)
	order := make([]int, k)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ranks[a], ranks[b]) })
	var bars [][2]int
	for from := range order {
		to := from
		for to+1 < k && ranks[order[to+1]]-ranks[order[from]] < critical {
			to++
		}
		if to > from && (len(bars) == 0 || bars[len(bars)-1][1] < to) {
			bars = append(bars, [2]int{from, to})
		}
	}
	widest := float32(0)
	for _, name := range names {
		widest = max(widest, scene.TextWidth(name+" 00.00", small, false))
	}
	half := (k + 1) / 2
	p := &Picture{Title: title, W: 720 + 2*widest/2, H: 5*line + 16 + 7*float32(len(bars)) + float32(half)*(small+5)}
	p.drawTitle()
	x0, x1, axis := widest+20, p.W-widest-20, float32(3*line+8)
	x := func(rank float64) float32 { return x0 + (x1-x0)*float32((rank-1)/float64(max(k-1, 1))) }
	p.list.Line(scene.Pen{Colour: scene.Ink, Width: 1}, x0, axis, x1, axis)
	every := max(1, k/12)
	for r := 1; r <= k; r++ {
		p.list.Line(scene.Pen{Colour: scene.Ink, Width: 1}, x(float64(r)), axis-4, x(float64(r)), axis)
		if (r-1)%every == 0 {
			p.list.Text(x(float64(r)), axis-12, anchored(quiet, scene.Middle), strconv.Itoa(r))
		}
	}
	long := min(x(1+critical), x1)
	p.list.Line(scene.Pen{Colour: scene.Ink, Width: 2}, x0, axis-28, long, axis-28)
	p.list.Text(long+6, axis-28, quiet, fmt.Sprintf("critical difference %.2f", critical))
	for i, b := range bars {
		y := axis + 8 + 7*float32(i)
		p.list.Line(scene.Pen{Colour: scene.Ink, Width: 3}, x(ranks[order[b[0]]])-3, y, x(ranks[order[b[1]]])+3, y)
	}
	first := axis + 14 + 7*float32(len(bars))
	for i, m := range order {
		at := x(ranks[m])
		if i < half {
			y := first + float32(i+1)*(small+5)
			p.list.Line(grid, at, axis, at, y, x0-6, y)
			p.list.Text(x0-10, y, scene.Font{Size: small, Anchor: scene.End, Baseline: scene.Centre, Colour: scene.Ink},
				fmt.Sprintf("%s %.2f", names[m], ranks[m]))
			continue
		}
		y := first + float32(k-i)*(small+5)
		p.list.Line(grid, at, axis, at, y, x1+6, y)
		p.list.Text(x1+10, y, ink, fmt.Sprintf("%.2f %s", ranks[m], names[m]))
	}
	if k > 0 {
		p.Desc = fmt.Sprintf("Mean ranks of %d methods, from %s with %.2f to %s with %.2f; differences below %.2f are not significant.",
			k, names[order[0]], ranks[order[0]], names[order[k-1]], ranks[order[k-1]], critical)
	}
	return p
}
