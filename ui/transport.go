package ui

import "strconv"

// Transport is the row that moves through the rounds.
type Transport struct {
	App *App
}

func (c *Transport) playWords() string {
	if c.App.Playing {
		return "Pause (Space)"
	}
	return "Play (Space)"
}

func (c *Transport) speeds() []float64 { return speeds }

func speedText(s float64) string { return strconv.FormatFloat(s, 'f', -1, 64) + "×" }

// progress is shown while a run takes its time.
func (c *Transport) progress() string {
	if p := c.App.Progress(); p >= 0 {
		return "computing " + itoa(p) + "%"
	}
	return ""
}
