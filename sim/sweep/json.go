package sweep

import "strconv"

// AppendJSON appends the whole table as one JSON object:
//
//	base    the query around which settings are varied
//	vary    what is varied: [{"key", "values"}]
//	seeds   how many runs there are of each value
//	lanes   as in the query
//	points  one a value, or pair of values, and lane: {"at", "lane", "n", and for
//	        each measure {"n", "mean", "sd"} or null where there is none; val and test
//	        only where test clients come}
//	runs    {"query", "at", "seed", "lanes": [what the CSV has in its columns]}
//
// "at" holds the values in the order of "vary".
func (t *Table) AppendJSON(dst []byte) []byte {
	lanes := t.Plan.Lanes()
	dst = appendText(append(dst, `{"base":`...), t.Plan.Base.String())
	dst = append(dst, `,"vary":[`...)
	for i, x := range t.Plan.Axes {
		dst = appendText(append(comma(dst, i), `{"key":`...), x.Key)
		dst = append(dst, `,"values":[`...)
		for j, value := range x.Values {
			dst = append(comma(dst, j), value...)
		}
		dst = append(dst, "]}"...)
	}
	dst = strconv.AppendInt(append(dst, `],"seeds":`...), int64(t.Plan.Seeds), 10)
	dst = append(dst, `,"lanes":[`...)
	for i, id := range lanes {
		dst = appendText(comma(dst, i), id)
	}
	dst = append(dst, `],"points":[`...)
	n := 0
	for c := range t.Plan.Cells() {
		for i := range lanes {
			dst = t.appendPoint(comma(dst, n), c, i, lanes[i])
			n++
		}
	}
	dst = append(dst, `],"runs":[`...)
	n = 0
	for c := range t.Plan.Cells() {
		for s := range t.Plan.Seeds {
			if t.runs[t.Plan.Job(c, s)] != nil {
				dst = t.appendRun(comma(dst, n), c, s, lanes)
				n++
			}
		}
	}
	return append(dst, "]}\n"...)
}

func (t *Table) appendPoint(dst []byte, cell, lane int, id string) []byte {
	dst = t.appendAt(append(dst, '{'), cell)
	dst = appendText(append(dst, `,"lane":`...), id)
	dst = strconv.AppendInt(append(dst, `,"n":`...), int64(t.Runs(cell)), 10)
	for m := range Measures {
		if m := Measure(m); (m == Val || m == Test) && !t.Has(m) {
			continue
		}
		dst = append(append(append(dst, `,"`...), Measure(m).String()...), `":`...)
		s := t.Stat(cell, lane, Measure(m))
		if s.N == 0 {
			dst = append(dst, "null"...)
			continue
		}
		dst = strconv.AppendInt(append(dst, `{"n":`...), int64(s.N), 10)
		dst = appendFloat(append(dst, `,"mean":`...), s.Mean)
		dst = append(appendFloat(append(dst, `,"sd":`...), s.SD), '}')
	}
	return append(dst, '}')
}

func (t *Table) appendRun(dst []byte, cell, seed int, lanes []string) []byte {
	job := t.Plan.Job(cell, seed)
	dst = appendText(append(dst, `{"query":`...), t.Plan.Config(job).String())
	dst = t.appendAt(append(dst, ','), cell)
	dst = strconv.AppendInt(append(dst, `,"seed":`...), int64(seed+1), 10)
	dst = append(dst, `,"lanes":[`...)
	r := t.runs[job]
	for i := range r.Lanes {
		o := &r.Lanes[i]
		dst = appendText(append(comma(dst, i), `{"lane":`...), lanes[i])
		if _, judged := t.of(ARI, r, i); judged {
			dst = appendFloat(append(dst, `,"ari":`...), o.ARI)
			dst = strconv.AppendInt(append(dst, `,"misplaced":`...), int64(o.Misplaced), 10)
		}
		dst = appendFloat(append(dst, `,"loss":`...), o.Loss)
		if r.Graded {
			dst = appendFloat(append(dst, `,"accuracy":`...), o.Accuracy)
		}
		if r.guests() {
			dst = appendFloat(append(dst, `,"val":`...), o.Val)
			dst = appendFloat(append(dst, `,"test":`...), o.Test)
		}
		if _, settled := t.of(Settled, r, i); settled {
			dst = strconv.AppendInt(append(dst, `,"settled":`...), int64(o.Settled), 10)
		}
		if o.Diverged >= 0 {
			dst = strconv.AppendInt(append(dst, `,"diverged":`...), int64(o.Diverged), 10)
		}
		dst = appendFingerprint(append(dst, `,"fingerprint":"`...), o.Fingerprint)
		dst = append(dst, `"}`...)
	}
	return append(dst, "]}"...)
}

// appendAt appends the values of a cell.
func (t *Table) appendAt(dst []byte, cell int) []byte {
	dst = append(dst, `"at":[`...)
	for i, pair := range t.Plan.Settings(cell) {
		dst = append(comma(dst, i), pair[1]...)
	}
	return append(dst, ']')
}

// comma appends what stands before the n-th of a list.
func comma(dst []byte, n int) []byte {
	if n > 0 {
		return append(dst, ',')
	}
	return dst
}

// appendText appends a text in quotes. Queries and names hold nothing that JSON
// would write otherwise but these two.
func appendText(dst []byte, text string) []byte {
	dst = append(dst, '"')
	for i := range len(text) {
		if c := text[i]; c == '"' || c == '\\' {
			dst = append(dst, '\\')
		}
		dst = append(dst, text[i])
	}
	return append(dst, '"')
}
