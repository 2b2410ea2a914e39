package arena

import (
	"cmp"
	"compress/gzip"
	"io"
	"slices"

	"flockscope/sim/lab/plan"
)

// WriteRecords writes records as JSON Lines, compressed by gzip: one of each cell, ordered by query, without times and
// builds, so that the same runs give the same bytes.
func WriteRecords(w io.Writer, records []plan.Record) error {
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
		plain := sorted[i].Plain()
		if line, err = plain.AppendJSON(line[:0]); err != nil {
			return err
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return out.Close()
}
