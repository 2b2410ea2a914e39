package shell

import (
	"slices"
	"strings"

	"github.com/vugu/vugu"

	"flockscope/sim/registry"
	"flockscope/sim/say"
	"flockscope/ui/chart/progress"
	"flockscope/ui/page"
)

// DataCard shows the data plane of one lane.
type DataCard struct {
	App *App
}

// class tells whether the figure can be dragged: elsewhere a finger scrolls.
func (c *DataCard) class() string {
	if c.App.Pictures() {
		return "card data pictures"
	}
	return "card data"
}

// pictured reports whether there are pictures, which can stand by class.
func (c *DataCard) pictured() bool {
	return c.App.Run != nil && c.App.Run.Header.DataPreview.Gallery.HasImages()
}

// StoryCard has the key to the marks, the selected clients, and the way to all settings.
type StoryCard struct {
	App *App
}

func (c *StoryCard) class() string {
	class := "card story"
	if len(c.App.SelectedClients()) > 0 {
		class += " chosen"
	}
	return class
}

// clientClass has "empty" without clients to describe. A style that looks into the card would do, but WebKit does not see
// when its heading gets a text.
func (c *StoryCard) clientClass() string {
	if c.App.Card().Head == "" {
		return "client empty"
	}
	return "client"
}

// unknown says why a clustering cannot be judged.
func (c *StoryCard) unknown() string {
	if why := c.App.Run.Header.DataPreview.NoTruth; why != "" {
		return say.Text(why)
	}
	return "The true groups of these data are unknown, so no clustering is right or wrong, and there is no ARI."
}

// CurvesCard shows one metric of all lanes over the rounds.
type CurvesCard struct {
	App *App
}

func (c *CurvesCard) class(m progress.Metric) string {
	if m == c.App.ShownMetric() {
		return "tab on"
	}
	return "tab"
}

// more tells whether the curves show one of the less common metrics.
func (c *CurvesCard) more() string {
	if slices.Contains(c.App.MoreMetrics(), c.App.ShownMetric()) {
		return "tab on"
	}
	return "tab"
}

// canAdd reports whether there is room for one more lane.
func (c *CurvesCard) canAdd() bool { return len(c.App.Config.Lanes()) < page.MaxLanes }

// found lists the algorithms to add, as HTML: the page itself handles the clicks.
func (c *CurvesCard) found() vugu.HTML {
	var b strings.Builder
	family := registry.Family(0)
	for _, m := range c.App.FoundMethods() {
		if m.Family != family {
			family = m.Family
			add(&b, "<h3>", family.Title(), "</h3>")
		}
		add(&b, `<button type=button data-add="`, m.Name, `"><b>`, m.Title, "</b><span>", m.Doc, "</span></button>")
	}
	return vugu.HTML(b.String())
}

// none says that no method matches the search.
func (c *CurvesCard) none() string {
	if len(c.App.FoundMethods()) > 0 {
		return ""
	}
	return "No method has all of these words in its name or description."
}

// EmbedFoot is the last row of the page in a frame: the round in one line, and a link to
// the whole page.
type EmbedFoot struct {
	App *App
}

// who names the selected lane, and line is its story.
func (c *EmbedFoot) who() string {
	if c.App.Run == nil {
		return ""
	}
	return say.Textf("%s: ", c.App.Title(c.App.Lane))
}

func (c *EmbedFoot) line() string {
	if c.App.Run == nil {
		return ""
	}
	return c.App.Story(c.App.Lane)
}
