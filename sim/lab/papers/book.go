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
	Document *report.Document // nil if its runs are elsewhere
	Outcome  *Outcome         // nil if it has no runs
}

// Outcome is what the summary says of a page. It is kept beside the pages, for those whose runs are elsewhere.
type Outcome struct {
	Version int       `json:"version"` // of the sweep
	Set     string    `json:"set"`     // of samples, "drawn", or "as in the paper"
	Claims  tally     `json:"claims"`
	Pairs   [2]int    `json:"pairs"`             // the least and the largest number behind a claim
	Minutes int       `json:"minutes"`           // sum of the runs' times by the clock
	Missing int       `json:"missing,omitempty"` // runs that have not been computed
	Failing []Failing `json:"failing,omitempty"`
}

// Failing is a claim that does not hold.
type Failing struct {
	Row      string `json:"row"`
	Claim    string `json:"claim"`
	Measure  string `json:"measure"`
	Mean     string `json:"mean"` // of the differences
	Interval string `json:"interval"`
	Pairs    int    `json:"pairs"`
	Where    string `json:"where"`
}

// Outcome judges the sweep's claims by its runs.
func (s *Sweep) Outcome(study *report.Study) *Outcome {
	verdicts := s.Verdicts(study)
	o := &Outcome{Version: s.Version, Set: s.Samples(), Claims: tally{},
		Minutes: int(max(1, math.Round(study.Seconds/60))), Missing: max(0, study.Plan.Runs()-study.Records)}
	for i := range verdicts {
		v, c := &verdicts[i], &s.Claims[i]
		if o.Claims[v.Word]++; v.Word != NotJudged {
			o.Pairs = [2]int{min(cmp.Or(o.Pairs[0], v.N), v.N), max(o.Pairs[1], v.N)}
		}
		if v.Word == Fails && !s.isOwn() && !s.IsReduced {
			o.Failing = append(o.Failing, Failing{v.Row, c.A + " > " + c.B, c.Measure.Title, v.Cell.Text,
				report.Interval(v.Low, v.High), v.N, c.place()})
		}
	}
	return o
}

// PagesWith returns the pages whose outcomes are known, by name, on drawn samples and on the sets of the sweep's paper. An
// outcome of another version of the sweep is none.
func (s *Sweep) PagesWith(outcomes map[string]*Outcome) (pages []*Page) {
	for _, set := range append([]string{""}, s.Sets()...) {
		of := *s
		if set != "" {
			of.set = set
			of.ofSet(set)
		}
		if o := outcomes[of.pageName(set)]; o != nil && o.Version == s.Version {
			pages = append(pages, &Page{Sweep: &of, Outcome: o})
		}
	}
	return pages
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

var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// Samples describes the samples in a word: the name of a set of files, "drawn", or "as in the paper" where the paper draws
// them, too.
func (s *Sweep) Samples() string {
	switch {
	case s.set != "":
		return s.set
	case s.isOwn() || len(s.Real) > 0 || strings.Contains(s.Data, "; the paper has"):
		return drawnSamples
	}
	return "as in the paper"
}

// setsOrDrawn returns the sets of the paper whose files the sweep runs on, or what its samples are.
func (s *Sweep) setsOrDrawn() []string {
	if sets := s.Sets(); len(sets) > 0 {
		return sets
	}
	return []string{s.Samples()}
}

// claimsOn returns the number of claims on these sets.
func (s *Sweep) claimsOn(sets []string) string {
	n := 0
	for _, set := range sets {
		of := *s
		of.ofSet(set)
		n += len(of.Claims)
	}
	return strconv.Itoa(n)
}

// released reports whether a claim is about a released program, of which its paper claims nothing.
func (c *Claim) released() bool {
	return strings.HasSuffix(c.A, ":released") || strings.HasSuffix(c.B, ":released")
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

// add adds the counts of another tally.
func (t tally) add(other tally) {
	for word, n := range other {
		t[word] += n
	}
}

// all counts all verdicts.
func (t tally) all() int { return t.judged() + t[NotJudged] }

// judged counts the verdicts that count.
func (t tally) judged() (n int) {
	for _, w := range words {
		n += t[w.word]
	}
	return n
}

var summaryHead = []string{"tables and figures", "samples", "claims", "holds", "undecided", "does not hold", "pairs",
	"minutes", "size, and what is missing"}

// Summary returns the first page of the book: a row for each page that has an outcome, with a link to it, and the sweeps that
// have none. ending is that of the pages' files, in the folder named folder.
func Summary(pages []*Page, sweeps []*Sweep, folder, ending string) *report.Document {
	d := &report.Document{Title: "Tables and figures of three papers: what holds here"}
	t := &report.Table{Names: 3, Words: 1, Head: summaryHead,
		Caption: "Each link opens the numbers, each with a link to the run that gives it"}
	failing := &report.Table{Names: 4, Words: 1, Head: failingHead}
	failingSmaller := &report.Table{Names: 4, Words: 1, Head: failingHead}
	total, smaller, rough, minutes, released := tally{}, tally{}, 0, 0, 0
	by := &report.Table{Names: 2, Head: []string{"paper", "claims", "holds", "undecided", "does not hold"}}
	ofPaper := map[string]tally{}
	shown := map[string][]string{} // sets by sweep that have rows
	// Tables of papers come first, and a table's sets as its sweep has them, in whatever order they were run.
	pages = slices.DeleteFunc(slices.Clone(pages), func(p *Page) bool { return p.Outcome == nil })
	place := map[string]int{}
	for i, p := range slices.Backward(pages) {
		place[p.Sweep.Name] = i
	}
	slices.SortStableFunc(pages, func(a, b *Page) int {
		return cmp.Or(ownLast(a)-ownLast(b), place[a.Sweep.Name]-place[b.Sweep.Name],
			slices.Index(a.Sweep.Sets(), a.Sweep.set)-slices.Index(b.Sweep.Sets(), b.Sweep.set))
	})
	for _, p := range pages {
		o, claims, changed := p.Outcome, p.Outcome.Claims, false
		if len(p.Sweep.Claims) == 0 { // what the page judges is claimed no longer
			claims = tally{}
		} else {
			changed = claims.all() != len(p.Sweep.Claims)
		}
		link := folder + "/" + p.Name() + ending
		t.Rows = append(t.Rows, p.row(link, claims, changed))
		shown[p.Sweep.Name] = append(shown[p.Sweep.Name], o.Set)
		isSmaller, into := len(p.Sweep.Smaller()) > 0, failing
		if isSmaller {
			into = failingSmaller
		}
		for _, f := range o.Failing {
			into.Rows = append(into.Rows, append([]report.Cell{{Text: p.Sweep.Title, Link: link}},
				report.TextRow(f.Row, f.Claim, f.Measure, f.Mean, f.Interval, strconv.Itoa(f.Pairs), f.Where)...))
		}
		minutes += o.Minutes
		if p.Sweep.isOwn() {
			continue
		}
		paper, _, _ := strings.Cut(p.Sweep.Title, ",")
		if ofPaper[paper] == nil {
			ofPaper[paper] = tally{}
			by.Rows = append(by.Rows, report.TextRow(paper))
		}
		for i := range p.Sweep.Claims {
			if p.Sweep.Claims[i].released() {
				released++
			}
		}
		total.add(claims)
		ofPaper[paper].add(claims)
		if isSmaller {
			smaller.add(claims)
		}
		if claims.judged() > 0 && o.Pairs[1] > 0 && o.Pairs[0] < 10 {
			rough++
		}
	}
	waiting := &report.Table{Names: 2, Head: []string{"tables and figures", "samples", "claims"}}
	for _, s := range sweeps {
		sets := slices.DeleteFunc(s.setsOrDrawn(), func(set string) bool {
			return slices.Contains(shown[s.Name], set) || slices.Contains(shown[s.Name], drawnSamples)
		})
		if len(sets) > 0 && len(s.Cannot) == 0 {
			waiting.Rows = append(waiting.Rows, report.TextRow(s.Title, strings.Join(sets, ", "), s.claimsOn(sets)))
		}
	}
	for i, row := range by.Rows {
		of := ofPaper[row[0].Text]
		by.Rows[i] = append(row, report.Cell{Text: of.bar()})
		for _, w := range words {
			by.Rows[i] = append(by.Rows[i], report.Cell{Text: say.Whole(of[w.word])})
		}
	}
	programs := ""
	if released > 0 {
		programs = fmt.Sprintf(" in %s, of which the papers say nothing: they say whether a program does what its method is said to do",
			say.Amount(released, "claim"))
	}
	intro := []string{
		fmt.Sprintf("Of %s of papers that are judged here, %s. Of the last, %s %s from tables that are smaller than the paper's.",
			say.Amount(total.judged(), "claim"), total, say.Whole(smaller[Fails]), say.Either(smaller[Fails], "is", "are")),
		"A claim is an ordering that the paper states in its text or prints in bold. Where a paper states a score, such as a perfect " +
			"clustering, the claim is that the score is above or below a bound that was set here: an ARI of 0.95 for 1.0, and of 0.999 for perfect, an " +
			"accuracy of 0.99 for almost perfect, and others, which the claim names. What cannot be put as a claim is listed as absent on a " +
			"table's page. Released programs count as methods of their own" +
			programs + ". " +
			"A claim is about one row of a table where the paper names the row. Where it says all rows, or prints all in bold, the claim is about " +
			"each of them by itself: it holds if it holds in each, and does not hold if it fails in one. Else it is about all of them together, " +
			"among which single rows may differ.",
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
	if len(failingSmaller.Rows) > 0 {
		d.Parts = append(d.Parts, report.Part{Heading: "What does not hold in smaller tables",
			Text: []string{"Here the size may be the reason."}, Table: failingSmaller})
	}
	if len(waiting.Rows) > 0 {
		d.Parts = append(d.Parts, report.Part{Heading: "Not run yet", Table: waiting})
	}
	if part, ok := impossible(sweeps); ok {
		d.Parts = append(d.Parts, part)
	}
	return d
}

// ownLast orders pages: 0 for those of papers.
func ownLast(p *Page) int {
	if p.Sweep.isOwn() {
		return 1
	}
	return 0
}

// row returns the row of a page in the summary, with the counts of its claims, which have changed since or not.
func (p *Page) row(link string, claims tally, changed bool) []report.Cell {
	pairs := "–"
	if claims.judged() > 0 && p.Outcome.Pairs[1] > 0 {
		pairs = fmt.Sprint(p.Outcome.Pairs[0])
		if p.Outcome.Pairs[0] < p.Outcome.Pairs[1] {
			pairs += fmt.Sprintf(" to %d", p.Outcome.Pairs[1])
		}
	}
	row := []report.Cell{{Text: p.Sweep.Title, Link: link}, {Text: p.Outcome.Set}, {Text: claims.bar()}}
	for _, w := range words {
		row = append(row, report.Cell{Text: fmt.Sprint(claims[w.word])})
	}
	return append(row, report.TextRow(pairs, fmt.Sprint(p.Outcome.Minutes), p.note(claims, changed))...)
}

// failingHead is the head of the table of claims that do not hold at the paper's size.
var failingHead = []string{"tables and figures", "row", "claim", "measure", "mean difference", "95% interval", "pairs",
	"where in the paper"}

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

// note says in which way a page's runs are not the paper's.
func (p *Page) note(claims tally, changed bool) string {
	var out []string
	if p.Sweep.IsReduced {
		out = append(out, "reduced form: not comparable")
	}
	for _, s := range p.Sweep.Smaller() {
		out = append(out, say.Number(s.Factor)+" times smaller: "+s.What)
	}
	if n := p.Outcome.Missing; n > 0 {
		out = append(out, say.Amount(n, "run")+" to come")
	}
	if n := claims[NotJudged]; n > 0 {
		out = append(out, say.Amount(n, "claim")+" not judged")
	}
	if p.Sweep.isOwn() {
		out = append(out, "our own, from no paper")
	}
	if len(out) == 0 {
		out = append(out, "the paper's size")
	}
	if changed {
		out = append(out, "claims have changed since")
	}
	return strings.Join(out, "; ")
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
