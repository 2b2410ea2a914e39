package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"flockscope/clusterer"
	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/experiment"
	"flockscope/sim/param"
	"flockscope/sim/trace"
)

// everyLie is every lie, with the settings of its own.
var everyLie = []string{"flip", "scale", "noise", "labels", "inputs", "copy", "collude", "collude&collusion=little",
	"losses"}

// TestLiarsWhoWait: before they lie, liars change nothing but scores; no liars change nothing at all.
func TestLiarsWhoWait(t *testing.T) {
	for n, name := range algorithms() {
		query := "data=digits&n=270&C=9&shift=rotations&angles=0,90,180&net=softmax&T=3&every=3&b=8&probe=8&algos=" + name
		honest := recordAny(t, query)
		got := recordAny(t, query+"&liars=0&lie=noise&liefrom=1")
		if !slices.Equal(got.fingerprints(), honest.fingerprints()) {
			t.Errorf("%s: liars=0 changes something", name)
		}
		lie := everyLie[n%len(everyLie)]
		r := recordAny(t, query+"&liars=0,3,7&liefrom=3&lie="+lie)
		for at := range r.lanes[0] {
			a, b := &honest.lanes[0][at], &r.lanes[0][at]
			same := slices.Equal(a.Label, b.Label) && slices.Equal(a.Losses, b.Losses) && a.Down == b.Down &&
				a.Up == b.Up
			if at < 3 && !same {
				t.Errorf("%s: two liars change round %d before they lie in round 3 (%s)", name, at, lie)
			}
		}
	}
}

// pulls plays one round of FedAvg on lines, and returns the update of each client.
func pulls(t *testing.T, more string) [][]float32 {
	t.Helper()
	f := record(t, "data=linreg&C=12&T=1&b=10&algos=fedavg"+more, nil).lanes[0][1]
	var out [][]float32
	for at := 0; at < len(f.Pull); at += len(f.Pull) / 12 {
		out = append(out, f.Pull[at:at+len(f.Pull)/12])
	}
	return out
}

// TestLiesByHand: what liars send, from what they would have sent.
func TestLiesByHand(t *testing.T) {
	const some = "&liars=2,5,11"
	liars := []int{1, 4, 10}
	honest := pulls(t, "")
	mean, deviation := make([]float64, 2), make([]float64, 2)
	for j := range mean {
		for _, i := range liars {
			mean[j] += float64(honest[i][j]) / 3
		}
		for _, i := range liars {
			deviation[j] += math.Pow(float64(honest[i][j])-mean[j], 2) / 3
		}
		deviation[j] = math.Sqrt(deviation[j])
	}
	for lie, want := range map[string]func(i, j int) float64{
		"flip&liescale=3":                       func(i, j int) float64 { return -3 * float64(honest[i][j]) },
		"scale&liescale=2.5":                    func(i, j int) float64 { return 2.5 * float64(honest[i][j]) },
		"copy":                                  func(int, int) float64 { return 0 },
		"losses":                                func(i, j int) float64 { return float64(honest[i][j]) },
		"collude&liescale=2":                    func(_, j int) float64 { return -2 * mean[j] },
		"collude&collusion=little&liescale=1.5": func(_, j int) float64 { return mean[j] - 1.5*deviation[j] },
	} {
		got := pulls(t, some+"&lie="+lie)
		for i, update := range got {
			for j, v := range update {
				w := float64(honest[i][j])
				if slices.Contains(liars, i) {
					w = want(i, j)
				}
				if math.Abs(float64(v)-w) > 1e-5*(1+math.Abs(w)) {
					t.Errorf("%s: number %d of client %d is %v, want %v", lie, j, i+1, v, w)
				}
			}
		}
	}
	// At θ = 0 the gradient on (x, −y) is the negative one on (x, y).
	honest = pulls(t, "&init=0")
	for i, update := range pulls(t, "&init=0&lie=labels&liescale=2"+some) {
		for j, v := range update {
			w := float64(honest[i][j])
			if slices.Contains(liars, i) {
				w *= -2
			}
			if math.Abs(float64(v)-w) > 1e-5 {
				t.Errorf("labels: number %d of client %d is %v, want %v", j, i+1, v, w)
			}
		}
	}
	// Clipping comes after lies.
	for i, update := range pulls(t, "&lie=flip&liescale=1000&private=noise&gauss=0&clip=0.5"+some) {
		if length := math.Hypot(float64(update[0]), float64(update[1])); length > 0.5001 {
			t.Errorf("client %d sends a clipped update of length %v, want 0.5 at most", i+1, length)
		}
	}
	for i, update := range pulls(t, "&lie=collude&liescale=1000&private=noise&gauss=0&clip=0.5"+some) {
		if length := math.Hypot(float64(update[0]), float64(update[1])); length > 0.5001 {
			t.Errorf("client %d colludes with a clipped update of length %v, want 0.5 at most", i+1, length)
		}
	}
}

// TestNoiseOfLiars: noise has s times the length of the update, as a root mean square: over 12 clients and 100 seeds within
// a tenth.
func TestNoiseOfLiars(t *testing.T) {
	squares, n := 0.0, 0.0
	for seed := range 100 {
		data := fmt.Sprintf("&sd=%d", seed)
		honest := pulls(t, data)
		for i, update := range pulls(t, data+"&lie=noise&liescale=3&liars=1,2,3,4,5,6,7,8,9,10,11") {
			off := math.Hypot(float64(update[0]-honest[i][0]), float64(update[1]-honest[i][1]))
			if i == 11 && off != 0 {
				t.Errorf("seed %d: the honest client's update is noisy", seed)
			} else if i < 11 {
				squares += math.Pow(off/math.Hypot(float64(honest[i][0]), float64(honest[i][1])), 2)
				n++
			}
		}
	}
	if got := math.Sqrt(squares / n); math.Abs(got-3) > 0.3 {
		t.Errorf("noise is %v times as long as updates, want 3", got)
	}
}

// TestFalseLosses: losses are mirrored at their mean, for the server as for the page; a liar of IFCA picks its worst model.
func TestFalseLosses(t *testing.T) {
	for _, method := range []string{"ifca", "clove"} {
		query := "data=linreg&C=9&T=1&K=3&algos=" + method
		honest := record(t, query, nil).lanes[0][1]
		lied := record(t, query+"&liars=1,4&lie=losses&liescale=0.5", nil).lanes[0][1]
		for i := range 9 {
			own, got := honest.Losses[3*i:3*i+3], lied.Losses[3*i:3*i+3]
			mean := (own[0] + own[1] + own[2]) / 3
			for k, l := range own {
				want := l
				if i == 0 || i == 3 {
					want = mean - (l-mean)/2
				}
				if math.Abs(float64(got[k]-want)) > 1e-5*float64(1+want) {
					t.Errorf("%s: loss %d of client %d is %v, want %v", method, k, i+1, got[k], want)
				}
			}
			worst := slices.Index(own, slices.Max(own))
			if (i == 0 || i == 3) && method == "ifca" && int(lied.Label[i]) != worst {
				t.Errorf("client %d picks model %d, want its worst one, %d", i+1, lied.Label[i], worst)
			}
		}
	}
}

// TestScoresOfHonestClients: every score is what honest clients alone come to.
func TestScoresOfHonestClients(t *testing.T) {
	for _, tt := range []struct {
		query string
		liars int
	}{
		{"data=digits&n=360&C=12&shift=rotations&angles=0,90,180&net=softmax&T=4&every=2&b=8&liars=4&algos=ifca,clove", 4},
		{"data=linreg&C=12&T=4&rho=0.5&liars=0.25&algos=ifca", 3},
		{"data=digits&n=360&C=12&net=softmax&T=2&every=1&b=8&liars=2,3&lie=labels&algos=cflgp", 2},
	} {
		query := tt.query
		r := record(t, query, nil)
		h := r.header
		if lies := h.Clients - h.Honest(); lies != tt.liars {
			t.Errorf("%s: %d liars, want %d", query, lies, tt.liars)
		}
		back, err := trace.DecodeHeader(trace.AppendHeader(nil, h))
		if err != nil || !slices.Equal(back.Liar, h.Liar) || back.LiesFrom != 1 {
			t.Errorf("%s: the header does not survive its codec: %v", query, err)
		}
		seen := make([]bool, h.Clients)
		for _, frames := range r.lanes {
			clear(seen)
			for _, f := range frames[1:] {
				var group, label []int
				accuracy, n := 0.0, 0.0
				for i, k := range f.Label {
					seen[i] = seen[i] || len(f.State) == 0 || f.State[i] == trace.Present
					if h.Lies(i) {
						continue
					}
					if seen[i] {
						group, label = append(group, int(h.Group[i])), append(label, int(k))
					}
					if n++; len(f.Accuracies) > 0 {
						accuracy += float64(f.Accuracies[i])
					}
				}
				if h.HasTruth() {
					if ari := clusterer.AdjustedRand(group, label); math.Abs(ari-f.ARI) > 1e-9 {
						t.Errorf("%s, round %d: ARI %v, want %v", query, f.Round, f.ARI, ari)
					}
				}
				if len(f.Accuracies) > 0 && math.Abs(f.Accuracy-accuracy/n) > 1e-9 {
					t.Errorf("%s, round %d: accuracy %v, want %v", query, f.Round, f.Accuracy, accuracy/n)
				}
			}
		}
	}
}

// TestBackdoor: pictures with the patch become the first class where liars have a say, and do not where they have none.
func TestBackdoor(t *testing.T) {
	const query = "data=digits&n=900&C=9&shift=none&net=softmax&T=30&every=30&b=20&lr=0.3&algos=fedavg" +
		"&lie=inputs&liars=1,2,3&liescale="
	strong, none := record(t, query+"4", nil).summaries[0], record(t, query+"0", nil).summaries[0]
	if strong.Attack < 0.8 || none.Attack > 0.3 {
		t.Errorf("the attack succeeds with %v of pictures, want 0.8 or more; without updates with %v, want 0.3 or less",
			strong.Attack, none.Attack)
	}
	if strong.Accuracy < none.Accuracy-0.15 {
		t.Errorf("the backdoor shows: accuracy %v instead of %v", strong.Accuracy, none.Accuracy)
	}
	if plain := record(t, strings.Replace(query, "inputs", "flip", 1)+"4", nil).summaries[0]; plain.Attack != 0 {
		t.Errorf("without a backdoor the attack succeeds with %v", plain.Attack)
	}
}

// TestWrongLiars: what makes no sense is refused, and the error says what is possible.
func TestWrongLiars(t *testing.T) {
	for _, tt := range []struct{ query, field string }{
		{"C=6&liars=6", "liars"},
		{"C=6&liars=2.5", "liars"},
		{"C=6&liars=0.95", "liars"},
		{"C=6&liars=3,7", "liars"},
		{"C=3&liars=1,2,3", "liars"},
		{"C=6&liars=0.4,2", "liars"},
		{"C=6&liars=2&lie=inputs", "lie"},
		{"data=digits&n=100&C=4&net=autoencoder&liars=2&lie=labels", "lie"},
		{"C=6&liars=5", ""},
		{"C=6&liars=0,6", ""},
		{"C=6&liars=0.01", "liars"}, // nobody
	} {
		c, problems := catalog.Schema().Parse(tt.query + "&T=1&algos=fedavg")
		err := experiment.First(problems)
		if err == nil {
			err = engine.Run(context.Background(), c, nil, new(nothing))
		}
		var wrong *param.Error
		if (err == nil) != (tt.field == "") || err != nil && (!errors.As(err, &wrong) || wrong.Field != tt.field) {
			t.Errorf("%s: error %v, want one about %q", tt.query, err, tt.field)
		}
	}
}

// TestEveryLieOfEveryMethod: every method plays with every lie, in the same bits with shards.
func TestEveryLieOfEveryMethod(t *testing.T) {
	for n, name := range algorithms() {
		for m, lie := range everyLie {
			if testing.Short() && (n+m)%len(everyLie) != 0 {
				continue
			}
			query := "data=digits&n=270&C=9&shift=rotations&angles=0,90,180&net=softmax&T=3&every=3&b=8&probe=8&liars=2,9&algos=" +
				name + "&lie=" + lie
			c, _ := catalog.Schema().Parse(query)
			want := recordAny(t, query)
			if math.IsNaN(want.summaries[0].Loss) && want.summaries[0].Diverged < 0 {
				t.Errorf("%s: the loss is not a number", query)
			}
			p := newPlaces(2, nil)
			got := play(t, c.String(), p)
			p.close()
			same(t, query+" with 2 shards", got, want)
		}
	}
}

// A liar alone in a cluster climbs its loss for ever: a smaller learning rate would not help.
func TestLiarAlone(t *testing.T) {
	s := record(t, "data=linreg&liars=0,3&algos=cflgp&T=120", nil).summaries[0]
	if s.Diverged < 1 || !strings.Contains(s.Cause.String(), ": only liars train that model; choose another lie") {
		t.Errorf("diverged in round %d: %q", s.Diverged, s.Cause)
	}
	s = record(t, "data=linreg&liars=0,3&algos=fedavg&T=120&lr=10", nil).summaries[0]
	if s.Diverged < 1 || strings.Contains(s.Cause.String(), "only liars") {
		t.Errorf("with a model of all clients: diverged in round %d: %q", s.Diverged, s.Cause)
	}
}
