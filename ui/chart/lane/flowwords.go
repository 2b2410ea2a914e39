package lane

import (
	"flockscope/sim/say"
	"flockscope/ui/chart"
)

// Describe says which clients moved, and where.
func (g *Flow) Describe(v *chart.View) string {
	before, now := framesAround(v)
	if before == nil || !canMove(v) {
		return say.Text("Flow: no client has moved yet.")
	}
	g.update(v, before, now)
	var text string
	switch n, _ := g.moved(nil); {
	case n > 0:
		text = say.Textf("%s moved: %s", say.Count(n, "client"), say.List(g.describeMoves(v)))
	case lastMove(v, now) > 0:
		text = say.Textf("no client moved since round %d", lastMove(v, now))
	default:
		text = say.Text("no client has moved so far")
	}
	return say.Textf("Flow, round %d to %d, %s: %s.", before.Round, now.Round, v.Title(v.Lane), text)
}

// describeMoves lists the first few moves with their clients.
func (g *Flow) describeMoves(v *chart.View) (ways []string) {
	const most = 6
	for _, way := range g.groupedMoves(v) {
		if len(ways) == most {
			return append(ways, say.Text("and other moves"))
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

// move is a change between two models that some clients made in one round.
type move struct {
	from, to int
	who      []int
}

// groupedMoves returns the moves by the letters of their models.
func (g *Flow) groupedMoves(v *chart.View) []move {
	var out []move
	models := 0
	for _, t := range g.paths {
		models = max(models, int(t.from)+1, int(t.to)+1)
	}
	count := make([]int, models*models)
	for _, t := range g.paths {
		count[int(t.from)*models+int(t.to)]++
	}
	order := v.ByAlias(models)
	for _, from := range order {
		for _, to := range order {
			if from == to || count[from*models+to] == 0 {
				continue
			}
			w := move{from: from, to: to}
			for i, t := range g.paths {
				if int(t.from) == from && int(t.to) == to {
					w.who = append(w.who, i)
				}
			}
			out = append(out, w)
		}
	}
	return out
}

// Table lists the clients with the model before, the model now, and whether they differ.
func (g *Flow) Table(v *chart.View) (head []string, rows [][]string) {
	head = []string{"client", "group", "model before", "model", "moved"}
	before, now := framesAround(v)
	if before == nil || !canMove(v) {
		return head, nil
	}
	g.update(v, before, now)
	for i, t := range g.paths {
		row := []string{chart.Client(i), v.ClientGroup(i), v.Letter(int(t.from)), v.Letter(int(t.to)), "no"}
		if t.from != t.to {
			row[4] = "yes"
		}
		rows = append(rows, row)
	}
	return head, rows
}
