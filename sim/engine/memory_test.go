package engine

import (
	"context"
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
