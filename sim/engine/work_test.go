package engine_test

import (
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/engine/workers"
)

// TestWorkOf compares the estimate of a run with what its clients computed, for every method: at most twice as much,
// and at least half of it. Evaluations are rare and small here, since they do not count as computed.
func TestWorkOf(t *testing.T) {
	t.Parallel()
	const data = "data=digits&n=400&C=8&exam=5&every=40&T=40&net=mlp&hidden=12&K=3&b=20"
	for _, rest := range []string{"&avg=model&tau=2&probe=10", "&avg=gradient&probe=20", "&avg=model&rho=0.5&probe=10"} {
		for _, a := range catalog.Finished() {
			query := data + rest + "&algos=" + a.Name
			c, problems := catalog.Schema().Parse(query)
			for _, p := range problems {
				if !p.Warning {
					t.Fatalf("%s: %v", query, p.Err)
				}
			}
			d, plans, err := catalog.Build(c, nil)
			if err != nil {
				continue // the method is not for these data
			}
			r := record(t, c.String(), nil)
			got := workers.WorkOf(d, plans, workers.ReadSettings(c, d)).Total
			if want := r.summaries[0].Computed * 8; got > 2*want || got < want/2 {
				t.Errorf("%s%s: estimated %.3g multiply-adds, computed %.3g (%.2f)", a.Name, rest, got, want, got/want)
			}
		}
	}
}

// TestWorkOfEvaluations: an evaluation takes exam samples of each client, not all that are held out.
func TestWorkOfEvaluations(t *testing.T) {
	t.Parallel()
	start := func(exam string) (work, forward float64) {
		c := parse(t, "data=digits&n=400&C=8&net=mlp&hidden=12&algos=fedavg&exam="+exam)
		d, plans, err := catalog.Build(c, nil)
		if err != nil {
			t.Fatal(err)
		}
		return workers.WorkOf(d, plans, workers.ReadSettings(c, d)).Start, float64(d.Model().MultiplyAdds())
	}
	five, forward := start("5")
	eight, _ := start("8")
	if got, want := eight-five, 3*8*forward; got != want {
		t.Errorf("three samples more of 8 clients take %v multiply-adds more, want %v", got, want)
	}
}
