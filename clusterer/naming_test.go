package clusterer_test

import (
	"fmt"
	"slices"
	"testing"

	"flockscope/clusterer"
)

// named plays steps of labels, one digit a member, and returns the names after each.
func named(clusters int, group string, steps ...string) (names []string) {
	var n clusterer.Naming
	groups := 0
	for _, g := range group {
		groups = max(groups, int(g-'0')+1)
	}
	n.Reset(clusters, groups)
	for _, labels := range steps {
		for i := range labels {
			n.Count(int(labels[i]-'0'), int(group[i]-'0'))
		}
		n.Next()
		names = append(names, fmt.Sprint(n.Names))
	}
	return names
}

func TestNaming(t *testing.T) {
	for _, tt := range []struct {
		name     string
		clusters int
		group    string
		steps    []string
		want     []string
	}{
		{"the other way step", 2, "0000011111", []string{"1111100000"}, []string{"[1 0]"}},
		{"a cluster too many", 3, "0000011111", []string{"2222200000"}, []string{"[1 2 0]"}},
		{"a cluster too few", 2, "001122", []string{"110010"}, []string{"[1 0]"}},
		{"without gaps: the second of three groups has no cluster", 3, "001122", []string{"000022"}, []string{"[0 2 1]"}},
		{"one member is no reason", 2, "0000011111", []string{"0001011111", "1110000111"}, []string{"[0 1]", "[0 1]"}},
		{"many steps are", 2, "0000011111", []string{"0001011111", "1111000001", "1111000001", "1111000001"},
			[]string{"[0 1]", "[0 1]", "[1 0]", "[1 0]"}},
		{"what is right counts at once", 2, "0000011111", []string{"0000111111", "0000111111", "1111100000", "1111000000"},
			[]string{"[0 1]", "[0 1]", "[1 0]", "[1 0]"}},
	} {
		if got := named(tt.clusters, tt.group, tt.steps...); !slices.Equal(got, tt.want) {
			t.Errorf("%s: the names are %v, want %v", tt.name, got, tt.want)
		}
	}
}

// Names are a permutation whatever the labels, and naming allocates nothing.
func TestNamingAlways(t *testing.T) {
	var n clusterer.Naming
	state := uint32(1)
	draw := func(most int) int {
		state = state*1664525 + 1013904223
		return int(state>>16) % most
	}
	for range 300 {
		clusters, groups := 1+draw(7), 1+draw(5)
		n.Reset(clusters, groups)
		for range 6 {
			for range draw(30) {
				n.Count(draw(clusters), draw(groups))
			}
			n.Next()
			if names := slices.Sorted(slices.Values(n.Names)); len(names) != clusters || names[0] != 0 ||
				int(names[clusters-1]) != clusters-1 || len(slices.Compact(names)) != clusters {
				t.Fatalf("%d clusters are called %v", clusters, n.Names)
			}
		}
	}
	n.Reset(5, 4)
	if allocs := testing.AllocsPerRun(20, func() {
		for i := range 40 {
			n.Count(draw(5), i%4)
		}
		n.Next()
	}); allocs != 0 {
		t.Errorf("a step allocates %v times", allocs)
	}
}
