package web

import (
	"errors"
	"strconv"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/lesson"
	"flockscope/sim/say"
)

// A State is what a link opens: an experiment, the round, and the view.
type State struct {
	Config experiment.Config
	view   []pair
	text   string
	rest   int // the round of a link without one
}

type pair struct{ key, value string }

// viewKeys are the keys that a stored link keeps beside the experiment, in the order in
// which the page writes them. How a page is embedded is not among them; the address in the
// frame says that, /s/ID?embed=1.
var viewKeys = []struct {
	key string
	// read returns a value in canonical form, "" for the default, and false for an
	// invalid one.
	read func(value string, c experiment.Config) (string, bool)
}{
	{"t", func(v string, c experiment.Config) (string, bool) {
		n, err := strconv.Atoi(v)
		return number(min(n, rounds(c)), -1), err == nil && n >= 0
	}},
	{"ph", word},
	{"lecture", word},
	{"lane", func(v string, c experiment.Config) (string, bool) {
		n, err := strconv.Atoi(v)
		return number(n, 1), err == nil && n >= 1 && n <= len(c.Lanes())
	}},
	{"sel", clients},
	{"view", word},
	{"curve", word},
	{"theme", word},
	{"lang", func(v string, _ experiment.Config) (string, bool) {
		v = say.LanguageOf(v)
		return v, v != ""
	}},
	{"speed", word},
	{"lesson", word},
	{"zoom", word},
	{"heat", word},
	{"map", word},
	{"autostop", word},
	{"scent", word},
	{"sweep", func(v string, _ experiment.Config) (string, bool) {
		const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:-_"
		return v, len(v) <= 100 && strings.Trim(v, letters) == ""
	}},
}

// number returns n as text, "" if it is the default.
func number(n, byDefault int) string {
	if n == byDefault {
		return ""
	}
	return strconv.Itoa(n)
}

// clients reads one client, or several as "3,5-8". The page ignores clients that do not
// exist.
func clients(value string, _ experiment.Config) (string, bool) {
	if n, err := strconv.Atoi(value); err == nil && n >= 1 && n <= 1<<20 {
		return strconv.Itoa(n), true
	}
	return value, len(value) <= 400 && strings.ContainsAny(value, ",-") && strings.Trim(value, "0123456789,-") == ""
}

// word reads a short text of letters, digits, dots and hyphens. The page ignores words that
// it does not know.
func word(value string, _ experiment.Config) (string, bool) {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789.-"
	return value, len(value) <= 20 && strings.Trim(value, letters) == ""
}

func rounds(c experiment.Config) int {
	n, _ := strconv.Atoi(c.Value("T"))
	return n
}

// ReadState reads a link, or the text after its "?". The state is always valid; problems
// list what was refused, ignored or repaired.
func ReadState(schema *experiment.Schema, text string) (State, []experiment.Problem) {
	link := schema.OpenLink(text)
	config, problems := schema.ParseLink(link)
	s := State{Config: config, text: config.String(), rest: link.Resting()}
	values := link.Page()
	warn := func(text string) {
		problems = append(problems, experiment.Problem{Warning: true, Err: errors.New(text)})
	}
	for _, k := range viewKeys {
		given := values[k.key]
		if len(given) == 0 {
			continue
		}
		switch v, ok := k.read(given[0], config); {
		case !ok:
			warn(k.key + " is ignored: it cannot have this value")
		case k.key == "t" && (s.rest > 0 || v == "0" && link.Has("lesson")): // it shows this round anyway
		case v != "":
			s.view = append(s.view, pair{k.key, v})
			s.text += "&" + k.key + "=" + v
		}
		if len(given) > 1 {
			warn(k.key + " is given more than once: the first value counts")
		}
	}
	return s, problems
}

// Lesson is the lesson that the state belongs to, nil for none.
func (s State) Lesson() *lesson.Lesson {
	n, _ := strconv.Atoi(s.View("lesson"))
	return lesson.ByNumber(n)
}

// Text returns the state in canonical form: equal states have equal texts.
func (s State) Text() string { return s.text }

// View returns the value of a key of the view, "" when the link has none.
func (s State) View(key string) string {
	for _, p := range s.view {
		if p.key == key {
			return p.value
		}
	}
	return ""
}

// Round is the round that is shown, 0 for the start.
func (s State) Round() int {
	if s.rest > 0 {
		return s.rest
	}
	n, _ := strconv.Atoi(s.View("t"))
	return n
}
