package shell

import (
	"strings"
	"testing"

	"flockscope/ui/page"
)

// Losses, answers and tabs go by what the run has.
func TestTabsOfPictures(t *testing.T) {
	a, p := ready(t, "data=digits&view=answers")
	html := text(rendered(t, a))
	if a.ShownTab() != "answers" || a.FigureBelow(0) != "answers" || !strings.Contains(html, "Map Data Losses Answers Flow") {
		t.Errorf("of pictures the tab is %s, below the map are %s", a.ShownTab(), a.FigureBelow(0))
	}
	a.Do(page.ShowTab{Tab: "losses"})
	if a.FigureBelow(0) != "losses" {
		t.Errorf("asked for losses, below the map are %s", a.FigureBelow(0))
	}
	a.Do(page.ShowTab{Tab: "answers"})
	set(t, a, "data", "linreg")
	p.Finish()
	html = text(rendered(t, a))
	if a.ShownTab() != "losses" || a.FigureBelow(0) != "losses" || strings.Contains(html, "Answers") {
		t.Errorf("of lines the tab is %s, below the map are %s", a.ShownTab(), a.FigureBelow(0))
	}
}

// Without an answer to compare with there is no ARI, anywhere.
func TestNoAnswer(t *testing.T) {
	a, p := open(t, "curve=misplaced")
	p.NoTruth = true
	p.Finish()
	a.Do(page.Seek{Round: 9})
	html := rendered(t, a)
	for _, word := range []string{"ARI 0", "misplaced", "wrong place", " wrong<"} {
		if strings.Contains(html, word) {
			t.Errorf("without groups the page says %q", word)
		}
	}
	if !strings.Contains(html, "no clustering is right or wrong, and there is no ARI") || !a.HasNoTruth() {
		t.Error("the page does not say that nobody knows the groups")
	}
	p.NoTruth = false
	set(t, a, "dphi", "5")
	p.Finish()
	if a.ShownMetric().String() != "misplaced" {
		t.Errorf("with groups again, the curves show %s, want what was chosen", a.ShownMetric().String())
	}
}
