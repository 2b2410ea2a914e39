package verdict

import (
	"math"
	"net/url"
	"strconv"

	"flockscope/sim/exact"
	"flockscope/sim/say"
	"flockscope/sim/trace"
)

// achievement is what a headline says of some lanes.
type achievement uint8

// The achievements, in the order of a headline.
const (
	found      achievement = iota // the groups
	foundSoFar                    // those of the clients that have replied
	splits
	shares
	misses // some clients are misplaced
	oneModel
	ownModels
	mixtures
	nothing
	unknown
	noEvidence
	diverges
	achievements
)

// achieved returns what a lane has achieved.
func (r *round) achieved() achievement {
	switch r.kind() {
	case Right:
		if r.n < r.header.Clients {
			return foundSoFar
		}
		return found
	case Split:
		return splits
	case Shared:
		return shares
	case Misplaced:
		return misses
	case None:
		if r.info.Models == 1 {
			return oneModel
		}
		return ownModels
	case Mixed:
		return mixtures
	case Nothing:
		return nothing
	case Unknown:
		return unknown
	case Diverged:
		return diverges
	}
	return noEvidence
}

// Headline says in one or two short sentences what the methods have achieved at a round: "CFL-GP has found the three
// groups. IFCA has not."
func (j *Judge) Headline(run *trace.Run, round int) string {
	var names [achievements][]string
	lanes := 0
	only := achievement(0)
	for lane := range run.Header.Lanes {
		if len(run.Tracks[lane].Frames) == 0 {
			continue
		}
		only = j.round(run, lane, round).achieved()
		names[only] = append(names[only], run.Header.Lanes[lane].Title)
		lanes++
	}
	h := run.Header
	switch {
	case lanes == 0:
		return say.Text("Nothing computed yet.")
	case len(names[only]) < lanes:
	case only == noEvidence && round == 0:
		return say.Text("The start: no client has replied yet.")
	case only == nothing:
		return say.Text("There is nothing to tell apart: one model is enough.")
	case only == mixtures:
		return say.Text("Some groups are mixtures of others: judge by the error.")
	case only == unknown:
		return say.Text("The groups are unknown: judge by the error.")
	}
	if only == oneModel && len(names[nothing])+len(names[oneModel]) == lanes {
		return say.Text("There is nothing to tell apart: one model is enough.")
	}
	var all []string
	for a, list := range names {
		if len(list) > 0 {
			all = append(all, achieve(achievement(a), list, lanes, h, len(names[found]) > 0))
		}
	}
	return sentences(all...)
}

// achieve is a sentence about some of the lanes. after means that another sentence names the groups before.
func achieve(a achievement, names []string, lanes int, h *trace.Header, after bool) string {
	n := len(names)
	who := say.List(names)
	switch {
	case n < lanes || n < 2:
	case n == 2 && a == misses:
		return say.Textf("Neither method has found the %s groups.", word(h.Groups))
	case a == misses:
		return say.Textf("None of the %s methods has found the %s groups.", word(n), word(h.Groups))
	case n == 2:
		who = say.Text("Both methods")
	default:
		who = say.Textf("All %s methods", word(n))
	}
	many := n > 1
	pick := func(one, more string) string {
		if many {
			return more
		}
		return one
	}
	switch a {
	case found:
		return pick(say.Textf("%s has found the %s groups.", who, word(h.Groups)),
			say.Textf("%s have found the %s groups.", who, word(h.Groups)))
	case foundSoFar:
		return pick(say.Textf("%s has placed all clients that have replied right.", who),
			say.Textf("%s have placed all clients that have replied right.", who))
	case misses:
		if after {
			return pick(say.Textf("%s has not.", who), say.Textf("%s have not.", who))
		}
		return pick(say.Textf("%s has not found the %s groups.", who, word(h.Groups)),
			say.Textf("%s have not found the %s groups.", who, word(h.Groups)))
	case splits:
		return pick(say.Textf("%s splits groups, but mixes none.", who), say.Textf("%s split groups, but mix none.", who))
	case shares:
		return pick(say.Textf("%s lets groups share a model.", who), say.Textf("%s let groups share a model.", who))
	case oneModel:
		return pick(say.Textf("%s has one model for all.", who), say.Textf("%s have one model for all.", who))
	case ownModels:
		return pick(say.Textf("%s has a model for each client.", who), say.Textf("%s have a model for each client.", who))
	case diverges:
		return pick(say.Textf("%s has diverged.", who), say.Textf("%s have diverged.", who))
	case noEvidence:
		return pick(say.Textf("%s has no evidence yet.", who), say.Textf("%s have no evidence yet.", who))
	}
	return pick(say.Textf("%s cannot be judged by groups.", who), say.Textf("%s cannot be judged by groups.", who))
}

// holdings are what clients hold, by workload; other workloads have numbers.
var holdings = map[string]say.Message{
	"digits": "digits", "garments": "pictures of garments", "both": "digits or garments", "words": "short texts",
	"wireless": "radio signals", "samples": "samples of your files", "csv": "rows of your file",
}

// Question describes the clients and their data in one or two sentences, and asks who should train together.
func Question(h *trace.Header) string {
	clients := say.Textf("%s clients", Word(h.Clients))
	if h.Clients == 1 {
		clients = say.Text("One client")
	}
	query, _ := url.ParseQuery(h.Query)
	if what, ok := holdings[query.Get("data")]; ok {
		clients = say.Textf("%s that hold %s", clients, what)
	}
	p := &h.DataPreview
	ask := say.Text("No client may show its data. Who should train together?")
	switch {
	case h.Groups == 1 || p.Alike:
		what := say.Textf("%s, and all their data follow one distribution.", clients)
		if p.Fan || len(p.Truth) > 0 && p.Axes == "" {
			what = say.Textf("%s, and all their data follow one line.", clients)
		}
		return sentences(what, say.Text("Is there anything to tell apart?"))
	case !h.HasTruth():
		return sentences(say.Textf("%s, and their groups are unknown.", clients), ask)
	case len(p.Mixtures) > 0:
		var list []int
		for _, g := range p.Mixtures {
			list = append(list, int(g))
		}
		return sentences(say.Textf("%s, %s kinds of data: the %s mix the others.", clients, word(h.Groups), groupList(list)), ask)
	case p.Fan && len(p.Truth) > 1:
		gap := math.Abs(angleOf(p.Truth[0]) - angleOf(p.Truth[1]))
		text := strconv.FormatFloat(math.Round(gap*10)/10, 'f', -1, 64) + "°"
		return sentences(say.Textf("%s, %s kinds of data, %s apart.", clients, word(h.Groups), text), ask)
	case len(p.Gallery.Groups) == h.Groups && h.Groups <= 4:
		names := make([]string, h.Groups)
		for g, name := range p.Gallery.Groups {
			names[g] = say.Text(name)
		}
		return sentences(say.Textf("%s, %s kinds of data: %s.", clients, word(h.Groups), say.Join(names, "; ")), ask)
	}
	return sentences(say.Textf("%s, %s kinds of data.", clients, word(h.Groups)), ask)
}

// angleOf returns the angle of a line in degrees. It halves an interval, since math.Atan differs between processors.
func angleOf(l trace.Line) float64 {
	low, high := -90.0, 90.0
	for range 40 {
		mid := (low + high) / 2
		if sin, cos := exact.SinCosDegrees(mid); sin < float64(l.Slope)*cos {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}
