package report_test

import (
	"math"
	"regexp"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/report"
)

// studyOf is a study of one method with two settings and two seeds, whose lanes are made by hand.
func studyOf(t *testing.T, lane func(point, seed int) plan.Lane) *report.Study {
	t.Helper()
	return studyOfMethods(t, "query T=4&C=6&algos=ifca\nvary dphi=5,10\nseeds 2\n", func(_ string, point, seed int) plan.Lane {
		return lane(point, seed)
	})
}

// studyOfMethods is a study by a plan whose cells have one method each.
func studyOfMethods(t *testing.T, text string, lane func(method string, point, seed int) plan.Lane) *report.Study {
	t.Helper()
	draft, err := plan.ParseDraft(text)
	if err != nil {
		t.Fatal(err)
	}
	p, err := draft.Plan(catalog.Schema().Parse)
	if err != nil {
		t.Fatal(err)
	}
	var records []plan.Record
	for n := range p.Cells() {
		c, err := p.Cell(n)
		if err != nil {
			t.Fatal(err)
		}
		r := c.Failed("made up")
		point, seed := p.Split(n)
		method := c.Config.Lanes()[0].ID()
		l := lane(method, point, seed)
		l.Lane, l.Fingerprint = method, c.ID
		r.Error, r.Fingerprint, r.Lanes = "", c.ID, []plan.Lane{l}
		records = append(records, r)
	}
	s, err := report.New([]report.Source{{Name: "a", Plan: p, Records: records}}, catalog.Schema().Parse, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Curves over the rounds are means over seeds, a picture for each setting that has them.
func TestByRound(t *testing.T) {
	s := studyOf(t, func(point, seed int) (l plan.Lane) {
		l.Rounds = 4
		if point == 1 {
			l.CurveARI = []float32{0, float32(seed), 1, 1, 1}
			l.CurveClusters = []float32{1, 2, 3} // damaged: too short
		}
		return l
	})
	ari, err := report.FindCurve("ari")
	if err != nil {
		t.Fatal(err)
	}
	pictures := s.ByRound(ari)
	if len(pictures) != 1 || pictures[0].Title != "ARI over the rounds, dphi = 10" {
		t.Fatalf("%d pictures: %v", len(pictures), pictures)
	}
	part, err := pictures[0].Embedded()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(part.Picture, `id="title"`) || !strings.Contains(part.Picture, ">ifca<") ||
		part.Alt != pictures[0].Title {
		t.Errorf("the picture is\n%s", part.Picture)
	}
	clusters, err := report.FindCurve("clusters")
	if err != nil {
		t.Fatal(err)
	}
	if pictures := s.ByRound(clusters); len(pictures) > 0 {
		t.Errorf("damaged curves are drawn")
	}
	if _, err := report.FindCurve("beauty"); err == nil || !strings.Contains(err.Error(), "ari, clusters, accuracy, loss") {
		t.Errorf("a curve that is not there: %v", err)
	}
}

// Accuracy has points only in the rounds with an evaluation, since records repeat it in the rounds between; and no band goes
// above 1.
func TestEvaluatedRounds(t *testing.T) {
	text := "query data=digits&T=100&every=20&C=6&algos=ifca\nseeds 2\n"
	s := studyOfMethods(t, text, func(_ string, _, seed int) (l plan.Lane) {
		l.Rounds, l.Accuracy = 100, new(float64)
		for _, t := range plan.CurveRounds(100) {
			l.CurveScore = append(l.CurveScore, float32(t/20)/10+0.5*float32(seed%2))
		}
		return l
	})
	c, err := report.FindCurve("accuracy")
	if err != nil {
		t.Fatal(err)
	}
	pictures := s.ByRound(c)
	if len(pictures) != 1 {
		t.Fatalf("%d pictures", len(pictures))
	}
	part, err := pictures[0].Embedded()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range regexp.MustCompile(`>([0-9.-]+)<`).FindAllStringSubmatch(part.Picture, -1) {
		got = append(got, m[1])
	}
	if want := "0 0.2 0.4 0.6 0.8 1 0 20 40 60 80 100"; strings.Join(got, " ") != want {
		t.Errorf("the axes have %s, want %s", got, want)
	}
}

// The table of classes has a row for each cluster.
func TestContents(t *testing.T) {
	s := studyOf(t, func(point, seed int) (l plan.Lane) {
		if point == 1 && seed == 1 {
			l.Classes, l.Contents = 2, []float32{9, 1, 0, 11}
		}
		return l
	})
	table, ok := s.Contents("ifca")
	if !ok || len(table.Rows) != 2 {
		t.Fatalf("the table is %+v", table)
	}
	var got []string
	for _, row := range table.Rows {
		for _, c := range row {
			got = append(got, c.Text)
		}
	}
	if text := strings.Join(got, " "); text != "1 9 1 2 0 11" || !strings.Contains(table.Rows[0][0].Query, "dphi=10") {
		t.Errorf("the table has %s, of %s", text, table.Rows[0][0].Query)
	}
	if _, ok := s.Contents("clove"); ok {
		t.Error("a method without runs has a table")
	}
}

// The losses of a method's first run that has some are a heat map, with a row for each group.
func TestLossesOfGroups(t *testing.T) {
	s := studyOf(t, func(point, seed int) (l plan.Lane) {
		if seed == 1 {
			l.Models, l.Losses = 2, []float32{0.25, 2, 3, 0.5, 4, 5.5}
		}
		return l
	})
	pictures := s.Losses()
	if len(pictures) != 1 || pictures[0].Name != "losses-ifca.svg" {
		t.Fatalf("the pictures are %+v, want one of ifca", pictures)
	}
	part, err := pictures[0].Embedded()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range regexp.MustCompile(`>([0-9.]+)</text>`).FindAllStringSubmatch(part.Picture, -1) {
		got = append(got, m[1])
	}
	if text := strings.Join(got, " "); text != "1 0.25 2 2 3 0.5 3 4 5.5 1 2" {
		t.Errorf("the picture has the numbers %s", text)
	}
}

// Beside rounds in which failing runs count as T stands how many succeed, as in six of nine runs that fail.
func TestSuccessStandsBesideRounds(t *testing.T) {
	s := studyOf(t, func(point, seed int) (l plan.Lane) {
		ari, found := 0.5, 13
		l.ARI, l.Rounds = &ari, 200
		if seed == 0 {
			l.Found = &found
		}
		return l
	})
	m, err := report.FindMeasure("rounds")
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Pooled([]int{0}, 0, m, report.SD, false).Cell.Text; got != "106 ± 133 (50% succeed)" { // 12 and 200
		t.Errorf("the cell says %s", got)
	}
}

// The measures in the papers' units, each of a lane made by hand: with a clustering that is found, and with one that is
// not.
func TestMeasuresOfHistories(t *testing.T) {
	whole, half, ari, loss := 2, 30, 0.8, 0.01
	yes := plan.Lane{Scores: plan.Scores{ARI: &ari, Found: &whole, Accuracy: &ari, Loss: &loss, Computed: 900},
		History: plan.History{Rounds: 200, ARI10: &loss, First90: &half, First90Of: &whole,
			Stable: &whole, Stopped: &half,
			Peak: &half, Gap: &whole, MostClusters: 7, Best: &ari, BestRound: &half, BestVal: &ari, TestThen: &loss,
			BestTest: &ari, ValThen: &loss, Transmissions: 500,
			Reached: make([]float32, 12), ReachedComputed: make([]float32, 12),
			Classes: 10}}
	yes.Reached[11], yes.ReachedComputed[11] = 40, 60 // of an accuracy of 60 %
	no := plan.Lane{Scores: plan.Scores{ARI: &ari, Accuracy: &ari, Computed: 900}, History: plan.History{Rounds: 200,
		Transmissions: 500}}
	unclustered := plan.Lane{Scores: plan.Scores{Accuracy: &ari}, History: plan.History{Rounds: 200}}
	for name, want := range map[string][2]float64{ // −1 for none
		"rounds": {1, 200}, "success": {1, 0}, "ari10": {0.01, -1}, "share10": {0.0125, -1}, "first90": {30, 200},
		"success90": {1, 0}, "first90_participants": {30, 200}, "ari10_participants": {0.01, -1}, "first90of": {2, 200},
		"stable": {2, -1}, "stopped": {29, 200}, "peak": {29, -1}, "spectralgap": {2, -1}, "mostclusters": {7, -1}, "best": {0.8, -1},
		"bestround": {30, -1}, "bestval": {0.8, -1}, "testatbestval": {0.01, -1}, "besttest": {0.8, -1},
		"valatbesttest": {0.01, -1}, "sent": {500, 500}, "sent60": {40, 500}, "sent80": {500, 500}, "computed60": {60, 900},
		"computed80": {900, 900},
	} {
		m, err := report.FindMeasure(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, l := range []plan.Lane{yes, no} {
			v, ok := m.Value(&report.Run{Lane: &l})
			if !ok {
				v = -1
			}
			if d := v - want[i]; d < -1e-12 || d > 1e-12 {
				t.Errorf("%s of lane %d is %g, want %g", name, i, v, want[i])
			}
		}
		switch name {
		case "rounds", "success", "first90", "success90", "first90of", "stopped", "first90_participants":
			if v, ok := m.Value(&report.Run{Lane: &unclustered}); ok {
				t.Errorf("%s of a method without clusters is %g", name, v)
			}
		}
	}
	accuracy, err := report.FindMeasure("accuracy")
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := accuracy.Chance(&report.Run{Lane: &yes}); !ok || v != 0.1 {
		t.Errorf("guessing among ten classes has %g", v)
	}
	if _, ok := accuracy.Chance(&report.Run{Lane: &no}); ok {
		t.Error("guessing among unknown classes has a score")
	}
	best, err := report.FindMeasure("bestval")
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := best.Chance(&report.Run{Lane: &yes}); !ok || v != 0.15 {
		t.Errorf("the best of many guesses among ten classes has %g", v)
	}
	hundred := yes
	hundred.Classes = 100
	if v, ok := best.Chance(&report.Run{Lane: &hundred}); !ok || math.Abs(v-0.02581) > 1e-5 {
		t.Errorf("the best of many guesses among a hundred classes has %g", v)
	}
	// A channel that is guessed as 0 has the error 1/72, and an NMSE of 0 dB; other data have no NMSE.
	nmse, err := report.FindMeasure("nmse")
	if err != nil {
		t.Fatal(err)
	}
	all := 1.0 / 72
	zero := plan.Lane{Scores: plan.Scores{Loss: &all}}
	if v, ok := nmse.Value(&report.Run{Lane: &zero, Query: "data=wireless&C=4"}); !ok || v < -1e-12 || v > 1e-12 {
		t.Errorf("the NMSE of nothing is %g dB", v)
	}
	if v, ok := nmse.Value(&report.Run{Lane: &zero, Query: "C=4&data=linear"}); ok {
		t.Errorf("a regression has an NMSE of %g dB", v)
	}
}

// Methods that made one cluster, or one for each client, or that are another method under a second name, are named, with
// the settings in which that is so.
func TestIdle(t *testing.T) {
	clients := []float32{0.1, 0.2, 0.3, 0.4, 0.5, 0.6}
	s := studyOfMethods(t, "query T=4&C=6&K=4\nvary dphi=5,10\nvary algos=fedavg;local;ifca;ifca:b;cfl;stocfl;icfl;hcfl:both&hcfl:both.adapt=both\nseeds 2\n",
		func(method string, point, seed int) (l plan.Lane) {
			ari := 0.5
			l.ARI, l.Clients, l.Clusters = &ari, clients, 3
			first := point >= 8
			switch method {
			case "fedavg":
				l.Clusters = 1
			case "local": // makes no clusters
				l.ARI, l.Clusters = nil, 6
			case "cfl":
				l.Clients, l.Clusters = nil, 1
				if seed == 1 && !first {
					l.Clusters = 2
				}
			case "stocfl":
				l.Clusters, l.Clients = 1, []float32{float32(point)}
			case "icfl": // of clients without true groups
				l.ARI, l.Clusters = nil, 6
			case "hcfl:both":
				l.Clusters, l.MostClusters, l.Clients = 4, 4, nil
				if seed == 1 && !first {
					ari = 1
				}
			}
			return l
		})
	want := "ifca and ifca:b have the same scores in every run. cfl has one cluster in every run with dphi = 10. " +
		"stocfl has one cluster in every run. icfl has a cluster for each client in every run. " +
		"local and icfl have the same scores in every run. " +
		"hcfl:both ends with as many clusters as it begins with in every run with dphi = 10, and never has more."
	if got := strings.Join(s.Idle(), " "); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// A method may be compared with one in other settings, by the seeds of both.
func TestDifferenceAcrossSettings(t *testing.T) {
	s := studyOf(t, func(point, seed int) (l plan.Lane) {
		ari := []float64{0.9, 0.5}[point] + float64(seed)/100
		l.ARI = &ari
		return l
	})
	ari, err := report.FindMeasure("ari")
	if err != nil {
		t.Fatal(err)
	}
	if d := s.Difference([]int{0}, []int{1}, "ifca", "ifca", ari); d.N != 2 || math.Abs(d.Mean-0.4) > 1e-9 || d.AtChance {
		t.Errorf("%+v", d)
	}
	if d := s.Difference([]int{1}, nil, "ifca", "ifca", ari); d.N != 2 || d.Mean != 0 {
		t.Errorf("with itself: %+v", d)
	}
	if d := s.Difference([]int{0, 1}, []int{1}, "ifca", "ifca", ari); d.N != 0 {
		t.Errorf("settings without a partner: %+v", d)
	}
}
