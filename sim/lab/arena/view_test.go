package arena_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/lab/arena"
)

func view(t *testing.T, a *arena.Arena, q arena.Question) *arena.View {
	t.Helper()
	v, err := a.View(q)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The lines of a view say what the page says of the families; all of them together weigh families alike.
func TestView(t *testing.T) {
	a, err := arena.New(madeUp())
	if err != nil {
		t.Fatal(err)
	}
	_, answers := contest(t, madeUp(), arena.Usual)
	for _, unknown := range []bool{false, true} {
		v := view(t, a, arena.Question{Choices: arena.Usual, UnknownK: unknown})
		if len(v.Lines) != len(answers) || v.Together == nil {
			t.Fatalf("%d lines, want %d and one for all", len(v.Lines), len(answers))
		}
		sum := 0.0
		for i, l := range v.Lines {
			want := answers[i].Known
			if unknown {
				want = answers[i].Unknown
			}
			if l.Family != answers[i].Family || l.Pick.Best != want.Best || l.Pick.Gain != want.Gain ||
				!slices.Equal(l.Pick.Close, want.Close) {
				t.Errorf("%s, K unknown %v: %+v, want %+v", l.Family, unknown, l.Pick, want)
			}
			for _, d := range l.Dots {
				lane := v.Methods[d.Method].Lane
				if unknown && lane == "ifca" || lane == "fedavg:oracle" || lane == "fedavg:central" {
					t.Errorf("%s: a dot of %s, K unknown %v", l.Family, lane, unknown)
				}
				if d.Close != slices.Contains(want.Close, d.Method) || d.Runs != seeds*l.Rows || d.Run == nil ||
					math.Abs(d.RunGain-d.Gain.Value) > 0.06 || !strings.Contains(d.Run.Query, "algos="+lane) {
					t.Errorf("%s, %s: %+v", l.Family, lane, d)
				}
				if lane == "cfl" {
					sum += d.Gain.Value
				}
			}
		}
		of := func(lane string) arena.Dot {
			dots := v.Together.Dots
			return dots[slices.IndexFunc(dots, func(d arena.Dot) bool { return v.Methods[d.Method].Lane == lane })]
		}
		if got, want := of("cfl").Gain.Value, sum/float64(len(v.Lines)); math.Abs(got-want) > 1e-12 {
			t.Errorf("cfl gains %v over all families, want the mean of the families, %v", got, want)
		}
	}
}

// A reader can choose rows; what is said of them does not depend on the others.
func TestViewOfChosenRows(t *testing.T) {
	a, err := arena.New(madeUp())
	if err != nil {
		t.Fatal(err)
	}
	whole := view(t, a, arena.Question{Choices: arena.Usual})
	q := arena.Question{Choices: arena.Usual}
	families := map[string]bool{}
	for _, r := range a.RowsWithRuns() {
		families[r.Family] = true
		if r.Family == "turns" {
			q.Rows = append(q.Rows, r.Row)
		}
		if r.About == "" || r.OnFiles {
			t.Errorf("the row %+v: want words on its clients, and no files", r)
		}
	}
	if len(families) != len(whole.Lines) || len(q.Rows) != 2 {
		t.Fatalf("rows of %d families and %d of turns, want %d and 2", len(families), len(q.Rows), len(whole.Lines))
	}
	v := view(t, a, q)
	i := slices.IndexFunc(whole.Lines, func(l *arena.Line) bool { return l.Family == "turns" })
	if len(v.Lines) != 1 || v.Together != nil || v.Lines[0].Pick.Gain != whole.Lines[i].Pick.Gain {
		t.Errorf("turns alone: %+v; among others %+v", v.Lines[0].Pick, whole.Lines[i].Pick)
	}
	q.Rows = q.Rows[1:]
	if v = view(t, a, q); v.Lines[0].Rows != 1 || len(v.Rows) != 1 || v.Rows[0].Row != q.Rows[0] {
		t.Errorf("one row: %+v", v.Rows)
	}
	q.Rows = []int{}
	if _, err := a.View(q); err == nil {
		t.Error("no row, and no error")
	}
}

// A method of another file is known as one that the design does not have.
func TestEntered(t *testing.T) {
	a, err := arena.New(append(slices.Clone(madeUp()), mine("")[:1]...))
	if err != nil {
		t.Fatal(err)
	}
	if got := a.Entered(); len(got) != 1 || !got["ifca:mine"] {
		t.Errorf("entered: %v", got)
	}
}
