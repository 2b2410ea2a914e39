package verdict

import (
	"math"
	"strconv"
	"strings"

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
		if r.n < r.honest {
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
		names[only] = append(names[only], say.Text(run.Header.Lanes[lane].Title))
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

// achievementWords say what one method has achieved, and what several have.
var achievementWords = [achievements][2]string{
	found:      {"%s has found the %s groups.", "%s have found the %s groups."},
	foundSoFar: {"%s has placed all clients that have replied right.", "%s have placed all clients that have replied right."},
	splits:     {"%s splits groups, but mixes none.", "%s split groups, but mix none."},
	shares:     {"%s lets groups share a model.", "%s let groups share a model."},
	misses:     {"%s has not found the %s groups.", "%s have not found the %s groups."},
	oneModel:   {"%s has one model for all.", "%s have one model for all."},
	ownModels:  {"%s has a model for each client.", "%s have a model for each client."},
	mixtures:   {"%s cannot be judged by groups.", "%s cannot be judged by groups."},
	nothing:    {"%s cannot be judged by groups.", "%s cannot be judged by groups."},
	unknown:    {"%s cannot be judged by groups.", "%s cannot be judged by groups."},
	noEvidence: {"%s has no evidence yet.", "%s have no evidence yet."},
	diverges:   {"%s has diverged.", "%s have diverged."},
}

// notFound follows a sentence about methods that have found the groups.
var notFound = [2]string{"%s has not.", "%s have not."}

// achieve is a sentence about some of the lanes. after means that another sentence names the groups before.
func achieve(a achievement, names []string, lanes int, h *trace.Header, after bool) string {
	who, n, groups := say.List(names), len(names), word(h.Groups)
	switch all := n == lanes; {
	case all && n == 2 && a == misses:
		return say.Textf("Neither method has found the %s groups.", groups)
	case all && n == 2:
		who = say.Text("Both methods")
	case all && n > 2 && a == misses:
		return say.Textf("None of the %s methods has found the %s groups.", word(n), groups)
	case all && n > 2:
		who = say.Textf("All %s methods", word(n))
	}
	many := min(n-1, 1)
	switch {
	case a == misses && after:
		return say.Textf(notFound[many], who)
	case a == found || a == misses:
		return say.Textf(achievementWords[a][many], who, groups)
	}
	return say.Textf(achievementWords[a][many], who)
}

// holdings are what clients hold, by workload; other workloads have numbers.
var holdings = map[string]say.Message{
	"digits": "digits", "garments": "pictures of garments", "both": "digits or garments", "words": "short texts",
	"shapes": "pictures of colour shapes", "wireless": "radio signals", "samples": "samples of your files", "csv": "rows of your file",
}

// Question describes the clients and their data in one or two sentences, and asks who should train together.
func Question(h *trace.Header) string {
	clients := say.Textf("%s clients", Word(h.Clients))
	if h.Clients == 1 {
		clients = say.Text("One client")
	}
	if what, ok := holdings[workloadOf(h.Query)]; ok {
		clients = say.Textf("%s that hold %s", clients, what)
	}
	p := &h.DataPreview
	kinds := say.Textf("%s kinds of data", word(h.Groups))
	ask := say.Message("No client may show its data. Who should train together?")
	switch {
	case h.Groups == 1 || p.Alike:
		kinds, ask = say.Text("and all their data follow one distribution"), "Is there anything to tell apart?"
		if len(p.Truth) > 0 && p.Axes == "" {
			kinds = say.Text("and all their data follow one line")
		}
	case !h.HasTruth():
		kinds = say.Text("and their groups are unknown")
	case len(p.Mixtures) > 0:
		var list []int
		for _, g := range p.Mixtures {
			list = append(list, int(g))
		}
		kinds = say.Textf("%s: the %s mix the others", kinds, groupList(list))
	case p.Fan && len(p.Truth) > 1:
		gap := math.Abs(angleOf(p.Truth[0]) - angleOf(p.Truth[1]))
		kinds = say.Textf("%s, %s apart", kinds, strconv.FormatFloat(math.Round(gap*10)/10, 'f', -1, 64)+"°")
	case len(p.Gallery.Groups) == h.Groups && h.Groups <= 4:
		kinds = say.Textf("%s: %s", kinds, say.JoinMessage(p.Gallery.Groups, "; "))
	}
	switch n := h.Clients - h.Honest(); n {
	case 0:
	case 1:
		kinds = say.Textf("%s; one of them lies", kinds)
	default:
		kinds = say.Textf("%s; %s of them lie", kinds, word(n))
	}
	return say.Textf("%s, %s. %s", clients, kinds, ask)
}

// workloadOf returns the workload that a query names; "" for the default.
func workloadOf(query string) string {
	for pair := range strings.SplitSeq(query, "&") {
		if name, ok := strings.CutPrefix(pair, "data="); ok {
			return name
		}
	}
	return ""
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
