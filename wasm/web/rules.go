package web

import (
	"cmp"
	"strconv"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/param"
	"flockscope/sim/say"
)

// A rule describes values of a setting that a run refuses with some data, or with a method on these data. Command
// schema finds the rules by trying the settings one at a time.
type rule struct {
	Data      string
	Algorithm string // the algorithm with the setting, "" for a setting of the experiment
	Key       string
	Value     string // the refused value; "" for every value but 0
	Most      string // the largest allowed value, a number or another setting; "" for no bound
	Divides   string // a number or another setting that the value must divide; "" for none
	With      string // the choice, key=value, with which the value is refused; "" for always
	Want      string
	Hint      string
}

// Check refuses an experiment as a run would, as far as the rules go: conditions on several numbers or on samples are
// only found by a run. It is for a server without data and algorithms.
func Check(c experiment.Config) error {
	if clients := amount(c, "C"); c.Reads("n") && amount(c, "n") < 2*clients { // each client needs two samples
		return &param.Error{Field: "n", Got: c.Value("n"),
			Want: say.Messagef("more samples, or fewer clients than %s", "C = "+strconv.Itoa(clients))}
	}
	for i := range rules {
		if r := &rules[i]; r.Data == c.Workload() {
			if err := r.check(c); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *rule) check(c experiment.Config) error {
	refuse := func(key, got string) error {
		want := r.Want
		if bound := cmp.Or(r.Most, r.Divides); bound != "" {
			want = strings.Replace(want, bound, strconv.Itoa(amount(c, bound)), 1)
		}
		return &param.Error{Field: key, Got: got, Want: say.Message(want), Hint: say.Message(r.Hint)}
	}
	if r.Algorithm == "" {
		if r.refuses(c, c.Value(r.Key)) {
			return refuse(r.Key, c.Value(r.Key))
		}
		return nil
	}
	for i := range c.Lanes() {
		lane := &c.Lanes()[i]
		if lane.Algorithm != r.Algorithm || !c.Chose(i, r.Key+"="+r.Value) || !r.applies(c) {
			continue
		}
		if c.Own(i, r.Key) {
			return refuse(lane.ID()+"."+r.Key, r.Value)
		}
		return refuse(r.Key, r.Value)
	}
	return nil
}

// refuses reports whether the rule refuses a value of its setting in an experiment.
func (r *rule) refuses(c experiment.Config, value string) bool {
	if r.Most != "" || r.Divides != "" {
		v, _ := strconv.Atoi(value)
		return c.Reads(r.Key) && r.applies(c) && (r.Most != "" && v > amount(c, r.Most) ||
			r.Divides != "" && v > 0 && amount(c, r.Divides)%v != 0)
	}
	if !c.Reads(r.Key) || r.Value != "" && value != r.Value || r.Value == "" && value == "0" {
		return false
	}
	return r.applies(c)
}

// applies reports whether an experiment has the choice With.
func (r *rule) applies(c experiment.Config) bool {
	key, option, ok := strings.Cut(r.With, "=")
	return !ok || c.Reads(key) && c.Value(key) == option
}

// amount returns the value of a bound: a number, or the value of a setting.
func amount(c experiment.Config, bound string) int {
	if v, err := strconv.Atoi(bound); err == nil {
		return v
	}
	v, _ := strconv.Atoi(c.Value(bound))
	return v
}
