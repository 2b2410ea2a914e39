package stage

import (
	"math"

	"flockscope/sim/draw/scene"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

// plan is where everything is.
type plan struct {
	scale, size float32 // of all, and of text
	compact     bool    // without most texts
	flat        bool    // chips of one line
	pad         float32
	zone        layout.Area // the server
	title       float32     // middle of the server's title, 0 for none
	chips       layout.Area
	wide        bool        // one chip stands for all models
	bare        bool        // so small that there is the view alone
	area        layout.Area // the server's view
	caption     float32     // middle of the caption, 0 for none
	net         float32     // the network line
	rows        int         // of clients; 0 for a field of small marks, −1 for none
	cell, line0 float32     // width of a client's cell; top of the first row
	rowHeight   float32
	mark, dot   float32 // radius of a client's mark at home, and in the view
	evidence    float32 // height of a client's reply
	thumb       float32 // side of a client's samples
	right       float32 // the edges of the figure
	bottom      float32
}

const (
	mostPerRow = 18
	mostRows   = 3
	mostChips  = 12
	// base is the size of text and all else at scale 1.
	base = layout.Normal
	// lectureSize is the size of text on a slide of 1440 × 900, where a stage is at least this large.
	lectureSize, lectureWidth, lectureHeight = 22, 600, 380
)

// arrange computes the plan for a box.
func (s *Stage) arrange(box chart.Box) {
	clients := s.v.Run.Header.Clients
	s.plan = plan{scale: 1, right: box.W, bottom: box.H}
	p := &s.plan
	switch {
	case s.Lecture:
		p.scale = max(float32(lectureSize)/base*min(box.W/lectureWidth, box.H/lectureHeight), 1)
	case box.W < 420 || box.H < 250 || s.v.Compact:
		p.compact = true
	case box.W >= 640 && box.H >= 480:
		p.scale = 15.0 / base
	}
	if p.size = base * p.scale; p.compact {
		p.size = layout.Small
	}
	if p.pad = 12 * p.scale; p.compact {
		p.pad = 7
	}
	p.rows = (clients + mostPerRow - 1) / mostPerRow
	if clients <= 20 {
		p.rows = 1
	}
	perRow := (clients + max(p.rows, 1) - 1) / max(p.rows, 1)
	p.cell = (box.W - 2*p.pad - s.groupGaps()) / float32(max(perRow, 1))
	switch {
	case s.Lecture && s.phase == rest:
		p.rows = -1
	case p.rows > mostRows || p.compact && p.rows > 1 || p.cell < 9:
		p.rows = 0
	}
	n := len(s.models)
	chip := (box.W - 2*p.pad) / float32(max(n, 1))
	p.wide = n > mostChips || chart.OwnModels(s.lane) || chip < 24
	s.drop(box)
	p.dot = s.v.ReadableRadius(clients) * p.scale
	if clients <= 24 && !p.compact {
		p.dot = max(8.5*p.scale, p.dot)
	}
	p.dot = min(p.dot, (p.area.Y1-p.area.Y0)/8, (p.area.X1-p.area.X0)/8)
}

// drop computes the heights, and drops parts until the server's view has a third of the figure: samples, the server's
// title, the second line of chips, replies.
func (s *Stage) drop(box chart.Box) {
	p := &s.plan
	for level := range 6 {
		if p.bare = level == 5 || box.W < 120; p.bare {
			p.rows = -1
		}
		p.flat = level >= 3 && !p.compact
		p.evidence, p.thumb = 0, 0
		if p.rows > 0 && level < 4 {
			if p.evidence = 30 * p.scale; p.compact {
				p.evidence = 16
			}
			if s.evidenceKind() == noEvidence {
				p.evidence = 0
			}
		}
		if p.rows == 1 && level < 1 && !p.compact && s.hasSamples() {
			p.thumb = layout.Floor(min(p.cell-4, 46*p.scale))
		}
		s.stack(box, level)
		if h := p.area.Y1 - p.area.Y0; h >= 0.36*box.H && h >= 40 && (p.compact || h >= 96) {
			return
		}
	}
}

// stack computes the plan from top to bottom.
func (s *Stage) stack(box chart.Box, level int) {
	p, u := &s.plan, s.plan.scale
	p.mark = min(8.4*u, p.cell*0.38)
	if s.v.Letters {
		p.mark = min(max(p.mark, 10), p.cell*0.5)
	}
	net, clients := 28*u, float32(0)
	switch {
	case p.compact:
		net = 13
	case level >= 1:
		net = 24 * u
	}
	gap := 5 * u
	if p.compact {
		p.mark = min(p.mark, 5.4)
		gap = 3
	}
	switch {
	case p.rows < 0:
		net = 0
	case p.rows == 0:
		if clients = min(max(0.17*box.H, 44*u), 96*u); p.compact {
			clients = max(0.15*box.H, 22)
		}
	default:
		p.rowHeight = 2*p.mark + gap
		if p.evidence > 0 {
			p.rowHeight += p.evidence + gap
		}
		if p.thumb > 0 {
			p.rowHeight += p.thumb + gap
		}
		clients = float32(p.rows)*p.rowHeight + gap
	}
	p.zone = layout.Rect(0.5, 0.5, box.W-0.5, box.H-0.5-net-clients)
	p.net = p.zone.Y1 + net/2
	p.line0 = p.zone.Y1 + net + gap/2
	top, chip := 5*u, 30*u
	p.title = 0
	switch {
	case p.compact:
	case level < 2:
		p.title = 14 * u
		top, chip = 26*u, 52*u
	case p.flat:
		top, chip = 8*u, 32*u
	default:
		top, chip = 10*u, 52*u
	}
	if p.wide {
		chip = min(chip, 36*u)
	}
	if p.bare {
		top, chip, p.title = 0, 0, 0
	}
	p.chips = layout.Rect(p.pad, top, box.W-p.pad, top+chip)
	foot := float32(4)
	p.caption = 0
	if !p.compact && s.v.ShowsHints() {
		foot = 24 * u
		p.caption = p.zone.Y1 - 12*u
	}
	p.area = layout.Rect(p.pad, p.chips.Y1+4*u, box.W-p.pad, p.zone.Y1-foot)
}

// groupGaps is the room between groups of clients in one row.
func (s *Stage) groupGaps() float32 {
	if s.compact {
		return 0
	}
	return 8 * s.scale * float32(min(max(s.v.Run.Header.Groups-1, 0), 5))
}

// chip returns the area of a model's chip.
func (s *Stage) chip(k int) layout.Area {
	at, n := 0, 1
	if !s.wide && k < len(s.chipOf) && s.chipOf[k] >= 0 {
		at, n = s.chipOf[k], len(s.models)
	}
	step := (s.chips.X1 - s.chips.X0) / float32(n)
	gap := min(8*s.scale, step*0.1)
	x := s.chips.X0 + step*(float32(at)+0.5)
	w := step - gap
	if !s.wide {
		w = min(w, 190*s.scale)
	}
	return layout.Rect(x-w/2, s.chips.Y0, x+w/2, s.chips.Y1)
}

// column returns the part of the view below a chip.
func (s *Stage) column(k int) layout.Area {
	n := max(len(s.models), 1)
	step := (s.area.X1 - s.area.X0) / float32(n)
	x0 := s.area.X0
	if k < len(s.chipOf) && s.chipOf[k] >= 0 {
		x0 += step * float32(s.chipOf[k])
	}
	return layout.Rect(x0, s.area.Y0, x0+step, s.area.Y1)
}

// placeClients computes the place of each client below the network, by group.
func (s *Stage) placeClients() {
	s.order = s.v.ByGroup(s.order)
	n := len(s.order)
	s.home = trace.Resize(s.home, n)
	if s.rows <= 0 {
		s.placeField()
		return
	}
	perRow := (n + s.rows - 1) / s.rows
	gap, gaps, last := float32(0), s.groupGaps(), -1
	groups := max(s.v.Run.Header.Groups-1, 1)
	for j, i := range s.order {
		if g := s.v.Group(i); s.rows == 1 && g != last && j > 0 && groups <= 5 {
			gap += gaps / float32(groups)
		}
		last = s.v.Group(i)
		middle := float32(0)
		if s.rows > 1 || groups > 5 {
			middle = gaps / 2
		}
		row := j / perRow
		s.home[i] = place{s.pad + s.cell*(float32(j-row*perRow)+0.5) + gap + middle,
			s.line0 + s.mark + float32(row)*s.rowHeight, true}
	}
}

// placeField places many clients as a field of small marks below the network: groups side by side, each by columns.
func (s *Stage) placeField() {
	field := layout.Rect(s.pad, s.line0, s.right-s.pad, s.line0)
	if s.rows == 0 {
		field.Y1 = s.line0 + s.fieldHeight()
	}
	w, h := field.X1-field.X0, max(field.Y1-field.Y0, 1)
	n := max(len(s.order), 1)
	step := float32(math.Sqrt(float64(w*h) / float64(n)))
	step = min(step, 14*s.scale)
	rows, count := 1, 0
	for ; step > 1; step *= 0.96 {
		rows = max(int(h/step), 1)
		if count = s.fieldColumns(rows, nil, 0, 0, 0); float32(count)*step <= w {
			break
		}
	}
	s.mark = min(step*0.42, 5*s.scale)
	s.fieldColumns(rows, s.home, (field.X0+field.X1-float32(count)*step)/2, field.Y0, step)
}

// fieldHeight is the height of a field of clients.
func (s *Stage) fieldHeight() float32 { return max(s.bottom-s.line0-2*s.scale, 4) }

// fieldColumns returns the number of columns of a field, with a free one between groups, and places the clients.
func (s *Stage) fieldColumns(rows int, home []place, x, y, step float32) int {
	column, row, last := 0, 0, -1
	for j, i := range s.order {
		if g := s.v.Group(i); j > 0 && g != last {
			column, row = column+2, 0
		} else if row == rows {
			column, row = column+1, 0
		}
		last = s.v.Group(i)
		if home != nil {
			home[i] = place{x + (float32(column)+0.5)*step, y + (float32(row)+0.5)*step, true}
		}
		row++
	}
	return column + 1
}

// pen is a line of the stage.
func (s *Stage) pen(colour scene.Colour, width float32) scene.Pen {
	if s.compact {
		width = max(0.6*width, 0.8)
	}
	return scene.Pen{Colour: colour, Width: width * s.scale}
}
