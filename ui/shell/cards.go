package shell

import (
	"slices"

	"flockscope/ui"
	"flockscope/ui/chart"
)

// DataCard shows the data plane of one lane.
type DataCard struct {
	App *ui.App
}

// class tells whether there is something to drag: elsewhere a finger scrolls.
func (c *DataCard) class() string {
	if c.App.Pictures() {
		return "card data pictures"
	}
	return "card data"
}

// StoryCard says what just happened, lane by lane, what it cost, and what is
// known of the client in the light.
type StoryCard struct {
	App *ui.App
}

func (c *StoryCard) class() string {
	class := "card story"
	if c.App.Phase > 0 {
		class += " looking"
	}
	if len(c.App.Chosen()) > 0 {
		class += " chosen"
	}
	return class
}

func (c *StoryCard) insideWords() string {
	if c.App.Phase > 0 {
		return "What happened"
	}
	return "Inside"
}

func (c *StoryCard) heading() string {
	if p, ok := c.App.ShownPhase(); ok {
		return "Round " + itoa(c.App.Shown()) + " · " + p.Phase.Name()
	}
	if c.App.Shown() == 0 {
		return "The start"
	}
	return "Round " + itoa(c.App.Shown())
}

// unknown says why there is no right or wrong.
func (c *StoryCard) unknown() string {
	if why := c.App.Run.Header.Scenery.Why; why != "" {
		return why
	}
	return "Nobody knows the true groups of these data, so there is no right or wrong, and no ARI."
}

// CurvesCard shows one metric of all lanes over the rounds.
type CurvesCard struct {
	App *ui.App
}

func (c *CurvesCard) class(m chart.Metric) string {
	if m == c.App.Shows() {
		return "tab on"
	}
	return "tab"
}

// more tells whether the curves show one of the less common metrics.
func (c *CurvesCard) more() string {
	if slices.Contains(c.App.MoreMetrics(), c.App.Shows()) {
		return "tab on"
	}
	return "tab"
}

// canAdd reports whether there is room for one more lane.
func (c *CurvesCard) canAdd() bool { return len(c.App.Config.Lanes()) < ui.MaxLanes }
