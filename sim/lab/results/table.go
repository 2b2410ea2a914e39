//go:build !js

package results

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"flockscope/sim/experiment"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/sweep"
	"flockscope/sim/say"
)

// A Getter returns records by cell: a [File], a [Reader] or a [Memory].
type Getter interface {
	Get(cell string) (plan.Record, bool, error)
}

// Table has the records of a plan in the order of the plan, so that its output does not depend on where and when the
// cells were computed.
type Table struct {
	Plan    *plan.Plan
	Records Getter
	Engine  int // version of the engine that computed the records
}

// A row has the records of one point by seed, nil if missing.
type row struct {
	point   int
	config  experiment.Config
	records []*plan.Record
}

// rows yields the points. Points with incompatible settings have no records.
func (t *Table) rows() iter.Seq2[*row, error] {
	return func(yield func(*row, error) bool) {
		for point := range t.Plan.Points() {
			c, err := t.Plan.Point(point)
			if err != nil {
				if !yield(&row{point: point, config: t.Plan.Lanes(point)}, nil) {
					return
				}
				continue
			}
			r := &row{point: point, config: c, records: make([]*plan.Record, t.Plan.Seeds)}
			for seed := range t.Plan.Seeds {
				cell := t.Plan.AtVersion(c, seed, t.Engine)
				record, ok, err := t.Records.Get(cell.ID)
				if err != nil {
					yield(nil, err)
					return
				}
				if ok {
					r.records[seed] = &record
				}
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

// Own returns the records that belong to a cell of the plan, each once.
func (t *Table) Own() ([]plan.Record, error) {
	var own []plan.Record
	seen := map[string]bool{} // points may share a cell
	for r, err := range t.rows() {
		if err != nil {
			return nil, err
		}
		for _, record := range r.records {
			if record != nil && !seen[record.Cell] {
				seen[record.Cell] = true
				own = append(own, *record)
			}
		}
	}
	return own, nil
}

// measures returns the measures that any lane has.
func (t *Table) measures() ([]string, error) {
	has := map[string]bool{}
	for r, err := range t.rows() {
		if err != nil {
			return nil, err
		}
		for _, record := range r.records {
			if record == nil {
				continue
			}
			for i := range record.Lanes {
				for _, m := range plan.Measures {
					if !has[m] {
						_, has[m] = record.Lanes[i].Value(m)
					}
				}
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(plan.Measures), func(m string) bool { return !has[m] }), nil
}

// runs returns the numbers of runs and of failures, and the first failure.
func (r *row) runs() (n, failed int, why string) {
	for _, record := range r.records {
		switch {
		case record == nil:
		case record.Error == "":
			n++
		default:
			if failed++; failed == 1 {
				why = record.Error
			}
		}
	}
	return n, failed, why
}

// stat returns the mean of a measure of a lane over seeds, summed in the order of seeds.
func (r *row) stat(lane int, measure string) sweep.Stat {
	var values []float64
	for _, record := range r.records {
		if record != nil && lane < len(record.Lanes) {
			if v, ok := record.Lanes[lane].Value(measure); ok {
				values = append(values, v)
			}
		}
	}
	return sweep.StatOf(values)
}

// WriteText writes one line per point and lane, with the available measures, and one line per point with cells that
// failed.
func (t *Table) WriteText(out io.Writer) error {
	measures, err := t.measures()
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	var head []string
	for _, x := range t.Plan.Axes {
		head = append(head, x.Key)
	}
	fmt.Fprintln(w, strings.Join(append(append(head, "lane", "n"), measures...), "\t"))
	for r, err := range t.rows() {
		if err != nil {
			return errors.Join(w.Flush(), err)
		}
		runs, failed, why := r.runs()
		values := t.Plan.Values(r.point)
		for i := range r.config.Lanes() {
			line := append(slices.Clone(values), r.config.Lanes()[i].ID(), strconv.Itoa(runs))
			for _, m := range measures {
				judged := runs
				if r.config.Unclustered(i) {
					judged = 0
				}
				line = append(line, formatStat(r.stat(i, m), m, judged))
			}
			fmt.Fprintln(w, strings.Join(line, "\t"))
		}
		if failed > 0 {
			line := append(slices.Clone(values), "failed", strconv.Itoa(failed), why)
			fmt.Fprintln(w, strings.Join(line, "\t"))
		}
	}
	return w.Flush()
}

// formatStat formats a mean with its spread, and for Settled the number of runs that settled.
func formatStat(s sweep.Stat, measure string, runs int) string {
	if measure == "settled" && runs > 0 {
		share := fmt.Sprintf("%d of %d", s.N, runs)
		if s.N == 0 {
			return share
		}
		return fmt.Sprintf("%.1f ± %.1f (%s)", s.Mean, s.SD, share)
	}
	if s.N == 0 {
		return "–"
	}
	return say.Number(s.Mean) + " ± " + say.Figures(s.SD, 2)
}
