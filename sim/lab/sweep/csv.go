package sweep

import (
	"math"
	"strconv"
	"strings"
)

// AppendCSV appends one row per run and lane, after a row of names:
//
//	the settings that are varied, one column or two
//	seed         the run's place among the seeds, from 1
//	lane         as in the query
//	ari          adjusted Rand index in the end; empty where the groups are unknown,
//	             and where a lane makes no clusters
//	misplaced    clients in the wrong place in the end; empty likewise
//	loss         mean over clients in the end; empty where models were not evaluated then
//	accuracy     share of right answers, 0 to 1; empty likewise, and where models give none
//	settled      first round from which the clustering stays right; empty if none
//	diverged     round in which the lane diverged, whose numbers are those of the
//	             round before; empty if it did not
//	fingerprint  sixteen digits: the same wherever the run is played
//	query        the run itself: what stands behind the "?" of its link
//	val, test    HCFL's, only where some run has test clients; empty where this one has none, and
//	             where models were not evaluated
func (t *Table) AppendCSV(dst []byte) []byte {
	for _, x := range t.Plan.Axes {
		dst = append(append(dst, x.Key...), ',')
	}
	dst = append(dst, "seed,lane,ari,misplaced,loss,accuracy,settled,diverged,fingerprint,query"...)
	tested := t.Has(Test)
	if tested {
		dst = append(dst, ",val,test"...)
	}
	dst = append(dst, '\n')
	lanes := t.Plan.Lanes()
	for c := range t.Plan.Cells() {
		for s := range t.Plan.Seeds {
			job := t.Plan.Job(c, s)
			r := t.runs[job]
			if r == nil {
				continue
			}
			query := t.Plan.Config(job).String()
			for i := range r.Lanes {
				for _, pair := range t.Plan.Settings(c) {
					dst = append(append(dst, pair[1]...), ',')
				}
				dst = strconv.AppendInt(dst, int64(s+1), 10)
				dst = append(append(dst, ','), lanes[i]...)
				dst = t.appendOutcome(dst, r, i)
				dst = append(append(append(dst, ',', '"'), strings.ReplaceAll(query, `"`, `""`)...), '"')
				if tested {
					has := r.hasTestClients() && r.evaluated(i)
					dst = appendFloatIf(dst, r.Lanes[i].Val, has)
					dst = appendFloatIf(dst, r.Lanes[i].Test, has)
				}
				dst = append(dst, '\n')
			}
		}
	}
	return dst
}

func (t *Table) appendOutcome(dst []byte, r *Run, lane int) []byte {
	o := &r.Lanes[lane]
	_, judged := t.of(ARI, r, lane)
	_, settled := t.of(Settled, r, lane)
	whole := func(v int, there bool) {
		if dst = append(dst, ','); there {
			dst = strconv.AppendInt(dst, int64(v), 10)
		}
	}
	dst = appendFloatIf(dst, o.ARI, judged)
	whole(o.Misplaced, judged)
	dst = appendFloatIf(dst, o.Loss, !math.IsNaN(o.Loss))
	dst = appendFloatIf(dst, o.Accuracy, r.evaluated(lane))
	whole(o.Settled, settled)
	whole(o.Diverged, o.Diverged >= 0)
	return appendFingerprint(append(dst, ','), o.Fingerprint)
}

// evaluated reports whether the models of a lane were evaluated after its last round.
func (r *Run) evaluated(lane int) bool { return r.Classifies && !math.IsNaN(r.Lanes[lane].Loss) }

// appendFloatIf appends a column with a number, or an empty column.
func appendFloatIf(dst []byte, v float64, there bool) []byte {
	if dst = append(dst, ','); there {
		dst = appendFloat(dst, v)
	}
	return dst
}

// appendFloat appends the fewest digits that parse as v.
func appendFloat(dst []byte, v float64) []byte { return strconv.AppendFloat(dst, v, 'g', -1, 64) }

func appendFingerprint(dst []byte, v uint64) []byte {
	digits := strconv.FormatUint(v, 16)
	return append(append(dst, "0000000000000000"[len(digits):]...), digits...)
}
