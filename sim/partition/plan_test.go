package partition

import (
	"fmt"
	"slices"
	"testing"

	"flockscope/sim/say"
)

// TestSpreadEvenly: over one layer, groups differ by at most one client and
// have neighbouring numbers.
func TestSpreadEvenly(t *testing.T) {
	for clients := 1; clients <= 40; clients++ {
		for groups := 1; groups <= 12; groups++ {
			p := newPlan(clients, evenly(groups), Kinds{Group: []int{0}}, Kinds{Group: []int{0}})
			if !slices.IsSorted(p.split) {
				t.Fatalf("%d clients, %d groups: %v is not in order", clients, groups, p.split)
			}
			count := make([]int, groups)
			for _, g := range p.split {
				count[g]++
			}
			if least, most := spread(count); most-least > 1 {
				t.Errorf("%d clients, %d groups: sizes %v", clients, groups, count)
			}
			if want := min(clients, groups); len(p.combinations) != want {
				t.Errorf("%d clients, %d groups: %d groups occur, want %d", clients, groups, len(p.combinations), want)
			}
		}
	}
}

// TestKindsEvenly: kinds have as many clients each, whatever groups they are in.
func TestKindsEvenly(t *testing.T) {
	for _, group := range [][]int{{0, 0, 1}, {0, 1, 1, 1}, {0, 0, 0, 1, 2, 2}, {0, 1, 0}} {
		kinds := Kinds{Group: group, Groups: make([]say.Message, 1+slices.Max(group))}
		for clients := 1; clients <= 60; clients++ {
			for _, p := range []*plan{newPlan(clients, evenly(1), kinds, Kinds{Group: []int{0}}),
				newPlan(clients, evenly(1), Kinds{Group: []int{0}}, kinds)} {
				kind := p.view
				if slices.Max(p.naming) > 0 {
					kind = p.naming
				}
				count := make([]int, len(group))
				for _, k := range kind {
					count[k]++
				}
				least, most := spread(count)
				if most-least > 1 || clients%len(group) == 0 && most > least {
					t.Errorf("%d clients over kinds of groups %v: %v of each", clients, group, count)
				}
			}
		}
	}
}

// planting makes kinds of n groups with per kinds each.
func planting(n, per int) Kinds {
	var k Kinds
	for g := range n {
		k.Groups = append(k.Groups, say.Messagef("%d", g))
		for range per {
			k.Group = append(k.Group, g)
		}
	}
	return k
}

// TestLayersCompose: a group of one layer is spread evenly over the groups of
// the next, groups that occur are numbered without gaps and in order, kinds
// belong to their groups, and no layer gives away another.
func TestLayersCompose(t *testing.T) {
	for _, tt := range []struct{ clients, splits, shifts, concepts, per int }{
		{12, 1, 4, 1, 2}, {12, 2, 3, 1, 1}, {24, 2, 3, 4, 1}, {40, 5, 4, 2, 2}, {10, 5, 2, 2, 1}, {7, 5, 4, 4, 2}, {97, 3, 8, 4, 1}, {1, 3, 3, 3, 1}, {16, 4, 2, 2, 3},
	} {
		shift, concept := planting(tt.shifts, tt.per), planting(tt.concepts, tt.per)
		p := newPlan(tt.clients, evenly(tt.splits), shift, concept)
		met := map[string]int{}
		for i := range tt.clients {
			if shift.Group[p.view[i]] != p.shift[i] || concept.Group[p.naming[i]] != p.concept[i] {
				t.Errorf("%v: client %d has a kind of another group", tt, i)
			}
			if of := [3]int{p.split[i], p.shift[i], p.concept[i]}; p.combinations[p.group[i]] != of {
				t.Errorf("%v: client %d is in group %v, want %v", tt, i, p.combinations[p.group[i]], of)
			}
			if i == 0 && p.group[0] != 0 || i > 0 && p.group[i] != p.group[i-1] && p.group[i] != p.group[i-1]+1 {
				t.Errorf("%v: groups %v are not contiguous", tt, p.group)
			}
			met[fmt.Sprint("split ", p.split[i])]++
			met[fmt.Sprint("shift ", p.shift[i])]++
			met[fmt.Sprint("concept ", p.concept[i])]++
			met[fmt.Sprint("both ", p.split[i], p.shift[i])]++
			met[fmt.Sprint("last ", p.shift[i], p.concept[i])]++
			met[fmt.Sprint("all ", p.group[i])]++
			met[fmt.Sprint("kind ", p.group[i], p.view[i])]++
		}
		if len(p.combinations) != p.group[tt.clients-1]+1 {
			t.Errorf("%v: %d groups, the last client is in %d", tt, len(p.combinations), p.group[tt.clients-1])
		}
		even := func(what string, slack int, keys ...string) {
			var counts []int
			for _, k := range keys {
				counts = append(counts, met[k])
			}
			if least, most := spread(counts); most-least > slack {
				t.Errorf("%v: clients are spread over %s as %v", tt, what, counts)
			}
		}
		names := func(format string, n int, more ...any) (out []string) {
			for g := range n {
				out = append(out, fmt.Sprint(slices.Concat([]any{format}, more, []any{g})...))
			}
			return out
		}
		even("splits", 1, names("split ", tt.splits)...)
		even("shifts", 1, names("shift ", tt.shifts)...)
		even("concepts", 2, names("concept ", tt.concepts)...)
		for g := range tt.splits {
			even(fmt.Sprint("shifts in split ", g), 1, names("both ", tt.shifts, g)...)
		}
		for g := range tt.shifts {
			even(fmt.Sprint("concepts in shift ", g), 2, names("last ", tt.concepts, g)...)
		}
	}
}

// TestGroupsOfLayers looks at whole partitions.
func TestGroupsOfLayers(t *testing.T) {
	tests := []struct {
		clients int
		words   []string
		groups  int
		first   string
		last    string
	}{
		{8, []string{"shift=rotations"}, 4, "0° and 15°", "270° and 275°"},
		{32, []string{"shift=rotations", "angles=0,90,180,270"}, 4, "0°", "270°"},
		{8, []string{"shift=rotations", "groupby=each"}, 8, "0°", "275°"},
		{12, []string{"shift=mixture"}, 3, "0°", "0° or 180°"},
		{12, []string{"shift=corruptions", "corrupt=blur", "planted=1"}, 2, "clear", "blurred"},
		{12, []string{"concept=swaps"}, 4, "0↔3 8↔9", "3↔5 4↔7"},
		{12, []string{"concept=beta"}, 3, "as it is", "0 to 3 shifted by 2"},
		{12, []string{"concept=beta", "cbeta=2"}, 2, "as it is", "0 to 1 shifted by 1"},
		{12, []string{"split=skew1", "concept=permute", "concepts=2"}, 10, "classes 0 1, as it is", "classes 8 9, renamed 1"},
		{3, []string{"split=skew1"}, 3, "classes 0 1", "classes 4 5"},
		{12, []string{"shift=corruptions", "concept=beta"}, 3, "as it is", "0 to 3 shifted by 2"},
	}
	for _, tt := range tests {
		p := build(t, digits(), tt.clients, 1, tt.words...)
		if names := groupNames(p); p.Groups != tt.groups || len(names) != tt.groups || names[0] != tt.first ||
			names[tt.groups-1] != tt.last {
			t.Errorf("%v: groups %q, want %d from %q to %q", tt.words, p.GroupNames, tt.groups, tt.first, tt.last)
		}
		if p.NoGroupsWhy != "" {
			t.Errorf("%v: there are groups, and yet %q", tt.words, p.NoGroupsWhy)
		}
	}
	for _, words := range [][]string{{}, {"split=unequal"}, {"split=dirichlet"}, {"split=classes", "pick=random"},
		{"split=writers"}, {"shift=corruptions"}, {"noise=pair"}} {
		p := build(t, digits(), 12, 1, words...)
		if p.Groups != 0 || p.GroupNames != nil || p.NoGroupsWhy == "" || p.Clients[11].Group != -1 {
			t.Errorf("%v: %d groups %v, reason %q, want none and a reason", words, p.Groups, p.GroupNames, p.NoGroupsWhy)
		}
	}
}

// TestAnglesAsInThePaper: appendix F.5 gives the first C/8 clients the first
// angle, the next C/8 the second.
func TestAnglesAsInThePaper(t *testing.T) {
	p := build(t, digits(), 32, 1, "shift=rotations")
	for i, c := range p.Clients {
		want := []string{"", "15°", "90°", "105°", "180°", "195°", "270°", "275°"}[i/4]
		got := ""
		if c.View != nil {
			got = c.View.Words().String()
		}
		if got != want || c.Group != i/8 {
			t.Errorf("client %d of 32 sees at %q in group %d, want %q in group %d", i, got, c.Group, want, i/8)
		}
	}
}
