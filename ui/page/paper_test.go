package page_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"math"
	"os/exec"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/draw/scene"
	"flockscope/sim/engine"
	"flockscope/sim/lab/sweep"
	"flockscope/ui/chart"
	"flockscope/ui/chart/figures"
	"flockscope/ui/jobs"
	. "flockscope/ui/page"
)

// paperQueries together have every kind of exportable figure.
var paperQueries = []string{
	"t=14&T=20", "algos=clove,local,fedem,cfl&T=20&t=12", "algos=ifca&K=2&T=8&t=3&curve=loss", "algos=ifca,cflgp,clove&C=40&D=8&T=8&t=5&map=3d",
	"data=digits&n=240&C=6&every=1&algos=cflgp,fedsoft&T=4&t=3&curve=loss", "data=digits&n=240&C=6&every=1&algos=ifca&net=autoencoder&T=2&t=2",
	"theme=dark&algos=fedavg,ifca&T=8&t=4",
}

// recorded returns a page with a run of a real engine.
func recorded(t *testing.T, query string) *State {
	t.Helper()
	a := New(catalog.Schema(), query)
	if notices := a.AllNotices(); len(notices) > 0 {
		t.Fatalf("%s: %v", query, notices)
	}
	run, err := engine.Record(context.Background(), a.Config, nil)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	a.Run = run
	return a
}

// sweepOn adds a sweep to a page.
func sweepOn(t *testing.T, a *State, axes ...sweep.Axis) {
	t.Helper()
	plan, err := sweep.New(a.Config, axes, 3)
	if err != nil {
		t.Fatal(err)
	}
	table := sweep.NewTable(plan)
	for cell := range plan.Cells() {
		for seed := range 3 {
			run := &sweep.Run{HasTruth: true}
			for i := range a.Config.Lanes() {
				run.Lanes = append(run.Lanes, sweep.Outcome{ARI: 1 / float64(1+cell+seed*i)})
				if cell == 0 && seed == 0 {
					a.Jobs.Sweep.Titles = append(a.Jobs.Sweep.Titles, a.Title(i))
				}
			}
			table.Put(plan.Job(cell, seed), run)
		}
	}
	a.Jobs.Sweep.Batch = &jobs.Batch{Table: table}
}

// sheet is a picture of a page as the browser makes it.
type sheet struct {
	where  string
	app    *State
	of     Picture
	size   string
	facts  map[string]any
	figure []ExportedFigure // in it
	lists  [][]byte         // of the figures
	boxes  []chart.Box
	drawing
}

// drawing is the output of assets/paper.js.
type drawing struct {
	Width, Height, Pixels float64
	SVG                   string
}

// lay runs assets/paper.js under node.
func lay(t *testing.T, sheets []*sheet) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	type figure struct {
		Bytes  []byte `json:"bytes"`
		Across string `json:"across"`
		Up     string `json:"up"`
		Words  string `json:"words"`
	}
	type job struct {
		Page  map[string]any `json:"page"`
		Drawn []figure       `json:"drawn,omitempty"`
	}
	run := func(jobs []job, out any) {
		in, err := json.Marshal(jobs)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(node, "testdata/paper.js", "../../assets", "../../sim/draw/scene/glyphs/glyphs.txt")
		var errs bytes.Buffer
		cmd.Stdin, cmd.Stderr = bytes.NewReader(in), &errs
		answer, err := cmd.Output()
		if err == nil {
			err = json.Unmarshal(answer, out)
		}
		if err != nil {
			t.Fatalf("node: %v\n%s", err, &errs)
		}
	}
	var asked []struct{ Calls [][]any }
	jobs := make([]job, len(sheets))
	for i, s := range sheets {
		jobs[i].Page = s.facts
	}
	run(jobs, &asked)
	for i, s := range sheets {
		for _, call := range asked[i].Calls {
			box := chart.Box{W: float32(call[2].(float64)), H: float32(call[3].(float64))}
			var list scene.List
			at := chart.FigureID{Kind: call[0].(string), Lane: int(call[1].(float64))}
			drawn := NewPainter(s.app).DrawForExport(at, box, 17,
				&list, chart.ExportStyle{On: true, Playhead: call[4].(bool), Hints: call[5].(bool)})
			for _, title := range []string{drawn.XTitle, drawn.YTitle} {
				if title != "" {
					box.H -= 17
				}
			}
			s.figure, s.lists, s.boxes = append(s.figure, drawn), append(s.lists,
				bytes.Clone(list.Bytes())), append(s.boxes, box)
			jobs[i].Drawn = append(jobs[i].Drawn, figure{list.Bytes(), drawn.XTitle, drawn.YTitle, drawn.Description})
		}
	}
	var made []drawing
	run(jobs, &made)
	for i, s := range sheets {
		s.drawing = made[i]
	}
}

// choose returns the sheet of a picture of a page, with options.
func choose(a *State, p Picture, options ...string) *sheet {
	for _, o := range options {
		a.Update(0, ChoosePicture{Value: o})
	}
	return &sheet{where: fmt.Sprint(a.Config, " ", p.Title, " ", options), app: a, of: p, size: options[0],
		facts: a.Export.Paper(p)}
}

// Every picture, in every size, is valid, needs no font, has the right width, stays within its
// edges, and names its axes.
func TestPaper(t *testing.T) {
	kinds := map[string]bool{"gallery": true} // in the place of data
	var sheets []*sheet
	for n, query := range paperQueries {
		a := recorded(t, query)
		angles := sweep.Axis{Key: "dphi", Values: []string{"5", "10", "20"}}
		switch n {
		case 0:
			sweepOn(t, a, angles)
		case 1:
			sweepOn(t, a, angles, sweep.Axis{Key: "b", Values: []string{"2", "4"}})
		}
		for _, size := range ExportChoices[0].Options {
			for _, p := range a.Export.Pictures() {
				kinds[p.Kind] = true
				sheets = append(sheets, choose(a, p, size[0], "caption"))
				if size[0] == "slide" {
					sheets = append(sheets, choose(a, p, size[0], "figure"))
				}
			}
		}
	}
	for _, k := range figures.Kinds() {
		if (k.Of != chart.NoTab || k.Name == "sweep" || k.Name == "heat") && !kinds[k.Name] {
			t.Errorf("no run here has the figure %s", k.Name)
		}
	}
	lay(t, sheets)
	for _, s := range sheets {
		onPaper(t, s)
	}
}

var millimetres = map[string]float64{"one": 85, "two": 180, "slide": 338.67}

// glyphPath matches a text as outlines.
var glyphPath = regexp.MustCompile(`<path transform="translate\(([-\d.]+) ([-\d.]+)\) scale\(([\d.]+)\)" d="M0 0([^"]*)"`)

// onPaper checks one picture.
func onPaper(t *testing.T, s *sheet) {
	t.Helper()
	var root struct {
		Width  string `xml:"width,attr"`
		Height string `xml:"height,attr"`
		Title  string `xml:"title"`
		Desc   string `xml:"desc"`
	}
	if err := xml.Unmarshal([]byte(s.SVG), &root); err != nil {
		t.Fatalf("%s: %v", s.where, err)
	}
	for _, outside := range []string{"<text", "font-family", "@font-face", "@import", "<style", "<script", "http://",
		"https://", "NaN", "undefined"} {
		if body := strings.Replace(s.SVG, `xmlns="http://www.w3.org/2000/svg"`, "", 1); strings.Contains(body,
			outside) {
			t.Errorf("%s: the picture has %q", s.where, outside)
		}
	}
	wide, unit := millimetres[s.size], "mm"
	if wide == 0 {
		wide, unit = float64(s.of.Box().W), ""
	}
	if got, err := strconv.ParseFloat(strings.TrimSuffix(root.Width, unit), 64); err != nil ||
		math.Abs(got-wide) > 0.01 {
		t.Errorf("%s: it is %s wide, want %v%s", s.where, root.Width, wide, unit)
	}
	switch s.size {
	case "slide":
		if math.Abs(s.Width/s.Height-16./9) > 0.001 || s.Pixels != 1920 {
			t.Errorf("%s: the slide is %v × %v, with %v pixels", s.where, s.Width, s.Height, s.Pixels)
		}
	case "one", "two":
		if math.Abs(s.Pixels-wide/25.4*300) > 0.01 {
			t.Errorf("%s: a PNG has %v pixels, want 300 dpi", s.where, s.Pixels)
		}
	}
	for i, list := range s.lists {
		w, h := s.boxes[i].W, s.boxes[i].H
		if err := scene.Walk(list, func(op *scene.Op) {
			x0, y0, x1, y1, _ := op.Extent()
			if op.Kind() == "text" && (x0 < -0.6 || y0 < -0.6 || x1 > w+0.6 || y1 > h+0.6) {
				t.Errorf("%s: %q reaches from (%.1f, %.1f) to (%.1f, %.1f) of %.1f × %.1f", s.where, op.Text, x0, y0,
					x1, y1, w, h)
			}
			for _, hint := range []string{"Near = similar losses.", "Size of a cloud", "zoomed", "Drag"} {
				if strings.Contains(op.Text, hint) {
					t.Errorf("%s: the picture says how to read it: %q", s.where, op.Text)
				}
			}
		}); err != nil {
			t.Fatal(err)
		}
		if s.figure[i].Description == "" || !strings.Contains(root.Desc, strings.TrimSpace(s.figure[i].Description)) {
			t.Errorf("%s: the description is %q, without %q", s.where, root.Desc, s.figure[i].Description)
		}
	}
	if !strings.Contains(root.Desc, "Data: ") || !strings.Contains(root.Title, s.of.Title) ||
		len(glyphPath.FindAllString(s.SVG, -1)) < 2 {
		t.Errorf("%s: the title is %q, the description %q", s.where, root.Title, root.Desc)
	}
	if s.of.Kind == "all" {
		return
	}
	// The titles of axes, the legend and the caption are around the figure, within the edges.
	for _, m := range glyphPath.FindAllStringSubmatch(s.SVG, -1) {
		x, _ := strconv.ParseFloat(m[1], 64)
		y, _ := strconv.ParseFloat(m[2], 64)
		if x < 0 || x > s.Width || y < 0 || y > s.Height {
			t.Errorf("%s: a text stands at (%v, %v) of %v × %v", s.where, x, y, s.Width, s.Height)
		}
	}
}

// Every figure names its axes, unless it has none or draws the names itself.
func TestAxisTitles(t *testing.T) {
	titles := map[string]string{}
	for _, query := range paperQueries {
		a := recorded(t, query)
		for _, p := range a.Export.Pictures() {
			if figure := NewPainter(a).Figure(p.Kind, p.Lane); figure != nil {
				v := a.View(p.Lane)
				across, up := chart.AxisTitles(figure, &v)
				titles[reflect.TypeOf(figure).Elem().Name()+" "+across+"|"+up] = query
			}
		}
	}
	for _, want := range []string{"Curves Round|ARI", "Curves Round|Mean squared error", "Curves Round|Cross-entropy",
		"Plane Input|Output",
		"Map Near = similar updates (no unit)|", "Map Near = similar losses (no unit)|", "Map |", "Losses Clients, by group|Model",
		"Tree Round|Clients", "Flow |Clients", "Spectrum Direction|Singular value", "Weights Clients, by group|Weight of each model", "Rebuilt Model|Client", "Answers |Class", "Models |", "Gallery |"} {
		if titles[want] == "" {
			t.Errorf("no figure has the titles %s, only %q", want, titles)
		}
	}
}

// bytesOf returns the display lists of a picture's figures.
func bytesOf(t *testing.T, a *State, kind string, with string) []byte {
	t.Helper()
	p, ok := a.Export.Picture(kind, 0)
	if !ok {
		t.Fatalf("there is no figure %s", kind)
	}
	s := choose(a, p, "two", with)
	lay(t, []*sheet{s})
	return slices.Concat(s.lists...)
}

// Curves do not depend on the shown round unless the option for a playhead is on; a map explains
// itself if the option for help is on.
func TestPaperOptions(t *testing.T) {
	a := recorded(t, "algos=cfl,cflgp&T=20&t=14")
	for _, kind := range []string{"curves", "tree"} {
		a.Round = 14
		before := bytesOf(t, a, kind, "caption")
		a.Round = 3
		if !bytes.Equal(before, bytesOf(t, a, kind, "caption")) {
			t.Errorf("%s: another round, another picture", kind)
		}
		if bytes.Equal(before, bytesOf(t, a, kind, "caption playhead")) {
			t.Errorf("%s: no playhead, though it was asked for", kind)
		}
	}
	if text := []byte("Near = similar "); bytes.Contains(bytesOf(t, a, "map", "caption"), text) ||
		!bytes.Contains(bytesOf(t, a, "map", "caption playhead help"), text) {
		t.Error("the map says how to read it when it should not, or does not when it should")
	}
}

// The combined picture has the maps of all lanes and the curves.
func TestCombinedPicture(t *testing.T) {
	a, _ := ready(t, "algos=cflgp,ifca,clove,fedavg&T=40&t=14")
	p, _ := a.Export.Picture("all", 0)
	s := choose(a.State, p, "two", "caption")
	lay(t, []*sheet{s})
	if len(s.figure) != 5 || s.figure[4].XTitle != "Round" || s.figure[4].YTitle != "ARI" {
		t.Errorf("it has the figures %+v", s.figure)
	}
	if got := fmt.Sprint(s.facts["groups"], s.facts["models"]); got != "[group 1 group 2 group 3] [0 1 2]" {
		t.Errorf("its legend has %s", got)
	}
	if got := s.facts["caption"].(string); !strings.Contains(got, ": plus: model · star: best model of a group · ") {
		t.Errorf("of FedAvg's marks its caption says %q", got)
	}
	b, _ := ready(t, "algos=cflgp")
	if _, ok := b.Export.Picture("all", 0); ok {
		t.Error("one lane has a joint picture")
	}
}

// The LaTeX file is a balanced float, escapes special characters, and has the data, the changed
// settings, seeds, the full link and the fingerprint.
func TestLaTeX(t *testing.T) {
	a, _ := ready(t, "algos=cflgp,ifca&dphi=8&T=40&t=14&sd=3&ifca.K=4")
	a.Export.Home = "https://host/a%20b_c{/"
	p, _ := a.Export.Picture("map", 1)
	titles := map[string]string{
		"Map of IFCA":                "Map of IFCA",
		`100 % of $x_1 & {y}~^#`:     `100 \% of \$x\_1 \& \{y\}\textasciitilde{}\textasciicircum{}\#`,
		`\end{figure}\input{a}`:      `\textbackslash{}end\{figure\}\textbackslash{}input\{a\}`,
		"Δφ = 8° − 3·10⁶ <a> \n%no":  `$\Delta$$\phi$ = 8$^\circ$ $-$ 3$\cdot$10$^6$ $<$a$>$  \%no`,
		"a | b → c ± 1 ≤ ∞ × σ₁ {{{": `a $|$ b $\to$ c $\pm$ 1 $\le$ $\infty$ $\times$ $\sigma$$_1$ \{\{\{`,
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	for title, want := range titles {
		facts := choose(a.State, p, "two", "caption").facts
		facts["caption"] = strings.Replace(facts["caption"].(string), facts["title"].(string), title, 1)
		facts["title"] = title
		in, _ := json.Marshal([]map[string]any{{"format": "tex", "page": facts}})
		cmd := exec.Command(node, "testdata/paper.js", "../../assets", "../../sim/draw/scene/glyphs/glyphs.txt")
		cmd.Stdin = bytes.NewReader(in)
		out, err := cmd.Output()
		var answer []struct{ Text string }
		if err != nil || json.Unmarshal(out, &answer) != nil {
			t.Fatalf("%v: %s", err, out)
		}
		text := answer[0].Text
		for _, part := range []string{"\\begin{figure*}\n", "\\includegraphics[width=\\textwidth]{flockscope-",
			"\\caption[" + want + "]{" + want + ": near: similar $\\cdot$ hollow", "border between models. Round 14 of 40.",
			"Data: Linear regression", `Gap $\Delta$$\phi$: 8$^\circ$`, "; ifca, ", "Data seed: 3; Model seed: 1; Algorithm seed: 1", "Result " + a.Fingerprint() + ". ",
			"\\label{fig:flockscope-", "\\end{figure*}\n", "\\urldef{\\flockscopelink}\\url{https://host/a%20b_c%7B/?data=linreg&dphi=8&T=40&algos=cflgp,ifca&"} {
			if !strings.Contains(text, part) {
				t.Errorf("%q: there is no %q in\n%s", title, part, text)
			}
		}
		if strings.Count(text, `\end{figure`) != 1 || strings.Contains(text, `\input{`) ||
			strings.Contains(text, "Clients C") {
			t.Errorf("%q ends the figure early, or says what is as usual:\n%s", title, text)
		}
		depth := 0
		for i := 0; i < len(text); i++ {
			switch {
			case text[i] == '\\':
				i++
			case text[i] == '{':
				depth++
			case text[i] == '}':
				depth--
			}
			if depth < 0 {
				t.Fatalf("%q closes what is not open:\n%s", title, text)
			}
		}
		if depth != 0 {
			t.Errorf("%q leaves braces open:\n%s", title, text)
		}
	}
}
