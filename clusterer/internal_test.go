package clusterer

import (
	"math"
	"testing"
)

func TestSilhouettesGolden(t *testing.T) {
	type row struct {
		Name        string
		Points      Matrix
		Labels      []int
		Silhouettes []float64
	}
	var s Separation
	for _, tt := range golden[row](t, "separation") {
		s.Silhouette(&tt.Points, tt.Labels)
		for i, want := range tt.Silhouettes {
			if got := s.Silhouettes[i]; !near(got, want, 1e-12) {
				t.Errorf("%s: Silhouettes[%d] = %v, want %v", tt.Name, i, got, want)
			}
		}
	}
}

func TestSilhouette(t *testing.T) {
	line := &Matrix{4, 1, []float64{0, 1, 4, 5}}
	// Ends: a = 1, b = (4+5)/2; inner: a = 1, b = (3+4)/2.
	pairs := (2*(4.5-1)/4.5 + 2*(3.5-1)/3.5) / 4
	// Ends: a = 4, b = (1+5)/2; inner: a = 4, b = (1+3)/2.
	crossed := (2*(3.0-4)/4 + 2*(2.0-4)/4) / 4
	tests := []struct {
		name   string
		points *Matrix
		labels []int
		want   float64
		ok     bool
	}{
		{"two pairs", line, []int{0, 0, 1, 1}, pairs, true},
		{"gaps in the labels", line, []int{3, 3, 0, 0}, pairs, true},
		{"crossed", line, []int{0, 1, 0, 1}, crossed, true},
		{"one label", line, []int{2, 2, 2, 2}, 0, false},
		{"as many labels as points", line, []int{0, 1, 2, 3}, 0, false},
		{"unlabelled left out", &Matrix{5, 1, []float64{0, 1, 100, 4, 5}}, []int{0, 0, -1, 1, 1}, pairs, true},
		{"as many labels as labelled points", line, []int{0, 1, -1, -1}, 0, false},
		{"identical points", &Matrix{4, 1, make([]float64, 4)}, []int{0, 0, 1, 1}, 0, true},
		{"empty", &Matrix{0, 2, nil}, nil, 0, false},
	}
	for _, tt := range tests {
		got, ok := Silhouette(tt.points, tt.labels)
		if ok != tt.ok || math.Abs(got-tt.want) > 1e-15 {
			t.Errorf("%s: Silhouette(%v) = %v, %v, want %v, %v", tt.name, tt.labels, got, ok, tt.want, tt.ok)
		}
	}
	wantPanic(t, "lengths", func() { Silhouette(line, []int{0, 1}) })
}

func TestSilhouetteProperties(t *testing.T) {
	var s Separation
	for seed := range uint64(100) {
		r := source(seed)
		points, truth := blobs(r, 30, 3, 3, 20)
		labels := randomLabels(r, 30, 4)
		got, ok := s.Silhouette(points, labels)
		if !ok || got < -1 || got > 1 {
			t.Errorf("seed %d: Silhouette = %v, %v, want −1 … 1, true", seed, got, ok)
		}
		if other, _ := s.Silhouette(points, renamed(labels, r.Perm(4))); !near(other, got, 1e-14) {
			t.Errorf("seed %d: Silhouette = %v after renaming, want %v", seed, other, got)
		}
		if right, _ := s.Silhouette(points, truth); right <= got {
			t.Errorf("seed %d: Silhouette of the truth = %v, want above %v of random labels", seed, right, got)
		}
		larger := points.clone()
		for i := range larger.Data {
			larger.Data[i] *= 4 // a power of two, so exactly
		}
		if scaled, _ := s.Silhouette(larger, labels); scaled != got {
			t.Errorf("seed %d: Silhouette = %v after scaling, want %v", seed, scaled, got)
		}
	}
}

// The silhouettes of the points average to the score over labelled points.
func TestSilhouettesOfPoints(t *testing.T) {
	var s Separation
	for seed := range uint64(50) {
		r := source(seed)
		points, labels := gaussian(r, 20, 2), randomLabels(r, 20, 4)
		for i := range labels {
			labels[i]-- // some have none
		}
		score, ok := s.Silhouette(points, labels)
		var sum, n float64
		for i, l := range labels {
			if l < 0 && s.Silhouettes[i] != 0 {
				t.Errorf("seed %d: Silhouettes[%d] = %v of a point without label, want 0", seed, i, s.Silhouettes[i])
			}
			if l >= 0 {
				sum, n = sum+s.Silhouettes[i], n+1
			}
		}
		if !ok || !near(sum/n, score, 1e-14) {
			t.Errorf("seed %d: Silhouettes average to %v, want %v", seed, sum/n, score)
		}
	}
	if s.Silhouette(gaussian(source(1), 3, 2), []int{0, 0, 0}); len(s.Silhouettes) != 0 {
		t.Errorf("Silhouettes = %v of one label, want none", s.Silhouettes)
	}
}
