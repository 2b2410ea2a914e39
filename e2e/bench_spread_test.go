package e2e

import (
	"fmt"
	"slices"
	"time"
)

// A spread of measurements, for people to read.
type spread []float64

func (s spread) at(part float64) float64 {
	sorted := slices.Sorted(slices.Values(s))
	return sorted[min(int(part*float64(len(sorted))), len(sorted)-1)]
}

func (s spread) median() float64 { return s.at(0.5) }

func (s spread) mean() float64 {
	sum := 0.0
	for _, v := range s {
		sum += v
	}
	return sum / float64(max(len(s), 1))
}

// over returns the ratios to another spread, turn by turn: what disturbed the
// machine in one turn disturbed both.
func (s spread) over(other spread) spread {
	var out spread
	for i := range min(len(s), len(other)) {
		out = append(out, s[i]/other[i])
	}
	return out
}

// number prints a value with three digits that say something.
func number(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	default:
		return fmt.Sprintf("%.2f", v)
	}
}

// times prints a ratio's median and the middle half of its turns.
func (s spread) times() string {
	if len(s) == 0 {
		return ""
	}
	return fmt.Sprintf("%s (%s to %s)", number(s.median()), number(s.at(0.25)), number(s.at(0.75)))
}

// A contestant is one of several whose turns alternate.
type contestant struct {
	turn func() float64 // measures once
	took spread
}

// compete gives everybody a turn that does not count, and then so many that do.
// Whoever needs seconds has only the first of these.
func compete(turns int, all []*contestant) {
	slow := map[*contestant]bool{}
	for i := range turns + 1 {
		for _, c := range all {
			if i > 1 && slow[c] {
				continue
			}
			begin := time.Now()
			v := c.turn()
			slow[c] = time.Since(begin) > 2*time.Second
			if i > 0 {
				c.took = append(c.took, v)
			}
		}
	}
}
