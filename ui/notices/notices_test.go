package notices

import (
	"slices"
	"testing"

	"flockscope/sim/say"
)

func texts(l List) (out []string) {
	for _, n := range l {
		out = append(out, n.Text.String())
	}
	return out
}

func TestList(t *testing.T) {
	var l List
	for _, text := range []say.Message{"a", "b", "a", "c"} {
		l.Add(text)
	}
	if l.Add("b") || !slices.Equal(texts(l), []string{"a", "b", "c"}) {
		t.Errorf("added twice, the list is %q", texts(l))
	}
	before := l[:len(l):len(l)]
	l.Remove(1)
	if !slices.Equal(texts(l), []string{"a", "c"}) || !slices.Equal(texts(before), []string{"a", "b", "c"}) {
		t.Errorf("without the second the list is %q; what was read before has become %q", texts(l), texts(before))
	}
	l.Withdraw("nothing")
	l.Withdraw("c")
	if !slices.Equal(texts(l), []string{"a"}) || !l.Add("c") {
		t.Errorf("withdrawn, the list is %q", texts(l))
	}
}
