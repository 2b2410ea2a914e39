//go:build !js

package results

import (
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/lab/plan"
)

// WriteLines writes one record per line as JSON. With timing, it includes the time of each cell and the build of the
// program.
func (t *Table) WriteLines(w io.Writer, timing bool) error {
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

// WriteCSV writes one row per run and lane, after a row of names:
//
//	the settings that are varied, a column each
//	seed         the run's place among the seeds, from 1
//	lane         as in the query
//	ari          adjusted Rand index in the end, of all clients that have replied so far; empty
//	             where the groups are unknown, and where a lane makes no clusters
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
func (t *Table) WriteCSV(w io.Writer) error {
	measures, err := t.measures()
	if err != nil {
		return err
	}
	columns := []string{"ari", "misplaced", "loss", "accuracy", "settled", "diverged", "fingerprint", "query"}
	if slices.Contains(measures, "test") {
		columns = append(columns, "val", "test")
	}
	if slices.Contains(measures, "ari_participants") {
		columns = append(columns, "ari_participants")
	}
	var head []string
	for _, x := range t.Plan.Axes {
		head = append(head, x.Key)
	}
	head = append(append(head, "seed", "lane"), columns...)
	if _, err := io.WriteString(w, strings.Join(head, ",")+"\n"); err != nil {
		return err
	}
	var line []byte
	for r, err := range t.rows() {
		if err != nil {
			return err
		}
		values := t.Plan.Values(r.point)
		for seed, record := range r.records {
			if record == nil {
				continue
			}
			for i := range record.Lanes {
				line = line[:0]
				for _, v := range values {
					line = append(append(line, quoted(v)...), ',')
				}
				line = strconv.AppendInt(line, int64(seed+1), 10)
				line = append(append(line, ','), record.Lanes[i].Lane...)
				for _, column := range columns {
					line = appendScore(append(line, ','), record, i, column)
				}
				if _, err := w.Write(append(line, '\n')); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// appendScore appends a column of a lane, empty if the lane has no such score.
func appendScore(dst []byte, r *plan.Record, lane int, column string) []byte {
	l := &r.Lanes[lane]
	switch column {
	case "ari":
		return appendFloatIf(dst, l.ARI)
	case "ari_participants":
		return appendFloatIf(dst, l.ARIParticipants)
	case "loss":
		return appendFloatIf(dst, l.Loss)
	case "accuracy":
		return appendFloatIf(dst, l.Accuracy)
	case "val":
		return appendFloatIf(dst, tests(r, l, l.Val))
	case "test":
		return appendFloatIf(dst, tests(r, l, l.Test))
	case "misplaced":
		return appendIntIf(dst, l.Misplaced)
	case "settled":
		return appendIntIf(dst, l.Settled)
	case "diverged":
		return appendIntIf(dst, l.Diverged)
	case "fingerprint":
		return append(dst, l.Fingerprint...)
	case "query":
		return append(append(append(dst, '"'), strings.ReplaceAll(r.Query, `"`, `""`)...), '"')
	}
	panic("results: no column " + column)
}

func appendFloatIf(dst []byte, v *float64) []byte {
	if v == nil {
		return dst
	}
	return appendFloat(dst, *v)
}

func appendIntIf(dst []byte, v *int) []byte {
	if v == nil {
		return dst
	}
	return strconv.AppendInt(dst, int64(*v), 10)
}

// tests returns v, which is Val or Test of a lane. It returns 0 if the record omits it although the run has test
// clients and the lane was evaluated.
func tests(r *plan.Record, l *plan.Lane, v *float64) *float64 {
	came := slices.ContainsFunc(r.Lanes, func(l plan.Lane) bool { return l.Val != nil || l.Test != nil })
	if v == nil && came && l.Accuracy != nil {
		return new(float64)
	}
	return v
}

// quoted returns a value as a column of CSV.
func quoted(text string) string {
	if strings.ContainsAny(text, ",\"") {
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return text
}

// appendFloat appends the shortest text that parses as v.
func appendFloat(dst []byte, v float64) []byte { return strconv.AppendFloat(dst, v, 'g', -1, 64) }

// WriteJSON writes one JSON object:
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
func (t *Table) WriteJSON(out io.Writer) error {
	measures, err := t.measures()
	if err != nil {
		return err
	}
	w := &jsonWriter{w: out}
	w.text(`{"base":`, t.Plan.Query(), `,"vary":[`)
	for i, x := range t.Plan.Axes {
		w.text(separator(i)+`{"key":`, x.Key, `,"values":`)
		w.raw(jsonValues(x.Values) + "}")
	}
	w.raw(`],"seeds":` + strconv.Itoa(t.Plan.Seeds) + `,"lanes":[`)
	var lanes []string
	for point := range t.Plan.Points() {
		c := t.Plan.Lanes(point)
		for i := range c.Lanes() {
			if id := c.Lanes()[i].ID(); !slices.Contains(lanes, id) {
				w.text(separator(len(lanes)), id, "")
				lanes = append(lanes, id)
			}
		}
	}
	if err := t.points(w, measures); err != nil {
		return err
	}
	failed, err := t.runs(w, slices.Contains(measures, "test"))
	if err != nil {
		return err
	}
	if failed > 0 {
		if err := t.failures(w); err != nil {
			return err
		}
	}
	w.raw("}\n")
	return w.err
}

// points writes the means of each combination of values and lane.
func (t *Table) points(w *jsonWriter, measures []string) error {
	w.raw(`],"points":[`)
	n := 0
	for r, err := range t.rows() {
		if err != nil {
			return err
		}
		at := jsonValues(t.Plan.Values(r.point))
		runs, _, _ := r.runs()
		for i := range r.config.Lanes() {
			w.text(separator(n)+`{"at":`+at+`,"lane":`, r.config.Lanes()[i].ID(), `,"n":`+strconv.Itoa(runs))
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
	return nil
}

// runs writes every run that succeeded, and returns how many failed. tested reports whether any run has test clients.
func (t *Table) runs(w *jsonWriter, tested bool) (failed int, err error) {
	columns := []string{"ari", "misplaced", "loss", "accuracy"}
	if tested {
		columns = append(columns, "val", "test")
	}
	columns = append(columns, "ari_participants", "settled", "diverged")
	w.raw(`],"runs":[`)
	n := 0
	for r, err := range t.rows() {
		if err != nil {
			return failed, err
		}
		for seed, record := range r.records {
			if record == nil {
				continue
			}
			if record.Error != "" {
				failed++
				continue
			}
			t.run(w, n, r, seed)
			w.raw(`,"lanes":[`)
			n++
			for i := range record.Lanes {
				w.text(separator(i)+`{"lane":`, record.Lanes[i].Lane, "")
				for _, column := range columns {
					if text := appendScore(nil, record, i, column); len(text) > 0 {
						w.raw(`,"` + column + `":` + string(text))
					}
				}
				w.text(`,"fingerprint":`, record.Lanes[i].Fingerprint, "}")
			}
			w.raw("]}")
		}
	}
	w.raw("]")
	return failed, nil
}

// run writes the beginning of the n-th run in a list.
func (t *Table) run(w *jsonWriter, n int, r *row, seed int) {
	w.text(separator(n)+`{"query":`, r.records[seed].Query,
		`,"at":`+jsonValues(t.Plan.Values(r.point))+`,"seed":`+strconv.Itoa(seed+1))
}

// failures writes every run that failed.
func (t *Table) failures(w *jsonWriter) error {
	w.raw(`,"failed":[`)
	n := 0
	for r, err := range t.rows() {
		if err != nil {
			return err
		}
		for seed, record := range r.records {
			if record != nil && record.Error != "" {
				t.run(w, n, r, seed)
				w.text(`,"error":`, record.Error, "}")
				n++
			}
		}
	}
	w.raw("]")
	return nil
}

// jsonWriter writes parts of JSON and keeps the first error.
type jsonWriter struct {
	w   io.Writer
	err error
}

func (w *jsonWriter) raw(text string) {
	if w.err == nil {
		_, w.err = io.WriteString(w.w, text)
	}
}

// text writes a quoted text between two raw ones.
func (w *jsonWriter) text(before, text, after string) { w.raw(before + Quote(text) + after) }

// jsonValues returns values as a JSON list: numbers unchanged, words quoted.
func jsonValues(values []string) string {
	out := make([]string, len(values))
	for i, v := range values {
		if out[i] = v; !json.Valid([]byte(v)) {
			out[i] = Quote(v)
		}
	}
	return "[" + strings.Join(out, ",") + "]"
}

// Quote returns a text as a JSON string, with & unescaped.
func Quote(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err) // every text can be encoded
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// separator returns the separator before the n-th item of a list.
func separator(n int) string {
	if n > 0 {
		return ","
	}
	return ""
}
