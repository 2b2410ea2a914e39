package experiment

import (
	"errors"
	"slices"
	"strings"

	"flockscope/sim/param"
	"flockscope/sim/say"
)

// Problem is something wrong with a query. A warning changes nothing; anything
// else was refused, and the configuration stands on the defaults there.
type Problem struct {
	Warning bool
	Err     error
	// Unknown is the key, if the problem is that nobody reads it.
	Unknown string
	// Repair: the text was not quite a link, and the problem says what was repaired.
	Repair bool
	// Adapted is a setting whose default gave way to what was set.
	Adapted string
	// Unread is a setting that nothing reads here.
	Unread string
	// Gone is what was taken back of settings that clash, as key=value; it need
	// not be the one that the error is about.
	Gone string
}

func (p Problem) Error() string { return p.Err.Error() }

// Message is the text of [Problem.Error].
func (p Problem) Message() say.Message { return say.Of(p.Err) }

// Parse reads a query such as "data=linreg&dphi=20&algos=cflgp,ifca", or a whole
// link. The configuration it returns is valid whatever the text was: what was
// refused is listed and stands at its default.
func (s *Schema) Parse(query string) (Config, []Problem) { return s.ParseLink(s.ReadLink(query)) }

// ParseLink is Parse for a link that has been taken apart.
func (s *Schema) ParseLink(l Link) (Config, []Problem) {
	var problems []Problem
	refuse := func(err error) { problems = append(problems, Problem{Err: err}) }
	c := s.Default()
	if l.tooLong {
		refuse(&param.Error{Field: "query", Got: "a longer one", Want: "at most 16384 characters"})
		return c, problems
	}
	if text := l.Repairs(); text != "" {
		problems = append(problems, Problem{Warning: true, Repair: true,
			Err: say.Errorf("the link was repaired: %s", text)})
	}
	for _, text := range l.bad {
		hint := say.Message("")
		if strings.Contains(text, "/s/") {
			hint = "only its server knows what a short link stands for; open it and copy the long link"
		}
		refuse(&param.Error{Field: "query", Got: text, Want: "key=value with & between them", Hint: hint})
	}
	pairs := slices.Clone(l.pairs)
	if number := l.Page().Get("lesson"); s.missingLesson(l) {
		refuse(&param.Error{Field: "lesson", Got: number, Want: "the number of a lesson"})
	}

	// The data come first, since they decide the defaults, then the lanes,
	// since they decide the keys; the order in the text does not matter.
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
	seen := map[string]bool{}
	for i, p := range pairs {
		key, text := c.schema.current(p[0]), p[1]
		pairs[i][0] = key
		if slices.Contains(pageKeys, key) {
			continue
		}
		if seen[key] {
			var unknown *unknownKey
			if _, err := c.assign(key, text); !errors.As(err, &unknown) { // that was said the first time
				refuse(&param.Error{Field: key, Got: text, Want: Once, Hint: "it was set before"})
			}
			continue
		}
		seen[key] = true
		next, err := c.assign(key, text)
		var unknown *unknownKey
		switch {
		case errors.As(err, &unknown):
			problems = append(problems, Problem{Warning: true, Unknown: key, Err: err})
		case err != nil:
			refuse(err)
		default:
			c = next
		}
	}
	for _, p := range pairs { // only now is it known who reads what
		if lane, name := c.ownOf(p[0]); lane >= 0 && !c.laneReads(lane, name) && seen[p[0]] {
			seen[p[0]] = false
			problems = append(problems, Problem{Warning: true, Unread: p[0],
				Err: say.Errorf("%s has no effect with these lanes and %s", p[0], "data="+c.Workload())})
		}
		if _, set := c.set[p[0]]; set && !c.Reads(p[0]) && seen[p[0]] {
			seen[p[0]] = false // once
			problems = append(problems, Problem{Warning: true, Unread: p[0],
				Err: say.Errorf("%s has no effect with these lanes and %s", p[0], "data="+c.Workload())})
		}
	}
	// Values that are fine alone may not be fine together. Take back what
	// clashes, one clash at a time, until the rest stands.
	for {
		err := c.check()
		if err == nil {
			return c, append(problems, c.Adapted()...)
		}
		var gone string
		c, gone = c.without(err)
		problems = append(problems, Problem{Err: err, Gone: gone})
	}
}

// ownOf returns the lane that a key is an own setting of, −1 for none, and the setting's name.
func (c Config) ownOf(key string) (lane int, name string) {
	id, name, ok := cutLast(key, ".")
	if !ok {
		return -1, ""
	}
	lane = slices.IndexFunc(c.lanes, func(l Lane) bool { return l.ID() == id })
	if lane < 0 || !c.Own(lane, name) {
		return -1, ""
	}
	return lane, name
}

// Once is wanted where a key is in a query twice; the first stands.
const Once = "each setting once"

// First returns the first refusal among problems, nil if all are warnings.
func First(problems []Problem) error {
	for _, p := range problems {
		if !p.Warning {
			return p.Err
		}
	}
	return nil
}

// Strict is First where an unknown key is a refusal, too: who types a command is there
// to correct it, and a setting that nobody reads makes another experiment than was meant.
// The error names all such keys.
func Strict(problems []Problem) error {
	if err := First(problems); err != nil {
		return err
	}
	switch unknown := Unknown(problems); len(unknown) {
	case 0:
		return nil
	case 1:
		return say.Errorf("unknown setting %s", unknown[0])
	default:
		return say.Errorf("unknown settings %s", say.JoinMessage(unknown, ", "))
	}
}

// Unknown lists the keys among problems that nobody reads, each with a hint if there is one.
func Unknown(problems []Problem) (words []say.Message) {
	for _, p := range problems {
		var unknown *unknownKey
		if errors.As(p.Err, &unknown) {
			words = append(words, unknown.words())
		}
	}
	return words
}

// String returns the canonical text: data and lanes always, any other setting
// only where it differs from its usual default and somebody reads it. Parse brings
// the same Config back, and equal experiments have equal texts.
func (c Config) String() string { return c.text(false, false) }

// Spelled is [Config.String] with what was given of what somebody reads, also where it is
// the default, and with nothing that was not given: it holds when other settings change
// the defaults. unread: also what was given of settings that nobody reads here, as other
// lanes, data or choices may.
func (c Config) Spelled(unread bool) string { return c.text(true, unread) }

func (c Config) text(spelled, unread bool) string {
	var b strings.Builder
	put := func(key, text string) {
		if b.Len() > 0 {
			b.WriteByte('&')
		}
		b.WriteString(key)
		b.WriteByte('=')
		b.WriteString(text)
	}
	put(keyData, c.workload.Name)
	var seeds []*param.Field // they come last
	read := map[string]bool{}
	for f := range c.active {
		read[f.Name] = true
		text, given := c.set[f.Name]
		if !given {
			text = c.Value(f.Name)
		}
		switch {
		case given && !spelled && c.isDefault(f, text), !given && (spelled || text == c.usual(f)):
		case declares(c.schema.Seeds, f.Name):
			seeds = append(seeds, f)
		default:
			put(f.Name, text)
		}
	}
	if unread {
		for _, f := range c.schema.list {
			if text, given := c.set[f.Name]; given && !read[f.Name] {
				put(f.Name, text)
			}
		}
	}
	ids := make([]string, len(c.lanes))
	for i := range c.lanes {
		ids[i] = c.lanes[i].ID()
	}
	put(keyLanes, strings.Join(ids, ","))
	for i := range c.lanes {
		fields := c.LaneFields(i)
		read := len(fields)
		if unread {
			for f := range param.All(c.laneDeclares(i)) {
				if f.PerLane && !declares(fields, f.Name) {
					fields = append(fields, *f)
				}
			}
		}
		for j, f := range fields {
			text, ok := c.lanes[i].own[f.Name]
			if ok && (spelled || j >= read || text != c.inherited(i, f.Name)) {
				put(ids[i]+"."+f.Name, text)
			}
		}
	}
	for _, f := range seeds {
		put(f.Name, c.Value(f.Name))
	}
	return b.String()
}
