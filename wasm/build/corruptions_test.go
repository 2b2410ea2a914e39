package main

import (
	"bytes"
	"image"
	"image/png"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/ui/guide"
)

// Each corruption has a row that begins with the same clean picture and ends with one that differs from it. Neither a
// first visit nor the service worker loads the sheets.
func TestCorruptionSheets(t *testing.T) {
	site := files{"index.html": nil, "assets/boot.js": nil, "assets/engine.js": nil}
	if err := addCorruptions(site); err != nil {
		t.Fatal(err)
	}
	field, _ := catalog.Schema().Field("corrupt")
	rows := len(guide.Corruptions(field))
	if rows < 22 {
		t.Errorf("there are %d corruptions, want 22 at least", rows)
	}
	for _, colour := range []bool{true, false} {
		name, side := guide.CorruptionSheet(colour), 28
		if colour {
			side = 32
		}
		sheet, err := png.Decode(bytes.NewReader(site[name]))
		if err != nil {
			t.Fatal(err)
		}
		if want := image.Rect(0, 0, 6*side, rows*side); sheet.Bounds() != want {
			t.Fatalf("%s has the size %v, want %v", name, sheet.Bounds(), want)
		}
		for row := range rows {
			worst, first := 0, 0
			for i := range side * side {
				x, y := i%side, row*side+i/side
				if sheet.At(x, y) != sheet.At(x, i/side) {
					first++
				}
				if sheet.At(x, y) != sheet.At(5*side+x, y) {
					worst++
				}
			}
			if first > 0 || worst < side {
				t.Errorf("row %d of %s: %d pixels of the clean picture differ from those of row 0; severity 5 changes %d", row,
					name, first, worst)
			}
		}
		if len(site[name]) > 260_000 {
			t.Errorf("%s has %d bytes", name, len(site[name]))
		}
	}
	if err := addWorker(site); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(site[workerFile], []byte("corruptions")) {
		t.Error("the service worker caches pictures of corruptions")
	}
}
