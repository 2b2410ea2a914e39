package results

import (
	"bytes"
	"errors"
	"fmt"

	"flockscope/sim/lab/plan"
	"flockscope/sim/say"
	"flockscope/sim/textfile"
)

// ReadRecords reads the records of a file that is in memory and is not compressed: JSON Lines, or a file of results. What
// is damaged in it, or rejected by the check, is left out, and note says so; a file without any whole record is an error.
func ReadRecords(name string, data []byte, check Check) (records []plan.Record, note string, err error) {
	damaged := 0
	var first error
	if !plan.IsRecords(textfile.Head(data[:min(len(data), 4096)])) {
		r, err := Read(name, data, check)
		if errors.Is(err, ErrForeign) {
			return nil, "", fmt.Errorf("%s is no file of results; choose JSON Lines, such as arena-records.jsonl.gz or "+
				"those of flock results -jsonl, or a file of flock sweep -o (.flock)", name)
		}
		if err != nil {
			return nil, "", err
		}
		for record, err := range r.All() {
			if err != nil {
				return nil, "", err
			}
			records = append(records, record)
		}
		if d := r.Damage(); d != nil {
			note, damaged, first = d.Error()+".", 1, d
		}
	} else {
		n := 0
		for line := range textfile.Lines(data) {
			if n++; len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			record, err := plan.ParseRecord(line)
			if err == nil {
				err = check(&record)
			}
			if err == nil {
				records = append(records, record)
				continue
			}
			if damaged++; damaged == 1 {
				first = fmt.Errorf("line %d of %s: %w", n, name, err)
			}
		}
		if damaged > 0 {
			note = fmt.Sprintf("%s of %s cannot be read and %s left out, the first: %v.", say.Amount(damaged, "line"), name,
				say.Either(damaged, "is", "are"), first)
		}
	}
	if len(records) == 0 && first != nil {
		return nil, "", fmt.Errorf("%s has no whole record: %w", name, first)
	}
	if len(records) == 0 {
		return nil, "", fmt.Errorf("%s has no records yet; flock sweep continues it", name)
	}
	return records, note, nil
}
