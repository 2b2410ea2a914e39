package papers

import (
	"cmp"

	"flockscope/sim/lab/report"
)

// Combine returns one report on several sweeps: their reports, why others do not run on files, and which cannot be run
// at all. onFiles says that files replace synthetic samples.
func Combine(title string, onFiles bool, sweeps []*Sweep, reports []*report.Document,
	notOnFiles []string) *report.Document {
	intro := []string{
		"Each section has a table or figure of a paper: its numbers, ours of the same row, and whether its claims hold here. " +
			"What is smaller than in the paper, or differs, is said above.",
		"To doubt a number, open it. Links lead to the page: that of flock serve, or the one that -site names. The page shows " +
			"the fingerprint that the link names. In a terminal, flock run with the part of the link behind ? prints " +
			"it at the end. Every section says which command made it; with -runs that command also lists all runs, and " +
			"without -reduced it takes more seeds. flock reproduce -list names everything.",
	}
	if !onFiles {
		intro = append(intro, "Where digits or texts are drawn, flock reproduce -data FOLDER runs the same table on the files of "+
			"MNIST, Fashion-MNIST, CIFAR-10 or AG News in a folder.")
	}
	d := &report.Document{Title: cmp.Or(title, "Tables and figures of papers, reproduced")}
	d.Parts = []report.Part{{Text: intro}}
	for _, part := range reports {
		d.Parts = append(d.Parts, part.Under()...)
	}
	if len(notOnFiles) > 0 {
		d.Parts = append(d.Parts, report.Part{Heading: "What does not run on files", Text: notOnFiles})
	}
	if part, ok := impossible(sweeps); ok {
		d.Parts = append(d.Parts, part)
	}
	return d
}
