package lane

import (
	"cmp"
	"slices"

	"flockscope/sim/trace"
	"flockscope/ui/chart"
)

// branches holds the history of a lane's clusters: a column for each round in which clients
// moved, and links between columns.
type branches struct {
	run     *trace.Run
	lane    int
	frames  int
	stride  int
	models  int
	clients int
	columns []column
	counts  []int32 // columns × models: clients
	links   []link  // by column: the links into it
	order   []int   // models from top to bottom: children below their parents
	rank    []int   // index of each model in order
	pairs   []int   // scratch: the models of each client before and after
}

// column is a round in which clients moved, or the start.
type column struct {
	round    int
	from, to int // of its links
}

// link is a number of clients with the same clusters before and after a column.
type link struct {
	from, to, clients int
	y0                float32
}

// cmpPairs compares (a, b) with (c, d).
func cmpPairs(a, b, c, d int) int { return cmp.Or(a-c, b-d) }

// update computes the columns from all frames of the lane, if there are new ones. Columns are at
// least stride rounds apart; changes in between are joined.
func (b *branches) update(v *chart.View, stride int) {
	frames := v.Run.Tracks[v.Lane].Frames
	if b.run == v.Run && b.lane == v.Lane && b.frames == len(frames) && b.stride == stride {
		return
	}
	b.run, b.lane, b.frames, b.stride = v.Run, v.Lane, len(frames), stride
	b.models, b.clients = v.LaneHeader().Models, v.Run.Header.Clients
	b.columns, b.counts, b.links, b.order = b.columns[:0], b.counts[:0], b.links[:0], b.order[:0]
	var last *trace.Frame
	for t := range frames {
		f := &frames[t]
		switch {
		case last == nil:
		case t < len(frames)-1 && t-last.Round < stride, slices.Equal(last.Label, f.Label):
			continue
		}
		b.add(v, last, f)
		last = f
	}
	b.rank = trace.Resize(b.rank, b.models)
	for at, k := range b.order {
		b.rank[k] = at
	}
}

// add appends a column.
func (b *branches) add(v *chart.View, before, f *trace.Frame) {
	c := len(b.columns)
	for range b.models {
		b.counts = append(b.counts, 0)
	}
	counts := b.counts[c*b.models:]
	for i := range f.Label {
		if k := chart.ModelOf(f, i); k < b.models {
			counts[k]++
		}
	}
	from := len(b.links)
	if before == nil {
		for k, n := range counts {
			if n > 0 {
				b.order = append(b.order, k)
			}
		}
		slices.SortStableFunc(b.order, func(x, y int) int { return v.AliasOf(x) - v.AliasOf(y) })
	} else {
		b.links, b.pairs = appendLinks(b.links, b.pairs, before, f)
		b.insertChildren(b.links[from:])
	}
	b.columns = append(b.columns, column{f.Round, from, len(b.links)})
}

// appendLinks appends the links between two frames, by the models of both ends.
func appendLinks(dst []link, pairs []int, before, f *trace.Frame) ([]link, []int) {
	pairs = pairs[:0]
	for i := range f.Label {
		pairs = append(pairs, chart.ModelOf(before, i)<<16|chart.ModelOf(f, i))
	}
	slices.Sort(pairs)
	for i := 0; i < len(pairs); {
		j := i
		for j < len(pairs) && pairs[j] == pairs[i] {
			j++
		}
		dst = append(dst, link{from: pairs[i] >> 16, to: pairs[i] & 0xFFFF, clients: j - i})
		i = j
	}
	return dst, pairs
}

// insertChildren puts new clusters below the one that most of their clients came from.
func (b *branches) insertChildren(arms []link) {
	for _, a := range arms {
		if slices.Contains(b.order, a.to) {
			continue
		}
		parent, _ := mainSource(arms, a.to)
		at := slices.Index(b.order, parent) + 1
		b.order = slices.Insert(b.order, at, a.to)
	}
}

// mainSource returns the cluster that most clients of a cluster came from, and their number.
func mainSource(arms []link, to int) (from, clients int) {
	for _, a := range arms {
		if a.to == to && a.clients > clients {
			from, clients = a.from, a.clients
		}
	}
	return from, clients
}

// mainTarget returns the cluster that most clients of a cluster moved to, and their number.
func mainTarget(arms []link, from int) (to, clients int) {
	for _, a := range arms {
		if a.from == from && a.clients > clients {
			to, clients = a.to, a.clients
		}
	}
	return to, clients
}

// count returns the clients of a cluster in a column.
func (b *branches) count(column, model int) int { return int(b.counts[column*b.models+model]) }

// linksInto returns the links into a column.
func (b *branches) linksInto(c int) []link { return b.links[b.columns[c].from:b.columns[c].to] }

// maxClusters returns the largest number of clusters in any column.
func (b *branches) maxClusters() int {
	most := 1
	for c := range b.columns {
		n := 0
		for k := range b.models {
			if b.count(c, k) > 0 {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}
