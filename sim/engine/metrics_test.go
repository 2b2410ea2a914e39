package engine_test

import (
	"fmt"
	"testing"
)

// TestMetricsAgree: what frames say of one clustering in several ways agrees, and the summary has
// the first round with a correct clustering, and the cost up to it.
func TestMetricsAgree(t *testing.T) {
	found, never := 0, 0
	for seed := 1; seed <= 5; seed++ {
		query := fmt.Sprintf("data=linreg&T=40&algos=cflgp,ifca,clove,local&sd=%d&sm=%d", seed, seed)
		r := record(t, query, nil)
		for lane, frames := range r.lanes {
			first := -1
			for n := range frames {
				f := &frames[n]
				right := f.ARI == 1
				if right && n > 0 && first < 0 {
					first = n
				}
				if right != (f.NMI == 1 && f.Misplaced == 0) || f.NMI < 0 || f.NMI > 1 || f.Purity < 1./3 ||
					f.Purity > 1 {
					t.Errorf("%s: %s after round %d: ARI %v, NMI %v, purity %v, %d misplaced", query,
						r.header.Lanes[lane].ID, n,
						f.ARI, f.NMI, f.Purity, f.Misplaced)
				}
				if f.Time != 0 {
					t.Errorf("%s: %s takes %v s after round %d without a clock", query, r.header.Lanes[lane].ID,
						f.Time, n)
				}
			}
			price := 0.0
			if first >= 0 {
				price, found = frames[first].Down+frames[first].Up, found+1
			} else {
				never++
			}
			if s := r.summaries[lane]; s.FirstCorrect != first || s.CostToCorrect != price {
				t.Errorf("%s: %s found the groups in round %d for %v, want %d for %v", query, r.header.Lanes[lane].ID,
					s.FirstCorrect,
					s.CostToCorrect, first, price)
			}
		}
		if last := r.lanes[3][40]; last.Purity != 1 || last.ARI != 0 { // everybody alone
			t.Errorf("%s: local training has purity %v and ARI %v, want 1 and 0", query, last.Purity, last.ARI)
		}
	}
	if found < 3 || never < 3 {
		t.Errorf("%d lanes found the groups and %d did not: this proves little", found, never)
	}
}
