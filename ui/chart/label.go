package chart

import "flockscope/ui/scene"

// Sizes of text in CSS pixels: nothing is smaller than small.
const (
	small  = 12
	normal = 13
)

const lineHeight = 15 // of small text

// spread moves places on a line apart until neighbours are gap away from each
// other, keeping their order and staying between lo and hi where all fit.
// order is scratch of the same length and returns the places' order.
func spread(at []float32, order []int, gap, lo, hi float32) {
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

// area is a rectangle that a label takes.
type area struct{ x0, y0, x1, y1 float32 }

func (a area) meets(b area) bool {
	return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1
}

// inside returns a moved into b.
func (a area) inside(b area) area {
	dx, dy := float32(0), float32(0)
	dx = max(b.x0-a.x0, 0) - max(a.x1-b.x1, 0)
	dy = max(b.y0-a.y0, 0) - max(a.y1-b.y1, 0)
	return area{a.x0 + dx, a.y0 + dy, a.x1 + dx, a.y1 + dy}
}

// labels places words where they do not meet each other.
type labels struct{ taken []area }

func (p *labels) reset() { p.taken = p.taken[:0] }

// keep reserves an area.
func (p *labels) keep(a area) { p.taken = append(p.taken, a) }

// free reports whether a meets no label so far.
func (p *labels) free(a area) bool {
	for _, b := range p.taken {
		if a.meets(b) {
			return false
		}
	}
	return true
}

// beside finds a place of w × h next to the area around, inside box: right,
// left, above, below, and then further up and down. It reserves and returns
// the place; ok is false when everything is taken.
func (p *labels) beside(around area, w, h float32, box area) (place area, ok bool) {
	cx, cy := (around.x0+around.x1)/2, (around.y0+around.y1)/2
	at := func(x, y float32) bool {
		place = area{x, y, x + w, y + h}.inside(box)
		return p.free(place)
	}
	const gap = 3
	ok = at(around.x1+gap, cy-h/2) || at(around.x0-gap-w, cy-h/2) ||
		at(cx-w/2, around.y0-gap-h) || at(cx-w/2, around.y1+gap)
	for step := h; !ok && step < 4*h; step += h / 2 {
		ok = at(around.x1+gap, cy-h/2-step) || at(around.x1+gap, cy-h/2+step) ||
			at(around.x0-gap-w, cy-h/2-step) || at(around.x0-gap-w, cy-h/2+step)
	}
	if ok {
		p.keep(place)
	}
	return place, ok
}

// paragraph sets text in lines of at most width and returns the height it
// takes. With a nil list it only measures.
func paragraph(l *scene.List, x, y, width float32, f scene.Font, text []byte) float32 {
	height, from, last := float32(0), 0, 0
	line := func(to int) {
		if l != nil {
			f.Baseline = scene.Top
			l.TextBytes(x, y+height, f, text[from:to])
		}
		height += f.Size * 1.25
	}
	for i := 0; i <= len(text); i++ {
		if i < len(text) && text[i] != ' ' && !divides(text, i) {
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

// divides reports whether a line may end before text[i] without a space: before a
// Chinese character that is no mark, which would begin a line.
func divides(text []byte, i int) bool {
	mark := text[i] == 0xEF || text[i] == 0xE3 && i+1 < len(text) && text[i+1] == 0x80
	return scene.Wide(text[i]) && !mark
}

// fitting returns text, or as much of it as fits into width with an ellipsis.
func fitting(text string, size, width float32) string {
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
