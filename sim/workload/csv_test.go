package workload

import (
	"errors"
	"math"
	"slices"
	"testing"

	"flockscope/sim/model"
	"flockscope/sim/rng"

	"flockscope/sim/param"
)

func TestCSVNeedsAFile(t *testing.T) {
	entry, _ := Registry.Lookup("csv")
	if _, err := entry.Make.Make(param.Given{"init": "0.8"}.Values(), nil); !errors.Is(err, ErrNoFile) {
		t.Errorf("Make without a file: %v, want %v", err, ErrNoFile)
	}
}

// TestCSVRiskIsTheMeanOverRows, to rounding.
func TestCSVRiskIsTheMeanOverRows(t *testing.T) {
	const seed = 1
	table := rows(t, seed, 6, 50)
	w := build(t, "csv", &File{Table: table}, "scale=none")
	risks := analytic(t, w)
	for client := range table.Clients {
		for _, params := range [][]float32{{0, 0}, {0.5, -0.25}, {-3, 10}} {
			want := 0.0
			for j, x := range table.X[client] {
				e := float64(table.Y[client][j]) - float64(params[0])*float64(x) - float64(params[1])
				want += e * e
			}
			want /= float64(len(table.X[client]))
			if got := risks.Risk(client, params); !near(got, want, 1e-12*100) {
				t.Errorf("seed %d: Risk(%d, %v) = %v, want %v", seed, client, params, got, want)
			}
		}
		if got := w.Samples(client); got != len(table.X[client]) {
			t.Errorf("Samples(%d) = %d, want its %d rows", client, got, len(table.X[client]))
		}
	}
}

// TestCSVDrawIsWithoutReplacement: a draw of all rows is a shuffle of them, a
// draw of fewer has no row twice, and a draw of more is a draw of all.
func TestCSVDrawIsWithoutReplacement(t *testing.T) {
	table := &Table{Clients: []string{"a", "b"}, X: make([][]float32, 2), Y: make([][]float32, 2)}
	for j := range 37 {
		table.X[0], table.Y[0] = append(table.X[0], float32(j)), append(table.Y[0], float32(100+j))
	}
	table.X[1], table.Y[1] = []float32{5}, []float32{6}
	before := [][]float32{slices.Clone(table.X[0]), slices.Clone(table.Y[0])}
	w := build(t, "csv", &File{Table: table}, "scale=none")
	var s rng.Stream
	var b model.Batch
	for _, n := range []int{1, 2, 10, 36, 37, 38, 1000} {
		for round := range 50 {
			s.Reset(1, rng.Samples, round, 0)
			w.Draw(&b, 0, n, &s)
			if b.N != min(n, 37) || len(b.X) != b.N || len(b.Y) != b.N {
				t.Fatalf("a draw of %d has %d samples (%d, %d), want %d", n, b.N, len(b.X), len(b.Y), min(n, 37))
			}
			seen := map[float32]bool{}
			for j, x := range b.X {
				if seen[x] || b.Y[j] != x+100 {
					t.Fatalf("round %d, a draw of %d: (%v, %v) twice or torn apart", round, n, x, b.Y[j])
				}
				seen[x] = true
			}
		}
	}
	s.Reset(1, rng.Samples, 1, 1)
	if w.Draw(&b, 1, 10, &s); b.N != 1 || b.X[0] != 5 || b.Y[0] != 6 {
		t.Errorf("a draw of 10 from one row = %v, want that row once", b)
	}
	if !slices.Equal(table.X[0], before[0]) || !slices.Equal(table.Y[0], before[1]) {
		t.Error("Draw changed the table")
	}
}

// TestCSVDrawIsFair: every row is as likely as any other at every place of a
// draw, so that the first m of n samples are a fair sample of size m.
func TestCSVDrawIsFair(t *testing.T) {
	const seed, rowsOf, draws = 7, 8, 40_000
	table := &Table{Clients: []string{"a", "b"}, X: make([][]float32, 2), Y: make([][]float32, 2)}
	for j := range rowsOf {
		table.X[0], table.Y[0] = append(table.X[0], float32(j)), append(table.Y[0], 0)
	}
	table.X[1], table.Y[1] = []float32{5}, []float32{6}
	w := build(t, "csv", &File{Table: table}, "scale=none")
	var count [rowsOf][rowsOf]float64 // place, row
	var s rng.Stream
	var b model.Batch
	for round := range draws {
		s.Reset(seed, rng.Samples, round, 0)
		w.Draw(&b, 0, rowsOf, &s)
		for place, x := range b.X {
			count[place][int(x)]++
		}
	}
	expected := float64(draws) / rowsOf
	bound := 5.5 * math.Sqrt(expected*(1-1./rowsOf)) // 64 cells
	for place := range count {
		for row, n := range count[place] {
			if math.Abs(n-expected) > bound {
				t.Errorf("seed %d: row %d came %v times at place %d of %d draws, want %v ± %.0f", seed, row, n, place,
					draws, expected, bound)
			}
		}
	}
}

func TestCSVGroups(t *testing.T) {
	with, without := rows(t, 2, 4, 5), rows(t, 2, 4, 5)
	without.Group, without.Groups = nil, nil
	of, n := build(t, "csv", &File{Table: with}).Groups()
	if n != 2 || !slices.Equal(of, []int{0, 1, 0, 1}) {
		t.Errorf("Groups() = %v, %d, want [0 1 0 1], 2", of, n)
	}
	if of, n := build(t, "csv", &File{Table: without}).Groups(); of != nil || n != 0 {
		t.Errorf("Groups() without a group column = %v, %d, want nil, 0", of, n)
	}
	var s rng.Stream
	if sc := build(t, "csv", &File{Table: without}).DataPreview(&s, 1); sc.Floor >= 0 || len(sc.Truth) != 0 || sc.Fan {
		t.Errorf("Scenery of a file = floor %v, truth %v, fan %v, want unknown, none, false", sc.Floor, sc.Truth,
			sc.Fan)
	}
}

// TestCSVScenery: one point, or all the same, still has a box around it.
func TestCSVScenery(t *testing.T) {
	table := &Table{Clients: []string{"a", "b"}, X: [][]float32{{2}, {2}}, Y: [][]float32{{3}, {3}}}
	var s rng.Stream
	sc := build(t, "csv", &File{Table: table}, "scale=none").DataPreview(&s, 1)
	if !(sc.XMin < 2 && 2 < sc.XMax && sc.YMin < 3 && 3 < sc.YMax) {
		t.Errorf("box x %v to %v, y %v to %v, want (2, 3) inside", sc.XMin, sc.XMax, sc.YMin, sc.YMax)
	}
	if math.IsNaN(float64(sc.Floor)) {
		t.Error("the floor is not a number")
	}
}
