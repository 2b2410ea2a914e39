package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/report"
	"flockscope/sim/lab/stats"
)

// outcome is the made-up result of a method.
type outcome struct {
	accuracy, loss float64 // NaN: none
	diverged       bool
}

// invented returns the study of a plan with made-up results.
func invented(t *testing.T, text string, result func(values []string, seed int) outcome) *report.Study {
	t.Helper()
	p := planOf(t, text)
	var out []plan.Record
	met := map[string]bool{}
	for n := range p.Cells() {
		c, err := p.Cell(n)
		if err != nil {
			t.Fatal(err)
		}
		if met[c.ID] {
			continue
		}
		met[c.ID] = true
		point, seed := p.Split(n)
		values := p.Values(point)
		o := result(values, seed)
		r := c.Failed("made up")
		r.Error, r.Fingerprint = "", fmt.Sprint(n)
		l := plan.Lane{Lane: values[len(values)-1], Scores: plan.Scores{Fingerprint: r.Fingerprint}}
		if l.Classes = 10; !math.IsNaN(o.accuracy) {
			l.Accuracy = &o.accuracy
		}
		if !math.IsNaN(o.loss) {
			l.Loss = &o.loss
		}
		if o.diverged {
			l.Diverged = &seed
		}
		r.Lanes = []plan.Lane{l}
		out = append(out, r)
	}
	return study(t, report.Source{Name: "a", Plan: p, Records: out})
}

// Two kinds of data with two K each: local is the reference of the first, fedavg of the second.
const twoFamilies = digits + "vary data=digits&shift=rotations&angles=0,90;digits&shift=rotations&angles=0,180;\nvary K=2,3\n" +
	"vary algos=fedavg,local,ifca,clove,ifca:oracle\nseeds 2\n"

func twoFamiliesOf(values []string, seed int) outcome {
	second, k3 := strings.HasSuffix(values[0], "180"), values[1] == "3"
	at := map[bool][2]float64{false: {0.45, 0.7}, true: {0.4, 0.4}}[second][seed]
	gains := map[[2]bool][2]float64{{false, false}: {0.1, 0.1}, {false, true}: {0.2, 0}, {true, false}: {0, 0},
		{true, true}: {-0.1, -0.3}}[[2]bool{second, k3}]
	o := outcome{loss: 1 - at}
	switch values[2] {
	case "fedavg":
		o.accuracy = map[bool][2]float64{false: {0.5, 0.6}, true: {0.4, 0.4}}[second][seed]
	case "local":
		o.accuracy = map[bool][2]float64{false: {0.45, 0.7}, true: {0.3, 0.3}}[second][seed]
	case "ifca":
		o.accuracy = at + gains[seed]
	case "clove":
		o.accuracy, o.diverged = at+0.2, second && k3 && seed == 0
	case "ifca:oracle":
		o.accuracy = at + map[bool]float64{false: 0.2, true: 0.01}[second]
	}
	return o
}

func accuracy(t *testing.T) *report.Measure {
	t.Helper()
	m, err := report.FindMeasure("accuracy")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func effectOf(t *testing.T, s *report.Study, e *report.Effects, method string) *report.Effect {
	t.Helper()
	i := slices.IndexFunc(e.Methods, func(x report.Effect) bool { return s.Methods[x.Method] == method })
	if i < 0 {
		t.Fatalf("there is no effect of %s", method)
	}
	return &e.Methods[i]
}

func isNear(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) < 1e-9) {
		t.Errorf("%s is %g, want %g", what, got, want)
	}
}

// Gains are over the better reference of each row; a run that diverged counts as guessing.
func TestGains(t *testing.T) {
	s := invented(t, twoFamilies, twoFamiliesOf)
	against := slices.Index(s.Methods, "clove")
	e := s.Effects(accuracy(t), &report.Options{Score: report.Gain}, against)
	if !slices.Equal(e.References, []string{"local", "local", "fedavg", "fedavg"}) || e.Rows != 4 || e.Runs != 8 ||
		len(e.Families) != 2 {
		t.Fatalf("the design is %+v", e)
	}
	ifca := effectOf(t, s, e, "ifca")
	isNear(t, "the interquartile mean", ifca.Middle.Value, 0.025) // of −.3 −.1 [0 0 0 .1] .1 .2
	isNear(t, "the mean", ifca.Mean, 0)
	isNear(t, "the first family", ifca.ByFamily[0].Value, 0.1)
	isNear(t, "the second family", ifca.ByFamily[1].Value, -0.1)
	for i, b := range e.Bounds {
		above := 0.0
		for _, v := range []float64{0.1, 0.1, 0.2, 0, 0, 0, -0.1, -0.3} {
			if v > b+1e-9 {
				above += 1.0 / 8
			}
		}
		isNear(t, "the profile", ifca.Profile[i].Value, above)
	}
	// Of the runs of clove one diverged: 0.1 instead of 0.6.
	isNear(t, "the mean with a run that diverged", effectOf(t, s, e, "clove").Mean, (7*0.2-0.3)/8)
	if text := strings.Join(e.Notes, " "); !strings.Contains(text, "1 run diverged and counts as guessing") {
		t.Errorf("the notes are %q", text)
	}
	if e.Against != against || len(e.Pairs) != 4 {
		t.Fatalf("compared with %d in %d pairs", e.Against, len(e.Pairs))
	}
	for _, p := range e.Pairs {
		if s.Methods[p.Method] == "ifca" {
			// Differences −.1 −.1 0 −.2 −.2 −.2 .2 −.5. Gains in row 1: .1 .1 against .2 .2; in row 2: .2 0 against .2 .2;
			// in row 3: 0 0 against .2 .2; in row 4: −.1 −.3 against −.3 .2.
			isNear(t, "the difference", p.Middle.Value, -0.15)
			isNear(t, "the probability of improvement", p.Improvement.Value, (0+1+0+1.5)/16)
		}
	}
	if m := effectOf(t, s, e, "ifca").Middle; !(m.Low < m.Value && m.Value < m.High) {
		t.Errorf("the interval of %g is %v", m.Value, m.Interval)
	}
}

// A share is of the oracle's mean gain in the row; where the oracle gains nothing there is none.
func TestShares(t *testing.T) {
	s := invented(t, twoFamilies, twoFamiliesOf)
	e := s.Effects(accuracy(t), &report.Options{Score: report.Share}, -1)
	if e.Rows != 2 || len(e.Families) != 1 || !strings.Contains(strings.Join(e.Notes, " "), "2 rows are left out: the oracle gains less than 0.02 there") {
		t.Fatalf("%d rows, %v", e.Rows, e.Notes)
	}
	isNear(t, "ifca's share", effectOf(t, s, e, "ifca").Mean, 0.5) // .1 .1 .2 0 of .2
	isNear(t, "the oracle's share", effectOf(t, s, e, "ifca:oracle").Mean, 1)
	if e.Rope != 0.05 {
		t.Errorf("the region is %g", e.Rope)
	}
}

// A run that stands in several settings, because its method does not read what differs, counts once.
func TestOneRunInSeveralSettings(t *testing.T) {
	s := invented(t, digits+"vary K=2,3,4\nvary algos=fedavg,local,ifca\nseeds 2\n", func(values []string, seed int) outcome {
		by := map[string]float64{"fedavg": 0.5, "local": 0.6, "ifca": 0.7}
		return outcome{by[values[1]] + float64(seed)/100, math.NaN(), false}
	})
	want := map[string]int{"fedavg local": 2, "fedavg ifca": 6, "local ifca": 6}
	for _, p := range s.Compare(accuracy(t), report.BySeed, -1).Pairs {
		if name := s.Methods[p.A] + " " + s.Methods[p.B]; p.N != want[name] {
			t.Errorf("%s: %d pairs, want %d", name, p.N, want[name])
		}
	}
	if d := s.Difference([]int{0, 1, 2}, nil, "local", "fedavg", accuracy(t)); d.N != 2 {
		t.Errorf("a claim has %d pairs, want 2", d.N)
	}
	e := s.Effects(accuracy(t), &report.Options{Score: report.Gain}, -1)
	if notes := strings.Join(e.Notes, " "); !strings.Contains(notes, "Runs of fedavg and local stand in several rows") {
		t.Errorf("notes: %s", notes)
	}
}

// Where lower is better, gains are what a method has less, and raw scores are shown as they are.
func TestLowerIsBetter(t *testing.T) {
	loss, _ := report.FindMeasure("loss")
	s := invented(t, digits+"vary K=2,3\nvary algos=ifca,clove\nseeds 3\n", func(values []string, seed int) outcome {
		if values[1] == "ifca" {
			return outcome{math.NaN(), 0.5 + float64(seed)/100, false}
		}
		return outcome{math.NaN(), 0.7 + float64(seed)/100, false}
	})
	raw := s.Effects(loss, &report.Options{Score: report.Raw}, -1)
	if s.Methods[raw.Methods[0].Method] != "ifca" || raw.Against != raw.Methods[0].Method {
		t.Errorf("the best is %s", s.Methods[raw.Methods[0].Method])
	}
	isNear(t, "clove's disadvantage", raw.Pairs[0].Middle.Value, -0.2)
	text := written(t, s, report.Options{Score: report.Raw}, report.Markdown)
	for _, want := range []string{"| ifca | [0.510](", "| clove | [0.710](", "share of the runs whose loss is below the number"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report does not say %q:\n%s", want, text)
		}
	}
	gain := s.Effects(loss, &report.Options{Score: report.Gain}, slices.Index(s.Methods, "clove"))
	isNear(t, "ifca's gain", effectOf(t, s, gain, "ifca").Middle.Value, 0.2)
	// Two rows decide nothing, although the test is sure of them.
	if v := effectOf(t, s, gain, "ifca").Verdict; v.Better < stats.Decided || v.Cases != 2 || v.String() != "not known" {
		t.Errorf("of two rows the verdict is %v", v)
	}
}

// Ten families decide; the verdict says what is practically equal.
func TestVerdicts(t *testing.T) {
	s := invented(t, digits+"vary lr=1,2,3,4,5,6,7,8,9,10\nvary algos=fedavg,local,ifca,clove,cflgp\nseeds 2\n",
		func(values []string, seed int) outcome {
			by := map[string]float64{"local": -0.2, "ifca": 0.05, "clove": 0.001, "cflgp": -0.04}
			return outcome{0.5 + by[values[1]] + 0.001*float64(seed), math.NaN(), false}
		})
	e := s.Effects(accuracy(t), &report.Options{Score: report.Gain}, -1)
	for method, want := range map[string]string{"ifca": "better", "clove": "practically equal", "cflgp": "worse",
		"fedavg": "practically equal", "local": "worse"} {
		if got := effectOf(t, s, e, method).Verdict.String(); got != want {
			t.Errorf("%s is %s, want %s", method, got, want)
		}
	}
	wide := 0.1
	if e := s.Effects(accuracy(t), &report.Options{Score: report.Gain, Rope: &wide}, -1); effectOf(t, s, e,
		"ifca").Verdict.String() != "practically equal" {
		t.Error("a wide region does not make methods equal")
	}
	text := written(t, s, report.Options{Score: report.Gain}, report.Markdown)
	sizes, tests := strings.Index(text, "## How much better"), strings.Index(text, "Friedman's test")
	if sizes < 0 || tests < sizes || !strings.Contains(text, "Conover's test") || !strings.Contains(text, "10 families") {
		t.Errorf("effect sizes are at %d, tests at %d:\n%s", sizes, tests, text)
	}
}

// What cannot be a score is refused with what to do.
func TestScoresThatAreMissing(t *testing.T) {
	s := invented(t, digits+"vary algos=fedavg,ifca\nseeds 2\n", func([]string, int) outcome {
		return outcome{0.5, math.NaN(), false}
	})
	for _, tt := range []struct {
		o    report.Options
		want string
	}{
		{report.Options{Score: report.Gain}, "-against METHOD"},
		{report.Options{Score: report.Share, Baseline: "fedavg"}, "named oracle"},
		{report.Options{Score: report.Raw, Family: "dphi"}, "-family"},
	} {
		_, err := s.Report(&tt.o)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v, want %q", tt.o, err, tt.want)
		}
		if err := s.WriteJSON(&bytes.Buffer{}, &tt.o); err == nil {
			t.Errorf("%+v is written as JSON", tt.o)
		}
	}
	// A measure that no run has is told, not refused.
	ari, _ := report.FindMeasure("ari")
	o := report.Options{Score: report.Gain, Baseline: "fedavg", Measures: []*report.Measure{ari}}
	if text := written(t, s, o, report.Markdown); !strings.Contains(text, "The runs have no gain in ARI") {
		t.Errorf("the report is\n%s", text)
	}
}

// JSON has the effects, with null for what is not known; the profile is a picture.
func TestScoresAsData(t *testing.T) {
	s := invented(t, twoFamilies, twoFamiliesOf)
	o := report.Options{Score: report.Gain, Measures: []*report.Measure{accuracy(t)}}
	var out bytes.Buffer
	if err := s.WriteJSON(&out, &o); err != nil {
		t.Fatal(err)
	}
	type sized struct{ Value, Low, High *float64 }
	var back struct {
		Scores []struct {
			Measure, Score, Against string
			Rope                    float64
			Rows                    int
			Bounds                  []float64
			Methods                 []struct {
				Method   string
				Middle   sized
				Families []sized
				Profile  []sized
				Verdict  *struct{ Verdict string }
			}
			Pairs []struct{ Improvement sized }
		}
	}
	if err := json.Unmarshal(out.Bytes(), &back); err != nil || len(back.Scores) != 1 {
		t.Fatalf("%v: %s", err, out.String())
	}
	d := back.Scores[0]
	if d.Score != "gain" || d.Rope != 0.01 || d.Rows != 4 || len(d.Methods) != 5 || len(d.Pairs) != 4 ||
		len(d.Methods[0].Profile) != len(d.Bounds) || len(d.Bounds) < 3 || d.Methods[0].Verdict == nil ||
		d.Methods[0].Middle.Low == nil || len(d.Methods[0].Families) != 2 || d.Against != d.Methods[0].Method {
		t.Errorf("JSON has %+v", d)
	}
	if !slices.ContainsFunc(s.Pictures(&o), func(p report.Picture) bool { return p.Name == "profile-accuracy-gain.svg" }) {
		t.Error("there is no picture of the profile")
	}
	one := invented(t, digits+"vary algos=fedavg,local\nseeds 1\n", func([]string, int) outcome {
		return outcome{0.5, math.NaN(), false}
	})
	out.Reset()
	if err := one.WriteJSON(&out, &o); err != nil || !strings.Contains(out.String(), `"low": null`) {
		t.Errorf("of one run: %v\n%s", err, out.String())
	}
}
