package ui

import (
	"flockscope/ui/host"
)

// Sheet is one page of the dialog over the page: a title and a component that
// root.vugu shows under that name.
type Sheet struct{ Name, Title string }

// sheets are all there are.
var sheets = []Sheet{
	{"keys", "Help"},
	{"explain", "Explanations"},
	{"lessons", "Lessons"},
	{"teacher", "To print"},
	{"take", "Take away"},
	{"embed", "Put into a page"},
	{"sweep", "Sweep"},
	{"table", "Data of the figure"},
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
func (a *App) SheetTitle() string {
	for _, s := range sheets {
		if s.Name == a.Sheet {
			return s.Title
		}
	}
	return ""
}
