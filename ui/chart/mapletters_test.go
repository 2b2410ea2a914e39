package chart

import (
	"testing"

	"flockscope/ui/scene"
)

// Without hue, every client says in a letter which model it was given, and
// nothing of the map is drawn in a model's colour.
func TestLetters(t *testing.T) {
	v := view(run(cflgp, ifca), 1, 14)
	v.Letters = true
	var l scene.List
	new(Map).Draw(&l, nil, v, Box{388, 320})
	letters := map[string]int{}
	for _, it := range items(t, &l) {
		switch it.op.Kind() {
		case "text":
			if text := it.op.Text; len(text) == 1 {
				letters[text]++
			}
		case "mark":
			if it.op.Fill != scene.Paper {
				t.Errorf("a mark is filled with colour %d, want paper", it.op.Fill)
			}
		}
	}
	want := map[string]int{}
	for _, k := range v.frame().Label {
		want[v.Letter(int(k))]++
	}
	for letter, n := range want {
		if got := letters[letter]; got < n {
			t.Errorf("%d marks say %s, want %d", got, letter, n)
		}
	}
}

// On a projector marks are 12 pixels wide at least, and half as wide again as
// on a screen.
func TestProjectorMarks(t *testing.T) {
	for _, clients := range []int{1, 12, 24, 25, 60, 150, 400, 2000} {
		v := View{Projector: true}
		if got, plain := v.radius(clients), markRadius(clients); got < 6 || got < 1.5*plain {
			t.Errorf("%d clients have marks of radius %v on a projector, %v on a screen", clients, got, plain)
		}
	}
}
