package plan

import (
	"strconv"
	"strings"

	"flockscope/sim/param"
)

// Command returns a shell command that computes the plan and stores its results in a file. files are the plan's files
// of samples.
func (p *Plan) Command(out string, files ...string) string {
	words := []string{"flock", "sweep", "-o", out}
	for _, name := range files {
		words = append(words, "-data", name)
	}
	for _, x := range p.Axes {
		words = append(words, "-vary", x.String())
	}
	words = append(words, "-seeds", strconv.Itoa(p.Seeds))
	if p.Floats > 0 {
		words = append(words, "-floats", param.FormatFloat(p.Floats))
	}
	words = append(words, p.Query())
	for i, w := range words {
		words[i] = ShellWord(w)
	}
	return strings.Join(words, " ")
}

// ShellWord returns a word for a shell, quoted if necessary.
func ShellWord(w string) string {
	plain := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
			strings.ContainsRune("-_=.,:/+", c)
	}
	if w != "" && strings.IndexFunc(w, func(c rune) bool { return !plain(c) }) < 0 {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}
