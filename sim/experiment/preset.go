package experiment

import "strings"

// Preset turns the text of a preset file into a query: the same pairs, one or
// more a line, with blank lines and lines that begin with # left out.
func Preset(text string) string {
	var pairs []string
	for line := range strings.Lines(text) {
		line = strings.Trim(strings.TrimSpace(line), "&")
		if line != "" && !strings.HasPrefix(line, "#") {
			pairs = append(pairs, line)
		}
	}
	return strings.Join(pairs, "&")
}
