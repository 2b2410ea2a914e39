package layout

import "flockscope/sim/draw/scene"

// Sizes of text in CSS pixels: none is smaller than Small.
const (
	Small  = 12
	Normal = 13
)

// LineHeight is the height of a line of small text.
const LineHeight = 15

// Spread moves positions on a line apart until neighbours have a distance of gap. It keeps their
// order, and keeps them between lo and hi if all fit. order is scratch of the same length; it
// returns the order of the positions.
func Spread(at []float32, order []int, gap, lo, hi float32) {
	for i := range order {
		order[i] = i
		for j := i; j > 0 && at[order[j]] < at[order[j-1]]; j-- {
			order[j], order[j-1] = order[j-1], order[j]
		}
	}
	floor := lo
	for _, i := range order {
		at[i] = max(at[i], floor)
		floor = at[i] + gap
	}
	ceiling := hi
	for j := len(order) - 1; j >= 0; j-- {
		i := order[j]
		at[i] = min(at[i], ceiling)
		ceiling = at[i] - gap
	}
}

// Area is a rectangle in a figure.
type Area struct{ X0, Y0, X1, Y1 float32 }

// Rect returns the area between two corners.
func Rect(x0, y0, x1, y1 float32) Area { return Area{x0, y0, x1, y1} }

// Overlaps reports whether two areas overlap.
func (a Area) Overlaps(b Area) bool {
	return a.X0 < b.X1 && b.X0 < a.X1 && a.Y0 < b.Y1 && b.Y0 < a.Y1
}

// MovedInto returns a moved into b.
func (a Area) MovedInto(b Area) Area {
	dx, dy := float32(0), float32(0)
	dx = max(b.X0-a.X0, 0) - max(a.X1-b.X1, 0)
	dy = max(b.Y0-a.Y0, 0) - max(a.Y1-b.Y1, 0)
	return Area{a.X0 + dx, a.Y0 + dy, a.X1 + dx, a.Y1 + dy}
}

// Labels places texts so that they do not overlap.
type Labels struct{ taken []Area }

// Reset frees all areas.
func (p *Labels) Reset() { p.taken = p.taken[:0] }

// Reserve reserves an area.
func (p *Labels) Reserve(a Area) { p.taken = append(p.taken, a) }

// Free reports whether a overlaps no reserved area.
func (p *Labels) Free(a Area) bool {
	for _, b := range p.taken {
		if a.Overlaps(b) {
			return false
		}
	}
	return true
}

// Beside finds a free place of w × h next to the area around, inside box: right, left, above,
// below, then further up and down. It reserves and returns the place; ok is false if there is
// none.
func (p *Labels) Beside(around Area, w, h float32, box Area) (place Area, ok bool) {
	cx, cy := (around.X0+around.X1)/2, (around.Y0+around.Y1)/2
	at := func(x, y float32) bool {
		place = Area{x, y, x + w, y + h}.MovedInto(box)
		return p.Free(place)
	}
	const gap = 3
	ok = at(around.X1+gap, cy-h/2) || at(around.X0-gap-w, cy-h/2) ||
		at(cx-w/2, around.Y0-gap-h) || at(cx-w/2, around.Y1+gap)
	for step := h; !ok && step < 4*h; step += h / 2 {
		ok = at(around.X1+gap, cy-h/2-step) || at(around.X1+gap, cy-h/2+step) ||
			at(around.X0-gap-w, cy-h/2-step) || at(around.X0-gap-w, cy-h/2+step)
	}
	if ok {
		p.Reserve(place)
	}
	return place, ok
}

// Paragraph draws text in lines of at most width and returns their height. With a nil list it
// only measures. The text must be translated already.
func Paragraph(l *scene.List, x, y, width float32, f scene.Font, text string) float32 {
	height, from, last := float32(0), 0, 0
	line := func(to int) {
		if l != nil {
			f.Baseline = scene.Top
			l.Text(x, y+height, f, text[from:to])
		}
		height += f.Size * 1.25
	}
	for i := 0; i <= len(text); i++ {
		if i < len(text) && text[i] != ' ' && !canBreak(text, i) {
			continue
		}
		if last > from && scene.TextWidth(text[from:i], f.Size, f.Bold) > width {
			line(last)
			if from = last; text[from] == ' ' {
				from++
			}
		}
		last = i
	}
	line(len(text))
	return height
}

// canBreak reports whether a line may break before text[i] without a space: before a Chinese
// character that is no punctuation mark.
func canBreak(text string, i int) bool {
	mark := text[i] == 0xEF || text[i] == 0xE3 && i+1 < len(text) && text[i+1] == 0x80
	return scene.Wide(text[i]) && !mark
}

// Fit returns text, which must be translated already, or as much of it as fits into width with an
// ellipsis.
func Fit(text string, size, width float32) string {
	if scene.TextWidth(text, size, false) <= width {
		return text
	}
	for n := len(text) - 1; n > 0; n-- {
		if text[n] < 0x80 || text[n] >= 0xC0 { // between characters
			if short := text[:n] + "…"; scene.TextWidth(short, size, false) <= width {
				return short
			}
		}
	}
	return ""
}
