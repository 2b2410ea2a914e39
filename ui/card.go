package ui

import (
	"fmt"
	"strings"

	"flockscope/sim/trace"
	"flockscope/ui/chart"
)

// Card is what is known of the client in the light.
type Card struct {
	Head string
	Rows []string // one a lane
}

// Card returns the card of the client in the light, or of several that are
// selected; its Head is empty when there are none.
func (a *App) Card() Card {
	i := a.Subject()
	switch {
	case i < 0 && a.SelectionWords() != "":
		return a.severalCard()
	case i < 0:
		return Card{}
	}
	h := a.Run.Header
	v := a.view(0)
	c := Card{Head: "Client " + chart.Client(i)}
	if h.HasTruth() {
		c.Head += fmt.Sprintf(", group %d (%s)", h.Group[i]+1, v.Shape(i))
		if g := int(h.Group[i]); g < len(h.Scenery.Gallery.Groups) {
			c.Head += ": " + v.GroupName(g)
		}
	}
	for lane := range h.Lanes {
		if f := a.ShownFrame(lane); f != nil {
			c.Rows = append(c.Rows, a.cardRow(lane, i, f))
		}
	}
	return c
}

func (a *App) cardRow(lane, i int, f *trace.Frame) string {
	v := a.view(lane)
	info := &a.Run.Header.Lanes[lane]
	k := int(f.Label[i])
	text, right := info.Title+": ", ""
	if trial := v.Trial(); trial != nil && i < len(trial.Accuracies) && a.Grades() {
		right = ", right " + chart.Percent(float64(trial.Accuracies[i]))
		if trial.Round < f.Round {
			right += " in round " + itoa(trial.Round)
		}
		if then := int(trial.Label[i]); then != k {
			right += " with model " + v.Letter(then)
		}
	}
	own := info.Columns == 1 && info.Models > 1
	switch {
	case own && right != "":
		return text + "its own model" + right
	case own:
		return text + "its own model, loss " + chart.Number(float64(f.Losses[i]))
	}
	text += "model " + v.Letter(k) + " since round " + itoa(hasModelSince(a.Run, lane, i, f.Round))
	if right != "" {
		return text + right // its losses are old, and have a figure of their own
	}
	text += "; losses"
	if round := v.Heard(); round < f.Round {
		text += " in round " + itoa(round)
	}
	row := f.Losses[i*info.Columns : (i+1)*info.Columns]
	made := v.Made()
	var byLetter []string
	for _, k := range made {
		byLetter = append(byLetter, " "+v.Letter(k)+" "+chart.Number(float64(row[k])))
	}
	const most = 4
	text += strings.Join(byLetter[:min(most, len(made))], ",")
	if len(made) > most {
		text += ", …"
	}
	return text
}

// hasModelSince is the round from which on a client has had its present model.
func hasModelSince(run *trace.Run, lane, client, round int) int {
	frames := run.Tracks[lane].Frames
	round = min(round, len(frames)-1)
	for t := round; t > 0; t-- {
		if frames[t-1].Label[client] != frames[t].Label[client] {
			return t
		}
	}
	return 0
}
