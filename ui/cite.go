package ui

import (
	"slices"
	"strings"

	"flockscope/sim/registry"
)

// What to cite: this program, and the paper of each lane's algorithm and of the
// data.

// papers are the papers behind the present settings, each once.
func (a *App) papers() (out []registry.Citation, names []string) {
	add := func(name string, c registry.Citation) {
		c.Where = ""
		if !slices.Contains(out, c) {
			out, names = append(out, c), append(names, name)
		}
	}
	for lane, l := range a.Config.Lanes() {
		add(l.Algorithm, a.Algorithm(lane).Paper)
	}
	for i := range a.Schema.Workloads {
		if w := &a.Schema.Workloads[i]; w.Name == a.Config.Workload() {
			add(w.Name, w.Paper)
		}
	}
	return out, names
}

// about is the program in a list of references.
const about = "Flockscope: clustered federated learning, simulated in a browser tab"

// Citation is what to cite in plain words.
func (a *App) Citation() string {
	lines := []string{about + ". " + a.Home + "?" + a.Link() + resultOf(a) + "."}
	papers, _ := a.papers()
	for _, c := range papers {
		line := c.Authors + " (" + itoa(c.Year) + "). " + c.Title + "."
		if c.Venue != "" {
			line += " " + c.Venue + "."
		}
		lines = append(lines, strings.TrimSpace(line+" "+c.URL))
	}
	return strings.Join(lines, "\n") + "\n"
}

// resultOf is the result that belongs to the link, if it is there.
func resultOf(a *App) string {
	if !a.Complete() {
		return ""
	}
	return ", result " + a.Fingerprint()
}

// bibtex is the same for BibTeX.
func (a *App) bibtex() string {
	var b strings.Builder
	entry := func(kind, key string, fields ...string) {
		b.WriteString("@" + kind + "{" + key)
		for i := 0; i < len(fields); i += 2 {
			if fields[i+1] != "" {
				b.WriteString(",\n  " + fields[i] + " = {" + fields[i+1] + "}")
			}
		}
		b.WriteString("\n}\n")
	}
	entry("misc", "flockscope", "title", "{Flockscope}"+strings.TrimPrefix(about, "Flockscope"), "url", a.Home+"?"+a.Link(), "note", strings.TrimPrefix(resultOf(a), ", "))
	papers, names := a.papers()
	for i, c := range papers {
		entry("misc", names[i]+itoa(c.Year), "author", tex.Replace(strings.ReplaceAll(c.Authors, ", ", " and ")),
			"title", "{"+tex.Replace(c.Title)+"}", "howpublished", tex.Replace(c.Venue), "year", itoa(c.Year), "url", c.URL)
	}
	return b.String()
}

// tex escapes what means something to TeX.
var tex = strings.NewReplacer("&", `\&`, "%", `\%`, "_", `\_`, "#", `\#`, "$", `\$`)
