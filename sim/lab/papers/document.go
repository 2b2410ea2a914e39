package papers

import (
	"cmp"
	"slices"
	"strings"

	"flockscope/sim/lab/report"
)

// Document is one report on several sweeps: the papers' numbers, their claims, and which
// sweeps are missing.
type Document struct {
	report     report.Document
	notOnFiles []string
	impossible report.Table
}

// NewDocument begins a document with an explanation. rights says whose the files are that stand
// in for synthetic samples, a list per set; nil without files.
func NewDocument(title string, rights [][]string) *Document {
	intro := []string{
		"Each section has a table or figure of a paper: its numbers, ours of the same row, and whether its claims hold here. " +
			"Most rows are much smaller than the paper's, so orders can be compared, and seldom numbers; \"What differs\" says how.",
		"To doubt a number, open it: flock serve shows the page that links lead to (-site names another one), and the page " +
			"shows the fingerprint that the link names. In a terminal, flock run with the part of the link behind ? prints " +
			"it at the end. Every section says which command made it; with -runs that command also lists all runs, and " +
			"without -reduced it takes more seeds. flock reproduce -list names everything.",
	}
	if rights == nil {
		intro = append(intro, "Where digits or texts are drawn, flock reproduce -data FOLDER runs the same table on the files of "+
			"MNIST, Fashion-MNIST, CIFAR-10 or AG News in a folder.")
	}
	d := &Document{impossible: report.Table{Names: 2, Head: []string{"what", "why"}}}
	d.report.Title = cmp.Or(title, "Tables and figures of papers, reproduced")
	d.report.Parts = []report.Part{{Text: slices.Concat(append([][]string{intro}, rights...)...)}}
	return d
}

// Add adds the report of a sweep.
func (d *Document) Add(part *report.Document) {
	d.report.Parts = append(d.report.Parts, part.Under()...)
}

// NotOnFiles notes why a sweep does not run on files.
func (d *Document) NotOnFiles(why error) { d.notOnFiles = append(d.notOnFiles, why.Error()+".") }

// Impossible lists a sweep that cannot be run.
func (d *Document) Impossible(s *Sweep) {
	d.impossible.Rows = append(d.impossible.Rows, []report.Cell{{Text: s.Title}, {Text: strings.Join(s.Cannot, " ")}})
}

// Report returns the whole document.
func (d *Document) Report() *report.Document {
	if len(d.notOnFiles) > 0 {
		d.report.Parts = append(d.report.Parts, report.Part{Heading: "What does not run on files", Text: d.notOnFiles})
	}
	if len(d.impossible.Rows) > 0 {
		d.report.Parts = append(d.report.Parts, report.Part{Heading: "What cannot be run", Table: &d.impossible})
	}
	return &d.report
}
