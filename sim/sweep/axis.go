package sweep

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/param"
	"flockscope/sim/say"
)

// ParseAxis reads a setting and its values:
//
//	dphi=5,10,20     these
//	dphi=5:40:5      from 5 to 40 in steps of 5
//	b=5:640:*2       from 5 to 640, each twice the one before
//
// The end belongs to the values when a step meets it.
func ParseAxis(base experiment.Config, text string) (Axis, error) {
	key, list, ok := strings.Cut(text, "=")
	f, known := base.Field(key)
	switch {
	case !ok:
		return Axis{}, say.Errorf("got %s, want a setting and its values, such as dphi=5:40:5", param.Quote(text))
	case !known:
		return Axis{}, say.Errorf("there is no setting %s", param.Plain(key))
	}
	x := Axis{Key: key}
	parts := strings.Split(list, ",")
	if from, rest, ok := strings.Cut(list, ":"); ok {
		var err error
		if parts, err = Steps(from, rest, MostValues); errors.Is(err, ErrTooMany) {
			return Axis{}, say.Errorf("%s: %s are more than %d values; take a larger step", key, param.Quote(list),
				MostValues)
		} else if err != nil {
			return Axis{}, say.Errorf("%s: got %s, want from:to:step, or from:to:*factor", key, param.Quote(list))
		}
	}
	for _, part := range parts {
		canonical, err := f.Canonical(part)
		if err != nil {
			return Axis{}, err
		}
		if len(x.Values) == 0 || x.Values[len(x.Values)-1] != canonical {
			x.Values = append(x.Values, canonical)
		}
	}
	return x, nil
}

// ErrTooMany says that steps are too small for the way.
var ErrTooMany = errors.New("too many values")

// Steps returns the numbers from a first one to a last one, as ParseAxis reads them:
// rest is "to:step" or "to:*factor". It returns [ErrTooMany] for more than most.
func Steps(from, rest string, most int) ([]string, error) {
	to, step, ok := strings.Cut(rest, ":")
	if !ok {
		return nil, strconv.ErrSyntax
	}
	factor := false
	if step, factor = strings.CutPrefix(step, "*"); factor && strings.Contains(step, "-") {
		return nil, strconv.ErrSyntax
	}
	var v [3]float64
	for i, part := range [3]string{from, to, step} {
		var err error
		if v[i], err = strconv.ParseFloat(part, 64); err != nil || math.IsNaN(v[i]) || math.IsInf(v[i], 0) {
			return nil, strconv.ErrSyntax
		}
	}
	first, last, by := v[0], v[1], v[2]
	if last < first || (factor && (by <= 1 || first <= 0)) || (!factor && by <= 0) {
		return nil, strconv.ErrRange
	}
	var out []string
	for i, value := 0, first; value <= float64(last*(1+1e-12))+1e-12; i++ {
		if len(out) == most {
			return nil, ErrTooMany
		}
		out = append(out, param.FormatFloat(Round(value)))
		if factor {
			value *= by
		} else {
			value = first + float64(float64(i+1)*by)
		}
	}
	return out, nil
}

// Round takes the dust off a number that was added or multiplied up: twelve
// digits of it are kept.
func Round(v float64) float64 {
	out, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
	if err != nil {
		return v
	}
	return out
}
