package verdict_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/registry"
	"flockscope/sim/trace"
	"flockscope/sim/verdict"
	"flockscope/sim/workload"
)

// record plays a query.
func record(t testing.TB, query string) *trace.Run {
	t.Helper()
	c, problems := catalog.Schema().Parse(query)
	if len(problems) > 0 {
		t.Fatalf("%s: %v", query, problems)
	}
	run, err := engine.Record(context.Background(), c, nil)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return run
}

// judge judges runs of registered methods.
func judge() *verdict.Judge {
	schema := catalog.Schema()
	return &verdict.Judge{Method: func(name string) *registry.Meta {
		for i := range schema.Algorithms {
			if schema.Algorithms[i].Name == name {
				return &schema.Algorithms[i]
			}
		}
		return nil
	}}
}

// handMade returns a run of one lane with the labels of a round, for clients in groups of two.
func handMade(lane trace.Lane, labels ...uint16) *trace.Run {
	h := &trace.Header{Clients: len(labels), Rounds: 9, Groups: len(labels) / 2, Lanes: []trace.Lane{lane},
		DataPreview: trace.DataPreview{Floor: 0.04}}
	for i := range labels {
		h.Group = append(h.Group, int16(i/2))
	}
	run := trace.NewRun(h)
	for round := range 3 {
		f := trace.Frame{Round: round, Label: labels, Metrics: trace.Metrics{Loss: 0.1}}
		if round > 0 {
			f.XY = make([]float32, 2*len(labels))
		}
		run.Tracks[0].Frames = append(run.Tracks[0].Frames, f)
	}
	return run
}

// TestVerdicts: each outcome, in words; nobody is hollow but with Misplaced.
func TestVerdicts(t *testing.T) {
	cluster := trace.Lane{Algorithm: "ifca", Title: "IFCA", Models: 4, Columns: 4, Border: true, Map: trace.LossPlane}
	compares := trace.Lane{Algorithm: "cflgp", Title: "CFL-GP", Models: 3, Columns: 3, Map: trace.GradientPlane}
	one := trace.Lane{Algorithm: "fedavg", Title: "FedAvg", Models: 1, Columns: 1}
	own := trace.Lane{Algorithm: "local", Title: "Local only", Models: 6, Columns: 1}
	finds := trace.Lane{Algorithm: "cfl", Title: "CFL", Models: 6, Columns: 6, Finds: true, Map: trace.GradientPlane}
	for _, tt := range []struct {
		name       string
		lane       trace.Lane
		labels     []uint16
		round      int
		change     func(run *trace.Run)
		kind       verdict.Kind
		head, tail string
		hollow     []bool
	}{
		{"start", cluster, []uint16{0, 0, 0, 0, 0, 0}, 0, nil, verdict.Start, "No evidence yet",
			"No client has replied. The colours are those of the start.", nil},
		{"nobody has come", cluster, []uint16{0, 0, 0, 0, 0, 0}, 2, absent(0, 1, 2, 3, 4, 5), verdict.Start, "No evidence yet",
			"No client has replied. The colours are those of the start.", nil},
		{"nothing compared", compares, []uint16{0, 1, 0, 1, 0, 2}, 2, func(run *trace.Run) {
			for t := range run.Tracks[0].Frames {
				run.Tracks[0].Frames[t].XY = nil
			}
		}, verdict.Start, "No evidence yet", "Nothing has been compared. The colours are those of the start.", nil},
		{"right", cluster, []uint16{2, 2, 0, 0, 1, 1}, 2, correct, verdict.Right, "All 6 right", "since round 1", nil},
		{"right for a while", cluster, []uint16{2, 2, 0, 0, 1, 1}, 1, func(run *trace.Run) { run.Tracks[0].Frames[1].ARI = 1 },
			verdict.Right, "All 6 right", "from round 1 to 1", nil},
		{"right so far", cluster, []uint16{2, 0, 0, 0, 1, 1}, 2, absent(1, 3), verdict.Right,
			"All 4 that have replied are right", "since round 2", nil},
		{"misplaced", compares, []uint16{0, 0, 1, 0, 2, 2}, 2, nil, verdict.Misplaced, "1 of 6 misplaced", "",
			[]bool{false, false, false, true, false, false}},
		{"misplaced and idle", cluster, []uint16{0, 0, 1, 0, 2, 2}, 2, nil, verdict.Misplaced, "1 of 6 misplaced",
			"No client has D.", []bool{false, false, false, true, false, false}},
		{"a stranger that has not replied", cluster, []uint16{0, 0, 1, 0, 2, 2}, 2, absent(3), verdict.Right,
			"All 5 that have replied are right", "since round 2", nil},
		{"one group split", cluster, []uint16{0, 0, 1, 3, 2, 2}, 2, nil, verdict.Split, "The squares are split over two models",
			"Three groups over four models. No client trains with a stranger.", nil},
		{"groups split", own, []uint16{0, 1, 2, 3, 4, 5}, 2, func(run *trace.Run) { run.Header.Lanes[0].Algorithm = "ifca" },
			verdict.Split, "Three groups are split", "Three groups over six models. No client trains with a stranger.", nil},
		{"two share", cluster, []uint16{0, 0, 1, 1, 1, 1}, 2, nil, verdict.Shared, "Two groups share a model",
			"B serves squares and diamonds. No client has C or D.", nil},
		{"all share", finds, []uint16{0, 0, 0, 0, 0, 0}, 2, nil, verdict.Shared, "All three groups share one model", "", nil},
		{"finds other clusters", finds, []uint16{0, 0, 1, 0, 2, 5}, 2, nil, verdict.Misplaced, "2 of 6 misplaced",
			"4 clusters for 3 groups.", []bool{false, false, false, true, false, true}},
		{"too few models", compares, []uint16{0, 0, 0, 1, 1, 1}, 2, func(run *trace.Run) { run.Header.Lanes[0].Models = 2 },
			verdict.Misplaced, "2 of 6 misplaced", "With 2 models for 3 groups, at least 2 must be.", nil},
		{"mixed", cluster, []uint16{0, 0, 1, 1, 0, 1}, 2, func(run *trace.Run) { run.Header.DataPreview.Mixtures = []int16{2} },
			verdict.Mixed, "Mixed by nature", "The samples of the diamonds come from the other groups: no place is the right one. " +
				"Judge by the quality: error 0.100, noise floor 0.040.", nil},
		{"nothing", cluster, []uint16{0, 1, 0, 1, 0, 1}, 2, func(run *trace.Run) { run.Header.DataPreview.Alike = true },
			verdict.Nothing, "Nothing to tell apart", "All clients have the same distribution, so any grouping is right.", nil},
		{"none", one, []uint16{0, 0, 0, 0, 0, 0}, 2, nil, verdict.None, "Does not cluster",
			"One model for three groups: error 0.100, noise floor 0.040.", nil},
		{"none, all alike", one, []uint16{0, 0, 0, 0, 0, 0}, 2, func(run *trace.Run) { run.Header.DataPreview.Alike = true },
			verdict.None, "Does not cluster", "One model for all: error 0.100, noise floor 0.040.", nil},
		{"own models", own, []uint16{0, 1, 2, 3, 4, 5}, 2, nil, verdict.None, "Does not cluster",
			"Each client has a model of its own: error 0.100, noise floor 0.040.", nil},
		{"unknown", compares, []uint16{0, 0, 1, 0, 2, 2}, 2, func(run *trace.Run) {
			run.Header.Groups, run.Header.Group, run.Header.DataPreview.Floor = 0, nil, -1
			run.Tracks[0].Frames[2].Clusters = 3
		}, verdict.Unknown, "The groups are unknown", "K = 3 is assumed, 3 models in use: error 0.100.", nil},
		{"diverged", cluster, []uint16{0, 0, 1, 0, 2, 2}, 2, func(run *trace.Run) {
			run.Tracks[0].Frames[2].Events = trace.Diverged
		}, verdict.Diverged, "Diverged", "The models diverged. Try a smaller learning rate.", nil},
		{"diverging", cluster, []uint16{0, 0, 1, 0, 2, 2}, 2, func(run *trace.Run) { run.Tracks[0].Frames[2].Loss = 5000 },
			verdict.Diverged, "Diverging", "The loss is 5 000, at the start it was 0.100. Try a smaller learning rate.", nil},
	} {
		run := handMade(tt.lane, tt.labels...)
		if tt.change != nil {
			tt.change(run)
		}
		j := judge()
		v := j.Lane(run, 0, tt.round)
		if v.Kind != tt.kind || v.Head != tt.head || v.Tail != tt.tail {
			t.Errorf("%s: outcome %d, %q, %q, want %d, %q, %q", tt.name, v.Kind, v.Head, v.Tail, tt.kind, tt.head, tt.tail)
		}
		if j.Outcome(run, 0, tt.round) != v.Kind {
			t.Errorf("%s: Outcome is another one than Lane's", tt.name)
		}
		if tt.hollow != nil && !slices.Equal(v.Hollow, tt.hollow) ||
			(tt.kind == verdict.Misplaced) != slices.Contains(v.Hollow, true) {
			t.Errorf("%s: hollow are %v, want %v", tt.name, v.Hollow, tt.hollow)
		}
		scored := []verdict.Kind{verdict.Right, verdict.Misplaced, verdict.Split, verdict.Shared}
		if verdict.Scored(v.Kind) != slices.Contains(scored, v.Kind) {
			t.Errorf("%s: Scored = %v", tt.name, verdict.Scored(v.Kind))
		}
	}
	if v := judge().Lane(trace.NewRun(handMade(one, 0, 0).Header), 0, 3); v.Head != "Nothing computed yet." {
		t.Errorf("without frames: %+v", v)
	}
}

// absent returns a change by which some clients have not taken part by round 2.
func absent(clients ...int) func(run *trace.Run) {
	return func(run *trace.Run) {
		for t := range run.Tracks[0].Frames[1:] {
			f := &run.Tracks[0].Frames[t+1]
			f.State = make([]trace.State, run.Header.Clients)
			f.Events |= trace.Partial
			for _, i := range clients {
				f.State[i] = trace.Absent
			}
		}
	}
}

func correct(run *trace.Run) {
	for t := range run.Tracks[0].Frames {
		run.Tracks[0].Frames[t].ARI = 1
	}
}

// TestLetters: a verdict names models as the page does.
func TestLetters(t *testing.T) {
	run := handMade(trace.Lane{Algorithm: "ifca", Models: 4, Columns: 4, Border: true}, 0, 0, 1, 1, 1, 1)
	run.Tracks[0].Summary = &trace.Summary{Alias: []uint16{1, 0, 2, 3}, Diverged: -1}
	if v := judge().Lane(run, 0, 2); v.Tail != "A serves squares and diamonds. No client has C or D." {
		t.Errorf("with the summary's aliases: %q", v.Tail)
	}
	j := judge()
	j.Letter = func(_ *trace.Run, lane, model int) string { return string(rune('a' + 10*lane + model)) }
	if v := j.Lane(run, 0, 2); v.Tail != "b serves squares and diamonds. No client has c or d." {
		t.Errorf("with letters of the caller: %q", v.Tail)
	}
}

// TestHeadline: what methods have achieved is one sentence for each achievement.
func TestHeadline(t *testing.T) {
	lane := func(title string) trace.Lane {
		return trace.Lane{Algorithm: "ifca", Title: title, Models: 4, Columns: 4, Border: true}
	}
	ok, bad := []uint16{0, 0, 1, 1, 2, 2}, []uint16{0, 0, 1, 0, 2, 2}
	split, shared := []uint16{0, 0, 1, 3, 2, 2}, []uint16{0, 0, 1, 1, 1, 1}
	for _, tt := range []struct {
		labels [][]uint16
		change func(run *trace.Run)
		want   string
	}{
		{[][]uint16{ok}, nil, "P has found the three groups."},
		{[][]uint16{bad}, nil, "P has not found the three groups."},
		{[][]uint16{ok, bad}, nil, "P has found the three groups. Q has not."},
		{[][]uint16{bad, ok}, nil, "Q has found the three groups. P has not."},
		{[][]uint16{ok, ok}, nil, "Both methods have found the three groups."},
		{[][]uint16{bad, bad}, nil, "Neither method has found the three groups."},
		{[][]uint16{bad, bad, bad}, nil, "None of the three methods has found the three groups."},
		{[][]uint16{ok, bad, bad}, nil, "P has found the three groups. Q and R have not."},
		{[][]uint16{ok, ok, ok, ok}, nil, "All four methods have found the three groups."},
		{[][]uint16{split, ok, shared, bad}, nil, "Q has found the three groups. P splits groups, but mixes none. R lets groups share a model. S has not."},
		{[][]uint16{split, split}, nil, "Both methods split groups, but mix none."},
		{[][]uint16{ok, bad}, func(run *trace.Run) { run.Header.Lanes[1].Models = 1 }, "P has found the three groups. Q has one model for all."},
		{[][]uint16{ok, bad}, func(run *trace.Run) { run.Header.DataPreview.Alike = true }, "There is nothing to tell apart: one model is enough."},
		{[][]uint16{ok, bad}, func(run *trace.Run) { run.Header.DataPreview.Mixtures = []int16{1} }, "Some groups are mixtures of others: judge by the error."},
		{[][]uint16{ok, bad}, func(run *trace.Run) { run.Header.Groups, run.Header.Group = 0, nil }, "The groups are unknown: judge by the error."},
	} {
		run := handMade(lane("P"), tt.labels[0]...)
		for n, labels := range tt.labels[1:] {
			other := handMade(lane(string(rune('Q'+n))), labels...)
			run.Header.Lanes = append(run.Header.Lanes, other.Header.Lanes[0])
			run.Tracks = append(run.Tracks, other.Tracks[0])
		}
		if tt.change != nil {
			tt.change(run)
		}
		if got := judge().Headline(run, 2); got != tt.want {
			t.Errorf("Headline of %v = %q, want %q", tt.labels, got, tt.want)
		}
		if got := judge().Headline(run, 0); tt.change == nil && got != "The start: no client has replied yet." {
			t.Errorf("Headline at the start = %q", got)
		}
	}
}

// TestQuestion: every workload has a question that describes its clients.
func TestQuestion(t *testing.T) {
	ask := " No client may show its data. Who should train together?"
	want := map[string]string{
		"data=linreg&dphi=8":            "Twelve clients, three kinds of data, 8° apart." + ask,
		"data=linreg&dphi=12.5&C=40":    "40 clients, three kinds of data, 12.5° apart." + ask,
		"data=linreg&dphi=0":            "Twelve clients, and all their data follow one line. Is there anything to tell apart?",
		"data=linreg&D=1":               "Twelve clients, and all their data follow one line. Is there anything to tell apart?",
		"data=mix1d":                    "Twelve clients, two kinds of data." + ask,
		"data=mix2":                     "Twelve clients, three kinds of data: the diamonds mix the others." + ask,
		"data=digits&n=300&C=8":         "Eight clients that hold digits, four kinds of data: 0° and 15°; 90° and 105°; 180° and 195°; 270° and 275°." + ask,
		"data=digits&n=300&shift=none":  "16 clients that hold digits, and their groups are unknown." + ask,
		"data=words&n=300&C=6":          "Six clients that hold short texts",
		"data=wireless&n=300&C=6":       "Six clients that hold radio signals",
		"data=garments&n=300&C=6":       "Six clients that hold pictures of garments",
		"data=shapes&n=300&C=4":         "Four clients that hold pictures of colour shapes, four kinds of data: 0°; 90°; 180°; 270°.",
		"data=both&n=300&C=6":           "Six clients that hold digits or garments",
		"data=pairs8":                   "64 clients, eight kinds of data." + ask,
		"data=mixreg":                   "25 clients, five kinds of data." + ask,
		"data=linrep":                   "Twelve clients, three kinds of data." + ask,
		"data=pairs8&truth=pairs&C=10":  "Ten clients, ",
		"data=mix1d&star=1&theta0=&C=1": "One client, and all their data",
	}
	asked := map[string]bool{}
	for query, want := range want {
		c, problems := catalog.Schema().Parse(query + "&T=1&algos=fedavg")
		if len(problems) > 0 {
			t.Errorf("%s: %v", query, problems)
			continue
		}
		asked[c.Workload()] = true
		if got := verdict.Question(record(t, query+"&T=1&algos=fedavg").Header); !strings.HasPrefix(got, want) ||
			!strings.HasSuffix(got, "?") {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	for _, w := range workload.Registry.All() {
		if !asked[w.Name] && !w.Make.NeedFile {
			t.Errorf("no question of %s is tested", w.Name)
		}
	}
}

// TestCausesOfAll: every finished method has a cause, and says something at the end of a run, in few words too.
func TestCausesOfAll(t *testing.T) {
	j := judge()
	for _, m := range catalog.Schema().Algorithms {
		if m.Draft {
			continue
		}
		if m.Cause == nil {
			t.Errorf("%s has no cause", m.Name)
			continue
		}
		for _, query := range []string{"data=linreg&dphi=10&T=12&rho=0.7&drop=0.1", "data=mix2&T=6", "data=digits&net=softmax&n=300&C=6&T=3&b=10"} {
			run := record(t, query+"&algos="+m.Name)
			for round := range run.Tracks[0].Frames {
				v := j.Lane(run, 0, round)
				if all := v.Head + v.Tail + v.Cause + v.Short; v.Head == "" || strings.Contains(all, "%!") ||
					v.Kind != verdict.Start && v.Cause == "" {
					t.Errorf("%s: round %d: %+v", query, round, v)
				}
				if v.Cause != "" && (v.Short == "" || len(v.Short) > len(v.Cause)) {
					t.Errorf("%s: round %d: the short form of %q is %q", query, round, v.Cause, v.Short)
				}
			}
		}
	}
}
