package engine

import (
	"bytes"
	"context"
	"math"
	"runtime"
	"runtime/debug"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/engine/workers"
	"flockscope/sim/experiment"
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/trace"
)

type nowhere struct{}

func (nowhere) Begin(*trace.Header)     {}
func (nowhere) Frame(int, *trace.Frame) {}
func (nowhere) Round(int)               {}
func (nowhere) End(int, *trace.Summary) {}

// TestEstimateCovers: what more clients hold in memory while they train, and what the server holds
// for them, is about what the estimate said that they would, whichever the method: a run that is
// accepted fits, and one that fits is accepted.
func TestEstimateCovers(t *testing.T) {
	plain := func(_ *lane, play func()) { play() }
	told := func(l *lane, play func()) { l.record(&fl.Recorder{Client: 7}, play) }
	methods := []string{"fedavg&mean=median", "fesem&mean=krum"} // which keep more than with a mean
	for _, a := range catalog.Algorithms() {
		methods = append(methods, a.Name)
	}
	for n, name := range methods {
		for m, averaging := range []string{"gradient", "model"} {
			if testing.Short() && (n+m)%2 == 1 {
				continue // each of them once
			}
			query := "data=digits&n=480&T=6&b=8&hidden=50&K=3&algos=" + name + "&avg=" + averaging
			watch := plain
			if averaging == "model" {
				watch = told // a round that is told takes no more
			}
			few, fewSaid := held(t, query+"&C=40", watch)
			many, manySaid := held(t, query+"&C=80", watch)
			if grew, said := float64(many-few), float64(manySaid-fewSaid); grew > 1.1*said+1e6 || grew < 0.6*said-1e6 {
				t.Errorf("%s: 40 clients more take %.1f MB, of %.1f that were estimated; in its fl.Plan set Streams, "+
					"UpdatesKept, Compression, ModelsKept, AnswerModels and ClientModels to what is so", query, grew/1e6,
					said/1e6)
			}
			if all, said := float64(many), float64(manySaid); all > 1.1*said+8e6 {
				t.Errorf("%s with 80 clients takes %.1f MB, of %.1f that were estimated", query, all/1e6, said/1e6)
			}
		}
	}
}

// census is a sink that counts the bytes in use when a run begins, whether anybody
// still wants them or not.
type census struct {
	nowhere
	bytes int64
}

func (c *census) Begin(*trace.Header) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	c.bytes = int64(m.HeapAlloc)
}

// TestRunsTakeTheSameMemory: a run that follows another takes its memory, not more.
func TestRunsTakeTheSameMemory(t *testing.T) {
	const query = "data=digits&n=480&C=40&T=4&b=8&hidden=100&K=4&algos=cflgp"
	c, problems := catalog.Schema().Parse(query)
	if experiment.First(problems) != nil {
		t.Fatal(problems)
	}
	data, plans, err := catalog.Build(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	said := catalog.EstimateOf(data, plans).Total()
	data, plans = nil, nil
	before := heap()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // nothing else collects
	for n := range 4 {
		var at census
		if err := Run(context.Background(), c, nil, &at); err != nil {
			t.Fatal(err)
		}
		if in := at.bytes - before; in > 3*said/2 {
			t.Errorf("run %d begins with %.1f MB in use, a run takes %.1f MB", n+1, float64(in)/1e6, float64(said)/1e6)
		}
	}
}

// held returns the bytes that a run holds at its end, and those that were estimated;
// watch plays its rounds.
func held(t *testing.T, query string, watch func(l *lane, play func())) (bytes, said int64) {
	t.Helper()
	c, problems := catalog.Schema().Parse(query)
	if experiment.First(problems) != nil {
		t.Fatal(query, problems)
	}
	data, plans, err := catalog.Build(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	said = catalog.EstimateOf(data, plans).Total()
	data, plans = nil, nil
	goroutines, before := runtime.NumGoroutine(), heap()
	err = runLanes(context.Background(), c, nil, []int{0}, nil, nowhere{}, func(l *lane, _ int, play func()) {
		watch(l, play)
		bytes = heap() - before
	})
	if err != nil {
		t.Fatal(query, err)
	}
	settled(goroutines)
	return bytes, said
}

// heap returns the bytes that are in use. It collects until nothing more is found: a
// goroutine that has said that it is done may have its last steps before it, and holds
// what it worked on until then.
func heap() int64 {
	least := int64(math.MaxInt64)
	for {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		if in := int64(m.HeapAlloc); in < least-1<<16 {
			least = in
			continue
		}
		return least
	}
}

// settled waits until at most a number of goroutines is left.
func settled(goroutines int) {
	for runtime.NumGoroutine() > goroutines {
		runtime.Gosched()
	}
}

// desk is a shard in the same goroutine.
type desk struct {
	shard   workers.Shard
	replies []workers.Incoming
	largest int // clients of one request
}

func (d *desk) Ask(_ int, request workers.Message) {
	reply, err := d.shard.Handle(carried(request), nil)
	if err == nil {
		d.replies = append(d.replies, carried(reply))
	}
	d.largest = max(d.largest, len(d.shard.Part))
}

func carried(p workers.Message) workers.Incoming {
	return workers.Incoming{Small: bytes.Clone(p.Small), Long: bytes.NewReader(bytes.Join(p.Long, nil))}
}

func (d *desk) Answer(int) (workers.Incoming, error) {
	if len(d.replies) == 0 {
		return workers.Incoming{}, workers.ErrBroken
	}
	reply := d.replies[0]
	d.replies = d.replies[1:]
	return reply, nil
}

func (d *desk) Count() int                 { return 1 }
func (d *desk) Yield()                     { runtime.Gosched() }
func (d *desk) Await(news <-chan struct{}) { <-news }
func (d *desk) Near() bool                 { return true }

// TestShardKeepsOneReply: however many clients a shard serves, it has room for the
// updates of one request.
func TestShardKeepsOneReply(t *testing.T) {
	const query = "data=digits&C=24&n=480&T=6&b=20&algos=fedavg"
	c, problems := catalog.Schema().Parse(query)
	if experiment.First(problems) != nil {
		t.Fatal(problems)
	}
	var d desk
	defer d.shard.Close()
	if err := runLanes(context.Background(), c, nil, []int{0}, &d, nowhere{}, nil); err != nil {
		t.Fatal(err)
	}
	if d.largest == 0 || d.largest >= 24 {
		t.Fatalf("a request was about up to %d of 24 clients", d.largest)
	}
	if made := d.shard.Jobs[0].Exchange.Buffers; made == 0 || made > d.largest {
		t.Errorf("the shard has room for %d updates, want up to %d", made, d.largest)
	}
}

// TestEstimateCoversOptions: the same for every choice that a method offers, so that a part
// with memory of its own cannot be forgotten.
func TestEstimateCoversOptions(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes")
	}
	for _, a := range catalog.Algorithms() {
		for _, f := range a.Fields {
			values := []string{"1"} // of a switch
			if f.Kind == param.Choice {
				values = nil
				for _, o := range f.Options {
					values = append(values, o.Name)
				}
			} else if f.Kind != param.Switch {
				continue
			}
			for _, value := range values {
				query := "data=digits&n=480&T=6&b=8&hidden=50&K=3&C=80&algos=" + a.Name + "&" + f.Name + "=" + value
				if value == f.Default || refused(query) {
					continue
				}
				bytes, said := held(t, query, func(_ *lane, play func()) { play() })
				if float64(bytes) > 1.1*float64(said)+8e6 {
					t.Errorf("%s takes %.1f MB, of %.1f that were estimated", query, float64(bytes)/1e6,
						float64(said)/1e6)
				}
			}
		}
	}
}

// refused reports whether there can be no such run.
func refused(query string) bool {
	c, problems := catalog.Schema().Parse(query)
	return experiment.First(problems) != nil || catalog.Check(c, nil) != nil
}
