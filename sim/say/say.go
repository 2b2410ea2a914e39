// Package say says in the language of the page what code says in English.
//
// The English text, or the format that a text is made with, is the key of its
// translation, so that code is read without a table beside it. Without a table, in
// programs and workers, all is English.
//
//   - say.go: the table, and texts that are said at once
//   - message.go: texts that are said later, and elsewhere, perhaps in another language
//   - verbs.go: where the arguments of a format stand
//   - english.go: numbers of things and lists
package say

import (
	"fmt"
	"strings"
	"sync/atomic"
)

// Table has the translation of each English text and format. The verbs of a format stand
// in its translation too, as %[2]s where another order is better.
type Table map[string]string

// ReadTable reads lines of English, a tab and the translation. Empty lines and those that
// begin with // are left out.
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

// language is what texts are said in.
type language struct {
	tag   string
	table Table
}

var inUse atomic.Pointer[language]

// Use has all texts from now on said in a language, such as "zh-Hans", by its table. With
// "" they are English.
func Use(tag string, t Table) { inUse.Store(&language{tag, t}) }

// Language is the tag of the language in use, "" for English.
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

// Text says a text, or a message, in the language in use. What has no translation is
// English.
func Text[T ~string](text T) string { return table().say(string(text)) }

// Textf says a text that is made by a format as in [fmt.Sprintf]. Messages and errors
// among the arguments are said in the language too; strings are names, and stay as they
// are.
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
