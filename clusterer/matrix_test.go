package clusterer

import (
	"slices"
	"testing"
)

func TestMatrix(t *testing.T) {
	var m Matrix
	m.Reshape(3, 2)
	for i := range m.Data {
		m.Data[i] = float64(i)
	}
	if got, want := m.Row(1), []float64{2, 3}; !slices.Equal(got, want) {
		t.Errorf("Row(1) = %v, want %v", got, want)
	}
	if m.Row(1)[0] = 9; m.Data[2] != 9 {
		t.Error("writing to a row did not write to the matrix")
	}
	if _ = append(m.Row(0), 7); m.Data[2] != 9 {
		t.Error("appending to row 0 wrote to row 1")
	}
	before := &m.Data[0]
	m.Reshape(2, 2)
	m.Reshape(2, 3)
	if len(m.Data) != 6 || &m.Data[0] != before {
		t.Error("Reshape within the capacity moved the data")
	}
	wantPanic(t, "negative", func() { m.Reshape(-1, 2) })
}

// dot's four partial sums must not lose or repeat an element at any length.
func TestDot(t *testing.T) {
	for n := range 20 {
		a, b, want := make([]float64, n), make([]float64, n+3), 0.0
		for i := range a {
			a[i], b[i] = float64(i+1), float64(2*i-5)
			want += a[i] * b[i]
		}
		for i := n; i < len(b); i++ {
			b[i] = 1e9
		}
		if got := dot(a, b); got != want {
			t.Errorf("dot(%v, %v) = %v, want %v", a, b, got, want)
		}
	}
}
