package lane

import (
	"fmt"
	"strconv"

	"flockscope/sim/english"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
)

// change is a split or a merge.
type change struct {
	round    int
	what     string // in words, by the letters of the clusters
	clusters int    // from then on
}

// changes lists what happened to the clusters up to a round.
func (g *Tree) changes(v *chart.View, until int) []change {
	frames := v.Run.Tracks[v.Lane].Frames
	var out []change
	var arms []arm
	var pairs []int64
	for t := 1; t <= until && t < len(frames); t++ {
		if !frames[t].Events.Has(trace.Moved) {
			continue
		}
		arms, pairs = ways(arms[:0], pairs, &frames[t-1], &frames[t])
		was, is := map[int]bool{}, map[int]bool{}
		for _, a := range arms {
			was[a.from], is[a.to] = true, true
		}
		note := func(format string, words ...any) {
			out = append(out, change{t, fmt.Sprintf(format, words...), frames[t].Clusters})
		}
		for _, k := range v.ByPlace(v.LaneHeader().Models) {
			switch {
			case is[k] && !was[k]:
				parent, n := donor(arms, k)
				if to, _ := heir(arms, parent); is[parent] || to != k {
					note("%s splits from %s with %s", v.Letter(k), v.Letter(parent), english.Count(n, "client"))
				} else {
					note("%s becomes %s", v.Letter(parent), v.Letter(k))
				}
			case was[k] && !is[k]:
				if to, _ := heir(arms, k); was[to] {
					note("%s goes into %s", v.Letter(k), v.Letter(to))
				}
			}
		}
	}
	return out
}

// Describe says what happened last, and how many clusters there are.
func (g *Tree) Describe(v *chart.View) string {
	f := v.Frame()
	if f == nil || !splits(v) {
		return "Tree: no cluster has split or merged."
	}
	text := fmt.Sprintf("Tree, round %d, %s: %s", f.Round, v.LaneHeader().Title, english.Count(f.Clusters, "cluster"))
	all := g.changes(v, f.Round)
	if len(all) == 0 {
		return text + ", as at the start."
	}
	const most = 4
	if len(all) > most {
		text += " after " + english.Count(len(all), "change")
		all = all[len(all)-most:]
	}
	text += "."
	for _, c := range all {
		text += " Round " + strconv.Itoa(c.round) + ": " + c.what + "."
	}
	return text
}

// Table lists the splits and merges of the run so far.
func (g *Tree) Table(v *chart.View) (head []string, rows [][]string) {
	head = []string{"round", "what happened", "clusters"}
	if v.Frame() == nil || !splits(v) {
		return head, nil
	}
	for _, c := range g.changes(v, len(v.Run.Tracks[v.Lane].Frames)) {
		rows = append(rows, []string{strconv.Itoa(c.round), c.what, strconv.Itoa(c.clusters)})
	}
	return head, rows
}
