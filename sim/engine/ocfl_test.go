package engine_test

import (
	"fmt"
	"testing"
)

// TestOCFLFindsGroupsEarly: what the paper claims, in small and over many seeds: where clients train models, the groups
// are found in the first rounds, once, and how many they are, without any setting; and clients then lose less than with one
// model for all. The paper has 15 and 30 clients on MNIST, with trained networks, and Rand indices of 0.95 to 0.98.
func TestOCFLFindsGroupsEarly(t *testing.T) {
	seeds := 12
	if testing.Short() {
		seeds = 4
	}
	for groups, angles := range map[int]string{2: "0,180", 3: "0,120,240", 4: "0,90,180,270"} {
		ari, right, loss, common := 0.0, 0, 0.0, 0.0
		for seed := 1; seed <= seeds; seed++ {
			query := fmt.Sprintf("data=digits&net=softmax&C=20&n=1600&shift=rotations&angles=%s&avg=model&tau=3&T=12&every=12&"+
				"exam=20&dense=3&algos=ocfl,fedavg&sd=%d&sm=%[2]d&sa=%[2]d", angles, seed)
			r := record(t, query, nil)
			changed := 0
			for n := 1; n < len(r.lanes[0]); n++ {
				if fmt.Sprint(r.lanes[0][n].Label) != fmt.Sprint(r.lanes[0][n-1].Label) {
					if changed++; n > 8 {
						t.Errorf("%d groups, seed %d: clusters are found in round %d, want one of the first", groups, seed, n)
					}
				}
			}
			if changed != 1 {
				t.Errorf("%d groups, seed %d: labels changed in %d rounds, want once", groups, seed, changed)
			}
			last := r.lanes[0][len(r.lanes[0])-1]
			ari += last.ARI / float64(seeds)
			clusters := map[uint16]bool{}
			for _, k := range last.Label {
				clusters[k] = true
			}
			if len(clusters) == groups {
				right++
			}
			loss += r.summaries[0].Loss / float64(seeds)
			common += r.summaries[1].Loss / float64(seeds)
		}
		if ari < 0.95 || right < seeds*3/4 || loss > common*0.9 {
			t.Errorf("%d groups: mean ARI %.3f, as many clusters in %d of %d runs, loss %.3f and %.3f with one model",
				groups, ari, right, seeds, loss, common)
		}
	}
}
