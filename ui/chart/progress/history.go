package progress

import (
	"cmp"
	"math"
	"slices"

	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
)

// EventKind is a kind of event in a lane.
type EventKind uint8

// The kinds of events, from frequent to final.
const (
	Clustered    EventKind = iota // the server clustered again, and no client moved
	Moved                         // clients got other models
	Split                         // some clients of a model got an unused one
	Merged                        // all clients of a model got one that others have
	Stopped                       // the server stopped clustering
	FirstCorrect                  // all clients are placed correctly for the first time
	Correct                       // and from this round on
	Converged                     // from this round on no client moves and the losses are flat
	Diverged                      // the lane diverged
)

// Event is an event in a lane.
type Event struct {
	Round    int
	Kind     EventKind
	Clients  int // that moved
	From, To int // models, of a split or a merge
}

// Words describes the event, without the round.
func (h *Event) Words(v *chart.View) string {
	switch h.Kind {
	case Moved:
		return say.Textf("%s moved", say.Count(h.Clients, "client"))
	case Split:
		return say.Textf("cluster %s split: model %s for %s", v.Letter(h.From), v.Letter(h.To),
			say.Count(h.Clients, "client"))
	case Merged:
		return say.Textf("cluster %s merged into %s", v.Letter(h.From), v.Letter(h.To))
	case Stopped:
		return say.Text("clustering stopped")
	case FirstCorrect:
		return say.Text("all correct for the first time")
	case Correct:
		return say.Text("correct from here on")
	case Converged:
		return say.Text("nothing changes from here on")
	case Diverged:
		return say.Text("diverged")
	}
	return say.Text("clustered again, no client moved")
}

// History collects the events of a lane as frames arrive. The zero History is empty.
type History struct {
	run          *trace.Run
	lane         int
	seen         int  // frames
	ended        bool // the summary has been read
	right        bool // all clients have been placed correctly
	participated trace.Replied
	events       []Event
	targets      []int // by model: where its clients moved, see [History.findSplits]
	sources      []int
	count        []int
}

// Of returns the events of the shown lane so far, by round. The slice is valid until the next
// call.
func (h *History) Of(v *chart.View) []Event {
	if v.LaneHeader() == nil {
		return nil
	}
	if v.Run != h.run || v.Lane != h.lane {
		*h = History{run: v.Run, lane: v.Lane, events: h.events[:0], targets: h.targets, sources: h.sources,
			count: h.count}
	}
	frames := v.Run.Tracks[v.Lane].Frames
	for ; h.seen < len(frames); h.seen++ {
		if t := h.seen; t > 0 {
			h.addRound(v, &frames[t-1], &frames[t])
		}
	}
	if s := v.Summary(); s != nil && !h.ended {
		h.ended = true
		h.addSummary(v, s)
	}
	return h.events
}

func (h *History) add(what EventKind, round int) {
	h.events = append(h.events, Event{Round: round, Kind: what})
}

// addRound adds the events between two rounds.
func (h *History) addRound(v *chart.View, before, after *trace.Frame) {
	switch e := after.Events; {
	case e.Has(trace.Moved):
		moved := 0
		for i, k := range after.Label {
			if k != before.Label[i] {
				moved++
			}
		}
		h.events = append(h.events, Event{Round: after.Round, Kind: Moved, Clients: moved})
		// The first labels are not a result of clustering.
		if lane := v.LaneHeader(); before.Round > 0 && (lane.Columns > 1 || lane.Models == 1) {
			h.findSplits(before, after, lane.Models)
		}
	case e.Has(trace.Reclustered):
		h.add(Clustered, after.Round)
	}
	if after.Events.Has(trace.ClusteringStopped) {
		h.add(Stopped, after.Round)
	}
	everyone := h.participated.Complete(after)
	if header := v.Run.Header; !h.right && header.Groups > 1 && after.ARI == 1 && everyone {
		h.right = true
		h.add(FirstCorrect, after.Round)
	}
}

// No model, and several models.
const (
	none = -1
	many = -2
)

// findSplits adds splits and merges. A model splits off if it had no clients and all of its new
// ones come from one model that keeps some. A model merges if all of its clients move to one
// model that has others.
func (h *History) findSplits(before, after *trace.Frame, models int) {
	h.targets, h.sources, h.count = trace.Resize(h.targets, models), trace.Resize(h.sources, models),
		trace.Resize(h.count, models)
	for k := range models {
		h.targets[k], h.sources[k], h.count[k] = none, none, 0
	}
	join := func(at *int, k int) {
		if *at == none {
			*at = k
		} else if *at != k {
			*at = many
		}
	}
	for i, k := range after.Label {
		was := int(before.Label[i])
		join(&h.sources[k], was)
		join(&h.targets[was], int(k))
		h.count[k]++
	}
	for k := range models {
		if was := h.sources[k]; was >= 0 && was != k && h.targets[was] == many && h.targets[k] == none &&
			slices.Contains(after.Label, uint16(was)) {
			h.events = append(h.events,
				Event{Round: after.Round, Kind: Split, Clients: h.count[k], From: was, To: k})
		}
		if to := h.targets[k]; to >= 0 && to != k && h.sources[to] == many && h.sources[k] == none &&
			slices.Contains(before.Label, uint16(to)) {
			h.events = append(h.events, Event{Round: after.Round, Kind: Merged, From: k, To: to})
		}
	}
}

// addSummary adds the events that are known only at the end of the run.
func (h *History) addSummary(v *chart.View, s *trace.Summary) {
	rounds := v.Run.Header.Rounds
	if StaysCorrect(s, rounds) {
		h.events = slices.DeleteFunc(h.events, func(p Event) bool {
			return p.Kind == FirstCorrect &&
				p.Round == s.Settled
		})
		h.add(Correct, s.Settled)
	}
	if s.Diverged >= 0 {
		h.add(Diverged, s.Diverged)
	} else if t := ConvergedFrom(v.Run, v.Lane); t > 0 && t+ConvergedRounds <= rounds {
		h.add(Converged, t)
	}
	slices.SortStableFunc(h.events, func(a, b Event) int { return cmp.Compare(a.Round, b.Round) })
}

// ConvergedRounds is the number of rounds without a change after which a run counts as converged.
const ConvergedRounds = 30

// flatShare is the width of the band in which losses count as equal despite minibatches, as a
// share of the lane's range of losses plus the last loss.
const flatShare = 0.02

// ConvergedFrom returns the first round of a complete lane from which on no client moves and the mean loss
// stays in a narrow band; the last round if there is none before.
func ConvergedFrom(run *trace.Run, lane int) int {
	frames := run.Tracks[lane].Frames
	last := len(frames) - 1
	low, high, end := math.Inf(1), math.Inf(-1), 0.0
	for i := range frames {
		if loss := frames[i].Loss; !math.IsNaN(loss) { // NaN: models were not evaluated
			low, high, end = min(low, loss), max(high, loss), loss
		}
	}
	band := flatShare * (high - low + math.Abs(end))
	low, high = end, end
	t := last
	for ; t > 0; t-- {
		f := &frames[t-1]
		if !math.IsNaN(f.Loss) {
			low, high = min(low, f.Loss), max(high, f.Loss)
		}
		if high-low > band || !slices.Equal(f.Label, frames[last].Label) {
			break
		}
	}
	if s := run.Tracks[lane].Summary; s != nil {
		t = max(t, s.Diverged)
	}
	return t
}
