package shell

import (
	"strings"

	"flockscope/ui/background"
)

// What a control shows of its setting's preview.

func (c *Control) previewed() bool {
	s, _ := c.App.Background.Preview(c.Name)
	return s != nil
}

func (c *Control) previewNumber() string {
	_, n := c.App.Background.Preview(c.Name)
	return itoa(n)
}

func (c *Control) trackClass() string {
	if c.previewed() {
		return "track scented"
	}
	return "track"
}

// tryWords say what the button beside the number does.
func (c *Control) tryWords() string {
	s, _ := c.App.Background.Preview(c.Name)
	switch {
	case s == nil:
		return "Try the whole range of " + c.label()
	case s.Trial != nil && s.Trial.Busy():
		return "Stop trying " + c.label() + ", keep what is there"
	}
	return "Take the curve of " + c.label() + " away"
}

// previewHint says how to read the curve behind the thumb.
func (c *Control) previewHint() string {
	s, _ := c.App.Background.Preview(c.Name)
	if s == nil || s.Trial == nil {
		return ""
	}
	return "Mean over n = " + itoa(background.Seeds) + " runs and one standard deviation to either side, a curve a lane. Click to go there, Shift-click to open the run nearest to the pointer."
}

// previewWords are the same curves for those who do not see them.
func (c *Control) previewWords() string {
	_, n := c.App.Background.Preview(c.Name)
	return c.App.Describe("scent", n)
}

// trying says how far a trial is that the person has asked for, and what any
// leaves out.
func (c *Control) trying() string {
	switch s, _ := c.App.Background.Preview(c.Name); {
	case s == nil || s.Trial == nil:
		return ""
	case s.Trial.Busy() && !s.Auto:
		return s.Trial.Words()
	default:
		return strings.TrimSpace(s.Trial.Gaps())
	}
}
