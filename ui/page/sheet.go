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
	{"take", "Take away"},
	{"embed", "Put into a page"},
	{"sweep", "Sweep"},
	{"table", "Data of the figure"},
	{"columns", "Columns of the file"},
}

// OpenSheet shows a page of the dialog over the page.
func (a *State) OpenSheet(name string) {
	a.Sheet = name
	a.Export.Reset()
	if name == "embed" {
		a.Export.BeginFrame()
	}
	if name == "explain" {
		a.loadGuide()
	}
	a.Player.Playing = false
	a.effects.Redraw(host.Shell)
}

// CloseSheet takes the dialog away. What was set in it stays.
func (a *State) CloseSheet() {
	a.Sheet = ""
	a.Export.Builder.Live = false
	a.effects.Redraw(host.Shell)
}

// SheetTitle is the title of the open sheet, "" for none.
func (o *Opened) SheetTitle() string {
	for _, s := range Sheets {
		if s.Name == o.Sheet {
			return s.Title
		}
	}
	return ""
}

// Explain opens the sheet at a topic, or at a method by its name.
func (a *State) Explain(topic string) {
	a.Topic = topic
	a.OpenSheet("explain")
}

// LanguageChanged shows everything in the language that is in use from now on.
func (a *State) LanguageChanged() {
	if a.Sheet == "explain" {
		a.loadGuide()
	}
	a.effects.Redraw(host.Shell | host.Figures | host.Previews)
}

// loadGuide asks for the explanations in the language of the page, unless they are there
// or on their way.
func (a *State) loadGuide() {
	if file := guide.FileIn(say.Language()); file != a.Guide.File || a.Guide.Failed {
		a.Guide = guide.Guide{File: file}
		a.effects.Do(host.LoadGuide{File: file})
	}
}

// GuideLoaded takes the content of a file of explanations.
func (a *State) GuideLoaded(file, content string) {
	if file == a.Guide.File {
		a.Guide.Texts = guide.Parse(content)
		a.effects.Redraw(host.Shell)
	}
}

// GuideFailed notes that a file of explanations could not be fetched; it is asked for again
// when a topic is chosen.
func (a *State) GuideFailed(file string) {
	if file == a.Guide.File {
		a.Guide.Failed = true
		a.effects.Redraw(host.Shell)
	}
}

// OpenTable shows the numbers behind a figure. The curves have the answer to a lesson's
// question: theirs come with it.
func (a *State) OpenTable(kind string, lane int) {
	if kind == "curves" && a.Lessons.Course.Asks() {
		return
	}
	a.Tabled = chart.Spot{Kind: kind, Lane: lane}
	a.OpenSheet("table")
}

// OpenShownTable does so for the figure that the tab in force shows, or the map.
func (a *State) OpenShownTable() {
	tab := a.ShownTab()
	if k, _ := figures.KindOf(tab); k.Of == chart.OfLanes {
		a.OpenTable(tab, 0)
		return
	}
	a.OpenTable(tab, a.Lane)
}
