package chart

import (
	"slices"

	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/sim/trace"
)

// AliasOf returns the index of model k in the palette, the alphabet and the order of rows: its
// alias if it has one, so that a colour and a letter mean the same clients in every lane that is
// right. In the shown round it depends on no later one.
func (v *View) AliasOf(k int) int {
	if alias := v.Names.at(v); k >= 0 && k < len(alias) {
		return int(alias[k])
	}
	if s := v.Summary(); s != nil && k >= 0 && k < len(s.Alias) {
		return int(s.Alias[k])
	}
	return k
}

// Colour returns the colour of model k of the lane.
func (v *View) Colour(k int) scene.Colour { return scene.Cluster(v.AliasOf(k)) }

// Letter returns the name of model k of the lane: A, B, C.
func (v *View) Letter(k int) string { return Letter(v.AliasOf(k)) }

// Shape returns the mark of a client: that of its planted group, or a circle where the groups are
// unknown. Liars have a mark of their own.
func (v *View) Shape(client int) scene.Shape {
	if v.Run.Header.Lies(client) {
		return scene.Liar
	}
	if g := v.Group(client); g >= 0 {
		return scene.Shape(g % scene.Shapes)
	}
	return scene.Circle
}

// Group returns the planted group of a client, −1 if it is unknown. Liars belong to none: they stand behind all groups.
func (v *View) Group(client int) int {
	h := v.Run.Header
	if h.Lies(client) {
		return h.Groups
	}
	if !h.HasTruth() || client < 0 || client >= len(h.Group) {
		return -1
	}
	return int(h.Group[client])
}

// ByGroup returns the clients by group and number, in the memory of dst.
func (v *View) ByGroup(dst []int) []int {
	dst = trace.Resize(dst, v.Run.Header.Clients)
	for i := range dst {
		dst[i] = i
	}
	slices.SortStableFunc(dst, func(a, b int) int { return v.Group(a) - v.Group(b) })
	return dst
}

// GroupName returns what the clients of a planted group have in common, or its number if it has
// no name.
func (v *View) GroupName(g int) string {
	if g == v.Run.Header.Groups {
		return say.Text("liars")
	}
	if names := v.Run.Header.DataPreview.Gallery.Groups; g < len(names) {
		return say.Text(names[g])
	}
	return say.Textf("group %d", g+1)
}

// ModelOf returns the model that a client was given in f, −1 before any.
func ModelOf(f *trace.Frame, client int) int {
	if client >= len(f.Label) {
		return -1
	}
	return int(f.Label[client])
}

// OwnModels reports whether each client of a lane has a model of its own, so that its one
// column of losses is not a model's.
func OwnModels(lane *trace.Lane) bool { return lane.Columns == 1 && lane.Models > 1 }

// ByAlias returns the models 0 to n−1 in the order of their letters.
func (v *View) ByAlias(n int) []int {
	order := make([]int, n)
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return v.AliasOf(a) - v.AliasOf(b) })
	return order
}

// ClientGroup names a client's group by number and shape.
func (v *View) ClientGroup(client int) string {
	g := v.Group(client)
	switch {
	case v.Run.Header.Lies(client):
		return "liar"
	case g < 0:
		return "unknown"
	}
	return say.Textf("%d (%s)", g+1, say.Message(v.Shape(client).String()))
}

// ClientsOf returns how many clients were given model k in f.
func ClientsOf(f *trace.Frame, k int) int {
	n := 0
	for _, label := range f.Label {
		if int(label) == k {
			n++
		}
	}
	return n
}
