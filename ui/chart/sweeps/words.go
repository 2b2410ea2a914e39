package sweeps

import (
	"strconv"

	"flockscope/sim/lab/sweep"
)

// table lists a sweep: a row for each value, or pair of values, with the number of runs, and
// means and standard deviations of all lanes.
func table(t *sweep.Table, m sweep.Measure, titles []string) (head []string, rows [][]string) {
	if t == nil {
		return []string{"value"}, nil
	}
	for _, x := range t.Plan.Axes {
		head = append(head, x.Key)
	}
	head = append(head, "runs")
	for _, title := range titles {
		head = append(head, title, "± s.d.")
	}
	for c := range t.Plan.Cells() {
		var row []string
		for _, pair := range t.Plan.Settings(c) {
			row = append(row, pair[1])
		}
		row = append(row, strconv.Itoa(t.Runs(c)))
		for lane := range titles {
			s := t.Stat(c, lane, m)
			mean, sd := "–", "–"
			if s.N > 0 {
				mean = string(AppendMeasure(nil, m, s.Mean))
			}
			if s.N > 1 {
				sd = string(AppendMeasure(nil, m, s.SD))
			}
			row = append(row, mean, sd)
		}
		rows = append(rows, row)
	}
	return head, rows
}
