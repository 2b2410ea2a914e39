package engine

import (
	"context"
	"slices"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/fl"
)

// finality notes the models when a server or its lane first says that they are final, and how
// often a guess at the next round asks something.
type finality struct {
	fl.Clients
	then    func()
	models  []float32
	guessed int
}

func (f *finality) Prefetch(guess func() bool, _ bool) {
	if f.models == nil {
		f.then()
	}
	if guess() {
		f.guessed++
	}
}

// Once a server has said how the next round begins, it leaves its models alone: what
// clients elsewhere have begun with would be of use for other models only.
func TestModelsStayWhenForetold(t *testing.T) {
	names := []string{"cflgp&findk=silhouette&solo=3", "cflgp&as=released", "cflgp&trunk=common", "cflgp&fold=sum",
		"clove&first=random", "clove&settle=stable"}
	for _, a := range catalog.Algorithms() {
		names = append(names, a.Name)
	}
	all := 0
	for _, name := range names {
		query := "data=digits&C=6&n=300&T=9&every=3&exam=20&hidden=8&b=16&probe=16&algos=" + name
		watch := func(l *lane, _ int, play func()) {
			spy := &finality{Clients: l}
			spy.then = func() { spy.models = slices.Clone(l.bank.Params) }
			l.round.Clients = spy
			if play(); spy.models != nil && !slices.Equal(spy.models, l.bank.Params) {
				t.Errorf("%s: models move in round %d although the next one was foretold", query, l.frame.Round)
			}
			all += spy.guessed
		}
		if err := runLanes(context.Background(), read1(t, query), nil, []int{0}, nil, nowhere{}, watch); err != nil {
			t.Fatal(query, err)
		}
	}
	if all < 100 {
		t.Errorf("servers foretold %d rounds, want many", all)
	}
}
