package shell

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/param"
	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/ui/chart"
	"flockscope/ui/page"
	"flockscope/ui/testing/pagetest"
)

var tag = regexp.MustCompile(`<[^>]*>`)

// text is what a person reads of HTML.
func text(html string) string {
	return strings.Join(strings.Fields(tag.ReplaceAllString(html, " ")), " ")
}

// The page in words, from first to last.
func TestPage(t *testing.T) {
	a, _ := ready(t, "t=14")
	html := rendered(t, a)
	rest := text(html)
	for _, want := range []string{
		"Flockscope", "Lecture", "Lessons", "Copy link", "Round 14", "CFL-GP", "IFCA", // to be printed and heard
		"Data", "Linear regression", "Synthetic digits (like MNIST)", "The samples of each group lie along a line", "Open files…", "Gap Δφ °", "Clients C", "Batch b", "Probe size",
		"Models", "Start range", "New seeds", "+ Advanced", "Nothing you enter leaves this page.",
		"the models of CFL-GP. Drag the ring.", "Gap Δφ °", "Batch b", "Clients C",
		"shape: true group colour: model hollow: misplaced", "More settings New samples", "Result ",
		"Watch this round 1 Broadcast 2 Probe 3 Embed 4 Cluster 5 Match 6 Update How exactly",
		"Map Data Losses Flow", "Curves",
		"FedAvg", "client 1 has A", "Losses Flow Spectrum Tree Models 3-D Table Legend", "FedAvg", "client 1 has A", "Losses",
		"round 14 / 200", "0.25×", "4×", "ARI misplaced loss cost", "+ method",
	} {
		_, after, ok := strings.Cut(rest, want)
		if !ok {
			t.Fatalf("the page has no %q in what is left of it: %.200s…", want, rest)
		}
		rest = after
	}
	for _, want := range []string{`<option value="cflgp" .selected="true">`, `.value="20"`, `aria-label="Play (Space)"`,
		`class="card lane focus"`, `max="200"`} {
		if !strings.Contains(html, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	a.Do(page.TogglePlay{})
	a.Advanced = true
	a.SettingsLane = 0
	a.Export.LinkText = "https://host/?x"
	html = rendered(t, a)
	for _, want := range []string{`aria-label="Pause (Space)"`, "− Advanced", "Groups D", "Noise σ", "Rounds T",
		"Data seed", "Clustering period P", "Same as the other methods",
		"Stage, playing.", "Copy this link:", `.value="https://host/?x"`} {
		if !strings.Contains(html, want) {
			t.Errorf("playing, with everything open, the page has no %q", want)
		}
	}
}

// Whatever the state, ids are there once, every control has a name, and what
// refers to something refers to something that is there.
func TestPageIsSound(t *testing.T) {
	states := map[string]func() *App{
		"empty":    func() *App { a, _ := open(t, ""); return a },
		"usual":    func() *App { a, _ := ready(t, "t=5"); return a },
		"csv":      func() *App { a, _ := open(t, "data=csv"); return a },
		"mix1d":    func() *App { a, _ := ready(t, "data=mix1d&view=curves"); return a },
		"broken":   func() *App { a, _ := ready(t, "dphi=900&x=1"); a.Do(page.EngineLost{Why: "It stopped."}); return a },
		"one lane": func() *App { a, _ := ready(t, "algos=local"); return a },
		"crowded": func() *App {
			a, _ := ready(t, "algos=cflgp,cflgp:b,clove,ifca&cflgp:b.K=2&sel=3")
			a.Advanced, a.SettingsLane, a.Drawer, a.Export.LinkText = true, 1, true, "x"
			a.Do(page.ChangeSetting{Key: "K", Text: "99", Done: true})
			a.Do(page.ChangeSetting{Key: "cflgp:b.K", Text: "99", Done: true})
			return a
		},
	}
	attribute := func(element, name string) (string, bool) {
		_, rest, ok := strings.Cut(element, " "+name+`="`)
		value, _, _ := strings.Cut(rest, `"`)
		return value, ok
	}
	for name, make := range states {
		html := rendered(t, make())
		ids, labelled := map[string]int{}, map[string]bool{}
		elements := regexp.MustCompile(`<[a-z][^>]*>`).FindAllString(html, -1)
		for _, e := range elements {
			if id, ok := attribute(e, "id"); ok {
				ids[id]++
			}
			if id, ok := attribute(e, "for"); ok {
				labelled[id] = true
			}
		}
		for id, n := range ids {
			if n > 1 {
				t.Errorf("%s: %d elements are called %s", name, n, id)
			}
		}
		for id := range labelled {
			if ids[id] == 0 {
				t.Errorf("%s: a label names %s, which is not there", name, id)
			}
		}
		wrapped := regexp.MustCompile(`(?s)<label[^>]*>.*?</label>`).FindAllString(html, -1)
		for _, e := range elements {
			if id, ok := attribute(e, "aria-describedby"); ok && ids[id] == 0 {
				t.Errorf("%s: %s is described by %s, which is not there", name, e, id)
			}
			kind := strings.FieldsFunc(e, func(r rune) bool { return r == '<' || r == ' ' || r == '>' })[0]
			if !slices.Contains([]string{"input", "select", "canvas"}, kind) {
				continue
			}
			label, _ := attribute(e, "aria-label")
			id, _ := attribute(e, "id")
			hidden, _ := attribute(e, "aria-hidden")
			if label == "" && !labelled[id] && hidden != "true" && !slices.ContainsFunc(wrapped, func(l string) bool {
				return strings.Contains(l, e)
			}) {
				t.Errorf("%s: %s has no name", name, e)
			}
		}
		for _, b := range regexp.MustCompile(`(?s)<button[^>]*>.*?</button>`).FindAllString(html, -1) {
			if label, _ := attribute(b, "aria-label"); label == "" && text(b) == "" {
				t.Errorf("%s: %s has no name", name, b)
			}
		}
	}
}

// Text from links, files and engines is shown as text.
func TestHostileText(t *testing.T) {
	const evil = `<img src=x onerror="alert(1)"><script>alert(2)</script>&lt;`
	a, p := open(t, "data=csv&%3Cimg+src=x")
	p.EditHeader = func(h *trace.Header) {
		h.Query = evil
		for i := range h.Lanes {
			h.Lanes[i].Title, h.Lanes[i].ID = evil, evil
		}
	}
	p.EditSummary = func(_ *trace.Header, _ int, s *trace.Summary) { s.Cause = evil }
	p.Diverge()
	a.Do(page.OpenFiles{Files: []wire.NamedFile{{Name: evil + ".csv", Data: []byte("x")}}})
	p.SendText(pagetest.AboutFiles, wire.Accepted, "csv "+evil)
	p.Finish()
	a.Do(page.OpenFiles{Files: []wire.NamedFile{{Name: evil + ".csv", Data: []byte("x")}}})
	p.SendText(pagetest.AboutFiles, wire.Refused, evil)
	a.Do(page.Seek{Round: 9})
	a.Do(page.SelectClient{Client: 2})
	a.Advanced, a.Drawer, a.SettingsLane = true, true, 0
	a.Export.LinkText, a.Export.LinkStatus = evil, evil
	a.Do(page.ChangeSetting{Key: "lr", Text: evil, Done: true})
	a.Do(page.ChangeSetting{Key: "cflgp.K", Text: evil, Done: true})
	a.Do(page.EngineLost{Why: evil})
	html := rendered(t, a)
	if strings.Contains(html, "<img") || strings.Contains(html, "<script") {
		i := max(strings.Index(html, "<img"), strings.Index(html, "<script"))
		t.Errorf("a hostile text became markup: …%s…", html[max(0, i-200):i+60])
	}
	if n := strings.Count(html, "&lt;img src=x onerror="); n < 8 {
		t.Errorf("the hostile text is shown %d times, want it wherever it was given", n)
	}
}

// The ring follows the pointer, within the limits of the setting, and the run
// that arrives meanwhile does not push it on.
func TestDragAngle(t *testing.T) {
	box := chart.Box{W: 300, H: 300}
	point := func(degrees, high float64) (x, y float32) { // in the plane of the pretender's runs
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		return float32(10 + (300-32)*cos), float32(290 - 280*(sin+high)/(2*high))
	}
	drag := func(a *App, painter *page.Painter, x, y float32, done bool) {
		if gap, ok := painter.DraggedGap(box, x, y, done); ok {
			a.Do(page.ChangeSetting{Key: "dphi", Text: gap, Done: done})
		}
	}
	for _, tt := range []struct {
		query   string
		degrees float64
		want    string
	}{
		{"", 30, "30"}, {"", 12.3, "12.5"}, {"", 70, "45"}, {"", -20, "0"}, {"D=2", 10, "20"}, {"D=5", 40, "20"}, {"D=8", 88, "25"}, {"D=1", 30, "20"},
	} {
		a, _ := ready(t, tt.query)
		painter := page.NewPainter(a.State)
		x, y := point(tt.degrees, 1)
		drag(a, painter, x, y, true)
		if got := a.Config.Value("dphi"); got != tt.want {
			t.Errorf("%s: dragged to %v°, Δφ = %s, want %s (%s)", tt.query, tt.degrees, got, tt.want,
				a.Settings.Reason("dphi"))
		}
	}

	a, p := ready(t, "")
	painter := page.NewPainter(a.State)
	p.EditHeader = func(h *trace.Header) { h.DataPreview.YMin, h.DataPreview.YMax = -1.3, 1.3 }
	x, y := point(36, 1)
	drag(a, painter, x, y, false)
	p.Finish()
	drag(a, painter, x, y, true) // the pointer has not moved
	if got := a.Config.Value("dphi"); got != "36" {
		t.Errorf("dragged to 36° and let go, Δφ = %s: the plane moved under the pointer", got)
	}
	a.Do(page.Undo{})
	if a.Settings.CanUndo() {
		t.Error("a drag of the ring is more than one step of undo")
	}
}

func TestHints(t *testing.T) {
	a, p := ready(t, "algos=cflgp,ifca")
	if got := a.DataHint(); got != "Points: samples; black: client 1. Dashed: the true lines. Solid: the models of CFL-GP. Drag the ring." {
		t.Errorf("DataHint = %q", got)
	}
	a.Do(page.FocusLane{Lane: 1})
	if got := a.DataHint(); got != "Points: samples; black: client 1. Dashed: the true lines. Solid: the models of IFCA. Drag the ring." {
		t.Errorf("DataHint = %q", got)
	}
	a.Do(page.FocusLane{Lane: 7})
	if a.Lane != 1 {
		t.Errorf("there is a lane %d in focus", a.Lane)
	}
	set(t, a, "data", "mix1d")
	p.Finish()
	if got := a.DataHint(); got != "Points: samples; black: client 1. Dashed: the true lines. Solid: the models of IFCA." {
		t.Errorf("DataHint = %q", got)
	}
	for theme, want := range map[string]string{"": "dark", "dark": "light", "light": page.Projector, page.Projector: ""} {
		a.Theme = theme
		if a.Do(page.NextTheme{}); a.Theme != want {
			t.Errorf("after the theme %q comes %q, want %q", theme, a.Theme, want)
		}
	}
	if got := fmt.Sprint(len(a.Settings.Controls(param.Run, true))); got == "0" {
		t.Error("the run has no advanced settings")
	}
}
