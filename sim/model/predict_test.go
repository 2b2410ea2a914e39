package model

import (
	"slices"
	"testing"
)

// TestConfusion: a softmax regression whose logits are its inputs puts a sample
// into the class of its largest input.
func TestConfusion(t *testing.T) {
	n := network(t, "softmax", flat(3), 3)
	params := make([]float32, n.Size())
	for i := range 3 {
		params[4*i] = 1
	}
	tests := []struct {
		name    string
		x, y    []float32
		correct int
		want    []uint16
	}{
		{"nothing", nil, nil, 0, []uint16{0, 0, 0, 0, 0, 0, 0, 0, 0}},
		{"right", []float32{0, 0, 5}, []float32{2}, 1, []uint16{0, 0, 0, 0, 0, 0, 0, 0, 1}},
		{"wrong", []float32{0, 0, 5}, []float32{1}, 0, []uint16{0, 0, 0, 0, 0, 1, 0, 0, 0}},
		{"the first of equals", []float32{-1, 2, 2}, []float32{1}, 1, []uint16{0, 0, 0, 0, 1, 0, 0, 0, 0}},
		{"three", []float32{1, 0, 0, 0, 1, 0, 1, 0, 0}, []float32{0, 1, 1}, 2, []uint16{1, 0, 0, 1, 1, 0, 0, 0, 0}},
	}
	for _, tt := range tests {
		b := Batch{X: tt.x, Y: tt.y, N: len(tt.y)}
		if got := n.Correct(params, b); got != tt.correct {
			t.Errorf("%s: Correct = %v, want %v", tt.name, got, tt.correct)
		}
		got := []uint16{9, 9, 9, 9, 9, 9, 9, 9, 9}
		if n.Confusion(got, params, b); !slices.Equal(got, tt.want) {
			t.Errorf("%s: Confusion = %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestPredictInPieces: a row depends on its sample alone, and the counts of a
// large batch agree with its rows.
func TestPredictInPieces(t *testing.T) {
	const rows = 2*pieceRows + 9
	for _, n := range small(t) {
		params, b := draw(n, 6, rows)
		all, one := make([]float32, rows*n.Outputs()), make([]float32, n.Outputs())
		n.Predict(all, params, b)
		correct := 0
		for i := range rows {
			n.Predict(one, params, b.part(i, i+1))
			if row := all[i*n.Outputs() : (i+1)*n.Outputs()]; !slices.Equal(row, one) {
				t.Fatalf("%s: row %d of %d = %v, want %v as by itself", describe(n), i, rows, row, one)
			}
			if n.Task() == Classification {
				correct += n.Correct(params, b.part(i, i+1))
			}
		}
		if n.Task() != Classification {
			continue
		}
		if got := n.Correct(params, b); got != correct {
			t.Errorf("%s: Correct = %v, want %v", describe(n), got, correct)
		}
		confusion, total := make([]uint16, n.Outputs()*n.Outputs()), 0
		if got, want := n.Confusion(confusion, params, b), n.Loss(params, b); got != want {
			t.Errorf("%s: Confusion returns loss %v, want %v", describe(n), got, want)
		}
		for i, count := range confusion {
			if i%(n.Outputs()+1) == 0 {
				correct -= int(count)
			}
			total += int(count)
		}
		if correct != 0 || total != rows {
			t.Errorf("%s: Confusion counts %d samples, want %d, and its diagonal lacks %d", describe(n), total, rows,
				correct)
		}
	}
}
