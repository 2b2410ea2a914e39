package papers

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
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
	Kept     [][]report.Cell  // without Document: rows of an earlier summary, whose results may lie on another computer
}

// Name returns the name of the page's file without its ending: "clove-tab1-mnist".
func (p *Page) Name() string { return p.Sweep.pageName(p.Sweep.set) }

func (s *Sweep) pageName(set string) string {
	name := s.Name
	if set != "" {
		name += "-" + strings.Trim(notInNames.ReplaceAllString(strings.ToLower(set), "-"), "-")
	}
	if s.IsReduced {
		name += "-reduced"
	}
	return name
}

// PageNames returns the names of a sweep's pages: on drawn samples, and on each set of its paper.
func (s *Sweep) PageNames() []string {
	names := []string{s.pageName("")}
	for _, set := range s.Sets() {
		names = append(names, s.pageName(set))
	}
	return names
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

// group is the claims of a page that name one table or figure.
type group struct {
	counts      tally
	least, most int // pairs of runs behind a verdict, 0 if none is decided
}

// pairs says how many pairs of runs decided: "5 to 20".
func (g *group) pairs() string {
	switch {
	case g.most == 0:
		return "–"
	case g.least == g.most:
		return fmt.Sprint(g.least)
	}
	return fmt.Sprintf("%d to %d", g.least, g.most)
}

// tallies counts a page's verdicts by the table or figure that claims name; those that name none, or that of the page,
// are under "".
func (p *Page) tallies() (names []string, of map[string]*group) {
	of = map[string]*group{}
	own := tableName.FindString(p.Sweep.Title)
	for i := range p.Verdicts {
		name := tableName.FindString(p.Sweep.Claims[i].Where)
		if name == own {
			name = ""
		}
		g := of[name]
		if g == nil {
			g = &group{counts: tally{}}
			names, of[name] = append(names, name), g
		}
		v := &p.Verdicts[i]
		if g.counts[v.Word]++; v.Word == Holds || v.Word == Fails {
			g.least, g.most = min(cmp.Or(g.least, v.N), v.N), max(g.most, v.N)
		}
	}
	if len(names) == 0 {
		return []string{""}, map[string]*group{"": {counts: tally{}}}
	}
	return names, of
}

// columns of the summary
const (
	columnTitle = iota
	columnSet
	columnBar
	columnHolds
	columnUndecided
	columnFails
	columnPairs
	columnNote
	summaryColumns
)

var summaryHead = []string{"table or figure", "samples", "claims", "holds", "undecided", "does not hold", "pairs", "size, and what is missing"}

// Summary returns the first page of the book: a row for each table or figure, with links to the pages. ending is that of
// the pages' files, in the folder named folder.
func Summary(pages []*Page, sweeps []*Sweep, folder, ending string) *report.Document {
	d := &report.Document{Title: "Tables and figures of three papers: what holds here"}
	t := &report.Table{Names: columnHolds, Words: 1, Head: summaryHead,
		Caption: "A row for each table or figure; its link opens the numbers, each with a link to the run that gives it"}
	total, rows, waiting, rough := tally{}, 0, 0, 0
	shown := map[string]bool{} // sweeps that have rows
	for _, p := range pages {
		if p.Document != nil || p.Kept != nil {
			shown[p.Sweep.Name] = true
		}
	}
	// Tables of papers come first.
	for _, p := range slices.SortedStableFunc(slices.Values(pages), func(a, b *Page) int {
		return cmp.Compare(ownLast(a), ownLast(b))
	}) {
		of := p.Kept
		switch {
		case p.Document != nil:
			of = p.rows(folder + "/" + p.Name() + ending)
		case of == nil && p.Sweep.set == "" && shown[p.Sweep.Name]:
			continue // real samples say more
		case of == nil:
			row := slices.Repeat([]report.Cell{{Text: "–"}}, summaryColumns)
			row[columnTitle].Text, row[columnSet].Text, row[columnNote].Text = p.Sweep.Title, p.Set(), notRun
			of = [][]report.Cell{row}
		}
		for _, row := range of {
			t.Rows = append(t.Rows, row)
			total[NotJudged] += notJudged(row[columnNote].Text)
			if isWaiting(row) {
				waiting++
			}
			if p.Sweep.isOwn() || isWaiting(row) {
				continue
			}
			rows++
			for i, w := range words {
				n, _ := strconv.Atoi(row[columnHolds+i].Text)
				total[w.word] += n
			}
			if least, _, _ := strings.Cut(row[columnPairs].Text, " "); len(least) == 1 && least != "–" {
				rough++
			}
		}
	}
	intro := []string{
		fmt.Sprintf("Of %s of papers in the %s below, %s %s, %s %s undecided, and %s %s not hold. In %s some verdicts "+
			"are from five to nine pairs of runs, where intervals are rough: at five pairs they cover 91%% in place of 95%%.",
			say.Amount(total[Holds]+total[Undecided]+total[Fails], "claim"), say.Amount(rows, "row"),
			say.Whole(total[Holds]), say.Either(total[Holds], "holds", "hold"),
			say.Whole(total[Undecided]), say.Either(total[Undecided], "is", "are"),
			say.Whole(total[Fails]), say.Either(total[Fails], "does", "do"), say.Amount(rough, "row")),
		"A claim is an ordering that the paper states in its text or prints in bold; what cannot be put as a claim is listed as absent on " +
			"a table's page. A sentence about several settings is a claim for each of them, and released programs count as methods of " +
			"their own. A claim holds (●) if the " +
			"95% bootstrap interval of the mean paired difference is above zero, and does not hold (✕) if it is below, with at least " +
			"five pairs and a better score above guessing. Otherwise it is undecided (○).",
		"The runs have the paper's size unless the last column says what is smaller; then only orders can be compared, and orders, too, " +
			"can depend on size. What else differs is on each table's page. The column pairs counts the pairs of runs behind a verdict. Bars of more than " + fmt.Sprint(barSigns) + " claims are scaled.",
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

// ownLast orders pages: 1 for tables of no paper.
func ownLast(p *Page) int {
	if p.Sweep.isOwn() {
		return 1
	}
	return 0
}

// rows returns the rows of a page in the summary: one for each table or figure that its claims name.
func (p *Page) rows(link string) (rows [][]report.Cell) {
	names, of := p.tallies()
	for _, name := range names {
		title := p.Sweep.Title
		if name != "" {
			paper, _, _ := strings.Cut(title, ",")
			title = fmt.Sprintf("%s, %s (%s)", paper, name, p.Sweep.Name) // several sweeps may be of one table
		}
		row := make([]report.Cell, summaryColumns)
		row[columnTitle] = report.Cell{Text: title, Link: link}
		row[columnSet].Text = p.Set()
		for i, w := range words {
			row[columnHolds+i].Text = fmt.Sprint(of[name].counts[w.word])
		}
		row[columnBar].Text = of[name].counts.bar()
		row[columnPairs].Text = of[name].pairs()
		row[columnNote].Text = p.note(of[name].counts)
		rows = append(rows, row)
	}
	return rows
}

// Kept returns the rows that an earlier summary, in Markdown, has of a sweep, by the names of pages. Those of pages that are
// not current are left out.
func (s *Sweep) Kept(summary, folder string, isCurrent func(page string) bool) map[string][][]report.Cell {
	kept := map[string][][]report.Cell{}
	for line := range strings.Lines(summary) {
		cells := report.MarkdownRow(line)
		if len(cells) != summaryColumns {
			continue
		}
		link, set := cells[columnTitle].Link, cells[columnSet].Text
		if !slices.Contains(s.Sets(), set) {
			set = ""
		}
		name := s.pageName(set)
		if isWaiting(cells) && cells[columnTitle].Text == s.Title || link == folder+"/"+name+".md" && isCurrent(name) {
			kept[name] = append(kept[name], cells)
		}
	}
	return kept
}

// notRun is the note of a page without runs.
const notRun = "not run yet"

func isWaiting(row []report.Cell) bool { return row[columnNote].Text == notRun }

// note says in which way a page's runs are not the paper's.
func (p *Page) note(counts tally) string {
	var out []string
	if p.Sweep.IsReduced {
		out = append(out, "reduced form: not comparable")
	}
	for _, s := range p.Sweep.Smaller() {
		out = append(out, fmt.Sprintf("%s times smaller: %s", say.Number(s.Factor), s.What))
	}
	if p.Missing > 0 {
		out = append(out, say.Amount(p.Missing, "run")+" to come")
	}
	if n := counts[NotJudged]; n > 0 {
		out = append(out, say.Amount(n, "claim")+notJudgedNote)
	}
	if p.Sweep.isOwn() {
		out = append(out, "of no paper")
	}
	return cmp.Or(strings.Join(out, "; "), "the paper's size")
}

// notJudgedNote follows a number of claims in a note.
const notJudgedNote = " not judged"

var notJudgedIn = regexp.MustCompile(`(\d+) claims?` + notJudgedNote)

// notJudged returns the number of claims that are not judged by a note.
func notJudged(note string) int {
	if found := notJudgedIn.FindStringSubmatch(note); found != nil {
		n, _ := strconv.Atoi(found[1])
		return n
	}
	return 0
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
