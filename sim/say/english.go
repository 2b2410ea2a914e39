package say

import "strings"

// Count returns a number with a noun, translated: "1 circle", "4 circles", "2 pluses". The table
// has a line for singular and plural, "%d circle" and "%d circles".
func Count(n int, noun string) string { return Textf("%d "+Plural(n, noun), n) }

// CountMessage is [Count] as a message.
func CountMessage(n int, noun string) Message { return Messagef("%d "+Plural(n, noun), n) }

// Plural returns an English noun in the form for a number: the singular for 1, else the plural.
func Plural(n int, noun string) string {
	switch {
	case n == 1:
		return noun
	case strings.HasSuffix(noun, "s"):
		return noun + "es"
	}
	return noun + "s"
}

// Join joins texts with a separator. The table's line for the separator ", " is that of "%s, %s".
// Messages are translated, strings stay as they are.
func Join[T string | Message](texts []T, mark string) string { return Text(joined(texts, mark)) }

// JoinMessage is [Join] as a message.
func JoinMessage[T string | Message](texts []T, mark string) Message { return joined(texts, mark) }

// List returns "a", "a and b" or "a, b and c", translated as in [Join].
func List[T string | Message](texts []T) string { return Text(listed(texts)) }

// ListMessage is [List] as a message.
func ListMessage[T string | Message](texts []T) Message { return listed(texts) }

// joined joins each half of the texts and then the halves, so that messages are not nested deeply.
func joined[T string | Message](texts []T, mark string) Message {
	switch n := len(texts); n {
	case 0:
		return ""
	case 1:
		return asMessage(texts[0])
	default:
		return Messagef("%s"+mark+"%s", joined(texts[:n/2], mark), joined(texts[n/2:], mark))
	}
}

func listed[T string | Message](texts []T) Message {
	n := len(texts)
	if n < 2 {
		return joined(texts, "")
	}
	return Messagef("%s and %s", joined(texts[:n-1], ", "), texts[n-1])
}

// asMessage returns a text as a message.
func asMessage[T string | Message](text T) Message {
	if text, ok := any(text).(Message); ok {
		return text
	}
	return Name(string(text))
}
