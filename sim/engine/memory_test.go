package engine

import (
	"bytes"
	"context"
	"runtime"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/fl"
	"flockscope/sim/trace"
)

type nowhere struct{}

func (nowhere) Begin(*trace.Header)     {}
func (nowhere) Frame(int, *trace.Frame) {}
func (nowhere) Round(int)               {}
func (nowhere) End(int, *trace.Summary) {}

// TestEstimateCovers: what clients hold after some rounds is what the estimate
// said that they would, whichever the method: a run that is let in fits.
func TestEstimateCovers(t *testing.T) {
	for _, a := range catalog.Algorithms() {
		for _, averaging := range []string{"gradient", "model"} {
			query := "data=digits&C=5&n=200&T=3&b=20&algos=" + a.Name + "&avg=" + averaging
			c, problems := catalog.Schema().Parse(query)
			if experiment.First(problems) != nil {
				t.Fatal(query, problems)
			}
			data, plans, err := catalog.Build(c, nil)
			if err != nil {
				t.Fatal(err)
			}
			room := float64(catalog.EstimateOf(data, plans).PerClient)
			var held float64
			err = runLanes(context.Background(), c, nil, []int{0}, nil, nowhere{}, func(l *lane, _ int, play func()) {
				play()
				x := l.visit.exchange
				updates := float64(4*x.Made*x.Bank.Size) / float64(len(x.Replies))
				for i := range x.Replies {
					held = max(held, updates+float64(bytesOf(x, i)))
				}
			})
			if err != nil {
				t.Fatal(query, err)
			}
			// Losses, weights and means of classes are small change.
			if held > 1.05*room || held < 0.2*room {
				t.Errorf("%s: a client holds up to %.2f MB, of %.2f that were estimated", query, held/1e6, room/1e6)
			}
		}
	}
}

// bytesOf returns what client i has, apart from updates and features of all
// coordinates.
func bytesOf(x *fl.Exchange, i int) int {
	r := &x.Replies[i]
	floats := len(r.Answer) + len(r.Own) + len(r.State)
	if x.Coordinates != nil {
		floats += len(r.Feature)
	}
	return 4 * floats
}

// desk is a shard in the same goroutine.
type desk struct {
	shard   Shard
	replies []Received
	largest int // clients of one request
}

func (d *desk) Ask(_ int, request Parcel) {
	reply, err := d.shard.Handle(carried(request), nil)
	if err == nil {
		d.replies = append(d.replies, carried(reply))
	}
	d.largest = max(d.largest, len(d.shard.part))
}

func carried(p Parcel) Received {
	return Received{Small: bytes.Clone(p.Small), Long: bytes.NewReader(bytes.Join(p.Long, nil))}
}

func (d *desk) Answer(int) (Received, error) {
	if len(d.replies) == 0 {
		return Received{}, errTorn
	}
	reply := d.replies[0]
	d.replies = d.replies[1:]
	return reply, nil
}

func (d *desk) Count() int                 { return 1 }
func (d *desk) Breathe()                   { runtime.Gosched() }
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
	if made := d.shard.visits[0].exchange.Made; made == 0 || made > d.largest {
		t.Errorf("the shard has room for %d updates, want up to %d", made, d.largest)
	}
}
