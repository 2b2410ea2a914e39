package partition

import (
	"errors"
	"strings"
	"testing"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
)

func TestErrors(t *testing.T) {
	vector := labelled(700, 10, 0)
	vector.Shape = dataset.Shape{Height: 1, Width: 50, Channels: 1}
	numbers := &dataset.Set{Name: "Numbers", Shape: vector.Shape, Value: make([]float32, 700), Train: 600}
	whole := labelled(700, 10, 0)
	whole.Train = 700
	big := labelled(700, 10, 0)
	big.Shape = dataset.Shape{Height: 256, Width: 256, Channels: 1}
	tests := []struct {
		name    string
		set     *dataset.Set
		clients int
		words   []string
		field   string
		got     string
		says    string // in the message
	}{
		{"more clients than samples", digits(), 1751, nil, "C", "1751", "at most 1750"},
		{"more clients than tests", digits(), 501, []string{"test=set"}, "C", "501", "at most 500"},
		{"no test split", whole, 5, []string{"test=set"}, "test", "set", "no test split"},
		{"nothing to be tested on", labelled(7000, 10, 0), 900, []string{"test=set"}, "C", "900", "(a client has no samples left for testing; or set test=share)"},
		{"turned vectors", vector, 8, []string{"shift=rotations"}, "shift", "rotations", "images"},
		{"corrupted vectors", vector, 8, []string{"shift=corruptions"}, "shift", "corruptions", "images"},
		{"mixed vectors", vector, 8, []string{"shift=mixture"}, "shift", "mixture", "images"},
		{"large pictures", big, 8, []string{"shift=rotations"}, "shift", "rotations", "smaller"},
		{"skew of two classes", labelled(700, 2, 0), 5, []string{"split=skew1"}, "split", "skew1", "ten classes"},
		{"skew of 62 classes", labelled(7000, 62, 0), 5, []string{"split=skew4"}, "split", "skew4", "ten classes"},
		{"skew of few samples", labelled(200, 10, 0), 5, []string{"split=skew4"}, "split", "skew4", "27 samples"},
		{"pairs of 62 classes", labelled(7000, 62, 0), 5, []string{"split=pairs"}, "split", "pairs", "a set of 2 to 12 classes"},
		{"pairs of one class", labelled(700, 1, 0), 5, []string{"split=pairs"}, "split", "pairs", "a set of 2 to 12 classes"},
		{"swaps of two classes", labelled(700, 2, 0), 5, []string{"concept=swaps"}, "concept", "swaps", "ten classes"},
		{"writers unknown", labelled(700, 10, 0), 5, []string{"split=writers"}, "split", "writers", "a set with writers"},
		{"more clients than writers", labelled(700, 10, 6), 7, []string{"split=writers"}, "C", "7", "6 writers"},
		{"more clients than writers in each view", labelled(700, 10, 6), 20, []string{"split=writers", "shift=mixture", "reuse=1"}, "C", "20", "6 writers"},
		{"writers of a sample each", labelled(10, 1, 10), 5, []string{"split=writers"}, "split", "writers", "no writer of Labelled has both"},
		{"too many classes each", digits(), 5, []string{"split=classes", "per=11"}, "per", "11", "at most 10"},
		{"classes that do not come out even", digits(), 5, []string{"split=classes", "per=4"}, "per", "4", "pick=random"},
		{"too many renamed", digits(), 5, []string{"concept=beta", "cbeta=11"}, "cbeta", "11", "at most 10"},
		{"half a swap", digits(), 5, []string{"concept=beta", "rename=swap", "cbeta=5"}, "cbeta", "5", "an even number"},
		{"too many swaps", digits(), 5, []string{"concept=beta", "rename=swap", "cbeta=6"}, "concepts", "3", "at most 2"},
		{"too many concepts", labelled(700, 2, 0), 5, []string{"concept=permute"}, "concepts", "3", "at most 2"},
		{"classes of numbers", numbers, 5, []string{"split=dirichlet"}, "split", "dirichlet", "classes"},
		{"few classes of numbers", numbers, 5, []string{"split=classes"}, "split", "classes", "classes"},
		{"concepts of numbers", numbers, 5, []string{"concept=permute"}, "concept", "permute", "classes"},
		{"noise on numbers", numbers, 5, []string{"noise=pair"}, "noise", "pair", "classes"},
		{"nothing left by chance", labelled(700, 10, 0), 300, []string{"split=dirichlet", "alpha=0.05"}, "alpha", "0.05", "100 draws each left some client without samples"},
		{"nothing left by size", labelled(200, 10, 0), 50, []string{"split=unequal", "ratio=100"}, "ratio", "100", "(a client gets only"},
		{"nothing left by number", labelled(150, 10, 0), 50, []string{"split=unequal", "ratio=100"}, "C", "50", "(a client gets only"},
	}
	for _, tt := range tests {
		_, err := Build(settings(t, tt.words...), tt.set, tt.clients, 1)
		var e *param.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: error %v, want a *param.Error", tt.name, err)
			continue
		}
		if e.Field != tt.field || e.Got != tt.got || !strings.Contains(e.Error(), tt.says) || e.Want == "" {
			t.Errorf("%s: error %q about %s = %q, want %s = %q and %q", tt.name, e.Error(), e.Field, e.Got, tt.field,
				tt.got, tt.says)
		}
	}
}

// TestFields: names are short and lower case, defaults are canonical, options
// come from the registries, and each entry's settings are read by it.
func TestFields(t *testing.T) {
	for f := range param.All(Fields()) {
		if f.Name != strings.ToLower(f.Name) || len(f.Name) > 9 {
			t.Errorf("field %q: want a short name of its own in lower case", f.Name)
		}
		if f.Label == "" || f.Doc == "" || f.Section != param.Data {
			t.Errorf("field %s: label %q, doc %q, section %q", f.Name, f.Label, f.Doc, f.Section)
		}
		if text, err := f.Canonical(f.Default); err != nil || text != f.Default {
			t.Errorf("field %s: Canonical(%q) = %q, %v", f.Name, f.Default, text, err)
		}
	}
	reads := func(v param.Values, name string) bool {
		for f := range param.Chosen(Fields(), v.Text) {
			if f.Name == name {
				return true
			}
		}
		return false
	}
	for _, tt := range []struct {
		words []string
		name  string
		want  bool
	}{
		{nil, "order", true}, {nil, "alpha", false}, {nil, "chi", false}, {nil, "share", true}, {nil, "reuse", false},
		{[]string{"split=dirichlet"}, "alpha", true}, {[]string{"split=dirichlet"}, "order", false},
		{[]string{"test=set"}, "share", false}, {[]string{"shift=mixture"}, "kappa", true}, {[]string{"shift=mixture"}, "reuse", true},
		{[]string{"noise=pair"}, "chi", true}, {[]string{"concept=permute"}, "concepts", true}, {[]string{"concept=permute"}, "cbeta", false},
	} {
		if got := reads(settings(t, tt.words...), tt.name); got != tt.want {
			t.Errorf("the partition %v reads %s: %v, want %v", tt.words, tt.name, got, tt.want)
		}
	}
}
