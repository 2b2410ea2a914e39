package algorithm

import (
	"math"
	"slices"
	"testing"

	"flockscope/sim/model"
)

// line returns the direction at an angle in the plane.
func line(degrees float64) []float64 {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return []float64{cos, sin, 0}
}

// TestPACFLMerges: clusters are merged up to an angle, halves weigh the same, and
// the sign of a direction means nothing.
func TestPACFLMerges(t *testing.T) {
	at := func(degrees ...float64) [][]float32 {
		var out [][]float32
		for _, d := range degrees {
			out = append(out, sketched(line(d)))
		}
		return out
	}
	tests := []struct {
		name    string
		answers [][]float32
		words   []string
		want    []int
	}{
		{"two kinds", at(0, 40, 1, 41), []string{"cut=5"}, []int{0, 1, 0, 1}},
		{"at the angle exactly, and above", at(0, 5, 60), []string{"cut=5.000001"}, []int{0, 0, 1}},
		{"below it", at(0, 5, 60), []string{"cut=4.99"}, []int{0, 1, 2}},
		{"signs", at(0, 181, 359), []string{"cut=5"}, []int{0, 0, 0}},
		{"a right angle takes all", at(0, 45, 90), []string{"cut=90"}, []int{0, 0, 0}},
		{"as many as there are models", at(0, 30, 61, 88), []string{"cut=1", "most=2"}, []int{0, 0, 1, 1}},
		// 0 and 1 first, then 3 (2.5 away), then 9: from the halves 8.5 and
		// 6 away, so 7.25 in the mean of halves and 7.67 in that of clients.
		{"halves weigh the same", at(0, 1, 3, 9), []string{"cut=7.4"}, []int{0, 0, 0, 0}},
		{"farthest members", at(0, 1, 3, 9), []string{"cut=7.4", "merge=max"}, []int{0, 0, 0, 1}},
		{"nearest members", at(0, 4, 8, 12, 30), []string{"cut=4.1", "merge=min"}, []int{0, 0, 0, 0, 1}},
		{"nobody sends a direction", [][]float32{{0}, {0}}, []string{"cut=10"}, []int{0, 1}},
	}
	for _, tt := range tests {
		r := sketchRig(t, "pacfl", tt.answers, nil, tt.words...)
		r.Play(0)
		if !slices.Equal(r.Label, tt.want) {
			t.Errorf("%s: labels %v, want %v", tt.name, r.Label, tt.want)
		}
		if !r.Round.Reclustered || r.Sends != 2 {
			t.Errorf("%s: News %v after %d exchanges, want true after 2", tt.name, r.Round.Reclustered, r.Sends)
		}
		if r.Play(1); r.Round.Reclustered || r.Sends != 3 {
			t.Errorf("%s: the second round has News %v and %d exchanges in all, want false and 3", tt.name,
				r.Round.Reclustered,
				r.Sends)
		}
	}
}

// TestPACFLDistances: two planes that cross in a line have no principal angle
// between them, though no two of the vectors that were sent are near.
func TestPACFLDistances(t *testing.T) {
	a := sketched([]float64{math.Sqrt2 / 2, math.Sqrt2 / 2, 0}, []float64{math.Sqrt2 / 2, -math.Sqrt2 / 2, 0})
	b := sketched([]float64{1, 0, 0}, []float64{0, 0, 1})
	for angle, want := range map[string][]int{"entry": {0, 1}, "principal": {0, 0}} {
		r := sketchRig(t, "pacfl", [][]float32{a, b}, nil, "cut=20", "angle="+angle)
		if r.Play(0); !slices.Equal(r.Label, want) {
			t.Errorf("planes that cross by %s angles: labels %v, want %v", angle, r.Label, want)
		}
	}
	// Of vectors askew the span counts.
	c := sketched([]float64{1, 0, 0}, []float64{math.Sqrt2 / 2, math.Sqrt2 / 2, 0})
	d := sketched([]float64{0, 1, 0})
	r := sketchRig(t, "pacfl", [][]float32{c, d}, nil, "cut=1", "angle=principal")
	if r.Play(0); !slices.Equal(r.Label, []int{0, 0}) {
		t.Errorf("a line within a plane: labels %v, want [0 0]", r.Label)
	}
}

// TestPACFLNewcomers: newcomers extend the matrix of angles, and clusters keep
// their names.
func TestPACFLNewcomers(t *testing.T) {
	answers := [][]float32{sketched(line(0)), sketched(line(50)), sketched(line(51)), sketched(line(1)),
		sketched(line(80))}
	r := sketchRig(t, "pacfl", answers, nil, "cut=5", "lr=1")
	r.PlayWith(0, []int{1, 3, 4}, 4)
	if want := []int{0, 0, 0, 1, 0}; !slices.Equal(r.Label, want) {
		t.Errorf("of clients 1 and 3 the labels are %v, want %v", r.Label, want)
	}
	r.PlayWith(1, []int{0, 2, 3})
	if want := []int{1, 0, 0, 1, 0}; !slices.Equal(r.Label, want) {
		t.Errorf("with clients 0 and 2 the labels are %v, want %v", r.Label, want)
	}
	r.PlayWith(2, []int{4})
	if want := []int{1, 0, 0, 1, 2}; !slices.Equal(r.Label, want) {
		t.Errorf("with client 4 the labels are %v, want %v", r.Label, want)
	}
	if got := r.Embedding(); got.Rows != 5 || got.Cols != mapDimensions {
		t.Errorf("the embedding is %d × %d, want 5 × %d", got.Rows, got.Cols, mapDimensions)
	}
}

// TestPACFLTrains: FedAvg in each cluster, weighted by samples, from one start.
func TestPACFLTrains(t *testing.T) {
	r := sketchRig(t, "pacfl", [][]float32{sketched(line(0)), sketched(line(1)), sketched(line(50))}, []int{1, 3, 7},
		"cut=5", "lr=1")
	copy(r.Bank.Params, []float32{10, 10, 10, 10, 10, 10})
	r.Play(0)
	if want := []float32{10 - (1+6)/4., 10, 10 - 3, 10 - 1, 10, 10}; !slices.Equal(r.Bank.Params, want) {
		t.Errorf("models %v, want %v", r.Bank.Params, want)
	}
	// Directions of three numbers came up, and models went to and fro.
	if want := int64(3*3 + 3*2); r.Traffic.Up != want || r.Traffic.Down != 3*2 {
		t.Errorf("traffic %+v, want 6 down and %d up", r.Traffic, want)
	}
}

// TestSpread: a client sends the leading directions of each class, seen from the
// origin, or of all its samples.
func TestSpread(t *testing.T) {
	// Class 0 lies along (3, 4, 0), class 2 along (0, 0, 1), class 1 is empty.
	batch := model.Batch{X: []float32{3, 4, 0, 0, 0, 2, 6, 8, 0, 0, 0, 1}, Y: []float32{0, 2, 0, 2}, N: 4}
	at := &spot{model: classifier(t, 3, 3), batch: batch}
	tests := []struct {
		name   string
		device subspaceReporter
		want   []float32
	}{
		{"each class", subspaceReporter{directions: 2}, []float32{2, 2, 2, 0.6, 0.8, 0, 0, 0, 1}},
		{"all, the longest", subspaceReporter{directions: 1, pooled: true}, []float32{1, 4, 0.6, 0.8, 0}},
	}
	for _, tt := range tests {
		got := tt.device.Do(nil, opSketch, nil, at)
		if len(got) != len(tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
			continue
		}
		for j, v := range got {
			if math.Abs(float64(v-tt.want[j])) > 1e-6 {
				t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
				break
			}
		}
	}
	// Two numbers a sample, x and y: one direction, since two are everything.
	flat := &spot{model: model.Linear{}, batch: model.Batch{X: []float32{1, 2}, Y: []float32{1, 2.1}, N: 2}}
	if got := (subspaceReporter{directions: 3}).Do(nil, opSketch, nil, flat); len(got) != 1+1+2 {
		t.Errorf("samples in the plane: %v, want one direction", got)
	}
}
