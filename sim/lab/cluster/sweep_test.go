//go:build unix

package cluster

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"flockscope/sim/catalog"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/results"
)

// whole is a sweep that is not divided.
var whole = Options{Part: Part{Count: 1}}

// Where a part's number comes from, and that gaps in an array are noticed.
func TestPartOf(t *testing.T) {
	tests := []struct {
		flag   string
		shards int
		env    string
		want   string
	}{
		{"", 0, "", "0/1"},
		{"3/16", 0, "SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=4", "3/16"},
		{"", 0, "SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_COUNT=4 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=3 SLURM_ARRAY_TASK_STEP=1", "2/4"},
		{"", 0, "SLURM_ARRAY_TASK_ID=5 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=5 SLURM_ARRAY_TASK_STEP=2", "2/3"},
		{"", 0, "SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_COUNT=2 SLURM_ARRAY_TASK_MIN=3 SLURM_ARRAY_TASK_MAX=7", "gaps"},
		{"", 0, "SLURM_ARRAY_TASK_ID=x", "give -shard"},
		{"", 8, "JOB_COMPLETION_INDEX=7", "7/8"},
		{"", 0, "JOB_COMPLETION_INDEX=7", "-shards must say"},
		{"", 7, "JOB_COMPLETION_INDEX=7", "-shards must say"},
		{"16/16", 0, "", "-shard"}, {"-1/4", 0, "", "-shard"}, {"1", 0, "", "-shard"}, {"a/b", 0, "", "-shard"}, {"0/0", 0, "", "-shard"},
	}
	for _, tt := range tests {
		env := map[string]string{}
		for pair := range strings.FieldsSeq(tt.env) {
			key, value, _ := strings.Cut(pair, "=")
			env[key] = value
		}
		part, err := PartOf(tt.flag, tt.shards, func(key string) string { return env[key] })
		got := fmt.Sprintf("%d/%d", part.Index, part.Count)
		if err != nil {
			got = err.Error()
		}
		if got != tt.want && (err == nil || !strings.Contains(got, tt.want)) {
			t.Errorf("-shard %q -shards %d %s: got %s, want %s", tt.flag, tt.shards, tt.env, got, tt.want)
		}
	}
}

// A long sweep says so, a short one does not.
func TestEstimate(t *testing.T) {
	if text := estimate(100, []float64{1, 2}, 2); text != "" {
		t.Errorf("of 75 seconds: %q", text)
	}
	text := estimate(1_000_000, []float64{0.5, 1.5}, 4)
	if !strings.Contains(text, "2.9 days: 1 000 000 runs of about 1 s each, 4 at a time") ||
		!strings.Contains(text, "-shard") {
		t.Errorf("got %q", text)
	}
}

// A sweep hands out each cell once, whatever its turn, and a cell that two points
// share once, too.
func TestNext(t *testing.T) {
	d := &plan.Draft{Query: "T=3&C=6", Vary: []string{"algos=ifca,local", "K=2,3,9"}, Seeds: 3}
	p, err := d.Plan(catalog.Schema().Parse)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for shard := range 2 {
		s := &Sweep{Options: Options{Part: Part{Index: shard, Count: 2}}, plan: p, store: &results.Memory{},
			inFlight: map[string]plan.Cell{}, probing: map[string]bool{}}
		for {
			c, ok, err := s.next(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				break
			}
			seen[c.ID]++
			if _, err := s.store.Put(c.Failed("for the test")); err != nil {
				t.Fatal(err)
			}
			s.release(c.ID)
		}
	}
	if len(seen) != 3*3 {
		t.Errorf("%d cells, want 9", len(seen))
	}
	s := &Sweep{Options: whole, plan: p, store: broken{}, inFlight: map[string]plan.Cell{}}
	_, _, err = s.next(context.Background())
	if err == nil {
		t.Error("a store that cannot be read is passed over")
	}
}

// A run that breaks the engine is a failed cell, not the end of the sweep.
func TestBrokenRun(t *testing.T) {
	var c plan.Cell // without an experiment
	r, ended := computeCell(context.Background(), &c, nil, "a build")
	if !ended || !strings.HasPrefix(r.Error, "the engine broke down: ") || r.Build != "a build" {
		t.Errorf("got %+v, %v", r, ended)
	}
}

// Progress is in words that need no explanation.
func TestProgress(t *testing.T) {
	d := &plan.Draft{Query: "T=3&C=6&algos=ifca", Seeds: 12000}
	p, err := d.Plan(catalog.Schema().Parse)
	if err != nil {
		t.Fatal(err)
	}
	s := &Sweep{Options: whole, plan: p, doneBefore: 1000, done: 2000, failed: 3,
		began:       time.Now().Add(-100 * time.Second),
		runsPerCell: 1}
	if got := s.progress(true); !regexp.MustCompile(`^█{6}░{18} 3 000 of 12 000 cells, 3 failed · (20|19\.9) per second · 8 min left$`).MatchString(got) {
		t.Errorf("got %q", got)
	}
	s.runsPerCell = 0.5 // every other cell shares the run of another
	if got := s.progress(true); !strings.HasSuffix(got, "4 min left") {
		t.Errorf("got %q", got)
	}
	for seconds, want := range map[float64]string{5: "5 s", 600: "10 min", 7200: "2.0 hours", 864000: "10.0 days"} {
		if got := Duration(seconds); got != want {
			t.Errorf("%v seconds are %q, want %q", seconds, got, want)
		}
	}
}

type broken struct{}

func (broken) Get(string) (plan.Record, bool, error) {
	return plan.Record{}, false, errors.New("broken")
}
func (broken) Put(...plan.Record) (int, error) { return 0, errors.New("broken") }

// A store that cannot be written to ends the sweep.
func TestBrokenStore(t *testing.T) {
	d := &plan.Draft{Query: "T=3&C=6&algos=ifca", Seeds: 50}
	p, err := d.Plan(catalog.Schema().Parse)
	if err != nil {
		t.Fatal(err)
	}
	s := &Sweep{Options: whole, plan: p, store: readable{}, place: local{2}}
	if err := s.Run(context.Background()); err == nil || err.Error() != "broken" {
		t.Errorf("got %v", err)
	}
}

type readable struct{ broken }

func (readable) Get(string) (plan.Record, bool, error) { return plan.Record{}, false, nil }

// What the engine computes is never refused: every method on every kind of data, whole
// and disturbed, with a budget and without.
func TestEveryRecordFits(t *testing.T) {
	schema := catalog.Schema()
	computed := 0
	for _, w := range schema.Workloads {
		if testing.Short() && !slices.Contains([]string{"linreg", "mix2", "digits"}, w.Name) {
			continue
		}
		for _, a := range schema.Algorithms {
			for i, more := range []string{"", "&rho=0.4&drop=0.3&late=2&join=2&lr=30"} {
				query := "data=" + w.Name + "&C=6&T=3&algos=" + a.Name + more
				c, problems := schema.Parse(query + "&n=120&b=5")
				if c.NeedsFile() || len(problems) > 4 || catalog.Check(c, nil) != nil {
					continue
				}
				cell := plan.CellOf(c, float64(i*500), "")
				r, _ := computeCell(context.Background(), &cell, nil, "")
				if r.Error != "" {
					t.Errorf("%s: %s", c, r.Error)
					continue
				}
				computed++
				text, err := r.AppendJSON(nil)
				if err == nil {
					r, err = plan.ParseRecord(text)
				}
				if err == nil {
					err = CheckRecord(&r)
				}
				if err != nil {
					t.Errorf("%s: %v", c, err)
				}
			}
		}
	}
	if t.Logf("%d runs", computed); computed < 50 {
		t.Errorf("only %d runs were computed", computed)
	}
}
