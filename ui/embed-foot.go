package ui

// EmbedFoot is the last row of the page in a frame: what just happened, in one
// line, and the way to the whole page.
type EmbedFoot struct {
	App *App
}

// line is the story of the lane in focus.
func (c *EmbedFoot) line() string {
	if c.App.Run == nil {
		return ""
	}
	return c.App.Title(c.App.Lane) + ": " + c.App.Story(c.App.Lane)
}
