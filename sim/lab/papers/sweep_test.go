package papers_test

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/lab/papers"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/report"
)

// Every sweep that is not said to be impossible has a plan whose points all go together
// and which the engine would run.
func TestPlans(t *testing.T) {
	all, err := papers.All()
	if err != nil {
		t.Fatal(err)
	}
	number, impossible := 0, 0
	for _, s := range all {
		if s.IsPaper() {
			number++
			if s.Source == "" {
				t.Errorf("%s has no source", s.Name)
			}
		}
		if len(s.Cannot) > 0 {
			impossible++
			if _, _, err := s.Plan(); err == nil || !strings.Contains(err.Error(), s.Cannot[0]) {
				t.Errorf("%s: got %v, want why it cannot be run", s.Name, err)
			}
			continue
		}
		for _, s := range []*papers.Sweep{s, s.Small()} {
			p, labels, err := s.Plan()
			if err != nil {
				t.Error(err)
				continue
			}
			for point := range p.Points() {
				c, err := p.Point(point)
				if err == nil && !s.OnlyFiles() {
					err = catalog.Check(c, nil)
				}
				if err != nil {
					t.Errorf("%s: %s: %v", s.Name, p.Name(point), err)
				}
			}
			if p.Seeds != s.Seeds {
				t.Errorf("%s has %d seeds", s.Name, p.Seeds)
			}
			for _, what := range s.Unknown(p, labels) {
				if s.IsReduced { // which may leave rows out
					break
				}
				t.Errorf("%s: nothing is called %s", s.Name, what)
			}
			for key, names := range labels {
				if len(names) == 0 {
					t.Errorf("%s: the rows of %s have no names", s.Name, key)
				}
			}
		}
	}
	if number < 30 || impossible == number {
		t.Errorf("there are %d sweeps of papers, %d of them impossible", number, impossible)
	}
}

// Each method has the settings that its paper states, in every row, on drawn samples and on
// the files of every set.
func TestProtocol(t *testing.T) {
	all, err := papers.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		if len(s.Cannot) > 0 {
			continue
		}
		for _, name := range append([]string{""}, s.Sets()...) {
			if name == "" && s.OnlyFiles() {
				continue
			}
			if name != "" {
				on, err := s.On(&papers.Files{Name: name, Texts: s.Texts()})
				if err != nil {
					t.Fatal(err)
				}
				check(t, on, name)
			} else {
				check(t, s, "drawn")
			}
		}
	}
}

func check(t *testing.T, s *papers.Sweep, set string) {
	t.Helper()
	p, labels, err := s.Plan()
	if err != nil {
		t.Errorf("%s on %s: %v", s.Name, set, err)
		return
	}
	for point := range p.Points() {
		c, err := p.Point(point)
		if err != nil {
			t.Errorf("%s on %s: %v", s.Name, set, err)
			continue
		}
		for _, what := range s.NotFollowed(p, labels, point, c) {
			t.Errorf("%s on %s: %s: %s", s.Name, set, p.Name(point), what)
		}
	}
}

// A protocol is of methods and rows, and a setting that is not followed, or that a method does not have, is found.
func TestProtocolIsCompared(t *testing.T) {
	const head = "title T\nquery T=5&lr=0.1&avg=model\nrow a | K=3\nrow b | K=4\nvary algos=ifca;clove&clove.tau=3\n"
	for line, want := range map[string]string{
		"* | T=5&lr=0.10 | sec":     "",
		"* | T=6 | sec":             "ifca has T=5, want 6 (sec)",
		"clove | tau=3 | sec":       "",
		"ifca | tau=3 | sec":        "ifca has tau=1, want 3 (sec)",
		"* | tau=3 | sec":           "ifca has tau=1, want 3 (sec)",
		"b | * | K=4 | sec":         "",
		"b | * | K=3 | sec":         "has K=4, want 3 (sec)",
		"ifca | first=random | sec": "ifca does not read first (sec)",
		"clove | nonsense=1 | sec":  "clove does not read nonsense (sec)",
	} {
		s, err := papers.Read("x", head+"protocol "+line+"\n")
		if err != nil {
			t.Fatal(err)
		}
		p, labels, err := s.Plan()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for point := range p.Points() {
			c, err := p.Point(point)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, s.NotFollowed(p, labels, point, c)...)
		}
		if text := strings.Join(got, "; "); want == "" && text != "" || !strings.Contains(text, want) {
			t.Errorf("%s: got %q, want %q", line, text, want)
		}
	}
}

// The reduced form has its settings in place of those of the query, of rows and of what is varied, and files have
// those of their set.
func TestSmallAndSets(t *testing.T) {
	s, err := papers.Read("x", `title T
data drawn; the paper has MNIST and CIFAR-10
query data=digits&n=2000&T=50&C=20
row a | shift=rotations&K=4
row b | shift=none&C=30
vary lr=0.1,0.2,0.3
vary algos=ifca,clove
small T=5&C=8&n=100
small lr=0.1,0.2
seeds 10, 2
real MNIST, Fashion-MNIST | T=60
real CIFAR-10 | T=70&C=40 | Colours.
differs Years.
smaller 2 | rooms
smaller 3 | doors | CIFAR-10
smaller 3 | lines | drawn
paper a | ifca | ari | 0.1 | here
paper MNIST, a | ifca | ari | 0.2 | here
paper CIFAR-10 | ifca | ari | 0.3 | here
claim CIFAR-10, b | clove > ifca | ari | there
claim b | clove > ifca | ari | there
`)
	if err != nil {
		t.Fatal(err)
	}
	on := func(s *papers.Sweep, set string) *papers.Sweep {
		out, err := s.On(&papers.Files{Name: set, Samples: 60000})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for _, tt := range []struct {
		name    string
		s       *papers.Sweep
		points  int
		first   string // query of the first point
		last    string // of the last point
		numbers string // rows of the paper's numbers
		claims  string
		less    string // what differs, and what is smaller
	}{
		{"drawn", s, 12, "n=2000 T=50 C=20 lr=0.1", "n=2000 T=50 C=30 lr=0.3", "a 0.1; a 0.2; ", "b; ", "Years. rooms lines"},
		{"small", s.Small(), 8, "n=100 T=5 C=8 lr=0.1", "n=100 T=5 C=8 lr=0.2", "a 0.1; a 0.2; ", "b; ", "Years. rooms lines"},
		{"MNIST", on(s, "MNIST"), 12, "use=2000 T=60 C=20 lr=0.1", "use=2000 T=60 C=30 lr=0.3", "a 0.1; a 0.2; ", "b; ", "Years. rooms"},
		{"Fashion", on(s, "Fashion-MNIST"), 12, "T=60", "T=60", "a 0.1; ", "b; ", "Years. rooms"},
		{"CIFAR", on(s, "CIFAR-10"), 12, "T=70 C=40", "T=70 C=40", "a 0.1; * 0.3; ", "b; b; ", "Years. Colours. rooms doors"},
		{"small CIFAR", on(s.Small(), "CIFAR-10"), 8, "T=5 C=8 use=100", "T=5 C=8", "a 0.1; * 0.3; ", "b; b; ", "Years. Colours. rooms doors"},
	} {
		p, _, err := tt.s.Plan()
		if err != nil {
			t.Fatal(err)
		}
		if p.Points() != tt.points {
			t.Errorf("%s: %d points, want %d", tt.name, p.Points(), tt.points)
		}
		for point, want := range map[int]string{0: tt.first, p.Points() - 1: tt.last} {
			c, err := p.Point(point)
			if err != nil {
				t.Fatal(err)
			}
			for setting := range strings.FieldsSeq(want) {
				if key, value, _ := strings.Cut(setting, "="); c.Value(key) != value {
					t.Errorf("%s: point %d has %s=%s, want %s", tt.name, point, key, c.Value(key), value)
				}
			}
		}
		numbers, claims := "", ""
		for _, n := range tt.s.Numbers {
			numbers += n.Row + " " + n.Value + "; "
		}
		for _, c := range tt.s.Claims {
			claims += c.Row + "; "
		}
		less := strings.Join(tt.s.Differs, " ")
		for _, o := range tt.s.Smaller() {
			less += " " + o.What
		}
		if less != tt.less {
			t.Errorf("%s: it differs in %q, want %q", tt.name, less, tt.less)
		}
		if numbers != tt.numbers || claims != tt.claims {
			t.Errorf("%s: numbers %s, claims %s; want %s, %s", tt.name, numbers, claims, tt.numbers, tt.claims)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"nothing":       {"", "needs a title"},
		"no query":      {"title T", "needs a title, and a query"},
		"unknown line":  {"title T\nquery T=5\ncolour red", `no lines that begin with "colour"`},
		"half a number": {"title T\nquery T=5\npaper a | b", "got 2 parts, want 5"},
		"smaller":       {"title T\nquery data=digits&n=9\ndata drawn; the paper has A\nreal A\nsmaller 2 | x | B", `no set "B"`},
		"measure":       {"title T\nquery T=5\nmeasure beauty", "beauty"},
		"claim":         {"title T\nquery T=5\nclaim holds | * | a > b | ari | x | y", "got 6 parts, want 4 to 5"},
		"claim's sign":  {"title T\nquery T=5\nclaim * | a < b | ari | x", "want A > B"},
		"claim twice": {"title T\nquery T=5\nclaim * | a > b | ari | x\nclaim * | a > b | ari | y",
			"would count twice"},
		"files of none": {"title T\nquery data=samples", "begins with real"},
		"factor":        {"title T\nquery T=5\nsmaller 1 | as large", "above 1"},
		"protocol":      {"title T\nquery T=5\nprotocol ifca | many rounds | x", "as in a query"},
	} {
		if _, err := papers.Read("x", tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", name, err, tt.want)
		}
	}
	s, err := papers.Read("x", "title T\nquery T=5\nrow a | dphi=5\nrow b | K=3")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Plan(); err == nil || !strings.Contains(err.Error(), "they need one key") {
		t.Errorf("rows of two keys: %v", err)
	}
	if _, err := papers.Find("nothing"); err == nil {
		t.Error("a sweep that is not there is found")
	}
}

// Verdicts say no more than their runs: the sign of a mean, two pairs, and scores of guessing decide nothing.
func TestVerdicts(t *testing.T) {
	ones := func(n int) []float64 { return slices.Repeat([]float64{1}, n) }
	for _, tt := range []struct {
		claim    string
		ifca     []float64
		clove    float64
		smaller  bool
		want     string
		interval string
		p        string
	}{
		{"ifca > clove", nil, 0.3, false, "not judged: no runs", "–", "–"},
		{"ifca > clove", ones(1), 0.3, false, "undecided: only 1 pair", "–", "1"},
		{"ifca > clove", ones(2), 0.3, false, "undecided: only 2 pairs", "0.7 to 0.7", "0.500"},
		{"clove > ifca", ones(4), 0.3, false, "undecided: only 4 pairs", "−0.7 to −0.7", "0.125"},
		{"ifca > clove", ones(5), 0.3, false, "holds", "0.7 to 0.7", "0.0625"},
		{"clove > ifca", ones(5), 0.3, false, "**does not hold**", "−0.7 to −0.7", "0.0625"},
		{"ifca > clove", ones(6), 1, false, "undecided: no difference in any pair", "0 to 0", "1"},
		{"ifca > clove", append(ones(5), 0, 0, 0), 0.6, false, "undecided", "", ""},
		{"ifca > clove", []float64{1, 1, 1, 1, 0, 0, 0, 0}, 0.3, false, "undecided", "−0.17 to 0.57", "0.281"},
		{"clove > ifca", []float64{1, 1, 1, 1, 0, 0, 0, 0}, 0.3, false, "undecided", "−0.57 to 0.17", "0.281"},
		{"ifca > clove", []float64{0.02, -0.02, 0.01, 0, 0.03, -0.01}, -0.2, false, "undecided: no better than guessing (0)", "", "0.0312"},
		{"clove > ifca", []float64{0.02, -0.02, 0.01, 0, 0.03, -0.01}, -0.2, false, "undecided: no better than guessing (0)", "", "0.0312"},
		{"ifca > 0.95", ones(5), 0.3, false, "holds", "0.05 to 0.05", "0.0625"},
		{"clove > 0.95", ones(5), 0, false, "**does not hold**", "−0.95 to −0.95", "&lt; 0.0001"},
		{"0.05 > clove", ones(5), 0, false, "holds", "0.05 to 0.05", "&lt; 0.0001"},
		{"0.05 > ifca", ones(5), 0, false, "**does not hold**", "−0.95 to −0.95", "0.0625"},
		{"ifca > 0.95", ones(5), 0.3, true, "not judged: smaller than the paper", "0.05 to 0.05", "0.0625"},
		{"ifca > clove", ones(5), 0.3, true, "holds", "0.7 to 0.7", "0.0625"},
	} {
		head := "title T\nquery T=5\n"
		if tt.smaller {
			head += "smaller 4 | 3 clients in place of 12\n"
		}
		text := judged(t, head+"claim * | "+tt.claim+" | ari | here\n", tt.ifca, tt.clove)
		row := regexp.MustCompile(`\| \\\* \| ` + tt.claim + ` .*`).FindString(text)
		if !strings.Contains(row, " | "+tt.want+" | here |") || !strings.Contains(row, tt.p) ||
			!strings.Contains(row, "| "+tt.interval) {
			t.Errorf("%s of %v and %g: want %s, %s, with p = %s, the row is\n%s", tt.claim, tt.ifca, tt.clove, tt.want,
				tt.interval, tt.p, row)
		}
	}
}

// Accuracies of guessing among ten classes decide nothing, and p is corrected for the number of claims.
func TestVerdictsOnAccuracy(t *testing.T) {
	const claims = "title T\nquery T=5\nclaim * | ifca > clove | accuracy | here\n" +
		"claim * | clove > ifca | accuracy | there\nclaim * | ifca > 0.05 | accuracy | elsewhere\n"
	text := judged(t, claims, []float64{0.1, 0.11, 0.09, 0.1, 0.12, 0.1}, 0.01)
	if strings.Count(text, "no better than guessing") != 2 {
		t.Errorf("at chance:\n%s", text)
	}
	if text = judged(t, claims, []float64{0.2, 0.21, 0.19, 0.2, 0.22, 0.2}, 0.01); strings.Contains(text, "guessing |") {
		t.Errorf("above chance:\n%s", text)
	}
	if !strings.Contains(text, "| 0.0938 | holds | here |") { // 3 × 0.03125
		t.Errorf("not corrected for three claims:\n%s", text)
	}
}

// Where no run reaches the accuracy, who sends less models in all is not better.
func TestVerdictsOnWhatNobodyReaches(t *testing.T) {
	for reached, want := range map[int]string{0: "undecided: no run of the better one gets there", 11: "undecided: no run of the better one gets there", 12: "holds"} {
		study := studyOf(t, "query T=5\nvary algos=ifca,clove\nseeds 6\n", func(_, seed int, method string) (plan.Lane, bool) {
			accuracy := 0.05 * float64(reached)
			l := plan.Lane{Scores: plan.Scores{Accuracy: &accuracy}, History: plan.History{Transmissions: 500}}
			if method == "clove" {
				l.Transmissions = 100 + float64(seed)
				l.Reached = make([]float32, reached)
			}
			return l, true
		})
		s, err := papers.Read("a", "title T\nquery T=5\nclaim * | ifca > clove | sent60 | x\n")
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Verdicts(study)[0]; got.Text() != want {
			t.Errorf("%d steps reached: %s, want %s", reached, got.Text(), want)
		}
	}
}

// A claim about each row holds if it holds in all of them, and its numbers are of the row that is farthest from that.
func TestVerdictsOnEachRow(t *testing.T) {
	for _, tt := range []struct {
		clove  [3]float64 // losses by row, where IFCA's is 1
		noisy  int        // row in which every second pair has the opposite sign, −1 for none
		want   string
		row    string
		pairs  string
		pooled string
	}{
		{[3]float64{0.2, 0.3, 0.1}, -1, "holds", "each: C=6", "6 of 6", "holds"},
		{[3]float64{0.2, 0.3, 0.1}, 0, "undecided: holds in 2 of 3 rows", "each: C=4", "3 of 6", "holds"},
		{[3]float64{0.2, 0.3, 1.1}, -1, "does not hold: holds in 2 of 3 rows", "each: C=8", "0 of 6", "holds"},
		{[3]float64{0.2, 1, 0.1}, -1, "undecided: holds in 2 of 3 rows; no difference in any pair", "each: C=6", "0 of 6", "holds"},
	} {
		const text = "query T=5\nvary C=4,6,8\nvary algos=ifca,clove\nseeds 6\n"
		study := studyOf(t, text, func(point, seed int, method string) (plan.Lane, bool) {
			row, loss := point/2, 1.0
			swapped := row == tt.noisy && seed%2 == 0
			if (method == "clove") != swapped {
				loss = tt.clove[row]
			}
			return plan.Lane{Scores: plan.Scores{Loss: &loss}}, true
		})
		s, err := papers.Read("a", "title T\nquery T=5\nclaim each | ifca > clove | loss | x\nclaim * | ifca > clove | loss | x\n"+
			"claim C=4, each | ifca > clove | loss | x\n")
		if err != nil {
			t.Fatal(err)
		}
		v := s.Verdicts(study)
		if v[2].Row != "C=4, each: C=4" || v[2].N != 6 {
			t.Errorf("of the rows with C = 4 it is about %q, with %d pairs", v[2].Row, v[2].N)
		}
		if v[0].Text() != tt.want || v[0].Row != tt.row || v[0].Pairs != tt.pairs || v[1].Word != tt.pooled {
			t.Errorf("losses %v: %s, %q with %s, and %s together; want %s, %q with %s", tt.clove, v[0].Text(), v[0].Row, v[0].Pairs,
				v[1].Text(), tt.want, tt.row, tt.pairs)
		}
	}
}

// Runs that stand in several settings, because their methods do not read what differs, are one pair each.
func TestPairsAreDistinct(t *testing.T) {
	study := studyOf(t, "query T=5&C=6\nvary K=2,3,4\nvary algos=fedavg,local,ifca\nseeds 2\n",
		func(_, _ int, method string) (plan.Lane, bool) {
			loss := 1.0
			if method == "fedavg" {
				loss = 2
			}
			return plan.Lane{Scores: plan.Scores{Loss: &loss}}, true
		})
	s, err := papers.Read("a", "title T\nquery T=5\nclaim * | fedavg > local | loss | x\nclaim * | fedavg > ifca | loss | x\n")
	if err != nil {
		t.Fatal(err)
	}
	loss, err := report.FindMeasure("loss")
	if err != nil {
		t.Fatal(err)
	}
	all := papers.Settings(study, "*")
	for method, want := range []int{2, 2, 6} {
		if got := study.Pooled(all, method, loss, report.SD, false).N; got != want {
			t.Errorf("%s has %d runs, want %d", study.Methods[method], got, want)
		}
	}
	v := s.Verdicts(study)
	if v[0].N != 2 || v[0].Word != papers.Undecided || v[1].N != 6 || v[1].Word != papers.Holds {
		t.Errorf("neither method reads K: %d pairs, %s; one of them does: %d pairs, %s", v[0].N, v[0].Text(), v[1].N, v[1].Text())
	}
}

// judged is the report of a sweep whose runs have these ARIs, and as accuracies among ten classes.
func judged(t *testing.T, text string, ifca []float64, clove float64) string {
	t.Helper()
	s, err := papers.Read("a", text)
	if err != nil {
		t.Fatal(err)
	}
	study := madeUp(t, ifca, clove)
	d, err := s.Report(study, report.Options{}, "Made by a test.")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := d.Write(&out, report.Markdown, ""); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// madeUp is a study of runs of IFCA with these scores, and of CLoVE with one score.
func madeUp(t *testing.T, ifca []float64, clove float64) *report.Study {
	t.Helper()
	return studyOf(t, "query T=5&C=6\nvary algos=ifca,clove\nseeds 20\n", func(_, seed int, method string) (plan.Lane, bool) {
		score := clove
		if method == "ifca" {
			if seed >= len(ifca) {
				return plan.Lane{}, false
			}
			score = ifca[seed]
		}
		return plan.Lane{Scores: plan.Scores{ARI: &score, Accuracy: &score},
			History: plan.History{Classes: 10, Rounds: 5}}, true
	})
}

// studyOf is a study of made-up lanes, of different cells by point, seed and method, but for those that are not ok.
func studyOf(t *testing.T, text string,
	lane func(point, seed int, method string) (l plan.Lane, ok bool)) *report.Study {
	t.Helper()
	draft, err := plan.ParseDraft(text)
	if err != nil {
		t.Fatal(err)
	}
	p, err := draft.Plan(catalog.Schema().Parse)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	var records []plan.Record
	for n := range p.Cells() {
		c, err := p.Cell(n)
		if err != nil {
			t.Fatal(err)
		}
		point, seed := p.Split(n)
		method := c.Config.Lanes()[0].ID()
		l, ok := lane(point, seed, method)
		if !ok || known[c.ID] {
			continue
		}
		known[c.ID] = true
		l.Lane, l.Fingerprint = method, c.ID
		r := c.Failed("made up")
		r.Error, r.Fingerprint, r.Lanes = "", c.ID, []plan.Lane{l}
		records = append(records, r)
	}
	study, err := report.New([]report.Source{{Name: "a", Plan: p, Records: records}}, catalog.Schema().Parse, nil)
	if err != nil {
		t.Fatal(err)
	}
	return study
}

// A reduced run never stands beside the paper's numbers.
func TestReducedHasNoNumbersOfThePaper(t *testing.T) {
	s, err := papers.Read("a", "title T\nquery T=5\npaper * | ifca | ari | 0.123 | Table 1\nclaim * | ifca > clove | ari | here\n")
	if err != nil {
		t.Fatal(err)
	}
	study := madeUp(t, []float64{1, 1, 1, 1, 1}, 0.3)
	for _, s := range []*papers.Sweep{s, s.Small()} {
		d, err := s.Report(study, report.Options{}, "Made by a test.")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []report.Format{report.Markdown, report.HTML, report.LaTeX} {
			var out bytes.Buffer
			if err := d.Write(&out, f, ""); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(out.String(), "0.123") == s.IsReduced {
				t.Errorf("reduced: %v, %s has the paper's number: %v", s.IsReduced, f, !s.IsReduced)
			}
			if s.IsReduced && !strings.Contains(out.String(), "not comparable with the paper") {
				t.Errorf("%s does not say that it is reduced", f)
			}
		}
	}
}
