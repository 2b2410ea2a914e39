package clusterer

import (
	"math"
	"slices"
	"testing"
)

// bruteForce returns the lexicographically first assignment of least total. It
// visits assignments in lexicographic order and keeps the first of the best.
func bruteForce(cost *Matrix) (best []int, least float64) {
	least = math.Inf(1)
	taken, current := make([]bool, cost.Cols), make([]int, cost.Rows)
	var visit func(i int, total float64)
	visit = func(i int, total float64) {
		if i == cost.Rows {
			if total < least {
				best, least = slices.Clone(current), total
			}
			return
		}
		for j, c := range cost.Row(i) {
			if !taken[j] {
				taken[j], current[i] = true, j
				visit(i+1, total+c)
				taken[j] = false
			}
		}
	}
	visit(0, 0)
	return best, least
}

// Whole costs from a small range tie often, and their sums are exact, so the
// choice among ties is tested as well as the total.
func TestAssignMatchesBruteForce(t *testing.T) {
	var as Assigner
	for seed := range uint64(1000) {
		r := source(seed)
		rows := r.IntN(7)
		cost := new(Matrix)
		cost.Reshape(rows, rows+r.IntN(8-rows))
		span := 1 + r.IntN(6)
		for i := range cost.Data {
			cost.Data[i] = float64(r.IntN(span) - span/2)
		}
		want, least := bruteForce(cost)
		got := make([]int, rows)
		if total := as.Assign(got, cost); total != least || !slices.Equal(got, want) {
			t.Errorf("seed %d: Assign(%d × %d %v) = %v %v, want %v %v",
				seed, cost.Rows, cost.Cols, cost.Data, got, total, want, least)
		}
	}
}

// With costs in tenths the totals of tied assignments differ in their last bits;
// the choice must not.
func TestAssignTiesOfFractions(t *testing.T) {
	var as Assigner
	for seed := range uint64(1000) {
		r := source(seed)
		tenths, whole := new(Matrix), new(Matrix)
		tenths.Reshape(5, 6)
		whole.Reshape(5, 6)
		for i := range whole.Data {
			whole.Data[i] = float64(r.IntN(4))
			tenths.Data[i] = whole.Data[i] * 0.1
		}
		want, _ := bruteForce(whole)
		got := make([]int, 5)
		if as.Assign(got, tenths); !slices.Equal(got, want) {
			t.Errorf("seed %d: Assign(%v) = %v, want %v", seed, tenths.Data, got, want)
		}
	}
}

// Equal rows can trade columns at no cost, so they hold theirs in order, though
// the prices of such rows may differ in their last bits.
func TestAssignEqualRows(t *testing.T) {
	var as Assigner
	for seed := range uint64(500) {
		r := source(seed)
		cost, dst := gaussian(r, 12, 15), make([]int, 12)
		for i := 1; i < 12; i += 2 {
			copy(cost.Row(i), cost.Row(i-1))
		}
		as.Assign(dst, cost)
		for i := 1; i < 12; i += 2 {
			if dst[i] < dst[i-1] {
				t.Errorf("seed %d: equal rows %d and %d have columns %d and %d", seed, i-1, i, dst[i-1], dst[i])
			}
		}
	}
}

func TestAssignNotFinite(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	tests := []struct {
		name string
		cost Matrix
		want []int
	}{
		{"avoids NaN", Matrix{2, 2, []float64{nan, 5, 1, 9}}, []int{1, 0}},
		{"avoids infinity", Matrix{2, 3, []float64{inf, inf, 7, 0, 1, 2}}, []int{2, 0}},
		{"avoids minus infinity", Matrix{1, 2, []float64{-inf, 3}}, []int{1}},
		{"one row has no other", Matrix{2, 2, []float64{nan, nan, 1, 0}}, []int{0, 1}},
		{"nothing else", Matrix{2, 2, []float64{nan, inf, inf, nan}}, []int{0, 1}},
		{"avoids what overflows", Matrix{2, 2, []float64{1e308, 5, 1, 9}}, []int{1, 0}},
	}
	var as Assigner
	for _, tt := range tests {
		got := make([]int, tt.cost.Rows)
		if as.Assign(got, &tt.cost); !slices.Equal(got, tt.want) {
			t.Errorf("%s: Assign(%v) = %v, want %v", tt.name, tt.cost.Data, got, tt.want)
		}
	}
}

func TestRelabel(t *testing.T) {
	tests := []struct {
		name                   string
		labels, previous, want []int
		k                      int
	}{
		{"empty", []int{}, []int{}, []int{}, 3},
		{"same", []int{0, 1, 2}, []int{0, 1, 2}, []int{0, 1, 2}, 3},
		{"renamed", []int{2, 2, 0, 1}, []int{0, 0, 1, 2}, []int{0, 0, 1, 2}, 3},
		{"majority", []int{0, 0, 0, 1}, []int{1, 1, 0, 0}, []int{1, 1, 1, 0}, 2},
		{"tie goes to the identity", []int{0, 0, 1, 1}, []int{0, 1, 0, 1}, []int{0, 0, 1, 1}, 2},
		{"new ones do not count", []int{0, 0, 0, 1}, []int{1, -1, -1, 0}, []int{1, 1, 1, 0}, 2},
		{"unlabelled stay so", []int{-1, 0, 1}, []int{0, 1, 0}, []int{-1, 1, 0}, 2},
		{"no history", []int{1, 0, 2}, []int{-1, -1, -1}, []int{1, 0, 2}, 3},
		{"unused labels", []int{3, 3, 3}, []int{1, 1, 1}, []int{1, 1, 1}, 4},
	}
	var as Assigner
	for _, tt := range tests {
		got := slices.Clone(tt.labels)
		if as.Relabel(got, tt.previous, tt.k); !slices.Equal(got, tt.want) {
			t.Errorf("%s: Relabel(%v, %v, %d) = %v, want %v", tt.name, tt.labels, tt.previous, tt.k, got, tt.want)
		}
	}
}

// Relabel only renames, undoes any renaming, and keeps previous as it was.
func TestRelabelUndoesRenaming(t *testing.T) {
	var as Assigner
	for seed := range uint64(100) {
		r := source(seed)
		k := 1 + r.IntN(6)
		previous := randomLabels(r, 30, k)
		before := slices.Clone(previous)
		labels := renamed(previous, r.Perm(k))
		if as.Relabel(labels, previous, k); !slices.Equal(labels, previous) {
			t.Errorf("seed %d: Relabel = %v, want %v", seed, labels, previous)
		}
		other := randomLabels(r, 30, k)
		relabelled := slices.Clone(other)
		as.Relabel(relabelled, previous, k)
		if got := AdjustedRand(other, relabelled); got != 1 {
			t.Errorf("seed %d: AdjustedRand(before, after Relabel) = %v, want 1", seed, got)
		}
		if !slices.Equal(previous, before) {
			t.Errorf("seed %d: Relabel changed previous", seed)
		}
	}
}

func TestAssignPanics(t *testing.T) {
	var as Assigner
	wantPanic(t, "rows", func() { as.Assign(make([]int, 3), gaussian(source(1), 3, 2)) })
	wantPanic(t, "dst", func() { as.Assign(make([]int, 1), gaussian(source(1), 2, 2)) })
	wantPanic(t, "lengths", func() { as.Relabel([]int{0}, []int{0, 1}, 2) })
	wantPanic(t, "label", func() { as.Relabel([]int{2}, []int{0}, 2) })
	wantPanic(t, "previous", func() { as.Relabel([]int{0}, []int{2}, 2) })
}

func TestAssignLeavesInput(t *testing.T) {
	cost := gaussian(source(1), 4, 6)
	cost.Data[3] = math.Inf(1)
	before := cost.clone()
	var as Assigner
	as.Assign(make([]int, 4), cost)
	if !cost.equal(before) {
		t.Error("Assign changed its input")
	}
}

func TestNames(t *testing.T) {
	for _, tt := range []struct {
		overlap []float64 // square, by row
		k       int
		want    []uint16
	}{
		{[]float64{0, 5, 0, 5, 0, 0, 0, 0, 1}, 3, []uint16{1, 0, 2}},
		{[]float64{0, 0, 9, 4, 0, 0, 0, 0, 0}, 2, []uint16{1, 0}}, // row 0 has column 2, which is no name
		{[]float64{0, 0, 9, 0, 9, 0, 0, 0, 0}, 2, []uint16{0, 1}},
		{[]float64{0, 0, 0, 0}, 2, []uint16{0, 1}},
		{[]float64{math.NaN(), 1, 1, math.Inf(1)}, 2, []uint16{1, 0}},
	} {
		n := 2
		if len(tt.overlap) == 9 {
			n = 3
		}
		cost := Matrix{Rows: n, Cols: n}
		for _, x := range tt.overlap {
			cost.Data = append(cost.Data, -x)
		}
		var as Assigner
		for range 2 { // its scratch is used again
			got := make([]uint16, tt.k)
			if as.Names(got, &cost); !slices.Equal(got, tt.want) {
				t.Errorf("Names of %v = %v, want %v", tt.overlap, got, tt.want)
			}
		}
	}
}
