package ui

import (
	"bytes"
	"errors"
	"strings"

	"flockscope/ui/chart"
	"flockscope/ui/export"
	"flockscope/ui/host"
	"flockscope/ui/scene"
)

// Formats are what there is to give away, with their MIME types. A PNG is drawn
// by the browser; see take_js.go.
var Formats = map[string]string{
	"csv": "text/csv", "json": "application/json", "svg": "image/svg+xml", "png": "image/png", "run": host.RunType,
	"bib": "application/x-bibtex", "txt": "text/plain", "sh": "text/plain",
}

// A spot of the page can be taken away as a picture.
type Picture struct {
	Spot
	Title string
}

// TakePictures are the figures of the run on screen, lane by lane where they are of
// one lane.
func (a *App) TakePictures() (out []Picture) {
	if a.Run == nil {
		return nil
	}
	for _, k := range chart.Kinds() {
		switch k.Of {
		case chart.Apart:
		case chart.OfData, chart.OfLanes:
			if v := a.View(a.Lane); k.Name != "gallery" && (k.Of == chart.OfData || k.In(&v)) {
				out = append(out, Picture{Spot{k.Name, 0}, k.Title})
			}
		default:
			for lane := range a.Config.Lanes() {
				if v := a.View(lane); k.In(&v) {
					out = append(out, Picture{Spot{k.Name, lane}, k.Title + " of " + a.Title(lane)})
				}
			}
		}
	}
	return out
}

// PictureOf returns the picture of a figure; a lane below 0 is the one in focus.
func (a *App) PictureOf(kind string, lane int) (Picture, bool) {
	if lane < 0 {
		lane = a.Lane
	}
	for _, p := range a.TakePictures() {
		k, _ := chart.KindOf(kind)
		if p.Kind == kind && (p.Lane == lane || k.Of == chart.OfData || k.Of == chart.OfLanes) {
			return p, true
		}
	}
	return Picture{}, false
}

// Box is how large a picture is, in CSS pixels.
func (p Picture) Box() chart.Box {
	switch k, _ := chart.KindOf(p.Kind); k.Of {
	case chart.OfLanes:
		return chart.Box{W: 960, H: 320}
	case chart.OfLane:
		return chart.Box{W: 640, H: 360}
	}
	return chart.Box{W: 640, H: 480}
}

// Sketch draws a picture as it stands: nothing slides, and no pointer is on it.
func (a *App) Sketch(p Picture, list *scene.List) (title, words string) {
	painter := NewPainter(a)
	list.Say(a.lettering())
	figure := painter.Figure(p.Kind, p.Lane)
	v := a.View(painter.LaneOf(p.Kind, p.Lane))
	v.Back, v.Hover, v.Projector = 0, -1, false
	figure.Draw(list, nil, &v, p.Box())
	return p.Title + ", round " + itoa(a.Shown()), figure.Describe(&v)
}

// PaperTheme is the theme of pictures: light, unless the person chose dark.
func (l *Look) PaperTheme() scene.Theme {
	if l.Theme == "dark" {
		return scene.Dark
	}
	return scene.Light
}

var (
	errNoRun    = errors.New("there is no run yet")
	errNotDone  = errors.New("the run is not complete yet")
	errNoFormat = errors.New("the formats are csv, json, svg, png, run, bib, txt and sh")
	ErrNoFigure = errors.New("there is no such figure of this run")
)

// Export makes a file of the run on screen: its numbers, a figure (of a lane
// counted from 0, the one in focus below that), the run itself, the command that
// repeats it, or what to cite.
func (a *App) Export(format, figure string, lane int) (host.File, error) {
	kind, known := Formats[format]
	f := host.File{Name: a.FileName("", format), Type: kind}
	switch {
	case !known || format == "png":
		return f, errNoFormat
	case a.Run == nil:
		return f, errNoRun
	}
	switch format {
	case "csv":
		f.Data = export.CSV(a.Run, a.hasVerdict)
	case "json":
		f.Data = export.JSON(a.Run, a.Fingerprint(), a.hasVerdict)
	case "run":
		if !a.Run.Done() {
			return f, errNotDone
		}
		f.Data = export.WriteRun(a.Run)
	case "bib":
		f.Data = []byte(a.bibtex())
	case "txt":
		f.Data = []byte(a.Citation())
	case "sh":
		f.Data = []byte(a.Command() + "\n")
	case "svg":
		p, ok := a.PictureOf(figure, lane)
		if !ok {
			return f, ErrNoFigure
		}
		var list scene.List
		var b bytes.Buffer
		title, words := a.Sketch(p, &list)
		box := p.Box()
		if err := scene.SVG(&b, &list, a.PaperTheme(), box.W, box.H, title, words); err != nil {
			return f, err
		}
		f.Name, f.Data = a.FileName(p.Slug(a), format), b.Bytes()
	}
	return f, nil
}

// Slug names a picture in the name of a file.
func (p Picture) Slug(a *App) string {
	name := p.Kind
	if k, _ := chart.KindOf(p.Kind); k.Of == chart.OfMap || k.Of == chart.OfLane {
		name += "-" + strings.ReplaceAll(a.Config.Lanes()[p.Lane].ID(), ":", "-")
	}
	return name + "-round-" + itoa(a.Shown())
}

// FileName is "flockscope", the fingerprint in short, what is in it.
func (a *App) FileName(what, format string) string {
	name := "flockscope"
	for _, part := range []string{a.Fingerprint(), what} {
		if part != "" {
			name += "-" + part
		}
	}
	if format == "run" {
		format = "flock"
	}
	return name + "." + format
}

// Command is the line that computes the same run without a browser. A run of
// files needs them too.
func (a *App) Command() string {
	data := ""
	if a.Config.NeedsFile() {
		data = "-data FILE "
	}
	return "flock run " + data + "'" + a.Config.String() + "'"
}

// HasOwnFiles reports whether the run on screen was computed on files of the
// person's, which no page around is to see.
func (a *App) HasOwnFiles() bool {
	if a.Run == nil {
		return false
	}
	config, _ := a.Schema.Parse(a.Run.Header.Query)
	return config.NeedsFile()
}

// TakeSpot is the figure that is taken away: the one chosen, else the map of the
// lane in focus.
func (a *App) TakeSpot() Spot {
	if _, ok := a.PictureOf(a.takes.Kind, a.takes.Lane); ok {
		return a.takes
	}
	return Spot{"map", a.Lane}
}

// ChoosePicture takes the value of the list of figures.
func (a *App) ChoosePicture(value string) {
	for _, p := range a.TakePictures() {
		if p.Value() == value {
			a.takes = p.Spot
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

func (p Picture) Value() string { return p.Kind + " " + itoa(p.Lane) }

// Citation is what to cite in plain words.
func (a *App) Citation() string {
	papers, _ := export.Papers(a.Schema, a.Config)
	return export.Citation(a.Home+"?"+a.Link(), a.result(), papers)
}

// bibtex is the same for BibTeX.
func (a *App) bibtex() string {
	papers, names := export.Papers(a.Schema, a.Config)
	return export.BibTeX(a.Home+"?"+a.Link(), a.result(), papers, names)
}

// result is the fingerprint that belongs to the link, "" while it is not there.
func (a *App) result() string {
	if !a.Complete() {
		return ""
	}
	return a.Fingerprint()
}
