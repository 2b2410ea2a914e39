package i18n

import "testing"

func TestLocale(t *testing.T) {
	l := New("zh-Hans", "// a remark\n"+
		"Play\t播放\n"+
		"Round #\t第 # 轮\n"+
		"All # clients are in the right place, since round # and for good.\t自第 # 轮起全部到位（共 # 个）。\n"+
		"Settings of {}\t{} 的设置\n"+
		"Theme: {}\t主题：{}\ndark\t深色\n"+
		"# clients.\t# 个客户端。\n"+
		"to take {} for {}, # times in #\t把 {} 当作 {}，# 次，共 # 次\n"+
		"Map, round #, {}\t地图，第 # 轮，{}\n"+
		"# circles as {}\t# 个圆形为 {}\n"+
		"none misplaced\t没有放错的\n"+
		"unknown setting {}\t未知的设置 {}\n"+
		"no tab here\n")
	tests := []struct{ text, want string }{
		{"Play", "播放"},
		{" Play\n", " 播放\n"},
		{"Round 14", "第 14 轮"},
		{"Settings of CFL-GP", "CFL-GP 的设置"},
		{"Theme: dark", "主题：深色"},
		{"Round 1,200", "第 1,200 轮"},
		{"12 clients. Nobody knows.", "12 个客户端。Nobody knows."},
		{"to take 4 for 9, 17 times in 64", "把 4 当作 9，17 次，共 64 次"},
		{"Map, round 14, CFL-GP: 4 circles as B; 3 stars as C; none misplaced.", "地图，第 14 轮，CFL-GP：4 个圆形为 B；3 stars as C；没有放错的。"},
		{"unknown setting xyz.", "未知的设置 xyz。"},
		{"Something else", "Something else"},
		{"", ""},
		{" ", " "},
	}
	for _, tt := range tests {
		if got := l.Text(tt.text); got != tt.want {
			t.Errorf("Text(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
	if got := (*Locale)(nil).Text("Play"); got != "Play" {
		t.Errorf("without a locale, Play is %q", got)
	}
	for html, want := range map[string]string{
		"Play": "播放", "<b>Play</b> it": "<b>播放</b> it", "a &amp; b": "a &amp; b", "Settings of a&lt;b": "a&lt;b 的设置", "<br>": "<br>", "": "",
	} {
		if got := l.Markup(html); got != want {
			t.Errorf("markup(%q) = %q, want %q", html, got, want)
		}
	}
}
