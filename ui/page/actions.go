package page

import (
	"slices"
	"strings"

	"flockscope/sim/registry"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/figures"
	"flockscope/ui/host"
)

// ToggleDrawer: the user opens or closes the settings drawer of narrow screens.
type ToggleDrawer struct{}

func (ToggleDrawer) update(s *State) {
	s.Drawer = !s.Drawer
	s.effects.Redraw(host.Shell)
}

// ToggleAdvanced: the user shows or hides the advanced settings.
type ToggleAdvanced struct{}

func (ToggleAdvanced) update(s *State) {
	s.Advanced = !s.Advanced
	s.effects.Redraw(host.Shell)
}

// ToggleLegend: the user shows or hides the legends of the figures.
type ToggleLegend struct{}

func (ToggleLegend) update(s *State) {
	s.Legend = !s.Legend
	s.effects.Redraw(host.Shell)
}

// ShowTab: the user selects a figure. Narrow screens show it alone, wide ones beside the map.
type ShowTab struct{ Tab string }

func (m ShowTab) update(s *State) {
	s.Tab = m.Tab
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// Has reports whether the run on screen has the data of a figure, for the focused lane.
func (s *State) Has(tab string) bool {
	k, known := figures.KindOf(tab)
	v := s.View(s.Lane)
	return known && !s.Hides(tab) && (k.Of == chart.OfData || k.Available(&v)) && (k.Of != chart.OfLane || !s.Hides("below"))
}

// ShownTab returns the selected figure, or another one if the run on screen has no data for it.
func (s *State) ShownTab() string {
	if s.Has(s.Tab) {
		return s.Tab
	}
	for _, tab := range [...]string{s.FigureBelow(s.Lane), "losses", "map", "data"} {
		if s.Has(tab) {
			return tab
		}
	}
	return "curves"
}

// ShowsFigureBelow reports whether the shown tab is a figure below the maps.
func (s *State) ShowsFigureBelow() bool {
	k, _ := figures.KindOf(s.ShownTab())
	return k.Of == chart.OfLane
}

// FiguresBelow returns the kinds of figures that can be shown below the map of a lane.
func (s *State) FiguresBelow(lane int) []chart.Kind {
	v := s.View(lane)
	var out []chart.Kind
	for _, k := range figures.Kinds() {
		if k.Of == chart.OfLane && !s.Hides(k.Name) && k.Available(&v) {
			out = append(out, k)
		}
	}
	return out
}

// FigureBelow returns the figure below the map of a lane: the selected one, else the answers of
// evaluated classifiers, else the losses. A lane without a map prefers weights, then models.
func (s *State) FigureBelow(lane int) string {
	under := s.FiguresBelow(lane)
	has := func(name string) bool {
		return slices.ContainsFunc(under, func(k chart.Kind) bool { return k.Name == name })
	}
	switch name := s.Tab; {
	case name == "losses" || has(name):
		return name
	case s.HasNoMap(lane) && has("weights"):
		return "weights"
	case s.Classifies():
		return "answers"
	case s.HasNoMap(lane) && has("models"):
		return "models"
	}
	return "losses"
}

// HasNoMap reports whether a lane has no map because its method does not compare clients. Another
// figure takes the place of the map.
func (s *State) HasNoMap(lane int) bool {
	n := s.LaneOfRun(lane)
	return n >= 0 && s.Run.Header.Lanes[n].Map == trace.NoMap && !s.Hides("below")
}

// mainFigure returns the most informative figure of a lane.
func (s *State) mainFigure(lane int) string {
	if s.HasNoMap(lane) {
		return s.FigureBelow(lane)
	}
	return "map"
}

// CopyLink: the user copies the link.
type CopyLink struct{}

func (CopyLink) update(s *State) { s.effects.Do(host.Share{}) }

// DataHint returns the hint of the data figure: what its marks mean, and which lane's models it shows.
func (s *State) DataHint() string {
	method := say.Message(s.Title(s.Lane))
	if s.Run == nil {
		return ""
	}
	preview := &s.Run.Header.DataPreview
	switch text := say.Textf("Points: samples; black: client %d.", s.Followed()+1); {
	case s.asks() && !s.Pictures():
		return text
	case s.ByClass && preview.Gallery.HasImages():
		return "Pictures of all clients, by the classes that these give them."
	case s.Pictures():
		return say.Textf("A row for each client, by group. Colours: models of %s.", method)
	case preview.Axes != "":
		return say.Join([]string{say.Text(preview.Axes), text}, " ")
	case preview.Fan:
		return say.Textf("%s Dashed: the true lines. Solid: the models of %s. Drag the ring.", text, method)
	case len(preview.Truth) > 0:
		return say.Textf("%s Dashed: the true lines. Solid: the models of %s.", text, method)
	default:
		return say.Textf("%s Solid: the models of %s.", text, method)
	}
}

// FingerprintWords returns the fingerprint with its label, or a placeholder.
func (s *State) FingerprintWords() string {
	if p := s.Fingerprint(); p != "" {
		return say.Textf("Result %s", p)
	}
	return "Result …"
}

// ToggleAdding: the user opens or closes the list of methods to add.
type ToggleAdding struct{}

func (ToggleAdding) update(s *State) {
	s.Adding, s.SearchText = !s.Adding, ""
	s.effects.Redraw(host.Shell)
}

// SearchMethods: the user types into the search box of that list. It finds the methods whose name,
// title, description or family has all words of the text.
type SearchMethods struct{ Text string }

func (m SearchMethods) update(s *State) {
	s.SearchText = m.Text
	s.effects.Redraw(host.Shell)
}

// FoundMethods returns the methods that match the search text, family by family.
func (s *State) FoundMethods() (found []*registry.Meta) {
	wanted := strings.Fields(strings.ToLower(s.SearchText))
	for _, g := range s.Schema.MethodMenu() {
		for _, m := range g.Entries {
			text := strings.ToLower(m.Name + m.Title + m.Doc + g.Title + say.Text(m.Doc) + say.Text(g.Title))
			if !slices.ContainsFunc(wanted, func(word string) bool { return !strings.Contains(text, word) }) {
				found = append(found, m)
			}
		}
	}
	return found
}

// NextTheme: the user switches to the next theme of [Themes].
type NextTheme struct{}

func (NextTheme) update(s *State) {
	s.Theme = Themes[(slices.Index(Themes, s.Theme)+1)%len(Themes)]
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// ForcedColours: the system turns forced colours on or off.
type ForcedColours struct{ On bool }

func (m ForcedColours) update(s *State) { s.ForcedColours = m.On }

// SetLanguage: the user selects a language, "en" or "zh".
type SetLanguage struct{ Lang string }

func (m SetLanguage) update(s *State) {
	s.Lang = m.Lang
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// LanguageChanged: the texts of the selected language have been loaded.
type LanguageChanged struct{}

func (LanguageChanged) update(s *State) {
	if s.Sheet == "explain" {
		s.loadGuide()
	}
	s.effects.Redraw(host.Shell | host.Figures | host.Previews)
}

// ChineseFailed: the Chinese texts could not be loaded.
type ChineseFailed struct{}

func (ChineseFailed) update(s *State) {
	s.Notify("The Chinese texts could not be loaded. Check the connection and try again.")
}

// PrintPage: the user prints the page.
type PrintPage struct{}

func (PrintPage) update(s *State) { s.effects.Do(host.Print{}) }

// CopyText: the user copies a text.
type CopyText struct{ Text string }

func (m CopyText) update(s *State) { s.effects.Do(host.Copy{Text: m.Text}) }
