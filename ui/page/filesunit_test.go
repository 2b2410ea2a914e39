package page

import (
	"testing"

	"flockscope/sim/wire"
)

func named(names ...string) (out []wire.NamedFile) {
	for _, name := range names {
		out = append(out, wire.NamedFile{Name: name})
	}
	return out
}

func TestListNames(t *testing.T) {
	for _, tt := range []struct {
		files []wire.NamedFile
		want  string
	}{
		{nil, ""}, {named("a"), "a"}, {named("a", "b"), "a and b"}, {named("a", "b", "c"), "a and 2 more"},
	} {
		if got := fileSet(tt.files).names().String(); got != tt.want {
			t.Errorf("names of %d files = %q, want %q", len(tt.files), got, tt.want)
		}
	}
}
