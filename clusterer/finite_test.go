package clusterer

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// bad are coordinates that are not finite, or too large to count with.
var bad = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e200, -1e300, math.MaxFloat64}

// A row that is not finite decides nothing about the others: they get what they get
// without it, to the bit, and it gets the label −1.
var leavesOut = []struct {
	name string
	run  func(points *Matrix, k int) []int
}{
	{"KMeans.Fit", func(points *Matrix, k int) []int {
		var km KMeans
		km.Fit(points, k, source(7))
		return km.Labels
	}},
	{"KMeans.FitFrom", func(points *Matrix, k int) []int {
		var km KMeans
		km.FitFrom(points, gaussian(source(8), k, points.Cols))
		return km.Labels
	}},
	{"RobustMeans.Fit", func(points *Matrix, k int) []int {
		m := RobustMeans{Medians: k%2 == 0, Trim: 0.1}
		m.Fit(points, k, source(7))
		return m.Labels
	}},
	{"RobustMeans.FitFrom", func(points *Matrix, k int) []int {
		var m RobustMeans
		m.FitFrom(points, gaussian(source(8), k, points.Cols))
		return m.Labels
	}},
	{"AwasthiSheffet.Fit", func(points *Matrix, k int) []int {
		var as AwasthiSheffet
		as.Fit(points, k, source(7))
		return as.KMeans.Labels
	}},
	{"SelectK.Merge", func(points *Matrix, k int) []int {
		var s SelectK
		s.Merge(points, k)
		return s.Labels
	}},
	{"SelectK.Means", func(points *Matrix, k int) []int {
		var s SelectK
		s.Means(points, k, source(7))
		return s.Labels
	}},
	{"Nearest", func(points *Matrix, k int) []int {
		labels := make([]int, points.Rows)
		Nearest(labels, points, gaussian(source(8), k, points.Cols))
		return labels
	}},
}

// spoilt returns the points with some rows between them that are not finite, and where
// these are.
func spoilt(seed uint64, points *Matrix) (with *Matrix, lost []bool) {
	r := source(seed)
	with = &Matrix{Cols: points.Cols}
	for next := 0; next < points.Rows || len(lost) == next; {
		if next == points.Rows || r.IntN(4) == 0 {
			row := slices.Repeat([]float64{1}, points.Cols)
			row[r.IntN(points.Cols)] = bad[r.IntN(len(bad))]
			with.Data, lost = append(with.Data, row...), append(lost, true)
			continue
		}
		with.Data, lost = append(with.Data, points.Row(next)...), append(lost, false)
		next++
	}
	with.Rows = len(lost)
	return with, lost
}

func TestRowsThatAreNotFinite(t *testing.T) {
	for _, f := range leavesOut {
		for seed := range uint64(60) {
			r := source(seed)
			points := gaussian(r, r.IntN(20), 1+r.IntN(4))
			if seed%3 == 0 { // equal rows
				for i := range points.Data {
					points.Data[i] = math.Round(points.Data[i])
				}
			}
			with, lost := spoilt(seed, points)
			k := 1 + r.IntN(6)
			want, got := slices.Clone(f.run(points, k)), f.run(with, k)
			if len(got) != len(lost) {
				t.Fatalf("%s, seed %d: %d labels of %d points", f.name, seed, len(got), len(lost))
			}
			n := 0
			for i, gone := range lost {
				switch {
				case gone && got[i] != -1:
					t.Errorf("%s, seed %d: row %v has label %d, want -1", f.name, seed, with.Row(i), got[i])
				case !gone && got[i] != want[n]:
					t.Errorf("%s, seed %d: point %d has label %d beside rows that are not finite, want %d", f.name,
						seed, n, got[i],
						want[n])
				}
				if !gone {
					n++
				}
			}
		}
	}
}

// Where a row that is not finite makes the whole undefined, the result says so.
func TestUndefined(t *testing.T) {
	for seed := range uint64(60) {
		r := source(seed)
		points := gaussian(r, 4+r.IntN(9), 1+r.IntN(3))
		with, lost := spoilt(seed, points)
		labels := randomLabels(r, with.Rows, 3)
		labels[slices.Index(lost, true)], labels[slices.Index(lost, false)] = 0, 1
		if score, ok := Silhouette(with, labels); ok || score != 0 {
			t.Errorf("seed %d: Silhouette = %v, %v, want 0, false", seed, score, ok)
		}
		for i, gone := range lost {
			if gone {
				labels[i] = -1
			}
		}
		if score, ok := Silhouette(with, labels); ok && !isFinite(score) {
			t.Errorf("seed %d: Silhouette = %v of points without such labels, want a number", seed, score)
		}
		g := Gap{References: 2}
		if k := g.Fit(with, 3, r); k != 0 || len(g.Gaps) != 0 || len(g.Errors) != 0 {
			t.Errorf("seed %d: Gap = %v, gaps %v, want 0, none", seed, k, g.Gaps)
		}
		var plane, dst Matrix
		var p Plane
		if kept := p.Fit(&plane, with); kept != 0 ||
			slices.ContainsFunc(plane.Data, func(x float64) bool { return x != 0 }) {
			t.Errorf("seed %d: Plane keeps %v at %v, want nothing", seed, kept, plane.Data)
		}
		still := gaussian(r, with.Rows, 2)
		ref := still.clone()
		copy(ref.Row(slices.Index(lost, true)), []float64{math.NaN(), 1})
		before := still.clone()
		if Align(still, ref); !still.equal(before) {
			t.Errorf("seed %d: Align moved points to a reference that is not finite", seed)
		}
		var sp Spectral
		hopeless := points.clone()
		hopeless.Data[0] = bad[seed%3]
		if sp.Fit(&dst, hopeless, 2); slices.ContainsFunc(append(dst.Data, sp.Values...),
			func(x float64) bool { return x != 0 }) {
			t.Errorf("seed %d: Spectral.Fit = %v, %v, want all 0", seed, dst.Data, sp.Values)
		}
		if sp.Basis(&dst, hopeless, 2); dst.Rows != 0 {
			t.Errorf("seed %d: Spectral.Basis has %d rows, want none", seed, dst.Rows)
		}
		var gram Matrix
		Gram(&gram, hopeless, 0, hopeless.Cols)
		if sp.FitGram(&dst, &gram, 2); slices.ContainsFunc(append(dst.Data, sp.Values...),
			func(x float64) bool { return x != 0 }) {
			t.Errorf("seed %d: Spectral.FitGram = %v, %v, want all 0", seed, dst.Data, sp.Values)
		}
		if sp.Orient(&dst, points); slices.ContainsFunc(dst.Data, func(x float64) bool { return x != 0 }) {
			t.Errorf("seed %d: Spectral.Orient of nothing = %v, want all 0", seed, dst.Data)
		}
		var halves Bipartition
		CosinesOfGram(&gram)
		if c := halves.FitSpectral(&gram, r); c != 0 || slices.Contains(halves.Labels, 1) {
			t.Errorf("seed %d: FitSpectral = %v, %v, want 0 and one side", seed, c, halves.Labels)
		}
	}
	if k := Elbow([]float64{3, math.NaN(), 1}); k != 0 {
		t.Errorf("Elbow = %d, want 0", k)
	}
	if k := LargestGap([]float64{3, math.Inf(-1)}); k != 0 {
		t.Errorf("LargestGap = %d, want 0", k)
	}
}

// Between pairs of points a row that is not finite spoils its own numbers alone.
func TestPairsThatAreNotFinite(t *testing.T) {
	for seed := range uint64(60) {
		r := source(seed)
		points := gaussian(r, 2+r.IntN(9), 2)
		with, lost := spoilt(seed, points)
		for name, f := range map[string]func(dst, points *Matrix){"Distances": Distances, "Cosines": Cosines,
			"Gram": func(dst, points *Matrix) { Gram(dst, points, 0, points.Cols) }} {
			var want, got Matrix
			f(&want, points)
			f(&got, with)
			for i, a := range rowsLeft(lost) {
				for j, b := range rowsLeft(lost) {
					if x := got.Row(a)[b]; x != want.Row(i)[j] {
						t.Errorf("seed %d: %s of points %d and %d = %v beside rows that are not finite, want %v", seed,
							name, i, j, x,
							want.Row(i)[j])
					}
				}
			}
			for a, gone := range lost {
				for b := range lost {
					if x := got.Row(a)[b]; gone && a != b && name == "Cosines" && isFinite(x) && x != 0 {
						t.Errorf("seed %d: cosine of %v with another row = %v, want no number", seed, with.Row(a), x)
					}
				}
			}
		}

		// Trees merge such rows last, after all others.
		for _, linkage := range linkages {
			one, other := Agglomerative{Linkage: linkage}, Agglomerative{Linkage: linkage}
			one.Fit(points)
			other.Fit(with)
			for m, merge := range other.Tree.Merges {
				if m < len(one.Tree.Merges) && merge.Height != one.Tree.Merges[m].Height ||
					m >= len(one.Tree.Merges) && !math.IsInf(merge.Height, 1) {
					t.Errorf("seed %d, linkage %d: merge %d at %v, want the others' first, then +Inf", seed, linkage, m,
						merge.Height)
				}
			}
			if labels, k := other.Tree.CutAt(1e140); k != 1+with.Rows-points.Rows || len(labels) != with.Rows {
				t.Errorf("seed %d, linkage %d: %d clusters within a finite distance, want %d", seed, linkage, k,
					1+with.Rows-points.Rows)
			}
			if got, want := other.Tree.Otsu(), one.Tree.Otsu(); got != want {
				t.Errorf("seed %d, linkage %d: a threshold of %v, want %v", seed, linkage, got, want)
			}
			if linkage == Ward {
				continue
			}
			var cosines Matrix
			Cosines(&cosines, with)
			var halves Bipartition
			if halves.Fit(&cosines, linkage); math.IsNaN(halves.Cross) {
				t.Errorf("seed %d, linkage %d: Cross is NaN", seed, linkage)
			}
		}

		var f Farthest
		f.Fit(with, min(2, with.Rows), with.Rows)
		for _, i := range f.Chosen {
			if lost[i] {
				t.Errorf("seed %d: Farthest chose %v", seed, with.Row(i))
			}
		}
		if slices.ContainsFunc(f.Centres.Data, notFinite) {
			t.Errorf("seed %d: Farthest has centres %v", seed, f.Centres.Data)
		}
		labels := make([]int, points.Rows)
		if Nearest(labels, points, with); slices.ContainsFunc(labels, func(k int) bool { return lost[k] }) {
			t.Errorf("seed %d: Nearest = %v, with centres that are not finite", seed, labels)
		}
		var km KMeans
		if km.FitFrom(points, with); slices.ContainsFunc(append(km.Centroids.Data, km.Inertia), notFinite) ||
			slices.Contains(km.Labels, -1) {
			t.Errorf("seed %d: FitFrom centres that are not finite: %v at %v", seed, km.Labels, km.Centroids.Data)
		}
		var an Angles
		for _, a := range an.Fit(with, points) {
			if a < 0 || a > math.Pi/2+1e-12 {
				t.Errorf("seed %d: angle %v", seed, a)
			}
		}
		if a := MinAngle(&Matrix{1, 2, []float64{math.NaN(), 1}}, points); a != math.Pi/2 {
			t.Errorf("seed %d: MinAngle of nothing finite = %v, want π/2", seed, a)
		}
	}
}

// rowsLeft lists the rows that are finite.
func rowsLeft(lost []bool) (rows []int) {
	for i, gone := range lost {
		if !gone {
			rows = append(rows, i)
		}
	}
	return rows
}

// Small and plain inputs: what labels points has a label for each, below k, and nothing
// panics but where k is below 1.
func TestSmallInputs(t *testing.T) {
	same := &Matrix{5, 2, slices.Repeat([]float64{.1, .7}, 5)}
	for _, points := range []*Matrix{{0, 2, nil}, {1, 2, []float64{3, 4}}, {2, 2, []float64{3, 4, 5, 6}}, {3, 0, nil},
		same} {
		for _, f := range leavesOut {
			for _, k := range []int{1, 2, 5, 40} {
				labels := f.run(points, k)
				if len(labels) != points.Rows || slices.ContainsFunc(labels, func(l int) bool {
					return l < 0 || l >= k
				}) {
					t.Errorf("%s of %d × %d points, k %d: labels %v", f.name, points.Rows, points.Cols, k, labels)
				}
				if k > 1 && points == same && f.name != "Nearest" && !strings.HasSuffix(f.name, "Means.FitFrom") &&
					slices.Max(labels) > 0 {
					t.Errorf("%s of equal points: labels %v, want 0", f.name, labels)
				}
			}
		}
		var g Gap
		if k := g.Fit(points, 40, source(1)); k < min(1, points.Rows) || k > points.Rows {
			t.Errorf("Gap of %d points = %d", points.Rows, k)
		}
	}
	var km KMeans
	var as AwasthiSheffet
	var g Gap
	var f Farthest
	var tree Tree
	for _, k := range []int{0, -1} {
		wantPanic(t, "KMeans.Fit", func() { km.Fit(same, k, source(1)) })
		wantPanic(t, "AwasthiSheffet.Fit", func() { as.Fit(same, k, source(1)) })
		wantPanic(t, "Gap.Fit", func() { g.Fit(same, k, source(1)) })
		wantPanic(t, "Farthest.Fit", func() { f.Fit(same, 1, k) })
		wantPanic(t, "Tree.Cut", func() { tree.Cut(k) })
		var s SelectK
		if got := s.Means(same, k, source(1)); got != 1 {
			t.Errorf("SelectK.Means with at most %d = %d, want 1", k, got)
		}
		if got := s.Merge(same, k); got != 1 {
			t.Errorf("SelectK.Merge with at most %d = %d, want 1", k, got)
		}
	}
}

// whole are the exported functions that take no coordinates: whole numbers alone, or
// memory.
var whole = []string{"AdjustedRand", "Contingency.AdjustedRand", "Contingency.Misplaced", "Contingency.NMI",
	"Contingency.Purity", "Contingency.Scores", "Contingency.VMeasure", "Assigner.Relabel", "Naming.Count", "Naming.Next", "Naming.Reset", "Matrix.Reshape", "Matrix.Row", "Use"}

// TestEveryFunctionIsAsked: an exported function that takes numbers is in one of the
// tests of this file, or has a test of its own with such numbers.
func TestEveryFunctionIsAsked(t *testing.T) {
	// TestAssignNotFinite, TestNames, TestTree, TestHDBSCANByHand
	elsewhere := []string{"Assigner.Assign", "Assigner.Names", "Tree.CutAt", "HDBSCAN.FitDistances"}
	asked := slices.Concat(whole, elsewhere, []string{"Silhouette", "Separation.Silhouette", "Gap.Fit", "Plane.Fit",
		"Align", "Spectral.Fit", "Spectral.Orient", "Spectral.Basis", "Spectral.FitGram", "Gram", "CosinesOfGram",
		"Bipartition.FitSpectral",
		"Elbow", "LargestGap", "Distances", "Cosines", "Agglomerative.Fit", "Agglomerative.FitDistances", "Bipartition.Fit",
		"Farthest.Fit", "Angles.Fit", "MinAngle", "Tree.Cut", "Tree.Otsu"})
	for _, f := range leavesOut {
		asked = append(asked, f.name)
	}
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() {
				continue
			}
			name := f.Name.Name
			if f.Recv != nil {
				of := f.Recv.List[0].Type
				if star, ok := of.(*ast.StarExpr); ok {
					of = star.X
				}
				if !of.(*ast.Ident).IsExported() {
					continue
				}
				name = of.(*ast.Ident).Name + "." + name
			}
			all = append(all, name)
			if !slices.Contains(asked, name) {
				t.Errorf("%s (%s) is in no test of numbers that are not finite", name, path)
			}
		}
	}
	for _, name := range asked {
		if !slices.Contains(all, name) {
			t.Errorf("%s is listed, and there is no such function", name)
		}
	}
}
