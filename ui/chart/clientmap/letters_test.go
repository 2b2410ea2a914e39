package clientmap

import (
	"testing"

	"flockscope/sim/draw/scene"
	"flockscope/ui/chart"
	"flockscope/ui/testing/charttest"
)

// Without hue, every client says in a letter which model it was given, and
// nothing of the map is drawn in a model's colour.
func TestLetters(t *testing.T) {
	v := charttest.View(charttest.Run(charttest.CFLGP, charttest.IFCA), 1, 14)
	v.Letters = true
	var l scene.List
	new(Map).Draw(&l, nil, v, chart.Box{W: 388, H: 320})
	letters := map[string]int{}
	for _, it := range charttest.Items(t, &l) {
		switch it.Op.Kind() {
		case "text":
			if text := it.Op.Text; len(text) == 1 {
				letters[text]++
			}
		case "mark":
			if it.Op.Fill != scene.Paper {
				t.Errorf("a mark is filled with colour %d, want paper", it.Op.Fill)
			}
		}
	}
	want := map[string]int{}
	for _, k := range v.Frame().Label {
		want[v.Letter(int(k))]++
	}
	for letter, n := range want {
		if got := letters[letter]; got < n {
			t.Errorf("%d marks say %s, want %d", got, letter, n)
		}
	}
}
