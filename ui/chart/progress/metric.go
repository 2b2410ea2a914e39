package progress

import (
	"math"
	"strconv"

	"flockscope/sim/trace"
	"flockscope/ui/chart"
)

// Metric is what a curve shows.
type Metric uint8

// The metrics.
const (
	ARI         Metric = iota // agreement with the planted groups, corrected for chance
	Accuracy                  // mean accuracy over clients
	Misplaced                 // clients
	Loss                      // expected loss of the clients' models
	Cost                      // floats sent and received so far, per client
	NMI                       // agreement with the planted groups, not corrected for chance
	Purity                    // share of clients in the largest group of their cluster
	Worst                     // the largest loss of a client
	Weakest                   // the lowest accuracy of a client
	Time                      // in seconds of the virtual clock
	Val                       // accuracy over all held-out samples
	Test                      // mean accuracy over test clients
	Computation               // multiply-adds so far, per client
	Clusters                  // number of clusters, K over the rounds
	Metrics     int    = iota
)

// metrics has the names of each metric: on its button, in a link, and in a sentence.
var metrics = [Metrics]struct{ name, key, title string }{
	ARI:       {"ARI", "ari", "ARI"},
	Accuracy:  {"accuracy", "accuracy", "Accuracy"},
	Misplaced: {"misplaced", "misplaced", "Misplaced clients"},
	Loss:      {"loss", "loss", "Loss"},
	Cost:      {"cost", "cost", "Floats sent and received per client"},
	NMI:       {"NMI", "nmi", "Normalised mutual information"},
	Purity:    {"purity", "purity", "Purity"},
	Worst:     {"worst loss", "worst", "Largest loss of a client"},
	Weakest:   {"weakest client", "weakest", "Lowest accuracy of a client"},
	Time:      {"time", "time", "Seconds on the virtual clock"},
	Val:       {"Val", "val", "Val, accuracy on held-out samples"},
	Test:      {"Test", "test", "Test, accuracy of test clients"},

	Computation: {"computation", "computation", "Multiply-adds of a client"},
	Clusters:    {"clusters", "clusters", "Number of clusters"},
}

func (m Metric) String() string { return metrics[m].name }

// Key is the metric's name in a link.
func (m Metric) Key() string { return metrics[m].key }

// Of returns the metric of a frame of a run.
func (m Metric) Of(h *trace.Header, f *trace.Frame) float64 {
	switch m {
	case ARI:
		return f.ARI
	case Accuracy:
		return f.Accuracy
	case Misplaced:
		return float64(f.Misplaced)
	case Loss:
		return f.Loss
	case NMI:
		return f.NMI
	case Purity:
		return f.Purity
	case Worst:
		return f.Worst
	case Weakest:
		lowest := math.Inf(1)
		for i, a := range f.Accuracies {
			if !h.Lies(i) {
				lowest = min(lowest, float64(a))
			}
		}
		if len(f.Accuracies) == 0 {
			return 0
		}
		return lowest
	case Time:
		return f.Time
	case Val:
		return f.Val
	case Test:
		return f.Test
	case Computation:
		return f.Computed
	case Clusters:
		return float64(f.Clusters)
	}
	return f.Up + f.Down
}

// isShare reports whether the axis of the metric ends at 1.
func (m Metric) isShare() bool {
	return m == ARI || m == NMI || m == Purity || m.isPercent()
}

// isPercent reports whether the metric is written in percent.
func (m Metric) isPercent() bool { return m == Accuracy || m == Weakest || m == Val || m == Test }

// evaluated reports whether the metric comes from evaluations every few rounds.
func (m Metric) evaluated() bool { return m.isPercent() || m.isLoss() }

func (m Metric) isLoss() bool { return m == Loss || m == Worst }

// cumulative reports whether the metric is a sum over rounds.
func (m Metric) cumulative() bool { return m == Cost || m == Time || m == Computation }

func (m Metric) append(dst []byte, value float64) []byte {
	switch {
	case m.isPercent():
		return chart.AppendPercent(dst, value)
	case m.isShare():
		return chart.AppendFixed(dst, value, 2)
	case m.isCount():
		return strconv.AppendInt(dst, int64(value), 10)
	case m == Time:
		return append(chart.AppendNumber(dst, value), " s"...)
	}
	return chart.AppendNumber(dst, value)
}

// isCount reports whether the metric is a small whole number.
func (m Metric) isCount() bool { return m == Misplaced || m == Clusters }

// comparesGroups reports whether the metric compares clusters with the planted groups.
func (m Metric) comparesGroups() bool { return m == ARI || m == NMI || m == Purity || m == Misplaced }

// defined reports whether a lane has the metric.
func (m Metric) defined(v *chart.View, lane int) bool {
	return !m.comparesGroups() && m != Clusters || !v.IsUnclustered(lane) && v.Run.Header.Lanes[lane].Models > 1
}

// hasValue reports whether a frame has a value of its own: between evaluations, frames have none.
func (m Metric) hasValue(f *trace.Frame, evaluated bool) bool {
	return !evaluated || !m.evaluated() || f.Events.Has(trace.Evaluated)
}

// at returns the metric of a lane after a computed round: the value of the last evaluation, if
// the metric comes from evaluations.
func (m Metric) at(v *chart.View, lane, round int) float64 {
	f := v.FrameAt(lane, round)
	if !m.hasValue(f, v.Evaluated()) {
		if trial := v.EvaluationAt(lane, round); trial != nil {
			f = trial
		}
	}
	return m.Of(v.Run.Header, f)
}
