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

// Files of a folder are called by its name, others by theirs.
func TestNamesOfFiles(t *testing.T) {
	for _, tt := range []struct {
		names []string
		want  string
	}{
		{[]string{"pets/cats/1.png", "pets/dogs/2.png", "pets/dogs/3.png"}, "pets"},
		{[]string{"pets/1.png"}, "pets/1.png"},
		{[]string{"<b>plain</b>.csv"}, "<b>plain</b>.csv"},
		{[]string{"a.csv"}, "a.csv"},
		{[]string{"a.csv", "b.csv"}, "a.csv and b.csv"},
		{[]string{"a.csv", "b.csv", "c.csv"}, "a.csv and 2 more"},
		{nil, ""},
	} {
		var files fileSet
		for _, name := range tt.names {
			files = append(files, wire.NamedFile{Name: name})
		}
		if got := files.names().String(); got != tt.want {
			t.Errorf("%q are called %q, want %q", tt.names, got, tt.want)
		}
	}
}
