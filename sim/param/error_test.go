package param

import (
	"strings"
	"testing"
)

func TestErrorText(t *testing.T) {
	tests := []struct {
		name string
		err  Error
		want string
	}{
		{"without a hint", Error{Field: "dphi", Got: "900", Want: "a number from 0 to 80"}, `dphi: got "900", want a number from 0 to 80`},
		{"with a hint", Error{Field: "cflgp.P", Got: "1", Want: "2 or more", Hint: "t mod 1 is never 1"}, `cflgp.P: got "1", want 2 or more (t mod 1 is never 1)`},
		{"forty signs stay", Error{Field: "x", Got: "ääääääääääääääääääääääääääääääääääääääää", Want: "less"}, `x: got "ääääääääääääääääääääääääääääääääääääääää", want less`},
		{"more are cut", Error{Field: "x", Got: "ääääääääääääääääääääääääääääääääääääääääa", Want: "less"}, `x: got "ääääääääääääääääääääääääääääääääääääääää…", want less`},
	}
	for _, tt := range tests {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("%s: %#v reads %s, want %s", tt.name, tt.err, got, tt.want)
		}
	}
}

func TestPlain(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`my "best" rows.csv`, `my "best" rows.csv`},
		{`"`, `"`},
		{"a\nb", `a\nb`},
		{`\"`, `\\"`},
		{strings.Repeat("é", 50), strings.Repeat("é", 40) + "…"},
	} {
		if got := Plain(tt.text); got != tt.want {
			t.Errorf("Plain(%q) = %s, want %s", tt.text, got, tt.want)
		}
	}
}

func TestDidYouMean(t *testing.T) {
	names := []string{"fedavg", "local", "ifca", "cflgp", "clove", "K", "C", "probe", "lr"}
	tests := []struct{ name, got, want string }{
		{"swap", "icfa", `did you mean "ifca"?`},
		{"missing letter", "ifc", `did you mean "ifca"?`},
		{"extra letter", "cloove", `did you mean "clove"?`},
		{"wrong letter", "fedavk", `did you mean "fedavg"?`},
		{"two slips", "cfpgl", `did you mean "cflgp"?`},
		{"case", "IFCA", `did you mean "ifca"?`},
		{"case of one letter", "k", `did you mean "K"?`},
		{"another letter is no slip", "q", ""},
		{"two letters, one wrong", "lt", `did you mean "lr"?`},
		{"two letters, both wrong", "xy", ""},
		{"nothing like it", "kmeans", ""},
		{"empty", "", ""},
		{"very long", "ifcaifcaifcaifcaifcaifcaifcaifcaifcaifcaifcaifca", ""},
		{"exact", "clove", `did you mean "clove"?`},
	}
	for _, tt := range tests {
		if got := DidYouMean(tt.got, names).String(); got != tt.want {
			t.Errorf("%s: DidYouMean(%q, %v) = %s, want %s", tt.name, tt.got, names, got, tt.want)
		}
	}
	if got := DidYouMean("a", nil); got != "" {
		t.Errorf("DidYouMean(%q, nil) = %q, want nothing", "a", got)
	}
}

func TestEditDistance(t *testing.T) {
	tests := []struct {
		name, a, b string
		want       int
	}{
		{"same", "ifca", "ifca", 0},
		{"empty", "", "abc", 3},
		{"both empty", "", "", 0},
		{"insertion", "ifca", "ifcxa", 1},
		{"deletion", "ifca", "ica", 1},
		{"substitution", "ifca", "ifza", 1},
		{"swap", "ifca", "icfa", 1},
		{"swap at the front", "ifca", "fica", 1},
		{"kitten", "kitten", "sitting", 3},
	}
	for _, tt := range tests {
		for _, pair := range [][2]string{{tt.a, tt.b}, {tt.b, tt.a}} {
			if got := editDistance(pair[0], pair[1]); got != tt.want {
				t.Errorf("%s: editDistance(%q, %q) = %d, want %d", tt.name, pair[0], pair[1], got, tt.want)
			}
		}
	}
}
