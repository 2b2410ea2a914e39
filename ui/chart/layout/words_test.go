package layout_test

import (
	"math"
	"strings"
	"testing"

	"flockscope/sim/draw/scene"
	"flockscope/ui/chart/layout"
	"flockscope/ui/testing/charttest"
)

// TestParagraphInChinese: lines without spaces break between characters, none begins with a
// punctuation mark, and no text is lost.
func TestParagraphInChinese(t *testing.T) {
	const text = "近 = 更新相似。云的大小 = 噪声。坐标轴没有单位。这张平面图保留了 99% 的离散度。"
	for width := float32(60); width < 400; width += 7 {
		var l scene.List
		font := scene.Font{Size: layout.Small}
		layout.Paragraph(&l, 0, 0, width, font, text)
		got := ""
		for _, it := range charttest.Items(t, &l) {
			line := string(it.Op.Text)
			if scene.TextWidth(line, layout.Small, false) > width+layout.Small {
				t.Errorf("at %v: %q is too long", width, line)
			}
			if strings.ContainsAny(string([]rune(line)[:1]), "。，") {
				t.Errorf("at %v: a line begins with a mark: %q", width, line)
			}
			got += line
		}
		if strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(text, " ", "") {
			t.Errorf("at %v: %q, want %q", width, got, text)
		}
	}
}

func TestSpread(t *testing.T) {
	at := []float32{50, 50, 10, 51}
	layout.Spread(at, make([]int, 4), 15, 0, 100)
	for i := range at {
		for j := range i {
			if d := math.Abs(float64(at[i] - at[j])); d < 15 {
				t.Errorf("places %v: %d and %d are %v apart", at, i, j, d)
			}
		}
		if at[i] < 0 || at[i] > 100 {
			t.Errorf("place %v is outside", at[i])
		}
	}
}
