package experiment

import "strings"

// Preset converts the text of a preset file, as package textfile reads it, into a query. The file
// has the same pairs, one or more per line. Blank lines and comments are skipped. A comment begins
// with # at the start of a line, after a space, or after a pair, as the fragment of a link does.
func Preset(text string) string {
	var pairs strings.Builder
	for line := range strings.Lines(text) {
		for i := range line {
			before := line[:i]
			if line[i] == '#' && !strings.HasSuffix(before, "&") && // "&#38;" is an entity
				(i == 0 || strings.HasSuffix(before, " ") || strings.HasSuffix(before, "\t") ||
					strings.Contains(before, "=")) {
				line = before + "\n"
				break
			}
		}
		pairs.WriteString(line)
	}
	return new(Link).joinBrokenLines(pairs.String())
}
