package say

import (
	"errors"
	"fmt"
	"strings"
)

// Message is a text that is translated when it is shown, not when it is made: an engine, which has
// no translations, says why it refuses a file, and the page shows it. A message has formats and
// arguments, between the marks below, and may have plain text around them. Printed or written as
// JSON it is English.
type Message string

// The marks of a message are before its format, before each argument and at its end. An argument
// that begins with literal is not translated.
const (
	messageOpen, next, ends = '\x01', '\x02', '\x03'
	literal                 = '\x04'
	marks                   = "\x01\x02\x03\x04"
)

// maxDepth is the most levels of nested messages. Without a limit, time could grow with the square
// of the length of a hostile message.
const maxDepth = 16

// Messagef returns a message with a format as in [fmt.Sprintf]. Messages and errors among the
// arguments are translated with it; strings are names, and stay as they are. The verb of a message
// or an error is %s.
func Messagef(format string, args ...any) Message {
	if false {
		_ = fmt.Sprintf(format, args...) // go vet checks the calls
	}
	var b strings.Builder
	b.WriteByte(messageOpen)
	b.WriteString(format)
	for i, verb := range verbs(format) {
		b.WriteByte(next)
		switch at := verb.argument(i); {
		case at >= len(args):
			b.WriteString("%!(MISSING)")
		default:
			switch arg := args[at].(type) {
			case Message:
				b.WriteString(string(arg))
			case error:
				b.WriteString(string(Of(arg)))
			default:
				b.WriteByte(literal)
				b.WriteString(plain(fmt.Sprintf(verb.withoutIndex, arg)))
			}
		}
	}
	b.WriteByte(ends)
	return Message(b.String())
}

// plain removes the marks of messages, which a file may contain.
func plain(text string) string {
	if !strings.ContainsAny(text, marks) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if r <= literal && r > 0 {
			return -1
		}
		return r
	}, text)
}

// Name returns a message with a text that is the same in all languages.
func Name(text string) Message {
	if text == "" {
		return ""
	}
	return Messagef("%s", text)
}

// named returns an argument as a message.
func named(arg string) Message {
	if name, ok := strings.CutPrefix(arg, string(literal)); ok {
		return Name(name)
	}
	return Message(arg)
}

// String returns the message in English.
func (m Message) String() string { return Table(nil).say(string(m)) }

// Cut splits a message of [JoinMessage] with two texts, or a plain text, at the separator.
func (m Message) Cut(mark string) (before, after Message, found bool) {
	if !strings.ContainsRune(string(m), messageOpen) {
		before, after, found := strings.Cut(string(m), mark)
		return Message(before), Message(after), found
	}
	rest, found := strings.CutPrefix(string(m), string(messageOpen)+"%s"+mark+"%s"+string(next))
	if !found {
		return m, "", false
	}
	end := argumentEnd(rest)
	before, rest = named(rest[:end]), strings.TrimPrefix(rest[end:], string(next))
	return before, named(rest[:argumentEnd(rest)]), true
}

// MarshalText writes the message in English.
func (m Message) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// failure is an error that has a message.
type failure struct {
	message Message
	cause   error
}

func (f *failure) Error() string    { return f.message.String() }
func (f *failure) Unwrap() error    { return f.cause }
func (f *failure) Message() Message { return f.message }

// Errorf returns an error whose text is a message. It wraps the last error among the arguments, if any.
func Errorf(format string, args ...any) error {
	if false {
		_ = fmt.Errorf(format, args...) // go vet checks the calls
	}
	f := &failure{message: Messagef(format, args...)}
	for _, arg := range args {
		if err, ok := arg.(error); ok {
			f.cause = err
		}
	}
	return f
}

// Of returns the message of an error, or its text as a message.
func Of(err error) Message {
	var of interface{ Message() Message }
	if errors.As(err, &of) && of.(error).Error() == err.Error() {
		return of.Message()
	}
	return Name(err.Error())
}

// say translates a message or a plain text.
func (t Table) say(text string) string { return t.sayNested(text, 0) }

// sayNested is say for a text at a depth of nested messages.
func (t Table) sayNested(text string, depth int) string {
	if !strings.ContainsRune(text, messageOpen) {
		if said, ok := t[text]; ok {
			return said
		}
		return text
	}
	if depth == maxDepth {
		return plain(text)
	}
	var b strings.Builder
	for text != "" {
		before, after, found := strings.Cut(text, string(messageOpen))
		b.WriteString(before)
		if !found {
			break
		}
		text = t.sayFirst(&b, after, depth)
	}
	return b.String()
}

// sayFirst translates the message at the start of text, without its opening mark, and returns the
// rest.
func (t Table) sayFirst(b *strings.Builder, text string, depth int) (rest string) {
	end := strings.IndexAny(text, marks)
	if end < 0 {
		b.WriteString(text) // truncated
		return ""
	}
	format, text := text[:end], text[end:]
	var args []string
	for strings.HasPrefix(text, string(next)) {
		text = text[1:]
		end := argumentEnd(text)
		switch arg := text[:end]; {
		case strings.HasPrefix(arg, string(literal)):
			args = append(args, plain(arg[1:]))
		default:
			args = append(args, t.sayNested(arg, depth+1))
		}
		text = text[end:]
	}
	if own, ok := t[format]; ok {
		format = own
	}
	from := 0
	for i, verb := range verbs(format) {
		b.WriteString(strings.ReplaceAll(format[from:verb.start], "%%", "%"))
		if n := verb.argument(i); n < len(args) {
			b.WriteString(args[n])
			args[n] = "" // once: otherwise a format from elsewhere could multiply its arguments
		}
		from = verb.end
	}
	b.WriteString(strings.ReplaceAll(format[from:], "%%", "%"))
	return strings.TrimPrefix(text, string(ends))
}

// argumentEnd returns the end of the argument at the start of text: the next mark outside nested
// messages.
func argumentEnd(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case messageOpen:
			depth++
		case ends:
			if depth == 0 {
				return i
			}
			depth--
		case next:
			if depth == 0 {
				return i
			}
		}
	}
	return len(text)
}
