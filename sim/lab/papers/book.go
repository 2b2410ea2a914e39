package papers

import (
	"cmp"
	"fmt"
	"math"
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
	Seconds  float64          // sum of the runs' times by the clock

	// Without Document: the row of an earlier summary, whose results may be elsewhere, and the claims that it lists as failing.
	Kept        []report.Cell
	KeptFailing [][]report.Cell
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
		return drawnSamples
	}
	return "as in the paper"
}

// setsOrDrawn returns the sets of the paper whose files the sweep runs on, or what its samples are.
func (s *Sweep) setsOrDrawn() []string {
	if sets := s.Sets(); len(sets) > 0 {
		return sets
	}
	return []string{(&Page{Sweep: s}).Set()}
}

// isOwn reports whether the table is of no paper.
func (s *Sweep) isOwn() bool { return strings.HasPrefix(s.Source, "Flockscope's own") }

// tally counts verdicts by their words.
type tally map[string]int

// words has one sign for each word that counts, in the order of a bar.
var words = []struct{ word, sign string }{{Holds, "●"}, {Undecided, "○"}, {Fails, "✕"}}

// barSigns is the most signs of a bar: one for each claim, or for several.
const barSigns = 12

// bar draws the counts as signs: one for each claim if there are at most barSigns, else in proportion, with at least one
// for each word that occurs.
func (t tally) bar() string {
	all := t.judged()
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

// String returns the counts in words: "3 hold, 1 is undecided, and 0 do not hold".
func (t tally) String() string {
	return fmt.Sprintf("%s %s, %s %s undecided, and %s %s not hold", say.Whole(t[Holds]), say.Either(t[Holds], "holds", "hold"),
		say.Whole(t[Undecided]), say.Either(t[Undecided], "is", "are"), say.Whole(t[Fails]), say.Either(t[Fails], "does", "do"))
}

// judged counts the verdicts that count.
func (t tally) judged() (n int) {
	for _, w := range words {
		n += t[w.word]
	}
	return n
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
	columnMinutes
	columnNote
	summaryColumns
)

var summaryHead = []string{"tables and figures", "samples", "claims", "holds", "undecided", "does not hold", "pairs",
	"minutes", "size, and what is missing"}

// Summary returns the first page of the book: a row for each page, with a link to it. ending is that of the pages' files, in
// the folder named folder.
func Summary(pages []*Page, sweeps []*Sweep, folder, ending string) *report.Document {
	d := &report.Document{Title: "Tables and figures of three papers: what holds here"}
	t := &report.Table{Names: columnHolds, Words: 1, Head: summaryHead,
		Caption: "Each link opens the numbers, each with a link to the run that gives it"}
	failing := &report.Table{Names: failingNames, Words: 1, Head: failingHead}
	waiting := &report.Table{Names: 2, Head: []string{"tables and figures", "samples"}}
	total, smaller, rough, minutes := tally{}, tally{}, 0, 0
	by := &report.Table{Names: 2, Head: []string{"paper", "claims", "holds", "undecided", "does not hold"}}
	ofPaper := map[string]tally{}
	shown := map[string][]string{} // sets by sweep that have rows
	for _, p := range pages {
		if p.Document != nil {
			shown[p.Sweep.Name] = append(shown[p.Sweep.Name], p.Set())
		} else if p.Kept != nil {
			shown[p.Sweep.Name] = append(shown[p.Sweep.Name], p.Kept[columnSet].Text)
		}
	}
	// Tables of papers come first.
	isOwn := func(p *Page) bool { return p.Sweep.isOwn() }
	for _, p := range slices.Concat(slices.DeleteFunc(slices.Clone(pages), isOwn),
		slices.DeleteFunc(slices.Clone(pages), func(p *Page) bool { return !isOwn(p) })) {
		row, claims := p.Kept, p.KeptFailing
		if p.Document != nil {
			link := folder + "/" + p.Name() + ending
			row, claims = p.row(link), p.failing(link)
		}
		if row == nil {
			continue
		}
		t.Rows = append(t.Rows, row)
		failing.Rows = append(failing.Rows, claims...)
		if n, err := strconv.Atoi(row[columnMinutes].Text); err == nil {
			minutes += n
		}
		if p.Sweep.isOwn() {
			continue
		}
		total[NotJudged] += notJudged(row[columnNote].Text)
		paper, _, _ := strings.Cut(p.Sweep.Title, ",")
		if ofPaper[paper] == nil {
			ofPaper[paper] = tally{}
			by.Rows = append(by.Rows, []report.Cell{{Text: paper}})
		}
		for i, w := range words {
			n, _ := strconv.Atoi(row[columnHolds+i].Text)
			total[w.word] += n
			ofPaper[paper][w.word] += n
			if strings.Contains(row[columnNote].Text, smallerNote) {
				smaller[w.word] += n
			}
		}
		if least, _, _ := strings.Cut(row[columnPairs].Text, " "); len(least) == 1 && least != "–" {
			rough++
		}
	}
	for _, p := range pages {
		sets := slices.DeleteFunc(p.Sweep.setsOrDrawn(), func(set string) bool {
			return slices.Contains(shown[p.Sweep.Name], set) || slices.Contains(shown[p.Sweep.Name], drawnSamples)
		})
		if len(sets) > 0 {
			waiting.Rows = append(waiting.Rows, []report.Cell{{Text: p.Sweep.Title}, {Text: strings.Join(sets, ", ")}})
			shown[p.Sweep.Name] = append(shown[p.Sweep.Name], sets...) // several pages of a sweep wait in one row
		}
	}
	for i, row := range by.Rows {
		of := ofPaper[row[0].Text]
		by.Rows[i] = append(row, report.Cell{Text: of.bar()})
		for _, w := range words {
			by.Rows[i] = append(by.Rows[i], report.Cell{Text: say.Whole(of[w.word])})
		}
	}
	intro := []string{
		fmt.Sprintf("Of %s of papers that are judged here, %s. Of the last, %s %s from tables that are smaller than the paper's.",
			say.Amount(total.judged(), "claim"), total, say.Whole(smaller[Fails]), say.Either(smaller[Fails], "is", "are")),
		"A claim is an ordering that the paper states in its text or prints in bold. Where a paper states a score, such as a perfect " +
			"clustering, the claim is that the score is above a bound that was set here: an ARI of 0.95 for 1.0, and of 0.999 for perfect, an " +
			"accuracy of 0.99 for almost perfect, and others, which the claim names. What cannot be put as a claim is listed as absent on a " +
			"table's page. Released programs count as methods of their own. " +
			"A claim is about one row of a table where the paper names the row, and else about all of them together, among which single rows " +
			"may differ.",
		"A claim holds (●) if the 95% bootstrap interval of the mean paired difference is above zero, and does not hold (✕) if it is below, " +
			"with at least five pairs of runs and a better score above guessing. Otherwise it is undecided (○). " +
			fmt.Sprintf("The column pairs counts the pairs behind a claim. In %s it is from five to nine for some: there intervals are "+
				"rough, at five pairs they cover 91%% in place of 95%%, and Wilcoxon's p, which stands beside them, cannot be below 0.0625.",
				say.Amount(rough, "row")),
		"The runs have the paper's size unless the last column says what is smaller; then only orderings can be compared, and orderings, too, " +
			"can depend on size. What else differs is on each table's page, with methods that did not do what they are for: a clustering method " +
			"that never split, for example. Bars of more than " + fmt.Sprint(barSigns) + " claims are scaled.",
	}
	if total[NotJudged] > 0 {
		intro = append(intro, fmt.Sprintf("%s on numbers, or without runs, %s not judged.", say.Amount(total[NotJudged], "claim"),
			say.Either(total[NotJudged], "is", "are")))
	}
	intro = append(intro, fmt.Sprintf("The column minutes has the times of the runs by the clock, added up, on computers that had other work too at "+
		"times, so that runs alone take less: %s hours in all.", say.Number(math.Round(float64(minutes)/6)/10)))
	d.Parts = []report.Part{{Text: intro[:1], Table: by}, {Text: intro[1:], Table: t}}
	if len(by.Rows) == 0 {
		d.Parts[0].Table = nil
	}
	if len(failing.Rows) > 0 {
		text := "The size of these tables is not the reason. What else differs from the paper is on each table's page. A paper " +
			"claims nothing about a released program: there the claim is that the program does what the paper's method does."
		d.Parts = append(d.Parts, report.Part{Heading: "What does not hold at the paper's size", Text: []string{text},
			Table: failing})
	}
	if len(waiting.Rows) > 0 {
		d.Parts = append(d.Parts, report.Part{Heading: "Not run yet", Table: waiting})
	}
	if part, ok := impossible(sweeps); ok {
		d.Parts = append(d.Parts, part)
	}
	return d
}

// row returns the row of a page in the summary.
func (p *Page) row(link string) []report.Cell {
	counts, least, most := tally{}, 0, 0
	for i := range p.Verdicts {
		v := &p.Verdicts[i]
		if counts[v.Word]++; v.Word != NotJudged {
			least, most = min(cmp.Or(least, v.N), v.N), max(most, v.N)
		}
	}
	pairs := "–"
	if most > 0 {
		pairs = fmt.Sprint(least)
	}
	if least < most {
		pairs += fmt.Sprintf(" to %d", most)
	}
	row := make([]report.Cell, summaryColumns)
	row[columnTitle] = report.Cell{Text: p.Sweep.Title, Link: link}
	row[columnSet].Text = p.Set()
	row[columnBar].Text = counts.bar()
	for i, w := range words {
		row[columnHolds+i].Text = fmt.Sprint(counts[w.word])
	}
	row[columnPairs].Text = pairs
	row[columnMinutes].Text = fmt.Sprint(max(1, math.Round(p.Seconds/60)))
	row[columnNote].Text = p.note(counts)
	return row
}

// failingHead is the head of the table of claims that do not hold at the paper's size. The first failingNames columns hold
// names.
var failingHead = []string{"tables and figures", "row", "claim", "measure", "mean difference", "95% interval", "pairs",
	"where in the paper"}

const failingNames = 4

// rows names the rows of the sweep that a claim is about.
func (c *Claim) rows() string {
	if c.Other != "" {
		return c.Row + " > " + c.Other
	}
	return c.Row
}

// place says where in the paper a claim is, with a note.
func (c *Claim) place() string {
	if c.Note != "" {
		return c.Where + ". " + c.Note
	}
	return c.Where
}

// failing returns the rows of the page's claims that do not hold at the paper's size.
func (p *Page) failing(link string) (rows [][]report.Cell) {
	if p.Sweep.isOwn() || p.Sweep.IsReduced || len(p.Sweep.Smaller()) > 0 {
		return nil
	}
	for i := range p.Verdicts {
		if v, c := &p.Verdicts[i], &p.Sweep.Claims[i]; v.Word == Fails {
			rows = append(rows, []report.Cell{{Text: p.Sweep.Title, Link: link}, {Text: c.rows()},
				{Text: c.A + " > " + c.B}, {Text: c.Measure.Title}, {Text: v.Cell.Text},
				{Text: report.Interval(v.Low, v.High)}, {Text: fmt.Sprint(v.N)}, {Text: c.place()}})
		}
	}
	return rows
}

// Kept returns the row that an earlier summary, in Markdown, has of a page of a sweep, and says if the sweep's claims have
// changed since; nil if it has none. failing are the rows of the claims that do not hold.
func (s *Sweep) Kept(summary, link string) (row []report.Cell, failing [][]report.Cell) {
	for line := range strings.Lines(summary) {
		switch found := report.MarkdownRow(line); {
		case len(found) == 0 || found[0].Link != link:
		case len(found) == summaryColumns:
			row = s.kept(found)
		case len(found) == len(failingHead):
			failing = append(failing, found)
		}
	}
	switch {
	case row == nil || row[columnFails].Text == "0" || strings.Contains(row[columnNote].Text, smallerNote) || s.isOwn():
		return row, nil
	case failing == nil: // the page is older than the list
		failing = [][]report.Cell{slices.Repeat([]report.Cell{{Text: "–"}}, len(failingHead))}
		failing[0][0], failing[0][2].Text = row[columnTitle], row[columnFails].Text+", on the page"
	}
	return row, failing
}

// kept returns the row of an earlier summary as it is to be now.
func (s *Sweep) kept(row []report.Cell) []report.Cell {
	set := row[columnSet].Text
	if !slices.Contains(s.Sets(), set) {
		set = cmp.Or(s.Sets()...)
	}
	of := *s
	of.ofSet(set)
	claims := notJudged(row[columnNote].Text)
	for i := range words {
		n, _ := strconv.Atoi(row[columnHolds+i].Text)
		claims += n
	}
	row[columnTitle].Text = s.Title
	if len(of.Claims) == 0 { // what the page judges is claimed no longer
		row[columnBar].Text, row[columnPairs].Text = tally{}.bar(), "–"
		for i := range words {
			row[columnHolds+i].Text = "0"
		}
		claims = 0
	}
	if row[columnNote].Text = strings.TrimSuffix(row[columnNote].Text, changedNote); claims != len(of.Claims) {
		row[columnNote].Text += changedNote
	}
	return row
}

// Waits reports whether an earlier summary, in Markdown, lists a sweep as not run yet.
func (s *Sweep) Waits(summary string) bool {
	for line := range strings.Lines(summary) {
		if row := report.MarkdownRow(line); len(row) == 2 && row[0].Text == s.Title {
			return true
		}
	}
	return false
}

const (
	smallerNote   = " times smaller: "
	notJudgedNote = " not judged"
	changedNote   = "; claims have changed since"
)

// note says in which way a page's runs are not the paper's.
func (p *Page) note(counts tally) string {
	var out []string
	if p.Sweep.IsReduced {
		out = append(out, "reduced form: not comparable")
	}
	for _, s := range p.Sweep.Smaller() {
		out = append(out, say.Number(s.Factor)+smallerNote+s.What)
	}
	if p.Missing > 0 {
		out = append(out, say.Amount(p.Missing, "run")+" to come")
	}
	if n := counts[NotJudged]; n > 0 {
		out = append(out, say.Amount(n, "claim")+notJudgedNote)
	}
	if p.Sweep.isOwn() {
		out = append(out, "our own, from no paper")
	}
	return cmp.Or(strings.Join(out, "; "), "the paper's size")
}

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
