package param

import (
	"slices"
	"testing"
)

// nested is a choice that brings along a choice, which brings along a field that
// two options share.
func nested() []Field {
	keep := Field{Name: "keep", Kind: Switch, Default: "0"}
	return []Field{
		{Name: "lr", Kind: Float, Default: "1"},
		{Name: "avg", Kind: Choice, Default: "gradient", Options: []Option{
			{Name: "gradient"},
			{Name: "model", Fields: []Field{
				{Name: "tau", Kind: Int, Default: "1"},
				{Name: "opt", Kind: Choice, Default: "sgd", Options: []Option{{Name: "sgd"}, {Name: "momentum", Fields: []Field{keep}}, {Name: "adam", Fields: []Field{keep}}}},
			}},
		}},
		{Name: "nd", Kind: Int, Default: "-1"},
	}
}

func names(fields func(yield func(*Field) bool)) (out []string) {
	for f := range fields {
		out = append(out, f.Name)
	}
	return out
}

func TestAll(t *testing.T) {
	if got, want := names(All(nested())), []string{"lr", "avg", "tau", "opt", "keep", "keep", "nd"}; !slices.Equal(got,
		want) {
		t.Errorf("All yields %v, want %v", got, want)
	}
	if got := names(All(nil)); got != nil {
		t.Errorf("All of nothing yields %v", got)
	}
}

func TestChosen(t *testing.T) {
	tests := []struct {
		name   string
		values map[string]string
		want   []string
	}{
		{"nothing chosen", nil, []string{"lr", "avg", "nd"}},
		{"an option without fields", map[string]string{"avg": "gradient", "opt": "adam"}, []string{"lr", "avg", "nd"}},
		{"an option with fields", map[string]string{"avg": "model", "opt": "sgd"}, []string{"lr", "avg", "tau", "opt", "nd"}},
		{"an option of an option", map[string]string{"avg": "model", "opt": "adam"}, []string{"lr", "avg", "tau", "opt", "keep", "nd"}},
		{"unknown options", map[string]string{"avg": "median", "opt": "adam"}, []string{"lr", "avg", "nd"}},
	}
	for _, tt := range tests {
		if got := names(Chosen(nested(), func(name string) string { return tt.values[name] })); !slices.Equal(got,
			tt.want) {
			t.Errorf("%s: Chosen yields %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestWalkStops: a walk stops when yield returns false, at any depth, and gets the fields
// themselves.
func TestWalkStops(t *testing.T) {
	list := nested()
	for n := 1; n <= 7; n++ {
		seen := 0
		for f := range All(list) {
			f.Doc = "seen"
			if seen++; seen == n {
				break
			}
		}
		if seen != n {
			t.Errorf("after a break at %d of 7 fields %d were seen", n, seen)
		}
	}
	if deep := list[1].Options[1].Fields[1].Options[2].Fields[0]; deep.Doc != "seen" {
		t.Error("All yields copies of fields, want the fields")
	}
}

// TestCount: a list takes as many numbers as its field says, and eight where it
// says nothing.
func TestCount(t *testing.T) {
	for _, tt := range []struct{ count, most int }{{0, 8}, {1, 1}, {3, 3}, {16, 16}} {
		f := Field{Name: "angles", Kind: Numbers, Max: 9, MaxCount: tt.count}
		text := "1"
		for range tt.most - 1 {
			text += ",1"
		}
		if got, err := f.Canonical(text); err != nil || got != text {
			t.Errorf("with Count %d Canonical(%q) = %q, %v, want it unchanged", tt.count, text, got, err)
		}
		if got, err := f.Canonical(text + ",1"); err == nil {
			t.Errorf("with Count %d Canonical of %d numbers = %q, want an error", tt.count, tt.most+1, got)
		}
	}
}

// TestOptionsAreAllTaken: what an option brings along does not change which
// texts the choice takes.
func TestOptionsAreAllTaken(t *testing.T) {
	choice := nested()[1]
	for _, text := range []string{"gradient", "model", " model "} {
		if _, err := choice.Canonical(text); err != nil {
			t.Errorf("Canonical(%q): %v", text, err)
		}
	}
	for _, text := range []string{"tau", "modle", ""} {
		if got, err := choice.Canonical(text); err == nil {
			t.Errorf("Canonical(%q) = %q, want an error", text, got)
		}
	}
}
