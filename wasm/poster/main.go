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
	"flockscope/ui/chart/clientmap"
)

//go:generate go run . -out ../../assets

// headingText is the heading.
const headingText = "Twelve clients of three kinds keep their data private. Which of them should train together?"

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

// The layout, in CSS pixels: a heading, and the lanes' maps side by side, or one below
// the other for telephones.
const (
	width, height = 960, 430
	top           = 84
	panel         = 440
	gutter        = 30

	tallWidth   = panel + 12
	tallHeading = 28 // the second line of the heading
	tallPanel   = height - top + 14 + 12
)

// laneBox is the size of a lane's map.
var laneBox = chart.Box{W: panel - 12, H: height - top - 22}

func draw(path string, run *trace.Run, round int, theme scene.Theme, tall bool) error {
	var l scene.List
	words := func(x, y, size float32, bold bool, colour scene.Colour, text string) {
		l.Text(x, y, scene.Font{Size: size, Bold: bold, Colour: colour}, text)
	}
	w, h, left, description := float32(width), float32(height), float32(gutter), ""
	if tall {
		keep, which, _ := strings.Cut(headingText, ". ")
		left, w, h = 6, tallWidth, top-30+tallHeading+float32(len(run.Header.Lanes)*tallPanel)
		words(left+8, 28, 20, true, scene.Ink, "Flockscope")
		words(left+8, 50, 14, false, scene.Quiet, keep+".")
		words(left+8, 70, 14, false, scene.Quiet, which)
	} else {
		words(left, 34, 20, true, scene.Ink, "Flockscope")
		words(left+130, 34, 14, false, scene.Quiet, headingText)
	}
	for i := range run.Header.Lanes {
		x, y := left+float32(i*(panel+gutter-10)), float32(top)
		if tall {
			x, y = left, float32(top+tallHeading+i*tallPanel)
		}
		v := chart.View{Run: run, Lane: i, Round: round, Selected: chart.NoClient, Hover: chart.NoClient,
			ReducedMotion: true, Names: new(chart.Names)}
		m := &run.Tracks[i].Frames[round].Metrics
		l.Rect(x, y-30, panel, height-top+14, scene.Nothing, scene.Pen{Colour: scene.Line, Width: 1})
		words(x+14, y-8, 15, true, scene.Ink, run.Header.Lanes[i].Title)
		l.Text(x+panel-14, y-8, scene.Font{Size: 14, Bold: true, Anchor: scene.End, Colour: scene.Ink},
			fmt.Sprintf("ARI %s · %d wrong", chart.Fixed(m.ARI, 2), m.Misplaced))
		var figure clientmap.Map
		l.Origin(x+6, y)
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
	return scene.SVG(f, &l, theme, w, h, title, description)
}
