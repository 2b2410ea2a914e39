package ui

// Header is the page's first row: what this is, and what concerns the page
// rather than the run.
type Header struct {
	App *App
}

// linkWords is what the button to copy the link says.
func (c *Header) linkWords() string {
	if c.App.Copied != "" {
		return c.App.Copied
	}
	return "Copy link"
}

func (c *Header) theme() {
	switch c.App.Theme {
	case "":
		c.App.Theme = "dark"
	case "dark":
		c.App.Theme = "light"
	default:
		c.App.Theme = ""
	}
	c.App.OnChange(Shell | Figures | Link)
}

func (c *Header) themeWords() string {
	switch c.App.Theme {
	case "":
		return "Theme: as the system"
	case "dark":
		return "Theme: dark"
	}
	return "Theme: light"
}
