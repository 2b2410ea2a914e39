package page

import (
	"flockscope/sim/say"
	"flockscope/ui/chart"
	"flockscope/ui/chart/figures"
	"flockscope/ui/guide"
	"flockscope/ui/host"
)

// Sheet is one page of the dialog over the page: a title and a component that
// root.vugu shows under that name.
type Sheet struct{ Name, Title string }

// Sheets are all there are.
var Sheets = []Sheet{
	{"keys", "Help"},
	{"explain", "Explanations"},
	{"lessons", "Lessons"},
	{"teacher", "To print"},
	{"take", "Export"},
	{"embed", "Embed"},
	{"sweep", "Sweep"},
	{"table", "Data of the figure"},
	{"columns", "Columns of the file"},
}

// OpenSheet shows a page of the dialog over the page.
type OpenSheet struct{ Name string }

func (m OpenSheet) update(s *State) {
	s.Sheet = m.Name
	s.Export.Reset()
	if m.Name == "embed" {
		s.Export.BeginFrame()
	}
	if m.Name == "explain" {
		s.loadGuide()
	}
	s.Player.Playing = false
	s.effects.Redraw(host.Shell)
}

// CloseSheet takes the dialog away. What was set in it stays.
type CloseSheet struct{}

func (CloseSheet) update(s *State) {
	s.Sheet = ""
	s.Export.Builder.Live = false
	s.effects.Redraw(host.Shell)
}

// SheetTitle is the title of the open sheet, "" for none.
func (o *Panels) SheetTitle() string {
	for _, s := range Sheets {
		if s.Name == o.Sheet {
			return s.Title
		}
	}
	return ""
}

// Explain opens the sheet at a topic, or at a method by its name.
type Explain struct{ Topic string }

func (m Explain) update(s *State) {
	s.Topic = m.Topic
	OpenSheet{"explain"}.update(s)
}

// loadGuide asks for the explanations in the language of the page, unless they are there
// or on their way.
func (s *State) loadGuide() {
	if file := guide.FileIn(say.Language()); file != s.Guide.File || s.Guide.Failed {
		s.Guide = guide.Guide{File: file}
		s.effects.Do(host.LoadGuide{File: file})
	}
}

// GuideLoaded takes the content of a file of explanations.
type GuideLoaded struct{ File, Content string }

func (m GuideLoaded) update(s *State) {
	if m.File == s.Guide.File {
		s.Guide.Texts = guide.Parse(m.Content)
		s.effects.Redraw(host.Shell)
	}
}

// GuideFailed notes that a file of explanations could not be fetched; it is asked for again
// when a topic is chosen.
type GuideFailed struct{ File string }

func (m GuideFailed) update(s *State) {
	if m.File == s.Guide.File {
		s.Guide.Failed = true
		s.effects.Redraw(host.Shell)
	}
}

// OpenTable shows the numbers behind a figure. The curves have the answer to a lesson's
// question: theirs come with it.
type OpenTable struct {
	Kind string
	Lane int
}

func (m OpenTable) update(s *State) {
	if m.Kind == "curves" && s.Lessons.Progress.AwaitsAnswer() {
		return
	}
	s.Tabled = chart.FigureID{Kind: m.Kind, Lane: m.Lane}
	OpenSheet{"table"}.update(s)
}

// OpenShownTable does so for the figure that the tab in force shows, or the map.
func (s *State) OpenShownTable() {
	tab := s.ShownTab()
	if k, _ := figures.KindOf(tab); k.Of == chart.OfLanes {
		OpenTable{tab, 0}.update(s)
		return
	}
	OpenTable{tab, s.Lane}.update(s)
}
