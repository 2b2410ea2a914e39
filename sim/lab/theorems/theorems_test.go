package theorems

import (
	"context"
	"math"
	"strings"
	"testing"

	"flockscope/sim/lab/report"
)

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 0.5: "0.500", 12: "12.0", 112.4: "112", 294913: "294913", 1.4e10: "1.4 · 10^10",
		2e-7: "2.0 · 10^-7", math.Inf(1): "none", 0.0123: "0.0123", 99.96: "100.0"} {
		if got := number(v); got != want {
			t.Errorf("number(%v) = %q, want %q", v, got, want)
		}
	}
	if got := median([]float64{3, math.Inf(1), 1}); got != 3 {
		t.Errorf("the median is %v, want 3", got)
	}
}

// TestDocument: tables have the shapes of their heads, numbers of runs link to runs, and what the texts say of the tables
// holds: bounds are vacuous, errors go with 1/√(bC), the printed schedule diverges, equal groups are faster.
func TestDocument(t *testing.T) {
	if testing.Short() {
		t.Skip("plays a hundred runs of up to 2000 rounds")
	}
	b := Book{Seeds: 3}
	runs := 0
	b.Played = func(string) { runs++ }
	d, err := b.Document(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var tables []*report.Table
	for _, p := range d.Parts {
		if p.Table == nil {
			continue
		}
		tables = append(tables, p.Table)
		for _, row := range p.Table.Rows {
			if len(row) != len(p.Table.Head) {
				t.Errorf("%s: row %v under %v", p.Table.Caption, row, p.Table.Head)
			}
		}
	}
	if len(tables) != 10 || runs < 40 {
		t.Fatalf("%d tables from %d runs", len(tables), runs)
	}
	cell := func(table, row, column int) string { return tables[table].Rows[row][column].Text }
	if got := cell(0, 0, 3); len(got) != 3 {
		t.Errorf("the bound in round 7 is %s, want hundreds", got)
	}
	for row, cells := range tables[4].Rows {
		diverges := strings.HasPrefix(cells[6].Text, "3")
		if diverges != (row == 3) {
			t.Errorf("schedule %s: %s runs diverge", cells[0].Text, cells[6].Text)
		}
	}
	if equal, unequal := cell(8, 0, 4), cell(8, 3, 4); equal < unequal {
		t.Errorf("equal groups come to 0.1 in %s, unequal ones in %s", equal, unequal)
	}
	var out strings.Builder
	if err := d.Write(&out, report.HTML, "/"); err != nil || !strings.Contains(out.String(), "<svg") {
		t.Errorf("no picture in HTML: %v", err)
	}
}
