// Command poster draws the picture that the page shows until the program has started, or
// for good where it cannot start: one round of the run that an address without settings
// opens, computed by the engine and drawn by the page's figures. It also records that
// run, see [head].
//
//	go run ./wasm/poster -out assets
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"flockscope/sim/catalog"
	"flockscope/sim/draw/scene"
	"flockscope/sim/engine"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/figures"
)

//go:generate go run . -out ../../assets

// headingText says what the page is, and what the picture shows.
const headingText = "Clustered federated learning with twelve clients of three kinds. Which of them should train together?"

// figureKind is the figure of a lane in the pictures and in the recording.
const figureKind = "map"

func newFigure() chart.Figure {
	kind, ok := figures.KindOf(figureKind)
	if !ok {
		log.Fatalf("there is no figure %q", figureKind)
	}
	return kind.New()
}

func main() {
	log.SetFlags(0)
	out := flag.String("out", "assets", "where the pictures go")
	flag.Parse()
	run, round, err := opening()
	if err != nil {
		log.Fatal(err)
	}
	recording, err := record(run, round, laneBox)
	if err == nil {
		err = os.WriteFile(filepath.Join(*out, "first-run.bin"), recording, 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
	for _, theme := range []scene.Theme{scene.Light, scene.Dark} {
		for name, tall := range map[string]bool{"poster-%s.svg": false, "poster-tall-%s.svg": true} {
			if err := draw(filepath.Join(*out, fmt.Sprintf(name, theme)), run, round, theme, tall); err != nil {
				log.Fatal(err)
			}
		}
	}
}

// opening computes the run of the pictures, and returns the round that the page shows.
func opening() (run *trace.Run, round int, err error) {
	link := catalog.Schema().OpenLink("")
	c, problems := catalog.Schema().ParseLink(link)
	if len(problems) > 0 {
		return nil, 0, problems[0]
	}
	if round, err = strconv.Atoi(link.Page().Get("t")); err != nil {
		return nil, 0, err
	}
	run, err = engine.Record(context.Background(), c, nil)
	return run, round, err
}

// laneBox is the size of a lane's figure, in CSS pixels. The frame around it is wider by frameGap on each side and below,
// and has a line of text above.
var laneBox = chart.Box{W: 428, H: 324}

const (
	frameGap  = 6
	frameLine = 30
)

// A layout says where the parts of a picture are, in CSS pixels. The recording has it as well.
type layout struct {
	W     float32      `json:"w"`
	H     float32      `json:"h"`
	Title [2]float32   `json:"title"`
	Lead  [][2]float32 `json:"lead"`  // the lines of the heading
	Lanes [][2]float32 `json:"lanes"` // upper left corners of the figures
}

// layoutOf returns the layout of a picture of some lanes: side by side, or one below the other for telephones.
func layoutOf(lanes int, tall bool) layout {
	if tall {
		const left, top, each = 2 * frameGap, 112, frameLine + 18
		l := layout{W: laneBox.W + 4*frameGap, Title: [2]float32{14, 28}, Lead: [][2]float32{{14, 50}, {14, 70}}}
		for i := range lanes {
			l.Lanes = append(l.Lanes, [2]float32{left, top + float32(i)*(laneBox.H+each)})
		}
		l.H = top - frameLine + float32(lanes)*(laneBox.H+each)
		return l
	}
	const left, top, gap = 36, 84, 32
	l := layout{W: float32(lanes)*(laneBox.W+gap) + 40, H: laneBox.H + top + 22,
		Title: [2]float32{left - frameGap, 34}, Lead: [][2]float32{{160, 34}}}
	for i := range lanes {
		l.Lanes = append(l.Lanes, [2]float32{left + float32(i)*(laneBox.W+gap), top})
	}
	return l
}

func draw(path string, run *trace.Run, round int, theme scene.Theme, tall bool) error {
	var l scene.List
	words := func(at [2]float32, size float32, bold bool, colour scene.Colour, text string) {
		l.Text(at[0], at[1], scene.Font{Size: size, Bold: bold, Colour: colour}, text)
	}
	places, lead, description := layoutOf(len(run.Header.Lanes), tall), []string{headingText}, ""
	if tall {
		first, second, _ := strings.Cut(headingText, ". ")
		lead = []string{first + ".", second}
	}
	words(places.Title, 20, true, scene.Ink, "Flockscope")
	for i, line := range lead {
		words(places.Lead[i], 14, false, scene.Quiet, line)
	}
	for i := range run.Header.Lanes {
		x, y := places.Lanes[i][0], places.Lanes[i][1]
		v := chart.View{Run: run, Lane: i, Round: round, Selected: chart.NoClient, Hover: chart.NoClient,
			ReducedMotion: true}
		m := &run.Tracks[i].Frames[round].Metrics
		l.Rect(x-frameGap, y-frameLine, laneBox.W+2*frameGap, laneBox.H+frameLine+frameGap, scene.Nothing,
			scene.Pen{Colour: scene.Line, Width: 1})
		words([2]float32{x + 8, y - 8}, 15, true, scene.Ink, run.Header.Lanes[i].Title)
		l.Text(x+laneBox.W-8, y-8, scene.Font{Size: 14, Bold: true, Anchor: scene.End, Colour: scene.Ink},
			fmt.Sprintf("ARI %s · %d misplaced", chart.Fixed(m.ARI, 2), m.Misplaced))
		figure := newFigure()
		l.Origin(x, y)
		figure.Draw(&l, nil, &v, laneBox)
		l.Origin(0, 0)
		description += figure.Describe(&v) + " "
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	title := fmt.Sprintf("Flockscope, round %d of the first run", round)
	return scene.SVG(f, &l, theme, places.W, places.H, title, description)
}
