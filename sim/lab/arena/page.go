package arena

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"flockscope/sim/lab/papers"
	"flockscope/sim/lab/report"
	"flockscope/sim/lab/stats"
	"flockscope/sim/say"
)

// Names of the files of a page.
const (
	PageFile    = "ARENA.md"
	TablesFile  = "ARENA-TABLES.md"
	RecordsFile = "arena-records.jsonl.gz"
)

// Page is the arena on one page, with the tables beside it.
type Page struct {
	Page, Tables *report.Document
	Pictures     []Picture
}

// Page makes the page. Equal records give equal pages, wherever they come from.
func (a *Arena) Page() (*Page, error) {
	c, err := a.Contest(Usual)
	if err != nil {
		return nil, err
	}
	answers, overall := c.Answers(), c.Overall()
	first := c.first(overall)
	out := &Page{Page: &report.Document{Title: "The arena: when does clustering clients pay?"}}
	add := func(p report.Part) { out.Page.Parts = append(out.Page.Parts, p) }
	sensitivity, stays, err := a.sensitivity(answers, c)
	if err != nil {
		return nil, err
	}

	pays, err := a.paysTuned()
	if err != nil {
		return nil, err
	}
	add(report.Part{Text: []string{c.pays(answers) + pays, c.with(answers), a.open(c, answers, first),
		"In federated learning, clients train together without showing their data to anybody. FedAvg trains one model for all of " +
			"them; clustered methods train a model for each group of clients that are alike. K is the number of groups. A gain is " +
			"the accuracy of a method minus that of the better of FedAvg (*fedavg*) and training alone (*local*), on the test images " +
			"of the same clients: +0.100 is ten percentage points. Which of the two is better is decided for each row by means over seeds."}})
	add(report.Part{Heading: "Which methods for which clients", Table: c.decisions(answers, a.families()), Text: []string{
		fmt.Sprintf("In each cell: the best method, *fedavg* or *local* if they are within %s of it, other methods within %[1]s of "+
			"it, and what the best gains with its interval of 95 %% for other seeds. *Better* means that the whole interval is above "+
			"+%[2]s, *practically equal* that it is within ± %[2]s, *worse* that it is below −%[2]s, *not better* that it does not reach +%[2]s; otherwise, and with fewer than %[3]d "+
			"runs, the gain is *not known*. Where *fedavg* or *local* is in a cell, it is enough. "+
			"[Methods](../../algorithm/METHODS.md) says what each name stands for; with *:finds* a method looks for K by itself.",
			say.Number(c.Near), say.Number(c.Rope), minRuns)}})
	picture := func(name, alt string, p Picture, text string) {
		p.Name, p.Alt = name, alt
		out.Pictures = append(out.Pictures, p)
		add(report.Part{Image: name, Alt: alt, Text: []string{text}})
	}
	add(report.Part{Heading: "Four figures"})
	picture("arena-gain.svg", "What every method gains, by kind of clients", Picture{Picture: c.gainPicture(answers, a.Own)},
		fmt.Sprintf("**1. Does clustering pay?** A dot is a method; the grey band is ± %s. Words name the best method with K known, "+
			"and below it the best that needs no K, if it is another one. Dots at the left edge may be farther out.",
			say.Number(c.Near)))
	picture("arena-profiles.svg", "How often methods are close to the best", Picture{Picture: c.profilePicture(first)},
		"**2. How often close to the best?** The share of runs in which a method is at most so much behind the best method of that "+
			"run: higher is better.")
	picture("arena-improvement.svg", "How probable it is that one method beats another", Picture{Picture: c.improvementPicture(first)},
		"**3. Who beats whom?** The probability that a run of the row's method is better than one of the column's, in the same "+
			"row of the arena, as the mean over rows and families; 0.5 is a draw.")
	if p := a.wrongKPicture(); p != nil {
		picture("arena-k.svg", "What a wrong number of clusters costs", Picture{Picture: p},
			"**4. What does a wrong K cost?** The change of accuracy of methods that need K when they are told another number.")
	} else {
		add(report.Part{Text: []string{"**4. What does a wrong K cost?** These records do not say: the study of wrong numbers is not among them."}})
	}
	add(report.Part{Heading: "How sure is this?", Text: []string{bullets(a.sure(c, answers, overall, first, stays))}})
	add(report.Part{Heading: "To doubt it, and to extend it", Text: []string{
		fmt.Sprintf("[%s](%[1]s) has the numbers of all methods and rows, and what every answer would be with other choices. "+
			"[%s](%[2]s) has the runs of the arena and of wrong numbers of clusters: each line is a run with its query, which `flock run` or the page of Flockscope replays to the "+
			"same fingerprint, a number computed from the result of every round.", TablesFile, RecordsFile),
		"```sh\nflock page -o . " + RecordsFile + "             # this page, from the records alone\n" +
			"flock page -o . " + RecordsFile + " mine.flock  # with the runs of a new method among the others\n```",
		fmt.Sprintf("Made of %s of version %d of the engine. The cells of `flock arena -design` say what is compared.",
			say.Amount(a.Records, "record"), a.Engine)}})
	out.Tables = &report.Document{Title: "The arena: tables", Parts: a.tables(c, answers, overall, sensitivity)}
	return out, nil
}

// bullets makes a list of texts.
func bullets(texts []string) string { return "- " + strings.Join(texts, "\n- ") }

// families names families with gains of their best clustering methods.
func (c *Contest) families(answers []Answer, verdicts ...Verdict) []string {
	return c.familiesBy(answers, func(a *Answer) *Pick { return &a.Clustering }, verdicts...)
}

// familiesBy names families with gains of picks of some kind.
func (c *Contest) familiesBy(answers []Answer, of func(*Answer) *Pick, verdicts ...Verdict) (names []string) {
	for i := range answers {
		p := of(&answers[i])
		if p.Best >= 0 && slices.Contains(verdicts, p.Verdict) {
			names = append(names, fmt.Sprintf("%s (%s, %s)", answers[i].Family, signed(p.Gain.Value), c.Methods[p.Best].Lane))
		}
	}
	return names
}

// pays says where clustering pays.
func (c *Contest) pays(answers []Answer) string {
	pay, not := c.families(answers, Better), c.families(answers, Equal, NotBetter, Worse)
	text := "**Does clustering pay?** "
	if len(pay) == 0 {
		text += "For none of these clients does a clustered method surely gain accuracy over the better of FedAvg and training alone."
	} else {
		text += fmt.Sprintf("With the best of all methods for each, which may be told K: for %s of %s of clients, by accuracy gained "+
			"over the better of FedAvg and training alone: %s.", say.Whole(len(pay)), say.Amount(len(answers), "kind"), say.List(pay))
		alone := c.familiesBy(answers, func(a *Answer) *Pick { return &a.Finding }, Better)
		text += fmt.Sprintf(" With methods that find K: for %s", say.Whole(len(alone)))
		if len(alone) > 0 {
			text += ": " + say.List(alone)
		}
		text += "."
		var small []string
		for i := range answers {
			if p := &answers[i].Clustering; p.Best >= 0 && p.Verdict == Better && p.Gain.Value <= c.Near {
				small = append(small, answers[i].Family)
			}
		}
		if len(small) > 0 {
			text += fmt.Sprintf(" For %s the gain is at most %s, so FedAvg, or training alone, is nearly as good.", say.List(small),
				say.Number(c.Near))
		}
	}
	if len(not) > 0 {
		text += fmt.Sprintf(" It gains nothing for %s.", say.List(not))
	}
	return text
}

// paysTuned says where clustering pays if all methods have tuned settings; "" if there are none.
func (a *Arena) paysTuned() (string, error) {
	if !a.HasTuned() {
		return "", nil
	}
	tuned := Usual
	tuned.Tuned = true
	c, err := a.Contest(tuned)
	if err != nil {
		return "", err
	}
	pay := c.families(c.Answers(), Better)
	if len(pay) == 0 {
		return " With tuned settings it surely pays for none.", nil
	}
	return fmt.Sprintf(" With settings that are tuned for every method, on the rows that they were chosen on, it pays for %s: %s.",
		say.Whole(len(pay)), say.List(pay)), nil
}

// with says which methods it pays with.
func (c *Contest) with(answers []Answer) string {
	pays := slices.DeleteFunc(slices.Clone(answers), func(a Answer) bool { return a.Clustering.Verdict != Better })
	text := "**With what?** "
	if len(pays) > 0 {
		count := func(pick func(*Answer) *Pick) string {
			n := map[int]int{}
			most := 0
			for i := range pays {
				for _, m := range pick(&pays[i]).Close {
					n[m]++
					most = max(most, n[m])
				}
			}
			var names []string
			for m := range c.Methods {
				if n[m] == most {
					names = append(names, c.Methods[m].Lane)
				}
			}
			return fmt.Sprintf("%s (in %d of %d)", say.List(names), most, len(pays))
		}
		text += fmt.Sprintf("Where it pays, the methods that are most often within %s of the best are, with K known, %s, and without, %s.",
			say.Number(c.Near), count(func(a *Answer) *Pick { return &a.Known }),
			count(func(a *Answer) *Pick { return &a.Unknown }))
	}
	var others []string
	for i := range answers {
		if p := &answers[i].Known; p.Best >= 0 && p.Verdict == Better && !c.Methods[p.Best].Clustering() {
			others = append(others, fmt.Sprintf("%s (%s, %s)", answers[i].Family, signed(p.Gain.Value), c.Methods[p.Best].Lane))
		}
	}
	if len(others) > 0 {
		text += fmt.Sprintf(" A method without clusters is the best for %s.", say.List(others))
	} else if len(pays) == 0 {
		text += "With FedAvg, or alone, as the table says."
	}
	return text
}

// open says what is not known.
func (a *Arena) open(c *Contest, answers []Answer, first []int) string {
	var parts []string
	if names := c.families(answers, NotKnown); len(names) > 0 {
		parts = append(parts, "whether it pays for "+say.List(names))
	}
	undecided, pairs := 0, 0
	for i, m := range first {
		for _, n := range first[:i] {
			pairs++
			if j := c.judge(c.minus(m, n)); j.String() == string(NotKnown) {
				undecided++
			}
		}
	}
	if undecided > 0 {
		parts = append(parts, fmt.Sprintf("which is better over all kinds of clients, in %d of the %d pairs of the methods that "+
			"figures 2 and 3 show", undecided, pairs))
	}
	if real := a.real(c); real == 0 {
		parts = append(parts, "anything about real files: all samples here are drawn by a program")
	}
	if !a.HasTuned() {
		parts = append(parts, "what tuned settings would change: all methods have their defaults")
	} else if names := a.untuned(); len(names) > 0 {
		parts = append(parts, "what tuned settings would change for "+say.List(names))
	}
	if len(parts) == 0 {
		return "**What is not known?** What clients of other kinds, larger networks and more clients would change."
	}
	return "**What is not known?** " + strings.ToUpper(parts[0][:1]) + parts[0][1:] + map[bool]string{true: "; ", false: ""}[len(parts) > 1] +
		strings.Join(parts[1:], "; ") + "."
}

// real counts the rows on files.
func (a *Arena) real(c *Contest) (n int) {
	for _, r := range c.Rows {
		if a.rows[r.Row].Set != "" {
			n++
		}
	}
	return n
}

// untuned names the families for which nothing is tuned.
func (a *Arena) untuned() (names []string) {
	for _, f := range a.Sweep.Families {
		if !slices.ContainsFunc(a.Sweep.Tuned, func(t papers.Tuned) bool { return t.Family == f.Name }) {
			names = append(names, f.Name)
		}
	}
	return names
}

// transfer says how tuned settings do on rows on files that they were not chosen on; "" if nothing is known.
func (a *Arena) transfer() string {
	better, worse, all := 0, 0, 0
	var sets []string
	for i := range a.rows {
		if a.tunedOn(&a.rows[i]) {
			continue
		}
		for m := range a.Methods {
			c := &Contest{Choices: Usual, Methods: a.Methods}
			seeds := a.seeds(i, a.Methods[m].Lane, true, 0)
			if a.Methods[m].Kind == papers.Unranked || len(seeds) == 0 {
				continue
			}
			_, tuned, _ := c.scores(a, i, m, seeds, true)
			_, usual, _ := c.scores(a, i, m, seeds, false)
			gain := stats.Difference(stats.Mean(tuned, nil), stats.Mean(usual, nil))
			all++
			switch {
			case gain > Usual.Near:
				better++
			case gain < -Usual.Near:
				worse++
			}
			if label := a.rows[i].Label; !slices.Contains(sets, label) {
				sets = append(sets, label)
			}
		}
	}
	if all == 0 {
		return ""
	}
	verdict := "They carry over"
	if worse >= better {
		verdict = "They do not carry over"
	}
	return fmt.Sprintf(" %s: chosen on drawn samples and used on files (%s), they are better than the defaults by more than %s in %s "+
		"of %s, and worse by more than that in %s. These rows are left out of what is said of tuned settings.", verdict,
		strings.Join(sets, "; "), say.Number(Usual.Near), say.Whole(better), say.Amount(all, "case"), say.Whole(worse))
}

// decisions is the table that a reader looks for first. about says what the clients of a family are.
func (c *Contest) decisions(answers []Answer, about map[string]string) *report.Table {
	t := &report.Table{Names: 4, Head: []string{"your clients", "to beat", "K known", "K unknown"}}
	for i := range answers {
		a := &answers[i]
		name := a.Family
		if what := about[name]; what != "" {
			name += ": " + strings.ToLower(what[:1]) + strings.TrimSuffix(what[1:], ".")
		}
		t.Rows = append(t.Rows, report.TextRow(name, a.baseline(), c.cell(&a.Known), c.cell(&a.Unknown)))
	}
	return t
}

// cell is the words of a pick.
func (c *Contest) cell(p *Pick) string {
	if p.Best < 0 {
		return "–"
	}
	const most = 5
	return fmt.Sprintf("%s: %v, %s", c.names(p.Close, most), p.Gain, p.Verdict)
}

// String is a gain as on the page, such as +0.100 [+0.090, +0.110].
func (s Sized) String() string { return signed(s.Value) + interval(s) }

// interval is the words of an interval, "" if there is none.
func interval(s Sized) string {
	if math.IsNaN(s.Low) {
		return ""
	}
	return " [" + signed(s.Low) + ", " + signed(s.High) + "]"
}

// sure says how sure the answers are.
func (a *Arena) sure(c *Contest, answers []Answer, overall []Overall, first []int, stays string) []string {
	runs, seeds := 0, []int{}
	for _, o := range overall {
		runs += o.Runs
	}
	for _, r := range c.Rows {
		seeds = append(seeds, r.To-r.From)
	}
	span := say.Whole(slices.Min(seeds))
	if slices.Max(seeds) > slices.Min(seeds) {
		span += " to " + say.Whole(slices.Max(seeds))
	}
	out := []string{fmt.Sprintf("A family is a kind of clients, one line of the table above; a row is one set of samples with one way to make such "+
		"clients of it. There are %s in %s, %s of them on real files, with %s seeds each and %s of %s. Families count "+
		"alike, and so do rows within one.", say.Whole(len(answers))+" "+say.Either(len(answers), "family", "families"), say.Amount(len(c.Rows), "row"),
		say.Whole(a.real(c)), span, say.Amount(runs, "run"), say.Amount(len(overall), "method"))}
	var widths []float64
	for i := range answers {
		if !math.IsNaN(answers[i].HalfWidth) {
			widths = append(widths, answers[i].HalfWidth)
		}
	}
	text := ""
	if w := stats.Summarize(widths).Median; !math.IsNaN(w) {
		text = fmt.Sprintf("Within one family a gain must be about %s to be *better* (half the width of a typical interval above +%s). ",
			say.Figures(w+c.Rope, 2), say.Number(c.Rope))
	}
	if w := c.seen(first); !math.IsNaN(w) {
		text += fmt.Sprintf("Over all families a difference between two methods must be about %s, since other families could say "+
			"something else: more seeds do not help, more families do.", say.Figures(w, 2))
	}
	out = append(out, cmp.Or(text, "With one seed and one family no difference can be told from chance."))
	worst, where := 0.0, ""
	for i := range answers {
		if p := &answers[i].Known; p.Gain.Value-p.Honest > worst {
			worst, where = p.Gain.Value-p.Honest, answers[i].Family
		}
	}
	if where != "" {
		out = append(out, fmt.Sprintf("The best of many methods is partly lucky: chosen on half of the seeds and measured on the other "+
			"half, the gains with K known are at most %s smaller (%s).", say.Figures(worst, 2), where))
	}
	tuned := "Nothing is tuned: every method has one default for all rows, with the same learning rate, batch and steps."
	if a.HasTuned() {
		tuned = fmt.Sprintf("Defaults are one for all rows. Tuned settings are from %s for each method and family on %s of their "+
			"own, in which clients train on a part of their samples and are judged on the others. Such settings can do worse than the "+
			"defaults, or diverge on all samples; of FedAvg and training alone, each row has the better of the two."+a.transfer(), say.Whole(a.Sweep.Tries)+" tries", say.Amount(a.Sweep.TuneSeeds, "seed"))
	}
	out = append(out, tuned, stays)
	if c.Diverged > 0 {
		out = append(out, fmt.Sprintf("%s diverged and %s as guessing.", say.Amount(c.Diverged, "run"),
			say.Either(c.Diverged, "counts", "count")))
	}
	out = append(out, "It can be gamed: rows, seeds and test images are public, so a method whose defaults were chosen on them gains "+
		"without merit, as does one whose idea is the way in which a row was made. A family more of one's own choice shifts what is "+
		"said over all families. Look at the rows, at settings that are not the default, and at rows on real files.")
	return append(out, a.Notes...)
}

// seen returns the median half width of the intervals of differences between the best method and others.
func (c *Contest) seen(methods []int) float64 {
	if len(methods) < 2 {
		return math.NaN()
	}
	var apart []*stats.Interquartile
	for _, m := range methods[1:] {
		apart = append(apart, stats.NewInterquartile(c.minus(m, methods[0])))
	}
	var widths []float64
	for _, i := range c.Design.Bootstrap(stats.Hierarchical, len(apart), func(weights, out []float64) {
		for j := range apart {
			out[j] = apart[j].Mean(weights)
		}
	}) {
		if w := (i.High - i.Low) / 2; !math.IsNaN(w) {
			widths = append(widths, w)
		}
	}
	return stats.Summarize(widths).Median
}
