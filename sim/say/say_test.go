package say

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func chinese(t *testing.T) {
	Use("zh-Hans", ReadTable("// a remark\nPlay\t播放\nRound %d\t第 %d 轮\n%d circle\t%d 个圆形\n%d circles\t%d 个圆形\n"+
		"%d of %s, at most %d%%\t%[2]s 的 %[1]d，最多 %[3]d%%\n%s, %s\t%s，%s\n%s and %s\t%s和%s\nno value\t没有值\n"+
		"%s: %s\t%s：%s\nmore\t更多\nno tab here\n"))
	t.Cleanup(func() { Use("", nil) })
}

func TestText(t *testing.T) {
	texts := func() []string {
		return []string{Text("Play"), Text("Stop"), Text(""), Textf("Round %d", 4), Textf("no %s", "more"),
			Textf("%d of %s, at most %d%%", 3, "more", 5), Textf("%d of %s, at most %d%%", 3, Message("more"), 5),
			Count(1, "circle"), Count(4, "circle"), List([]string{"more", "b", "c"}), List([]string{"a"}),
			List[string](nil), List([]Message{"more", "b"}), Join([]string{"a", "b"}, ", "), Join([]string{"a", "b"}, " | ")}
	}
	english := []string{"Play", "Stop", "", "Round 4", "no more", "3 of more, at most 5%", "3 of more, at most 5%",
		"1 circle", "4 circles", "more, b and c", "a", "", "more and b", "a, b", "a | b"}
	own := []string{"播放", "Stop", "", "第 4 轮", "no more", "more 的 3，最多 5%", "更多 的 3，最多 5%",
		"1 个圆形", "4 个圆形", "more，b和c", "a", "", "更多和b", "a，b", "a | b"}
	same(t, texts(), english)
	if Language() != "" {
		t.Errorf("the language is %q before one is set", Language())
	}
	chinese(t)
	same(t, texts(), own)
	if Language() != "zh-Hans" {
		t.Errorf("the language is %q", Language())
	}
}

// A message is said where it is read, with all that is in it.
func TestMessage(t *testing.T) {
	inner := Errorf("%s: %s", "a.csv", Message("no value"))
	messages := []Message{"Play", Messagef("Round %d", 4), Messagef("%d of %s, at most %d%%", 3, CountMessage(4, "circle"), 5),
		Messagef("%d of %s, at most %d%%", 3, inner, 5), "(" + Messagef("Round %d", 1) + ") " + Messagef("Round %d", 2),
		Of(inner), Of(errors.New("Play")), Of(fmt.Errorf("x: %w", inner)), Name("Play"), Name(""), Messagef("%q, %.2f", "a\x01b\x03", 0.5),
		ListMessage([]Message{"more", Messagef("Round %d", 4)}), JoinMessage([]string{"more", "b"}, ", "),
		Messagef("%s and %s", "x\x01\x02\x03\x04y", Message(""))}
	english := []string{"Play", "Round 4", "3 of 4 circles, at most 5%", "3 of a.csv: no value, at most 5%",
		"(Round 1) Round 2", "a.csv: no value", "Play", "x: a.csv: no value", "Play", "", `"a\x01b\x03", 0.50`, "more and Round 4",
		"more, b", "xy and "}
	own := []string{"播放", "第 4 轮", "4 个圆形 的 3，最多 5%", "a.csv：没有值 的 3，最多 5%", "(第 1 轮) 第 2 轮",
		"a.csv：没有值", "Play", "x: a.csv: no value", "Play", "", `"a\x01b\x03", 0.50`, "更多和第 4 轮", "more，b", "xy和"}
	said := func() (all []string) {
		for _, m := range messages {
			all = append(all, Text(m))
		}
		return all
	}
	same(t, said(), english)
	chinese(t)
	same(t, said(), own)
	for i, m := range messages { // what is printed is English in any language
		if got := fmt.Sprintf("(%s)", m); got != "("+english[i]+")" {
			t.Errorf("printed it is %q, want %q", got, english[i])
		}
	}
	if got, err := json.Marshal(messages[1:2]); err != nil || string(got) != `["Round 4"]` {
		t.Errorf("as JSON it is %s, %v", got, err)
	}
	if inner.Error() != "a.csv: no value" {
		t.Errorf("the error is %q", inner)
	}
	if wrapping := Errorf("%s and %s", "a", inner); !errors.Is(wrapping, inner) {
		t.Error("an error of an error does not wrap it")
	}
}

// What was joined comes apart.
func TestCut(t *testing.T) {
	why, what := Messagef("Round %d", 4), Message("more")
	for _, tt := range []struct {
		m             Message
		before, after Message
		found         bool
	}{
		{JoinMessage([]Message{why, what}, "; "), why, what, true},
		{JoinMessage([]Message{JoinMessage([]Message{why, what}, ": "), what}, "; "),
			JoinMessage([]Message{why, what}, ": "), what, true},
		{"it grew; stop; now", "it grew", "stop; now", true},
		{"it grew", "it grew", "", false},
		{JoinMessage([]Message{why, what}, ": "), JoinMessage([]Message{why, what}, ": "), "", false},
		{Messagef("%s; %s", "a", why), Name("a"), why, true}, {"\x01%s; %s\x02\x04", "", "", true},
	} {
		if before, after, found := tt.m.Cut("; "); before != tt.before || after != tt.after || found != tt.found {
			t.Errorf("%q comes apart as %q and %q, %t", string(tt.m), string(before), string(after), found)
		}
	}
}

// What comes from elsewhere may be made to be slow, or to be long.
func TestHostile(t *testing.T) {
	const n = 1 << 20 // in a time that grew with its square the test would not end
	deep := strings.Repeat("\x01%s\x02", n)
	for name, text := range map[string]string{
		"deep": deep, "deep and closed": deep + strings.Repeat("\x03", n),
		"many times":  "\x01" + strings.Repeat("%[1]s", n/5) + "\x02" + strings.Repeat("x", n) + "\x03",
		"a long verb": "\x01%" + strings.Repeat("0", n) + "d\x02\x041\x03", "indexes": "\x01%" + strings.Repeat("[1]", n),
		"arguments": "\x01a" + strings.Repeat("\x02", n), "begun": strings.Repeat("\x01a", n),
	} {
		if said := Text(Message(text)); len(said) > len(text) {
			t.Errorf("%s: %d bytes become %d", name, len(text), len(said))
		}
	}
	m := Message("x")
	for range 2 * maxDepth {
		m = Messagef("(%s)", m)
	}
	if got := m.String(); !strings.HasPrefix(got, strings.Repeat("(", maxDepth)) || strings.ContainsAny(got, marks) {
		t.Errorf("what is deep is said %q", got)
	}
	var names []Message
	for range 1000 {
		names = append(names, "x")
	}
	if got := JoinMessage(names, ", ").String(); got != strings.TrimSuffix(strings.Repeat("x, ", 1000), ", ") {
		t.Errorf("a long list is said %q", got)
	}
}

// Whatever bytes come, a message is said somehow.
func FuzzText(f *testing.F) {
	f.Add(string(Messagef("%d of %s", 3, Messagef("Round %d", 4))))
	f.Add("\x01\x02\x04a\x03\x03")
	f.Add("\x01%[9]s%[\x02")
	f.Fuzz(func(t *testing.T, text string) {
		_ = Text(text)
		if m := Name(text); Text(m) != plain(text) {
			t.Errorf("the name %q is said %q", text, Text(m))
		}
	})
}

func same(t *testing.T, got, want []string) {
	t.Helper()
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("text %d is %q, want %q", i, got[i], want[i])
		}
	}
}
