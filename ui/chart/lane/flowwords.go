package lane

import (
	"fmt"

	"flockscope/sim/english"
	"flockscope/ui/chart"
)

// Describe says who moved where.
func (g *Flow) Describe(v *chart.View) string {
	before, now := pace(v)
	if before == nil || !moves(v) {
		return "Flow: no client has moved yet."
	}
	g.follow(v, before, now)
	head := fmt.Sprintf("Flow, round %d to %d, %s: ", before.Round, now.Round, v.LaneHeader().Title)
	n, _ := g.moved(nil)
	if n == 0 {
		if last := lastMove(v, now); last > 0 {
			return head + fmt.Sprintf("no client moved since round %d.", last)
		}
		return head + "no client moved, as in every round before."
	}
	head += english.Count(n, "client") + " moved: "
	var ways []string
	const most = 6
	for _, way := range g.ways(v) {
		if len(ways) == most {
			ways = append(ways, "others elsewhere")
			break
		}
		who := "client "
		if len(way.who) > 1 {
			who = "clients "
		}
		names := []string{}
		for _, i := range way.who {
			if len(names) == most {
				names = append(names, fmt.Sprintf("%d more", len(way.who)-most))
				break
			}
			names = append(names, chart.Client(i))
		}
		ways = append(ways, who+english.List(names)+" from "+v.Letter(way.from)+" to "+v.Letter(way.to))
	}
	return head + english.List(ways) + "."
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
