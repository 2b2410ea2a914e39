package page

import (
	"slices"
	"strings"

	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/progress"
	"flockscope/ui/files"
	"flockscope/ui/host"
)

// LaneOfRun returns where a lane of the configuration stands in the run on screen,
// −1 while that run has no such lane: nothing stands under a borrowed name.
func (a *State) LaneOfRun(lane int) int {
	if a.Run == nil || lane < 0 || lane >= len(a.Config.Lanes()) {
		return -1
	}
	id := a.Config.Lanes()[lane].ID()
	return slices.IndexFunc(a.Run.Header.Lanes, func(l trace.Lane) bool { return l.ID == id })
}

// ShownFrame returns the shown frame of a lane of the run on screen, nil where there
// is none.
func (a *State) ShownFrame(lane int) *trace.Frame {
	if a.Run == nil || lane < 0 || lane >= len(a.Run.Tracks) || len(a.Run.Tracks[lane].Frames) == 0 {
		return nil
	}
	frames := a.Run.Tracks[lane].Frames
	return &frames[min(a.Shown(), len(frames)-1)]
}

// NoAnswer reports that nobody knows the true groups of the run on screen, so
// that no clustering is right or wrong.
func (a *State) NoAnswer() bool { return a.Run != nil && !a.Run.Header.HasTruth() }

// judged reports whether a lane of the run on screen puts clients together, so that
// it can be told how right it is.
func (a *State) judged() bool {
	if a.NoAnswer() {
		return false
	}
	for lane := range a.Config.Lanes() {
		if !a.Config.Unclustered(lane) {
			return true
		}
	}
	return false
}

// Evaluated reports whether the models of the run on screen are tried now and then
// on samples that clients hold back.
func (a *State) Evaluated() bool { v := a.view(0); return v.Evaluated() }

// Classifies reports whether their answers are right or wrong.
func (a *State) Classifies() bool { v := a.view(0); return v.Classifies() }

// Metrics are what curves show most of the run on screen.
func (a *State) Metrics() []progress.Metric {
	var out []progress.Metric
	if a.judged() {
		out = append(out, progress.ARI)
	}
	if a.Classifies() {
		out = append(out, progress.Accuracy)
	}
	if a.judged() {
		out = append(out, progress.Misplaced)
	}
	return append(out, progress.Loss, progress.Cost)
}

// MoreMetrics are what else they can show.
func (a *State) MoreMetrics() []progress.Metric {
	var out []progress.Metric
	if a.judged() {
		out = append(out, progress.NMI, progress.Purity)
	}
	out = append(out, progress.Worst)
	if a.Classifies() {
		out = append(out, progress.Weakest)
	}
	if a.Run != nil && files.Visited(a.Run) {
		out = append(out, progress.Val, progress.Test)
	}
	if timed(a.Run) {
		out = append(out, progress.Time)
	}
	return out
}

// hasVerdict reports whether a lane of the run is right or wrong: somebody knows the
// groups, and its method puts clients together.
func (a *State) hasVerdict(lane int) bool {
	h := a.Run.Header
	return h.HasTruth() && !a.lanes.unclustered(h.Lanes[lane].Algorithm)
}

// timed reports whether a virtual clock runs.
func timed(run *trace.Run) bool {
	if run == nil {
		return false
	}
	for i := range run.Tracks {
		if n := len(run.Tracks[i].Frames); n > 0 && run.Tracks[i].Frames[n-1].Time > 0 {
			return true
		}
	}
	return false
}

// ShowMetric has the curves show a metric.
type ShowMetric struct{ Metric progress.Metric }

func (m ShowMetric) update(s *State) {
	s.Metric, s.Picked = m.Metric, true
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// Shows is the metric of the curves: the one chosen, if the run has it, else the
// share of right answers where there are such, else the first there is.
func (a *State) Shows() progress.Metric {
	metrics := a.Metrics()
	switch {
	case a.Picked && (slices.Contains(metrics, a.Metric) || slices.Contains(a.MoreMetrics(), a.Metric)):
		return a.Metric
	case a.Classifies():
		return progress.Accuracy
	}
	return metrics[0]
}

// Algorithm returns what the schema says of a lane's algorithm.
func (a *State) Algorithm(lane int) registry.Meta { return a.meta(a.Config.Lanes()[lane].Algorithm) }

// meta is what is known of an algorithm.
func (a *State) meta(name string) registry.Meta {
	for i := range a.Schema.Algorithms {
		if m := &a.Schema.Algorithms[i]; m.Name == name {
			return *m
		}
	}
	return registry.Meta{}
}

// Title is what a lane is called.
func (a *State) Title(lane int) string {
	title := a.Algorithm(lane).Title
	if label := a.Config.Lanes()[lane].Label; label != "" {
		title += " · " + label
	}
	return chart.LaneTitle(title)
}

// Fingerprint is the short form of the run's fingerprint, "" until it is done.
func (a *State) Fingerprint() string {
	if lanes := a.Fingerprints(); lanes != nil {
		return trace.Result(lanes)
	}
	return ""
}

// Fingerprints are those of the lanes, nil until all of them are done.
func (a *State) Fingerprints() (lanes []uint64) {
	if a.Run == nil || !a.Run.Done() {
		return nil
	}
	for i := range a.Run.Tracks {
		lanes = append(lanes, a.Run.Tracks[i].Summary.Fingerprint)
	}
	return lanes
}

// Verdict is the score of a lane in its units: a line may end between them. It has one unit
// at least, since Vugu leaves the old children in an element that has no children any more.
func (a *State) Verdict(lane int) []string {
	l := a.laneWords(a.LaneOfRun(lane))
	if units := l.Verdict(); len(units) > 0 {
		return units
	}
	return []string{""}
}

// laneWords puts a lane of the run on screen into words, −1 for none.
func (a *State) laneWords(lane int) Lane {
	l := Lane{View: a.view(lane), Frame: a.ShownFrame(lane)}
	if l.Frame != nil {
		l.Unclustered = a.lanes.unclustered(a.Run.Header.Lanes[lane].Algorithm)
	}
	return l
}

// Clusters says how many clusters the shown round has in the lanes that read a setting, by its
// key, "" where no such lane is on screen.
func (a *State) Clusters(key string) string {
	var all []string
	for lane, l := range a.Config.Lanes() {
		name, own := strings.CutPrefix(key, l.ID()+".")
		f := a.ShownFrame(a.LaneOfRun(lane))
		if !own && strings.Contains(key, ".") || f == nil || f.Round == 0 || !slices.ContainsFunc(
			a.Config.LaneFields(lane), func(f param.Field) bool { return f.Name == name }) {
			continue
		}
		text := say.Count(f.Clusters, "cluster")
		if !own && len(a.Config.Lanes()) > 1 {
			text = say.Textf("%s: %s", a.Title(lane), text)
		}
		all = append(all, text)
	}
	return strings.Join(all, " · ")
}

// Score is a lane's verdict in a few characters.
func (a *State) Score(lane int) string { l := a.laneWords(a.LaneOfRun(lane)); return l.Score() }

// Story says what the shown round means for a lane, in one or two sentences.
func (a *State) Story(lane int) string { l := a.laneWords(a.LaneOfRun(lane)); return l.Story() }

// Cost is what a lane has sent so far per client.
func (a *State) Cost(lane int) string { l := a.laneWords(a.LaneOfRun(lane)); return l.Cost() }

// Accuracy is the share of right answers of a lane of the run on screen, as last tried.
func (a *State) Accuracy(lane int) float64 { l := a.laneWords(lane); return l.Accuracy() }

// nameModels keeps the names of the models of a run that is under way.
func (a *State) nameModels() {
	if a.Run == nil || a.Run.Done() {
		a.names.aliases = a.names.aliases[:0]
		return
	}
	for lane := range a.Run.Header.Lanes {
		if lane == len(a.names.aliases) {
			a.names.aliases = append(a.names.aliases, nil)
		}
		a.names.aliases[lane] = a.names.aliaser.Alias(a.names.aliases[lane], a.Run, lane)
	}
	a.names.aliases = a.names.aliases[:len(a.Run.Header.Lanes)]
}
