//go:build !js

package main

import (
	"encoding/json"
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
	"flockscope/sim/lab/results"
	"flockscope/sim/lab/sweep"
	"flockscope/sim/say"
)

// table prints the records of a plan, in the order of the plan, so that what it prints
// depends neither on where the cells were computed nor on when.
type table struct {
	plan  *plan.Plan
	store getter
	cell  func(point experiment.Config, seed int) plan.Cell // identity of a cell
}

// A row is the records of one point, by seed; nil where there is none.
type row struct {
	point   int
	config  experiment.Config
	records []*plan.Record
}

// rows yields the points, those whose settings do not go together without records.
func (t *table) rows() iter.Seq2[*row, error] {
	return func(yield func(*row, error) bool) {
		for point := range t.plan.Points() {
			c, err := t.plan.Point(point)
			if err != nil {
				if !yield(&row{point: point, config: t.plan.Lanes(point)}, nil) {
					return
				}
				continue
			}
			r := &row{point: point, config: c, records: make([]*plan.Record, t.plan.Seeds)}
			for seed := range t.plan.Seeds {
				cell := t.cell(c, seed)
				record, ok, err := t.store.Get(cell.ID)
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

// sayOthers says how many records of a file the table does not show since they are of no
// cell of its plan: the plan was made smaller, or an older flock has lost a part of it.
func (t *table) sayOthers(f *results.Reader, errs io.Writer) error {
	n := f.Len()
	if t.plan.Cells() > mostUnkept {
		return nil
	}
	own := map[string]bool{}
	for r, err := range t.rows() {
		if err != nil {
			return err
		}
		for _, record := range r.records {
			if record != nil {
				own[record.Cell] = true
			}
		}
	}
	if n -= len(own); n > 0 {
		fmt.Fprintf(errs, "flock: %s %s of no cell of the plan and not shown; flock report -plan FILE shows records by "+
			"another plan\n", say.Amount(n, "record"), say.Either(n, "is", "are"))
	}
	return nil
}

// print prints what the flags ask for.
func (t *table) print(w io.Writer, flags *sweepFlags) error {
	switch {
	case flags.jsonl:
		return t.printLines(w, flags.time)
	case flags.json:
		return t.printJSON(w)
	case flags.csv:
		return t.printCSV(w)
	}
	return t.printTable(w)
}

// measures returns the measures that some lane has.
func (t *table) measures() ([]string, error) {
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

// runs returns how many runs there are, and how many failed, with the first reason.
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

// stat returns the mean of a measure of a lane over seeds, summed in their order.
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

// printTable prints one line per point and lane, with the measures that there are, and
// a line per point with cells that failed.
func (t *table) printTable(out io.Writer) error {
	measures, err := t.measures()
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	var head []string
	for _, x := range t.plan.Axes {
		head = append(head, x.Key)
	}
	fmt.Fprintln(w, strings.Join(append(append(head, "lane", "n"), measures...), "\t"))
	for r, err := range t.rows() {
		if err != nil {
			return errors.Join(w.Flush(), err)
		}
		runs, failed, why := r.runs()
		values := t.plan.Values(r.point)
		for i := range r.config.Lanes() {
			line := append(slices.Clone(values), r.config.Lanes()[i].ID(), strconv.Itoa(runs))
			for _, m := range measures {
				judged := runs
				if r.config.Unclustered(i) {
					judged = 0
				}
				line = append(line, statWords(r.stat(i, m), m, judged))
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

// statWords writes a mean with its spread, and for rounds also how many of the
// runs ever settled.
func statWords(s sweep.Stat, measure string, runs int) string {
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

// printLines prints one record per line.
func (t *table) printLines(w io.Writer, timing bool) error {
	var line []byte
	for r, err := range t.rows() {
		if err != nil {
			return err
		}
		for _, record := range r.records {
			if record == nil {
				continue
			}
			if !timing {
				*record = record.Plain()
			}
			if line, err = record.AppendJSON(line[:0]); err != nil {
				return err
			}
			if _, err := w.Write(append(line, '\n')); err != nil {
				return err
			}
		}
	}
	return nil
}

// printCSV prints one row per run and lane, after a row of names:
//
//	the settings that are varied, a column each
//	seed         the run's place among the seeds, from 1
//	lane         as in the query
//	ari          adjusted Rand index in the end, of all clients heard so far; empty where
//	             nobody knows the groups, and where a lane makes no clusters
//	misplaced    clients in the wrong place in the end; empty likewise
//	loss         mean over clients in the end
//	accuracy     share of right answers, 0 to 1; empty where models give none
//	settled      first round from which the clustering stays right; empty if none
//	diverged     round in which the lane diverged, whose numbers are those of the
//	             round before; empty if it did not
//	fingerprint  sixteen digits: the same wherever the run is played
//	query        the run itself: what stands behind the "?" of its link
//	val, test    HCFL's, only where test clients come to some run
//	ari_participants  adjusted Rand index of those who took part in the last round, only
//	             where not all clients take part in some run
func (t *table) printCSV(w io.Writer) error {
	measures, err := t.measures()
	if err != nil {
		return err
	}
	tested, partial := slices.Contains(measures, "test"), slices.Contains(measures, "ari_participants")
	var head []byte
	for _, x := range t.plan.Axes {
		head = append(append(head, x.Key...), ',')
	}
	head = append(head, "seed,lane,ari,misplaced,loss,accuracy,settled,diverged,fingerprint,query"...)
	if tested {
		head = append(head, ",val,test"...)
	}
	if partial {
		head = append(head, ",ari_participants"...)
	}
	if _, err := w.Write(append(head, '\n')); err != nil {
		return err
	}
	var line []byte
	for r, err := range t.rows() {
		if err != nil {
			return err
		}
		values := t.plan.Values(r.point)
		for seed, record := range r.records {
			if record == nil {
				continue
			}
			for i := range record.Lanes {
				l := &record.Lanes[i]
				line = line[:0]
				for _, v := range values {
					line = append(append(line, quoted(v)...), ',')
				}
				line = strconv.AppendInt(line, int64(seed+1), 10)
				line = append(append(line, ','), l.Lane...)
				line = floatColumn(line, l.ARI)
				line = wholeColumn(line, l.Misplaced)
				line = floatColumn(line, l.Loss)
				line = floatColumn(line, l.Accuracy)
				line = wholeColumn(line, l.Settled)
				line = wholeColumn(line, l.Diverged)
				line = append(append(line, ','), l.Fingerprint...)
				line = append(append(append(line, `,"`...), strings.ReplaceAll(record.Query, `"`, `""`)...), '"')
				if tested {
					line = floatColumn(line, tests(record, l, l.Val))
					line = floatColumn(line, tests(record, l, l.Test))
				}
				if partial {
					line = floatColumn(line, l.ARIParticipants)
				}
				if _, err := w.Write(append(line, '\n')); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func floatColumn(dst []byte, v *float64) []byte {
	if dst = append(dst, ','); v != nil {
		dst = appendFloat(dst, *v)
	}
	return dst
}

func wholeColumn(dst []byte, v *int) []byte {
	if dst = append(dst, ','); v != nil {
		dst = strconv.AppendInt(dst, int64(*v), 10)
	}
	return dst
}

// tests returns v, Val or Test of a lane: 0 where it was left out although test clients came to the
// run and the lane was evaluated, nil where they did not or it was not.
func tests(r *plan.Record, l *plan.Lane, v *float64) *float64 {
	came := slices.ContainsFunc(r.Lanes, func(l plan.Lane) bool { return l.Val != nil || l.Test != nil })
	if v == nil && came && l.Accuracy != nil {
		return new(float64)
	}
	return v
}

// quoted returns a value as CSV wants it.
func quoted(text string) string {
	if strings.ContainsAny(text, ",\"") {
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return text
}

// appendFloat writes as few digits as bring v back exactly.
func appendFloat(dst []byte, v float64) []byte { return strconv.AppendFloat(dst, v, 'g', -1, 64) }

// printJSON prints one JSON object:
//
//	base    the query around which settings are varied
//	vary    what is varied: [{"key", "values"}]
//	seeds   how many runs there are of each combination of values
//	lanes   as in the query; where lanes are varied, all that there are
//	points  one per combination of values and lane: {"at", "lane", "n", and for each
//	        measure {"n", "mean", "sd"} or null where there is none; val and test only
//	        where test clients come}
//	runs    {"query", "at", "seed", "lanes": [what the CSV has in its columns]}
//	failed  {"query", "at", "seed", "error"}, where there are such
//
// "at" holds the values in the order of "vary".
func (t *table) printJSON(out io.Writer) error {
	measures, err := t.measures()
	if err != nil {
		return err
	}
	tested := slices.Contains(measures, "test")
	var lanes []string
	w := &jsonWriter{w: out}
	w.text(`{"base":`, t.plan.Query(), `,"vary":[`)
	for i, x := range t.plan.Axes {
		w.text(comma(i)+`{"key":`, x.Key, `,"values":`)
		w.raw(jsonValues(x.Values) + "}")
	}
	w.raw(`],"seeds":` + strconv.Itoa(t.plan.Seeds) + `,"lanes":[`)
	for point := range t.plan.Points() {
		c := t.plan.Lanes(point)
		for i := range c.Lanes() {
			if id := c.Lanes()[i].ID(); !slices.Contains(lanes, id) {
				w.text(comma(len(lanes)), id, "")
				lanes = append(lanes, id)
			}
		}
	}
	w.raw(`],"points":[`)
	n := 0
	for r, err := range t.rows() {
		if err != nil {
			return err
		}
		at := jsonValues(t.plan.Values(r.point))
		runs, _, _ := r.runs()
		for i := range r.config.Lanes() {
			w.text(comma(n)+`{"at":`+at+`,"lane":`, r.config.Lanes()[i].ID(), `,"n":`+strconv.Itoa(runs))
			n++
			for _, m := range plan.Measures {
				if (m == "val" || m == "test" || m == "ari_participants") && !slices.Contains(measures, m) {
					continue
				}
				w.raw(`,"` + m + `":`)
				s := r.stat(i, m)
				if s.N == 0 {
					w.raw("null")
					continue
				}
				w.raw(`{"n":` + strconv.Itoa(s.N) + `,"mean":` + string(appendFloat(nil, s.Mean)) + `,"sd":` +
					string(appendFloat(nil, s.SD)) + "}")
			}
			w.raw("}")
		}
	}
	w.raw(`],"runs":[`)
	n = 0
	failed := 0
	for r, err := range t.rows() {
		if err != nil {
			return err
		}
		at := jsonValues(t.plan.Values(r.point))
		for seed, record := range r.records {
			if record == nil {
				continue
			}
			if record.Error != "" {
				failed++
				continue
			}
			w.text(comma(n)+`{"query":`, record.Query, `,"at":`+at+`,"seed":`+strconv.Itoa(seed+1)+`,"lanes":[`)
			n++
			for i := range record.Lanes {
				w.lane(record, i, tested)
			}
			w.raw("]}")
		}
	}
	w.raw("]")
	if failed > 0 {
		if err := t.printFailed(w); err != nil {
			return err
		}
	}
	w.raw("}\n")
	return w.err
}

func (t *table) printFailed(w *jsonWriter) error {
	w.raw(`,"failed":[`)
	n := 0
	for r, err := range t.rows() {
		if err != nil {
			return err
		}
		for seed, record := range r.records {
			if record != nil && record.Error != "" {
				w.text(comma(n)+`{"query":`, record.Query,
					`,"at":`+jsonValues(t.plan.Values(r.point))+`,"seed":`+strconv.Itoa(seed+1))
				w.text(`,"error":`, record.Error, "}")
				n++
			}
		}
	}
	w.raw("]")
	return nil
}

// jsonWriter keeps the first error.
type jsonWriter struct {
	w   io.Writer
	err error
}

func (w *jsonWriter) raw(text string) {
	if w.err == nil {
		_, w.err = io.WriteString(w.w, text)
	}
}

// text writes a text in quotes between two raw ones.
func (w *jsonWriter) text(before, text, after string) { w.raw(before + jsonText(text) + after) }

// lane writes what the CSV has in the columns of a lane of a record.
func (w *jsonWriter) lane(r *plan.Record, n int, tested bool) {
	l := &r.Lanes[n]
	w.text(comma(n)+`{"lane":`, l.Lane, "")
	float := func(key string, v *float64) {
		if v != nil {
			w.raw(`,"` + key + `":` + string(appendFloat(nil, *v)))
		}
	}
	whole := func(key string, v *int) {
		if v != nil {
			w.raw(`,"` + key + `":` + strconv.Itoa(*v))
		}
	}
	float("ari", l.ARI)
	whole("misplaced", l.Misplaced)
	float("loss", l.Loss)
	float("accuracy", l.Accuracy)
	if tested {
		float("val", tests(r, l, l.Val))
		float("test", tests(r, l, l.Test))
	}
	float("ari_participants", l.ARIParticipants)
	whole("settled", l.Settled)
	whole("diverged", l.Diverged)
	w.text(`,"fingerprint":`, l.Fingerprint, "}")
}

// jsonValues writes values as a list: numbers as they are, words in quotes.
func jsonValues(values []string) string {
	out := make([]string, len(values))
	for i, v := range values {
		if out[i] = v; !json.Valid([]byte(v)) {
			out[i] = jsonText(v)
		}
	}
	return "[" + strings.Join(out, ",") + "]"
}

// jsonText returns a text in quotes, with & as it is.
func jsonText(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err) // a text has a form
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// comma returns what stands before the n-th of a list.
func comma(n int) string {
	if n > 0 {
		return ","
	}
	return ""
}
