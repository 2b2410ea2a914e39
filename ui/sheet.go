package ui

import (
	"path"
	"strings"

	"flockscope/ui/chart"
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
func (a *App) OpenSheet(name string) {
	a.Sheet = name
	a.Took, a.ByHand = "", ""
	if name == "embed" && a.Builder.Controls == nil {
		a.Builder = newBuilder(a)
	}
	a.Builder.Live = false
	a.Playing = false
	a.Host.Change(host.Shell)
}

// CloseSheet takes the dialog away. What was set in it stays.
func (a *App) CloseSheet() {
	a.Sheet = ""
	a.Builder.Live = false
	a.Host.Change(host.Shell)
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
func (a *App) Explain(topic string) {
	a.Topic = topic
	a.OpenSheet("explain")
}

// OpenTable shows the numbers behind a figure.
func (a *App) OpenTable(kind string, lane int) {
	a.Tabled = Spot{kind, lane}
	a.OpenSheet("table")
}

// OpenShownTable does so for the figure that the tab in force shows, or the map.
func (a *App) OpenShownTable() {
	tab := a.ShownTab()
	if k, _ := chart.KindOf(tab); k.Of == chart.OfLanes {
		a.OpenTable(tab, 0)
		return
	}
	a.OpenTable(tab, a.Lane)
}

// DocsAddress is the address of a page of the documentation. The page itself may be
// that of a short link, /s/ID, or of a file, /index.html.
func (s *Sharing) DocsAddress(file string) string {
	home, _ := path.Split(s.Home)
	if strings.HasSuffix(home, "/s/") {
		home = strings.TrimSuffix(home, "s/")
	}
	return home + "docs/" + file + ".html"
}
