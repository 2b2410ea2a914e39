package results

import (
	"cmp"
	"compress/gzip"
	"io"
	"slices"

	"flockscope/sim/lab/plan"
)

// WriteRecords writes records as JSON Lines, compressed by gzip: one of each cell, ordered by query. Without timing, the
// times and the builds of the program are left out, so that the same runs give the same bytes.
func WriteRecords(w io.Writer, records []plan.Record, timing bool) error {
	out, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	sorted := slices.Clone(records)
	slices.SortStableFunc(sorted, func(a, b plan.Record) int {
		return cmp.Or(cmp.Compare(a.Query, b.Query), cmp.Compare(a.Data, b.Data), cmp.Compare(a.Cell, b.Cell))
	})
	var line []byte
	last := ""
	for i := range sorted {
		if sorted[i].Cell == last {
			continue
		}
		last = sorted[i].Cell
		record := sorted[i]
		if !timing {
			record = record.Plain()
		}
		if line, err = record.AppendJSON(line[:0]); err != nil {
			return err
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return out.Close()
}
