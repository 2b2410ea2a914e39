package sweep_test

import (
	"context"
	"fmt"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/sweep"
)

// Two values of a setting, three seeds each. The engine plays the runs.
func ExampleTable() {
	base, _ := catalog.Schema().Parse("algos=cflgp&T=40")
	p, err := sweep.New(base, []sweep.Axis{{Key: "dphi", Values: []string{"5", "20"}}}, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	table := sweep.NewTable(p)
	for job := range p.Jobs() {
		cell := plan.CellOf(p.Config(job), 0, "")
		w := cell.Watch()
		if err := engine.Run(context.Background(), cell.Config, nil, w); err != nil {
			table.Refuse(job, "the engine refuses it")
			continue
		}
		record := w.Record()
		table.Put(job, record.Run())
	}
	for cell := range p.Cells() {
		ari := table.Stat(cell, 0, sweep.ARI)
		fmt.Printf("%v: ARI %.2f ± %.2f over %d runs\n", p.Settings(cell), ari.Mean, ari.SD, ari.N)
	}
	// Output:
	// [[dphi 5]]: ARI 0.42 ± 0.12 over 3 runs
	// [[dphi 20]]: ARI 1.00 ± 0.00 over 3 runs
}
