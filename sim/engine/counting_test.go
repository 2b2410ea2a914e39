package engine_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/trace"
)

// unequal are data whose clients have from few to twenty times as many samples.
const unequal = "data=digits&n=800&C=5&split=unequal&ratio=20&shift=none&net=softmax" +
	"&lr=0.1&b=32&T=4&every=1&exam=0&probe=32"

// averaging returns the methods that average something, by name, and what they count by.
func averaging() map[string]string {
	out := map[string]string{}
	for _, a := range catalog.Finished() {
		if a.Counts != "" {
			out[a.Name] = a.Counts
		}
	}
	return out
}

// TestOneClusterIsFedAvg: with a single cluster, methods are FedAvg as long as they count clients
// by the same rule, however unequal the clients are, with averages of models and of gradients,
// whichever clients take part or drop out.
func TestOneClusterIsFedAvg(t *testing.T) {
	t.Parallel()
	lanes := []string{
		"ifca", "cflgp", "clove", "cfl", "icfl", "pacfl", "fedclust", "kfed", "fesem", "fedem", "fedrc",
		"hcfl:em", "hcfl:loss", "hcfl:count", "hcfl:member", "hcfl:near", "hcfl:labels", "hcflplus",
	}
	const settings = "&K=1&most=1&tie=0&start=same&hcfl:loss.weigh=loss&hcfl:count.weigh=count" +
		"&hcfl:member.weigh=member&hcfl:near.weigh=near&hcfl:labels.weigh=labels"
	for _, rest := range []string{"&avg=model", "&avg=gradient", "&avg=model&rho=0.6", "&avg=gradient&drop=0.3"} {
		for _, mean := range []string{"samples", "clients"} {
			for at := 0; at < len(lanes); at += 3 {
				some := lanes[at:min(at+3, len(lanes))]
				r := recordAny(t, unequal+rest+"&mean="+mean+"&algos=fedavg,"+strings.Join(some, ",")+settings)
				for n, name := range some {
					for round, want := range r.lanes[0] {
						if got := r.lanes[1+n][round]; math.Abs(got.Loss-want.Loss) > 2e-6*want.Loss {
							t.Errorf("%s, mean=%s, %s, round %d: loss %v, FedAvg has %v",
								rest, mean, name, round, got.Loss, want.Loss)
							break
						}
					}
				}
			}
		}
	}
}

// TestOneClusterOfATable is TestOneClusterIsFedAvg where all models start in one place,
// for methods that begin with another model than the first.
func TestOneClusterOfATable(t *testing.T) {
	for seed := range uint64(5) {
		file := table(t, 1+seed, 6, 40, 1, true)
		for _, rest := range []string{"&avg=model", "&avg=gradient&rho=0.5"} {
			for _, mean := range []string{"samples", "clients"} {
				const query = "data=csv&init=0&T=8&b=5&most=1&tie=0&lr=0.05&algos=fedavg,stocfl,icfl"
				r := record(t, query+rest+"&mean="+mean, file)
				for n, want := range r.lanes[0] {
					for lane := 1; lane < 3; lane++ {
						if got := r.lanes[lane][n]; math.Abs(got.Loss-want.Loss) > 1e-5*want.Loss {
							t.Errorf("seed %d%s, mean=%s, %s, round %d: loss %v, FedAvg has %v",
								seed, rest, mean, r.header.Lanes[lane].ID, n, got.Loss, want.Loss)
						}
					}
				}
			}
		}
	}
}

// recordAny is record for a query in which some lane may not read what another does.
func recordAny(t *testing.T, query string) *recording {
	t.Helper()
	c, problems := catalog.Schema().Parse(query)
	for _, p := range problems {
		if !p.Warning {
			t.Fatalf("%s: %v", query, p.Err)
		}
	}
	return record(t, c.String(), nil)
}

// TestFedAvgCountsSamples: the loss on unequal shares, by samples and by clients.
func TestFedAvgCountsSamples(t *testing.T) {
	const query = "data=digits&n=800&C=5&split=unequal&ratio=20&shift=none&net=softmax&avg=model" +
		"&lr=0.1&b=32&T=4&every=1&exam=0&K=1"
	for _, tt := range []struct {
		mean                       string
		fedavg, fedem, clove, ifca float64
	}{
		{"paper", 1.222, 1.222, 1.222, 1.475},
		{"samples", 1.222, 1.222, 1.222, 1.222},
		{"clients", 1.475, 1.475, 1.475, 1.475},
	} {
		r := record(t, query+"&mean="+tt.mean+"&algos=fedavg,fedem,clove,ifca", nil)
		for lane, want := range []float64{tt.fedavg, tt.fedem, tt.clove, tt.ifca} {
			if got := r.summaries[lane].Loss; math.Abs(got-want) > 0.001 {
				t.Errorf("mean=%s: loss of %s %.4f, want %v", tt.mean, r.header.Lanes[lane].ID, got, want)
			}
		}
	}
}

// TestCountsAreOfThePaper: the default is what the table of methods says, and the
// setting matters where clients are unequal.
func TestCountsAreOfThePaper(t *testing.T) {
	t.Parallel()
	data := strings.Replace(unequal, "&probe=32", "", 1) + "&net=mlp&hidden=4&cut=90&far=100"
	data = strings.Replace(data, "&net=softmax", "", 1)
	for name, counts := range averaging() {
		rule := engine.CountingRules[counts]
		other := "clients"
		if rule == "clients" {
			other = "samples"
		}
		r := recordAny(t, fmt.Sprintf("%s&K=2&m1=2&algos=%s,%[2]s:same,%[2]s:other"+
			"&%[2]s:same.mean=%[3]s&%[2]s:other.mean=%[4]s", data, name, rule, other))
		prints := r.fingerprints()
		if prints[0] != prints[1] {
			t.Errorf("%s: by default it does not count by %s", name, rule)
		}
		if prints[0] == prints[2] {
			t.Errorf("%s: counting by %s changes nothing", name, other)
		}
	}
}

// TestEqualClientsCountAlike: where all clients have as many samples, no rule changes a
// bit, so that links from before there was a choice show what they showed.
func TestEqualClientsCountAlike(t *testing.T) {
	t.Parallel()
	for name := range averaging() {
		for _, data := range []string{"data=linreg&T=12",
			"data=digits&n=240&C=4&T=3&exam=5&every=3&net=softmax&b=8&probe=8&avg=model"} {
			r := recordAny(t, fmt.Sprintf("%s&K=2&algos=%s,%[2]s:s,%[2]s:c"+
				"&%[2]s:s.mean=samples&%[2]s:c.mean=clients", data, name))
			if name == "fedgmm" {
				r.lanes[0] = r.lanes[1] // by default it counts by weights besides
			}
			lanes := 3
			if name == "fedproto" {
				lanes = 2 // there clients count by their samples of a class
			}
			for lane := 1; lane < lanes; lane++ {
				for n := range r.lanes[0] {
					a, b := r.lanes[0][n], r.lanes[lane][n]
					if string(trace.AppendFrame(nil, &a)) != string(trace.AppendFrame(nil, &b)) {
						t.Errorf("%s: %s, round %d: lane %s is another than %s", data, name, n,
							r.header.Lanes[lane].ID, name)
						break
					}
				}
			}
		}
	}
}
