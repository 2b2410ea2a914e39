package shell

import (
	"flockscope/ui"
	"flockscope/ui/export"
)

// TakeSheet gives the run away: numbers, pictures, the run itself, the command
// that repeats it, what to cite.
type TakeSheet struct {
	App *ui.App
}

// taken is what is offered as a row of the sheet.
type taken struct{ Format, Title, Doc string }

// numbers are the rows above the pictures.
func (c *TakeSheet) numbers() []taken {
	return []taken{
		{"csv", "Rounds, CSV", "A line a lane and round: lane, round, ari, misplaced, loss, accuracy, clusters, up, down."},
		{"json", "Rounds, JSON", "The same, and which model each client was given."},
		{"run", "Run", "Everything on screen in one file. Drop it on this page to see the run again, without computing it."},
	}
}

func (c *TakeSheet) pictures() []export.Picture { return c.App.Export.Pictures() }

func (c *TakeSheet) selected(p export.Picture) bool { return p.Spot == c.App.Export.Chosen() }

// ready reports whether a format can be had now.
func (c *TakeSheet) ready(format string) bool {
	if format == "run" {
		return c.App.Run != nil && c.App.Run.Done()
	}
	return c.App.Run != nil
}

// opens reports whether a format is something that a browser shows.
func (c *TakeSheet) opens(format string) bool { return format != "run" }
