package shell

import (
	"testing"

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
