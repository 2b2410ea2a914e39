package page

import (
	"cmp"
	"net/netip"
	"net/url"
	"path"
	"strconv"
	"strings"

	"flockscope/sim/draw/scene"
	"flockscope/sim/experiment"
	"flockscope/sim/runfile"
	"flockscope/sim/say"
	"flockscope/ui/chart"
	"flockscope/ui/chart/figures"
	"flockscope/ui/files"
	"flockscope/ui/host"
)

// Exporter makes the files and pictures that the page exports, and has the results for the dialog.
type Exporter struct {
	LinkStatus string // result of copying the link
	LinkText   string // shown for manual copying if the browser denies access to the clipboard
	Result     string // result of the last export
	Format     string // of the last export
	CopyText   string // text to copy by hand if the browser denies access to the clipboard
	Licences   string // address of the licences of the page's parts
	Home       string // address of the page without its query
	Builder    FrameBuilder

	page    *State
	picture chart.FigureID // the figure that was chosen last

	options [3]int // the chosen option of each of [ExportChoices]
}

// Formats are the export formats with their MIME types.
var Formats = map[string]string{
	"csv": "text/csv", "json": "application/json", "svg": "image/svg+xml", "png": "image/png", "run": host.RunType,
	"bib": "application/x-bibtex", "tex": "application/x-tex", "txt": "text/plain", "sh": "text/plain",
}

// Picture is a figure of the run that can be exported.
type Picture struct {
	chart.FigureID
	Title string
}

// Pictures returns the exportable figures of the run on screen, lane by lane if they show one lane.
func (e *Exporter) Pictures() (out []Picture) {
	if e.page.Run == nil {
		return nil
	}
	if len(e.page.Config.Lanes()) > 1 {
		out = append(out, Picture{chart.FigureID{Kind: allLanes}, say.Text("All methods")})
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

// Picture returns the picture of a figure; a lane below 0 stands for the focused one.
func (e *Exporter) Picture(kind string, lane int) (Picture, bool) {
	if lane < 0 {
		lane = e.page.Lane
	}
	for _, p := range e.Pictures() {
		k, _ := figures.KindOf(kind)
		if p.Kind == kind && (p.Lane == lane || k.Of == chart.OfData || k.Of == chart.OfLanes || kind == "sweep" ||
			kind == allLanes) {
			return p, true
		}
	}
	return Picture{}, false
}

// Box returns the size of a picture at screen scale, in CSS pixels.
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

// PaperTheme returns the colours of pictures: dark only for a screen or slide, if the page is dark.
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
	// Reasons why a file cannot be made.
	ErrNoRun    = say.Errorf("there is no run yet")
	ErrNotDone  = say.Errorf("the run is not complete yet")
	ErrNoFormat = say.Errorf("the formats are csv, json, svg, png, tex, run, bib, txt and sh")
	ErrNoFigure = say.Errorf("there is no such figure of this run")
)

// IsPicture reports whether files of a format are pictures, which the browser makes.
func IsPicture(format string) bool { return format == "svg" || format == "png" || format == "tex" }

// File makes a file of the run on screen: its numbers, the run itself, the command that repeats it,
// or its citation.
func (e *Exporter) File(format string) (host.File, error) {
	kind, known := Formats[format]
	f := host.File{Name: e.FileName("", format), Type: kind}
	switch {
	case !known || IsPicture(format):
		return f, ErrNoFormat
	case e.page.Run == nil || e.page.Runs.showsStart():
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
		f.Data = runfile.Write(e.page.Run)
	case "bib":
		f.Data = []byte(e.bibtex())
	case "txt":
		f.Data = []byte(e.Citation())
	case "sh":
		f.Data = []byte(e.Command() + "\n")
	}
	return f, nil
}

// Slug returns the part of a file name that identifies a picture.
func (e *Exporter) Slug(p Picture) string {
	name := p.Kind
	if k, _ := figures.KindOf(p.Kind); k.Of == chart.OfMap || k.Of == chart.OfLane {
		name += "-" + strings.ReplaceAll(e.page.Config.Lanes()[p.Lane].ID(), ":", "-")
	} else if isSweep(p.Kind) {
		done, of := e.page.jobs().SweepView().Sweep.Done()
		if name += "-" + strconv.Itoa(p.Lane+1); done < of {
			name += "-" + strconv.Itoa(done) + "-of-" + strconv.Itoa(of) + "-runs"
		}
		return name
	}
	return name + "-round-" + strconv.Itoa(e.page.Shown())
}

// FileName returns a file name: "flockscope", the short fingerprint, the content and the extension.
func (e *Exporter) FileName(what, format string) string {
	if format == "run" {
		format = "flock"
	}
	return e.fileName(what) + "." + format
}

// fileName does the same without the extension.
func (e *Exporter) fileName(what string) string {
	name := "flockscope"
	for _, part := range []string{e.page.Fingerprint(), what} {
		if part != "" {
			name += "-" + part
		}
	}
	return name
}

// Command returns the command line that computes the same run without a browser. A run on files also
// needs these files.
func (e *Exporter) Command() string {
	data := ""
	if e.page.Config.NeedsFile() {
		data = "-data FILE "
	}
	return "flock run " + data + "'" + e.page.Config.String() + "'"
}

// HasOwnFiles reports whether the run on screen uses the user's files, which the surrounding page
// must not get.
func (e *Exporter) HasOwnFiles() bool {
	if e.page.Run == nil {
		return false
	}
	config, _ := e.page.Schema.Parse(e.page.Run.Header.Query)
	return config.NeedsFile()
}

// ChosenPicture returns the chosen figure, or the map of the focused lane.
func (e *Exporter) ChosenPicture() chart.FigureID {
	if _, ok := e.Picture(e.picture.Kind, e.picture.Lane); ok {
		return e.picture
	}
	return chart.FigureID{Kind: "map", Lane: e.page.Lane}
}

// ChoosePicture: the user selects a picture or one of the options of its look.
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

// Export: the user exports a file; How is "save", "open", "copy" or "send". The browser answers with
// [Exported].
type Export struct{ Format, How string }

func (m Export) update(s *State) {
	s.Export.Result, s.Export.Format = "", m.Format
	s.effects.Do(host.Export{Format: m.Format, How: m.How})
	s.effects.Redraw(host.Shell)
}

func (p Picture) Value() string { return p.Kind + " " + strconv.Itoa(p.Lane) }

// Citation returns the citation as plain text.
func (e *Exporter) Citation() string {
	link, result, config := e.cited()
	papers, _ := files.Papers(e.page.Schema, config)
	return files.Citation(link, result, papers)
}

// pageLink returns the full link to what is on screen.
func (e *Exporter) pageLink() string { return e.Home + "?" + e.page.link(e.page.Theme) }

// cited returns what a citation is about: the run on screen, or the sweep if its picture was chosen.
func (e *Exporter) cited() (link, result string, config experiment.Config) {
	if e.picturesSweep() {
		return e.sweepLink(), "", e.page.jobs().SweepView().Sweep.Plan.Base
	}
	return e.pageLink(), e.resultText(), e.page.Config
}

// bibtex returns the citation for BibTeX.
func (e *Exporter) bibtex() string {
	link, result, config := e.cited()
	papers, names := files.Papers(e.page.Schema, config)
	return files.BibTeX(link, result, papers, names)
}

// resultText returns the fingerprint that belongs to the link, "" before the run is complete.
func (e *Exporter) resultText() string {
	if !e.page.Runs.Complete() {
		return ""
	}
	return e.page.Fingerprint()
}

// DocsAddress returns the address of a page of the documentation. The page itself may have the
// address of a short link, /s/ID, or of a file, /index.html.
func (e *Exporter) DocsAddress(file string) string { return e.siteAddress("docs/" + file + ".html") }

// CourseAddress returns the address of the page that makes packages for learning platforms.
func (e *Exporter) CourseAddress() string {
	return e.siteAddress("course/index.html?lang=" + cmp.Or(say.Language(), "en"))
}

// siteAddress returns the address of a file of the site.
func (e *Exporter) siteAddress(file string) string {
	home, _ := path.Split(e.Home)
	if strings.HasSuffix(home, "/s/") {
		home = strings.TrimSuffix(home, "s/")
	}
	return home + file
}

// IsLocal reports whether only this computer can open the page's address.
func (e *Exporter) IsLocal() bool {
	u, err := url.Parse(e.Home)
	if err != nil || u.Scheme == "file" {
		return true
	}
	address, _ := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || strings.HasSuffix(u.Hostname(), ".localhost") || address.IsLoopback()
}

// Exported: the browser has exported a file, or could not copy the text ByHand.
type Exported struct{ Words, ByHand string }

func (m Exported) update(s *State) {
	s.Export.Result, s.Export.CopyText = m.Words, m.ByHand
	s.effects.Redraw(host.Shell)
}

// LinkCopied: the browser has copied the link, or could not copy the text ByHand.
type LinkCopied struct{ ByHand string }

func (m LinkCopied) update(s *State) {
	s.Export.LinkStatus, s.Export.LinkText = "Link copied", m.ByHand
	if m.ByHand != "" {
		s.Export.LinkStatus = ""
	}
	s.effects.Redraw(host.Shell)
}

// EditFrame: the user changes the frame in the builder.
type EditFrame struct{ Builder FrameBuilder }

func (m EditFrame) update(s *State) {
	s.Export.Builder, s.Export.Result = m.Builder, ""
	s.effects.Redraw(host.Shell)
}

// Reset clears the result of the last export when a dialog opens or closes.
func (e *Exporter) Reset() {
	e.Result, e.CopyText, e.Builder.Live = "", "", false
}
