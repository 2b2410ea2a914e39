package verdict

import "flockscope/sim/say"

// liarWords says which model the liars pull, and how many honest clients have it; "" without liars that lie by now, and
// where every client has a model of its own.
func (r *round) liarWords() string {
	h := r.header
	if len(h.Liar) == 0 || r.f.Round < h.LiesFrom || r.unclustered() && r.info.Models == h.Clients {
		return ""
	}
	liars, honest := make([]int, r.info.Models), make([]int, r.info.Models)
	all := 0
	for i, k := range r.f.Label {
		if h.Lies(i) {
			liars[k]++
			all++
		} else {
			honest[k]++
		}
	}
	worst, pulled := 0, 0
	for k, n := range liars {
		if n > 0 && honest[k] > 0 {
			pulled++
		}
		if honest[k] > 0 && (honest[worst] == 0 || n > liars[worst]) {
			worst = k
		}
	}
	n, of := liars[worst], honest[worst]
	switch {
	case all == 0:
		return ""
	case pulled == 0:
		return say.Text("The liars have models of their own, and move no other.")
	case r.info.Models == 1 && n == 1:
		return say.Textf("One liar pulls the model of %s.", say.Count(of, "honest client"))
	case r.info.Models == 1:
		return say.Textf("%s liars pull the model of %s.", Word(n), say.Count(of, "honest client"))
	case n == 1:
		return say.Textf("One liar pulls model %s of %s.", r.letter(worst), say.Count(of, "honest client"))
	}
	return say.Textf("%s liars pull model %s of %s.", Word(n), r.letter(worst), say.Count(of, "honest client"))
}
