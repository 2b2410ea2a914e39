package sweep

import (
	"math"
	"strconv"
	"strings"

	"flockscope/sim/param"
	"flockscope/sim/say"
)

// Steps returns the values of a key in a range: from is the first value, and rest is "to:step" or "to:*factor". The end
// is included if a step reaches it. More than most values are an error.
func Steps(key, list, from, rest string, most int) ([]string, error) {
	to, step, _ := strings.Cut(rest, ":")
	step, factor := strings.CutPrefix(step, "*")
	wrong := false
	var v [3]float64
	for i, part := range [3]string{from, to, step} {
		var err error
		v[i], err = strconv.ParseFloat(part, 64)
		wrong = wrong || err != nil || math.IsNaN(v[i]) || math.IsInf(v[i], 0)
	}
	first, last, by := v[0], v[1], v[2]
	up := by > 0
	slack := float64(1e-12 * max(math.Abs(first), math.Abs(last))) // tolerance for reaching the end
	if factor {
		up = by > 1
		slack = float64(1e-12 * last)
		wrong = wrong || by <= 0 || by == 1 || first <= 0 || last <= 0
	}
	if wrong || by == 0 || last > first && !up || last < first && up {
		return nil, say.Errorf("%s: got %s, want from:to:step, or from:to:*factor; downwards the step is below 0, "+
			"or the factor below 1", key, param.Quote(list))
	}
	var out []string
	for i, value := 0, first; up && value <= last+slack || !up && value >= last-slack; i++ {
		if len(out) == most {
			return nil, say.Errorf("%s: %s are more than %d values; choose a larger step", key, param.Quote(list),
				most)
		}
		out = append(out, param.FormatFloat(Round(value)))
		if factor {
			value *= by
		} else {
			value = first + float64(float64(i+1)*by)
			if math.Abs(value) <= slack { // 0.3 − 3·0.1 is 0
				value = 0
			}
		}
	}
	return out, nil
}

// Round removes the rounding errors of a repeatedly added or multiplied number: it keeps twelve digits.
func Round(v float64) float64 {
	out, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
	if err != nil {
		return v
	}
	return out
}
