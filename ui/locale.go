package ui

import (
	"slices"
	"strings"
)

// Locale says what the page says, in another language. The English text is the
// key, so code is written in English, and what has no translation stays English.
// The zero value translates nothing.
//
// A table is lines of English, a tab and the translation; empty lines and those
// that begin with // say nothing. In a key, # stands for any number, which
// comes again at the # of the translation, in the same order; {} stands for any
// words, which are translated themselves and come again at the {}.
type Locale struct {
	Lang    string // as in <html lang>, "" for English
	texts   map[string]string
	phrases []phrase
}

// phrase is a line whose key has words that vary.
type phrase struct{ before, after, first, last string }

// NewLocale reads a table.
func NewLocale(lang, table string) *Locale {
	l := &Locale{Lang: lang, texts: map[string]string{}}
	for line := range strings.Lines(table) {
		key, text, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
		if !ok || strings.HasPrefix(key, "//") {
			continue
		}
		if before, after, ok := strings.Cut(key, "{}"); ok {
			first, last, _ := strings.Cut(text, "{}")
			l.phrases = append(l.phrases, phrase{before, after, first, last})
			continue
		}
		l.texts[key] = text
	}
	// The more a phrase says, the sooner it is tried.
	slices.SortStableFunc(l.phrases, func(a, b phrase) int {
		return len(b.before) + len(b.after) - len(a.before) - len(a.after)
	})
	return l
}

// Text translates a text, and returns what it cannot translate as it is.
func (l *Locale) Text(text string) string {
	if l == nil || l.texts == nil {
		return text
	}
	start := len(text) - len(strings.TrimLeft(text, " \n\t"))
	end := len(strings.TrimRight(text, " \n\t"))
	if start >= end {
		return text
	}
	if out, ok := l.find(text[start:end]); ok {
		return text[:start] + out + text[end:]
	}
	return text
}

// find looks for a whole text, then for one of its kind, then for its sentences.
func (l *Locale) find(text string) (string, bool) {
	if out, ok := l.texts[text]; ok {
		return out, true
	}
	kind, numbers := numbersOut(text)
	if out, ok := l.texts[kind]; ok && len(numbers) > 0 {
		for _, n := range numbers {
			out = strings.Replace(out, "#", n, 1)
		}
		return out, true
	}
	for _, p := range l.phrases {
		if len(text) > len(p.before)+len(p.after) && strings.HasPrefix(text, p.before) && strings.HasSuffix(text, p.after) {
			return p.first + l.Text(text[len(p.before):len(text)-len(p.after)]) + p.last, true
		}
	}
	if i := strings.Index(text, ". "); i > 0 {
		first, ok := l.find(text[:i+1])
		rest, also := l.find(text[i+2:])
		switch {
		case ok:
			return first + rest, true // no space follows a full stop of Chinese
		case also:
			return first + " " + rest, true
		}
	}
	return text, false
}

// numbersOut puts # in the place of each number of a text.
func numbersOut(text string) (kind string, numbers []string) {
	var b strings.Builder
	digit := func(i int) bool { return i < len(text) && text[i] >= '0' && text[i] <= '9' }
	for i := 0; i < len(text); {
		if !digit(i) {
			b.WriteByte(text[i])
			i++
			continue
		}
		from := i
		for digit(i) || (i+1 < len(text) && (text[i] == '.' || text[i] == ',') && digit(i+1)) {
			i++
		}
		b.WriteByte('#')
		numbers = append(numbers, text[from:i])
	}
	return b.String(), numbers
}
