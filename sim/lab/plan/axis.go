package plan

import (
	"errors"
	"slices"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/lab/sweep"
	"flockscope/sim/param"
	"flockscope/sim/say"
)

// Axis is one setting and the values that it takes, as canonical texts. A value may
// bring further settings with it: "ifca:k5&ifca:k5.K=5" of the axis algos is a lane
// with a setting of its own.
type Axis struct {
	Key    string // key in a query: "dphi", "data", "algos", "ifca.K"
	Values []string
}

// ParseAxes reads settings and their values:
//
//	dphi=5,10,20               these
//	dphi=5:40:5                from 5 to 40 in steps of 5
//	dphi=40:5:-5               downwards
//	b=5:640:*2                 from 5 to 640, each twice the one before
//	lr=1:0.001:*0.1            downwards, each a tenth of the one before
//	algos=cflgp,ifca,clove     one lane per run
//	algos=cflgp,ifca;clove     two lanes together, then one: with a semicolon, commas
//	                           belong to the values
//	algos=ifca;ifca:k5&ifca:k5.K=5
//	                           a value may bring further settings
//
// They are read together because one may be a setting of lanes that another brings.
func ParseAxes(base experiment.Config, texts []string) ([]Axis, error) {
	var axes []Axis
	for _, text := range texts {
		key, list, ok := strings.Cut(text, "=")
		if !ok {
			return nil, say.Errorf("got %s, want a setting and its values, such as dphi=5:40:5", param.Quote(text))
		}
		axes = append(axes, Axis{Key: key, Values: split(list)})
	}
	contexts := wordCombinations(base, axes)
	for i := range axes {
		_, list, _ := strings.Cut(texts[i], "=")
		if err := axes[i].read(contexts, list); err != nil {
			return nil, err
		}
	}
	return axes, nil
}

// split splits a list of values.
func split(list string) []string {
	switch {
	case strings.Contains(list, ";"):
		return slices.DeleteFunc(strings.Split(list, ";"), func(s string) bool { return strings.TrimSpace(s) == "" })
	case strings.Contains(list, "&"):
		return []string{list}
	}
	return strings.Split(list, ",")
}

// String returns the text that ParseAxes reads.
func (x Axis) String() string {
	if slices.ContainsFunc(x.Values, func(v string) bool { return strings.ContainsAny(v, ",&") }) {
		return x.Key + "=" + strings.Join(x.Values, ";") + ";"
	}
	return x.Key + "=" + strings.Join(x.Values, ",")
}

// The keys that are not fields.
const (
	keyData  = "data"
	keyLanes = "algos"
)

// read converts the values to canonical texts.
func (x *Axis) read(contexts []experiment.Config, list string) error {
	f := x.field(contexts)
	if f == nil && x.Key != keyData && x.Key != keyLanes {
		return say.Errorf("there is no setting %s", param.Plain(x.Key))
	}
	parts := split(list)
	if f != nil && (f.Kind == param.Int || f.Kind == param.Float) && !strings.ContainsAny(list, ";&") {
		if from, rest, ok := strings.Cut(list, ":"); ok {
			var err error
			if parts, err = sweep.Steps(x.Key, list, from, rest, MostValues); err != nil {
				return err
			}
		}
	}
	x.Values = nil
	seen := map[string]bool{}
	for _, part := range parts {
		value, more, extra := strings.Cut(strings.TrimSpace(part), "&")
		value, err := x.canonical(f, contexts[0], value)
		if err != nil {
			return err
		}
		if extra {
			value += "&" + more
			if err := x.readable(contexts, value); err != nil {
				return err
			}
		}
		if !seen[value] {
			seen[value] = true
			x.Values = append(x.Values, value)
		}
	}
	if len(x.Values) == 0 {
		return say.Errorf("%s has no values", x.Key)
	}
	return nil
}

// canonical returns the canonical text of a value without further settings.
func (x *Axis) canonical(f *param.Field, base experiment.Config, value string) (string, error) {
	if f != nil {
		return f.Canonical(value)
	}
	value = strings.ToLower(strings.Join(strings.Fields(value), ""))
	var wrong *param.Error
	if _, err := base.With(x.Key, value); errors.As(err, &wrong) && wrong.Field == x.Key {
		return "", err
	}
	return value, nil
}

// readable returns an error if the additional settings of a value are not valid with any values of the other axes.
func (x *Axis) readable(contexts []experiment.Config, value string) (first error) {
	for _, c := range contexts {
		_, err := c.WithAll(x.pairs(value))
		if err == nil {
			return nil
		}
		if first == nil {
			first = err
		}
	}
	return first
}

// pairs returns the settings of a value.
func (x *Axis) pairs(value string) [][2]string {
	value, more, extra := strings.Cut(value, "&")
	out := [][2]string{{x.Key, value}}
	if extra {
		for piece := range strings.SplitSeq(more, "&") {
			key, text, _ := strings.Cut(piece, "=")
			out = append(out, [2]string{key, text})
		}
	}
	return out
}

// field returns the field behind the axis's key in any of some experiments, nil for none.
func (x *Axis) field(contexts []experiment.Config) *param.Field {
	for _, c := range contexts {
		if f, ok := c.Field(x.Key); ok {
			return f
		}
	}
	return nil
}

// matters returns an error if no experiment reads the setting.
func (x *Axis) matters(contexts []experiment.Config) error {
	if x.Key == keyData || x.Key == keyLanes {
		return nil
	}
	f := x.field(contexts)
	if f == nil {
		return say.Errorf("there is no setting %s", param.Plain(x.Key))
	}
	if !slices.ContainsFunc(contexts, func(c experiment.Config) bool { return c.Reads(f.Name) }) {
		base := contexts[0]
		return say.Errorf("%s has no effect with these methods and %s", x.Key, "data="+base.Workload())
	}
	return nil
}

// wordCombinations returns the base with the combinations of those values that are words: which settings exist and are read
// depends on the data, lanes and choices, and not on numbers. It returns at most maxContexts of them.
func wordCombinations(base experiment.Config, axes []Axis) []experiment.Config {
	out := []experiment.Config{base}
	for _, key := range []string{keyData, keyLanes, ""} { // some lanes only work with some data
		for _, x := range axes {
			if isKey := x.Key == keyData || x.Key == keyLanes; isKey && x.Key != key ||
				!isKey && (key != "" || !x.words(base)) {
				continue
			}
			for _, c := range out {
				for _, value := range x.Values {
					if next, err := c.WithAll(x.pairs(strings.TrimSpace(value))); err == nil &&
						len(out) < maxContexts {
						out = append(out, next)
					}
				}
			}
		}
	}
	return out
}

const maxContexts = 1000

// words reports whether the values of an axis may change which settings exist or are read.
func (x *Axis) words(base experiment.Config) bool {
	if x.Key == keyData || x.Key == keyLanes || slices.ContainsFunc(x.Values, func(v string) bool {
		return strings.Contains(v, "&")
	}) {
		return true
	}
	f, ok := base.Field(x.Key)
	return ok && (f.Kind == param.Choice || f.Kind == param.Switch)
}
