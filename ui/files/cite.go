package files

import (
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/registry"
)

// Citations: this program, and the papers of the lanes' methods and of the data.

// Papers returns the papers of an experiment's methods and data without duplicates, and the name of
// the method or data of each.
func Papers(schema *experiment.Schema, config experiment.Config) (out []registry.Citation, names []string) {
	add := func(name string, c registry.Citation) {
		c.Where = ""
		if !slices.Contains(out, c) {
			out, names = append(out, c), append(names, name)
		}
	}
	for _, l := range config.Lanes() {
		for i := range schema.Algorithms {
			if m := &schema.Algorithms[i]; m.Name == l.Algorithm {
				add(l.Algorithm, m.Paper)
			}
		}
	}
	for i := range schema.Workloads {
		if w := &schema.Workloads[i]; w.Name == config.Workload() {
			add(w.Name, w.Paper)
		}
	}
	return out, names
}

// programTitle is the title of the program in references.
const programTitle = "Flockscope: clustered federated learning, simulated in a browser tab"

// Citation returns the citation as plain text: a link with its result, "" if unknown, and the
// papers.
func Citation(link, result string, papers []registry.Citation) string {
	if result != "" {
		result = ", result " + result
	}
	lines := []string{programTitle + ". " + link + result + "."}
	for _, c := range papers {
		line := c.Authors + " (" + strconv.Itoa(c.Year) + "). " + c.Title + "."
		if c.Venue != "" {
			line += " " + c.Venue + "."
		}
		lines = append(lines, strings.TrimSpace(line+" "+c.URL))
	}
	return strings.Join(lines, "\n") + "\n"
}

// BibTeX is the same for BibTeX; names are those of [Papers].
func BibTeX(link, result string, papers []registry.Citation, names []string) string {
	if result != "" {
		result = "result " + result
	}
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
	entry("misc", "flockscope", "title", "{Flockscope}"+strings.TrimPrefix(programTitle, "Flockscope"), "url", link, "note",
		result)
	for i, c := range papers {
		kind, where, venue := publication(c.Venue)
		entry(kind, names[i]+strconv.Itoa(c.Year), "author", texEscaper.Replace(fullNames(c)),
			"title", "{"+texEscaper.Replace(c.Title)+"}", where, texEscaper.Replace(venue), "year", strconv.Itoa(c.Year),
			"url", c.URL)
	}
	return b.String()
}

// fullNames returns the authors of a paper for BibTeX, with their given names if there are as many.
func fullNames(c registry.Citation) string {
	authors, given := strings.Split(c.Authors, ", "), strings.Split(c.Given, ", ")
	for i := range authors {
		if len(given) == len(authors) {
			authors[i] += ", " + given[i]
		}
	}
	return strings.Join(authors, " and ")
}

// publication returns the kind of a BibTeX entry for a venue, its field for the venue, and the venue's full name.
func publication(venue string) (kind, field, name string) {
	const proceedings = "Proceedings of the "
	switch venue {
	case "", "arXiv":
		return "misc", "howpublished", venue
	case "AAAI":
		name = proceedings + "AAAI Conference on Artificial Intelligence"
	case "AISTATS":
		name = proceedings + "International Conference on Artificial Intelligence and Statistics"
	case "ICLR":
		name = proceedings + "International Conference on Learning Representations"
	case "ICML":
		name = proceedings + "International Conference on Machine Learning"
	case "ICPP":
		name = proceedings + "International Conference on Parallel Processing"
	case "IEEE BigData":
		name = proceedings + "IEEE International Conference on Big Data"
	case "MLSys":
		name = "Proceedings of Machine Learning and Systems"
	case "NeurIPS":
		name = "Advances in Neural Information Processing Systems"
	default:
		return "article", "journal", venue
	}
	return "inproceedings", "booktitle", name
}

// texEscaper escapes special characters of TeX.
var texEscaper = strings.NewReplacer("&", `\&`, "%", `\%`, "_", `\_`, "#", `\#`, "$", `\$`, "{", `\{`, "}", `\}`,
	`\`, `\textbackslash{}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`)
