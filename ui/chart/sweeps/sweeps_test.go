package sweeps

import (
	"math"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/draw/scene"
	"flockscope/sim/lab/sweep"
	"flockscope/ui/chart"
	"flockscope/ui/testing/charttest"
)

// An ARI below 0 has its own height and shade, and the whole band has room.
func TestNegativeARI(t *testing.T) {
	config, _ := catalog.Schema().Parse("algos=ifca&T=5")
	tableOf := func(axes ...sweep.Axis) *sweep.Table {
		plan, err := sweep.New(config, axes, 2)
		if err != nil {
			t.Fatal(err)
		}
		table := sweep.NewTable(plan)
		for job := range plan.Jobs() {
			cell, seed := plan.Cell(job)
			ari := []float64{-0.06, 0, 0.5, 1}[cell] + 0.04*float64(seed) - 0.02
			table.Put(job, &sweep.Run{HasTruth: true, Lanes: []sweep.Outcome{{ARI: min(ari, 1)}}})
		}
		return table
	}
	angles := sweep.Axis{Key: "dphi", Values: []string{"0", "5", "10", "20"}}
	table := tableOf(angles)
	low, top := rangeOf(table, sweep.ARI, 1)
	if low > -0.06-0.02*math.Sqrt2 || low < -0.15 || top != 1 {
		t.Errorf("the axis is from %v to %v", low, top)
	}
	view := View{Sweep: table, Measure: sweep.ARI, Titles: []string{"IFCA"}, Names: [2]string{"Gap"}, Hovered: -1}
	curves, box := Curves{View: view}, chart.Box{W: 400, H: 240}
	var l scene.List
	curves.Draw(&l, nil, &chart.View{}, box)
	a := curves.area(&chart.View{}, box)
	if under, zero := curves.y(a, -0.06), curves.y(a, 0); under < zero+4 || under >= a.Y1 {
		t.Errorf("the mean −0.06 is at %v, 0 at %v and the end of the axis at %v", under, zero, a.Y1)
	}
	charttest.StaysInside(t, &curves, &chart.View{}, box)

	preview := Preview{Sweep: table, At: []float32{0, 0.3, 0.6, 1}, Measure: sweep.ARI, Titles: []string{"IFCA"}}
	slider := chart.Box{W: 200, H: 28}
	preview.Draw(&l, nil, &chart.View{}, slider)
	if preview.y(slider, -0.06) <= preview.y(slider, 0) {
		t.Error("behind a slider −0.06 is drawn as 0")
	}

	heat := Heat{View: view}
	heat.Sweep = tableOf(sweep.Axis{Key: "dphi", Values: []string{"0", "5"}}, sweep.Axis{Key: "b", Values: []string{"2", "4"}})
	heat.Names = [2]string{"Gap", "Batch"}
	heat.Draw(&l, nil, &chart.View{}, chart.Box{W: 300, H: 200})
	if share(-0.06, heat.low, heat.top) >= share(0, heat.low, heat.top) {
		t.Error("in a heat map −0.06 has the shade of 0")
	}
}

// Without negative values axes begin at 0.
func TestAxisBeginsAtZero(t *testing.T) {
	config, _ := catalog.Schema().Parse("algos=ifca&T=5")
	plan, err := sweep.New(config, []sweep.Axis{{Key: "dphi", Values: []string{"5"}}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	table := sweep.NewTable(plan)
	table.Put(0, &sweep.Run{HasTruth: true, Lanes: []sweep.Outcome{{ARI: 0.3, Loss: 3, Diverged: -1}}})
	for _, m := range []sweep.Measure{sweep.ARI, sweep.Loss} {
		if low, _ := rangeOf(table, m, 1); low != 0 {
			t.Errorf("the axis of %v begins at %v", m, low)
		}
	}
}
