package shell

import (
	"flockscope/ui"
)

// EmbedFoot is the last row of the page in a frame: what just happened, in one
// line, and the way to the whole page.
type EmbedFoot struct {
	App *ui.App
}

// who names the lane in focus, and line is its story; they are two texts, so that
// each is found among the translated ones.
func (c *EmbedFoot) who() string {
	if c.App.Run == nil {
		return ""
	}
	return c.App.Title(c.App.Lane) + ": "
}

func (c *EmbedFoot) line() string {
	if c.App.Run == nil {
		return ""
	}
	return c.App.Story(c.App.Lane)
}
