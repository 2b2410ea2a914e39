package partition

import (
	"fmt"
	"slices"
	"testing"
)

// TestTestClients: one test client per planted combination of view and labels;
// its two halves are all samples, once, and it sees and names them as the clients of
// its world do. What is not planted, it does not have.
func TestTestClients(t *testing.T) {
	for _, tt := range []struct {
		settings []string
		want     int
		views    bool
	}{
		{[]string{"split=classes", "per=2"}, 1, false},
		{[]string{"concept=permute", "concepts=3"}, 3, false},
		{[]string{"concept=permute", "concepts=3", "split=classes", "per=5"}, 3, false},
		{[]string{"shift=rotations", "angles=0,90,180", "concept=permute", "concepts=2"}, 6, true},
		{[]string{"shift=corruptions", "concept=permute", "concepts=2"}, 2, false},
		{[]string{"concept=beta", "concepts=3", "cbeta=2"}, 2, false}, // the third is the first
	} {
		p := build(t, labelled(600, 10, 0), 24, 5, tt.settings...)
		samples := []int32{3, 5, 8, 13, 21, 34, 55}
		g := p.TestClients(p.Set, samples)
		if len(g.Clients) != tt.want {
			t.Errorf("%v: %d test clients, want %d", tt.settings, len(g.Clients), tt.want)
		}
		worlds := map[string]bool{}
		for i := range g.Clients {
			c := &g.Clients[i]
			if (c.View != nil) != tt.views && c.View != nil {
				t.Errorf("%v: test client %d sees %v", tt.settings, i, c.View)
			}
			held := slices.Concat(c.Train, c.Test)
			slices.Sort(held)
			if !slices.Equal(held, samples) || len(c.Train) != 3 {
				t.Errorf("%v: test client %d holds %v and %v", tt.settings, i, c.Train, c.Test)
			}
			worlds[fmt.Sprint(c.View, c.Relabel)] = true
			if !slices.ContainsFunc(p.Clients, func(o Client) bool {
				return slices.Equal(o.Relabel, c.Relabel) && (c.View == nil || c.View == o.View)
			}) {
				t.Errorf("%v: nobody is like test client %d", tt.settings, i)
			}
		}
		if len(worlds) != tt.want {
			t.Errorf("%v: %d worlds among %d test clients", tt.settings, len(worlds), tt.want)
		}
	}
}
