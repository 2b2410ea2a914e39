package progress

import (
	"math"
	"strconv"

	"flockscope/sim/say"
	"flockscope/ui/chart"
)

// RoundAt returns the round at x, within the run.
func (c *Curves) RoundAt(v *chart.View, box chart.Box, x float32) int {
	if v.Run == nil {
		return 0
	}
	s := c.scale(v, box)
	t := math.Round(float64((x-s.X0)/(s.X1-s.X0)) * float64(s.rounds))
	return int(min(max(t, 0), float64(s.rounds)))
}

// LaneAt returns the lane whose curve is nearest to y in a round, −1 if none is near.
func (c *Curves) LaneAt(v *chart.View, box chart.Box, round int, y float32) int {
	if v.Run == nil {
		return -1
	}
	s := c.scale(v, box)
	lane, least := -1, float32(24)
	for i := range v.Run.Tracks {
		if round < len(v.Run.Tracks[i].Frames) && c.Metric.defined(v, i) {
			if d := float32(math.Abs(float64(s.y(c.Metric.at(v, i, round)) - y))); d < least {
				lane, least = i, d
			}
		}
	}
	return lane
}

// Describe gives the values of all lanes at the shown round, or that of the highlighted lane.
func (c *Curves) Describe(v *chart.View) string {
	if v.Run == nil || v.Run.Finished() < 0 {
		return say.Text("Curves: nothing computed yet.")
	}
	round := c.round(v)
	var words []string
	for i := range v.Run.Tracks {
		if c.Readout.On && c.Readout.Round < 0 && c.Readout.Lane >= 0 && c.Readout.Lane != i {
			continue
		}
		if frames := v.Run.Tracks[i].Frames; round < len(frames) {
			words = append(words, v.Title(i)+" "+c.value(v, i, round))
		}
	}
	switch floor := v.Run.Header.DataPreview.Floor; {
	case len(words) == 0:
		words = append(words, say.Text("not computed yet"))
	case c.Metric == Loss && floor >= 0:
		words = append(words, say.Textf("noise floor %s", chart.Number(floor)))
	}
	title := say.Message(c.title(v, say.Message(metrics[c.Metric].title)))
	rounds := v.Run.Header.Rounds
	if f := (&chart.View{Run: v.Run, Round: round}).LastEvaluation(); f != nil && f.Round < round &&
		!c.Metric.hasValue(v.FrameAt(0, round), true) {
		return say.Textf("%s over %d rounds; at round %d, last evaluated after round %d: %s.", title, rounds, round,
			f.Round, say.List(words))
	}
	return say.Textf("%s over %d rounds; at round %d: %s.", title, rounds, round, say.List(words))
}

// value returns the metric of a lane after a round as text.
func (c *Curves) value(v *chart.View, lane, round int) string {
	if !c.Metric.defined(v, lane) {
		return say.Text("no clusters")
	}
	return string(c.Metric.append(nil, c.Metric.at(v, lane, round)))
}

// Table lists the metric of all lanes: every round of a short run, about fifty rounds of a long
// one.
func (c *Curves) Table(v *chart.View) (head []string, rows [][]string) {
	head = []string{"round"}
	if v.Run == nil {
		return head, nil
	}
	for i := range v.Run.Header.Lanes {
		head = append(head, v.Title(i))
	}
	last := v.Run.Finished()
	for t := 0; t <= last; t += max(last/50, 1) {
		row := []string{strconv.Itoa(t)}
		for i := range v.Run.Tracks {
			row = append(row, c.value(v, i, t))
		}
		rows = append(rows, row)
	}
	return head, rows
}
