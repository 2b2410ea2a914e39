package engine

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"flockscope/sim/algorithm"
	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/fl"
)

// tap is a device that shows what is asked of it and what it answers, one call at a time. Clients
// are evaluated as if they used the models that they are given.
type tap struct {
	fl.Device
	busy *sync.Mutex
	tell func(op int, answer []float32, at fl.ClientContext)
}

func (d tap) Do(dst []float32, op int, with []float32, at fl.ClientContext) []float32 {
	from := len(dst)
	dst = d.Device.Do(dst, op, with, at)
	d.busy.Lock()
	defer d.busy.Unlock()
	d.tell(op, dst[from:], at)
	return dst
}

// tapped plays a query of one method. tell is called with every reply, and losses with those sent
// to CLoVE's server, after every round.
func tapped(t *testing.T, query string, tell func(op int, answer []float32, at fl.ClientContext),
	losses func(row []float64)) {
	t.Helper()
	c, problems := catalog.Schema().Parse(query)
	if err := experiment.First(problems); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	data, plans, err := catalog.Build(c, nil)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	skip := 0
	if plans[0].Local {
		skip = data.Model().Size() // stays on the client
	}
	if plans[0].Device != nil {
		plans[0].Device = tap{plans[0].Device, new(sync.Mutex), func(op int, answer []float32, at fl.ClientContext) {
			tell(op, answer[skip:], at)
		}}
	}
	watch := func(l *lane, _ int, play func()) {
		play()
		if e, ok := l.plan.Algorithm.(fl.Embedder); ok && plans[0].Evidence == fl.LossVectors {
			losses(e.Embedding().Data)
		}
	}
	if err := play(context.Background(), c, data, plans, []int{0}, nil, new(Recorder), watch); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

// sentQueries are short runs of every method that has clients answer to calls or tell losses.
func sentQueries() (out []string) {
	for _, a := range algorithm.Registry.All() {
		out = append(out,
			"data=digits&n=240&C=6&K=2&T=3&every=3&exam=20&net=mlp&hidden=6&b=16&probe=20&algos="+a.Name,
			"data=linreg&C=6&K=2&T=3&avg=model&algos="+a.Name)
	}
	return append(out, "data=digits&n=240&C=6&K=2&T=3&every=3&exam=20&net=mlp&hidden=6&b=16&avg=model&heads=1&algos=hcfl",
		"data=digits&n=240&C=6&K=2&T=3&every=3&exam=20&net=mlp&hidden=6&b=16&weigh=labels&algos=hcfl",
		"data=linreg&C=6&K=2&T=3&late=2&join=3&settle=stable&algos=clove")
}

// TestEverythingSentIsQuantized: with two decimals, every number that any method's clients send is
// a multiple of 1/100: sketches, prototypes, directions, weights, masses, losses. What a model that
// travels as such says beyond the one that came down has two decimals.
func TestEverythingSentIsQuantized(t *testing.T) {
	whole := func(v float64) bool {
		return math.Abs(100*v-math.Round(100*v)) < 1e-3*max(1, math.Abs(v))
	}
	calls, told := 0, 0
	// Newcomers of CFL also send updates of the models that were split before they came.
	queries := append(sentQueries(),
		"data=linreg&dphi=30&sigma=0.2&C=9&b=20&lr=0.1&T=14&late=3&join=14&eps1=0.1&eps2=0.25&warm=3&algos=cfl")
	for _, query := range queries {
		for _, how := range []string{"&nd=2", "&nd=2&quant=trunc"} {
			if strings.HasSuffix(query, "=local") {
				continue // sends nothing, and knows no nd
			}
			tapped(t, query+how, func(op int, answer []float32, at fl.ClientContext) {
				calls++
				for j, v := range answer {
					sent := float64(v)
					switch {
					case strings.HasSuffix(query, "fedala"):
						sent -= float64(at.Params(0)[j])
					case strings.HasSuffix(query, "fedsoft") && len(answer) == at.Model().Size() && op == 2:
						continue // the difference is from a mean of centres
					}
					if !whole(sent) {
						t.Errorf("%s: client %d sends %v as number %d of operation %d", query+how, at.Client(), v, j, op)
						return
					}
				}
			}, func(row []float64) {
				told++
				for _, l := range row {
					if !whole(l) {
						t.Errorf("%s: a client tells a loss of %v", query+how, l)
						return
					}
				}
			})
		}
	}
	if calls < 100 || told < 6 {
		t.Errorf("%d answers and %d rounds of losses were looked at: this proves nothing", calls, told)
	}
}

// TestOnlyWhatIsSentIsQuantized: what a client sends in its first answer is what it would send with
// all decimals, rounded: nothing that it works with was. Of clients that send a model of their own,
// what they keep is the same as with all decimals, and with noise on what they send.
func TestOnlyWhatIsSentIsQuantized(t *testing.T) {
	for _, query := range sentQueries() {
		first := func(setting string) (answers, kept map[int][]float32) {
			answers, kept = map[int][]float32{}, map[int][]float32{}
			ops := map[int]int{}
			tapped(t, query+setting, func(op int, answer []float32, at fl.ClientContext) {
				i := at.Client()
				if _, known := answers[i]; !known || at.Round() == 1 && op != ops[i] {
					answers[i], ops[i] = slices.Clone(answer), op
					kept[i] = slices.Clone(*at.State())
				}
			}, func([]float64) {})
			return answers, kept
		}
		switch {
		case strings.HasSuffix(query, "=local"):
		case strings.HasSuffix(query, "fedala"), strings.HasSuffix(query, "fedsoft"):
			sent, want := first("")
			for _, setting := range []string{"&nd=1", "&private=noise&gauss=0&clip=0.001", "&private=noise"} {
				others, got := first(setting)
				for i := range want {
					if !slices.Equal(got[i], want[i]) {
						t.Errorf("%s: client %d keeps another model", query+setting, i)
						break
					}
					if slices.Equal(others[i], sent[i]) {
						t.Errorf("%s: client %d sends the same model", query+setting, i)
						break
					}
				}
			}
		case strings.HasSuffix(query, "hcfl"), strings.HasSuffix(query, "hcflplus"), strings.HasSuffix(query, "fedgmm"):
			// Their second answers follow what the server made of the first.
		default:
			sent, _ := first("")
			got, _ := first("&nd=2")
			for i, want := range sent {
				for j, v := range want {
					if math.IsInf(float64(v), 0) {
						continue
					}
					want[j] = float32(math.RoundToEven(float64(v*100))) / 100
				}
				if !slices.Equal(got[i], want) {
					t.Errorf("%s: client %d sends %v, want %v", query, i, head(got[i]), head(want))
					break
				}
			}
		}
	}
}

func head(x []float32) []float32 { return x[:min(len(x), 8)] }
