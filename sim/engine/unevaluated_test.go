package engine_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"flockscope/sim/ingest"
	"flockscope/sim/trace"
	"flockscope/sim/userfiles"
)

// TestNotEvaluated: loss, worst and accuracy are those of the models as they stand: after rounds in
// which models of a network were not evaluated there are none, and in the others they are those of
// a run that evaluates after every round. The fingerprint is that of frames which repeat the last
// ones, as they once did.
func TestNotEvaluated(t *testing.T) {
	const query = "data=digits&n=300&C=6&T=8&hidden=8&guests=4&algos=fedavg,ifca,local"
	every := record(t, query+"&every=1", nil)
	r := record(t, query, nil) // after every fifth
	for lane := range r.lanes {
		var hash trace.Hash
		var last trace.Metrics
		for n := range r.lanes[lane] {
			f, want := r.lanes[lane][n], every.lanes[lane][n]
			known := n%5 == 0 || n == 8
			if f.Events.Has(trace.Evaluated) != known || math.IsNaN(f.Loss) == known || math.IsNaN(f.Worst) == known {
				t.Errorf("lane %d, round %d: loss %v, worst %v, events %b", lane, n, f.Loss, f.Worst, f.Events)
			}
			if known && (f.Loss != want.Loss || f.Worst != want.Worst || f.Accuracy != want.Accuracy ||
				f.Test != want.Test) {
				t.Errorf("lane %d, round %d: %+v, want %+v", lane, n, f.Metrics, want.Metrics)
			}
			if known {
				last = f.Metrics
			} else if f.Accuracy != 0 || f.Val != 0 || f.Test != 0 {
				t.Errorf("lane %d, round %d: %+v, want no accuracies", lane, n, f.Metrics)
			}
			f.Loss, f.Worst = last.Loss, last.Worst
			hash.Add(&f)
		}
		if s := r.summaries[lane]; hash.Sum() != s.Fingerprint || s.Loss != last.Loss || s.Accuracy != last.Accuracy {
			t.Errorf("lane %d: fingerprint %x, loss %v and accuracy %v, want %x, %v and %v", lane, s.Fingerprint, s.Loss,
				s.Accuracy, hash.Sum(), last.Loss, last.Accuracy)
		}
	}
}

// TestDivergedNotEvaluated: a lane that diverges ends with the scores of its last finite round if
// models were evaluated after that, and without any if not.
func TestDivergedNotEvaluated(t *testing.T) {
	var b strings.Builder
	b.WriteString("a,b,y\n")
	for i := range 80 {
		fmt.Fprintf(&b, "%d.25,%d.5,%d.75\n", i%7-3, i%5-2, i%11-5)
	}
	file, err := userfiles.Read([]ingest.File{{Name: "table.csv", Data: []byte(b.String())}})
	if err != nil {
		t.Fatal(err)
	}
	const query = "data=samples&net=linear&cols=y:number&shift=none&C=4&T=40&lr=5&algos=fedavg&every="
	every := record(t, query+"1", file)
	at := every.summaries[0].Diverged
	if at < 3 {
		t.Fatalf("diverged in round %d: this proves nothing", at)
	}
	if s, f := every.summaries[0], every.lanes[0][at-1]; s.Loss != f.Loss || s.Worst != f.Worst {
		t.Errorf("loss %v and worst %v, want %v and %v of round %d", s.Loss, s.Worst, f.Loss, f.Worst, at-1)
	}
	rare := record(t, query+"39", file)
	if s := rare.summaries[0]; s.Diverged != at || !math.IsNaN(s.Loss) || !math.IsNaN(s.Worst) {
		t.Errorf("diverged in %d with loss %v and worst %v, want %d and none", s.Diverged, s.Loss, s.Worst, at)
	}
	for _, f := range append(every.lanes[0][at:], rare.lanes[0][1:]...) {
		if !math.IsNaN(f.Loss) {
			t.Errorf("round %d has a loss of %v, want none", f.Round, f.Loss)
		}
	}
}
