package experiment

import (
	"slices"

	"flockscope/sim/param"
)

// Config is one experiment. It is immutable: changing a setting makes another
// Config. Every Config that a function of this package returns without an
// error is valid as far as it can be checked without the data.
type Config struct {
	schema   *Schema
	workload *Workload
	lanes    []Lane
	// set holds the canonical texts that a person gave, also those that
	// the present workload and lanes do not read: switching there and
	// back loses nothing.
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

// Workload returns the name of the data.
func (c Config) Workload() string { return c.workload.Name }

// FromFile reports whether the data come from a file of the user's.
func (c Config) FromFile() bool { return c.workload.FromFile }

// NeedsFile reports whether the run cannot start without files of the user's.
func (c Config) NeedsFile() bool { return c.workload.NeedFile }

// Lanes returns the lanes in order. Do not modify.
func (c Config) Lanes() []Lane { return c.lanes }

// Value returns the canonical text of a field: what was set, else what the
// workload or a choice makes of the default, else the default. It panics on an unknown name.
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

// fallback returns the default of f, brought down to what the other settings allow: a
// default is nobody's wish, so it is never a reason to refuse one.
func (c Config) fallback(f *param.Field) string { return c.fitted(f, c.usual(f)) }

// usual returns the default of f: what the present workload makes of it, else an
// option that was chosen of one of the workload's fields, else its own.
func (c Config) usual(f *param.Field) string {
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

// inherited is what a lane reads that sets nothing for itself. A choice that the lane's
// algorithm declares comes before the workload: what it makes of a default is about
// this algorithm.
func (c Config) inherited(lane int, name string) string {
	if text, ok := c.set[name]; ok {
		return text
	}
	fields := c.laneDeclares(lane)
	for i := range fields {
		for j := range fields[i].Options {
			o := &fields[i].Options[j]
			if text, ok := o.Defaults[name]; ok && o.Name == c.LaneValue(lane, fields[i].Name) {
				return text
			}
		}
	}
	return c.Value(name)
}

// isDefault reports whether text is what the experiment and every lane would read of a
// field that nobody sets, as long as nothing else brings it down.
func (c Config) isDefault(f *param.Field, text string) bool {
	c = c.Restored(f.Name, "")
	for i := range c.lanes {
		if c.laneReads(i, f.Name) && c.inherited(i, f.Name) != text {
			return false
		}
	}
	return c.usual(f) == text
}

// Own reports whether the lane sets the field for itself.
func (c Config) Own(lane int, name string) bool {
	_, ok := c.lanes[lane].own[name]
	return ok
}

// Values returns the typed view of what lane reads; lane −1 is the workload
// and the run as a whole.
func (c Config) Values(lane int) param.Values {
	return func(name string) (text string, ok bool) {
		if _, ok := c.schema.Field(name); !ok {
			return "", false
		}
		if lane >= 0 {
			return c.LaneValue(lane, name), true
		}
		return c.Value(name), true
	}
}

// Reads reports whether a run of c depends on the field: the workload reads
// it, or some lane does, or every run does.
func (c Config) Reads(name string) bool {
	for f := range c.active {
		if f.Name == name {
			return true
		}
	}
	return false
}

// Active returns the fields that matter to c, in canonical order. Lane-only
// settings are among them when some lane's algorithm reads them.
func (c Config) Active() []*param.Field {
	return slices.Collect(c.active)
}

// active yields the workload's fields as it declares them, then the others: an
// order that no other workload can change.
func (c Config) active(yield func(*param.Field) bool) {
	told := map[string]bool{} // two options may bring the same field along
	for g := range param.Chosen(c.workload.Fields, c.Value) {
		if told[g.Name] {
			continue
		}
		told[g.Name] = true
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
		delete(read, "C") // the file says how many clients there are
	}
	for _, f := range c.schema.list {
		if read[f.Name] && !told[f.Name] && !yield(f) {
			return
		}
	}
}

// applies reports whether a setting can have an effect on the data.
func (c Config) applies(f *param.Field) bool { return !f.Counted || !c.workload.Endless }

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
	for i := range list { // a field is large to copy
		if list[i].Name == name {
			return true
		}
	}
	return false
}
