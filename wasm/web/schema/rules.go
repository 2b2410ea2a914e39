package main

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/param"
	"flockscope/sim/say"
)

// prober finds the settings that a run with the data of one workload refuses.
type prober struct {
	data  string
	rules bytes.Buffer // rules as Go source
}

// fewSamples keeps the data of a probe small; no rule depends on it.
const fewSamples = "n=1200"

// refusal returns why a run with some settings is refused because of key, nil if it is not.
func (p *prober) refusal(key string, settings ...string) *param.Error {
	c, problems := catalog.Schema().Parse(strings.Join(append([]string{"data=" + p.data, fewSamples}, settings...), "&"))
	if experiment.First(problems) != nil {
		return nil
	}
	var wrong *param.Error
	if !errors.As(catalog.Check(c, nil), &wrong) || wrong.Field != key {
		return nil
	}
	wrong.Want, wrong.Hint = say.Message(wrong.Want.String()), say.Message(wrong.Hint.String())
	return wrong
}

func (p *prober) writeRule(algorithm, key, value, with string, wrong *param.Error) {
	fmt.Fprintf(&p.rules, "{Data: %q, ", p.data)
	for _, f := range [][2]string{{"Algorithm", algorithm}, {"Key", key}, {"Value", value}, {"With", with},
		{"Want", string(wrong.Want)}, {"Hint", string(wrong.Hint)}} {
		if f[1] != "" {
			fmt.Fprintf(&p.rules, "%s: %q, ", f[0], f[1])
		}
	}
	p.rules.WriteString("},\n")
}

// workload finds the rules of a workload's own settings: choices, and numbers that are 0
// unless somebody wants a test.
func (p *prober) workload(w *experiment.Workload) {
	seen := map[string]bool{}
	var choices, numbers []*param.Field
	for f := range param.All(w.Fields) {
		switch {
		case seen[f.Name]:
			continue
		case f.Kind == param.Choice:
			choices = append(choices, f)
		case f.Kind == param.Int && f.Default == "0" && f.Min == 0:
			numbers = append(numbers, f)
		}
		seen[f.Name] = true
	}
	for _, f := range choices {
		for _, o := range f.Options {
			wrong := p.refusal(f.Name, f.Name+"="+o.Name)
			again := p.refusal(f.Name, f.Name+"="+o.Name, "D=4")
			if wrong == nil || again == nil || wrong.Want != again.Want {
				continue
			}
			if wrong.Hint != again.Hint { // the hint has a number of this experiment
				wrong.Hint = ""
			}
			p.writeRule("", f.Name, o.Name, "", wrong)
		}
	}
	for _, f := range numbers {
		p.number(f.Name, choices)
	}
	if wrong := p.refusal("C", "C=1"); wrong != nil {
		p.writeRule("", "C", "1", "", wrong)
	}
	for _, f := range choices {
		for _, o := range f.Options {
			for i := range o.Fields {
				if g := &o.Fields[i]; g.Kind == param.Int && p.refusal(f.Name, f.Name+"="+o.Name) == nil {
					p.bounds(g, f.Name+"="+o.Name, o.Fields)
				}
			}
		}
	}
}

// bounds finds the largest value of a number that an option brings, where it depends on the
// data, and the number that it must divide.
func (p *prober) bounds(g *param.Field, option string, beside []param.Field) {
	try := func(prefix string, settings ...string) (wrong *param.Error) {
		if wrong = p.refusal(g.Name, append(settings, option)...); wrong == nil ||
			!strings.HasPrefix(string(wrong.Want), prefix) {
			return nil
		}
		return wrong
	}
	value := func(v int) string { return g.Name + "=" + strconv.Itoa(v) }
	const atMost, divisor = "at most ", "a divisor of "
	high := int(g.Max)
	wrong := try(atMost, value(high), "D=4")
	if wrong == nil {
		return
	}
	most := sort.Search(high, func(v int) bool { return v >= int(g.Min) && try(atMost, value(v), "D=4") != nil }) - 1
	bound := strconv.Itoa(most)
	// the bound equals the number of groups
	if other := try(atMost, value(high), "D=3"); other != nil && other.Want != wrong.Want {
		bound = "D"
	}
	want := func(w *param.Error) *param.Error {
		out := *w
		out.Want = say.Message(strings.Replace(string(w.Want), strconv.Itoa(most), bound, 1))
		return &out
	}
	p.bounded(g.Name, "Most", bound, option, want(wrong))
	for v := 2; v < most; v++ {
		for i := range beside {
			for _, o := range beside[i].Options {
				with := beside[i].Name + "=" + o.Name
				if wrong := try(divisor, value(v), with, "D=4"); wrong != nil {
					p.bounded(g.Name, "Divides", bound, with, want(wrong))
					return
				}
			}
		}
	}
}

// bounded writes a rule with a bound.
func (p *prober) bounded(key, kind, bound, with string, wrong *param.Error) {
	fmt.Fprintf(&p.rules, "{Data: %q, Key: %q, %s: %q, With: %q, Want: %q, Hint: %q},\n", p.data, key, kind, bound,
		with, wrong.Want, wrong.Hint)
}

// number finds whether a number other than 0 is refused, always or with one option of a
// choice, and whether 1 is.
func (p *prober) number(key string, choices []*param.Field) {
	always := p.refusal(key, key+"=2")
	lifted := false
	for _, choice := range choices {
		refused := map[string]*param.Error{}
		for _, o := range choice.Options {
			with := choice.Name + "=" + o.Name
			if p.refusal(choice.Name, with) == nil {
				refused[with] = p.refusal(key, with, key+"=2")
			}
		}
		differ := false
		for _, wrong := range refused {
			differ = differ || (wrong == nil) != (always == nil)
		}
		if !differ || lifted {
			continue
		}
		lifted = always != nil
		for _, with := range slices.Sorted(maps.Keys(refused)) {
			if wrong := refused[with]; wrong != nil {
				p.writeRule("", key, "", with, wrong)
			}
		}
	}
	if always != nil && !lifted {
		p.writeRule("", key, "", "", always)
	}
	if one := p.refusal(key, key+"=1"); always == nil && one != nil {
		p.writeRule("", key, "1", "", one)
	}
}

// methods finds the rules of methods' choices, with each model that there is.
func (p *prober) methods(s *experiment.Schema, w *experiment.Workload) error {
	models := []string{""}
	for f := range param.All(w.Fields) {
		if f.Name == "net" {
			models = nil
			for _, o := range f.Options {
				if p.refusal("net", "net="+o.Name) == nil {
					models = append(models, "net="+o.Name)
				}
			}
			break
		}
	}
	for _, model := range models {
		query := "data=" + p.data + "&" + fewSamples + "&" + model
		c, _ := s.Parse(query)
		data, _, err := catalog.Build(c, nil)
		if err != nil {
			return err
		}
		for _, a := range s.Algorithms {
			for setting := range options(a.Fields) {
				key, value, _ := strings.Cut(setting, "=")
				c, problems := s.Parse(query + "&algos=" + a.Name + "&" + setting)
				var wrong *param.Error
				if experiment.First(problems) == nil && errors.As(catalog.CheckPlans(c, data), &wrong) &&
					wrong.Field == key {
					p.writeRule(a.Name, key, value, model, wrong)
				}
			}
		}
	}
	return nil
}

// options yields every choice among fields once, as key=value.
func options(fields []param.Field) iter.Seq[string] {
	return func(yield func(string) bool) {
		seen := map[string]bool{}
		for f := range param.All(fields) {
			for _, o := range f.Options {
				setting := f.Name + "=" + o.Name
				if !seen[setting] && !yield(setting) {
					return
				}
				seen[setting] = true
			}
		}
	}
}

// probe returns the rules of all data that need no files, as Go.
func probe(s *experiment.Schema) (string, error) {
	var p prober
	for i := range s.Workloads {
		w := &s.Workloads[i]
		if w.NeedFile {
			continue
		}
		p.data = w.Name
		p.workload(w)
		if err := p.methods(s, w); err != nil {
			return "", err
		}
	}
	return "\n// rules are what the registries refuse of a setting with some data.\nvar rules = []rule{\n" +
		p.rules.String() + "}\n", nil
}
