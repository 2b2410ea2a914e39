package shell

import (
	"math"
	"slices"
	"strconv"

	"flockscope/sim/param"
	"flockscope/sim/say"
	"flockscope/ui/jobs"
	"flockscope/ui/page"
)

// Control is the one control for every kind of field: a slider with a box for
// the exact number, a switch, a choice or a list of numbers. Moving a slider is
// watched by the page as a whole (events_js.go), since a drag is many events.
type Control struct {
	App   *App
	Field *param.Field
	Name  string // the key: the field's name, or "lane.name" for a lane's own
	// Prefix tells the ids of two controls for one setting apart.
	Prefix string
	Depth  int    // the number of choices above it
	Of     string // the option that it belongs to, "" if that is visible
}

func (c *Control) id() string { return c.Prefix + "set-" + c.Name }

func (c *Control) text() string { return c.App.Settings.Text(c.Name) }

func (c *Control) why() string { return c.App.Settings.Reason(c.Name) }

func (c *Control) slides() bool { return c.Field.Kind == param.Int || c.Field.Kind == param.Float }

func (c *Control) label() string { return c.Field.Label }

// thresholds determine the number of clusters.
var thresholds = []string{"cut", "far", "like"}

// hint explains the selected option, unless it is the first, or says how many clusters
// a threshold gives or what a network of given layers costs.
func (c *Control) hint() string {
	if slices.Contains(thresholds, c.Field.Name) {
		return c.App.Clusters(c.Name)
	}
	if c.Field.Kind == param.Text && c.why() == "" {
		return c.App.NetworkWords()
	}
	if o := page.Option(c.Field, c.App.Settings.Value(c.Name)); o != nil && o != &c.Field.Options[0] {
		return o.Doc
	}
	return ""
}

func (c *Control) class() string {
	class := "control"
	if c.Depth > 0 {
		class += " nested nested-" + itoa(min(c.Depth, 3))
	}
	if c.why() != "" {
		class += " refused"
	}
	return class
}

func (c *Control) min() string {
	if c.Field.Log {
		return "0"
	}
	low, _ := c.Field.Range()
	return param.FormatFloat(low)
}

func (c *Control) max() string {
	if c.Field.Log {
		return itoa(len(param.Ladder(c.Field)) - 1)
	}
	_, high := c.Field.Range()
	return param.FormatFloat(high)
}

func (c *Control) step() string {
	switch {
	case c.Field.Log, c.Field.Step == 0:
		return "1"
	}
	return param.FormatFloat(c.Field.Step)
}

// position is the slider's value: for a setting between two rungs, the nearer one; for
// one beyond the slider's ends, which only the box can give, the end.
func (c *Control) position() string {
	v, err := strconv.ParseFloat(c.App.Settings.Value(c.Name), 64)
	if err != nil {
		return c.min()
	}
	if !c.Field.Log {
		return param.FormatFloat(v)
	}
	best, least := 0, math.Inf(1)
	for i, rung := range param.Ladder(c.Field) {
		if d := math.Abs(math.Log(rung / v)); d < least {
			best, least = i, d
		}
	}
	return itoa(best)
}

// spoken is the value that a screen reader announces.
func (c *Control) spoken() string { return c.App.Settings.Value(c.Name) + say.Text(c.Field.Unit) }

func (c *Control) toggle() {
	if c.App.Settings.Value(c.Name) == "1" {
		c.App.Do(page.ChangeSetting{Key: c.Name, Text: "0", Done: true})
	} else {
		c.App.Do(page.ChangeSetting{Key: c.Name, Text: "1", Done: true})
	}
}

// What a control shows of its setting's preview.

func (c *Control) previewed() bool {
	s, _ := c.App.Jobs.Preview(c.Name)
	return s != nil
}

func (c *Control) previewNumber() string {
	_, n := c.App.Jobs.Preview(c.Name)
	return itoa(n)
}

func (c *Control) trackClass() string {
	if c.previewed() {
		return "track scented"
	}
	return "track"
}

// previewLabel says what the button beside the number does.
func (c *Control) previewLabel() string {
	label := say.Message(c.label())
	s, _ := c.App.Jobs.Preview(c.Name)
	switch {
	case s == nil:
		return say.Textf("Preview the whole range of %s", label)
	case s.Batch != nil && s.Batch.Busy():
		return say.Textf("Stop the preview of %s and keep its results", label)
	}
	return say.Textf("Remove the preview of %s", label)
}

// previewHint says how to read the curve behind the slider.
func (c *Control) previewHint() string {
	s, _ := c.App.Jobs.Preview(c.Name)
	if s == nil || s.Batch == nil {
		return ""
	}
	return say.Textf("Mean of n = %d runs ± one standard deviation, one curve per method. Click to set the "+
		"value, Shift-click to open the run nearest to the pointer.", jobs.SeedsPerValue)
}

// previewWords describes the curves for screen readers.
func (c *Control) previewWords() string {
	_, n := c.App.Jobs.Preview(c.Name)
	return c.App.Describe("scent", n)
}

// previewRuns describes the progress of a preview that the user requested, and the runs
// that any preview omits.
func (c *Control) previewRuns() string {
	switch s, _ := c.App.Jobs.Preview(c.Name); {
	case s == nil || s.Batch == nil:
		return ""
	case s.Batch.Busy() && !s.Auto:
		return s.Batch.Words()
	default:
		return s.Batch.MissingWords()
	}
}
