package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/model"
	"flockscope/sim/rng"
	"flockscope/sim/trace"
	"flockscope/sim/workload"
)

// desks are remote clients in this process: each computes what it is asked with model and data alone, as an independent
// program would.
type desks struct {
	data   workload.Workload
	seed   uint64
	batch  int
	lose   func(v *engine.Job, i int) bool // nil: no reply is lost
	record *[][]byte                       // nil: replies are not recorded
}

func (d *desks) Exchange(v *engine.Job) {
	for i := range v.Lost {
		asks, ok := v.Asks(i)
		if !ok || v.Lost[i] {
			continue
		}
		if v.Lost[i] = d.lose != nil && d.lose(v, i); !v.Lost[i] {
			d.answer(v, i, &asks)
		}
	}
	if d.record != nil {
		*d.record = append(*d.record, v.AppendReplies(nil))
	}
}

func (d *desks) answer(v *engine.Job, i int, asks *engine.Asks) {
	m, bank := model.Fresh(d.data.Model()).(*model.Network), v.Exchange.Bank
	var b model.Batch
	if asks.Scored > 0 {
		tests := d.data.(workload.Evaluated)
		tests.TestSamples(&b, i)
		confusion := make([]uint16, tests.Classes()*tests.Classes())
		loss := m.Confusion(confusion, bank.Model(asks.Scored-1), b)
		v.AcceptScores(i, loss, confusion)
		return
	}
	var s rng.Stream
	s.Reset(d.seed, rng.Samples, v.Round, i)
	d.data.Draw(&b, i, d.batch, &s)
	var a engine.Answer
	if asks.Observe || asks.Losses || asks.PickBest {
		for k := range bank.Models() {
			a.Losses = append(a.Losses, m.Loss(bank.Model(k), b))
		}
		a.Picked = slices.Index(a.Losses, slices.Min(a.Losses))
	}
	gradient := func(k int) []float32 {
		dst := make([]float32, bank.Size)
		m.Gradient(dst, bank.Model(k), b)
		return dst
	}
	if asks.PickBest {
		a.Updates = append(a.Updates, gradient(a.Picked))
	}
	for _, k := range asks.Updates {
		a.Updates = append(a.Updates, gradient(k))
	}
	if asks.Feature > 0 {
		a.Feature = v.Exchange.Select(make([]float32, asks.Features), gradient(asks.Feature-1))
	}
	v.Accept(i, &a)
}

const remoteQuery = "data=digits&C=8&n=320&T=6&every=1&exam=10&net=softmax&K=2&b=40&probe=40&algos=cflgp,fedavg,ifca,clove"

// recordRemote plays a run with remote clients.
func recordRemote(t *testing.T, query string, data workload.Workload, remote engine.Remote) *trace.Run {
	t.Helper()
	c := parse(t, query)
	var r engine.Recorder
	if err := engine.RunRemote(context.Background(), c, data, remote, &r); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return r.Run
}

// sameRun reports the first difference of what two runs have learned.
func sameRun(a, b *trace.Run) error {
	for lane := range a.Tracks {
		for n := range a.Tracks[lane].Frames {
			f, g := &a.Tracks[lane].Frames[n], &b.Tracks[lane].Frames[n]
			switch {
			case !slices.Equal(f.Label, g.Label):
				return fmt.Errorf("lane %d, round %d: labels %v, want %v", lane, n, f.Label, g.Label)
			case f.Weights != g.Weights:
				return fmt.Errorf("lane %d, round %d: the models differ", lane, n)
			case !slices.Equal(f.Accuracies, g.Accuracies), !slices.Equal(f.Losses, g.Losses):
				return fmt.Errorf("lane %d, round %d: the scores differ", lane, n)
			case f.Up != g.Up || f.Down != g.Down:
				return fmt.Errorf("lane %d, round %d: %g and %g floats, want %g and %g", lane, n, f.Down, f.Up, g.Down, g.Up)
			}
		}
	}
	return nil
}

func recordRun(t *testing.T, query string) *trace.Run {
	t.Helper()
	run, err := engine.Record(context.Background(), parse(t, query), nil)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func dataOf(t *testing.T, query string) workload.Workload {
	t.Helper()
	data, _, err := catalog.Build(parse(t, query), nil)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Remote clients that compute the same get the same models and labels, to the bit.
func TestRemoteClientsChangeNothing(t *testing.T) {
	t.Parallel()
	for _, more := range []string{"", "&cr=50"} {
		query := remoteQuery + more
		data := dataOf(t, query)
		got := recordRemote(t, query, data, &desks{data: data, seed: 1, batch: 40})
		if err := sameRun(got, recordRun(t, query)); err != nil {
			t.Errorf("%s: %v", query, err)
		}
	}
}

// A client whose reply is lost drops out of the round as in the simulator, which draws who does.
func TestLostClientsDropOut(t *testing.T) {
	t.Parallel()
	simulated := recordRun(t, remoteQuery+"&drop=0.4")
	data := dataOf(t, remoteQuery)
	lose := func(v *engine.Job, i int) bool {
		if v.Round == 0 || v.Evaluation != nil {
			return false
		}
		var s rng.Stream
		s.Reset(1, rng.Dropout, v.Round, i)
		return s.Float64() < 0.4
	}
	got := recordRemote(t, remoteQuery, data, &desks{data: data, seed: 1, batch: 40, lose: lose})
	lost := 0
	for lane := range got.Tracks {
		for n := range got.Tracks[lane].Frames {
			f, want := &got.Tracks[lane].Frames[n], &simulated.Tracks[lane].Frames[n]
			if !slices.Equal(f.State, want.State) || !slices.Equal(f.Label, want.Label) || f.Weights != want.Weights {
				t.Fatalf("lane %d, round %d: states %v, labels %v, want %v and %v, or other models", lane, n,
					f.State, f.Label, want.State, want.Label)
			}
			for _, state := range f.State {
				if state == trace.Dropped {
					lost++
				}
			}
		}
	}
	if lost == 0 {
		t.Error("no client was lost")
	}
}

// tape replays recorded replies. Lanes of a run take turns in no fixed order, so each job has a name.
type tape struct {
	replies map[string][]byte
	write   engine.Remote // records what this one replies; nil to replay
	turn    chan struct{}
	failed  error
}

func (p *tape) Exchange(v *engine.Job) {
	p.turn <- struct{}{}
	defer func() { <-p.turn }()
	name := fmt.Sprint(v.Lane, v.Round, v.Sequence, v.Evaluation != nil)
	if p.write != nil {
		p.write.Exchange(v)
		p.replies[name] = v.AppendReplies(nil)
	} else if err := v.ReadReplies(p.replies[name]); err != nil {
		p.failed = err
	}
}

// A run replays to the bit from its replies, without its clients, and notices replies of another run.
func TestRemoteRunReplays(t *testing.T) {
	t.Parallel()
	data := dataOf(t, remoteQuery)
	lose := func(v *engine.Job, i int) bool { return v.Round > 0 && (v.Round+i+v.Lane)%5 == 0 }
	first := &tape{replies: map[string][]byte{}, turn: make(chan struct{}, 1),
		write: &desks{data: data, seed: 1, batch: 40, lose: lose}}
	live := recordRemote(t, remoteQuery, data, first)
	again := &tape{replies: first.replies, turn: make(chan struct{}, 1)}
	replayed := recordRemote(t, remoteQuery, data, again)
	if again.failed != nil {
		t.Fatal(again.failed)
	}
	for lane := range live.Tracks {
		a, b := live.Tracks[lane].Summary.Fingerprint, replayed.Tracks[lane].Summary.Fingerprint
		if a != b {
			t.Errorf("lane %d: fingerprint %x, live %x", lane, b, a)
		}
	}
	for name, replies := range first.replies {
		again.replies[name] = replies[:len(replies)-1]
	}
	recordRemote(t, strings.Replace(remoteQuery, "T=6", "T=1", 1), data, again)
	if again.failed == nil {
		t.Error("replies that are too short were taken")
	}
}

// Methods that need more of their clients than losses and updates are refused before the run.
func TestRemoteRefuses(t *testing.T) {
	t.Parallel()
	for more, want := range map[string]string{
		"algos=fedala":                            "choose others",
		"algos=local":                             "choose others",
		"algos=cflgp&avg=model&opt=adam":          "opt=adam is not possible with remote clients: they train by plain descent; set opt=sgd",
		"algos=ifca&ifca.avg=model&ifca.opt=adam": "ifca.opt=adam is not possible with remote clients: they train by plain descent; set ifca.opt=sgd",
		"algos=cflgp&nd=2":                        "set nd=-1",
		"algos=cflgp&clock=on":                    "set clock=off",
		"algos=cflgp&drop=0.5":                    "set drop=0",
		"algos=cflgp&liars=1":                     "set liars=0",
		"algos=cflgp&b=5":                         "b=5 is not possible with remote clients: they train on all their samples; set b=18",
		"algos=ifca&probe=3":                      "set probe=18",
	} {
		query := "data=digits&C=4&n=100&net=softmax&b=25&probe=25&" + more
		if strings.Contains(more, "b=5") {
			query = strings.Replace(query, "b=25&", "", 1)
		}
		if strings.Contains(more, "probe=3") {
			query = strings.Replace(query, "probe=25&", "", 1)
		}
		data := dataOf(t, query)
		if err := engine.CheckRemote(parse(t, query), data); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", more, err, want)
		}
	}
}
