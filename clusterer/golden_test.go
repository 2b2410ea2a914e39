package clusterer

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// The tests in this file repeat what NumPy, SciPy and scikit-learn did, as
// recorded by testdata/golden.py.

// golden reads the cases of one file.
func golden[T any](t *testing.T, name string) []T {
	t.Helper()
	text, err := os.ReadFile("testdata/golden/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Versions map[string]string
		Cases    []T
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) == 0 || len(file.Versions) == 0 {
		t.Fatalf("%s.json: got %d cases by versions %v, want some of each", name, len(file.Cases), file.Versions)
	}
	return file.Cases
}

// near reports whether got is want to a relative or absolute error of tol.
func near(got, want, tol float64) bool {
	return math.Abs(got-want) <= tol*max(1, math.Abs(want))
}

func TestAdjustedRandGolden(t *testing.T) {
	type row struct {
		Name          string
		Truth, Labels []int
		Want          float64
	}
	var c Contingency
	for _, tt := range golden[row](t, "adjusted_rand") {
		if got := c.AdjustedRand(tt.Truth, tt.Labels); !near(got, tt.Want, 1e-13) {
			t.Errorf("%s: AdjustedRand(%v, %v) = %v, want %v", tt.Name, tt.Truth, tt.Labels, got, tt.Want)
		}
	}
}

func TestSilhouetteGolden(t *testing.T) {
	type row struct {
		Name   string
		Points Matrix
		Labels []int
		Want   float64
	}
	for _, tt := range golden[row](t, "silhouette") {
		if got, ok := Silhouette(&tt.Points, tt.Labels); !ok || !near(got, tt.Want, 1e-12) {
			t.Errorf("%s: Silhouette = %v, %v, want %v, true", tt.Name, got, ok, tt.Want)
		}
	}
}

func TestLloydGolden(t *testing.T) {
	type row struct {
		Name          string
		Points, Start Matrix
		Labels        []int
		Centroids     Matrix
		Inertia       float64
		Steps         int
	}
	var km KMeans
	for _, tt := range golden[row](t, "lloyd") {
		km.FitFrom(&tt.Points, &tt.Start)
		if !slices.Equal(km.Labels, tt.Labels) {
			t.Errorf("%s: Labels = %v, want %v", tt.Name, km.Labels, tt.Labels)
		}
		if !near(km.Inertia, tt.Inertia, 1e-9) {
			t.Errorf("%s: Inertia = %v, want %v", tt.Name, km.Inertia, tt.Inertia)
		}
		if km.Steps != tt.Steps {
			t.Errorf("%s: Steps = %v, want %v", tt.Name, km.Steps, tt.Steps)
		}
		for i, want := range tt.Centroids.Data {
			if got := km.Centroids.Data[i]; !near(got, want, 1e-9) {
				t.Errorf("%s: Centroids.Data[%d] = %v, want %v", tt.Name, i, got, want)
			}
		}
	}
}

func TestKMeansGolden(t *testing.T) {
	type row struct {
		Name    string
		Points  Matrix
		K       int
		Labels  []int
		Inertia float64
	}
	var km KMeans
	for _, tt := range golden[row](t, "kmeans") {
		for seed := range uint64(5) {
			km.Fit(&tt.Points, tt.K, rand.New(rand.NewPCG(seed, 0)))
			if got := AdjustedRand(tt.Labels, km.Labels); got != 1 {
				t.Errorf("%s, seed %d: AdjustedRand to scikit-learn = %v, want 1", tt.Name, seed, got)
			}
			if !near(km.Inertia, tt.Inertia, 1e-10) {
				t.Errorf("%s, seed %d: Inertia = %v, want %v", tt.Name, seed, km.Inertia, tt.Inertia)
			}
		}
	}
}

func TestSpectralGolden(t *testing.T) {
	type row struct {
		Name     string
		A        Matrix
		N        int
		Values   []float64
		Features Matrix
	}
	var sp Spectral
	var dst Matrix
	for _, tt := range golden[row](t, "svd") {
		sp.Fit(&dst, &tt.A, tt.N)
		// Values are good to about 10⁻⁷ of the largest: see Fit.
		tol := 1e-7 * tt.Values[0]
		if len(sp.Values) != len(tt.Values) {
			t.Fatalf("%s: %d Values, want %d", tt.Name, len(sp.Values), len(tt.Values))
		}
		for j, want := range tt.Values {
			if got := sp.Values[j]; math.Abs(got-want) > tol {
				t.Errorf("%s: Values[%d] = %v, want %v", tt.Name, j, got, want)
			}
		}
		for j := range tt.N {
			var same, flipped float64
			for i := range tt.A.Rows {
				got, want := dst.Row(i)[j], tt.Features.Row(i)[j]
				same = max(same, math.Abs(got-want))
				flipped = max(flipped, math.Abs(got+want))
			}
			if min(same, flipped) > tol {
				t.Errorf("%s: feature %d differs by %v (%v with the other sign), want at most %v", tt.Name, j, same,
					flipped, tol)
			}
		}
	}
}

func TestAssignGolden(t *testing.T) {
	type row struct {
		Name  string
		Cost  Matrix
		Total float64
	}
	var as Assigner
	for _, tt := range golden[row](t, "assignment") {
		dst := make([]int, tt.Cost.Rows)
		if got := as.Assign(dst, &tt.Cost); !near(got, tt.Total, 1e-12) {
			t.Errorf("%s: Assign = %v, want %v", tt.Name, got, tt.Total)
		}
	}
}

func TestPlaneGolden(t *testing.T) {
	type row struct {
		Name           string
		Points, Scores Matrix
		Kept           float64
	}
	var p Plane
	var dst Matrix
	for _, tt := range golden[row](t, "plane") {
		if got := p.Fit(&dst, &tt.Points); !near(got, tt.Kept, 1e-12) {
			t.Errorf("%s: Fit = %v, want %v", tt.Name, got, tt.Kept)
		}
		for at, want := range tt.Scores.Data {
			if got := dst.Data[at]; !near(math.Abs(got), math.Abs(want), 1e-8) {
				t.Errorf("%s: |dst.Data[%d]| = %v, want %v", tt.Name, at, math.Abs(got), math.Abs(want))
			}
		}
	}
}

func TestAlignGolden(t *testing.T) {
	type row struct {
		Name                string
		Points, Reference   Matrix
		Residual, Disparity float64
	}
	for _, tt := range golden[row](t, "align") {
		var dst Matrix
		dst.copyFrom(&tt.Points)
		Align(&dst, &tt.Reference)
		if got := residual(&dst, &tt.Reference); !near(got, tt.Residual, 1e-10) {
			t.Errorf("%s: residual after Align = %v, want %v", tt.Name, got, tt.Residual)
		}
		if got := disparity(&dst, &tt.Reference); !near(got, tt.Disparity, 1e-10) {
			t.Errorf("%s: disparity after Align = %v, want %v", tt.Name, got, tt.Disparity)
		}
	}
}

// residual returns what Align makes least: the squared distances between points
// of a and b, both taken about their means.
func residual(a, b *Matrix) float64 {
	var x, y Matrix
	x.copyFrom(a)
	y.copyFrom(b)
	centre(&x)
	centre(&y)
	return squaredDistance(x.Data, y.Data)
}

// disparity returns what scipy.spatial.procrustes does, which scales as well:
// 1 − (Σ x·y)²/(Σ x² · Σ y²) once the points are turned to fit.
func disparity(a, b *Matrix) float64 {
	var x, y Matrix
	x.copyFrom(a)
	y.copyFrom(b)
	centre(&x)
	centre(&y)
	xy := dot(x.Data, y.Data)
	return 1 - xy*xy/(dot(x.Data, x.Data)*dot(y.Data, y.Data))
}
