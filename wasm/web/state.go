package web

import (
	"strconv"
	"strings"

	"flockscope/sim/experiment"
)

// A State is what a link brings back: an experiment, and the moment and view
// in which it is looked at.
type State struct {
	Config experiment.Config
	view   []pair
	text   string
}

type pair struct{ key, value string }

// viewKeys are the keys that a stored link keeps beside the experiment, in the
// order in which the page writes them. How a page is embedded is not among
// them: that is the affair of the address in the frame, /s/ID?embed=1.
var viewKeys = []struct {
	key   string
	valid func(value string, c experiment.Config) bool
}{
	{"lesson", isWord},
	{"t", func(v string, c experiment.Config) bool { return isNumber(v, 1, rounds(c)) }},
	{"ph", isWord},
	{"lane", func(v string, c experiment.Config) bool { return isNumber(v, 2, len(c.Lanes())) }},
	{"sel", func(v string, c experiment.Config) bool { return isNumber(v, 1, 1<<20) || isRanges(v) }},
	{"view", isWord},
	{"curve", isWord},
	{"theme", isWord},
	{"speed", isWord},
	{"zoom", isWord},
	{"map", isWord},
	{"autostop", isWord},
}

// isNumber reports whether a value is a whole number in its one usual form.
func isNumber(value string, least, most int) bool {
	n, err := strconv.Atoi(value)
	return err == nil && n >= least && n <= most && strconv.Itoa(n) == value
}

// isRanges reports whether a value is more than one number, as "3,5-8". The page
// passes over those that make no sense.
func isRanges(value string) bool {
	return len(value) <= 400 && strings.ContainsAny(value, ",-") && strings.Trim(value, "0123456789,-") == ""
}

// isWord reports whether a value is short and made of harmless characters. The
// page knows which words mean something and passes over the others.
func isWord(value string, _ experiment.Config) bool {
	const harmless = "abcdefghijklmnopqrstuvwxyz0123456789.-"
	return value != "" && len(value) <= 20 && strings.Trim(value, harmless) == ""
}

func rounds(c experiment.Config) int {
	n, _ := strconv.Atoi(c.Value("T"))
	return n
}

// ReadState reads a link, or the text behind its "?". The state is valid whatever
// the text is; what was refused or repaired is listed.
func ReadState(schema *experiment.Schema, text string) (State, []experiment.Problem) {
	link := schema.ReadLink(text)
	config, problems := schema.ParseLink(link)
	s := State{Config: config, text: config.String()}
	values := link.Page()
	for _, k := range viewKeys {
		if v := values[k.key]; len(v) == 1 && k.valid(v[0], config) {
			s.view = append(s.view, pair{k.key, v[0]})
			s.text += "&" + k.key + "=" + v[0]
		}
	}
	return s, problems
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

// Round is the round that is looked at, 0 for the start.
func (s State) Round() int {
	n, _ := strconv.Atoi(s.View("t"))
	return n
}
