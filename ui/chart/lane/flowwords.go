package lane

import (
	"flockscope/sim/say"
	"flockscope/ui/chart"
)

// Describe says who moved where.
func (g *Flow) Describe(v *chart.View) string {
	before, now := pace(v)
	if before == nil || !moves(v) {
		return say.Text("Flow: no client has moved yet.")
	}
	g.follow(v, before, now)
	var text string
	switch n, _ := g.moved(nil); {
	case n > 0:
		text = say.Textf("%s moved: %s", say.Count(n, "client"), say.List(g.describeWays(v)))
	case lastMove(v, now) > 0:
		text = say.Textf("no client moved since round %d", lastMove(v, now))
	default:
		text = say.Text("no client moved, as in every round before")
	}
	return say.Textf("Flow, round %d to %d, %s: %s.", before.Round, now.Round, v.Title(v.Lane), text)
}

// describeWays says of the first few ways who went them.
func (g *Flow) describeWays(v *chart.View) (ways []string) {
	const most = 6
	for _, way := range g.ways(v) {
		if len(ways) == most {
			return append(ways, say.Text("others elsewhere"))
		}
		names := []string{}
		for _, i := range way.who {
			if len(names) == most {
				names = append(names, say.Textf("%d more", len(way.who)-most))
				break
			}
			names = append(names, chart.Client(i))
		}
		format := "clients %s from %s to %s"
		if len(names) == 1 {
			format = "client %s from %s to %s"
		}
		ways = append(ways, say.Textf(format, say.List(names), v.Letter(way.from), v.Letter(way.to)))
	}
	return ways
}

// way is a move that some clients made together.
type way struct {
	from, to int
	who      []int
}

// ways returns the moves by the letters of their ends.
func (g *Flow) ways(v *chart.View) []way {
	var out []way
	models := 0
	for _, t := range g.threads {
		models = max(models, int(t.from)+1, int(t.to)+1)
	}
	count := make([]int, models*models)
	for _, t := range g.threads {
		count[int(t.from)*models+int(t.to)]++
	}
	order := v.ByPlace(models)
	for _, from := range order {
		for _, to := range order {
			if from == to || count[from*models+to] == 0 {
				continue
			}
			w := way{from: from, to: to}
			for i, t := range g.threads {
				if int(t.from) == from && int(t.to) == to {
					w.who = append(w.who, i)
				}
			}
			out = append(out, w)
		}
	}
	return out
}

// Table lists the clients with the model before, the model now, and whether that
// is a move.
func (g *Flow) Table(v *chart.View) (head []string, rows [][]string) {
	head = []string{"client", "group", "model before", "model", "moved"}
	before, now := pace(v)
	if before == nil || !moves(v) {
		return head, nil
	}
	g.follow(v, before, now)
	for i, t := range g.threads {
		row := []string{chart.Client(i), v.ClientGroup(i), v.Letter(int(t.from)), v.Letter(int(t.to)), "no"}
		if t.from != t.to {
			row[4] = "yes"
		}
		rows = append(rows, row)
	}
	return head, rows
}
