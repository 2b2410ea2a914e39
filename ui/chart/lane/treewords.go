package lane

import (
	"strconv"

	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
)

// change is a split or a merge.
type change struct {
	round    int
	what     string // in words, by the letters of the clusters
	clusters int    // after it
}

// changes lists the splits and merges up to a round.
func (g *Tree) changes(v *chart.View, until int) []change {
	frames := v.Run.Tracks[v.Lane].Frames
	var out []change
	var arms []link
	var pairs []int
	for t := 1; t <= until && t < len(frames); t++ {
		if !frames[t].Events.Has(trace.Moved) {
			continue
		}
		arms, pairs = appendLinks(arms[:0], pairs, &frames[t-1], &frames[t])
		was, is := map[int]bool{}, map[int]bool{}
		for _, a := range arms {
			was[a.from], is[a.to] = true, true
		}
		note := func(what string) { out = append(out, change{t, what, frames[t].Clusters}) }
		for _, k := range v.ByAlias(v.LaneHeader().Models) {
			switch {
			case is[k] && !was[k]:
				parent, n := mainSource(arms, k)
				if to, _ := mainTarget(arms, parent); is[parent] || to != k {
					note(say.Textf("%s splits from %s with %s", v.Letter(k), v.Letter(parent), say.Count(n, "client")))
				} else {
					note(say.Textf("%s becomes %s", v.Letter(parent), v.Letter(k)))
				}
			case was[k] && !is[k]:
				if to, _ := mainTarget(arms, k); was[to] {
					note(say.Textf("%s merges into %s", v.Letter(k), v.Letter(to)))
				}
			}
		}
	}
	return out
}

// Describe gives the number of clusters and the last changes.
func (g *Tree) Describe(v *chart.View) string {
	f := v.Frame()
	if f == nil || !clustersChange(v) {
		return say.Text("Tree: no cluster has split or merged.")
	}
	const most = 4
	all, clusters := g.changes(v, f.Round), say.Count(f.Clusters, "cluster")
	switch {
	case len(all) == 0:
		clusters = say.Textf("%s, as at the start", clusters)
	case len(all) > most:
		clusters = say.Textf("%s after %s", clusters, say.Count(len(all), "change"))
		all = all[len(all)-most:]
	}
	sentences := []string{say.Textf("Tree, round %d, %s: %s.", f.Round, v.Title(v.Lane), clusters)}
	for _, c := range all {
		sentences = append(sentences, say.Textf("Round %d: %s.", c.round, c.what))
	}
	return say.Join(sentences, " ")
}

// Table lists the splits and merges of the run so far.
func (g *Tree) Table(v *chart.View) (head []string, rows [][]string) {
	head = []string{"round", "what happened", "clusters"}
	if v.Frame() == nil || !clustersChange(v) {
		return head, nil
	}
	for _, c := range g.changes(v, len(v.Run.Tracks[v.Lane].Frames)) {
		rows = append(rows, []string{strconv.Itoa(c.round), c.what, strconv.Itoa(c.clusters)})
	}
	return head, rows
}
