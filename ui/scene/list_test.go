package scene

import (
	"testing"
)

// TestSay: texts are put into another language as they are written, and lists that
// were emptied write as before.
func TestSay(t *testing.T) {
	for _, tt := range []struct {
		say  func(string) string
		want string
	}{
		{nil, "loss mean"},
		{func(s string) string { return "<" + s + ">" }, "<loss>< mean>"},
	} {
		var l List
		l.Say(func(string) string { return "forgotten" })
		l.Reset()
		l.Say(tt.say)
		l.Text(0, 0, Font{}, "loss")
		l.TextBytes(0, 0, Font{}, []byte(" mean"))
		got := ""
		if err := Walk(l.Bytes(), func(op *Op) { got += string(op.Text) }); err != nil {
			t.Fatal(err)
		}
		if got != tt.want {
			t.Errorf("the list says %q, want %q", got, tt.want)
		}
	}
}
