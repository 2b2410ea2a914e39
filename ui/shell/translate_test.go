package shell

import (
	"testing"

	"github.com/vugu/vugu"

	"flockscope/sim/say"
)

func TestMarkup(t *testing.T) {
	say.Use("zh-Hans", say.ReadTable("Play\t播放\na<b\t甲<乙\n"))
	t.Cleanup(func() { say.Use("", nil) })
	for html, want := range map[string]string{"Play": "播放", " Play\n": " 播放\n", "<b>Play</b> it": "<b>播放</b> it",
		"a &amp; b": "a &amp; b", "<i>a&lt;b</i>": "<i>甲&lt;乙</i>", "<br>": "<br>", "": ""} {
		if got := Markup(html); got != want {
			t.Errorf("Markup(%q) = %q, want %q", html, got, want)
		}
	}
}

// Nodes share the attributes of their template, which stay English: the language can change back.
func TestTranslateKeepsTemplates(t *testing.T) {
	say.Use("zh-Hans", say.ReadTable("Play\t播放\n"))
	t.Cleanup(func() { say.Use("", nil) })
	shared := []vugu.VGAttribute{{Key: "class", Val: "Play"}, {Key: "title", Val: "Play"}}
	n := &vugu.VGNode{Type: vugu.ElementNode, Data: "button", Attr: shared}
	translate(nil, n)
	if n.Attr[0].Val != "Play" || n.Attr[1].Val != "播放" || shared[1].Val != "Play" {
		t.Errorf("the node has %v and its template %v", n.Attr, shared)
	}
}
