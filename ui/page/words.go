package page

import (
	"slices"
	"strings"

	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	lanefigures "flockscope/ui/chart/lane"
	"flockscope/ui/chart/progress"
	"flockscope/ui/files"
	"flockscope/ui/host"
)

// LaneOfRun returns the index of a lane of the configuration in the run on screen, −1 if that run
// does not have the lane.
func (s *State) LaneOfRun(lane int) int {
	if s.Run == nil || lane < 0 || lane >= len(s.Config.Lanes()) {
		return -1
	}
	id := s.Config.Lanes()[lane].ID()
	return slices.IndexFunc(s.Run.Header.Lanes, func(l trace.Lane) bool { return l.ID == id })
}

// ShownFrame returns the shown frame of a lane of the run on screen, nil if there is none.
func (s *State) ShownFrame(lane int) *trace.Frame {
	if s.Run == nil || lane < 0 || lane >= len(s.Run.Tracks) || len(s.Run.Tracks[lane].Frames) == 0 {
		return nil
	}
	frames := s.Run.Tracks[lane].Frames
	return &frames[min(s.Shown(), len(frames)-1)]
}

// NetworkWords says how large the network is that clients train, "" if that is unknown.
func (s *State) NetworkWords() string {
	if s.Run == nil || !s.Runs.UpToDate() || len(s.Run.Header.Blocks) == 0 {
		return ""
	}
	return say.Textf("%s.", lanefigures.NetworkCost(s.Run.Header.Blocks))
}

// HasNoTruth reports whether the true groups of the run on screen are unknown, so clusterings cannot
// be judged.
func (s *State) HasNoTruth() bool { return s.Run != nil && !s.Run.Header.HasTruth() }

// HasLiars reports whether some clients of the run on screen lie.
func (s *State) HasLiars() bool { return s.Run != nil && len(s.Run.Header.Liar) > 0 }

// hasClusteringLane reports whether a lane clusters clients and its clustering can be judged.
func (s *State) hasClusteringLane() bool {
	if s.Run != nil {
		if p := &s.Run.Header.DataPreview; s.HasNoTruth() || p.Alike || len(p.Mixtures) > 0 {
			return false
		}
	}
	for lane := range s.Config.Lanes() {
		if !s.Config.Unclustered(lane) {
			return true
		}
	}
	return false
}

// Evaluated reports whether the models of the run on screen are evaluated on held-out samples.
func (s *State) Evaluated() bool { v := s.view(0); return v.Evaluated() }

// Classifies reports whether its models are classifiers.
func (s *State) Classifies() bool { v := s.view(0); return v.Classifies() }

// Metrics returns the main metrics of the run on screen.
func (s *State) Metrics() []progress.Metric {
	var out []progress.Metric
	if s.hasClusteringLane() {
		out = append(out, progress.ARI)
	}
	if s.Classifies() {
		out = append(out, progress.Accuracy)
	}
	if s.hasClusteringLane() {
		out = append(out, progress.Misplaced)
	}
	return append(out, progress.Loss, progress.Cost)
}

// MoreMetrics returns its other metrics.
func (s *State) MoreMetrics() []progress.Metric {
	var out []progress.Metric
	if s.hasClusteringLane() {
		out = append(out, progress.NMI, progress.Purity)
	}
	for lane := range s.Config.Lanes() {
		if !s.Config.Unclustered(lane) { // also without known groups
			out = append(out, progress.Clusters)
			break
		}
	}
	out = append(out, progress.Worst)
	if s.Classifies() {
		out = append(out, progress.Weakest)
	}
	if s.Run != nil && files.HasTestClients(s.Run) {
		out = append(out, progress.Val, progress.Test)
	}
	if !s.unmeasured() {
		out = append(out, progress.Computation)
	}
	if timed(s.Run) {
		out = append(out, progress.Time)
	}
	return out
}

// hasVerdict reports whether the clustering of a lane of the run can be judged.
func (s *State) hasVerdict(lane int) bool {
	h := s.Run.Header
	return h.HasTruth() && !s.lanes.unclustered(h.Lanes[lane].Algorithm)
}

// unmeasured reports whether the run is of an older program, which did not count multiply-adds.
func (s *State) unmeasured() bool {
	played := false
	if s.Run != nil {
		for i := range s.Run.Tracks {
			if n := len(s.Run.Tracks[i].Frames); n > 1 {
				if played = true; s.Run.Tracks[i].Frames[n-1].Computed > 0 {
					return false
				}
			}
		}
	}
	return played
}

// timed reports whether a run has a virtual clock.
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

// ShowMetric: the user selects the metric of the curves.
type ShowMetric struct{ Metric progress.Metric }

func (m ShowMetric) update(s *State) {
	s.Metric, s.MetricChosen = m.Metric, true
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// ShownMetric returns the metric of the curves: the selected one if the run has it, else accuracy
// for classifiers, else the first metric.
func (s *State) ShownMetric() progress.Metric {
	metrics := s.Metrics()
	switch {
	case s.MetricChosen && (slices.Contains(metrics, s.Metric) || slices.Contains(s.MoreMetrics(), s.Metric)):
		return s.Metric
	case s.Classifies():
		return progress.Accuracy
	}
	return metrics[0]
}

// Algorithm returns the description of a lane's method.
func (s *State) Algorithm(lane int) registry.Meta {
	return s.methodOf(s.Config.Lanes()[lane].Algorithm)
}

// methodOf returns the description of a method.
func (s *State) methodOf(name string) registry.Meta {
	for i := range s.Schema.Algorithms {
		if m := &s.Schema.Algorithms[i]; m.Name == name {
			return *m
		}
	}
	return registry.Meta{}
}

// Title returns the title of a lane.
func (s *State) Title(lane int) string {
	title := s.Algorithm(lane).Title
	if label := s.Config.Lanes()[lane].Label; label != "" {
		title += " · " + label
	}
	return chart.LaneTitle(title)
}

// Fingerprint returns the short fingerprint of the run, "" until it is complete.
func (s *State) Fingerprint() string {
	if lanes := s.Fingerprints(); lanes != nil {
		return trace.Result(lanes)
	}
	return ""
}

// Fingerprints returns those of the lanes, nil until all are complete.
func (s *State) Fingerprints() (lanes []uint64) {
	if s.Run == nil || !s.Run.Done() {
		return nil
	}
	for i := range s.Run.Tracks {
		lanes = append(lanes, s.Run.Tracks[i].Summary.Fingerprint)
	}
	return lanes
}

// Scores returns the parts of a lane's score; see [LaneWords.Scores].
func (s *State) Scores(lane int) []string { l := s.laneWords(s.LaneOfRun(lane)); return l.Scores() }

// laneWords describes a lane of the run on screen, −1 for none.
func (s *State) laneWords(lane int) LaneWords {
	l := LaneWords{View: s.view(lane), Frame: s.ShownFrame(lane)}
	if l.Frame != nil {
		l.Kind = s.judge.Outcome(s.Run, lane, s.Shown())
	}
	return l
}

// Clusters returns the number of clusters in the shown round of the lanes that have a setting, "" if
// there are none.
func (s *State) Clusters(key string) string {
	var all []string
	for lane, l := range s.Config.Lanes() {
		name, own := strings.CutPrefix(key, l.ID()+".")
		f := s.ShownFrame(s.LaneOfRun(lane))
		if !own && strings.Contains(key, ".") || f == nil || f.Round == 0 || !slices.ContainsFunc(
			s.Config.LaneFields(lane), func(f param.Field) bool { return f.Name == name }) {
			continue
		}
		text := say.Count(f.Clusters, "cluster")
		if !own && len(s.Config.Lanes()) > 1 {
			text = say.Textf("%s: %s", s.Title(lane), text)
		}
		all = append(all, text)
	}
	return strings.Join(all, " · ")
}

// Score returns a short verdict of a lane.
func (s *State) Score(lane int) string { l := s.laneWords(s.LaneOfRun(lane)); return l.Score() }

// Story describes the shown round of a lane in one or two sentences.

// Cost returns the floats per client that a lane has sent so far.
func (s *State) Cost(lane int) string { l := s.laneWords(s.LaneOfRun(lane)); return l.Cost() }

// Accuracy returns the accuracy of a lane of the run on screen at the last evaluation.
func (s *State) Accuracy(lane int) float64 { l := s.laneWords(lane); return l.Accuracy() }
