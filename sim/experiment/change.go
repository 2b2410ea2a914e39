package experiment

import (
	"maps"
	"slices"
	"strings"

	"flockscope/sim/param"
	"flockscope/sim/say"
)

// With returns c with one key of the query set to text, or an error if the value is invalid, by
// itself or together with other settings. An empty text for a lane's key removes the lane's own
// value.
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

// WithAll is With for several keys at once, in any order: only the result must be valid.
func (c Config) WithAll(pairs [][2]string) (Config, error) {
	next := c
	var err error
	for _, p := range inOrder(slices.Clone(pairs)) {
		if next, err = next.assign(p[0], p[1]); err != nil {
			return c, err
		}
	}
	if err := next.check(); err != nil {
		return c, err
	}
	return next, nil
}

// inOrder sorts pairs: the workload first, since it determines the defaults, then the lanes, since they determine the keys,
// then common settings, then those of lanes.
func inOrder(pairs [][2]string) [][2]string {
	rank := func(p [2]string) int {
		switch {
		case p[0] == keyData:
			return 0
		case p[0] == keyLanes:
			return 1
		case strings.Contains(p[0], "."):
			return 3
		}
		return 2
	}
	slices.SortStableFunc(pairs, func(a, b [2]string) int { return rank(a) - rank(b) })
	return pairs
}

// Given returns the canonical text that a field was set to, if it was.
func (c Config) Given(name string) (string, bool) {
	text, ok := c.set[name]
	return text, ok
}

// Reset returns c with a field set back to an earlier result of [Config.Given]; "" means not set. Nothing is checked,
// because c has had that text before.
func (c Config) Reset(name, text string) Config {
	c.set = maps.Clone(c.set)
	if text == "" {
		delete(c.set, name)
	} else {
		c.set[name] = text
	}
	return c
}

// assign sets one key without checking it against other settings.
func (c Config) assign(key, text string) (Config, error) {
	key = c.schema.current(key)
	switch key {
	case keyData:
		w, ok := c.schema.workload(strings.ToLower(strings.TrimSpace(text)))
		if !ok {
			names := c.schema.workloadNames()
			hint := knownSet(text)
			if hint == "" {
				hint = param.DidYouMean(text, names)
			}
			return c, &param.Error{Field: key, Got: text, Want: say.Messagef("one of %s", strings.Join(names, ", ")),
				Hint: hint}
		}
		c.workload = w
		return c, nil
	case keyLanes:
		lanes, err := c.schema.parseLanes(text)
		if err != nil {
			return c, err
		}
		for i := range lanes { // lanes that remain keep their settings
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
		return c, &unknownKey{key, c.schema.Hint(key)}
	}
	canonical, err := f.Canonical(text)
	inner, option := f.Inline()
	inline := err != nil && inner != nil && strings.Contains(text, "-")
	if inline {
		canonical, err = inner.Canonical(text)
	}
	if err != nil {
		return c, err
	}
	c.set = maps.Clone(c.set)
	if inline {
		key, c.set[key] = inner.Name, option.Name
	}
	c.set[key] = canonical
	return c, nil
}

// inlined returns the text of a field in a query, and the field whose text it is if it stands in the place of an option's
// name.
func (c Config) inlined(f *param.Field, text string) (string, *param.Field) {
	inner, option := f.Inline()
	if inner == nil || text != option.Name {
		return text, nil
	}
	if own := c.Value(inner.Name); own != c.defaultOf(inner) && strings.Contains(own, "-") {
		return own, inner
	}
	return text, nil
}

func (c Config) assignLane(key, id, name, text string) (Config, error) {
	lane := slices.IndexFunc(c.lanes, func(l Lane) bool { return l.ID() == id })
	if lane < 0 {
		ids := make([]string, len(c.lanes))
		for i := range c.lanes {
			ids[i] = c.lanes[i].ID()
		}
		return c, &unknownKey{key, say.Messagef("there is no method %s here; the methods are %s", param.Plain(id),
			strings.Join(ids, ", "))}
	}
	// Include the fields of options that are not chosen: a link may set them in any order.
	var fields []param.Field
	for f := range param.All(c.laneDeclares(lane)) {
		if f.PerLane && !declares(fields, f.Name) {
			fields = append(fields, *f)
		}
	}
	i := slices.IndexFunc(fields, func(f param.Field) bool { return f.Name == name })
	if i < 0 {
		names := make([]string, len(fields))
		for j := range fields {
			names[j] = fields[j].Name
		}
		return c, &unknownKey{key, say.Messagef("the settings of %s are %s", id, strings.Join(names, ", "))}
	}
	own := maps.Clone(c.lanes[lane].own)
	if own == nil {
		own = map[string]string{}
	}
	if text == "" && fields[i].Kind != param.Numbers && fields[i].Kind != param.Text {
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

// unknownKey is an unknown key. It is only a warning, because old programs must open new links.
type unknownKey struct {
	key  string
	hint say.Message
}

func (e *unknownKey) Error() string        { return e.Message().String() }
func (e *unknownKey) Message() say.Message { return say.Messagef("unknown setting %s", e.words()) }

// words returns the key and a hint, as a message.
func (e *unknownKey) words() say.Message {
	if e.hint == "" {
		return say.Name(param.Plain(e.key))
	}
	return say.Messagef("%s (%s)", param.Plain(e.key), e.hint)
}

func (s *Schema) workloadNames() []string {
	names := make([]string, len(s.Workloads))
	for i := range s.Workloads {
		names[i] = s.Workloads[i].Name
	}
	return names
}
