// Package say translates texts into the language of the page.
//
// Texts in the code are English. A text or format is the key of its translation, as in gettext.
// Without a table of translations, as in commands and workers, texts stay English.
//
//   - say.go: the table, and immediate translation
//   - message.go: texts that are translated when they are shown, perhaps by another process
//   - verbs.go: the verbs of a format
//   - english.go: plurals and lists
//   - number.go: numbers for people
package say

import (
	"fmt"
	"strings"
	"sync/atomic"
)

// Table has the translation of each English text and format. A translation has the verbs of its
// format, as %[2]s if their order differs.
type Table map[string]string

// ReadTable reads lines of English, a tab and the translation. Empty lines and lines that begin
// with // are skipped.
func ReadTable(text string) Table {
	t := Table{}
	for line := range strings.Lines(text) {
		key, said, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
		if ok && !strings.HasPrefix(key, "//") {
			t[key] = said
		}
	}
	return t
}

// language is a language with its table.
type language struct {
	tag   string
	table Table
}

var inUse atomic.Pointer[language]

// Use sets the language, such as "zh-Hans", and its table. "" is English.
func Use(tag string, t Table) { inUse.Store(&language{tag, t}) }

// Language returns the tag of the language in use, "" for English.
func Language() string {
	if l := inUse.Load(); l != nil {
		return l.tag
	}
	return ""
}

func table() Table {
	if l := inUse.Load(); l != nil {
		return l.table
	}
	return nil
}

// Text translates a text or a message. Texts without a line in the table stay English.
func Text[T ~string](text T) string { return table().say(string(text)) }

// Textf translates a format and then formats as [fmt.Sprintf] does. Messages and errors
// among the arguments are translated too; strings are names, and stay as they are.
func Textf(format string, args ...any) string {
	if false {
		_ = fmt.Sprintf(format, args...) // go vet checks the calls
	}
	t := table()
	said := make([]any, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case Message:
			said[i] = t.say(string(arg))
		case error:
			said[i] = t.say(string(Of(arg)))
		default:
			said[i] = arg
		}
	}
	if own, ok := t[format]; ok {
		format = own
	}
	return fmt.Sprintf(format, said...)
}
