package clusterer_test

import (
	"fmt"
	"math/rand/v2"

	"flockscope/clusterer"
)

// twoGroups are six points in the plane: three near (0, 0) and three near (10, 10).
func twoGroups() *clusterer.Matrix {
	return &clusterer.Matrix{Rows: 6, Cols: 2, Data: []float64{
		0, 0,
		10, 10,
		1, 0,
		10, 11,
		0, 1,
		11, 10,
	}}
}

func ExampleKMeans_Fit() {
	var km clusterer.KMeans
	km.Fit(twoGroups(), 2, rand.New(rand.NewPCG(1, 1)))

	same := km.Labels[0] == km.Labels[2] && km.Labels[0] == km.Labels[4]
	apart := km.Labels[0] != km.Labels[1]
	fmt.Println(same, apart)
	fmt.Printf("inertia %.2f\n", km.Inertia)
	// Output:
	// true true
	// inertia 2.67
}

func ExampleAgglomerative_Fit() {
	ag := clusterer.Agglomerative{Linkage: clusterer.Complete}
	ag.Fit(twoGroups())
	fmt.Println(ag.Tree.Cut(2))
	// Output: [0 1 0 1 0 1]
}

// The rows of a matrix that span two directions only are told apart by two features.
func ExampleSpectral_Fit() {
	points := &clusterer.Matrix{Rows: 4, Cols: 3, Data: []float64{
		3, 0, 0,
		3, 0, 0,
		0, 2, 0,
		0, 2, 0,
	}}
	var sp clusterer.Spectral
	var features clusterer.Matrix
	sp.Fit(&features, points, 2)

	fmt.Printf("%.2f\n", sp.Values)
	fmt.Println(features.Rows, features.Cols)
	// Output:
	// [4.24 2.83 0.00]
	// 4 2
}

// The names of labels do not matter. One point of six is in the wrong place here.
func ExampleAdjustedRand() {
	truth := []int{0, 0, 0, 1, 1, 1}
	fmt.Printf("%.2f\n", clusterer.AdjustedRand(truth, []int{1, 1, 1, 0, 0, 0}))
	fmt.Printf("%.2f\n", clusterer.AdjustedRand(truth, []int{1, 1, 0, 0, 0, 0}))
	// Output:
	// 1.00
	// 0.32
}

func ExampleContingency_Misplaced() {
	var table clusterer.Contingency
	fmt.Println(table.Misplaced([]int{0, 0, 0, 1, 1, 1}, []int{1, 1, 0, 0, 0, 0}))
	// Output: 1
}

func ExampleSeparation_Silhouette() {
	var s clusterer.Separation
	score, ok := s.Silhouette(twoGroups(), []int{0, 1, 0, 1, 0, 1})
	fmt.Printf("%.2f %v\n", score, ok)
	// Output: 0.92 true
}

// The cost of three rows in three columns: the cheapest assignment takes 1 + 2 + 2.
func ExampleAssigner_Assign() {
	cost := &clusterer.Matrix{Rows: 3, Cols: 3, Data: []float64{
		4, 1, 3,
		2, 0, 5,
		3, 2, 2,
	}}
	var a clusterer.Assigner
	columns := make([]int, 3)
	total := a.Assign(columns, cost)
	fmt.Println(columns, total)
	// Output: [1 0 2] 5
}
