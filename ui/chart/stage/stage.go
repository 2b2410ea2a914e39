// Package stage draws a round of a method as one picture: the server with its models and its view of the clients, the
// network, and the clients with their data and replies.
//
//	stage.go    the picture from top to bottom
//	moment.go   what is shown of a round, and when
//	plan.go     where everything is, at any size
//	server.go   the models; view.go what the server sees of the clients
//	columns.go  the view where clients choose; heights.go, mixtures.go where nobody compares them
//	network.go  what crosses the line
//	clients.go  the clients, with their samples and replies
//	words.go    the picture in a sentence and as a table
package stage

import (
	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/clientmap"
	"flockscope/ui/chart/layout"
)

// Kinds is the one figure of this package.
var Kinds = []chart.Kind{{Name: "stage", Title: "Stage",
	Hint: "frame: the client that is followed · bars: its losses, triangle below the least, or its update · thin lines: last rounds · dashed: true lines, means and borders",
	Of:   chart.OfMap, New: func() chart.Figure { return new(Stage) }}}

// Stage shows the shown round of a lane, or a moment of it.
type Stage struct {
	// Map draws the server's view where clients have places on a map.
	Map clientmap.Map
	// Lecture is for a room: all is larger, and at the end of a round the clients are left out.
	Lecture bool

	plan
	moment
	match    chart.Matching
	first    chart.FirstRounds
	models   []int     // models that exist, in the order of their letters
	chipOf   []int     // by model: index in models, −1 if it does not exist
	order    []int     // clients by group
	home     []place   // by client: its mark below the network
	at, from []place   // by client: its mark in the server's view, in the shown round and in the one before
	looks    []int     // clients by model, shape and whether misplaced, so that equal marks form batches
	members  []int     // by model: number of clients
	values   []float32 // by client: what its mark in the view, or its reply, stands for
	texts    texts
	text     []byte
	line     []float32
	view     chart.View // of the map
	detail   chart.RoundDetail
}

// place is the centre of a mark; ok is false if there is none.
type place struct {
	x, y float32
	ok   bool
}

// Draw draws the stage into box.
func (s *Stage) Draw(l *scene.List, hits *chart.Hits, v *chart.View, box chart.Box) {
	hits.Reset()
	if box.Cramped() || !s.find(v) {
		return
	}
	s.match.Find(v, s.f)
	s.findModels()
	if s.arrange(box); s.area.Y1-s.area.Y0 < 8 {
		return
	}
	s.placeClients()
	s.findTexts()
	s.sortLooks()
	s.drawServer(l)
	s.drawStatic(l)
	l.EndStatic()
	s.drawView(l, hits)
	s.drawNetwork(l)
	if !s.bare {
		s.drawChips(l)
	}
	s.drawClients(l, hits)
	s.drawFlights(l, hits)
	if s.skipped {
		s.cover(l, layout.Rect(0, 0, box.W, box.H), scene.Paper, 0.55)
		if s.phase == embed && !s.compact && !s.bare {
			s.say(l, box.W/2, (s.area.Y0+s.area.Y1)/2, say.Text("nothing arrives"), scene.Middle, true, scene.Quiet)
		}
	}
}

// findModels lists the models that exist.
func (s *Stage) findModels() {
	n := s.lane.Models
	s.models = s.first.Existing(s.models, s.v, n, s.v.Round)
	s.chipOf, s.members = trace.Resize(s.chipOf, n), trace.Resize(s.members, n)
	for k := range n {
		s.chipOf[k], s.members[k] = -1, 0
	}
	// A few models are sorted by insertion, without allocating.
	for i := range s.models {
		for j := i; j > 0 && s.v.AliasOf(s.models[j]) < s.v.AliasOf(s.models[j-1]); j-- {
			s.models[j], s.models[j-1] = s.models[j-1], s.models[j]
		}
	}
	for i, k := range s.models {
		s.chipOf[k] = i
	}
	for i := range s.f.Label {
		if k := s.match.Given(s.f, i); k >= 0 && k < n {
			s.members[k]++
		}
	}
}

// cover fades what is drawn in an area.
func (s *Stage) cover(l *scene.List, a layout.Area, colour scene.Colour, share float32) {
	if share > 0 {
		l.Fade(share)
		l.Rect(a.X0, a.Y0, a.X1-a.X0, a.Y1-a.Y0, colour, scene.Pen{})
		l.Fade(1)
	}
}

// say writes a translated text around the middle height y.
func (s *Stage) say(l *scene.List, x, y float32, text string, anchor scene.Anchor, bold bool, colour scene.Colour) {
	l.Text(x, y, s.font(anchor, bold, colour), text)
}

func (s *Stage) font(anchor scene.Anchor, bold bool, colour scene.Colour) scene.Font {
	return scene.Font{Size: s.size, Bold: bold, Anchor: anchor, Baseline: scene.Centre, Colour: colour}
}

// width returns the width of a text in the stage's font.
func (s *Stage) width(text string, bold bool) float32 { return scene.TextWidth(text, s.size, bold) }

// round draws a rectangle with round corners.
func round(l *scene.List, a layout.Area, r float32, fill scene.Colour, pen scene.Pen) {
	r = min(r, (a.X1-a.X0)/2, (a.Y1-a.Y0)/2)
	if r <= 0 {
		return
	}
	var path [32]float32
	for corner := range 4 {
		x, y := a.X1-r, a.Y1-r
		if corner == 1 || corner == 2 {
			x = a.X0 + r
		}
		if corner >= 2 {
			y = a.Y0 + r
		}
		for i := range 4 {
			c, d := quarter[i][0]*r, quarter[i][1]*r
			for range corner {
				c, d = -d, c
			}
			path[8*corner+2*i], path[8*corner+2*i+1] = x+c, y+d
		}
	}
	l.Polygon(fill, pen, path[:]...)
}

// quarter has points of a quarter of a circle.
var quarter = [4][2]float32{{1, 0}, {0.866, 0.5}, {0.5, 0.866}, {0, 1}}
