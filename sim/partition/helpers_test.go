package partition

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
)

// settings returns the defaults with "key=value" words on top, each checked by
// its field.
func settings(t testing.TB, words ...string) param.Values {
	t.Helper()
	v := param.Given{}
	for f := range param.All(Fields()) {
		v[f.Name] = f.Default
	}
	for _, word := range words {
		key, text, _ := strings.Cut(word, "=")
		if _, ok := v[key]; !ok {
			t.Fatalf("no field %s", key)
		}
		for f := range param.All(Fields()) {
			if f.Name == key {
				canonical, err := f.Canonical(text)
				if err != nil {
					t.Fatal(err)
				}
				v[key] = canonical
			}
		}
	}
	return v.Values()
}

// build makes a partition that must be possible.
func build(t testing.TB, set *dataset.Set, clients int, seed uint64, words ...string) *Partition {
	t.Helper()
	p, err := Build(settings(t, words...), set, clients, seed)
	if err != nil {
		t.Fatalf("%d clients, seed %d, %v: %v", clients, seed, words, err)
	}
	return p
}

// digits is a set of 3500 digits, 500 of them for testing.
var digits = sync.OnceValue(func() *dataset.Set { return dataset.Digits(1, 3500) })

// labelled is a set of n samples without pixels: classes in turn, writers in
// blocks, one in seven samples for testing.
func labelled(n, classes, writers int) *dataset.Set {
	s := &dataset.Set{Name: "Labelled", Shape: dataset.Shape{Height: 28, Width: 28, Channels: 1}, Classes: classes,
		Train: n - n/7}
	for i := range n {
		s.Label = append(s.Label, uint8(i%classes))
		if writers > 0 {
			s.Writer = append(s.Writer, int32(i/classes%writers))
		}
	}
	for w := range writers {
		s.Writers = append(s.Writers, "w"+string(rune('a'+w)))
	}
	return s
}

// groupNames are the names of the groups in English.
func groupNames(p *Partition) (names []string) {
	for _, name := range p.GroupNames {
		names = append(names, name.String())
	}
	return names
}

// countClasses counts the classes of samples.
func countClasses(set *dataset.Set, samples []int32) []int {
	n := make([]int, set.Classes)
	for _, i := range samples {
		n[set.Label[i]]++
	}
	return n
}

// groupSamples returns all training samples of each group.
func groupSamples(p *Partition) [][]int32 {
	out := make([][]int32, p.Groups)
	for _, c := range p.Clients {
		out[c.Group] = append(out[c.Group], c.Train...)
	}
	return out
}

// present lists the numbers of classes that occur.
func present(counts []int) []int {
	var out []int
	for c, n := range counts {
		if n > 0 {
			out = append(out, c)
		}
	}
	return out
}

// spread returns the least and the most of a list.
func spread(list []int) (least, most int) { return slices.Min(list), slices.Max(list) }
