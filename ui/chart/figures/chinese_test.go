package figures_test

import (
	"os"
	"regexp"
	"testing"

	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/ui/chart"
	"flockscope/ui/testing/charttest"
)

// names are not translated: those of methods, measures and layers, and the classes of the fixture.
var names = regexp.MustCompile(`CFL-GP|IFCA|CLoVE|FedAvg|FedEM|ARI|Local|conv?|den(se)?|relu|res|gap|gmax|embed`)

var english = regexp.MustCompile(`[A-Za-z]{3,}`)

// In Chinese no figure contains English, and its texts have room.
func TestChinese(t *testing.T) {
	table, err := os.ReadFile("../../../assets/zh.txt")
	if err != nil {
		t.Fatal(err)
	}
	say.Use("zh-Hans", say.ReadTable(string(table)))
	t.Cleanup(func() { say.Use("", nil) })
	read := func(t *testing.T, text string) {
		if word := english.FindString(names.ReplaceAllString(say.Text(text), "")); word != "" {
			t.Errorf("%q is said: %q", word, text)
		}
	}
	every(t, func(t *testing.T, p picture, l *scene.List, hits chart.Hits) {
		staysInside(t, p, l, hits)
		isReadable(t, p, l, hits)
		for _, it := range charttest.Items(t, l) {
			read(t, it.Op.Text)
		}
	})
	for _, p := range pictures() {
		read(t, p.figure.Describe(p.view))
		head, rows := p.figure.Table(p.view)
		for _, row := range append(rows, head) {
			for _, text := range row {
				read(t, text)
			}
		}
	}
}
