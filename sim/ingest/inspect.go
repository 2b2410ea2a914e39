package ingest

import (
	"math"
	"strconv"
	"strings"

	"flockscope/sim/param"
	"flockscope/sim/say"
)

// Line describes a column of a table, or several similar adjacent columns.
type Line struct {
	From, To    int    // the numbers of the columns, from 1
	Key         string // name of the column in cols=
	Name        string
	Type        say.Message
	Range       say.Message // range of numbers; for other types the number of distinct values
	Missing     int
	Examples    string
	Role        Role
	Guess       Role
	Why         say.Message
	MaybeClient bool // the column could also be the client
}

// Describe lists the roles of the columns and the reasons, in one sentence without its full stop.
func (t *Table) Describe(roles []Chosen) say.Message {
	var parts []say.Message
	add := func(what say.Message) { parts = append(parts, what) }
	for _, role := range [...]Role{Client, Group, Label, Target, Feature, Ignore} {
		var whys, groups []say.Message
		names := map[say.Message][]say.Message{}
		for j, c := range roles {
			if c.Role == role {
				if names[c.Why] == nil {
					whys = append(whys, c.Why)
				}
				names[c.Why] = append(names[c.Why], say.Name(param.Plain(t.Columns[j].Name)))
			}
		}
		for _, why := range whys {
			groups = append(groups, say.Messagef("%s (%s)", listed(names[why]), why))
		}
		switch all := listed(groups); {
		case len(groups) == 0:
		case role == Client:
			add(say.Messagef("client: %s", all))
		case role == Group:
			add(say.Messagef("group: %s", all))
		case role == Label:
			add(say.Messagef("label: %s", all))
		case role == Target:
			add(say.Messagef("target: %s", all))
		case role == Feature:
			add(say.Messagef("features: %s", all))
		default:
			add(say.Messagef("ignored: %s", all))
		}
	}
	for j := range roles {
		if t.maybeClient(roles, j) {
			add(say.Messagef("%s could be the client, too: cols=%d:client", t.titleOf(j), j+1))
		}
	}
	return say.Messagef("Columns: %s", say.JoinMessage(parts, "; "))
}

// maxSingly is the maximum number of similar adjacent columns that have a line each.
const maxSingly = 16

// Inspect describes the columns and their roles. Many similar adjacent columns have one line.
func (t *Table) Inspect(roles []Chosen) []Line {
	guess := t.Guess()
	var out []Line
	for j := 0; j < len(t.Columns); {
		end := j + 1
		for end < len(t.Columns) && t.Columns[end].Type == t.Columns[j].Type && roles[end] == roles[j] &&
			guess[end] == guess[j] && !t.maybeClient(roles, end) {
			end++
		}
		if end-j <= maxSingly || roles[j].Role.exclusive() > 0 {
			for k := j; k < end; k++ {
				out = append(out, t.line(k, roles[k], guess[k]))
				out[len(out)-1].MaybeClient = t.maybeClient(roles, k)
			}
		} else {
			l := t.line(j, roles[j], guess[j])
			l.To, l.Key = end, strconv.Itoa(j+1)+"-"+strconv.Itoa(end)
			l.Name += " … " + param.Plain(t.Columns[end-1].Name)
			low, high := t.Columns[j].Min, t.Columns[j].Max
			for _, c := range t.Columns[j+1 : end] {
				low, high = min(low, c.Min), max(high, c.Max)
				l.Missing += c.Missing
			}
			if l.Range != "" {
				l.Range = rangeText(low, high)
			}
			out = append(out, l)
		}
		j = end
	}
	return out
}

func (t *Table) line(j int, role, guess Chosen) Line {
	c := &t.Columns[j]
	l := Line{From: j + 1, To: j + 1, Key: strconv.Itoa(j + 1), Name: param.Plain(c.Name),
		Type: say.Message(c.Type.String()), Missing: c.Missing,
		Examples: param.Plain(strings.Join(c.Examples, ", ")), Role: role.Role, Guess: guess.Role, Why: role.Why}
	if key := c.slug; t.header && len(key) <= 40 && key != "" &&
		!strings.ContainsFunc(key, func(r rune) bool { return r > 0x7e }) {
		if from, to, err := t.find(key); err == nil && from == j && to == j && !t.isDuplicateKey(key, j) {
			l.Key = key
		}
	}
	switch {
	case c.Type == Empty:
	case c.numbers > 0 && c.Type != Category:
		l.Range = rangeText(c.Min, c.Max)
	case c.Distinct > maxClasses:
		l.Range = say.Messagef("more than %d values", maxClasses)
	default:
		l.Range = say.CountMessage(c.Distinct, "value")
	}
	return l
}

// isDuplicateKey reports whether a column after j has the same key.
func (t *Table) isDuplicateKey(key string, j int) bool {
	for k := j + 1; k < len(t.Columns); k++ {
		if t.Columns[k].slug == key {
			return true
		}
	}
	return false
}

// rangeText writes a range with four digits of each number, or as many as are needed to distinguish them.
func rangeText(low, high float64) say.Message {
	more := 0
	number := func(v float64) string {
		switch size := math.Abs(v); {
		case size < 1e4 && (size >= 1e-3 || size == 0): // 1996 may be a year: no space in it
			return strconv.FormatFloat(v, 'g', 4+more, 64)
		case size >= 1e4 && size < 1e12:
			return strconv.FormatFloat(v, 'f', more, 64)
		}
		return say.Figures(v, 4+more)
	}
	for low != high && number(low) == number(high) && more < 13 {
		more++
	}
	if more > 0 {
		more++ // the last digit may differ by rounding only
	}
	return say.Messagef("%s to %s", number(low), number(high))
}

// Title gives the size and format of a table.
func (t *Table) Title() say.Message {
	s := t.sheets[0]
	words := []say.Message{say.Messagef("%s of %s", say.CountMessage(t.Rows, "row"),
		say.CountMessage(len(t.Columns), "column"))}
	if s.width > 1 && s.form == textForm {
		words = append(words, say.Messagef("separated by %s", s.title()))
	}
	if !t.header {
		words = append(words, "without names")
	}
	return say.JoinMessage(words, ", ")
}

// String writes the fields of a line, separated by tabs: the first and the last number, the key, name, type, range,
// missing values, examples, role, guess, why and whether it could be the client, too. Type, range and why are messages,
// which are translated where they are read.
func (l Line) String() string {
	plain := func(text string) string {
		return strings.Map(func(r rune) rune {
			if r < ' ' {
				return ' '
			}
			return r
		}, text)
	}
	maybe := ""
	if l.MaybeClient {
		maybe = "client"
	}
	return strings.Join([]string{strconv.Itoa(l.From), strconv.Itoa(l.To), plain(l.Key), plain(l.Name), string(l.Type),
		string(l.Range), strconv.Itoa(l.Missing), plain(l.Examples), l.Role.String(), l.Guess.String(), string(l.Why),
		maybe}, "\t")
}
