package engine_test

import "testing"

// TestGaussIsSound: every algorithm runs on weights with a mixture and on pairs.
func TestGaussIsSound(t *testing.T) {
	for _, data := range []string{"data=mix2&T=20&C=7", "data=pairs8&T=8&C=16&b=8&probe=12",
		"data=pairs8&T=8&C=9&b=8&truth=pairs&within=0"} {
		for _, name := range algorithms() {
			query := data + "&algos=" + name
			r := record(t, query, nil)
			checkFrames(t, query, r)
			if got := r.summaries[0].Diverged; got >= 0 {
				t.Errorf("%s diverged in round %d", query, got)
			}
		}
	}
}
