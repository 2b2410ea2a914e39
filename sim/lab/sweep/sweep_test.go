package sweep_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"math"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/experiment"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/sweep"
)

const base = "data=linreg&T=12&C=6&algos=cflgp,ifca"

func config(t *testing.T, query string) experiment.Config {
	t.Helper()
	c, problems := catalog.Schema().Parse(query)
	if err := experiment.First(problems); err != nil {
		t.Fatal(err)
	}
	return c
}

// axis reads a setting and its values as the command does.
func axis(base experiment.Config, text string) (sweep.Axis, error) {
	axes, err := plan.ParseAxes(base, []string{text})
	if err != nil {
		return sweep.Axis{}, err
	}
	return sweep.Axis{Key: axes[0].Key, Values: axes[0].Values}, nil
}

// planOf makes a plan of the texts of its axes.
func planOf(t *testing.T, seeds int, vary ...string) *sweep.Plan {
	t.Helper()
	c := config(t, base)
	var axes []sweep.Axis
	for _, text := range vary {
		x, err := axis(c, text)
		if err != nil {
			t.Fatal(err)
		}
		axes = append(axes, x)
	}
	p, err := sweep.New(c, axes, seeds)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// play plays one run.
func play(t *testing.T, c experiment.Config) *sweep.Run {
	t.Helper()
	cell := plan.CellOf(c, 0, "")
	w := cell.Watch()
	if err := engine.Run(context.Background(), c, nil, w); err != nil {
		t.Fatal(err)
	}
	record := w.Record()
	return record.Run()
}

// playOpen plays those of some jobs that are open, at most so many runs, and returns how many.
func playOpen(t *testing.T, table *sweep.Table, jobs []int, most int) (played int) {
	t.Helper()
	for _, job := range jobs {
		if table.Open(job) && played < most {
			table.Put(job, play(t, table.Plan.Config(job)))
			played++
		}
	}
	return played
}

// inOrder returns the jobs of a plan.
func inOrder(p *sweep.Plan) []int {
	jobs := make([]int, p.Jobs())
	for i := range jobs {
		jobs[i] = i
	}
	return jobs
}

func TestAxis(t *testing.T) {
	c := config(t, base)
	tests := []struct{ text, want string }{
		{"dphi=5,10,20", "5 10 20"},
		{"dphi=5:20:5", "5 10 15 20"},
		{"dphi=5:19:5", "5 10 15"},
		{"dphi=0:0.5:0.1", "0 0.1 0.2 0.3 0.4 0.5"}, // 3·0.1 is nobody's 0.30000000000000004
		{"b=5:40:*2", "5 10 20 40"},
		{"b=7:7:1", "7"},
		{"ifca.lr=0.1:1:*10", "0.1 1"},
		{"dphi=40:5:-5", "40 35 30 25 20 15 10 5"},
		{"dphi=40:6:-5", "40 35 30 25 20 15 10"},
		{"dphi=0.5:0:-0.1", "0.5 0.4 0.3 0.2 0.1 0"},
		{"dphi=0.3:0:-0.1", "0.3 0.2 0.1 0"}, // 0.3 − 3·0.1 is not below 0
		{"lr=0.1:0.0001:*0.1", "0.1 0.01 0.001 0.0001"},
		{"lr=1:0.0003:*0.1", "1 0.1 0.01 0.001"},
		{"b=640:5:*0.5", "640 320 160 80 40 20 10 5"},
		{"b=7:7:-1", "7"},
		{"b=7:7:*0.5", "7"},
	}
	for _, tt := range tests {
		x, err := axis(c, tt.text)
		if err != nil || strings.Join(x.Values, " ") != tt.want {
			t.Errorf("%s: got %v, %v, want %s", tt.text, x.Values, err, tt.want)
		}
	}
	for _, text := range []string{"dphi", "colour=1,2", "dphi=900", "dphi=5:4:1", "dphi=5:9:0", "dphi=5:9",
		"dphi=0:9:*2", "dphi=1:9:*1", "dphi=1:9:NaN", "dphi=", "dphi=5:40:-5", "dphi=40:5:*2",
		"dphi=5:40:*0.5", "dphi=40:5:*-0.5", "dphi=40:0:*0.5", "dphi=40:5:*0", "dphi=40:5:-0", "dphi=40:5:*", "dphi=::",
		"dphi=1:2:3:4", "b=1:1.5:0.5", "nobody.lr=1"} {
		if x, err := axis(c, text); err == nil {
			t.Errorf("%s is taken: %v", text, x.Values)
		}
	}
}

func TestPlanRefuses(t *testing.T) {
	c := config(t, base)
	tests := []struct {
		name  string
		axes  []sweep.Axis
		seeds int
		want  string
	}{
		{"nothing to vary", nil, 1, "one setting or two"},
		{"no seeds", []sweep.Axis{{Key: "b", Values: []string{"5"}}}, 0, "at least one seed"},
		{"one setting twice", []sweep.Axis{{Key: "b", Values: []string{"5"}}, {Key: "b", Values: []string{"6"}}}, 1, "twice"},
		{"a choice", []sweep.Axis{{Key: "avg", Values: []string{"model"}}}, 1, "not a number"},
		{"without effect", []sweep.Axis{{Key: "alpha", Values: []string{"1"}}}, 1, "no effect"},
		{"no values", []sweep.Axis{{Key: "b"}}, 1, "takes 0 values"},
		{"a bad value", []sweep.Axis{{Key: "b", Values: []string{"-1"}}}, 1, "whole number"},
		{"too many runs", []sweep.Axis{{Key: "b", Values: []string{"5"}}}, sweep.MostRuns + 1, "too many"},
		{"no value that fits", []sweep.Axis{{Key: "K", Values: []string{"7", "8"}}}, 1, "more models than clients"},
	}
	for _, tt := range tests {
		if _, err := sweep.New(c, tt.axes, tt.seeds); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want something about %q", tt.name, err, tt.want)
		}
	}
}

// Every value and both lanes meet the same seeds, of which the first are the
// base's own.
func TestSeedsArePaired(t *testing.T) {
	p := planOf(t, 3, "dphi=5,10,20", "b=5,10")
	seeds := map[int]string{}
	for job := range p.Jobs() {
		cell, seed := p.Cell(job)
		if p.Job(cell, seed) != job {
			t.Fatalf("job %d is cell %d with seed %d, which is job %d", job, cell, seed, p.Job(cell, seed))
		}
		c := p.Config(job)
		text := c.Value("sd") + " " + c.Value("sm") + " " + c.Value("sa")
		if before, ok := seeds[seed]; ok && before != text {
			t.Errorf("seed %d is %s in one cell and %s in another", seed, before, text)
		}
		seeds[seed] = text
		if want := p.Axes[0].Values[cell/2]; c.Value("dphi") != want {
			t.Errorf("job %d has dphi=%s, want %s", job, c.Value("dphi"), want)
		}
		if want := p.Axes[1].Values[cell%2]; c.Value("b") != want {
			t.Errorf("job %d has b=%s, want %s", job, c.Value("b"), want)
		}
	}
	if seeds[0] != "1 1 1" || seeds[2] != "3 3 3" {
		t.Errorf("the seeds are %v", seeds)
	}
}

// TestAnyOrder plays one plan in order, backwards, and in two halves.
func TestAnyOrder(t *testing.T) {
	p := planOf(t, 3, "dphi=5,20,45", "K=2,3,7") // seven models for six clients: one column stays empty
	want := sweep.NewTable(p)
	if n := playOpen(t, want, inOrder(p), p.Jobs()); n != 18 {
		t.Errorf("%d runs are played, want 18", n)
	}
	if done, of := want.Done(); done != 18 || of != 18 {
		t.Fatalf("%d of %d runs are done, want 18 of 18", done, of)
	}
	if why := want.Why(2); !strings.Contains(why.String(), "more models than clients") {
		t.Errorf("the cell that does not fit says %q", why)
	}
	backwards, halves := inOrder(p), inOrder(p)
	slices.Reverse(backwards)
	slices.SortStableFunc(halves, func(a, b int) int { return a%2 - b%2 })
	for name, jobs := range map[string][]int{"backwards": backwards, "two halves": halves} {
		table := sweep.NewTable(p)
		playOpen(t, table, jobs, len(jobs))
		if !bytes.Equal(table.AppendCSV(nil), want.AppendCSV(nil)) {
			t.Errorf("%s: another result than in order", name)
		}
	}
}

// TestStop ends a sweep after five runs: they stay, and the rest can follow.
func TestStop(t *testing.T) {
	p := planOf(t, 2, "dphi=5:40:5")
	table := sweep.NewTable(p)
	playOpen(t, table, inOrder(p), 5)
	if done, _ := table.Done(); done != 5 {
		t.Errorf("%d runs are kept, want 5", done)
	}
	if s := table.Stat(4, 0, sweep.ARI); s.N != 1 {
		t.Errorf("the fifth value has %d runs, want 1", s.N)
	}
	if s := table.Stat(5, 0, sweep.ARI); s.N != 0 || !math.IsNaN(s.Mean) {
		t.Errorf("the sixth value has %+v, want nothing", s)
	}
	if n := playOpen(t, table, inOrder(p), p.Jobs()); n != p.Jobs()-5 {
		t.Errorf("%d runs are played after going on, want %d", n, p.Jobs()-5)
	}
	if done, of := table.Done(); done != of {
		t.Errorf("%d of %d runs are done after going on", done, of)
	}
}

func TestStat(t *testing.T) {
	p := planOf(t, 4, "dphi=5")
	table := sweep.NewTable(p)
	lane := func(ari float64, settled, diverged int) sweep.Outcome {
		return sweep.Outcome{ARI: ari, Loss: 10 * ari, Settled: settled, Diverged: diverged}
	}
	for job, o := range []sweep.Outcome{lane(0, -1, -1), lane(1, 3, -1), lane(0.5, -1, 7)} {
		table.Put(job, &sweep.Run{HasTruth: true, Lanes: []sweep.Outcome{o, o}})
	}
	for m, want := range map[sweep.Measure]sweep.Stat{
		sweep.ARI:     {N: 3, Mean: 0.5, SD: 0.5},
		sweep.Loss:    {N: 2, Mean: 5, SD: math.Sqrt(50)},
		sweep.Settled: {N: 1, Mean: 3},
	} {
		if got := table.Stat(0, 1, m); got != want {
			t.Errorf("%v: got %+v, want %+v", m, got, want)
		}
	}
	if got := table.Stat(0, 1, sweep.Accuracy); got.N != 0 {
		t.Errorf("accuracy where models do not answer: %+v", got)
	}
	table.Put(3, &sweep.Run{Lanes: []sweep.Outcome{{}}})
	if table.Run(3) != nil || table.Open(3) {
		t.Error("a run of fewer lanes is kept, or asked for again")
	}
}

// TestWriters reads what was written, and plays a run of it again.
func TestWriters(t *testing.T) {
	p := planOf(t, 2, "dphi=5,20")
	table := sweep.NewTable(p)
	playOpen(t, table, inOrder(p), p.Jobs())
	rows, err := csv.NewReader(bytes.NewReader(table.AppendCSV(nil))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	head := "dphi seed lane ari misplaced loss accuracy settled diverged fingerprint query"
	if got := strings.Join(rows[0], " "); got != head {
		t.Errorf("the columns are %s, want %s", got, head)
	}
	if len(rows) != 1+2*2*2 {
		t.Errorf("got %d rows, want 9", len(rows))
	}
	last := rows[len(rows)-1]
	if !slices.Equal(last[:3], []string{"20", "2", "ifca"}) {
		t.Errorf("the last row is %v", last)
	}
	alone := play(t, config(t, last[10]))
	if got := table.Run(p.Job(1, 1)).Lanes[1]; got != alone.Lanes[1] {
		t.Errorf("the run in the table is %+v, played from its query it is %+v", got, alone.Lanes[1])
	}
}

// TestTestClients: Val and Test have columns where test clients come, and leave no trace
// where none do.
func TestTestClients(t *testing.T) {
	table := sweep.NewTable(planOf(t, 1, "dphi=10,20"))
	table.Put(0, &sweep.Run{Classifies: true, Lanes: []sweep.Outcome{{}, {Accuracy: 0.5, Settled: -1, Diverged: -1}}})
	if text := string(table.AppendCSV(nil)); strings.Contains(text, "val,test") || table.Has(sweep.Test) {
		t.Errorf("without test clients there is Val:\n%s", text)
	}
	table.Put(1, &sweep.Run{Classifies: true, Lanes: []sweep.Outcome{{},
		{Accuracy: 0.5, Val: 0.25, Test: 0.125, Settled: 7, Diverged: -1, Fingerprint: 9}}})
	csv := string(table.AppendCSV(nil))
	if !strings.Contains(csv, ",query,val,test\n") || !strings.HasSuffix(csv, `",0.25,0.125`+"\n") ||
		!strings.Contains(csv, ",7,,0000000000000009,") {
		t.Errorf("the CSV is\n%s", csv)
	}
	// A lane that diverged before models were tried has no scores.
	table.Put(1, &sweep.Run{Classifies: true, Lanes: []sweep.Outcome{{Val: 0.5, Test: 0.5, Settled: -1, Diverged: -1},
		{Loss: math.NaN(), Settled: -1, Diverged: 2}}})
	if csv := string(table.AppendCSV(nil)); !strings.HasSuffix(csv, "\",,\n") {
		t.Errorf("a lane without scores has Val and Test:\n%s", csv)
	}
}

// A method that puts nobody together has no ARI in any result, whatever the labels
// of its clients happen to be; the one beside it has.
func TestNoClusters(t *testing.T) {
	p, err := sweep.New(config(t, "algos=local,cflgp&C=6&T=5"),
		[]sweep.Axis{{Key: "dphi", Values: []string{"5", "20"}}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	table := sweep.NewTable(p)
	playOpen(t, table, inOrder(p), p.Jobs())
	for _, m := range []sweep.Measure{sweep.ARI, sweep.Misplaced, sweep.Settled} {
		if s := table.Stat(0, 0, m); s.N != 0 {
			t.Errorf("local training has a mean %s of %v", m, s.Mean)
		}
	}
	if table.Stat(0, 0, sweep.Loss).N != 1 || table.Stat(0, 1, sweep.ARI).N != 1 {
		t.Error("a loss, or the ARI of the other lane, went too")
	}
	rows, err := csv.NewReader(bytes.NewReader(table.AppendCSV(nil))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if local, cflgp := rows[1], rows[2]; local[3] != "" || local[4] != "" || local[5] == "" || cflgp[3] == "" {
		t.Errorf("the rows are %v and %v", local, cflgp)
	}
}
