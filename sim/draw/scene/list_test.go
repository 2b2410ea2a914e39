package scene

import (
	"testing"

	"flockscope/sim/say"
)

// Texts are written in the language in use, but for names and numbers.
func TestLanguage(t *testing.T) {
	say.Use("zh-Hans", say.ReadTable("loss\t损失\nmean\t平均\n"))
	t.Cleanup(func() { say.Use("", nil) })
	var l List
	l.Text(0, 0, Font{}, "loss")
	l.TextBytes(0, 0, Font{}, []byte("mean"))
	l.Text(0, 0, Font{}, "CFL")
	got := ""
	if err := Walk(l.Bytes(), func(op *Op) { got += string(op.Text) }); err != nil {
		t.Fatal(err)
	}
	if got != "损失meanCFL" {
		t.Errorf("the list says %q", got)
	}
}
