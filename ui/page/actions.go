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

// ToggleDrawer opens or closes the settings where they are not always open.
type ToggleDrawer struct{}

func (ToggleDrawer) update(s *State) {
	s.Drawer = !s.Drawer
	s.effects.Redraw(host.Shell)
}

// ToggleAdvanced shows or hides the advanced settings.
type ToggleAdvanced struct{}

func (ToggleAdvanced) update(s *State) {
	s.Advanced = !s.Advanced
	s.effects.Redraw(host.Shell)
}

// ShowTab shows a figure where there is room for one, and beside the map where
// there is room for two.
type ShowTab struct{ Tab string }

func (m ShowTab) update(s *State) {
	s.Tab = m.Tab
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// Has reports whether the run on screen has what a figure shows, in the lane in
// focus.
func (s *State) Has(tab string) bool {
	k, known := figures.KindOf(tab)
	v := s.View(s.Lane)
	return known && !s.Hides(tab) && (k.Of == chart.OfData || k.Available(&v)) && (k.Of != chart.OfLane || !s.Hides("below"))
}

// ShownTab is the tab in force: a run that lacks what was asked for shows what
// stands below its maps.
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

// ShowsFigureBelow reports whether the tab in force is of a figure below the maps.
func (s *State) ShowsFigureBelow() bool {
	k, _ := figures.KindOf(s.ShownTab())
	return k.Of == chart.OfLane
}

// FiguresBelow are the figures that can stand below the map of a lane.
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

// FigureBelow is the figure below the map of a lane: what was asked for last, else the
// answers of models that are tried, else the losses. Where there is no map it is alone:
// weights then come first, if the method has any, and models before losses.
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

// HasNoMap reports whether a lane has another figure in the place of a map, since its method
// does not compare clients.
func (s *State) HasNoMap(lane int) bool {
	n := s.LaneOfRun(lane)
	return n >= 0 && s.Run.Header.Lanes[n].Map == trace.NoMap && !s.Hides("below")
}

// mainFigure is the figure that says most of a lane.
func (s *State) mainFigure(lane int) string {
	if s.HasNoMap(lane) {
		return s.FigureBelow(lane)
	}
	return "map"
}

// CopyLink copies the link.
type CopyLink struct{}

func (CopyLink) update(s *State) { s.effects.Do(host.Share{}) }

// DataHint says which lane's models the data figure shows.
func (s *State) DataHint() string {
	if s.Pictures() {
		return say.Textf("colours of %s", say.Message(s.Title(s.Lane)))
	}
	if s.Run != nil && s.Run.Header.DataPreview.Axes != "" {
		return say.Text(s.Run.Header.DataPreview.Axes)
	}
	if s.Run != nil && s.Run.Header.DataPreview.Fan {
		return say.Textf("models of %s · drag the ring", say.Message(s.Title(s.Lane)))
	}
	return say.Textf("models of %s", say.Message(s.Title(s.Lane)))
}

// FingerprintWords is the fingerprint with its name, or what stands in for it.
func (s *State) FingerprintWords() string {
	if p := s.Fingerprint(); p != "" {
		return say.Textf("Result %s", p)
	}
	return "Result …"
}

// ToggleAdding opens and closes the list of algorithms to add.
type ToggleAdding struct{}

func (ToggleAdding) update(s *State) {
	s.Adding, s.SearchText = !s.Adding, ""
	s.effects.Redraw(host.Shell)
}

// SearchMethods narrows the list of algorithms to add to those that have all words of a text in
// their name, title or description, or in the title of their family.
type SearchMethods struct{ Text string }

func (m SearchMethods) update(s *State) {
	s.SearchText = m.Text
	s.effects.Redraw(host.Shell)
}

// FoundMethods are the algorithms to add, family by family, as far as they fit what is searched for.
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

// NextTheme shows the theme after the present one in [Themes].
type NextTheme struct{}

func (NextTheme) update(s *State) {
	s.Theme = Themes[(slices.Index(Themes, s.Theme)+1)%len(Themes)]
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// ForcedColours says whether the system's few colours are in force.
type ForcedColours struct{ On bool }

func (m ForcedColours) update(s *State) { s.ForcedColours = m.On }

// SetLanguage asks for a language: "en" or "zh".
type SetLanguage struct{ Lang string }

func (m SetLanguage) update(s *State) {
	s.Lang = m.Lang
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// LanguageChanged says that everything is in another language from now on.
type LanguageChanged struct{}

func (LanguageChanged) update(s *State) {
	if s.Sheet == "explain" {
		s.loadGuide()
	}
	s.effects.Redraw(host.Shell | host.Figures | host.Previews)
}

// ChineseFailed says that the Chinese texts could not be loaded.
type ChineseFailed struct{}

func (ChineseFailed) update(s *State) {
	s.Notify("The Chinese texts could not be loaded. Check the connection and try again.")
}

// PrintPage prints the page.
type PrintPage struct{}

func (PrintPage) update(s *State) { s.effects.Do(host.Print{}) }

// CopyText copies a text.
type CopyText struct{ Text string }

func (m CopyText) update(s *State) { s.effects.Do(host.Copy{Text: m.Text}) }
