package goldenlinks

import (
	"slices"
	"testing"
)

// TestUpdate: a changed value leaves what it was and why; what is the same, new or
// gone leaves nothing, and earlier changes stay.
func TestUpdate(t *testing.T) {
	kept := Blocks("query a\nlane x 1\nlane y 2\nwas lane x 0, before: First\n\nquery b\nlane x 5\nlane z 6\n")
	fresh := []string{"query new\nlane x 9", "query a\nlane x 1\nlane y 3\n", "query b\nlane x 5"}
	want := []string{
		"query new\nlane x 9",
		"query a\nlane x 1\nlane y 3\nwas lane x 0, before: First\nwas lane y 2, before: Second",
		"query b\nlane x 5",
	}
	got, err := Update(kept, fresh, "Second")
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("Update gives %q, %v; want %q", got, err, want)
	}
	if d := Differences(got, fresh); len(d) > 0 {
		t.Errorf("after Update there are differences: %q", d)
	}
	if d := Differences(kept[:1], fresh[1:2]); len(d) != 1 {
		t.Errorf("a changed value is reported as %q, want one difference", d)
	}
	if d := Differences(kept, fresh[:1]); len(d) != 2 {
		t.Errorf("a missing block and another one are reported as %q, want two differences", d)
	}
	if _, err := Update(kept, fresh, ""); err == nil {
		t.Error("a value changed without a reason, and Update reports no error")
	}
	if got, want := Reasons(got), []string{"First", "Second"}; !slices.Equal(got, want) {
		t.Errorf("Reasons = %q, want %q", got, want)
	}
}
