package engine_test

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/workload"
)

// protocols are ways of training, each as the end of a query.
var protocols = []string{
	"", "&nd=2", "&avg=model", "&avg=model&tau=3", "&avg=model&tau=2&nd=3&quant=trunc",
	"&avg=model&opt=momentum&lr=0.03", "&avg=model&opt=momentum&keep=kept&tau=2&lr=0.02",
	"&avg=model&opt=adam&tau=2&lr=0.02", "&avg=model&opt=adam&keep=kept&lr=0.02",
}

// networks has a short run on every workload that trains a network.
var networks = []string{
	"data=digits&n=240&C=6&T=4&every=2&exam=20&net=softmax&b=16&probe=20&shift=rotations&angles=0,180",
	"data=garments&n=120&C=4&T=3&every=3&exam=0&net=mlp&hidden=8&b=50&probe=9&shift=none&split=classes&per=5",
	"data=digits&n=80&C=4&T=2&every=1&exam=5&net=autoencoder&code=4&b=10&probe=10&shift=none",
}

// devised reports whether an algorithm's clients train by a device of its own.
func devised(name string) bool {
	return slices.Contains([]string{"perfedavg", "fedproto", "fedala", "fedpac"}, name) ||
		slices.Contains(blended, name)
}

// keeps reports whether an algorithm has the setting of what optimisers remember: clients of
// the others train several models, or by rules of their own.
func keeps(name string) bool {
	return !devised(name) && !slices.Contains([]string{"stocfl", "fedsoft"}, name)
}

// TestTrainingByHand: every algorithm trains by every protocol as one would by hand: gradients of
// the round's minibatch, or epochs over the client's samples in an order of their own, or, where
// samples have no end, over fresh minibatches; with an optimiser that is reset or kept; rounded to
// some decimals. CFL-GP's extra updates for its features leave no trace in an optimiser.
func TestTrainingByHand(t *testing.T) {
	file := table(t, 1, 7, 23, 1, true)
	var names []string
	for _, a := range catalog.Finished() {
		if engine.Methods[a.Name].Begins == "" && !devised(a.Name) {
			names = append(names, a.Name)
		}
	}
	for _, protocol := range protocols {
		for _, algorithm := range names {
			for _, tt := range []struct {
				query string
				file  *workload.File
			}{
				{"data=csv&T=9&b=5&probe=9", file}, {"data=csv&T=4&b=100&probe=3", file}, {"data=linreg&T=6&C=6&b=4", nil}, {"data=mix1d&T=5&C=4", nil},
			} {
				checkByHand(t, tt.query+protocol+"&algos="+algorithm, tt.file)
			}
		}
	}
	for i, network := range networks {
		for j, algorithm := range names {
			checkByHand(t, network+protocols[(3*i+2*j)%len(protocols)]+"&algos="+algorithm, nil)
		}
		checkByHand(t, network+protocols[len(protocols)-1-i]+"&algos=cflgp&cr=10", nil)
	}
}

// TestOneEpochOfOneBatch: one epoch of plain descent in one batch of everything
// is one step along its gradient, so model averaging then is gradient averaging:
// the same labels, and models that differ by rounding alone.
//
// A round rounds the client's model and its update once more than the other way,
// which is 2 units of the largest number, and its sums run in another order, which
// is less. As the rate is below 2/L no error grows.
func TestOneEpochOfOneBatch(t *testing.T) {
	const rounds = 40
	for seed := range uint64(10) {
		file := table(t, seed, 9, 40, 1, true)
		for _, algorithm := range algorithms() {
			query := fmt.Sprintf("data=csv&T=%d&b=100&probe=100&algos=%s", rounds, algorithm)
			if algorithm == "perfedavg" {
				continue // halves of a batch are others in another order
			}
			if algorithm == "hcflplus" {
				continue // samples have weights of their own only where they come again
			}
			if algorithm == "fedpac" {
				continue // heads are weighed by sums over samples in another order
			}
			if algorithm == "cfl" {
				query += "&eps=scaled" // lengths of gradients and of trained updates differ by the rate
			}
			gradients, models := record(t, query, file), record(t, query+"&avg=model", file)
			for n := range rounds + 1 {
				f, g := &gradients.lanes[0][n], &models.lanes[0][n]
				largest := 0.0
				for _, v := range f.Models {
					largest = max(largest, math.Abs(float64(v)))
				}
				bound := 4 * float64(n) * 0x1p-24 * max(largest, 1)
				for j, v := range f.Models {
					if off := math.Abs(float64(v) - float64(g.Models[j])); off > bound {
						t.Fatalf("seed %d: %s: parameter %d after round %d is %v by gradients and %v by models, want them within %v",
							seed, query, j, n, v, g.Models[j], bound)
					}
				}
				if !slices.Equal(f.Label, g.Label) {
					t.Fatalf("seed %d: %s: labels after round %d are %v by gradients and %v by models", seed, query, n,
						f.Label,
						g.Label)
				}
				if f.Down != g.Down || f.Up != g.Up {
					t.Errorf("seed %d: %s: traffic after round %d is %v and %v by gradients, %v and %v by models", seed,
						query, n,
						f.Down, f.Up, g.Down, g.Up)
				}
			}
		}
	}
}

// TestKeptMemory: an optimiser with nothing to remember is the same kept or
// fresh; with momentum or Adam the first round is the same and the second is not.
// Methods without the setting start anew, also where other lanes of the link keep it.
func TestKeptMemory(t *testing.T) {
	file := table(t, 3, 6, 30, 1, true)
	for _, query := range []string{"data=linreg&T=3&C=6", "data=csv&T=3&b=6", networks[2]} {
		for _, optimiser := range []string{"momentum", "adam"} {
			for _, algorithm := range algorithms() {
				query := query + "&avg=model&lr=0.01&opt=" + optimiser + "&algos=" + algorithm + ",fedavg:b"
				fresh, kept := record(t, query, file), record(t, query+"&keep=kept", file)
				for n, f := range fresh.lanes[0] {
					g := &kept.lanes[0][n]
					same := slices.Equal(f.Models, g.Models) && f.Weights == g.Weights
					if want := n <= 1 || !keeps(algorithm); same != want {
						t.Errorf("%s: after round %d kept and fresh are the same: %v, want %v", query, n, same, want)
					}
				}
			}
		}
	}
}

// TestNoDecimals: updates below ½ that are rounded to whole numbers are zeros: no model on the
// server moves, and CFL-GP finds nothing to tell clients apart by (its Table 7 has ARI 0 there).
// Without noise a gradient is at most twice the gap of slopes, here 2·(tan 5° + 0.1) < ½. Models
// that never leave their client know nothing of decimals.
func TestNoDecimals(t *testing.T) {
	const base = "data=linreg&sigma=0&init=0.1&T=12&dphi=5"
	for _, protocol := range []string{"", "&avg=model", "&avg=model&opt=adam&lr=0.01&tau=3&keep=kept"} {
		for _, algorithm := range algorithms() {
			if slices.Contains([]string{"stocfl", "fedsoft", "flexcfl"}, algorithm) {
				// new clusters begin with copies of another model, centres are means, and a group begins where its clients trained to before
				continue
			}
			query := base + protocol + "&algos=" + algorithm + ",fedavg:b"
			r := record(t, query+"&nd=0", nil)
			want := r.lanes[0][:1]
			if slices.Contains([]string{"local", "fedproto"}, algorithm) {
				want = record(t, query, nil).lanes[0]
			}
			frames := r.lanes[0]
			for n := range frames {
				if !slices.Equal(frames[n].Models, want[n%len(want)].Models) {
					t.Errorf("%s: models %v after round %d, want %v", query, frames[n].Models, n, want[n%len(want)].Models)
					break
				}
			}
			if algorithm == "cflgp" && (r.summaries[0].ARI != 0 || r.summaries[0].Clusters != 1) {
				t.Errorf("%s: ARI %v and %d clusters, want 0 and 1", query, r.summaries[0].ARI, r.summaries[0].Clusters)
			}
		}
	}
}

// TestManyDecimals: the more decimals are sent, the less is lost: with n of them every number
// sent is off by at most half of 10⁻ⁿ, or by less than 10⁻ⁿ where it is cut, and rounding.
func TestManyDecimals(t *testing.T) {
	const query = "data=linreg&C=1&D=1&T=1&algos=fedavg"
	whole := record(t, query, nil).lanes[0][1].Models
	for digits := range 9 {
		for how, most := range map[string]float64{"round": 0.5, "trunc": 1} {
			cut := record(t, fmt.Sprintf("%s&nd=%d&quant=%s", query, digits, how), nil).lanes[0][1].Models
			bound := 0.1*most*math.Pow10(-digits) + 3*0x1p-24 // of models: the rate is 0.1
			for j, v := range whole {
				if off := math.Abs(float64(v) - float64(cut[j])); off > bound {
					t.Errorf("with %d decimals, %s, parameter %d is %v, want %v within %v", digits, how, j, cut[j], v, bound)
				}
			}
		}
	}
}

// TestProtocolsUnderEveryScheduling: the number of processors changes no bit, whatever the
// protocol, with or without evaluations.
func TestProtocolsUnderEveryScheduling(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	files := map[string]*workload.File{"data=csv&T=8&b=5&probe=9": table(t, 1, 8, 30, 1, true),
		"data=linreg&T=10&C=7&D=2": nil, networks[0]: nil, networks[1]: nil}
	for query, file := range files {
		for i, protocol := range protocols {
			lanes := []string{"cflgp,ifca,clove,fedavg&cflgp.cr=2", "local,cflgp,ifca"}[i%2]
			query := query + protocol + "&algos=" + lanes
			runtime.GOMAXPROCS(1)
			first := record(t, query, file).fingerprints()
			runtime.GOMAXPROCS(8)
			if got := record(t, query, file).fingerprints(); !slices.Equal(got, first) {
				t.Errorf("%s: fingerprints %x with 1 processor, %x with 8", query, first, got)
			}
		}
	}
}
