package experiment

import (
	"slices"

	"flockscope/sim/param"
)

// Config is one experiment. It is immutable: changing a setting returns another Config. Every
// Config that this package returns without an error is valid, as far as that can be checked without
// the data.
type Config struct {
	schema   *Schema
	workload *Workload
	lanes    []Lane
	// set has the canonical texts of settings that were set, including those that the present
	// workload and lanes do not read, so that switching to another workload and back loses nothing.
	set map[string]string
}

// Default returns the configuration of an empty query.
func (s *Schema) Default() Config {
	data, ok := s.workload(s.Data)
	if !ok {
		panic("experiment: there is no workload " + s.Data)
	}
	c := Config{schema: s, workload: data, set: map[string]string{}}
	lanes, err := s.parseLanes(s.Lanes)
	if err != nil {
		panic("experiment: the default lanes are wrong: " + err.Error())
	}
	c.lanes = lanes
	return c
}

// Workload returns the name of the workload.
func (c Config) Workload() string { return c.workload.Name }

// FromFile reports whether the clients come from a file of the user.
func (c Config) FromFile() bool { return c.workload.FromFile }

// Endless reports whether clients draw fresh samples in every round.
func (c Config) Endless() bool { return c.workload.Endless }

// NeedsFile reports whether the run needs files of the user.
func (c Config) NeedsFile() bool { return c.workload.NeedFile }

// Lanes returns the lanes in order. Do not modify.
func (c Config) Lanes() []Lane { return c.lanes }

// Value returns the canonical text of a field: the value that was set, else the default of the
// workload or of a chosen option, else the field's default. It panics on an unknown name.
func (c Config) Value(name string) string {
	f, ok := c.schema.Field(name)
	if !ok {
		panic("experiment: no field " + name)
	}
	if text, ok := c.set[name]; ok {
		return text
	}
	return c.fallback(f)
}

// fallback returns the default of f, limited to what the other settings allow, so that a default
// never causes an error.
func (c Config) fallback(f *param.Field) string { return c.limitDefault(f, c.defaultOf(f)) }

// defaultOf returns the default of f: that of the present workload, else that of a chosen option of
// one of the workload's fields, else the field's own.
func (c Config) defaultOf(f *param.Field) string {
	if text, ok := c.workload.Defaults[f.Name]; ok {
		return text
	}
	for i := range c.workload.Fields {
		choice := &c.workload.Fields[i]
		for j := range choice.Options {
			o := &choice.Options[j]
			if text, ok := o.Defaults[f.Name]; ok && o.Name == c.Value(choice.Name) {
				return text
			}
		}
	}
	return f.Default
}

// LaneValue returns the canonical text of a field for one lane: the lane's
// own, else the experiment's, else the lane's default.
func (c Config) LaneValue(lane int, name string) string {
	if text, ok := c.lanes[lane].own[name]; ok {
		return text
	}
	return c.inherited(lane, name)
}

// inherited returns the value of a field for a lane without a value of its own.
func (c Config) inherited(lane int, name string) string {
	if text, ok := c.set[name]; ok {
		return text
	}
	return c.laneDefault(lane, name)
}

// laneDefault returns the value of a field for a lane of a query without it. Defaults of the options of the lane's
// algorithm come before those of the workload, since they are specific to the algorithm.
func (c Config) laneDefault(lane int, name string) string {
	fields := c.laneDeclares(lane)
	for i := range fields {
		for j := range fields[i].Options {
			o := &fields[i].Options[j]
			if text, ok := o.Defaults[name]; ok && o.Name == c.LaneValue(lane, fields[i].Name) {
				return text
			}
		}
	}
	f, _ := c.schema.Field(name)
	return c.fallback(f)
}

// isDefault reports whether text is the default of a field for the experiment and every lane, and
// other settings do not limit it.
func (c Config) isDefault(f *param.Field, text string) bool {
	c = c.Reset(f.Name, "")
	for i := range c.lanes {
		if c.laneReads(i, f.Name) && c.inherited(i, f.Name) != text {
			return false
		}
	}
	return c.defaultOf(f) == text && c.fallback(f) == text
}

// Own reports whether the lane has its own value of the field.
func (c Config) Own(lane int, name string) bool {
	_, ok := c.lanes[lane].own[name]
	return ok
}

// Values returns the settings of a lane; lane −1 stands for the workload and the whole run. What neither the lane nor
// every run reads has its default, whatever was set for others: the canonical text of this lane alone does not have it,
// and must give the same run.
func (c Config) Values(lane int) param.Values {
	return func(name string) (text string, ok bool) {
		f, ok := c.schema.Field(name)
		switch {
		case !ok:
			return "", false
		case lane < 0:
			return c.Value(name), true
		case f.PerLane && !declares(c.schema.Common, name) && !c.laneReads(lane, name):
			return c.laneDefault(lane, name), true
		}
		return c.LaneValue(lane, name), true
	}
}

// RestingRound returns the round that a link without a round shows: the last one, or with methods
// that cluster every P rounds, the last one in which they do.
func (c Config) RestingRound() int {
	const period, way = "P", "as"
	var every, first []int
	for i := range c.lanes {
		if !c.laneReads(i, period) {
			continue
		}
		every, first = append(every, c.Values(i).Int(period)), append(first, 1)
		if c.laneReads(i, way) && c.LaneValue(i, way) == "released" {
			first[len(first)-1] = 0
		}
	}
	last := c.Values(-1).Int("T")
	for t := last; t > 0; t-- {
		clusters := true
		for i := range every {
			clusters = clusters && (t-1)%every[i] == first[i] // papers number rounds from 0
		}
		if clusters {
			return t
		}
	}
	return last
}

// Reads reports whether a run of c depends on the field, because the workload, some lane or every
// run reads it.
func (c Config) Reads(name string) bool {
	for f := range c.active {
		if f.Name == name {
			return true
		}
	}
	return false
}

// Active returns the fields that a run of c depends on, in canonical order, including those that
// only some lanes read.
func (c Config) Active() []*param.Field {
	return slices.Collect(c.active)
}

// active yields the workload's fields in the order of declaration, then the others, so that other
// workloads do not change the order.
func (c Config) active(yield func(*param.Field) bool) {
	yielded := map[string]bool{} // two options may have the same field
	for g := range param.Chosen(c.workload.Fields, c.Value) {
		if yielded[g.Name] {
			continue
		}
		yielded[g.Name] = true
		if f, _ := c.schema.Field(g.Name); !yield(f) {
			return
		}
	}
	read := map[string]bool{}
	note := func(fields []param.Field, value func(name string) string) {
		for f := range param.Chosen(fields, value) {
			read[f.Name] = read[f.Name] || c.applies(f)
		}
	}
	note(c.schema.Common, c.Value)
	note(c.schema.Seeds, c.Value)
	for i := range c.lanes {
		note(c.laneDeclares(i), func(name string) string { return c.LaneValue(i, name) })
	}
	if c.workload.FromFile {
		delete(read, "C") // the file determines the number of clients
	}
	for _, f := range c.schema.list {
		if read[f.Name] && !yielded[f.Name] && !yield(f) {
			return
		}
	}
}

// applies reports whether a setting can have an effect on the data.
func (c Config) applies(f *param.Field) bool { return !f.FiniteOnly || !c.workload.Endless }

// workloadReads reports whether the data depend on the field.
func (c Config) workloadReads(name string) bool {
	for f := range param.Chosen(c.workload.Fields, c.Value) {
		if f.Name == name {
			return true
		}
	}
	return false
}

func declares(list []param.Field, name string) bool {
	for i := range list { // by index: a field is large to copy
		if list[i].Name == name {
			return true
		}
	}
	return false
}
