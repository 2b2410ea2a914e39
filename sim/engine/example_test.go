package engine_test

import (
	"context"
	"fmt"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/trace"
)

// printer is a sink that prints how each lane ends.
type printer struct{ header *trace.Header }

func (p *printer) Begin(h *trace.Header)   { p.header = h }
func (p *printer) Frame(int, *trace.Frame) {}
func (p *printer) Round(int)               {}
func (p *printer) End(n int, s *trace.Summary) {
	fmt.Printf("%s: ARI %.2f, %d misplaced\n", p.header.Lanes[n].Title, s.ARI, s.Misplaced)
}

func ExampleRun() {
	c, _ := catalog.Schema().Parse("data=linreg&algos=cflgp,ifca")
	if err := engine.Run(context.Background(), c, nil, &printer{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// CFL-GP: ARI 1.00, 0 misplaced
	// IFCA: ARI 0.74, 1 misplaced
}
