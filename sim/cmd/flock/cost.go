//go:build !js

package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"text/tabwriter"

	"flockscope/sim/engine"
	"flockscope/sim/experiment"
	"flockscope/sim/lab/cluster"
	"flockscope/sim/lab/papers"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/results"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/sim/version"
	"flockscope/sim/workload"
)

// costBudget is the CPU time in seconds for which the runs of one table are tried. costTries is the number of points that are
// tried even if they take longer: runs with more clients or other methods may take many times as long.
const (
	costBudget = 10
	costTries  = 6
)

// cost is the expected computing time of a table.
type cost struct {
	seconds float64 // CPU time of all runs
	runs    int
	known   int     // how many runs are in the results file
	clock   float64 // their time by the clock, which counts what else the computer did
	tried   int     // how many runs were tried for a few rounds
	size    string  // of the longest run that was tried
}

// printCosts prints how long tables take, and how that is known.
func (n *namedSweep) printCosts(ctx context.Context, all []*papers.Sweep, out, errs io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "name\tsamples\truns\tCPU time\tsize of a run\ttried\tdone")
	total := 0.0
	for _, found := range all {
		if len(found.Cannot) > 0 {
			continue
		}
		on, err := n.inBook(found)
		if err != nil {
			fmt.Fprintf(errs, "flock: %v\n", err)
			continue
		}
		for _, s := range on {
			c, err := n.costOf(ctx, s)
			if err != nil {
				return fmt.Errorf("%s: %w", s.Name, err)
			}
			total += c.seconds
			done := "none"
			if c.known > 0 {
				done = fmt.Sprintf("%s, in %s by the clock", say.Whole(c.known), cluster.Duration(c.clock))
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%d\t%s\n", s.Name, s.Samples(), say.Whole(c.runs),
				cluster.Duration(c.seconds), c.size, c.tried, done)
			fmt.Fprintf(errs, "flock: %s: %s\n", s.Name, cluster.Duration(c.seconds)) // the table comes at the end
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "all: %s of CPU time, as a few rounds of the runs that were tried on this computer say; two cores take half of it\n",
		cluster.Duration(total))
	return err
}

// costRounds is the number of rounds for which a run is tried at first. If they take less than costSeconds of CPU time, it is
// tried for more rounds, because a short time is lost in the variation of the run's start.
const (
	costRounds  = 3
	costSeconds = 0.5
)

// costOf estimates the CPU time of a table from the start and a few rounds of some of its points, measured here on this
// computer. Points that are not measured take the mean.
func (n *namedSweep) costOf(ctx context.Context, s sweepOnData) (c cost, err error) {
	p, _, err := s.Plan()
	if err != nil {
		return c, err
	}
	var file *workload.File
	if s.set != nil {
		file = s.set.file
	}
	c.runs = p.Runs()
	c.known, c.clock = n.finished(s, p)
	began := cpuSeconds()
	measured, longest := 0.0, 0.0
	// A random sample, the same each time: points in steps may all have one method.
	order := rand.New(rand.NewPCG(1, 1)).Perm(p.Points())
	for _, point := range order {
		if c.tried >= costTries && cpuSeconds()-began > costBudget {
			break
		}
		config, err := p.Point(point)
		if err != nil {
			continue // not a combination that the table has
		}
		t, size, err := tryRun(ctx, config, file)
		if err != nil {
			return c, err
		}
		if t >= longest {
			longest, c.size = t, size
		}
		measured += t
		c.tried++
	}
	if c.tried > 0 {
		c.seconds = measured / float64(c.tried) * float64(c.runs)
	}
	return c, nil
}

// finished returns how many runs the table's results file has, and the sum of their times by the clock.
func (n *namedSweep) finished(s sweepOnData, p *plan.Plan) (runs int, seconds float64) {
	name := n.sweep.out
	if name == "" {
		name = resultsFile(s.Sweep, p)
	}
	if _, err := os.Stat(name); err != nil {
		return 0, 0
	}
	file, err := results.OpenToRead(name, cluster.CheckRecord)
	if err != nil {
		return 0, 0 // the sweep itself says what is wrong
	}
	defer file.Close()
	for record, err := range file.All() {
		if err == nil && record.Error == "" && record.Version == version.Engine {
			runs, seconds = runs+1, seconds+record.Seconds
		}
	}
	return runs, seconds
}

// tryRun estimates the CPU time of a run, and returns its size. The difference between one round and several is the time of
// rounds; the difference between measuring accuracies once and after each round is the time of measuring, which may be longer.
func tryRun(ctx context.Context, c experiment.Config, file *workload.File) (seconds float64, size string, err error) {
	play := func(rounds, every int) float64 {
		short, failed := c.With("T", strconv.Itoa(rounds))
		if failed == nil && c.Reads("every") {
			short, failed = short.With("every", strconv.Itoa(every))
		}
		h := &headerSink{}
		before := cpuSeconds()
		if failed == nil {
			failed = engine.Run(ctx, short, file, h)
		}
		if failed != nil {
			err = failed
			return 0
		}
		size = sizeOf(c, h.header)
		return cpuSeconds() - before
	}
	rounds, every := atoi(c.Value("T")), max(1, atoi(c.Value("every")))
	if rounds <= costRounds {
		return play(rounds, every), size, err
	}
	one, few := play(1, 1), play(costRounds, costRounds)
	measuring := 0.0 // after a round
	if every < rounds {
		measuring = max(0, play(costRounds, 1)-few) / (costRounds - 1)
	}
	n := costRounds
	for few-one < costSeconds && n < rounds && err == nil {
		n = min(costRounds*n, rounds)
		few = play(n, n)
	}
	round := max(0, few-one) / float64(n-1)
	return one + float64(round*float64(rounds-1)) + float64(measuring*float64((rounds-1)/every)), size, err
}

// sizeOf describes the size of a run: clients, rounds, and the parameters of the largest model.
func sizeOf(c experiment.Config, h *trace.Header) string {
	most := slices.MaxFunc(h.Lanes, func(a, b trace.Lane) int { return a.Size - b.Size })
	return fmt.Sprintf("%s clients, %s rounds, %s parameters", say.Whole(h.Clients), say.Whole(atoi(c.Value("T"))), say.Whole(most.Size))
}

func atoi(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// headerSink keeps a run's header.
type headerSink struct{ header *trace.Header }

func (s *headerSink) Begin(h *trace.Header)   { s.header = h }
func (s *headerSink) Frame(int, *trace.Frame) {}
func (s *headerSink) Round(int)               {}
func (s *headerSink) End(int, *trace.Summary) {}
