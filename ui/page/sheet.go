package page

import (
	"flockscope/sim/say"
	"flockscope/ui/chart"
	"flockscope/ui/chart/figures"
	"flockscope/ui/guide"
	"flockscope/ui/host"
)

// Sheet is one page of the dialog: a title, and the name of the component that root.vugu shows.
type Sheet struct{ Name, Title string }

// Sheets are all pages of the dialog.
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

// OpenSheet: the user opens a page of the dialog.
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

// CloseSheet: the user closes the dialog. Its settings stay.
type CloseSheet struct{}

func (CloseSheet) update(s *State) {
	s.Sheet = ""
	s.Export.Builder.Live = false
	s.effects.Redraw(host.Shell)
}

// SheetTitle returns the title of the open sheet, "" for none.
func (o *Panels) SheetTitle() string {
	for _, s := range Sheets {
		if s.Name == o.Sheet {
			return s.Title
		}
	}
	return ""
}

// OpenTopic: the user opens the explanations at a topic, or at a method's name.
type OpenTopic struct{ Topic string }

func (m OpenTopic) update(s *State) {
	s.Topic = m.Topic
	OpenSheet{"explain"}.update(s)
}

// loadGuide requests the explanations in the page's language unless they have arrived or been
// requested.
func (s *State) loadGuide() {
	if file := guide.FileIn(say.Language()); file != s.Guide.File || s.Guide.Failed {
		s.Guide = guide.Guide{File: file}
		s.effects.Do(host.LoadGuide{File: file})
	}
}

// GuideLoaded: a file of explanations has arrived.
type GuideLoaded struct{ File, Content string }

func (m GuideLoaded) update(s *State) {
	if m.File == s.Guide.File {
		s.Guide.Texts = guide.Parse(m.Content)
		s.effects.Redraw(host.Shell)
	}
}

// GuideFailed: a file of explanations could not be loaded. The next topic that the user selects
// requests it again.
type GuideFailed struct{ File string }

func (m GuideFailed) update(s *State) {
	if m.File == s.Guide.File {
		s.Guide.Failed = true
		s.effects.Redraw(host.Shell)
	}
}

// OpenTable: the user opens the numbers of a figure. Those of the curves stay hidden until the user
// has answered a lesson's question, since they contain the answer.
type OpenTable struct {
	Kind string
	Lane int
}

func (m OpenTable) update(s *State) {
	if m.Kind == "curves" && s.Lessons.Progress.AwaitsAnswer() {
		return
	}
	s.TableFigure = chart.FigureID{Kind: m.Kind, Lane: m.Lane}
	OpenSheet{"table"}.update(s)
}

// OpenShownTable opens the numbers of the shown figure.
func (s *State) OpenShownTable() {
	tab := s.ShownTab()
	if k, _ := figures.KindOf(tab); k.Of == chart.OfLanes {
		OpenTable{tab, 0}.update(s)
		return
	}
	OpenTable{tab, s.Lane}.update(s)
}
