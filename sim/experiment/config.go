package experiment

import (
	"maps"
	"slices"
	"strings"

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

// Lane is one algorithm of a run with the settings that are its own.
type Lane struct {
	Algorithm string
	Label     string // tells two lanes of one algorithm apart; may be empty
	own       map[string]string
}

// ID returns the lane's name in the query: "cflgp" or "cflgp:nomem".
func (l *Lane) ID() string {
	if l.Label == "" {
		return l.Algorithm
	}
	return l.Algorithm + ":" + l.Label
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

// Lanes returns the lanes in order. Do not modify.
func (c Config) Lanes() []Lane { return c.lanes }

// Value returns the canonical text of a field: what was set, else what the
// workload makes of the default, else the default. It panics on an unknown name.
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

// fallback returns the default of f under the present workload.
func (c Config) fallback(f *param.Field) string {
	if text, ok := c.workload.Defaults[f.Name]; ok {
		return text
	}
	return f.Default
}

// LaneValue returns the canonical text of a field for one lane: the lane's
// own, else the experiment's.
func (c Config) LaneValue(lane int, name string) string {
	if text, ok := c.lanes[lane].own[name]; ok {
		return text
	}
	return c.Value(name)
}

// Own reports whether the lane sets the field for itself.
func (c Config) Own(lane int, name string) bool {
	_, ok := c.lanes[lane].own[name]
	return ok
}

// Values returns the typed view of what lane reads; lane −1 is the workload
// and the run as a whole.
func (c Config) Values(lane int) param.Values {
	v := param.Values{}
	for _, f := range c.schema.list {
		if lane >= 0 {
			v[f.Name] = c.LaneValue(lane, f.Name)
		} else {
			v[f.Name] = c.Value(f.Name)
		}
	}
	return v
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

func (c Config) active(yield func(*param.Field) bool) {
	for _, f := range c.schema.list {
		if c.matters(f.Name) && !yield(f) {
			return
		}
	}
}

func (c Config) matters(name string) bool {
	if c.workload.FromFile && name == "C" {
		return false // the file says how many clients there are
	}
	if declares(c.workload.Fields, name) || declares(c.schema.Common, name) || declares(c.schema.Seeds, name) {
		return true
	}
	for i := range c.lanes {
		if c.laneReads(i, name) {
			return true
		}
	}
	return false
}

// laneReads reports whether the lane's algorithm declares the field.
func (c Config) laneReads(lane int, name string) bool {
	a, _ := c.schema.algorithm(c.lanes[lane].Algorithm)
	return declares(a.Fields, name)
}

// LaneFields returns the fields that a lane may set for itself.
func (c Config) LaneFields(lane int) []param.Field {
	a, _ := c.schema.algorithm(c.lanes[lane].Algorithm)
	var out []param.Field
	for _, f := range a.Fields {
		if f.PerLane {
			out = append(out, f)
		}
	}
	return out
}

func declares(list []param.Field, name string) bool {
	return slices.ContainsFunc(list, func(f param.Field) bool { return f.Name == name })
}

// With returns c with one key of the query set to text, or an error that says
// what is wrong with the value, or with the value together with the others.
// An empty text for a lane's key hands the setting back to the experiment.
func (c Config) With(key, text string) (Config, error) {
	next, err := c.assign(key, text)
	if err != nil {
		return c, err
	}
	if err := next.check(); err != nil {
		return c, err
	}
	return next, nil
}

// assign sets one key without looking at the others.
func (c Config) assign(key, text string) (Config, error) {
	switch key {
	case keyData:
		w, ok := c.schema.workload(text)
		if !ok {
			names := c.schema.workloadNames()
			return c, &param.Error{Field: key, Got: text, Want: "one of " + strings.Join(names, ", "), Hint: param.DidYouMean(text, names)}
		}
		c.workload = w
		return c, nil
	case keyLanes:
		lanes, err := c.schema.parseLanes(text)
		if err != nil {
			return c, err
		}
		for i := range lanes { // a lane that stays keeps its settings
			for j := range c.lanes {
				if lanes[i].ID() == c.lanes[j].ID() {
					lanes[i].own = c.lanes[j].own
				}
			}
		}
		c.lanes = lanes
		return c, nil
	}
	if id, name, ok := cutLast(key, "."); ok {
		return c.assignLane(key, id, name, text)
	}
	f, ok := c.schema.Field(key)
	if !ok {
		return c, &unknownKey{key, param.DidYouMean(key, c.schema.keys())}
	}
	canonical, err := f.Canonical(text)
	if err != nil {
		return c, err
	}
	c.set = maps.Clone(c.set)
	c.set[key] = canonical
	return c, nil
}

func (c Config) assignLane(key, id, name, text string) (Config, error) {
	lane := slices.IndexFunc(c.lanes, func(l Lane) bool { return l.ID() == id })
	if lane < 0 {
		ids := make([]string, len(c.lanes))
		for i := range c.lanes {
			ids[i] = c.lanes[i].ID()
		}
		return c, &unknownKey{key, "there is no lane " + id + "; the lanes are " + strings.Join(ids, ", ")}
	}
	fields := c.LaneFields(lane)
	i := slices.IndexFunc(fields, func(f param.Field) bool { return f.Name == name })
	if i < 0 {
		names := make([]string, len(fields))
		for j := range fields {
			names[j] = fields[j].Name
		}
		return c, &unknownKey{key, id + " has " + strings.Join(names, ", ")}
	}
	own := maps.Clone(c.lanes[lane].own)
	if own == nil {
		own = map[string]string{}
	}
	if text == "" && fields[i].Kind != param.Numbers {
		delete(own, name)
	} else {
		canonical, err := fields[i].Canonical(text)
		if err != nil {
			err.(*param.Error).Field = key
			return c, err
		}
		own[name] = canonical
	}
	c.lanes = slices.Clone(c.lanes)
	c.lanes[lane].own = own
	return c, nil
}

// unknownKey is a key that nobody reads: a warning, since old programs must
// open new links.
type unknownKey struct{ key, hint string }

func (e *unknownKey) Error() string {
	s := "unknown setting " + e.key
	if len(e.key) > 40 {
		s = "unknown setting " + e.key[:40] + "…"
	}
	if e.hint != "" {
		s += " (" + e.hint + ")"
	}
	return s
}

func (s *Schema) workloadNames() []string {
	names := make([]string, len(s.Workloads))
	for i := range s.Workloads {
		names[i] = s.Workloads[i].Name
	}
	return names
}

// parseLanes reads "cflgp,cflgp:nomem,ifca".
func (s *Schema) parseLanes(text string) ([]Lane, error) {
	names := make([]string, len(s.Algorithms))
	for i := range s.Algorithms {
		names[i] = s.Algorithms[i].Name
	}
	refuse := func(got, hint string) ([]Lane, error) {
		return nil, &param.Error{Field: keyLanes, Got: got, Want: "one to four of " + strings.Join(names, ", ") + ", with commas between them", Hint: hint}
	}
	if strings.TrimSpace(text) == "" {
		return refuse(text, "at least one lane must run")
	}
	parts := strings.Split(text, ",")
	if len(parts) > MaxLanes {
		return refuse(text, "four lanes are the most")
	}
	var lanes []Lane
	for _, part := range parts {
		name, label, labelled := strings.Cut(strings.TrimSpace(part), ":")
		if _, ok := s.algorithm(name); !ok {
			return refuse(name, param.DidYouMean(name, names))
		}
		if labelled && !isLabel(label) {
			return refuse(part, "a label is one to sixteen of a-z, 0-9 and -")
		}
		lane := Lane{Algorithm: name, Label: label}
		if slices.ContainsFunc(lanes, func(l Lane) bool { return l.ID() == lane.ID() }) {
			return refuse(text, lane.ID()+" is there twice; tell them apart as "+name+","+name+":b")
		}
		lanes = append(lanes, lane)
	}
	return lanes, nil
}

func isLabel(s string) bool {
	if len(s) == 0 || len(s) > 16 {
		return false
	}
	for _, r := range s {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' {
			return false
		}
	}
	return true
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
