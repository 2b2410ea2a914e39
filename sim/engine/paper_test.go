package engine_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/experiment"
	"flockscope/sim/trace"
	"flockscope/sim/workload"
)

// outcome is what the claims below look at in one lane of one run.
type outcome struct {
	ari      []float64 // by round, from round 0
	clusters []int
	summary  trace.Summary
}

// outcomes collects the lanes of one run.
type outcomes struct{ lanes []outcome }

func (o *outcomes) Begin(h *trace.Header) { o.lanes = make([]outcome, len(h.Lanes)) }
func (o *outcomes) Round(int)             {}
func (o *outcomes) Frame(lane int, f *trace.Frame) {
	l := &o.lanes[lane]
	l.ari, l.clusters = append(l.ari, f.ARI), append(l.clusters, f.Clusters)
}
func (o *outcomes) End(lane int, s *trace.Summary) { o.lanes[lane].summary = *s }

// parse returns the configuration of a query that must be faultless.
func parse(t testing.TB, query string) experiment.Config {
	t.Helper()
	c, problems := catalog.Schema().Parse(query)
	for _, p := range problems {
		// Local training sends nothing, and is played beside others under settings of what is sent.
		if p.Unread == "" || !strings.Contains(query, "algos=local") {
			t.Fatalf("Parse(%q): %v", query, problems)
		}
	}
	return c
}

// overSeeds runs a query with all three seeds at 1 to n.
func overSeeds(t *testing.T, query string, n int) []outcomes {
	t.Helper()
	return overSeedsOf(t, nil, query, n)
}

// overSeedsOf is overSeeds on a file's samples.
func overSeedsOf(t *testing.T, file *workload.File, query string, n int) []outcomes {
	t.Helper()
	out := make([]outcomes, n)
	var wg sync.WaitGroup
	gate := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range n {
		c := parse(t, fmt.Sprintf("%s&sd=%d&sm=%d&sa=%d", query, i+1, i+1, i+1))
		wg.Go(func() {
			gate <- struct{}{}
			defer func() { <-gate }()
			if err := engine.Run(context.Background(), c, file, &out[i]); err != nil {
				t.Errorf("Run(%v): %v", c, err)
			}
		})
	}
	wg.Wait()
	if t.Failed() {
		t.FailNow()
	}
	return out
}

func mean(runs []outcomes, lane int, of func(*outcome) float64) float64 {
	sum := 0.0
	for i := range runs {
		sum += of(&runs[i].lanes[lane])
	}
	return sum / float64(len(runs))
}

func finalARI(o *outcome) float64  { return o.summary.ARI }
func finalLoss(o *outcome) float64 { return o.summary.Loss }

// TestPaperLinearRegression holds the instrument against CFL-GP's section 5.1
// (C = 12, b = 10, K = D = 3, P = 2, T = 200, rate 0.1, no stop rule): means
// over the seeds 1 to 30. The bounds come from an independent simulation of
// the same section.
func TestPaperLinearRegression(t *testing.T) {
	type claim struct {
		lane     int
		what     string
		of       func(*outcome) float64
		low, top float64
	}
	const cflgp, ifca, fedavg, nomem = 0, 1, 2, 3
	const gaps = "data=linreg&algos=cflgp,ifca,fedavg,cflgp:nomem&cflgp:nomem.beta=1"
	tests := []struct {
		name, query string
		claims      []claim
	}{
		{"5°", gaps + "&dphi=5", []claim{
			{cflgp, "ARI", finalARI, 0.97, 1}, {ifca, "ARI", finalARI, -1, 0.25},
			{nomem, "ARI", finalARI, -1, 0.35}, {cflgp, "MSE", finalLoss, 0.04, 0.043}}},
		{"10°", gaps + "&dphi=10", []claim{{cflgp, "ARI", finalARI, 0.97, 1}, {cflgp, "MSE", finalLoss, 0.04, 0.043}}},
		{"20°", gaps + "&dphi=20", []claim{
			{cflgp, "ARI", finalARI, 0.97, 1}, {ifca, "ARI", finalARI, 0.55, 0.9}, {fedavg, "ARI", finalARI, 0, 0},
			{fedavg, "MSE", finalLoss, 0.062, 0.070}, {cflgp, "MSE", finalLoss, 0.04, 0.043}}},
		{"40°", gaps + "&dphi=40", []claim{
			{cflgp, "ARI", finalARI, 0.97,
				1}, {fedavg, "MSE", finalLoss, 0.123, 0.139}, {cflgp, "MSE", finalLoss, 0.04, 0.043}}},
		{"20°, CLoVE with 10 samples", "data=linreg&dphi=20&algos=clove&probe=10", []claim{{0, "ARI", finalARI, 0.4, 0.7}}},
		{"20°, CLoVE with 100 samples", "data=linreg&dphi=20&algos=clove&probe=100", []claim{{0, "ARI", finalARI, 0.95, 1}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			runs := overSeeds(t, tt.query, 30)
			for _, c := range tt.claims {
				got := mean(runs, c.lane, c.of)
				t.Logf("lane %d: mean %s %.4f", c.lane, c.what, got)
				if got < c.low || got > c.top {
					t.Errorf("lane %d of %s: mean %s = %.4f, want %.3f to %.3f", c.lane, tt.query, c.what, got,
						c.low, c.top)
				}
			}
		})
	}
}

// TestModelAveragingFindsTheGroups: what tells clients apart is the same whether
// they send gradients or models that they trained, since the way of a model
// through a few steps is a sum of gradients. So the bounds are those above: the
// groups that are found, a loss near σ² for who finds them, and FedAvg's loss at
// the one best line for everybody.
func TestModelAveragingFindsTheGroups(t *testing.T) {
	const cflgp, fedavg, clove = 0, 1, 2
	const lanes = "&algos=cflgp,fedavg,clove"
	tests := []struct {
		query    string
		low, top float64 // of FedAvg's loss
		floor    float64 // σ²
	}{
		{"data=linreg&dphi=20&probe=100" + lanes, 0.062, 0.070, 0.04},
		{"data=linreg&dphi=40&probe=100" + lanes, 0.123, 0.139, 0.04},
		// Half the clients at 1 and half at 1.45 leave (0.45/2)² over σ².
		{"data=mix1d&b=40" + lanes, 0.060, 0.0615, 0.01},
	}
	for _, tt := range tests {
		for _, protocol := range []string{"&avg=model", "&avg=model&tau=5&T=50",
			"&avg=model&tau=5&opt=momentum&lr=0.02&T=50"} {
			t.Run(tt.query+protocol, func(t *testing.T) {
				t.Parallel()
				runs := overSeeds(t, tt.query+protocol, 12)
				for _, lane := range []int{cflgp, clove} {
					if got := mean(runs, lane, finalARI); got < 0.97 {
						t.Errorf("lane %d: mean ARI = %.4f, want 0.97 or more", lane, got)
					}
					if got := mean(runs, lane, finalLoss); got < tt.floor || got > 1.075*tt.floor {
						t.Errorf("lane %d: mean loss = %.4f, want %v to %v", lane, got, tt.floor, 1.075*tt.floor)
					}
				}
				if got := mean(runs, fedavg, finalLoss); got < tt.low || got > tt.top {
					t.Errorf("FedAvg: mean loss = %.4f, want %v to %v", got, tt.low, tt.top)
				}
			})
		}
	}
}

// TestPaperLossVectors is CLoVE's Figure 1: with optima 1.0 and 1.45 and start
// models 0 and 3.3, all clients find model 0 the better one. IFCA never uses
// the other; the pair of losses tells the groups apart at once.
func TestPaperLossVectors(t *testing.T) {
	const ifca, clove = 0, 1
	for seed, run := range overSeeds(t, "data=mix1d&algos=ifca,clove", 30) {
		for round, n := range run.lanes[ifca].clusters[1:] {
			if n != 1 {
				t.Errorf("seed %d: IFCA uses %d models in round %d, want 1", seed+1, n, round+1)
				break
			}
		}
		for round, ari := range run.lanes[clove].ari {
			if round >= 3 && ari != 1 {
				t.Errorf("seed %d: CLoVE has ARI %.3f in round %d, want 1 from round 3 on", seed+1, ari, round)
				break
			}
		}
	}
}
