package charttest

import (
	"slices"
	"testing"

	"flockscope/sim/draw/scene"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

// Describes checks the sentence of a figure.
func Describes(t *testing.T, figure chart.Figure, v *chart.View, want string) {
	t.Helper()
	if got := figure.Describe(v); got != want {
		t.Errorf("Describe = %q, want %q", got, want)
	}
}

// StaysInside draws a figure and checks that it stays inside its box.
func StaysInside(t *testing.T, figure chart.Figure, v *chart.View, box chart.Box) {
	t.Helper()
	var l scene.List
	figure.Draw(&l, nil, v, box)
	for _, it := range Items(t, &l) {
		if a := it.Visible; !(a.X0 >= -1 && a.X1 <= box.W+1 && a.Y0 >= -1 && a.Y1 <= box.H+1) {
			t.Errorf("%T in %v: %s at %v leaves the box", figure, box, it.Op.Kind(), a)
		}
	}
}

// Item is a decoded operation and its part inside the clips.
type Item struct {
	Op      scene.Op
	Visible layout.Area
}

// Items decodes a list and applies the clips.
func Items(t *testing.T, l *scene.List) []Item {
	t.Helper()
	var out []Item
	everything := layout.Rect(-1e9, -1e9, 1e9, 1e9)
	clips := []layout.Area{everything}
	err := scene.Walk(l.Bytes(), func(op *scene.Op) {
		clip := clips[len(clips)-1]
		switch op.Kind() {
		case "clip":
			v := op.Values
			clips = append(clips, layout.Rect(max(clip.X0, v[0]), max(clip.Y0, v[1]), min(clip.X1, v[0]+v[2]),
				min(clip.Y1, v[1]+v[3])))
			return
		case "unclip":
			clips = clips[:len(clips)-1]
			return
		}
		if x0, y0, x1, y1, ok := op.Extent(); ok {
			if !(x0-x0 == 0 && y0-y0 == 0 && x1-x1 == 0 && y1-y1 == 0) {
				t.Errorf("%s has a coordinate that is not a number: %v", op.Kind(), op.Values)
			}
			a := layout.Rect(max(x0, clip.X0), max(y0, clip.Y0), min(x1, clip.X1), min(y1, clip.Y1))
			if a.X0 <= a.X1 && a.Y0 <= a.Y1 {
				kept := *op
				kept.Values = slices.Clone(op.Values)
				out = append(out, Item{kept, a})
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(clips) != 1 {
		t.Errorf("%d clips are left open", len(clips)-1)
	}
	return out
}
