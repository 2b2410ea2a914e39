package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/andybalholm/brotli"

	"flockscope/sim/draw/scene"
	"flockscope/ui/chart"
)

// The recording is what the engine computes today, and small.
func TestRecordingIsOfThisEngine(t *testing.T) {
	run, round, err := opening()
	if err != nil {
		t.Fatal(err)
	}
	got, err := record(run, round, laneBox)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../../assets/first-run.bin")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("assets/first-run.bin is of another engine; run go generate ./wasm/poster")
	}
	var small bytes.Buffer
	w := brotli.NewWriterLevel(&small, brotli.BestCompression)
	w.Write(want)
	w.Close()
	if small.Len() > 25<<10 {
		t.Errorf("the recording has %d bytes with brotli, want at most 25 KB", small.Len())
	}
	if script, err := os.ReadFile("../../assets/first.js"); err != nil || len(script) > 8<<10 {
		t.Errorf("the player has %d bytes (%v), want at most 8 KB", len(script), err)
	}
}

// What a player reads from the recording is what the figures draw, to half a
// pixel.
func TestRecordingIsWhatIsDrawn(t *testing.T) {
	run, round, err := opening()
	if err != nil {
		t.Fatal(err)
	}
	bytes, err := record(run, round, laneBox)
	if err != nil {
		t.Fatal(err)
	}
	size := int(binary.LittleEndian.Uint16(bytes))
	var h head
	if err := json.Unmarshal(bytes[2:2+size], &h); err != nil {
		t.Fatal(err)
	}
	if h.Rest != round {
		t.Errorf("the player rests at round %d, want %d", h.Rest, round)
	}
	rest := bytes[2+size:]
	rounds, clients := h.Rounds+1, len(h.Shapes)
	row := func() []byte { r := rest[:rounds]; rest = rest[rounds:]; return r }
	series := func() []float64 {
		out := make([]float64, rounds)
		for t := range out {
			step := rest[0]
			rest = rest[1:]
			if step == 0 {
				out[t] = float64(binary.LittleEndian.Uint16(rest))
				rest = rest[2:]
			} else {
				out[t] = out[t-1] + float64(step) - 128
			}
		}
		return out
	}
	for lane := range h.Lanes {
		ari, wrong := row(), row()
		labels := make([][]byte, clients)
		for i := range labels {
			labels[i] = row()
		}
		places := [2][][]float64{}
		for axis := range places {
			for range clients {
				places[axis] = append(places[axis], series())
			}
		}
		figure := newFigure()
		var names chart.Names
		for round := range rounds {
			v := chart.View{Run: run, Lane: lane, Round: round, Selected: chart.NoClient, Hover: chart.NoClient,
				ReducedMotion: true, Names: &names}
			var hits chart.Hits
			figure.Draw(new(scene.List), &hits, &v, laneBox)
			f := &run.Tracks[lane].Frames[round]
			misplaced := int(wrong[round])
			if misplaced != f.Misplaced && (misplaced != 0 || round == h.Rest) { // 0 where nobody can be misplaced
				t.Fatalf("lane %d, round %d: %d wrong, want %d or none", lane, round, misplaced, f.Misplaced)
			}
			if math.Abs(float64(ari[round])/100-1-f.ARI) > 0.0051 {
				t.Fatalf("lane %d, round %d: ARI %d, want %v", lane, round, ari[round], f.ARI)
			}
			hollow := 0
			for i, hit := range hits {
				x, y := places[0][i][round]/2, places[1][i][round]/2
				if math.Abs(x-float64(hit.X)) > 0.26 || math.Abs(y-float64(hit.Y)) > 0.26 {
					t.Fatalf("lane %d, round %d, client %d is at %v, %v, want %v, %v", lane, round, i, x, y,
						hit.X, hit.Y)
				}
				if place := int(labels[i][round] & 127); place != v.AliasOf(int(f.Label[i])) {
					t.Fatalf("lane %d, round %d, client %d has colour %d", lane, round, i, place)
				}
				hollow += int(labels[i][round] >> 7)
			}
			if hollow != misplaced {
				t.Fatalf("lane %d, round %d: %d marks are hollow, want %d", lane, round, hollow, misplaced)
			}
		}
	}
	if len(rest) != 0 {
		t.Errorf("%d bytes are left over", len(rest))
	}
}
