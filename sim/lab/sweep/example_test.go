package sweep_test

import (
	"context"
	"fmt"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/experiment"
	"flockscope/sim/lab/sweep"
)

// Two values of a setting, three seeds each. The engine plays the runs.
func ExampleTable_Play() {
	base, _ := catalog.Schema().Parse("algos=cflgp&T=40")
	axis, err := sweep.ParseAxis(base, "dphi=5,20")
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := sweep.New(base, []sweep.Axis{axis}, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	table := sweep.NewTable(plan)
	play := func(ctx context.Context, c experiment.Config) (*sweep.Run, error) {
		var w sweep.Witness
		err := engine.Run(ctx, c, nil, &w)
		return &w.Run, err
	}
	if err := table.Play(context.Background(), 2, play, nil); err != nil {
		fmt.Println(err)
		return
	}
	for cell := range plan.Cells() {
		ari := table.Stat(cell, 0, sweep.ARI)
		fmt.Printf("%v: ARI %.2f ± %.2f over %d runs\n", plan.Settings(cell), ari.Mean, ari.SD, ari.N)
	}
	// Output:
	// [[dphi 5]]: ARI 0.42 ± 0.12 over 3 runs
	// [[dphi 20]]: ARI 1.00 ± 0.00 over 3 runs
}

func ExampleParseAxis() {
	base, _ := catalog.Schema().Parse("algos=cflgp")
	axis, err := sweep.ParseAxis(base, "b=5:80:*2")
	fmt.Println(axis.Key, axis.Values, err)
	// Output: b [5 10 20 40 80] <nil>
}
