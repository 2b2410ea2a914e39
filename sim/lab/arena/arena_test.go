package arena_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"flockscope/sim/lab/arena"
	"flockscope/sim/lab/papers"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/report"
	"flockscope/sim/lab/results"
	"flockscope/sim/trace"
)

// accuracies of made-up runs by lane, for seed 0, where families do not say otherwise.
var accuracies = map[string]float64{"fedavg": 0.6, "local": 0.5, "ifca": 0.55, "cfl": 0.58, "fedala": 0.59,
	"fedavg:oracle": 0.6, "fedavg:central": 0.7}

var byFamily = map[string]map[string]float64{
	"concept shift": {"fedavg": 0.3, "local": 0.5, "ifca": 0.66, "cfl": 0.65, "fedavg:oracle": 0.7},
	"turns":         {"ifca": 0.69, "cfl": 0.62, "fedavg:oracle": 0.72},
	"label skew":    {"fedala": 0.65},
	"alike":         {"ifca": 0.601, "cfl": 0.6},
	"label groups":  {"fedavg": 0.7, "local": 0.96, "ifca": 0.968, "cfl": 0.96},
}

const seeds = 6

// madeUp are records of the drawn rows and of the study of wrong numbers of clusters.
var madeUp = sync.OnceValue(func() []plan.Record {
	s, studies, err := papers.FindArena("")
	if err != nil {
		panic(err)
	}
	var out []plan.Record
	add := func(s *papers.Sweep) {
		p, labels, err := s.Plan()
		if err != nil {
			panic(err)
		}
		for point := range p.Points() {
			values := p.Values(point)
			value := values[slices.IndexFunc(p.Axes, func(x plan.Axis) bool { return x.Key == "algos" })]
			lane, _, _ := strings.Cut(value, "&")
			accuracy, ok := accuracies[lane]
			if !ok {
				continue
			}
			c, err := p.Point(point)
			if err != nil {
				continue
			}
			label := labels["data"][values[0]]
			row := s.AllRows()[slices.IndexFunc(s.AllRows(), func(r papers.Row) bool { return r.Label == label })]
			if v, ok := byFamily[row.Family][lane]; ok {
				accuracy = v
			}
			right := "3"
			if row.Label == "label groups" {
				right = "5"
			}
			if lane == "ifca" && c.LaneValue(0, "K") != right {
				accuracy -= 0.1
			}
			for seed := range seeds {
				noise := 0.001 * float64(seed)
				if row.Family == "corruptions" && lane == "ifca" { // on the average 0.02 better, and nobody knows
					noise = 0.07 + 0.05*float64(1-2*(seed%2))
				}
				out = append(out, record(p.At(c, seed), lane, accuracy+noise))
			}
		}
	}
	add(s)
	for _, of := range studies {
		if of.Name == papers.Arena+"-k" {
			add(of)
		}
	}
	return out
})

// record is a run of 40 rounds in which accuracy grows evenly, and of which IFCA sends twice as much.
func record(c plan.Cell, lane string, accuracy float64) plan.Record {
	l := plan.Lane{Lane: lane, Scores: plan.Scores{Accuracy: &accuracy, Loss: new(float64), Worst: new(float64),
		Weakest: new(float64), Down: 400, Up: 400, Computed: 4000, Clusters: 1, Fingerprint: "00000000000000aa"}}
	l.Rounds, l.Classes = 40, 10
	times := float32(1)
	if lane == "ifca" {
		times, l.Down, l.Up = 2, 800, 800
	}
	for _, t := range plan.CurveRounds(l.Rounds) {
		l.CurveScore = append(l.CurveScore, float32(accuracy)*float32(t)/40)
		l.CurveFloats = append(l.CurveFloats, times*20*float32(t))
		l.CurveComputed = append(l.CurveComputed, 100*float32(t))
	}
	return plan.Record{Cell: c.ID, Query: c.Query, Data: c.Data, Version: c.Version,
		Fingerprint: trace.Result([]uint64{0xaa}), Lanes: []plan.Lane{l}}
}

// mine are the runs of a method that is always better than IFCA, in the rows whose queries have a part.
func mine(part string) (out []plan.Record) {
	for _, r := range madeUp() {
		if r.Lanes[0].Lane != "ifca" || !strings.Contains(r.Query, part) {
			continue
		}
		r.Query = strings.ReplaceAll(r.Query, "algos=ifca", "algos=ifca:mine&ifca:mine.lr=0.2")
		r.Cell = strings.Repeat("0", 16) + r.Cell[16:]
		r.Lanes = slices.Clone(r.Lanes)
		r.Lanes[0].Lane = "ifca:mine"
		better := *r.Lanes[0].Accuracy + 0.1
		r.Lanes[0].Accuracy = &better
		out = append(out, r)
	}
	return out
}

func answer(t *testing.T, answers []arena.Answer, family string) *arena.Answer {
	t.Helper()
	i := slices.IndexFunc(answers, func(a arena.Answer) bool { return a.Family == family })
	if i < 0 {
		t.Fatalf("there is no answer for %s", family)
	}
	return &answers[i]
}

func contest(t *testing.T, records []plan.Record, choices arena.Choices) (*arena.Contest, []arena.Answer) {
	t.Helper()
	a, err := arena.New(records)
	if err != nil {
		t.Fatal(err)
	}
	c, err := a.Contest(choices)
	if err != nil {
		t.Fatal(err)
	}
	return c, c.Answers()
}

// Gains are over the better baseline of each row; verdicts follow from intervals, and methods that need K are no answer to
// who does not know it.
func TestAnswers(t *testing.T) {
	c, answers := contest(t, madeUp(), arena.Usual)
	for _, tt := range []struct {
		family, baseline, known, unknown string
		gain                             float64
		clustering                       arena.Verdict
	}{
		{"concept shift", "local", "ifca", "cfl", 0.16, arena.Better},
		{"turns", "fedavg", "ifca", "cfl", 0.09, arena.Better},
		{"label skew", "fedavg", "fedala", "fedala", 0.05, arena.Worse},
		{"alike", "fedavg", "ifca", "fedavg", 0.001, arena.Equal},
		{"label groups", "local", "ifca", "local", 0.008, arena.Equal},
		{"corruptions", "fedavg", "ifca", "fedavg", 0.01750, arena.NotKnown},
	} {
		a := answer(t, answers, tt.family)
		known, unknown := c.Methods[a.Known.Best].Lane, c.Methods[a.Unknown.Best].Lane
		if a.Baseline[0] != tt.baseline || known != tt.known || unknown != tt.unknown ||
			math.Abs(a.Known.Gain.Value-tt.gain) > 1e-9 || a.Clustering.Verdict != tt.clustering {
			t.Errorf("%s: to beat %s, best %s %v, without K %s, clustering %s %v; want %+v", tt.family, a.Baseline, known,
				a.Known.Gain, unknown, a.Clustering.Verdict, a.Clustering.Gain, tt)
		}
	}
	// Chosen on the seeds with +0.12, IFCA has −0.08 + 0.02 on the others, and the other way round FedAvg is chosen.
	if a := answer(t, answers, "corruptions"); !(a.Known.Honest < 0.01) {
		t.Errorf("chosen on half of the seeds and measured on the others the gain is %v, and on all %v", a.Known.Honest, a.Known.Gain.Value)
	}

	// With as many floats as FedAvg needs, IFCA has half of the rounds.
	choices := arena.Usual
	choices.Budget = "floats"
	c, answers = contest(t, madeUp(), choices)
	if a := answer(t, answers, "turns"); c.Methods[a.Known.Best].Lane != "cfl" || math.Abs(a.Known.Gain.Value-0.02) > 1e-6 {
		t.Errorf("with equal floats the best is %s with %v", c.Methods[a.Known.Best].Lane, a.Known.Gain)
	}
	choices = arena.Usual
	choices.Half, choices.ByRows = true, true
	c, answers = contest(t, madeUp(), choices)
	if a := answer(t, answers, "small turns"); a.Seeds != seeds/2 || a.Rows != 1 || len(answers) != len(c.Rows) {
		t.Errorf("half of the seeds, row by row: %+v of %d", a, len(c.Rows))
	}
}

// A wrong number of clusters costs IFCA 0.1 in every row of the study.
func TestWrongKs(t *testing.T) {
	a, err := arena.New(madeUp())
	if err != nil {
		t.Fatal(err)
	}
	ks, methods, rows := a.WrongKs()
	if !slices.Equal(ks, []int{2, 6}) || len(methods) != 1 || methods[0].Lane != "ifca" || rows != 6 {
		t.Fatalf("wrong K: %v, %+v on %d rows", ks, methods, rows)
	}
	for i, lost := range methods[0].Lost {
		if math.Abs(lost.Value+0.1) > 1e-9 || lost.Low > lost.Value+1e-9 || lost.High < lost.Value-1e-9 {
			t.Errorf("K = %d costs %+v", ks[i], lost)
		}
	}
}

func page(t *testing.T, records []plan.Record) (text, tables string, p *arena.Page) {
	t.Helper()
	a, err := arena.New(records)
	if err != nil {
		t.Fatal(err)
	}
	if p, err = a.Page(); err != nil {
		t.Fatal(err)
	}
	var out, more bytes.Buffer
	if err := p.Page.Write(&out, report.Markdown, "/"); err != nil {
		t.Fatal(err)
	}
	if err := p.Tables.Write(&more, report.Markdown, "/"); err != nil {
		t.Fatal(err)
	}
	return out.String(), more.String(), p
}

// The page is short, has four figures, and is the same from the file of its records, which has the same bytes whatever the
// order of the records.
func TestPage(t *testing.T) {
	text, tables, p := page(t, madeUp())
	if n := strings.Count(text, "\n"); n > 250 {
		t.Errorf("the page has %d lines, want at most 250", n)
	}
	if strings.Count(text, "![") != 4 || len(p.Pictures) != 4 {
		t.Errorf("%d pictures, want 4", len(p.Pictures))
	}
	for _, want := range []string{
		"for 2 of 7 kinds of clients", "With methods that find K: for 2", "concept shift (+0.160, ifca)", "It gains nothing for",
		"A method without clusters is the best for label skew (+0.050, fedala)", "Whether it pays for corruptions", "all samples here are drawn",
		"| turns: clients see the same things turned | fedavg | ifca: +0.090 \\[+0.090, +0.090\\], better | cfl, fedavg: +0.020",
		"Nothing is tuned", "![What a wrong number of clusters costs](arena-k.svg)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, want := range []string{"## What stays with other choices", "equal floats", "K known: cfl", "| ifca | −0.100 \\[−0.100, −0.100\\] |",
		"| fedavg:central | not ranked |"} {
		if !strings.Contains(tables, want) {
			t.Errorf("the tables lack %q", want)
		}
	}
	if t.Failed() {
		t.Logf("%s\n%s", text, tables)
	}

	var file, again bytes.Buffer
	if err := results.WriteRecords(&file, madeUp(), false); err != nil {
		t.Fatal(err)
	}
	turned := slices.Clone(madeUp())
	slices.Reverse(turned)
	for i := range turned {
		turned[i].Seconds, turned[i].Build = float64(i), "another"
	}
	if err := results.WriteRecords(&again, append(turned, turned[:5]...), false); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(file.Bytes(), again.Bytes()) {
		t.Error("records in another order give other bytes")
	}
	in, err := gzip.NewReader(&file)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	var read []plan.Record
	for line := range bytes.Lines(lines) {
		r, err := plan.ParseRecord(line)
		if err != nil {
			t.Fatal(err)
		}
		read = append(read, r)
	}
	if from, more, _ := page(t, read); from != text || more != tables {
		t.Error("the page of the records alone is another one")
	}
}

// An author's records come after those of the arena, and the method stands among the others.
func TestNewMethodOnThePage(t *testing.T) {
	all := append(slices.Clone(madeUp()), mine("")...)
	text, tables, _ := page(t, all)
	if !strings.Contains(text, "ifca:mine: +0.190") || !strings.Contains(tables, "| ifca:mine | needs K |") {
		t.Errorf("the new method is not among the others:\n%s", text)
	}
	// Figure 1 names and rings it where the author asks for it, once for each family in which it has runs.
	a, err := arena.New(all)
	if err != nil {
		t.Fatal(err)
	}
	for own, want := range map[string]int{"": 0, "ifca:mine": 7} {
		a.Own = own
		p, err := a.Page()
		if err != nil {
			t.Fatal(err)
		}
		for _, picture := range p.Pictures {
			var svg bytes.Buffer
			if err := picture.Picture.SVG(&svg); err != nil {
				t.Fatal(err)
			}
			named := strings.Count(svg.String(), ">ifca:mine ")
			if picture.Name == "arena-gain.svg" && (named < want || own == "" && named == 7) {
				t.Errorf("figure 1 names %q in %d lines, want %d:\n%s", own, named, want, &svg)
			}
		}
	}
}

// A method that lacks rows of a family is the best of none, nor of all: it may lack those in which it would lose.
func TestIncompleteMethods(t *testing.T) {
	c, answers := contest(t, append(slices.Clone(madeUp()), mine("shift=none&concept=permute&share=")...), arena.Usual)
	for _, a := range answers {
		for _, p := range []arena.Pick{a.Clustering, a.Known} {
			if p.Best >= 0 && c.Methods[p.Best].Lane == "ifca:mine" {
				t.Errorf("the best for %s has runs of one row", a.Family)
			}
		}
	}
	if !slices.ContainsFunc(c.Overall(), func(o arena.Overall) bool {
		return c.Methods[o.Method].Lane == "ifca:mine" && o.Rows == 1
	}) {
		t.Error("the method has no runs in one row")
	}
}

// Tuned settings that make a baseline worse are no gain of others: its default counts where it is better.
func TestTunedBaselines(t *testing.T) {
	s, err := papers.Find(papers.Arena)
	if err != nil {
		t.Fatal(err)
	}
	tuned, ok := s.WithTuned("turns")
	if !ok {
		t.Fatal("nothing is tuned for turns")
	}
	p, _, err := tuned.Plan()
	if err != nil {
		t.Fatal(err)
	}
	records := slices.Clone(madeUp())
	for point := range p.Points() {
		c, err := p.Point(point)
		if err != nil {
			continue
		}
		lane := c.Lanes()[0].ID()
		if accuracy, ok := map[string]float64{"fedavg": 0.3, "local": 0.45, "ifca": 0.7}[lane]; ok {
			for seed := range seeds {
				records = append(records, record(p.At(c, seed), lane, accuracy+0.001*float64(seed)))
			}
		}
	}
	choices := arena.Usual
	choices.Tuned = true
	c, answers := contest(t, records, choices)
	// In one of its rows IFCA has K = 3 and 0.7, and FedAvg 0.6 with its default.
	if got := answer(t, answers, "turns").Known.Gain.Value; math.Abs(got-0.1) > 1e-9 {
		t.Errorf("the best gains %g, want 0.1 over the better of FedAvg's two settings", got)
	}
	fedavg := slices.IndexFunc(c.Methods, func(m arena.Method) bool { return m.Lane == "fedavg" })
	for _, r := range c.Rows {
		gains := c.Gains[fedavg][r.From:r.To]
		if r.Reference == "fedavg" && slices.ContainsFunc(gains, func(v float64) bool { return v != 0 }) {
			t.Errorf("%s: FedAvg's gains over itself are %v", r.Label, gains)
		}
	}
}

// What does not go together is refused with the reason.
func TestRefuses(t *testing.T) {
	records := madeUp()[:40]
	other := slices.Clone(records)
	other[3].Version++
	changed := records[5]
	changed.Fingerprint = "BBBB-BBBB"
	liars := records[7]
	liars.Query += "&liars=4&lie=flip"
	for want, records := range map[string][]plan.Record{
		"there are no records":           nil,
		"do not go together":             other,
		"two results of one cell differ": append(slices.Clone(records), changed),
		"is of the arena":                {liars},
	} {
		if _, err := arena.New(records); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got the error %v, want %q", err, want)
		}
	}
	var alone []plan.Record
	for _, r := range madeUp() {
		if r.Lanes[0].Lane != "local" {
			alone = append(alone, r)
		}
	}
	a, err := arena.New(alone)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Page(); err == nil || !strings.Contains(err.Error(), "fedavg and of local") {
		t.Errorf("without local: %v", err)
	}
}
