package shell

import (
	"slices"

	"flockscope/sim/say"
	"flockscope/ui/page"
)

// ExportSheet exports numbers, pictures, the run itself, the command that repeats it,
// and a citation.
type ExportSheet struct {
	App *App
}

// exportRow is a row of the sheet.
type exportRow struct{ Format, Title, Doc string }

// numbers are the rows above the pictures.
func (c *ExportSheet) numbers() []exportRow {
	return []exportRow{
		{"csv", "Rounds, CSV", "One line per method and round, with the columns lane, round, ari, misplaced, " +
			"loss, accuracy, clusters, up, down."},
		{"json", "Rounds, JSON", "The same, and the model of each client."},
		{"run", "Run", "Everything on screen in one file. Drop it on this page to see the run again, without computing it."},
	}
}

// choices are the options of the picture: which figure, and its look.
func (c *ExportSheet) choices() []page.ExportChoice {
	figure := page.ExportChoice{ID: "picture", Title: "Picture"}
	for _, p := range c.App.Export.Pictures() {
		figure.Options = append(figure.Options, [2]string{p.Value(), p.Title})
	}
	return append([]page.ExportChoice{figure}, page.ExportChoices...)
}

// chosen reports whether an option is selected.
func (c *ExportSheet) chosen(option string) bool {
	for i := range page.ExportChoices {
		if option == c.App.Export.Option(i) {
			return true
		}
	}
	return option == page.Picture{FigureID: c.App.Export.ChosenPicture()}.Value()
}

// lettering describes the fonts of a picture.
func (c *ExportSheet) lettering() string {
	if say.Language() != "" {
		return "Chinese in the SVG needs a font of the reader's; the PNG needs none. A PNG for a column has 300 dpi."
	}
	return "Letters in the SVG are outlines, so it needs no font. A PNG for a column has 300 dpi."
}

// ready reports whether a format can be exported now.
func (c *ExportSheet) ready(format string) bool {
	if format == "run" {
		return c.App.Run != nil && c.App.Run.Done()
	}
	return c.App.Run != nil
}

// result returns the result of the last export if it had one of these formats: it stands beside the button.
func (c *ExportSheet) result(formats ...string) string {
	if slices.Contains(formats, c.App.Export.Format) {
		return c.App.Export.Result
	}
	return ""
}

// opens reports whether a browser can show a format.
func (c *ExportSheet) opens(format string) bool { return format != "run" }
