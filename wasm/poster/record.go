package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"

	"flockscope/sim/draw/scene"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
)

// A recording is the first run in a compact form, for a player that works before the
// program has started (assets/first.js). Its bytes are
//
//	length of the head (2 bytes, the low one first), the head as JSON
//	for each lane, each with one value for every round from 0 on:
//	  ARI, in hundredths, plus 100, since it can be negative (1 byte); number of misplaced clients (1 byte)
//	  of each client, its model's place in the palette, plus 128 when it is
//	  misplaced (1 byte)
//	  of each client its x, then of each client its y, in half pixels of the
//	  lane's box: a byte of 128 plus the step from the round before, or 0 and
//	  the value itself (2 bytes)
type head struct {
	Rounds int        `json:"rounds"`
	Words  string     `json:"words"`  // heading
	Lanes  []string   `json:"lanes"`  // titles of the lanes
	Shapes []string   `json:"shapes"` // shape of each client: a path around (0, 0), "" for a circle
	Light  []string   `json:"light"`  // colours of the models, by theme
	Dark   []string   `json:"dark"`
	Box    [2]float32 `json:"box"` // size of a lane's box, in pixels
	Radius float32    `json:"radius"`
	Rest   int        `json:"rest"` // the round shown when the page is at rest
	Wide   layout     `json:"wide"` // where everything is, as in the posters
	Tall   layout     `json:"tall"`
}

// record returns the recording of a run, drawn into boxes of one size.
func record(run *trace.Run, rest int, box chart.Box) ([]byte, error) {
	h := head{Rounds: run.Header.Rounds, Rest: rest, Words: headingText, Box: [2]float32{box.W, box.H}, Radius: 6,
		Wide: layoutOf(len(run.Header.Lanes), false), Tall: layoutOf(len(run.Header.Lanes), true)}
	models := 0
	for i := range run.Header.Lanes {
		h.Lanes = append(h.Lanes, run.Header.Lanes[i].Title)
		models = max(models, run.Header.Lanes[i].Models)
	}
	for k := range models {
		h.Light = append(h.Light, scene.Light.Hex(scene.Cluster(k)))
		h.Dark = append(h.Dark, scene.Dark.Hex(scene.Cluster(k)))
	}
	for i := range run.Header.Clients {
		v := chart.View{Run: run}
		h.Shapes = append(h.Shapes, path(v.Shape(i).Outline(), h.Radius))
	}
	text, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	out := binary.LittleEndian.AppendUint16(nil, uint16(len(text)))
	out = append(out, text...)
	for lane := range run.Header.Lanes {
		out = appendLane(out, run, lane, box)
	}
	return out, nil
}

func appendLane(out []byte, run *trace.Run, lane int, box chart.Box) []byte {
	frames, clients := run.Tracks[lane].Frames, run.Header.Clients
	labels, xs, ys := make([][]byte, clients), make([]coordinateSteps, clients), make([]coordinateSteps, clients)
	var ari, wrong []byte
	var names chart.Names
	figure := newFigure()
	var match chart.Matching
	for t := range frames {
		v := chart.View{Run: run, Lane: lane, Round: t, Selected: chart.NoClient, Hover: chart.NoClient,
			ReducedMotion: true, Names: &names}
		var l scene.List
		var hits chart.Hits
		figure.Draw(&l, &hits, &v, box)
		ari = append(ari, byte(100+math.Round(100*frames[t].ARI)))
		match.Find(&v, &frames[t])
		hollow := byte(0)
		for _, hit := range hits {
			i := hit.Client
			label := byte(v.AliasOf(int(frames[t].Label[i])))
			if match.Misplaced(&v, i, chart.ModelOf(&frames[t], i)) {
				label |= 128
				hollow++
			}
			labels[i] = append(labels[i], label)
			xs[i].add(hit.X)
			ys[i].add(hit.Y)
		}
		wrong = append(wrong, hollow)
	}
	out = append(append(out, ari...), wrong...)
	for _, l := range labels {
		out = append(out, l...)
	}
	for _, s := range [][]coordinateSteps{xs, ys} {
		for i := range s {
			out = append(out, s[i].bytes...)
		}
	}
	return out
}

// coordinateSteps are the bytes of one coordinate of one client over the rounds.
type coordinateSteps struct {
	last  int
	begun bool
	bytes []byte
}

func (s *coordinateSteps) add(pixels float32) {
	v := int(math.Round(2 * float64(pixels)))
	if step := v - s.last; s.begun && step > -128 && step < 128 {
		s.bytes = append(s.bytes, byte(128+step))
	} else {
		s.bytes = binary.LittleEndian.AppendUint16(append(s.bytes, 0), uint16(v))
	}
	s.last, s.begun = v, true
}

// path formats corners as the data of an SVG path.
func path(corners []float32, radius float32) string {
	text := ""
	for i := 0; i+1 < len(corners); i += 2 {
		text += fmt.Sprintf("%c%.1f %.1f", "ML"[min(i, 1)], corners[i]*radius, corners[i+1]*radius)
	}
	if text != "" {
		text += "Z"
	}
	return text
}
