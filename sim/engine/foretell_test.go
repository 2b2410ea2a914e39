package engine

import (
	"context"
	"slices"
	"testing"

	"flockscope/sim/catalog"
)

// Once a server has said how the next round begins, it leaves its models alone: what
// clients elsewhere have begun with would be of use for other models only.
func TestModelsStayWhenForetold(t *testing.T) {
	names := []string{"cflgp&findk=silhouette&solo=3", "cflgp&as=released", "cflgp&trunk=common", "cflgp&fold=sum", "clove&first=random", "clove&settle=stable"}
	for _, a := range catalog.Algorithms() {
		names = append(names, a.Name)
	}
	all := 0
	for _, name := range names {
		query := "data=digits&C=6&n=300&T=9&every=3&exam=20&hidden=8&b=16&probe=16&algos=" + name
		watch := func(l *lane, _ int, play func()) {
			var then []float32
			l.round.Early = func(bool) {
				if then == nil {
					then, all = slices.Clone(l.bank.Params), all+1
				}
			}
			if play(); then != nil && !slices.Equal(then, l.bank.Params) {
				t.Errorf("%s: models move in round %d although the next one was foretold", query, l.frame.Round)
			}
		}
		if err := runLanes(context.Background(), read1(t, query), nil, []int{0}, nil, nowhere{}, watch); err != nil {
			t.Fatal(query, err)
		}
	}
	if all < 100 {
		t.Errorf("servers foretold %d rounds, want many", all)
	}
}
