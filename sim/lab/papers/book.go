package papers

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"flockscope/sim/lab/report"
	"flockscope/sim/say"
)

// Page is the result of one sweep on one set of samples: a page of the book of results.
type Page struct {
	Sweep    *Sweep
	Document *report.Document // nil if no runs have been computed
	Verdicts []Verdict        // of the sweep's claims, in their order
	Missing  int              // runs that have not been computed
}

// Name returns the name of the page's file without its ending: "clove-tab1-mnist".
func (p *Page) Name() string {
	name := p.Sweep.Name
	if p.Sweep.set != "" {
		name += "-" + strings.Trim(notInNames.ReplaceAllString(strings.ToLower(p.Sweep.set), "-"), "-")
	}
	if p.Sweep.IsReduced {
		name += "-reduced"
	}
	return name
}

var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// Set describes the samples in a word: the name of a set of files, "drawn", or "as in the paper" where the paper draws
// them, too.
func (p *Page) Set() string {
	switch {
	case p.Sweep.set != "":
		return p.Sweep.set
	case p.Sweep.isOwn() || len(p.Sweep.Real) > 0 || strings.Contains(p.Sweep.Data, "; the paper has"):
		return "drawn"
	}
	return "as in the paper"
}

// isOwn reports whether the table is of no paper.
func (s *Sweep) isOwn() bool { return strings.HasPrefix(s.Source, "Flockscope's own") }

// tally counts verdicts by their words.
type tally map[string]int

// words has one sign for each word that counts, in the order of a bar.
var words = []struct{ word, sign string }{{Holds, "●"}, {Undecided, "○"}, {Fails, "✕"}}

// barSigns is the most signs of a bar: one for each claim, or for several.
const barSigns = 20

// bar draws the counts as signs: one for each claim if there are at most barSigns, else in proportion, with at least one
// for each word that occurs.
func (t tally) bar() string {
	all := 0
	for _, w := range words {
		all += t[w.word]
	}
	var out strings.Builder
	for _, w := range words {
		n := t[w.word]
		if all > barSigns && n > 0 {
			n = max(1, (n*barSigns+all/2)/all)
		}
		out.WriteString(strings.Repeat(w.sign, n))
	}
	return cmp.Or(out.String(), "–")
}

// tableName is a table or figure in the text of a claim: "Table 2", "002, Figure 4(a)".
var tableName = regexp.MustCompile(`\b(?:00\d[,:]? )?(?:Table|Figure) \d+`)

// tallies counts a page's verdicts by the table or figure that claims name; those that name none, or that of the page,
// are under "".
func (p *Page) tallies() (names []string, of map[string]tally) {
	of = map[string]tally{}
	own := tableName.FindString(p.Sweep.Title)
	for i := range p.Verdicts {
		name := tableName.FindString(p.Sweep.Claims[i].Where)
		if name == own {
			name = ""
		}
		if of[name] == nil {
			names, of[name] = append(names, name), tally{}
		}
		of[name][p.Verdicts[i].Word]++
	}
	if len(names) == 0 {
		return []string{""}, map[string]tally{"": {}}
	}
	return names, of
}

// Summary returns the first page of the book: a row for each table or figure, with links to the pages. ending is that of
// the pages' files, in the folder named folder.
func Summary(pages []*Page, sweeps []*Sweep, folder, ending string) *report.Document {
	d := &report.Document{Title: "Tables and figures of three papers: what holds here"}
	t := &report.Table{Names: 2, Head: []string{"table or figure", "samples", "holds", "undecided", "does not hold", "claims",
		"size, and what is missing"},
		Caption: "A row for each table or figure; its link opens the numbers, each with a link to the run that gives it"}
	total, rows, waiting, few := tally{}, 0, 0, 0
	for _, p := range pages {
		if p.Document == nil {
			row := []report.Cell{{Text: p.Sweep.Title}, {Text: p.Set()}}
			for range len(words) + 1 {
				row = append(row, report.Cell{Text: "–"})
			}
			t.Rows, waiting = append(t.Rows, append(row, report.Cell{Text: "not run yet"})), waiting+1
			continue
		}
		names, of := p.tallies()
		for i := range p.Verdicts {
			if v := &p.Verdicts[i]; !p.Sweep.isOwn() && (v.Word == Holds || v.Word == Fails) && v.N < 10 {
				few++
			}
		}
		for _, name := range names {
			counts := of[name]
			title := p.Sweep.Title
			if name != "" {
				paper, _, _ := strings.Cut(title, ",")
				title = fmt.Sprintf("%s, %s (%s)", paper, name, p.Sweep.Name) // several sweeps may be of one table
			}
			row := []report.Cell{{Text: title, Link: folder + "/" + p.Name() + ending}, {Text: p.Set()}}
			for _, w := range words {
				row = append(row, report.Cell{Text: fmt.Sprint(counts[w.word])})
				if !p.Sweep.isOwn() {
					total[w.word] += counts[w.word]
				}
			}
			total[NotJudged] += counts[NotJudged]
			row = append(row, report.Cell{Text: counts.bar()}, report.Cell{Text: p.note(counts)})
			if t.Rows = append(t.Rows, row); !p.Sweep.isOwn() {
				rows++
			}
		}
	}
	intro := []string{
		fmt.Sprintf("Of %s of papers in the %s below, %s %s, %s %s undecided, and %s %s not hold. %s of the decided ones "+
			"%s from five to nine pairs, where intervals are rough: at five pairs they cover 91%% in place of 95%%.",
			say.Amount(total[Holds]+total[Undecided]+total[Fails], "claim"), say.Amount(rows, "row"),
			say.Whole(total[Holds]), say.Either(total[Holds], "holds", "hold"),
			say.Whole(total[Undecided]), say.Either(total[Undecided], "is", "are"),
			say.Whole(total[Fails]), say.Either(total[Fails], "does", "do"), say.Whole(few), say.Either(few, "is", "are")),
		"A claim is an ordering that the paper states in its text or prints in bold; what cannot be put as a claim is listed as absent on " +
			"a table's page. A sentence about several settings is a claim for each of them, and released programs count as methods of " +
			"their own. A claim holds (●) if the " +
			"95% bootstrap interval of the mean paired difference is above zero, and does not hold (✕) if it is below, with at least " +
			"five pairs and a better score above guessing. Otherwise it is undecided (○).",
		"The runs have the paper's size unless the last column says what is smaller; then only orders can be compared, and orders, too, " +
			"can depend on size. What else differs is on each table's page. Bars of more than " + fmt.Sprint(barSigns) + " claims are scaled.",
	}
	if waiting > 0 {
		intro = append(intro, fmt.Sprintf("%s, which the last column names, %s not been run yet.",
			say.Amount(waiting, "further row"), say.Either(waiting, "has", "have")))
	}
	if total[NotJudged] > 0 {
		intro = append(intro, fmt.Sprintf("%s on numbers, or without runs, %s not judged.", say.Amount(total[NotJudged], "claim"),
			say.Either(total[NotJudged], "is", "are")))
	}
	d.Parts = []report.Part{{Text: intro}, {Table: t}}
	if part, ok := impossible(sweeps); ok {
		d.Parts = append(d.Parts, part)
	}
	return d
}

// note says in which way a page's runs are not the paper's.
func (p *Page) note(counts tally) string {
	var out []string
	if p.Sweep.IsReduced {
		out = append(out, "reduced form: not comparable")
	}
	for _, s := range p.Sweep.Smaller {
		out = append(out, fmt.Sprintf("%s times smaller: %s", say.Number(s.Factor), s.What))
	}
	if p.Missing > 0 {
		out = append(out, say.Amount(p.Missing, "run")+" to come")
	}
	if n := counts[NotJudged]; n > 0 {
		out = append(out, say.Amount(n, "claim")+" not judged")
	}
	if p.Sweep.isOwn() {
		out = append(out, "of no paper")
	}
	return cmp.Or(strings.Join(out, "; "), "the paper's size")
}

// impossible lists the sweeps that cannot be run; ok is false if there are none.
func impossible(sweeps []*Sweep) (part report.Part, ok bool) {
	t := &report.Table{Names: 2, Head: []string{"what", "why"}}
	for _, s := range sweeps {
		if len(s.Cannot) > 0 {
			t.Rows = append(t.Rows, []report.Cell{{Text: s.Title}, {Text: strings.Join(s.Cannot, " ")}})
		}
	}
	return report.Part{Heading: "What cannot be run", Table: t}, len(t.Rows) > 0
}
