package page

import (
	"net/netip"
	"net/url"
	"path"
	"strconv"
	"strings"

	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/ui/chart"
	"flockscope/ui/chart/figures"
	"flockscope/ui/files"
	"flockscope/ui/host"
)

// Exporter is what can be taken away from the page, and what came of it.
type Exporter struct {
	LinkStatus string // what came of copying the link
	LinkText   string // shown for copying by hand where the browser does not let the page do it
	Result     string // what came of taking something away
	CopyText   string // a text that the browser did not let the page copy
	Licences   string // the address of the licences of all that the page is made of
	Home       string // the address of the page, without what is behind the "?"
	Builder    FrameBuilder

	page    *State
	picture chart.FigureID // the figure to take away, as chosen last

	options [3]int // of each of [ExportChoices], which is in force
}

// Formats are what there is to give away, with their MIME types.
var Formats = map[string]string{
	"csv": "text/csv", "json": "application/json", "svg": "image/svg+xml", "png": "image/png", "run": host.RunType,
	"bib": "application/x-bibtex", "tex": "application/x-tex", "txt": "text/plain", "sh": "text/plain",
}

// Picture is a figure of the run that can be taken away.
type Picture struct {
	chart.FigureID
	Title string
}

// Pictures are the figures of the run on screen, lane by lane where they are of
// one lane.
func (e *Exporter) Pictures() (out []Picture) {
	if e.page.Run == nil {
		return nil
	}
	if len(e.page.Config.Lanes()) > 1 {
		out = append(out, Picture{chart.FigureID{Kind: all}, say.Text("All methods")})
	}
	for _, k := range figures.Kinds() {
		switch k.Of {
		case chart.NoTab:
		case chart.OfData, chart.OfLanes:
			if v := e.page.View(e.page.Lane); k.Name != "gallery" && (k.Of == chart.OfData || k.Available(&v)) {
				out = append(out, Picture{chart.FigureID{Kind: k.Name}, say.Text(k.Title)})
			}
		default:
			for lane := range e.page.Config.Lanes() {
				if v := e.page.View(lane); k.Available(&v) {
					out = append(out, Picture{chart.FigureID{Kind: k.Name, Lane: lane},
						say.Textf("%s of %s", say.Message(k.Title), say.Message(e.page.Title(lane)))})
				}
			}
		}
	}
	if s := e.page.jobs().SweepView(); s.Sweep != nil && len(s.Sweep.Plan.Axes) == 1 {
		out = append(out, Picture{chart.FigureID{Kind: "sweep"}, say.Text("Sweep")})
	} else if s.Sweep != nil {
		for lane, title := range s.Titles {
			out = append(out, Picture{chart.FigureID{Kind: "heat", Lane: lane}, say.Textf("Sweep of %s", chart.LaneTitle(title))})
		}
	}
	return out
}

// Picture returns the picture of a figure; a lane below 0 is the one in focus.
func (e *Exporter) Picture(kind string, lane int) (Picture, bool) {
	if lane < 0 {
		lane = e.page.Lane
	}
	for _, p := range e.Pictures() {
		k, _ := figures.KindOf(kind)
		if p.Kind == kind && (p.Lane == lane || k.Of == chart.OfData || k.Of == chart.OfLanes || kind == "sweep" ||
			kind == all) {
			return p, true
		}
	}
	return Picture{}, false
}

// Box is how large the figure of a picture is on the screen, in CSS pixels.
func (p Picture) Box() chart.Box {
	k, known := figures.KindOf(p.Kind)
	switch {
	case !known || k.Of == chart.OfLanes:
		return chart.Box{W: 960, H: 320}
	case k.Of == chart.OfLane || p.Kind == "sweep":
		return chart.Box{W: 640, H: 360}
	}
	return chart.Box{W: 640, H: 480}
}

// PaperTheme is the theme of pictures: on a screen dark, if the person chose that for the
// page.
func (e *Exporter) PaperTheme() scene.Theme {
	switch {
	case e.options[1] > 0:
		return scene.Greyscale
	case e.page.Theme == "dark" && (e.Option(0) == "screen" || e.Option(0) == "slide"):
		return scene.Dark
	}
	return scene.Light
}

var (
	// The reasons why a file cannot be made.
	ErrNoRun    = say.Errorf("there is no run yet")
	ErrNotDone  = say.Errorf("the run is not complete yet")
	ErrNoFormat = say.Errorf("the formats are csv, json, svg, png, tex, run, bib, txt and sh")
	ErrNoFigure = say.Errorf("there is no such figure of this run")
)

// Drawn reports whether files of a format are pictures, which the browser makes.
func Drawn(format string) bool { return format == "svg" || format == "png" || format == "tex" }

// File makes a file of the run on screen: its numbers, the run itself, the command that
// repeats it, or what to cite.
func (e *Exporter) File(format string) (host.File, error) {
	kind, known := Formats[format]
	f := host.File{Name: e.FileName("", format), Type: kind}
	switch {
	case !known || Drawn(format):
		return f, ErrNoFormat
	case e.page.Run == nil:
		return f, ErrNoRun
	}
	switch format {
	case "csv":
		f.Data = files.CSV(e.page.Run, e.page.hasVerdict)
	case "json":
		f.Data = files.JSON(e.page.Run, e.page.Fingerprint(), e.page.hasVerdict)
	case "run":
		if !e.page.Run.Done() {
			return f, ErrNotDone
		}
		f.Data = files.WriteRun(e.page.Run)
	case "bib":
		f.Data = []byte(e.bibtex())
	case "txt":
		f.Data = []byte(e.Citation())
	case "sh":
		f.Data = []byte(e.Command() + "\n")
	}
	return f, nil
}

// Slug names a picture in the name of a file.
func (e *Exporter) Slug(p Picture) string {
	name := p.Kind
	if k, _ := figures.KindOf(p.Kind); k.Of == chart.OfMap || k.Of == chart.OfLane {
		name += "-" + strings.ReplaceAll(e.page.Config.Lanes()[p.Lane].ID(), ":", "-")
	} else if k.Of == chart.NoTab && p.Kind != all {
		return name + "-" + strconv.Itoa(p.Lane+1)
	}
	return name + "-round-" + strconv.Itoa(e.page.Shown())
}

// FileName is "flockscope", the fingerprint in short, what is in it.
func (e *Exporter) FileName(what, format string) string {
	if format == "run" {
		format = "flock"
	}
	return e.fileName(what) + "." + format
}

// fileName is the same without the ending.
func (e *Exporter) fileName(what string) string {
	name := "flockscope"
	for _, part := range []string{e.page.Fingerprint(), what} {
		if part != "" {
			name += "-" + part
		}
	}
	return name
}

// Command is the line that computes the same run without a browser. A run of
// files needs them too.
func (e *Exporter) Command() string {
	data := ""
	if e.page.Config.NeedsFile() {
		data = "-data FILE "
	}
	return "flock run " + data + "'" + e.page.Config.String() + "'"
}

// HasOwnFiles reports whether the run on screen was computed on files of the
// person's, which no page around is to see.
func (e *Exporter) HasOwnFiles() bool {
	if e.page.Run == nil {
		return false
	}
	config, _ := e.page.Schema.Parse(e.page.Run.Header.Query)
	return config.NeedsFile()
}

// Chosen is the figure that is taken away: the one chosen, else the map of the
// lane in focus.
func (e *Exporter) Chosen() chart.FigureID {
	if _, ok := e.Picture(e.picture.Kind, e.picture.Lane); ok {
		return e.picture
	}
	return chart.FigureID{Kind: "map", Lane: e.page.Lane}
}

// ChoosePicture takes a value of the list of figures, or of a choice of how they look.
type ChoosePicture struct{ Value string }

func (m ChoosePicture) update(s *State) {
	e := s.Export
	for _, p := range e.Pictures() {
		if p.Value() == m.Value {
			e.picture = p.FigureID
		}
	}
	for i := range ExportChoices {
		for j, option := range ExportChoices[i].Options {
			if option[0] == m.Value {
				e.options[i] = j
			}
		}
	}
	s.effects.Redraw(host.Shell)
}

// Export hands a file over: how is "save", "open", "copy" or "send". The browser
// does it, and says what came of it in Took.
type Export struct{ Format, How string }

func (m Export) update(s *State) {
	s.Export.Result = ""
	s.effects.Do(host.Export{Format: m.Format, How: m.How})
	s.effects.Redraw(host.Shell)
}

func (p Picture) Value() string { return p.Kind + " " + strconv.Itoa(p.Lane) }

// Citation is what to cite in plain words.
func (e *Exporter) Citation() string {
	papers, _ := files.Papers(e.page.Schema, e.page.Config)
	return files.Citation(e.link(), e.result(), papers)
}

// link is the whole link to what is on screen.
func (e *Exporter) link() string { return e.Home + "?" + e.page.link(e.page.Theme) }

// bibtex is the same for files.BibTeX.
func (e *Exporter) bibtex() string {
	papers, names := files.Papers(e.page.Schema, e.page.Config)
	return files.BibTeX(e.link(), e.result(), papers, names)
}

// result is the fingerprint that belongs to the link, "" while it is not there.
func (e *Exporter) result() string {
	if !e.page.Runs.Complete() {
		return ""
	}
	return e.page.Fingerprint()
}

// DocsAddress is the address of a page of the documentation. The page itself may be
// that of a short link, /s/ID, or of a file, /index.html.
func (e *Exporter) DocsAddress(file string) string {
	home, _ := path.Split(e.Home)
	if strings.HasSuffix(home, "/s/") {
		home = strings.TrimSuffix(home, "s/")
	}
	return home + "docs/" + file + ".html"
}

// Local reports whether the page's address is one that only this computer can open.
func (e *Exporter) Local() bool {
	u, err := url.Parse(e.Home)
	if err != nil || u.Scheme == "file" {
		return true
	}
	address, _ := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || strings.HasSuffix(u.Hostname(), ".localhost") || address.IsLoopback()
}

// Exported says what came of handing a file over, and shows a text that the browser did not
// let the page copy.
type Exported struct{ Words, ByHand string }

func (m Exported) update(s *State) {
	s.Export.Result, s.Export.CopyText = m.Words, m.ByHand
	s.effects.Redraw(host.Shell)
}

// LinkCopied says that the link was copied, or shows it to be copied by hand.
type LinkCopied struct{ ByHand string }

func (m LinkCopied) update(s *State) {
	s.Export.LinkStatus, s.Export.LinkText = "Link copied", m.ByHand
	if m.ByHand != "" {
		s.Export.LinkStatus = ""
	}
	s.effects.Redraw(host.Shell)
}

// BuildFrame changes the frame in the making.
type BuildFrame struct{ Builder FrameBuilder }

func (m BuildFrame) update(s *State) {
	s.Export.Builder, s.Export.Result = m.Builder, ""
	s.effects.Redraw(host.Shell)
}

// Reset forgets what came of the last export, as a dialog opens or closes.
func (e *Exporter) Reset() {
	e.Result, e.CopyText, e.Builder.Live = "", "", false
}
