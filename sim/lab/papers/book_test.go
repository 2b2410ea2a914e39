package papers_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"flockscope/sim/lab/papers"
	"flockscope/sim/lab/report"
)

// page is a page of a made-up sweep, whose claims IFCA meets in all of six runs.
func page(t *testing.T, name, text string) *papers.Page {
	t.Helper()
	s, err := papers.Read(name, text)
	if err != nil {
		t.Fatal(err)
	}
	study := madeUp(t, []float64{1, 1, 1, 1, 1, 1}, 0.3)
	d, err := s.Report(study, report.Options{}, "Made by a test.")
	if err != nil {
		t.Fatal(err)
	}
	o := s.Outcome(study)
	o.Missing = 0 // its plan has more runs than were made up
	return &papers.Page{Sweep: s, Document: d, Outcome: o}
}

// The summary has a row for each table that claims name, with as many of each verdict as there are, and adds them up.
func TestSummary(t *testing.T) {
	const head = "query T=5\nvary algos=ifca,clove\n"
	one := page(t, "a-tab1", "title A, Table 1: accuracy\n"+head+
		"claim * | ifca > clove | ari | Table 1, bold\n"+
		"claim * | clove > ifca | ari | section 5: Table 1\n"+
		"claim * | ifca > 0.9 | ari | Table 1\n"+
		"claim * | ifca > 0.8 | ari | Table 2, bold\n"+
		"claim * | ifca > 1 | ari | Table 2\n"+
		"claim * | ifca > pacfl | ari | Table 2\n")
	less := page(t, "b", "title B, Figure 3: curves\n"+head+"smaller 4 | 3 clients in place of 12\nclaim * | ifca > clove | ari | Figure 3\n"+
		"claim * | ifca > 0.9 | ari | Figure 3\nclaim * | clove > ifca | ari | Figure 3, bold\n")
	less.Outcome.Missing, less.Outcome.Minutes = 7, 90
	own := page(t, "own", "title Our own table\nsource Flockscope's own sweep\n"+head+"claim * | ifca > clove | ari | chosen here\n")
	claims := "claim * | clove > ifca | ari | Table 9\n"
	for i := range 99 {
		claims += fmt.Sprintf("claim * | ifca > 0.%02d | ari | Table 9\n", i)
	}
	many := page(t, "c", "title C, Table 9\n"+head+claims)
	never, err := papers.Read("d", "title D, Table 4\ncannot It needs the authors' files.\n")
	if err != nil {
		t.Fatal(err)
	}
	later, err := papers.Read("e", "title E, Table 5\n"+head)
	if err != nil {
		t.Fatal(err)
	}
	d := papers.Summary([]*papers.Page{one, less, {Sweep: later}, own, many},
		[]*papers.Sweep{one.Sweep, later, never}, "results", ".md")
	var out bytes.Buffer
	if err := d.Write(&out, report.Markdown, "../"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"## What does not hold at the paper's size\n",
		"| [A, Table 1: accuracy](results/a-tab1.md) | \\* | clove > ifca | ARI | −0.7 | −0.7 to −0.7 | 6 | section 5: Table 1 |\n" +
			"| [C, Table 9](results/c.md) | \\* | clove > ifca | ARI |",
		"## What does not hold in smaller tables\n",
		"| [B, Figure 3: curves](results/b.md) | \\* | clove > ifca | ARI | −0.7 | −0.7 to −0.7 | 6 | Figure 3, bold |",
		"| [A, Table 1: accuracy](results/a-tab1.md) | as in the paper | ●●●○✕ | 3 | 1 | 1 | 6 | 1 | 1 claim not judged |",
		"| [B, Figure 3: curves](results/b.md) | as in the paper | ●✕ | 1 | 0 | 1 | 6 | 90 | 4 times smaller: 3 clients in place of 12; 7 runs to come; 1 claim not judged |",
		"| [C, Table 9](results/c.md) | as in the paper | " + strings.Repeat("●", 12) + "✕ | 99 | 0 | 1 | 6 | 1 | the paper's size |",
		"| A | ●●●○✕ | 3 | 1 | 1 |",
		"Of 107 claims of papers that are judged here, 103 hold, 1 is undecided, and 3 do not hold. Of the last, 1 is from tables that are " +
			"smaller",
		"In 3 rows it is from five to nine for some",
		"2 claims on numbers, or without runs, are not judged.",
		"so that runs alone take less: 1.6 hours in all.",
		"## Not run yet\n\n| tables and figures | samples | claims |\n|---|---|---:|\n| E, Table 5 | as in the paper | 0 |\n",
		"| D, Table 4 | It needs the authors' files. |",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the summary does not say %q:\n%s", want, &out)
		}
	}
}

// A summary is made of the outcomes that are kept, for the sets of the sweep's paper and its version, and says where claims
// have changed.
func TestPagesWith(t *testing.T) {
	const text = "title F, Table 6\ndata drawn; the paper has MNIST\nreal MNIST\nquery data=digits&n=50&T=5\nvary algos=ifca,clove\n"
	made := page(t, "f", text+"claim * | ifca > clove | ari | Table 6\n")
	outcomes := map[string]*papers.Outcome{"f": made.Outcome, "f-mnist": made.Outcome, "f-cifar-10": made.Outcome}
	for _, tt := range []struct{ more, want string }{
		{"claim * | ifca > clove | ari | Table 6\n", "| 1 | 0 | 0 | 6 | 1 | the paper's size |"},
		{"claim * | ifca > clove | ari | Table 6\nclaim * | ifca > pacfl | ari | Table 6\n",
			"| 1 | 0 | 0 | 6 | 1 | the paper's size; claims have changed since |"},
		{"", "| – | 0 | 0 | 0 | – | 1 | the paper's size |"},
	} {
		s, err := papers.Read("f", text+tt.more)
		if err != nil {
			t.Fatal(err)
		}
		pages := s.PagesWith(outcomes)
		if len(pages) != 2 || pages[0].Name() != "f" || pages[1].Name() != "f-mnist" {
			t.Fatalf("%d pages, want those on drawn samples and on MNIST", len(pages))
		}
		var out bytes.Buffer
		if err := papers.Summary(pages, nil, "results", ".md").Write(&out, report.Markdown, "../"); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), tt.want) {
			t.Errorf("with claims %q, the summary does not say %q:\n%s", tt.more, tt.want, &out)
		}
	}
	s, err := papers.Read("f", "version 2\n"+text)
	if err != nil || len(s.PagesWith(outcomes)) > 0 {
		t.Errorf("outcomes of another version are kept: %v", err)
	}
}
