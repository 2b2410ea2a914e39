// Package i18n says in another language what the page says in English.
package i18n

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
// words, which are translated themselves and come again at the {}. What no line
// says whole is said sentence by sentence, and those clause by clause.
type Locale struct {
	Lang    string // as in <html lang>, "" for English
	texts   map[string]string
	phrases []*phrase
	said    map[string]string // what figures have written, and write again in every frame
}

// phrase is a line whose key has words that vary: what stands around them, in
// English and in the language.
type phrase struct{ key, text []string }

// words returns what a text has in the places of the {} of a phrase.
func (p *phrase) words(text string) ([]string, bool) {
	rest, ok := strings.CutPrefix(text, p.key[0])
	if p.key[len(p.key)-1] == "" && strings.HasSuffix(text, ".") {
		return nil, false // a full stop is the sentence's, not the last word's
	}
	var words []string
	for i, after := range p.key[1:] {
		at := strings.Index(rest, after)
		if i == len(p.key)-2 {
			at = len(rest) - len(after)
		}
		if !ok || at <= 0 || rest[at:at+len(after)] != after || strings.Contains(rest[:at], ". ") {
			return nil, false // or the words go beyond the sentence
		}
		words, rest = append(words, rest[:at]), rest[at+len(after):]
	}
	return words, true
}

// New reads a table.
func New(lang, table string) *Locale {
	l := &Locale{Lang: lang, texts: map[string]string{}}
	for line := range strings.Lines(table) {
		key, text, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
		if !ok || strings.HasPrefix(key, "//") {
			continue
		}
		if strings.Contains(key, "{}") {
			l.phrases = append(l.phrases, &phrase{strings.Split(key, "{}"), strings.Split(text, "{}")})
			continue
		}
		l.texts[key] = text
	}
	// The more a phrase says, the sooner it is tried.
	slices.SortStableFunc(l.phrases, func(a, b *phrase) int {
		return len(strings.Join(b.key, "")) - len(strings.Join(a.key, ""))
	})
	return l
}

// Empty reports whether there is nothing to translate with.
func (l *Locale) Empty() bool { return l == nil || l.texts == nil }

// Text translates a text, and returns what it cannot translate as it is.
func (l *Locale) Text(text string) string {
	if l.Empty() {
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

// Lettering is Text for what figures write.
func (l *Locale) Lettering(text string) string {
	out, ok := l.said[text]
	if !ok {
		const most = 4000
		if len(l.said) >= most || l.said == nil {
			l.said = map[string]string{}
		}
		out = l.Text(text)
		l.said[text] = out
	}
	return out
}

// find looks for a whole text, then for one of its kind, then for its parts.
func (l *Locale) find(text string) (string, bool) {
	if out, ok := l.texts[text]; ok {
		return out, true
	}
	kind, numbers := NumbersOut(text)
	if out, ok := l.texts[kind]; ok && len(numbers) > 0 {
		return numbersIn(out, numbers), true
	}
	for _, p := range l.phrases {
		if words, ok := p.words(text); ok {
			return l.say(p, words, nil), true
		}
		if words, ok := p.words(kind); ok {
			return l.say(p, words, numbers), true
		}
	}
	if all, ok := strings.CutSuffix(text, "."); !ok {
		if out, ok := l.texts[text+"."]; ok {
			return strings.TrimSuffix(out, "。"), true
		}
	} else if !strings.Contains(all, ". ") {
		out, ok := l.find(all)
		if !ok {
			return text, false
		}
		return out + "。", true
	}
	for _, m := range marks {
		i := strings.Index(text, m.latin)
		if i <= 0 {
			continue
		}
		before, first := l.find(text[:i+m.keeps])
		after, rest := l.find(text[i+len(m.latin):])
		switch {
		case first:
			return before + m.own + after, true
		case rest && m.own == "":
			return text[:i] + m.latin + after, true
		case rest:
			return text[:i] + m.own + after, true
		}
		return text, false
	}
	return text, false
}

// marks are what a text is cut at, how much of it stays with what is before, and
// what stands there after Chinese, which has no space after a mark.
var marks = []struct {
	latin string
	keeps int
	own   string
}{{". ", 1, ""}, {"; ", 0, "；"}, {": ", 0, "："}, {", ", 0, "，"}, {" · ", 0, " · "}, {" and ", 0, "和"}}

// Mark returns what stands in the page's language for a mark between texts.
func (l *Locale) Mark(latin string) string {
	for _, m := range marks {
		if l != nil && m.latin == latin {
			return m.own
		}
	}
	return latin
}

// say puts words into the translation of a phrase, and numbers, in order: those of
// the words into them, the others into what is around them.
func (l *Locale) say(p *phrase, words, numbers []string) string {
	take := func(text string) []string {
		n := min(strings.Count(text, "#"), len(numbers))
		taken := numbers[:n]
		numbers = numbers[n:]
		return taken
	}
	around := slices.Clone(take(p.key[0]))
	said := slices.Clone(words)
	for i := range words {
		said[i] = l.Text(numbersIn(words[i], take(words[i])))
		around = append(around, take(p.key[i+1])...)
	}
	numbers = around
	out := numbersIn(p.text[0], take(p.text[0]))
	for i := range said {
		out += said[i] + numbersIn(p.text[i+1], take(p.text[i+1]))
	}
	return out
}

// numbersIn puts numbers in the place of the # of a text, as many as there are.
func numbersIn(text string, numbers []string) string {
	var b strings.Builder
	for _, n := range numbers {
		before, after, ok := strings.Cut(text, "#")
		if !ok {
			break
		}
		b.WriteString(before + n)
		text = after
	}
	return b.String() + text
}

// NumbersOut puts # in the place of each number of a text.
func NumbersOut(text string) (kind string, numbers []string) {
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
		i += len(text[i:]) - len(strings.TrimLeft(strings.TrimPrefix(text[i:], "·10"), "⁰¹²³⁴⁵⁶⁷⁸⁹")) // 3.2·10⁶
		b.WriteByte('#')
		numbers = append(numbers, text[from:i])
	}
	return b.String(), numbers
}

// Plain puts characters in the place of what HTML writes for them.
var Plain = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&#34;", `"`, "&#39;", "'", "&amp;", "&")

var escape = strings.NewReplacer("<", "&lt;", ">", "&gt;", "&", "&amp;")

// Markup translates the texts between the tags of a piece of HTML.
func (l *Locale) Markup(html string) string {
	var b strings.Builder
	for {
		text, rest, tag := strings.Cut(html, "<")
		if said := Plain.Replace(text); l.Text(said) != said {
			text = escape.Replace(l.Text(said))
		}
		b.WriteString(text)
		if !tag {
			return b.String()
		}
		inside, after, _ := strings.Cut(rest, ">")
		b.WriteString("<" + inside + ">")
		html = after
	}
}
