package ui

import (
	"flockscope/ui/chart"
)

// DataCard shows the data plane of one lane.
type DataCard struct {
	App *App
}

// StoryCard says what just happened, lane by lane, what it cost, and what is
// known of the client in the light.
type StoryCard struct {
	App *App
}

func (c *StoryCard) heading() string {
	if c.App.Shown() == 0 {
		return "The start"
	}
	return "Round " + itoa(c.App.Shown())
}

// CurvesCard shows one metric of all lanes over the rounds.
type CurvesCard struct {
	App *App
}

func (c *CurvesCard) metrics() []chart.Metric {
	if c.App.NoAnswer() {
		return []chart.Metric{chart.Loss, chart.Cost}
	}
	return []chart.Metric{chart.ARI, chart.Misplaced, chart.Loss, chart.Cost}
}

func (c *CurvesCard) class(m chart.Metric) string {
	if m == c.App.Shows() {
		return "tab on"
	}
	return "tab"
}

func (c *CurvesCard) show(m chart.Metric) {
	c.App.Metric = m
	c.App.OnChange(Shell | Figures | Link)
}

// canAdd reports whether there is room for one more lane.
func (c *CurvesCard) canAdd() bool { return len(c.App.Config.Lanes()) < maxLanes }

func metricWords(m chart.Metric) string {
	switch m {
	case chart.ARI:
		return "ARI"
	case chart.Misplaced:
		return "misplaced"
	case chart.Loss:
		return "loss"
	}
	return "cost"
}
