package experiment

import (
	"errors"
	"slices"
	"strings"

	"flockscope/sim/param"
	"flockscope/sim/say"
)

// Problem is a problem of a query. A warning changes nothing; otherwise the setting was refused and has its default.
type Problem struct {
	Warning bool
	Err     error
	// Unknown is the key, if the problem is that the key is unknown.
	Unknown string
	// Repair means that the link was damaged and repaired as described.
	Repair bool
	// Adapted is a setting whose default was limited by other settings.
	Adapted string
	// Unread is a setting that has no effect here.
	Unread string
	// Removed is the setting that was reset because of a conflict, as key=value. The error may be about another setting.
	Removed string
}

func (p Problem) Error() string { return p.Err.Error() }

// Message is the text of [Problem.Error].
func (p Problem) Message() say.Message { return say.Of(p.Err) }

// Parse reads a query such as "data=linreg&dphi=20&algos=cflgp,ifca", or a whole link. The result
// is valid for any text: refused settings are listed and have their defaults.
func (s *Schema) Parse(query string) (Config, []Problem) { return s.ParseLink(s.ReadLink(query)) }

// ParseLink is Parse for a parsed link.
func (s *Schema) ParseLink(l Link) (Config, []Problem) {
	if l.tooLong {
		return s.Default(), []Problem{{Err: &param.Error{Field: "query", Got: "a longer one",
			Want: "at most 16384 characters"}}}
	}
	problems := s.linkProblems(l)
	pairs := s.ordered(l)
	c, more := s.Default().assignAll(pairs)
	problems = append(problems, more...)
	problems = append(problems, c.unread(pairs)...)

	// Values that are valid alone can conflict. Reset one setting after the other until none does.
	for err := c.check(); err != nil; err = c.check() {
		var gone string
		c, gone = c.without(err)
		problems = append(problems, Problem{Err: err, Removed: gone})
	}
	return c, append(problems, c.Adapted()...)
}

// linkProblems returns the problems of a link before its settings are read.
func (s *Schema) linkProblems(l Link) (problems []Problem) {
	if text := l.Repairs(); text != "" {
		problems = append(problems, Problem{Warning: true, Repair: true,
			Err: say.Errorf("the link was repaired: %s", text)})
	}
	for _, text := range l.bad {
		hint := say.Message("")
		if strings.Contains(text, "/s/") {
			hint = "a short link works only on its server; open it there and copy the long link"
		}
		problems = append(problems, Problem{Err: &param.Error{Field: "query", Got: text,
			Want: "key=value with & between them", Hint: hint}})
	}
	if s.missingLesson(l) {
		problems = append(problems, Problem{Err: &param.Error{Field: "lesson", Got: l.Page().Get("lesson"),
			Want: "the number of a lesson"}})
	}
	return problems
}

// ordered returns the pairs of a link that are no settings of the page, with present keys, [inOrder]. The order in the link
// does not matter.
func (s *Schema) ordered(l Link) (pairs [][2]string) {
	for _, p := range l.pairs {
		if key := s.current(p[0]); !slices.Contains(pageKeys, key) {
			pairs = append(pairs, [2]string{key, p[1]})
		}
	}
	return inOrder(pairs)
}

// assignAll returns c with all pairs, except for those that are refused.
func (c Config) assignAll(pairs [][2]string) (Config, []Problem) {
	var problems []Problem
	seen := map[string]bool{}
	for _, p := range pairs {
		key, text := p[0], p[1]
		next, err := c.assign(key, text)
		var unknown *unknownKey
		isUnknown := errors.As(err, &unknown)
		switch {
		case isUnknown && seen[key]: // already reported
		case isUnknown:
			problems = append(problems, Problem{Warning: true, Unknown: key, Err: err})
		case seen[key]:
			problems = append(problems, Problem{Err: &param.Error{Field: key, Got: text, Want: Once, Hint: "it is set twice"}})
		case err != nil:
			problems = append(problems, Problem{Err: err})
		default:
			c = next
		}
		seen[key] = true
	}
	return c, problems
}

// Unread returns warnings about settings of a link that have no effect in c.
func (c Config) Unread(l Link) []Problem { return c.unread(c.schema.ordered(l)) }

// unread returns a warning for each pair whose setting has no effect on a run of c.
func (c Config) unread(pairs [][2]string) (problems []Problem) {
	seen := map[string]bool{}
	for _, p := range pairs {
		key := p[0]
		lane, name := c.ownOf(key)
		_, set := c.set[key]
		if !seen[key] && (lane >= 0 && !c.laneReads(lane, name) || set && !c.Reads(key)) {
			problems = append(problems, Problem{Warning: true, Unread: key,
				Err: say.Errorf("%s has no effect with these methods and %s", key, "data="+c.Workload())})
		}
		seen[key] = true
	}
	return problems
}

// ownOf returns the lane whose own setting a key is, −1 for none, and the setting's name.
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

// Once is the requirement for a key that a query has twice. The first value is used.
const Once = "each setting once"

// First returns the first error among problems, nil if all are warnings.
func First(problems []Problem) error {
	for _, p := range problems {
		if !p.Warning {
			return p.Err
		}
	}
	return nil
}

// Strict is First with unknown keys as errors, too, for the command line: there the user can correct them, and ignoring
// a setting would run a different experiment. The error lists all such keys.
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

// Unknown lists the unknown keys among problems, each with a hint if there is one.
func Unknown(problems []Problem) (words []say.Message) {
	for _, p := range problems {
		var unknown *unknownKey
		if errors.As(p.Err, &unknown) {
			words = append(words, unknown.words())
		}
	}
	return words
}

// String returns the canonical text: data and lanes always, any other setting only if it differs
// from its default and the run reads it. Parse of the text returns the same Config, and equal
// experiments have equal texts.
func (c Config) String() string { return c.text(false, false) }

// Explicit is [Config.String] with every setting that was set and is read, even if it has its
// default, and with no others: it stays valid when other settings change the defaults. With unread
// it also has the settings that this run does not read, but others may.
func (c Config) Explicit(unread bool) string { return c.text(true, unread) }

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
	var seeds []*param.Field              // seeds come last
	read, inside := map[string]bool{}, "" // inside is a field whose text is part of another's
	for f := range c.active {
		read[f.Name] = true
		text, given := c.set[f.Name]
		if !given {
			text = c.Value(f.Name)
		}
		if inside == f.Name {
			continue
		}
		switch {
		case given && !spelled && c.isDefault(f, text), !given && (spelled || text == c.defaultOf(f)):
		case declares(c.schema.Seeds, f.Name):
			seeds = append(seeds, f)
		default:
			text, inner := c.inlined(f, text)
			if inner != nil {
				inside = inner.Name
			}
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
