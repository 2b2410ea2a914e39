package workload

import (
	"math"
	"slices"
	"testing"

	"flockscope/sim/model"
	"flockscope/sim/partition"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
)

// TestWords: what clients hold are shares of words, of length 1, shown as
// squares; with concepts, clients of a group call topics by the same names and
// others by others.
func TestWords(t *testing.T) {
	w := build(t, "words", nil, "n=400", "concept=permute", "concepts=3", "net=softmax")
	of, groups := w.Groups()
	if groups != 3 || slices.Max(of) != 2 || w.(Evaluated).Classes() != 10 {
		t.Fatalf("%d groups %v, %d classes, want 3 and 10", groups, of, w.(Evaluated).Classes())
	}
	var b model.Batch
	var s rng.Stream
	for i := range w.Clients() {
		s.Reset(1, rng.Samples, 1, i)
		w.Draw(&b, i, 10, &s)
		width := len(b.X) / b.N
		for j := range b.N {
			length, least := 0.0, float32(0)
			for _, v := range b.X[j*width : (j+1)*width] {
				length += float64(v) * float64(v)
				least = min(least, v)
			}
			if least < 0 || math.Abs(length-1) > 1e-6 {
				t.Errorf("client %d: a text of length %v with numbers down to %v, want 1 and none below 0", i,
					math.Sqrt(length), least)
			}
		}
	}
	if g := w.DataPreview(&s, 1).Gallery; g.Height != 16 || g.Width != 16 || g.Each == 0 || len(g.Groups) != 3 ||
		len(g.Classes) != 10 {
		t.Errorf("texts are shown as %d pictures of %d × %d, of %q in %q", g.Each, g.Height, g.Width, g.Classes,
			g.Groups)
	}
}

// TestWordsAreShared: every way to share out samples that knows no pixels goes
// with texts, and the others are refused.
func TestWordsAreShared(t *testing.T) {
	e, _ := Registry.Lookup("words")
	try := func(field, value string) error {
		v := words("C=10", "sd=1")
		defaults(v, e.Fields)
		set(v, "n=60000", "net=softmax", "per=2", field+"="+value)
		_, err := e.Make.Make(v.Values(), nil)
		return err
	}
	for _, split := range metas(&partition.Splits) {
		if err := try("split", split); (err != nil) != (split == "writers") {
			t.Errorf("split=%s: %v", split, err)
		}
	}
	for _, concept := range metas(&partition.Concepts) {
		if err := try("concept", concept); err != nil {
			t.Errorf("concept=%s: %v", concept, err)
		}
	}
	for _, shift := range metas(&partition.Shifts) {
		if err := try("shift", shift); (err != nil) != (shift != "none") {
			t.Errorf("shift=%s: %v", shift, err)
		}
	}
}

// metas are the names of a registry's entries.
func metas[T any](r *registry.Registry[T]) (names []string) {
	for _, e := range r.All() {
		names = append(names, e.Name)
	}
	return names
}
