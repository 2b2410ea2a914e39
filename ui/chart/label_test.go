package chart

import (
	"strings"
	"testing"

	"flockscope/ui/scene"
)

// TestParagraphInChinese: lines without spaces end between characters, none begins with
// a mark, and nothing is lost.
func TestParagraphInChinese(t *testing.T) {
	const text = "近 = 更新相似。云的大小 = 噪声。坐标轴没有单位。这张平面图保留了 99% 的离散度。"
	for width := float32(60); width < 400; width += 7 {
		var l scene.List
		font := scene.Font{Size: small}
		paragraph(&l, 0, 0, width, font, []byte(text))
		got := ""
		for _, it := range items(t, &l) {
			line := string(it.op.Text)
			if scene.TextWidth(line, small, false) > width+small {
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
