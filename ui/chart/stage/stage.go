// Package stage draws a round of a method as one picture: the server with its models and its view of the clients, the
// network, and the clients with their data and replies.
package stage

import (
	"flockscope/sim/draw/scene"
	"flockscope/ui/chart"
	"flockscope/ui/chart/clientmap"
)

// Kinds is the one figure of this package.
var Kinds = []chart.Kind{{Name: "stage", Title: "Stage", Of: chart.OfMap, New: func() chart.Figure { return new(Stage) }}}

// Stage shows the shown round of a lane.
type Stage struct {
	// Map draws the server's view where clients have places on a map.
	Map clientmap.Map
	// Lecture draws for a room: without the clients at the end of a round, and with large letters.
	Lecture bool
}

// Draw draws the stage into box.
func (s *Stage) Draw(l *scene.List, hits *chart.Hits, v *chart.View, box chart.Box) {
	s.Map.Draw(l, hits, v, box)
}

// Describe describes the stage in words.
func (s *Stage) Describe(v *chart.View) string { return s.Map.Describe(v) }

// Table lists what the stage shows by client.
func (s *Stage) Table(v *chart.View) (head []string, rows [][]string) { return s.Map.Table(v) }
