package stage

import (
	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
)

// Where there is one model for all, or one for each client: the height of a mark is one number of the client.

// measure is what heights stand for.
type measure uint8

const (
	nothing  measure = iota
	pull             // how far an update moves the end of a line, up or down
	length           // the length of an update
	ownLoss          // the loss of the client's model on its own samples
	accuracy         // its share of right answers
)

// measureOf returns what heights stand for in a frame.
func (s *Stage) measureOf(f *trace.Frame) measure {
	n := s.v.Run.Header.Clients
	switch pulls := s.lane.Pulls(); {
	case f == nil:
		return nothing
	case s.v.Classifies() && chart.OwnModels(s.lane) && len(f.Accuracies) >= n:
		return accuracy
	case chart.OwnModels(s.lane) && len(f.Losses) >= n:
		return ownLoss
	case len(f.Pull) >= n*pulls && n > 0 && pulls == s.lane.FrameParams && s.lines:
		return pull
	case len(f.Pull) >= n*pulls && n > 0:
		return length
	case s.v.Classifies() && len(f.Accuracies) >= n:
		return accuracy
	case s.lane.Columns == 1 && len(f.Losses) >= n:
		return ownLoss
	}
	return nothing
}

// measured returns the number of a client that its mark's height stands for.
func (s *Stage) measured(f *trace.Frame, what measure, client int) float32 {
	switch n := s.lane.Pulls(); what {
	case pull:
		x := s.v.Run.Header.DataPreview.XMax
		if n == 1 {
			return -f.Pull[client] * x
		}
		return -f.Pull[2*client]*x - f.Pull[2*client+1] // models move against updates
	case length:
		sum := float32(0)
		for _, p := range f.Pull[client*n : (client+1)*n] {
			sum += p * p
		}
		return sqrt(sum)
	case ownLoss:
		return f.Losses[client]
	case accuracy:
		return f.Accuracies[client]
	}
	return 0
}

// evaluated returns the frame whose numbers stand for f: in rounds without an evaluation those of the last one.
func (s *Stage) evaluated(f *trace.Frame) *trace.Frame {
	if f != nil && chart.OwnModels(s.lane) && s.v.Evaluated() {
		if e := s.v.EvaluationAt(s.v.Lane, f.Round); e != nil {
			return e
		}
	}
	return f
}

// placeHeights computes the places of the clients, above each other's homes where there is room.
func (s *Stage) placeHeights(dst []place, f *trace.Frame) {
	f = s.evaluated(f)
	what := s.measureOf(f)
	if what == nothing {
		return
	}
	s.values = trace.Resize(s.values, len(dst))
	most := float32(0)
	for i := range s.values {
		s.values[i] = s.measured(f, what, i)
		if v := abs(s.values[i]); chart.Finite(v) && s.took(f, i) {
			most = max(most, v)
		}
	}
	most = max(most, 1e-12)
	for j, i := range s.order {
		if v := s.values[i]; chart.Finite(v) && s.took(f, i) {
			share := v / most
			if what == pull {
				share = 0.5 + share/2
			}
			dst[i] = place{s.along(j, i), s.top(max(share, 0)), true}
		}
	}
}

// took reports whether a client replied in f.
func (s *Stage) took(f *trace.Frame, client int) bool {
	return client >= len(f.State) || f.State[client] == trace.Present
}

// along returns the x coordinate in the view of the j-th client by group.
func (s *Stage) along(j, client int) float32 {
	if s.rows == 1 {
		return s.home[client].x
	}
	margin := 1.6 * s.dot
	return mix(s.area.X0+margin, s.area.X1-margin, (float32(j)+0.5)/float32(max(len(s.order), 1)))
}

// drawHeights draws the lines from the axis to the marks, and their mean.
func (s *Stage) drawHeights(l *scene.List) {
	sum, n := float32(0), float32(0)
	honestSum, honest := float32(0), float32(0)
	base := s.area.Y1 - 2
	signed := s.measureOf(s.now) == pull
	if signed {
		base = s.top(0.5)
	}
	l.Line(scene.Pen{Colour: scene.Line, Width: s.scale}, s.area.X0, base, s.area.X1, base)
	width := min(1.6, s.dot/4)
	l.Fade(0.45)
	for _, look := range s.looks {
		i := look & 0xFFFF
		if at := s.at[i]; at.ok {
			l.Line(s.pen(s.colour(i), width), at.x, base, at.x, at.y)
			sum, n = sum+at.y, n+1
			if !s.v.Run.Header.Lies(i) {
				honestSum, honest = honestSum+at.y, honest+1
			}
		}
	}
	l.Fade(1)
	if n > 0 {
		y := sum / n
		l.Line(scene.Pen{Colour: scene.Ink, Width: 1.6 * s.scale, Dash: scene.Fine}, s.area.X0, y, s.area.X1, y)
		if signed && honest > 0 && honest < n { // what liars do to the mean
			from := honestSum / honest
			pen := scene.Pen{Colour: scene.Quiet, Width: 1.6 * s.scale, Dash: scene.Fine}
			l.Line(pen, s.area.X0, from, s.area.X1, from)
			s.arrow(l, s.area.X1-8*s.scale, from, 0, y-from, scene.Ink)
		}
	}
}

// heightCaption says what heights stand for.
func (s *Stage) heightCaption() (left, right string) {
	right = say.Text("dashed: the mean")
	switch s.measureOf(s.evaluated(s.now)) {
	case pull:
		if len(s.v.Run.Header.Liar) > 0 {
			right = say.Text("arrow: what liars do to the mean")
		}
		return say.Text("height: how far a client pulls the line up or down"), right
	case length:
		return say.Text("height: length of a client’s update"), right
	case ownLoss:
		return say.Text("height: loss on a client’s own samples"), right
	case accuracy:
		return say.Text("height: share of right answers"), right
	}
	return "", ""
}
