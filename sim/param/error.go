package param

import (
	"strconv"
	"strings"

	"flockscope/sim/say"
)

// Error is the error for a value that a setting does not allow: which setting, the value, what is
// allowed, and what to do.
type Error struct {
	Field string // key, or a lane's key such as "cflgp.beta"
	Got   string
	Want  say.Message
	Hint  say.Message // may be empty
	// Suggestions are settings each of which would avoid the error.
	Suggestions []Suggestion
}

// Suggestion is a key with a value.
type Suggestion struct{ Key, Value string }

// Error returns one line such as
//
//	dphi: got "900", want a number from 0 to 80
func (e *Error) Error() string { return e.Message().String() }

// Message is the text of [Error.Error].
func (e *Error) Message() say.Message {
	if e.Hint != "" {
		return say.Messagef("%s: got %s, want %s (%s)", e.Field, Quote(e.Got), e.Want, e.Hint)
	}
	return say.Messagef("%s: got %s, want %s", e.Field, Quote(e.Got), e.Want)
}

// Expected says what is allowed, in a sentence to stand beside the value.
func (e *Error) Expected() say.Message {
	if e.Hint != "" {
		return say.Messagef("Expected: %s (%s).", e.Want, e.Hint)
	}
	return say.Messagef("Expected: %s.", e.Want)
}

// Quote returns text in quotes, printable, on one line and shortened to 40 characters.
func Quote(text string) string {
	const most = 40
	n := 0
	for i := range text {
		if n == most {
			text = text[:i] + "…"
			break
		}
		n++
	}
	return strconv.Quote(text)
}

// Plain is Quote without the quotes around the text.
func Plain(text string) string {
	q := Quote(text)
	return strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
}

// DidYouMean returns `did you mean "ifca"?` for the candidate nearest to got, or "" if none is near
// enough to be a typing error.
func DidYouMean(got string, candidates []string) say.Message {
	best, least := "", 3
	got = strings.ToLower(got)
	for _, c := range candidates {
		if max(len(c)-len(got), len(got)-len(c)) >= least { // a lower bound of the distance
			continue
		}
		if d := editDistance(got, strings.ToLower(c)); d < least && d < len(c) {
			best, least = c, d
		}
	}
	if best == "" {
		return ""
	}
	return say.Messagef("did you mean %q?", best)
}

// editDistance counts insertions, deletions, substitutions and swaps of neighbours, the four kinds
// of typing errors. Strings longer than any key have a very large distance.
func editDistance(a, b string) int {
	const far, most = 1 << 20, 40
	if len(a) > most || len(b) > most {
		return far
	}
	var rows [3][most + 1]int
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
