package report

import (
	"fmt"
	"html"
	"io"
	"strings"
)

// Document is a report: headings, sentences, tables and pictures.
type Document struct {
	Title string
	Parts []Part
}

// Part is one section of a document. Empty fields are omitted.
type Part struct {
	Heading string
	Level   int      // level of the heading; 0 is directly below the title
	Text    []string // paragraphs
	Table   *Table
	Picture string // an SVG picture, which HTML includes
	Alt     string // what the picture shows
	Image   string // address of the picture, for Markdown; "" to leave it out
}

func (p *Part) level() int { return max(2, p.Level) }

// Under returns the document as a section of another.
func (d *Document) Under() []Part {
	out := []Part{{Heading: d.Title}}
	for _, p := range d.Parts {
		p.Level = p.level() + 1
		out = append(out, p)
	}
	return out
}

// Table has a head and rows of equal length. The first Names columns hold names, the last Words columns sentences, and the
// others numbers.
type Table struct {
	Caption string
	Names   int
	Words   int
	Head    []string
	Rows    [][]Cell
}

func (t *Table) isText(column int) bool { return column < t.Names || column >= len(t.Head)-t.Words }

// TextRow returns a row of plain texts.
func TextRow(texts ...string) (row []Cell) {
	for _, text := range texts {
		row = append(row, Cell{Text: text})
	}
	return row
}

// Cell is a word or a number in a table.
type Cell struct {
	Text  string
	Query string // query of the run that the number comes from; "" for none
	Link  string // address of another page, in place of Query
	Hint  string // tooltip of the link
	Bold  bool
}

// Format is a format of documents.
type Format string

// The formats of documents.
const (
	Markdown Format = "markdown"
	LaTeX    Format = "latex"
	HTML     Format = "html"
)

// Write writes the document. site is the address of the page, to which the query of a
// run is added: "http://localhost:8080/".
func (d *Document) Write(w io.Writer, format Format, site string) error {
	out := &writer{site: site}
	switch format {
	case LaTeX:
		out.latex(d)
	case HTML:
		out.html(d)
	default:
		out.markdown(d)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

type writer struct {
	strings.Builder
	site string
}

func (w *writer) f(format string, args ...any) { fmt.Fprintf(w, format, args...) }

func (w *writer) link(query string) string { return w.site + "?" + query }

// address returns what a cell links to, "" for nothing.
func (w *writer) address(c *Cell) string {
	if c.Query != "" {
		return w.link(c.Query)
	}
	return c.Link
}

var markdownEscape = strings.NewReplacer("|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", "`", "\\`", "[", `\[`,
	"]", `\]`)

func (w *writer) markdown(d *Document) {
	if d.Title != "" {
		w.f("# %s\n", d.Title)
	}
	for _, p := range d.Parts {
		if p.Heading != "" {
			w.f("\n%s %s\n", strings.Repeat("#", p.level()), markdownEscape.Replace(p.Heading))
		}
		for _, text := range p.Text {
			w.f("\n%s\n", text)
		}
		if p.Image != "" {
			w.f("\n![%s](%s)\n", markdownEscape.Replace(p.Alt), p.Image)
		}
		if t := p.Table; t != nil {
			if t.Caption != "" {
				w.f("\n**%s**\n", markdownEscape.Replace(t.Caption))
			}
			w.WriteString("\n|")
			for _, h := range t.Head {
				w.f(" %s |", markdownEscape.Replace(h))
			}
			w.WriteString("\n|")
			for i := range t.Head {
				if t.isText(i) {
					w.WriteString("---|")
				} else {
					w.WriteString("---:|")
				}
			}
			for _, row := range t.Rows {
				w.WriteString("\n|")
				for i := range row {
					c := &row[i]
					text := markdownEscape.Replace(c.Text)
					if to := strings.ReplaceAll(w.address(c), "|", "%7C"); to != "" && c.Hint != "" {
						text = fmt.Sprintf("[%s](%s \"%s\")", text, to, strings.ReplaceAll(c.Hint, `"`, "'"))
					} else if to != "" {
						text = fmt.Sprintf("[%s](%s)", text, to)
					}
					if c.Bold {
						text = "**" + text + "**"
					}
					w.f(" %s |", text)
				}
			}
			w.WriteString("\n")
		}
	}
}

// latexEscape escapes characters that LaTeX treats specially, or that its fonts do not have.
var latexEscape = strings.NewReplacer(`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`,
	"{", `\{`, "}", `\}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "±", `$\pm$`, "−", `$-$`, "–", "--",
	"×", `$\times$`, "χ²", `$\chi^2$`, "≤", `$\leq$`, "≥", `$\geq$`, "α", `$\alpha$`, "σ", `$\sigma$`, "φ", `$\varphi$`,
	"Δ", `$\Delta$`, "ρ", `$\rho$`, "°", `$^\circ$`, "→", `$\to$`, "`", "", "·", `$\cdot$`, "é", `\'e`, "<", `$<$`,
	">", `$>$`, "[", "{[}", "]", "{]}")

var latexURL = strings.NewReplacer("%", `\%`, "#", `\#`, "&", `\&`, "_", `\_`, "^", `\%5E`, "~", `\%7E`, "{", `\%7B`,
	"}", `\%7D`, `\`, `\%5C`)

func (w *writer) latex(d *Document) {
	w.WriteString("% Needs \\usepackage{booktabs} and \\usepackage{hyperref} in the preamble.\n")
	if d.Title != "" {
		w.f("\\section*{%s}\n", latexEscape.Replace(d.Title))
	}
	for _, p := range d.Parts {
		if p.Heading != "" {
			w.f("\n\\%ssection*{%s}\n", strings.Repeat("sub", p.level()-1), latexEscape.Replace(p.Heading))
		}
		for _, text := range p.Text {
			w.f("\n%s\n", latexEscape.Replace(text))
		}
		t := p.Table
		if t == nil {
			continue
		}
		w.f("\n\\begin{table}[htbp]\n\\centering\n")
		if t.Caption != "" {
			w.f("\\caption{%s}\n", latexEscape.Replace(t.Caption))
		}
		w.f("\\begin{tabular}{%s%s%s}\n\\toprule\n", strings.Repeat("l", t.Names),
			strings.Repeat("r", len(t.Head)-t.Names-t.Words), strings.Repeat("l", t.Words))
		for i, h := range t.Head {
			if i > 0 {
				w.WriteString(" & ")
			}
			w.WriteString(latexEscape.Replace(h))
		}
		w.WriteString(" \\\\\n\\midrule\n")
		for _, row := range t.Rows {
			for i := range row {
				c := &row[i]
				if i > 0 {
					w.WriteString(" & ")
				}
				text := latexEscape.Replace(c.Text)
				if c.Bold {
					text = "\\textbf{" + text + "}"
				}
				if to := w.address(c); to != "" {
					text = "\\href{" + latexURL.Replace(to) + "}{" + text + "}"
				}
				w.WriteString(text)
			}
			w.WriteString(" \\\\\n")
		}
		w.WriteString("\\bottomrule\n\\end{tabular}\n\\end{table}\n")
	}
}

func (w *writer) html(d *Document) {
	w.f("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n")
	w.f("<title>%s</title>\n<style>\nbody{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}\n"+
		".wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"+
		"caption{text-align:left;font-weight:600;padding:.5rem 0}th,td{padding:.2rem .6rem;border-bottom:1px solid #ccd;text-align:right}\n"+
		".name{text-align:left}img,svg{max-width:100%%;height:auto}\n</style>\n", html.EscapeString(d.Title))
	w.f("<h1>%s</h1>\n", html.EscapeString(d.Title))
	for i, p := range d.Parts {
		if p.Heading != "" {
			w.f("<h%d>%s</h%[1]d>\n", p.level(), html.EscapeString(p.Heading))
		}
		for _, text := range p.Text {
			w.f("<p>%s</p>\n", html.EscapeString(text))
		}
		if t := p.Table; t != nil {
			name := func(i int) string {
				if t.isText(i) {
					return ` class="name"`
				}
				return ""
			}
			w.f("<div class=\"wide\"><table>\n<caption>%s</caption>\n<tr>", html.EscapeString(t.Caption))
			for i, h := range t.Head {
				w.f("<th%s>%s</th>", name(i), html.EscapeString(h))
			}
			w.WriteString("</tr>\n")
			for _, row := range t.Rows {
				w.WriteString("<tr>")
				for i := range row {
					c := &row[i]
					text := html.EscapeString(c.Text)
					if c.Bold {
						text = "<b>" + text + "</b>"
					}
					if to := w.address(c); to != "" {
						text = fmt.Sprintf("<a href=\"%s\" title=\"%s\">%s</a>", html.EscapeString(to),
							html.EscapeString(c.Hint), text)
					}
					w.f("<td%s>%s</td>", name(i), text)
				}
				w.WriteString("</tr>\n")
			}
			w.WriteString("</table></div>\n")
		}
		names := strings.NewReplacer(`id="title"`, fmt.Sprintf(`id="title%d"`, i), `id="desc"`, fmt.Sprintf(`id="desc%d"`, i),
			`"title desc"`, fmt.Sprintf(`"title%d desc%[1]d"`, i)) // unique in a page
		w.WriteString(names.Replace(p.Picture))
	}
	w.WriteString("</html>\n")
}
