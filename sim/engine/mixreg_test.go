package engine_test

import "testing"

// TestPaperMixedRegressions is acceptance test i of the specification: from
// start models that are no better than any others, CLoVE has all groups right by
// round 4 where they are 1 apart, and by round 8 where they are 0.1 apart. Batches
// are as many as the paper has, of fewer samples, for the sake of time.
func TestPaperMixedRegressions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		query string
		by    int
	}{
		{"data=mixreg&held=400&probe=400&b=40&T=4&algos=clove", 4},
		{"data=mixreg&held=400&probe=400&b=40&T=8&delta=0.1&algos=clove", 8},
	} {
		runs := overSeeds(t, tt.query, 10)
		right := 0.0
		for i := range runs {
			right += runs[i].lanes[0].ari[tt.by] / float64(len(runs))
		}
		t.Logf("%s: mean ARI %.3f in round %d", tt.query, right, tt.by)
		if right < 0.99 {
			t.Errorf("%s: mean ARI %.3f in round %d, want 0.99 or more", tt.query, right, tt.by)
		}
	}
}

// TestMixedRegressionsAreSound: every algorithm runs on them, with models that no
// frame carries and risks that need no trial, also beyond any sensible rate.
func TestMixedRegressionsAreSound(t *testing.T) {
	for _, name := range algorithms() {
		query := "data=mixreg&C=6&D=3&held=40&b=10&probe=20&T=4&tau=2&algos=" + name
		r := record(t, query, nil)
		checkFrames(t, query, r)
		if got := r.summaries[0].Diverged; got >= 0 {
			t.Errorf("%s diverged in round %d", query, got)
		}
	}
	r := record(t, "data=mixreg&C=6&D=3&held=40&b=10&probe=20&T=60&avg=gradient&lr=10&algos=fedavg,local", nil)
	checkFrames(t, "a rate of 10", r)
	for i, s := range r.summaries {
		if s.Diverged < 1 {
			t.Errorf("lane %d stands a rate of 10", i)
		}
	}
}
