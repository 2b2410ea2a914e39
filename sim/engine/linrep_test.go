package engine_test

import (
	"fmt"
	"testing"
)

// TestLinearRepresentation: a client in the correct cluster reaches the noise floor, and a common
// model does not.
func TestLinearRepresentation(t *testing.T) {
	right := 0
	for seed := 31; seed < 41; seed++ {
		query := fmt.Sprintf("data=linrep&algos=cflgp,fedavg&sd=%d&sm=%d&sa=%d", seed, seed, seed)
		r := record(t, query, nil)
		checkFrames(t, query, r)
		if s := r.summaries[0]; s.ARI == 1 && s.Loss < 0.05 {
			right++
		}
		if s := r.summaries[1]; s.Loss < 0.4 {
			t.Errorf("%s: one model for all has a loss of %v", query, s.Loss)
		}
	}
	if right < 7 {
		t.Errorf("CFL-GP finds groups and models with %d of 10 seeds, want 7", right)
	}
}
