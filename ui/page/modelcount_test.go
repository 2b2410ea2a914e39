package page_test

import (
	"slices"
	"strings"
	"testing"

	"flockscope/sim/lab/sweep"
	"flockscope/sim/wire"
	. "flockscope/ui/page"
	"flockscope/ui/testing/pagetest"
)

// Of clients whose groups are unknown the page says that K is an assumption, and compares other numbers.
func TestModelCountIsAssumed(t *testing.T) {
	const words = "The groups of these clients are unknown. K = 3 models are an assumption, not a result."
	open := func(truth bool, answer string) (*pagetest.Page, *pagetest.Engines) {
		a, p := ready(t, "T=30")
		p.NoTruth = !truth
		a.Do(OpenFiles{Files: pagetest.NamedFiles("rows.csv")})
		p.SendText(NoRunID, wire.Accepted, answer)
		p.Finish()
		return a, p
	}
	a, _ := open(true, "csv 9 rows of 6 clients in 2 groups")
	if slices.Contains(noticed(a), words) {
		t.Errorf("with known groups the page says %q", noticed(a))
	}
	a, _ = open(false, "csv 9 rows of 6 clients, groups unknown")
	if !slices.Contains(noticed(a), words) {
		t.Fatalf("with unknown groups the page says %q", noticed(a))
	}
	all := a.AllNotices()
	last := all[len(all)-1]
	if label := last.Actions[0].Label.String(); label != "Compare the losses of K = 2 to 4" {
		t.Errorf("the button says %q", label)
	}
	a.Do(RunAction{Notice: len(all) - 1})
	span := a.Jobs.Sweep.Spans[0]
	if a.Sheet != "sweep" || span.Key != "K" || span.From != "2" || span.To != "4" || span.Count != "3" ||
		a.Jobs.Sweep.Measure != sweep.Loss || a.Jobs.Sweep.Batch == nil || slices.Contains(noticed(a), words) {
		t.Errorf("the sweep is %+v of %v on the sheet %q; notices %q", span, a.Jobs.Sweep.Measure, a.Sheet, noticed(a))
	}

	b, p := open(false, "csv 9 rows of 6 clients, groups unknown")
	set(t, b, "K", "2")
	p.Finish()
	if strings.Contains(strings.Join(noticed(b), " "), "assumption") {
		t.Errorf("with a chosen K the page says %q", noticed(b))
	}
}
