package experiment

import (
	"slices"
	"strings"
	"unicode"

	"flockscope/sim/param"
	"flockscope/sim/say"
)

// Lane is one algorithm of a run with its own settings.
type Lane struct {
	Algorithm string
	Label     string // distinguishes two lanes of one algorithm; may be empty
	own       map[string]string
}

// ID returns the lane's name in the query: "cflgp" or "cflgp:nomem".
func (l *Lane) ID() string {
	if l.Label == "" {
		return l.Algorithm
	}
	return l.Algorithm + ":" + l.Label
}

// laneReads reports whether the lane's algorithm declares the field.
func (c Config) laneReads(lane int, name string) bool {
	for f := range param.Chosen(c.laneDeclares(lane), func(name string) string { return c.LaneValue(lane, name) }) {
		if f.Name == name {
			return c.applies(f)
		}
	}
	return false
}

// FindsK reports whether a lane's method determines the number of clusters itself. Then the setting
// is an upper bound: the run has that number of models, and a model exists once it is given to a
// client.
func (c Config) FindsK(lane int) bool { return c.laneReads(lane, "most") }

// Chose reports whether a choice of a lane has a value, such as "form=joint", or one of several,
// "adapt=split|both"; it is true for "".
func (c Config) Chose(lane int, choice string) bool {
	name, options, ok := strings.Cut(choice, "=")
	return !ok || c.laneReads(lane, name) && slices.Contains(strings.Split(options, "|"), c.LaneValue(lane, name))
}

// laneDeclares returns the settings that the lane's algorithm declares.
func (c Config) laneDeclares(lane int) []param.Field {
	a, _ := c.schema.algorithm(c.lanes[lane].Algorithm)
	return a.Fields
}

// LaneFields returns the fields that a lane may set for itself.
func (c Config) LaneFields(lane int) []param.Field {
	var out []param.Field
	for f := range param.Chosen(c.laneDeclares(lane), func(name string) string { return c.LaneValue(lane, name) }) {
		if f.PerLane && c.applies(f) {
			out = append(out, *f)
		}
	}
	return out
}

// parseLanes reads "cflgp,cflgp:nomem,ifca".
func (s *Schema) parseLanes(text string) ([]Lane, error) {
	names := make([]string, len(s.Algorithms))
	for i := range s.Algorithms {
		names[i] = s.Algorithms[i].Name
	}
	refuse := func(got string, hint say.Message) ([]Lane, error) {
		return nil, &param.Error{Field: keyLanes, Got: got,
			Want: say.Messagef("one to four of %s, separated by commas", strings.Join(names, ", ")), Hint: hint}
	}
	parts := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
	if len(parts) == 0 {
		return refuse(text, "choose at least one method")
	}
	if len(parts) > MaxLanes {
		return refuse(text, "at most four methods")
	}
	var lanes []Lane
	for _, part := range parts {
		name, label, labelled := strings.Cut(part, ":")
		if _, ok := s.algorithm(name); !ok {
			return refuse(name, param.DidYouMean(name, names))
		}
		if labelled && !isLabel(label) {
			return refuse(part, "a label is one to sixteen of a-z, 0-9 and -")
		}
		lane := Lane{Algorithm: name, Label: label}
		if slices.ContainsFunc(lanes, func(l Lane) bool { return l.ID() == lane.ID() }) {
			return refuse(text, say.Messagef("%s is listed twice; label the two %s", lane.ID(), name+","+name+":b"))
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
