package ingest

import (
	"math"
	"slices"
)

// offset returns the number to subtract from numbers between low and high so that float32 can hold their differences: 0
// if it can hold the numbers themselves, to 1/16 000 of their range.
func offset(low, high float64, whole bool) float64 {
	span, most := high-low, max(-low, high)
	if span == 0 || 1000*span > most || whole && most <= 1<<24 {
		return 0
	}
	return low + float64(span/2)
}

// extent is the range of a column.
type extent struct {
	low, high float64
	rounded   bool // float32 cannot represent one of the numbers exactly
}

func (e *extent) note(v float64) {
	e.low, e.high = min(e.low, v), max(e.high, v)
	e.rounded = e.rounded || float64(float32(v)) != v
}

// offsets returns the offset of each column, nil if all are 0.
func offsets(columns []extent) (from []float64) {
	for j, e := range columns {
		if by := offset(e.low, e.high, false); by != 0 && e.rounded {
			if from == nil {
				from = make([]float64, len(columns))
			}
			from[j] = by
		}
	}
	return from
}

// keepDifferences replaces columns of x that lie far from 0 and close together by differences from
// an offset, and returns the offsets: nil if all are 0. each visits the exact numbers in the order
// of x.
func keepDifferences(x []float32, size int, each func(visit func(a *array, i, at int) error) error) (from []float64) {
	columns := slices.Repeat([]extent{{low: math.Inf(1), high: math.Inf(-1)}}, size)
	each(func(a *array, i, at int) error {
		columns[i%size].note(a.number(at))
		return nil
	})
	if from = offsets(columns); from == nil {
		return nil
	}
	k := 0
	each(func(a *array, i, at int) error {
		if by := from[i%size]; by != 0 {
			x[k] = float32(a.number(at) - by)
		}
		k++
		return nil
	})
	return from
}
