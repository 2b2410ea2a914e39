// Package formula writes mathematics as MathML, from a notation that reads like
// what it shows:
//
//	g_{c,bar k} ← (1−β) g_c + frac{1}{n} Σ_i x_i^2
//
// Letters are variables, several in a row the name of a function or a word; digits
// are numbers, all else operators. "_" and "^" make the next atom a subscript or a
// superscript, braces group atoms, "hat" and "bar" accent the next one, and "frac" takes
// two. A slot, [name] or [name:kind], is a placeholder for a value. A line may break at a
// space before an operator outside parentheses, and in a long line before a factor. The
// output is MathML Core, which browsers render without a library, with the font
// assets/formulas.woff2.
package formula

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Slot returns the value of a slot with a name and a kind, "" for none: numbers as
// text, and whether they are a vector.
type Slot func(name, kind string) (numbers []string, vector bool)

// Mark returns the attributes of the element around a symbol and its scripts: " id=x",
// or "" if it is not a symbol.
type Mark func(sign string) string

// MathML returns inline <math> elements with spaces between them: browsers break lines
// between elements, and never within one. If mark is nil, no symbol has an element of its
// own.
func MathML(source string, slot Slot, mark Mark) string {
	p := &parser{rest: source, slot: slot, mark: mark}
	return open + p.row("") + "</math>"
}

const open = `<math displaystyle="true">`

// Text returns source with its slots filled, as plain text.
func Text(source string, slot Slot) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(source, "[")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		inside, rest, _ := strings.Cut(after, "]")
		name, kind, _ := strings.Cut(inside, ":")
		numbers, _ := slot(name, kind)
		b.WriteString(strings.Join(numbers, ", "))
		source = rest
	}
}

// Slots returns the names in the slots of source.
func Slots(source string) []string {
	var out []string
	Text(source, func(name, _ string) ([]string, bool) {
		out = append(out, name)
		return nil, false
	})
	return out
}

type parser struct {
	rest string
	slot Slot
	mark Mark
}

// row reads atoms up to a closing sign, or to the end if that is "".
func (p *parser) row(end string) string {
	var b strings.Builder
	depth, full, whole := 0, 0, false // depth of parentheses, letters of the line, it may end here
	for {
		rest := strings.TrimLeft(p.rest, " ")
		ends := whole && depth == 0 && end == "" && len(rest) < len(p.rest)
		p.rest = rest
		if p.rest == "" || end != "" && strings.HasPrefix(p.rest, end) {
			p.rest = strings.TrimPrefix(p.rest, end)
			return b.String()
		}
		letters := max(0, strings.IndexFunc(p.rest, func(r rune) bool { return !letter(r) }))
		name := utf8.RuneCountInString(p.rest[:letters]) > 1
		symbol := p.symbol()
		operator := strings.HasPrefix(symbol, "<mo>")
		if ends && (operator && !strings.Contains(symbol, "·") || full > 8) {
			b.WriteString("</math> " + open)
			full = 0
			if operator {
				symbol = `<mo form="infix"` + symbol[len("<mo"):]
			}
		}
		b.WriteString(symbol)
		if name && strings.HasPrefix(p.rest, " ") {
			b.WriteString(`<mspace width=".2em"></mspace>`)
		}
		for text := range strings.SplitSeq(symbol, "<") {
			_, text, _ = strings.Cut(text, ">")
			full += utf8.RuneCountInString(text)
		}
		depth += strings.Count(symbol, ">(<") - strings.Count(symbol, ">)<")
		whole = !operator || strings.Contains(",;…′", signOf(symbol))
	}
}

// symbol reads an atom with its scripts, and marks it if it is one.
func (p *parser) symbol() string {
	if strings.HasPrefix(p.rest, "[") {
		return p.scripted() // a slot is not a symbol
	}
	return p.marked(p.scripted())
}

// marked wraps the element of a symbol in one with its mark.
func (p *parser) marked(element string) string {
	if p.mark == nil {
		return element
	}
	if attributes := p.mark(signOf(element)); attributes != "" {
		return "<mrow" + attributes + ">" + element + "</mrow>"
	}
	return element
}

// signOf is the text of the innermost first element.
func signOf(element string) string {
	for {
		_, inside, _ := strings.Cut(element, ">")
		if !strings.HasPrefix(inside, "<m") || strings.HasPrefix(element, "<mfrac") ||
			strings.HasPrefix(element, "<mrow") {
			sign, _, _ := strings.Cut(inside, "<")
			return sign
		}
		element = inside
	}
}

// scripted reads an atom with its subscript and superscript. The subscript of a sum and
// of a function's name is set underneath.
func (p *parser) scripted() string {
	from := p.rest
	base := p.atom()
	low, high := "", ""
	for {
		switch {
		case strings.HasPrefix(p.rest, "_") && low == "":
			p.rest = p.rest[1:]
			low = p.marked(p.atom())
			continue
		case strings.HasPrefix(p.rest, "^") && high == "":
			p.rest = p.rest[1:]
			high = p.marked(p.atom())
			continue
		}
		break
	}
	under := strings.HasPrefix(from, "Σ") || strings.HasPrefix(base, "<mi>") &&
		utf8.RuneCountInString(base) > len("<mi>x</mi>")
	switch {
	case low == "" && high == "":
		return base
	case high == "" && under:
		return "<munder>" + base + low + "</munder>"
	case high == "":
		return "<msub>" + base + low + "</msub>"
	case low == "":
		return "<msup>" + base + high + "</msup>"
	}
	return "<msubsup>" + base + low + high + "</msubsup>"
}

// atom reads one thing, as exactly one element.
func (p *parser) atom() string {
	p.rest = strings.TrimLeft(p.rest, " ")
	if p.rest == "" {
		return "<mrow></mrow>"
	}
	switch r, size := utf8.DecodeRuneInString(p.rest); {
	case r == '{':
		p.rest = p.rest[1:]
		return "<mrow>" + p.row("}") + "</mrow>"
	case r == '[':
		inside, rest, _ := strings.Cut(p.rest[1:], "]")
		p.rest = rest
		return p.filled(inside)
	case unicode.IsDigit(r):
		return "<mn>" + p.run(func(r rune) bool { return unicode.IsDigit(r) || r == '.' }) + "</mn>"
	case letter(r):
		return p.word(p.run(letter))
	case strings.ContainsRune("()|", r):
		p.rest = p.rest[size:]
		return bracket(string(r))
	case r == 'Δ':
		p.rest = p.rest[size:]
		return `<mi mathvariant="normal">Δ</mi>`
	default:
		p.rest = p.rest[size:]
		return "<mo>" + escape(string(r)) + "</mo>"
	}
}

// bracket returns a bracket that does not stretch.
func bracket(sign string) string { return `<mo stretchy="false">` + sign + "</mo>" }

// run reads the longest prefix that satisfies is.
func (p *parser) run(is func(rune) bool) string {
	n := strings.IndexFunc(p.rest, func(r rune) bool { return !is(r) })
	if n < 0 {
		n = len(p.rest)
	}
	word := p.rest[:n]
	p.rest = p.rest[n:]
	return word
}

// word is a variable, a name, or one of the words of the notation.
func (p *parser) word(word string) string {
	switch word {
	case "hat":
		return `<mover accent="true">` + p.atom() + `<mo stretchy="false">ˆ</mo></mover>`
	case "bar":
		return `<mover accent="true">` + p.atom() + `<mo stretchy="false">¯</mo></mover>`
	case "frac":
		return "<mfrac>" + p.atom() + p.atom() + "</mfrac>"
	}
	if word == "near" {
		return "<mo>near</mo>"
	}
	return "<mi>" + word + "</mi>"
}

// filled returns a slot with its value: a number, or a vector.
func (p *parser) filled(inside string) string {
	name, kind, _ := strings.Cut(inside, ":")
	numbers, vector := p.slot(name, kind)
	var b strings.Builder
	for i, n := range numbers {
		if i > 0 {
			b.WriteString("<mo>,</mo>")
		}
		b.WriteString(number(n))
	}
	if vector {
		return "<mrow>" + bracket("(") + b.String() + bracket(")") + "</mrow>"
	}
	return "<mrow>" + b.String() + "</mrow>"
}

// number returns a number with a separate sign, or a word.
func number(text string) string {
	if rest, ok := strings.CutPrefix(text, "−"); ok {
		return `<mo form="prefix">−</mo><mn>` + escape(rest) + "</mn>"
	}
	if r, _ := utf8.DecodeRuneInString(text); unicode.IsLetter(r) {
		return "<mi>" + escape(text) + "</mi>"
	}
	return "<mn>" + escape(text) + "</mn>"
}

func escape(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}

// letter reports whether r is part of a name. Signs of sums and differences are not.
func letter(r rune) bool { return unicode.IsLetter(r) && r != 'Σ' && r != 'Δ' }
