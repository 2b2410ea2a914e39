package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"text/tabwriter"

	"flockscope/sim/engine"
	"flockscope/sim/experiment"
	"flockscope/sim/param"
	"flockscope/sim/sweep"
	"flockscope/sim/workload"
)

var _ = register(command{
	name: "sweep", args: "-vary KEY=VALUES QUERY", run: sweepRuns,
	doc: "vary one or two settings over a range; -seeds N, -workers N, -csv, -json",
})

// maxWorkers is the most runs that a sweep plays at a time: each takes memory.
const maxWorkers = 256

// sweepRuns tries one setting or two over a range of values, all with the same
// seeds, and prints how the lanes ended: a table of means ± standard deviations,
// or every run as CSV or JSON. An interrupt prints what is there.
func sweepRuns(ctx context.Context, args []string, out, errs io.Writer) error {
	fs := newFlags("sweep")
	var vary []string
	fs.Func("vary", "a setting and its values: dphi=5,10,20 or dphi=5:40:5 or b=5:640:*2; once or twice", func(text string) error {
		vary = append(vary, text)
		return nil
	})
	seedsText := fs.String("seeds", "10", "runs of every value")
	workersText := fs.String("workers", strconv.Itoa(min(runtime.NumCPU(), maxWorkers)),
		"runs at a time; the result does not depend on it")
	asCSV := fs.Bool("csv", false, "print every run as CSV")
	asJSON := fs.Bool("json", false, "print means and every run as JSON")
	base, file, err := parseArgs(fs, args, errs)
	if err != nil {
		return err
	}
	seeds, err := whole("-seeds", *seedsText, sweep.MostRuns)
	if err != nil {
		return badInput(err)
	}
	workers, err := whole("-workers", *workersText, maxWorkers)
	if err != nil {
		return badInput(err)
	}
	if len(vary) == 0 {
		return badInput(errors.New("say what to vary, such as -vary dphi=5:40:5"))
	}
	var axes []sweep.Axis
	for _, text := range vary {
		x, err := sweep.ParseAxis(base, text)
		if err != nil {
			return badInput(err)
		}
		axes = append(axes, x)
	}
	plan, err := sweep.New(base, axes, seeds)
	if err != nil {
		return badInput(err)
	}

	table := sweep.NewTable(plan)
	play := func(ctx context.Context, c experiment.Config) (*sweep.Run, error) { return playOne(ctx, c, file) }
	stopped := table.Play(ctx, min(workers, plan.Jobs()), play, teller(table, errs))
	if why := nothing(table); stopped == nil && why != "" {
		return badInput(errors.New(why))
	}
	w := bufio.NewWriter(out)
	switch {
	case *asJSON:
		w.Write(table.AppendJSON(nil))
	case *asCSV:
		w.Write(table.AppendCSV(nil))
	default:
		printSweep(w, table)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for c := range plan.Cells() {
		if why := table.Why(c); why != "" {
			fmt.Fprintf(errs, "flock: %s is left out: %s\n", strings.Join(values(plan, c), ", "), why)
		}
	}
	return stopped
}

// whole reads the value of a flag: a whole number from 1 to most.
func whole(flag, text string, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, &param.Error{Field: flag, Got: text, Want: fmt.Sprintf("a whole number from 1 to %d", most)}
	}
	return n, nil
}

// nothing says why no run could be played, "" if one was.
func nothing(t *sweep.Table) (why string) {
	for c := range t.Plan.Cells() {
		if t.Runs(c) > 0 {
			return ""
		}
		why = t.Why(c)
	}
	return why
}

// playOne plays one run to its end.
func playOne(ctx context.Context, c experiment.Config, file *workload.File) (*sweep.Run, error) {
	var w sweep.Witness
	if err := engine.Run(ctx, c, file, &w); err != nil {
		return nil, err
	}
	return &w.Run, nil
}

// teller returns what reports progress on a terminal; elsewhere nobody reads it.
func teller(t *sweep.Table, errs io.Writer) func() {
	f, ok := errs.(*os.File)
	if !ok {
		return nil
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	shown := -1
	return func() {
		done, of := t.Done()
		if percent := 100 * done / max(of, 1); percent != shown {
			shown = percent
			fmt.Fprintf(errs, "\rTrying %d values × %d seeds … %d %%", t.Plan.Cells(), t.Plan.Seeds, percent)
			if percent == 100 {
				fmt.Fprint(errs, "\r\033[K")
			}
		}
	}
}

// values are the settings of a cell as "dphi=5".
func values(p *sweep.Plan, cell int) []string {
	var out []string
	for _, pair := range p.Settings(cell) {
		out = append(out, pair[0]+"="+pair[1])
	}
	return out
}

// printSweep prints one line a value and lane, with the measures that there are.
func printSweep(out io.Writer, t *sweep.Table) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	defer w.Flush()
	lanes := t.Plan.Lanes()
	var measures []sweep.Measure
	for m := range sweep.Measures {
		if t.Has(sweep.Measure(m)) {
			measures = append(measures, sweep.Measure(m))
		}
	}
	var head []string
	for _, x := range t.Plan.Axes {
		head = append(head, x.Key)
	}
	head = append(head, "lane", "n")
	for _, m := range measures {
		head = append(head, m.String())
	}
	fmt.Fprintln(w, strings.Join(head, "\t"))
	for c := range t.Plan.Cells() {
		for i, id := range lanes {
			var row []string
			for _, pair := range t.Plan.Settings(c) {
				row = append(row, pair[1])
			}
			row = append(row, id, fmt.Sprint(t.Runs(c)))
			for _, m := range measures {
				runs := t.Runs(c)
				if m.Judges() && t.Plan.Base.Unclustered(i) {
					runs = 0
				}
				row = append(row, statWords(t.Stat(c, i, m), m, runs))
			}
			fmt.Fprintln(w, strings.Join(row, "\t"))
		}
	}
}

// statWords writes a mean with its spread, and for rounds also how many of the
// runs ever settled.
func statWords(s sweep.Stat, m sweep.Measure, runs int) string {
	if m == sweep.Settled && runs > 0 {
		share := fmt.Sprintf("%d of %d", s.N, runs)
		if s.N == 0 {
			return share
		}
		return fmt.Sprintf("%.1f ± %.1f (%s)", s.Mean, s.SD, share)
	}
	if s.N == 0 {
		return "–"
	}
	return fmt.Sprintf("%.4g ± %.2g", s.Mean, s.SD)
}
