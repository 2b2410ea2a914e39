package ui

import (
	"flockscope/ui/host"
)

// TakeSheet gives the run away: numbers, pictures, the run itself, the command
// that repeats it, what to cite.
type TakeSheet struct {
	App *App
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

func (c *TakeSheet) pictures() []picture { return c.App.pictures() }

func (p picture) value() string { return p.kind + " " + itoa(p.lane) }

func (c *TakeSheet) selected(p picture) bool { return p.spot == c.App.TakeSpot() }

// ready reports whether a format can be had now.
func (c *TakeSheet) ready(format string) bool {
	if format == "run" {
		return c.App.Run != nil && c.App.Run.Done()
	}
	return c.App.Run != nil
}

// opens reports whether a format is something that a browser shows.
func (c *TakeSheet) opens(format string) bool { return format != "run" }

// TakeSpot is the figure that is taken away: the one chosen, else the map of the
// lane in focus.
func (a *App) TakeSpot() spot {
	if _, ok := a.pictureOf(a.takes.kind, a.takes.lane); ok {
		return a.takes
	}
	return spot{"map", a.Lane}
}

// choosePicture takes the value of the list of figures.
func (a *App) choosePicture(value string) {
	for _, p := range a.pictures() {
		if p.value() == value {
			a.takes = p.spot
		}
	}
	a.Host.Change(host.Shell)
}

// Take hands a file over: how is "save", "open", "copy" or "send". The browser
// does it, and says what came of it in Took.
func (a *App) Take(format, how string) {
	a.Took = ""
	a.Host.Take(format, how)
	a.Host.Change(host.Shell)
}
