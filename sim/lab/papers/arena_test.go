package papers_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/lab/papers"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/report"
	"flockscope/sim/lab/tune"
	"flockscope/sim/workload"
)

func findArena(t *testing.T, study string) *papers.Sweep {
	t.Helper()
	s, _, err := papers.FindArena(study)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// In every drawn row a client has 52 training and 208 test images on average, and methods are told the true number of
// groups, or three where there are none; the rows of a family have one thing in common, and each family has rows.
func TestArenaRows(t *testing.T) {
	s := findArena(t, "")
	p, labels, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for point := range p.Points() {
		values := p.Values(point)
		row := labels["data"][values[0]]
		if values[1] != "ifca" {
			continue
		}
		seen[row] = true
		c, err := p.Point(point)
		if err != nil {
			t.Fatal(err)
		}
		data, _, err := catalog.Build(c, nil)
		if err != nil {
			t.Fatal(err)
		}
		groups := 3
		if _, n := data.Groups(); n > 1 {
			groups = n
		}
		if k := c.Values(0).Int("K"); k != groups {
			t.Errorf("%s has %d groups, and K = %d", row, groups, k)
		}
		train, test := 0, 0
		for i := range data.Clients() {
			train += data.(workload.Finite).Holds(i)
			test += data.(workload.WithTestClients).HeldOut(i)
		}
		if max(train-20*52, 20*52-train) > 10 || train+test != 20*260 { // unequal sizes are rounded
			t.Errorf("%s: %d images for training and %d for tests, want about 1040 and 4160", row, train, test)
		}
	}
	if len(seen) != 10 || len(s.AllRows()) != 16 || len(s.Families) != 8 {
		t.Errorf("%d drawn rows of %d in %d families, want 10 of 16 in 8", len(seen), len(s.AllRows()), len(s.Families))
	}
}

// Methods are marked by what they have to be told, copies stay out, and reference lines are not ranked.
func TestArenaMethods(t *testing.T) {
	s := findArena(t, "")
	kinds := map[string]papers.MethodKind{}
	for _, e := range s.Entrants() {
		kinds[e.Lane] = e.Kind
	}
	for kind, names := range map[papers.MethodKind]string{
		papers.NoClusters: "fedavg local perfedavg fedproto fedala fedpac",
		papers.NeedsK:     "ifca cflgp clove fesem flexcfl kfed fedem fedrc fedgmm fedsoft hcflplus",
		papers.FindsK:     "cfl icfl ocfl pacfl stocfl fedclust cflgp:finds clove:finds",
		papers.Unranked:   "fedavg:oracle fedavg:central",
		"":                "hcfl",
	} {
		for name := range strings.FieldsSeq(names) {
			if kinds[name] != kind {
				t.Errorf("%s is %q, want %q", name, kinds[name], kind)
			}
		}
	}
	for _, a := range catalog.Finished() {
		if _, in := kinds[a.Name]; in == (a.Name == "hcfl") {
			t.Errorf("%s takes part: %v", a.Name, in)
		}
	}
}

// No two drawn methods share all their runs but those that are said to: the one left out is a copy of another.
func TestArenaHasNoCopies(t *testing.T) {
	s := findArena(t, "")
	if len(s.Left) != 1 || s.Left[0][0] != "hcfl" || !strings.Contains(s.Left[0][1], "FedEM") {
		t.Fatalf("left out: %v", s.Left)
	}
	play := func(lane string) plan.Lane {
		c, problems := catalog.Schema().Parse("data=digits&n=400&C=6&K=3&T=4&shift=none&concept=permute&b=16&hidden=8" +
			"&avg=model&tau=2&algos=" + lane)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		return run(t, c).Lanes[0]
	}
	copied, of := play("hcfl"), play("fedem")
	copied.Lane = of.Lane
	a, b := copied.Scores, of.Scores
	if *a.Accuracy != *b.Accuracy || *a.Loss != *b.Loss || a.Down != b.Down || a.Up != b.Up {
		t.Errorf("hcfl is no copy of fedem: %+v, %+v", a, b)
	}
}

// Rows run on the sets of files that they name, with at most as many seeds; other files are refused with the names.
func TestArenaOnFiles(t *testing.T) {
	s := findArena(t, "")
	rows := 0
	for _, set := range s.Sets() {
		on, err := s.On(&papers.Files{Name: set, Samples: 10000, Kind: "samples", Hash: "0123456789abcdef"})
		if err != nil {
			t.Fatal(err)
		}
		p, labels, err := on.Plan()
		if err != nil {
			t.Fatal(err)
		}
		if p.Seeds != 10 || p.Data == "" || len(labels["data"]) != len(on.Rows()) {
			t.Errorf("%s: %d seeds, files %q, rows %v", set, p.Seeds, p.Data, labels)
		}
		rows += len(on.Rows())
		for point := range p.Points() {
			if c, err := p.Point(point); err != nil || c.Workload() != "samples" {
				t.Errorf("%s: %s: data=%s, %v", set, p.Name(point), c.Workload(), err)
			}
		}
	}
	if rows != 6 || !slices.Equal(s.Sets(), []string{"MNIST", "Fashion-MNIST", "AG News", "FEMNIST", "Amazon"}) {
		t.Errorf("%d rows on files of %v", rows, s.Sets())
	}
	if _, err := s.On(&papers.Files{Name: "CIFAR-10"}); err == nil || !strings.Contains(err.Error(), "MNIST, Fashion-MNIST") {
		t.Errorf("CIFAR-10: %v", err)
	}
}

// Tuned settings are those of one family and its rows alone, for the methods that they name.
func TestArenaTuned(t *testing.T) {
	s, err := papers.Read("x", `title T
query data=digits&C=6&n=200&T=3
family one | Different names.
row a | data=digits&shift=none&concept=permute
family two | Turned.
row b | data=digits&shift=rotations
vary algos=all
tuning 12, 3
tuned one | ifca | lr=0.3
tuned two | ifca | lr=0.2
tuned two | cfl | eps1=0.5&lr=0.01
`)
	if err != nil {
		t.Fatal(err)
	}
	of, ok := s.WithTuned("two")
	if !ok {
		t.Fatal("nothing is tuned")
	}
	p, labels, err := of.Plan()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for point := range p.Points() {
		c, err := p.Point(point)
		if err != nil {
			t.Fatal(err)
		}
		got[c.Lanes()[0].ID()] = c.LaneValue(0, "lr") + " " + labels["data"][p.Values(point)[0]]
	}
	if got["ifca"] != "0.2 b" || got["cfl"] != "0.01 b" || len(got) != 2 { // others keep their defaults, which have run
		t.Errorf("tuned: %v", got)
	}
	for text, want := range map[string]string{"tuned none | ifca | lr=1": `no family "none"`,
		"budget time | as long": "rounds, floats or steps", "family empty | none": "has no rows",
		"without nobody | why": `no method "nobody"`, "line a | b": "got 2 parts, want 3", "row a": "got 1 part, want 2 to 3"} {
		if _, err := papers.Read("x", "title T\nquery T=5\n"+text+"\n"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// One method can run alone on all drawn rows, with settings of its own under a name of its own.
func TestArenaOnly(t *testing.T) {
	s := findArena(t, "")
	mine, err := s.Only("cfl:mine", "eps1=0.4&eps2=1.6")
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := mine.Plan()
	if err != nil {
		t.Fatal(err)
	}
	if want := 10 * 20; p.Runs() != want {
		t.Errorf("%d runs, want %d", p.Runs(), want)
	}
	for point := range p.Points() {
		c, err := p.Point(point)
		if err != nil {
			t.Fatal(err)
		}
		if c.Lanes()[0].ID() != "cfl:mine" || c.LaneValue(0, "eps2") != "1.6" || len(c.Lanes()) != 1 {
			t.Fatalf("a run is %s", c)
		}
	}
	for lane, settings := range map[string]string{"nobody": "", "cfl": "eps1=0.4"} {
		if _, err := s.Only(lane, settings); err == nil {
			t.Errorf("%s with %q takes part", lane, settings)
		}
	}
}

// Settings are chosen on the drawn rows of a family, or on its rows on files if it has no others, with seeds that the arena
// does not have, as many tries for each method, and the mean over rows and seeds decides. Variants of a method have its settings.
func TestArenaTunes(t *testing.T) {
	s, err := papers.Read("x", `title T
query data=digits&C=6&n=200&T=3
family one | Different names.
row a | data=digits&shift=none&concept=permute
row b | data=digits&shift=none&concept=beta
row c | data=samples&shift=none&concept=permute | MNIST
family two | Real.
row d | data=samples&shift=none | MNIST
vary algos=all
also cflgp:finds | findk=silhouette | it finds K
line fedavg:oracle | told=groups | the groups are known
tuning 4, 2
`)
	if err != nil {
		t.Fatal(err)
	}
	if two := s.OfFamily("two"); len(two.Rows()) != 0 || !slices.Equal(two.Sets(), []string{"MNIST"}) {
		t.Errorf("family two has %v drawn, and rows on %q", two.Rows(), two.Sets())
	}
	one := s.OfFamily("one")
	if len(one.Sets()) != 0 {
		t.Errorf("family one is tuned on %q, too", one.Sets())
	}
	search, err := one.Search()
	if err != nil {
		t.Fatal(err)
	}
	p, err := search.Plan()
	if err != nil {
		t.Fatal(err)
	}
	if want := 2 * len(search.Methods) * 4 * 2; p.Runs() != want {
		t.Errorf("%d runs, want %d", p.Runs(), want)
	}
	// Try 2 is best of CFL-GP on the mean of both rows, though try 1 wins row a; of IFCA tries 0 and 3 are equally good, and of
	// FedAvg the third is the best.
	accuracy := map[string][2]float64{"cflgp:try1": {0.9, 0.1}, "cflgp:try2": {0.7, 0.7}, "ifca:try0": {0.6, 0.6},
		"ifca:try3": {0.6, 0.6}, "fedavg:try3": {0.8, 0.5}}
	var records []plan.Record
	for n := range p.Cells() {
		c, err := p.Cell(n)
		if err != nil {
			t.Fatal(err)
		}
		if c.Config.Value("holdback") != "1" {
			t.Fatalf("%s: no samples are held back", c.Query)
		}
		if c.Config.FirstSeed() <= s.Seeds+20 {
			t.Fatalf("%s: a seed of the arena", c.Query)
		}
		point, _ := p.Split(n)
		row := 0
		if p.Values(point)[0] != p.Axes[0].Values[0] {
			row = 1
		}
		lane := c.Config.Lanes()[0].ID()
		v := 0.5
		if given, ok := accuracy[lane]; ok {
			v = given[row]
		}
		r := c.Failed("made up")
		r.Error, r.Fingerprint = "", lane
		l := plan.Lane{Lane: lane, Scores: plan.Scores{Accuracy: &v, Loss: &v, Fingerprint: lane}}
		l.Classes = 10
		r.Lanes = []plan.Lane{l}
		records = append(records, r)
	}
	study, err := report.New([]report.Source{{Name: "a", Plan: p, Records: records}}, catalog.Schema().Parse, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := report.FindMeasure("accuracy")
	if err != nil {
		t.Fatal(err)
	}
	r, err := search.Choose(study, m)
	if err != nil {
		t.Fatal(err)
	}
	space, err := search.Space("fedavg")
	if err != nil {
		t.Fatal(err)
	}
	rate := func(try int) string { x := tune.Try(space, try)[0]; return x[0] + "=" + x[1] }
	want := []papers.Tuned{{Family: "one", Lane: "fedavg", Settings: rate(3)}, {Family: "one", Lane: "cflgp", Settings: rate(2)},
		{Family: "one", Lane: "cflgp:finds", Settings: rate(2)}, {Family: "one", Lane: "fedavg:oracle", Settings: rate(3)}}
	if got := s.Chosen("one", r); !slices.Equal(got, want) {
		t.Errorf("chosen: %v, want %v", got, want)
	}
}

// The design says everything before a run: each row, method, budget and study.
func TestArenaDesign(t *testing.T) {
	s, studies, err := papers.FindArena("")
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.Design(studies)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := d.Write(&out, report.Markdown, ""); err != nil {
		t.Fatal(err)
	}
	want := []string{"arena-k", "arena-liars", "Equal floats", "Equal steps", "12 tries", "3 seeds", "Without hcfl", "hidden=24"}
	for _, r := range s.AllRows() {
		want = append(want, "| "+r.Label+" |")
	}
	for _, f := range s.Families {
		want = append(want, f.What)
	}
	for _, e := range s.Entrants() {
		want = append(want, "| "+e.Lane+" | "+string(e.Kind)+" |")
	}
	for _, text := range want {
		if !strings.Contains(out.String(), text) {
			t.Errorf("the design does not say %q:\n%s", text, out.String())
		}
	}
}

// A joint report has the rows of both sources, and each run stands in its row.
func TestArenaJoined(t *testing.T) {
	var sources []report.Source
	labels := report.Labels{"data": {}}
	for label, row := range map[string]string{"names": "shift=none&concept=permute", "turned": "shift=rotations"} {
		s, err := papers.Read("x", "title T\nquery data=digits&C=4&n=120&T=2&hidden=8&b=8\nfamily f | g\nrow "+label+
			" | data=digits&"+row+"\nvary algos=fedavg,local\nseeds 2, 1\n")
		if err != nil {
			t.Fatal(err)
		}
		p, of, err := s.Plan()
		if err != nil {
			t.Fatal(err)
		}
		source := report.Source{Name: label, Plan: p}
		for n := range p.Cells() {
			c, err := p.Cell(n)
			if err != nil {
				t.Fatal(err)
			}
			source.Records = append(source.Records, run(t, c.Config))
		}
		for value, name := range of["data"] {
			labels["data"][value] = name
		}
		sources = append(sources, source)
	}
	study, err := report.Joined(sources, catalog.Schema().Parse, labels)
	if err != nil {
		t.Fatal(err)
	}
	if len(study.Methods) != 2 || len(study.Seeds) != 2 || study.Records != 8 || len(study.Notes) > 0 {
		t.Errorf("methods %v, seeds %v, %d records, %v", study.Methods, study.Seeds, study.Records, study.Notes)
	}
	accuracy, err := report.FindMeasure("accuracy")
	if err != nil {
		t.Fatal(err)
	}
	for _, label := range []string{"names", "turned"} {
		if at := papers.Settings(study, label); len(at) != 1 || study.Pooled(at, 0, accuracy, report.SD, false).N != 2 {
			t.Errorf("%s is in settings %v", label, at)
		}
	}
}
