package page_test

import (
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/lab/sweep"
	"flockscope/ui/jobs"
	. "flockscope/ui/page"
)

// The caption of a sweep says what was measured and when, what was varied over what, which seeds were used, and all
// settings that did not vary; it has the link to the sweep.
func TestSweepCaption(t *testing.T) {
	a := recorded(t, "data=linreg&dphi=8&T=20&algos=cflgp,ifca&sd=3&t=14")
	a.Export.Home = "https://host/"
	angles := sweep.Axis{Key: "dphi", Values: []string{"0", "5", "10", "15"}}
	sweepOn(t, a, angles)
	p, _ := a.Export.Picture("sweep", 0)
	facts := a.Export.Paper(p)
	caption, link := facts["caption"].(string), facts["link"].(string)
	for _, want := range []string{"ARI in round 20, over Gap Δφ from 0° to 15° (4 values).", "Means of 3 seeds",
		"one standard deviation", "small dots are single runs", "Data seed: 3 to 5; Model seed: 1 to 3", "Batch b: 10",
		"Clients C: 12"} {
		if !strings.Contains(caption, want) {
			t.Errorf("the caption has no %q: %s", want, caption)
		}
	}
	for _, wrong := range []string{"Unfinished", "Gap Δφ: ", "Result", "Round 14"} {
		if strings.Contains(caption, wrong) {
			t.Errorf("the caption has %q: %s", wrong, caption)
		}
	}
	if want := "https://host/?data=linreg&dphi=8&T=20&algos=cflgp,ifca&sd=3&sweep=3,dphi,0,15,4"; link != want {
		t.Errorf("the link is %s, want %s", link, want)
	}
	if text := a.Export.Citation(); strings.Contains(text, link) {
		t.Errorf("a run is cited as %s", text)
	}
	a.Update(0, ChoosePicture{Value: p.Value()})
	bib, _ := a.Export.File("bib")
	for _, text := range []string{a.Export.Citation(), string(bib.Data)} {
		if !strings.Contains(text, link) {
			t.Errorf("the sweep is cited as %s", text)
		}
	}

	// The link opens the sweep.
	b := New(catalog.Schema(), strings.TrimPrefix(link, "https://host/"))
	plan := a.Jobs.Sweep.Batch.Table.Plan
	b.Update(0, OpenSweep{})
	if again, err := b.Jobs.SweepPlan(); err != nil || !b.SweepLinked || again.Seeds != 3 ||
		again.Base.String() != plan.Base.String() || strings.Join(again.Axes[0].Values, " ") != "0 5 10 15" {
		t.Errorf("the link opens %+v, %v", again, err)
	}
}

// A picture of a sweep that is not complete says so, in the figure, its caption and its name.
func TestUnfinishedSweep(t *testing.T) {
	a := recorded(t, "data=linreg&T=5&algos=ifca")
	plan, err := sweep.New(a.Config, []sweep.Axis{{Key: "dphi", Values: []string{"5", "10"}}}, 2)
	if err != nil {
		t.Fatal(err)
	}
	table := sweep.NewTable(plan)
	a.Jobs.Sweep.Titles, a.Jobs.Sweep.Batch = []string{"IFCA"}, &jobs.Batch{Table: table}
	p, _ := a.Export.Picture("sweep", 0)
	for job := range 4 {
		table.Put(job, &sweep.Run{HasTruth: true, Lanes: []sweep.Outcome{{ARI: 1}}})
		facts := a.Export.Paper(p)
		stamp := strings.Contains(string(bytesOf(t, a, "sweep", "figure")), "of 4 runs")
		caption := strings.Contains(facts["caption"].(string), "Unfinished: ")
		name := strings.Contains(facts["name"].(string), "-of-4-runs")
		if want := job < 3; stamp != want || caption != want || name != want {
			t.Errorf("after %d of 4 runs, the figure, the caption and the name say so: %v, %v, %v", job+1, stamp, caption, name)
		}
	}
}

func TestSweepLinkValues(t *testing.T) {
	for text, valid := range map[string]bool{"10,dphi,0,45,10": true, "3,ifca.K,2,8,4,b,1,100,5": true, "10": false,
		"10,dphi,0,45": false, "x,dphi,0,45,10": false, "10,dphi,0,x,10": false, "10,,0,4,5": false} {
		a := New(catalog.Schema(), "data=linreg&sweep="+text)
		if a.SweepLinked != valid || len(noticed(a)) > 0 == valid {
			t.Errorf("sweep=%s is valid: %v; %q", text, a.SweepLinked, noticed(a))
		}
		if valid && a.Jobs.Sweep.Spans[0].Key != strings.Split(text, ",")[1] {
			t.Errorf("sweep=%s varies %q", text, a.Jobs.Sweep.Spans[0].Key)
		}
	}
}
