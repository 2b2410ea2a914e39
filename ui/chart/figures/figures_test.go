package figures_test

import (
	"slices"
	"strings"
	"testing"

	"flockscope/ui/chart"
	"flockscope/ui/chart/lane"
	"flockscope/ui/chart/samples"
	"flockscope/ui/testing/charttest"
)

func TestWordsAndTables(t *testing.T) {
	for _, p := range pictures() {
		text := p.figure.Describe(p.view)
		if !strings.HasSuffix(text, ".") || strings.Contains(text, "NaN") || strings.Contains(text, "%!") {
			t.Errorf("%s: Describe = %q", p.name, text)
		}
		head, rows := p.figure.Table(p.view)
		if len(head) == 0 {
			t.Errorf("%s: the table has no head", p.name)
		}
		for _, row := range rows {
			if len(row) != len(head) {
				t.Fatalf("%s: row %v under %v", p.name, row, head)
			}
		}
	}
}

// TestLossesOfClustersToBeFound: a model has a row from its first use on, and the smallest
// loss is one on such a model.
func TestLossesOfClustersToBeFound(t *testing.T) {
	r := charttest.Run(charttest.CFLGP)
	frames := r.Tracks[0].Frames
	for n := range frames {
		f := &frames[n]
		for i := range f.Label { // alias swaps A and B
			f.Label[i] = 1
			if n >= 10 && i >= 8 {
				f.Label[i] = 2
			}
			copy(f.Losses[3*i:], []float32{0.1, 0.25, 0.5}) // least on a model that nobody ever has
		}
	}
	for _, tt := range []struct {
		round int
		finds bool
		rows  int
		want  string
	}{
		{14, false, 3, "Losses, round 14, CFL-GP: 12 clients on 3 models, from 0.100 to 0.500. 12 clients do not have the model with their smallest loss."},
		{9, true, 1, "Losses, round 9, CFL-GP: 12 clients on 1 model, from 0.250 to 0.250."},
		{14, true, 2, "Losses, round 14, CFL-GP: 12 clients on 2 models, from 0.250 to 0.500. 4 clients do not have the model with their smallest loss."},
	} {
		g, v := lane.Losses{}, charttest.View(r, 0, tt.round)
		v.FindsClusters = func(id string) bool { return tt.finds && id == "cflgp" }
		charttest.Describes(t, &g, v, tt.want)
		if head, _ := g.Table(v); len(head) != 3+tt.rows {
			t.Errorf("round %d, finds %t: the table has the columns %q, want %d models", tt.round, tt.finds, head,
				tt.rows)
		}
		for _, figure := range []chart.Figure{&samples.Plane{}, &lane.Models{}} {
			_, lines := figure.Table(v)
			lines = slices.DeleteFunc(lines, func(row []string) bool { return strings.HasPrefix(row[0], "group ") })
			if got := figure.Describe(v); len(lines) != tt.rows || strings.Contains(got, "unused") == tt.finds {
				t.Errorf("round %d, finds %t: %T has the rows %q and says %q, want %d models", tt.round, tt.finds,
					figure, lines, got, tt.rows)
			}
		}
	}
}
