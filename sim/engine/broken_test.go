package engine

import (
	"context"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/trace"
)

// A panic in any lane reaches the caller of the run, so that a program of many runs can go on with
// the next one; all goroutines have ended by then.
func TestPanicReachesCaller(t *testing.T) {
	c, problems := catalog.Schema().Parse("T=3&algos=ifca,fedavg,local")
	if err := experiment.First(problems); err != nil {
		t.Fatal(err)
	}
	for number := range 3 {
		func() {
			defer func() {
				if got := recover(); got != "broken" {
					t.Errorf("lane %d: got %v, want the panic", number, got)
				}
			}()
			runLanes(context.Background(), c, nil, []int{0, 1, 2}, nil, unheard{},
				func(l *lane, round int, play func()) {
					if l.number == number && round == 1 {
						panic("broken")
					}
					play()
				})
		}()
	}
}

// unheard is a sink that keeps nothing.
type unheard struct{}

func (unheard) Begin(*trace.Header)     {}
func (unheard) Frame(int, *trace.Frame) {}
func (unheard) Round(int)               {}
func (unheard) End(int, *trace.Summary) {}
