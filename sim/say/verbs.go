package say

import "strconv"

// verb is one verb of a format, such as %d or %[2]s.
type verb struct {
	start, end   int
	index        int    // index as in %[2]s, 0 if it has none
	withoutIndex string // the verb without its index
}

// argument returns the index of the verb's argument, for the verb with index i.
func (v verb) argument(i int) int {
	if v.index > 0 {
		return v.index - 1
	}
	return i
}

// verbs returns the verbs of a format, without %%.
func verbs(format string) []verb {
	var all []verb
	for at := 0; at < len(format); at++ {
		if format[at] != '%' {
			continue
		}
		flags := span(format, at+1)
		v, end := verb{start: at}, at+1+len(flags)
		if end < len(format) && format[end] == '[' {
			from := end + 1
			for end < len(format) && format[end] != ']' {
				end++
			}
			v.index, _ = strconv.Atoi(format[from:end])
			end = min(end+1, len(format))
		}
		rest := span(format, end)
		if end += len(rest); end < len(format) && letter(format[end]) {
			v.withoutIndex = "%" + flags + rest + format[end:end+1]
			v.end = end + 1
			all = append(all, v)
		}
		at = end
	}
	return all
}

// span returns the part of a format from an index up to a letter, a % or a [.
func span(format string, from int) string {
	end := from
	for end < len(format) && !letter(format[end]) && format[end] != '%' && format[end] != '[' {
		end++
	}
	return format[from:end]
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
