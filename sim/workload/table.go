package workload

import (
	"slices"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/say"
)

// Table is a checked file of rows client,x,y: the points (x, y) of each client, and perhaps its
// group.
type Table struct {
	Clients []string // names, in order of first appearance
	Group   []int    // group of each client; nil without a group column
	Groups  []string // names of the groups
	X, Y    [][]float32
	offset  float64 // added to each X, if float32 could not hold x
}

// Limits of a table. They keep a mistaken file from freezing a tab.
const (
	maxFileClients = 2000
	maxFileGroups  = 8 // as many as there are marker shapes
	// largest keeps squares of gradients finite until a diverging run is stopped.
	largest = 1e6
)

// lineTable returns the samples of a set with one feature, client by client.
func lineTable(s *dataset.Set) (*Table, error) {
	switch {
	case len(s.Writers) == 1:
		return nil, say.Errorf("%s: all rows belong to client %s; at least two clients are needed",
			s.Name, param.Quote(s.Writers[0]))
	case len(s.Writers) > maxFileClients:
		return nil, say.Errorf("%s: it has %d clients; expected %d at most", s.Name, len(s.Writers), maxFileClients)
	case len(s.Groups) > maxFileGroups:
		return nil, say.Errorf("%s: group %s is one too many; expected %d groups at most",
			s.Name, param.Quote(s.Groups[maxFileGroups]), maxFileGroups)
	}
	t := &Table{Clients: s.Writers, Groups: s.Groups, X: make([][]float32, len(s.Writers)),
		Y: make([][]float32, len(s.Writers))}
	for _, g := range s.Group {
		t.Group = append(t.Group, int(g))
	}
	var x [1]float32
	s, t.offset = s.Differences()
	for i, who := range s.Writer {
		s.Row(x[:], i)
		t.X[who] = append(t.X[who], x[0])
		t.Y[who] = append(t.Y[who], s.Value[i])
	}
	return t, nil
}

// scaled returns the table with x scaled by statistics of all rows.
func (t *Table) scaled(scale string) *Table {
	set := dataset.Numbers(slices.Concat(t.X...), t.offset)
	all := slices.Repeat([]bool{true}, set.Len())
	to := set.Scaled(scale, all)
	out := *t
	out.offset = 0
	out.X = make([][]float32, len(t.X))
	at := 0
	for i, x := range t.X {
		out.X[i] = make([]float32, len(x))
		for j := range x {
			to.Row(out.X[i][j:j+1], at)
			at++
		}
	}
	return &out
}
