package engine

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// referenceRun is a run as an independent program has played it, round by round from 1; see
// sim/algorithm/reference. What it has no number for is nil.
type referenceRun struct {
	Query     string
	Label     [][]int32
	Loss      []*float64    // mean over clients
	Accuracy  []*float64    // mean over clients
	Val, Test []*float64    // of HCFL, where there are test clients
	Down, Up  []float64     // floats so far, mean over clients
	Sums      [][]float64   // of the parameters of each model
	Lengths   [][]float64   // of each model as a vector
	Mixture   [][][]float64 // clients × models
}

// TestReferences: every method comes to what its reference, written in NumPy from the paper,
// makes of the same samples, draws and start models: the same labels and traffic, and models
// and losses up to rounding, since the engine computes gradients in 32 bits.
func TestReferences(t *testing.T) {
	files, err := filepath.Glob("../algorithm/reference/testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no results of references: %v", err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".json"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var runs []referenceRun
			if err := json.Unmarshal(text, &runs); err != nil || len(runs) == 0 {
				t.Fatalf("%s: %d runs, %v", path, len(runs), err)
			}
			for _, want := range runs {
				compareReference(t, &want)
			}
		})
	}
}

// compareReference fails in the first round in which the engine comes to something else.
func compareReference(t *testing.T, want *referenceRun) {
	t.Helper()
	e, err := Export(t.Context(), configured(t, want.Query), nil, true)
	if err != nil {
		t.Errorf("%s: %v", want.Query, err)
		return
	}
	labels, shape := array[int32](t, e, "lane0.label")
	models, sizes := array[float32](t, e, "lane0.models")
	loss, _ := array[float64](t, e, "lane0.loss")
	down, _ := array[float64](t, e, "lane0.down")
	up, _ := array[float64](t, e, "lane0.up")
	clients, size := shape[1], sizes[1]*sizes[2]
	if len(want.Label) != shape[0]-1 {
		t.Errorf("%s: %d rounds, the reference has %d", want.Query, shape[0]-1, len(want.Label))
		return
	}
	for n := range want.Label {
		round := n + 1
		var faults []string
		differ := func(what string, got, want any) {
			faults = append(faults, fmt.Sprintf("%s %v, the reference has %v", what, got, want))
		}
		if got := labels[round*clients : (round+1)*clients]; !slices.Equal(got, want.Label[n]) {
			differ("labels", got, want.Label[n])
		}
		if !near(down[round], want.Down[n], 1e-8) || !near(up[round], want.Up[n], 1e-8) {
			differ("floats", []float64{down[round], up[round]}, []float64{want.Down[n], want.Up[n]})
		}
		if l := want.Loss[n]; l == nil != math.IsNaN(loss[round]) || l != nil && !near(loss[round], *l, 1e-5) {
			differ("loss", loss[round], number(l))
		}
		if a := want.Accuracy[n]; a != nil {
			all, _ := array[float32](t, e, "lane0.accuracy")
			mean := 0.0
			for _, v := range all[round*clients : (round+1)*clients] {
				mean += float64(v) / float64(clients)
			}
			if math.Abs(mean-*a) > 1e-6 {
				differ("accuracy", mean, *a)
			}
		}
		for name, tests := range map[string][]*float64{"val": want.Val, "test": want.Test} {
			if tests[n] != nil {
				if got, _ := array[float64](t, e, "lane0."+name); math.Abs(got[round]-*tests[n]) > 1e-6 {
					differ(name, got[round], *tests[n])
				}
			}
		}
		for k := range sizes[1] {
			sum, squares := 0.0, 0.0
			for _, v := range models[round*size+k*sizes[2]:][:sizes[2]] {
				sum += float64(v)
				squares += float64(v) * float64(v)
			}
			length := math.Sqrt(squares)
			// A sum of d numbers is uncertain by √d times their size.
			if math.Abs(length-want.Lengths[n][k]) > 1e-5*max(length, 1e-3) ||
				math.Abs(sum-want.Sums[n][k]) > 1e-4*max(length, 1e-3) {
				differ(fmt.Sprintf("model %d: sum and length", k), []float64{sum, length},
					[]float64{want.Sums[n][k], want.Lengths[n][k]})
			}
		}
		if want.Mixture[n] != nil {
			mixture, _ := array[float32](t, e, "lane0.mixture")
			for i, v := range slices.Concat(want.Mixture[n]...) {
				if got := float64(mixture[round*clients*sizes[1]+i]); math.Abs(got-v) > 1e-5 {
					differ(fmt.Sprintf("weight of client %d for model %d:", i/sizes[1], i%sizes[1]), got, v)
				}
			}
		}
		if len(faults) > 0 {
			t.Errorf("%s, round %d: %s", want.Query, round, strings.Join(faults, "; "))
			return
		}
	}
}

// number is what a pointer points to, NaN for nil.
func number(p *float64) float64 {
	if p == nil {
		return math.NaN()
	}
	return *p
}

// near reports whether two numbers are equal up to a share of the larger.
func near(a, b, share float64) bool {
	return cmp.Compare(math.Abs(a-b), share*max(math.Abs(a), math.Abs(b))) <= 0
}
