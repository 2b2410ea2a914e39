package english

import "testing"

func TestCount(t *testing.T) {
	for _, tt := range []struct {
		n    int
		noun string
		want string
	}{{0, "circle", "0 circles"}, {1, "circle", "1 circle"}, {4, "circle", "4 circles"}, {1, "plus", "1 plus"},
		{2, "plus", "2 pluses"}} {
		if got := Count(tt.n, tt.noun); got != tt.want {
			t.Errorf("Count(%d, %q) = %q, want %q", tt.n, tt.noun, got, tt.want)
		}
	}
}

func TestList(t *testing.T) {
	for _, tt := range []struct {
		words []string
		want  string
	}{{nil, ""}, {[]string{"a"}, "a"}, {[]string{"a", "b"}, "a and b"}, {[]string{"a", "b", "c"}, "a, b and c"}} {
		if got := List(tt.words); got != tt.want {
			t.Errorf("List(%q) = %q, want %q", tt.words, got, tt.want)
		}
	}
}
