package sweeps

import (
	"slices"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/draw/scene"
	"flockscope/sim/lab/sweep"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
	"flockscope/ui/testing/charttest"
)

// A heat map writes the mean of every cell with room, also a negative one, and numbers do not
// overlap.
func TestHeatNumbers(t *testing.T) {
	schema := catalog.Schema()
	config, _ := schema.Parse("algos=cflgp&T=5")
	plan, err := sweep.New(config, []sweep.Axis{{Key: "dphi", Values: []string{"5", "10"}},
		{Key: "b", Values: []string{"2", "4"}}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	table := sweep.NewTable(plan)
	for cell, ari := range []float64{-0.021, 0.5, -0.001, 1} {
		table.Put(plan.Job(cell, 0), &sweep.Run{HasTruth: true, Lanes: []sweep.Outcome{{ARI: ari}}})
	}
	for _, tt := range []struct {
		width float32
		want  []string
	}{
		{400, []string{"−0.02", "0.50", "0.00", "1.00"}},
		{80, []string{"−.02", "0.50", "0.00", "1.00"}}, // a cell is 31 wide
		{60, nil},
	} {
		figure := Heat{View: View{Sweep: table, Measure: sweep.ARI, Titles: []string{"CFL-GP"},
			Names: [2]string{"Gap", "Batch"}, Hovered: -1}}
		var l scene.List
		var hits chart.Hits
		figure.Draw(&l, &hits, &chart.View{}, chart.Box{W: tt.width, H: 200})
		var got []string
		var taken []layout.Area
		for _, it := range charttest.Items(t, &l) {
			if it.Op.Kind() != "text" || !slices.Contains([]string{"−0.02", "−.02", "0.50", "0.00", "1.00"},
				it.Op.Text) {
				continue
			}
			got = append(got, it.Op.Text)
			for _, other := range taken {
				if other.Overlaps(it.Visible) {
					t.Errorf("%v wide, %q lies on another number", tt.width, it.Op.Text)
				}
			}
			taken = append(taken, it.Visible)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%v wide, the cells say %q, want %q", tt.width, got, tt.want)
		}
	}
}

// A lane without clusters has no colours for measures of clusters, and says so.
func TestHeatWithoutClusters(t *testing.T) {
	config, _ := catalog.Schema().Parse("algos=local&T=5")
	plan, err := sweep.New(config, []sweep.Axis{{Key: "dphi", Values: []string{"5", "10"}},
		{Key: "b", Values: []string{"2", "4"}}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	table := sweep.NewTable(plan)
	for job := range plan.Jobs() {
		table.Put(job, &sweep.Run{HasTruth: true, Lanes: []sweep.Outcome{{ARI: 0.5, Loss: 3, Diverged: -1}}})
	}
	for measure, want := range map[sweep.Measure]string{sweep.ARI: "This method makes no clusters, so none is right or wrong.",
		sweep.Loss: "3"} {
		figure := Heat{View: View{Sweep: table, Measure: measure, Titles: []string{"Local"},
			Names: [2]string{"Gap", "Batch"}, Hovered: -1}}
		var l scene.List
		figure.Draw(&l, new(chart.Hits), &chart.View{}, chart.Box{W: 400, H: 200})
		var got []string
		for _, it := range charttest.Items(t, &l) {
			if it.Op.Kind() == "text" {
				got = append(got, it.Op.Text)
			}
		}
		if !slices.Contains(got, want) || slices.Contains(got, "0.50") {
			t.Errorf("the map says %q, want %q", got, want)
		}
	}
}
