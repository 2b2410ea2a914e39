package shell

import (
	"flockscope/sim/say"
	"flockscope/ui/page"
)

// Transport is the row with the playback controls.
type Transport struct {
	App *App
}

func (c *Transport) playWords() string {
	if c.App.Player.Playing {
		return "Pause (Space)"
	}
	return "Play (Space)"
}

func (c *Transport) speeds() []float64 { return page.Speeds }

// heading names the shown round and phase.
func (c *Transport) heading() string {
	if p, ok := c.App.Phases.Phase(); ok {
		return say.Textf("Round %d · %s", c.App.Shown(), say.Message(p.Name()))
	}
	if c.App.Shown() == 0 {
		return "The start"
	}
	return say.Textf("Round %d", c.App.Shown())
}

// progress and brief describe a run that is being computed: in full, and where there is
// little room.
func (c *Transport) progress() string { _, full := c.App.Runs.ProgressWords(); return full }

func (c *Transport) brief() string { short, _ := c.App.Runs.ProgressWords(); return short }

// spoken is what screen readers announce of the progress: not every round.
func (c *Transport) spoken() string {
	switch {
	case c.App.Runs.Stopped():
		return c.progress()
	case c.App.Runs.Stoppable():
		return "computing"
	}
	return ""
}

// stops reports whether there is a button that stops the run, or runs it again.
func (c *Transport) stops() bool { return c.App.Runs.Stoppable() || c.App.Runs.Stopped() }

func (c *Transport) stopWords() string {
	if c.App.Runs.Stopped() {
		return "Run again (S)"
	}
	return "Stop computing (S)"
}

func (c *Transport) stopPath() string {
	if c.App.Runs.Stopped() {
		return "M16 10a6 6 0 1 1-2-4.5M16 3v4h-4"
	}
	return "M6 6h8v8H6z"
}
