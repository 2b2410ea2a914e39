package clusterer

import (
	"math"
	"testing"
)

func TestSeparationGolden(t *testing.T) {
	type row struct {
		Name             string
		Points           Matrix
		Labels           []int
		Silhouettes      []float64
		DaviesBouldin    float64 `json:"davies_bouldin"`
		CalinskiHarabasz float64 `json:"calinski_harabasz"`
	}
	var s Separation
	for _, tt := range golden[row](t, "separation") {
		s.Silhouette(&tt.Points, tt.Labels)
		for i, want := range tt.Silhouettes {
			if got := s.Silhouettes[i]; !near(got, want, 1e-12) {
				t.Errorf("%s: Silhouettes[%d] = %v, want %v", tt.Name, i, got, want)
			}
		}
		if got, ok := s.DaviesBouldin(&tt.Points, tt.Labels); !ok || !near(got, tt.DaviesBouldin, 1e-11) {
			t.Errorf("%s: DaviesBouldin = %v, %v, want %v, true", tt.Name, got, ok, tt.DaviesBouldin)
		}
		if got, ok := s.CalinskiHarabasz(&tt.Points, tt.Labels); !ok || !near(got, tt.CalinskiHarabasz, 1e-11) {
			t.Errorf("%s: CalinskiHarabasz = %v, %v, want %v, true", tt.Name, got, ok, tt.CalinskiHarabasz)
		}
	}
}

func TestScatterScores(t *testing.T) {
	inf := math.Inf(1)
	line := &Matrix{4, 1, []float64{0, 2, 10, 14}}
	spots := &Matrix{4, 1, []float64{3, 3, 7, 7}}
	same := &Matrix{4, 1, []float64{.1, .1, .1, .1}}
	tests := []struct {
		name      string
		points    *Matrix
		labels    []int
		db, ch    float64
		undefined bool
	}{
		// Means 1 and 12, spreads 1 and 2; B = 2·2·11²/4, W = 2 + 8.
		{"two pairs", line, []int{0, 0, 1, 1}, 3.0 / 11, 121 / (10.0 / 2), false},
		{"gaps in the labels", line, []int{5, 5, 2, 2}, 3.0 / 11, 121 / (10.0 / 2), false},
		{"unlabelled left out", &Matrix{5, 1, []float64{0, 2, 99, 10, 14}}, []int{0, 0, -1, 1, 1}, 3.0 / 11, 24.2, false},
		{"single spots", spots, []int{0, 0, 1, 1}, 0, inf, false},
		{"a mean in common", &Matrix{4, 1, []float64{-1, 1, -3, 3}}, []int{0, 0, 1, 1}, inf, 0, false},
		{"equal points", same, []int{0, 0, 1, 1}, 0, 0, false},
		{"one label", line, []int{1, 1, 1, 1}, 0, 0, true},
		{"as many labels as points", line, []int{0, 1, 2, 3}, 0, 0, true},
		{"empty", &Matrix{0, 2, nil}, nil, 0, 0, true},
	}
	var s Separation
	for _, tt := range tests {
		if got, ok := s.DaviesBouldin(tt.points, tt.labels); ok == tt.undefined || got != tt.db && !near(got, tt.db, 1e-15) {
			t.Errorf("%s: DaviesBouldin = %v, %v, want %v, %v", tt.name, got, ok, tt.db, !tt.undefined)
		}
		if got, ok := s.CalinskiHarabasz(tt.points, tt.labels); ok == tt.undefined || got != tt.ch && !near(got, tt.ch, 1e-15) {
			t.Errorf("%s: CalinskiHarabasz = %v, %v, want %v, %v", tt.name, got, ok, tt.ch, !tt.undefined)
		}
	}
	wantPanic(t, "lengths", func() { s.DaviesBouldin(line, []int{0, 1}) })
	wantPanic(t, "lengths", func() { s.CalinskiHarabasz(line, []int{0, 1}) })
}

// Scores do not care for names or units, and prefer the truth to chance.
func TestScatterProperties(t *testing.T) {
	var s Separation
	for seed := range uint64(100) {
		r := source(seed)
		points, truth := blobs(r, 30, 3, 3, 20)
		labels := randomLabels(r, 30, 4)
		larger, names := points.clone(), renamed(labels, r.Perm(4))
		scale(larger.Data, 4)

		db, _ := s.DaviesBouldin(points, labels)
		ch, _ := s.CalinskiHarabasz(points, labels)
		if got, _ := s.DaviesBouldin(points, names); !near(got, db, 1e-13) {
			t.Errorf("seed %d: DaviesBouldin = %v after renaming, want %v", seed, got, db)
		}
		if got, _ := s.CalinskiHarabasz(points, names); !near(got, ch, 1e-13) {
			t.Errorf("seed %d: CalinskiHarabasz = %v after renaming, want %v", seed, got, ch)
		}
		if got, _ := s.DaviesBouldin(larger, labels); got != db {
			t.Errorf("seed %d: DaviesBouldin = %v after scaling, want %v", seed, got, db)
		}
		if got, _ := s.CalinskiHarabasz(larger, labels); got != ch {
			t.Errorf("seed %d: CalinskiHarabasz = %v after scaling, want %v", seed, got, ch)
		}
		if got, _ := s.DaviesBouldin(points, truth); got >= db {
			t.Errorf("seed %d: DaviesBouldin of the truth = %v, want below %v of random labels", seed, got, db)
		}
		if got, _ := s.CalinskiHarabasz(points, truth); got <= ch {
			t.Errorf("seed %d: CalinskiHarabasz of the truth = %v, want above %v of random labels", seed, got, ch)
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
