package progress

import (
	"testing"

	"flockscope/sim/trace"
)

// TestMetrics: every metric reads its own number of a frame, has its own name in links, and
// is written to fit its axis.
func TestMetrics(t *testing.T) {
	f := &trace.Frame{Metrics: trace.Metrics{ARI: 0.25, Misplaced: 3, Loss: 5, Worst: 7, Down: 4, Up: 8, Accuracy: 0.5,
		NMI: 0.75, Purity: 0.8, Time: 12.5, Val: 0.625, Test: 0.375, Computed: 2.5e6, Clusters: 4},
		Accuracies: []float32{0.5, 0.25, 0.75}}
	want := []struct {
		value float64
		words string
	}{ARI: {0.25, "0.25"}, Accuracy: {0.5, "50%"}, Misplaced: {3, "3"}, Loss: {5, "5"}, Cost: {12, "12"},
		NMI: {0.75, "0.75"}, Purity: {0.8, "0.80"}, Worst: {7, "7"}, Weakest: {0.25, "25%"}, Time: {12.5,
			"12.5 s"}, Val: {0.625, "63%"}, Test: {0.375, "38%"}, Computation: {2.5e6, "2.50 M"}, Clusters: {4, "4"}}
	keys := map[string]bool{}
	for m := range Metric(Metrics) {
		value := m.Of(new(trace.Header), f)
		if words := string(m.append(nil, value)); value != want[m].value || words != want[m].words {
			t.Errorf("%v is %v, written %q, want %v and %q", m, value, words, want[m].value, want[m].words)
		}
		if keys[m.Key()] || m.Key() == "" || metrics[m].title == "" {
			t.Errorf("%v has the key %q and the title %q", m, m.Key(), metrics[m].title)
		}
		keys[m.Key()] = true
		if m.isShare() && value > 1 {
			t.Errorf("%v is a share of %v", m, value)
		}
	}
	if got := Weakest.Of(nil, new(trace.Frame)); got != 0 {
		t.Errorf("without answers the weakest client is at %v", got)
	}
}
