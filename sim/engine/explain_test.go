package engine

import (
	"context"
	"math"
	"slices"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/fl"
	"flockscope/sim/registry"
	"flockscope/sim/trace"
)

// tape keeps frames and fingerprints.
type tape struct {
	frames [][]trace.Frame // by round
	prints []uint64
}

func (s *tape) Begin(*trace.Header) {}
func (s *tape) Round(int)           {}
func (s *tape) Frame(lane int, f *trace.Frame) {
	if lane == 0 {
		s.frames = append(s.frames, nil)
	}
	c := *f
	c.Label, c.Losses, c.Models = slices.Clone(f.Label), slices.Clone(f.Losses), slices.Clone(f.Models)
	s.frames[len(s.frames)-1] = append(s.frames[len(s.frames)-1], c)
}
func (s *tape) End(_ int, sum *trace.Summary) { s.prints = append(s.prints, sum.Fingerprint) }

func read1(t *testing.T, query string) experiment.Config {
	t.Helper()
	c, problems := catalog.Schema().Parse(query)
	if len(problems) > 0 {
		t.Fatalf("%s: %v", query, problems)
	}
	return c
}

// A run of which every round is recorded is the same run, whatever the algorithm.
func TestRecorderChangesNothing(t *testing.T) {
	for _, a := range catalog.Algorithms() {
		for _, more := range []string{"", "&rho=0.5&drop=0.2"} {
			c := read1(t, "T=12&C=9&dphi=40&algos="+a.Name+more)
			var plain, recorded tape
			if err := Run(context.Background(), c, nil, &plain); err != nil {
				t.Fatal(err)
			}
			notes := 0
			watch := func(l *lane, t int, play func()) {
				rec := &fl.Recorder{Client: t % 9}
				l.record(rec, play)
				notes += len(rec.Notes)
			}
			if err := runLanes(context.Background(), c, nil, []int{0}, nil, &recorded, watch); err != nil {
				t.Fatal(err)
			}
			if plain.prints[0] != recorded.prints[0] || notes == 0 {
				t.Errorf("%s%s: fingerprint %x, recorded with %d notes %x", a.Name, more, plain.prints[0], notes,
					recorded.prints[0])
			}
		}
	}
}

// The steps of a round are known by name, begin with what clients were sent, and agrees with the
// round's frame.
func TestExplain(t *testing.T) {
	for _, a := range catalog.Algorithms() {
		c := read1(t, "T=12&C=9&dphi=40&algos="+a.Name)
		var run tape
		if err := Run(context.Background(), c, nil, &run); err != nil {
			t.Fatal(err)
		}
		var passed [registry.Phases]bool
		for round := 1; round <= 12; round++ {
			const client = 4
			d, err := Explain(context.Background(), c, nil, 0, round, client, nil)
			if err != nil {
				t.Fatalf("%s, round %d: %v", a.Name, round, err)
			}
			f := &run.frames[round][0]
			for n, note := range d.Notes {
				s, known := catalog.Step(a.Name, note.Step)
				if !known {
					t.Fatalf("%s, round %d notes a step %q; write {Name: %[3]q, Phase: …, Code: …, Says: …} into its Steps",
						a.Name, round, note.Step)
				}
				if n == 0 && s.Phase > registry.Probe && a.Name != "local" { // some send no model at first
					t.Errorf("%s, round %d begins with %s", a.Name, round, s.Phase.Name())
				}
				passed[s.Phase] = true
				check(t, a.Name, f, &run.frames[round-1][0], client, note)
			}
		}
		if !passed[registry.Update] {
			t.Errorf("%s never comes to an update", a.Name)
		}
		if a.Name == "cflgp" && slices.Contains(passed[:], false) {
			t.Errorf("%s passes %v, want all phases", a.Name, passed)
		}
	}
}

// The sizes of all messages add up to the traffic of the run.
func TestExplainSizes(t *testing.T) {
	const clients = 6
	for _, a := range catalog.Algorithms() {
		for _, more := range []string{"T=12&dphi=40", "data=digits&n=80&net=softmax&exam=5&T=3"} {
			c := read1(t, more+"&C=6&algos="+a.Name)
			var told, counted fl.Traffic
			for client := range clients {
				watch := func(l *lane, _ int, play func()) {
					rec := &fl.Recorder{Client: client}
					l.record(rec, play)
					for _, n := range rec.Notes {
						floats := numbers(n, "floats")
						if len(floats) == 0 {
							continue
						}
						if of := numbers(n, "clients")[0]; of < 1 || of > clients {
							t.Errorf("%s, %s: %s of %v clients", a.Name, more, n.Step, of)
						}
						if n.Step == fl.StepSend || n.Step == fl.StepExtra {
							told.Down += int64(floats[0])
						} else {
							told.Up += int64(floats[0])
						}
					}
					counted = *l.round.Traffic
				}
				if err := runLanes(context.Background(), c, nil, []int{0}, nil, &tape{}, watch); err != nil {
					t.Fatal(err)
				}
			}
			if told != counted {
				t.Errorf("%s, %s: told of %+v, counted %+v", a.Name, more, told, counted)
			}
		}
	}
}

// The noted numbers of a network's gradient on pictures are not those of pixels that are always
// paper: it is never 0, nor is what a server remembers of it.
func TestExplainWeights(t *testing.T) {
	for _, net := range []string{"mlp", "cnn", "softmax"} {
		c := read1(t, "data=digits&C=8&n=400&T=6&K=2&algos=cflgp,ifca,hcflplus&net="+net)
		for lane := range 3 {
			d, err := Explain(context.Background(), c, nil, lane, 6, 0, nil)
			if err != nil {
				t.Fatal(err)
			}
			told := 0
			for _, n := range d.Notes {
				for _, v := range n.Values {
					if !v.Last {
						continue
					}
					if told++; len(v.Numbers) != 8 || !v.More || slices.Contains(v.Numbers, 0) {
						t.Errorf("%s, lane %d: %s of %s is told as %v", net, lane, v.Name, n.Step, v.Numbers)
					}
				}
			}
			if told < 2 {
				t.Errorf("%s, lane %d: of parameters %d vectors are told", net, lane, told)
			}
		}
	}
}

func numbers(n trace.Note, name string) []float64 {
	for _, v := range n.Values {
		if v.Name == name {
			return v.Numbers
		}
	}
	return nil
}

// check compares a note with the frame of its round and the one before.
func check(t *testing.T, name string, f, before *trace.Frame, client int, n trace.Note) {
	t.Helper()
	same := func(what string, got []float64, want []float32) {
		t.Helper()
		for j := range got {
			if float32(got[j]) != want[j] {
				t.Errorf("%s, round %d, %s: %s %v, in the frame %v", name, f.Round, n.Step, what, got, want)
				return
			}
		}
	}
	models := len(f.Models) / 2
	switch n.Step {
	case fl.StepLosses:
		if len(f.Losses) >= 9*models {
			same("losses", numbers(n, "losses"), f.Losses[client*models:])
		}
	case fl.StepDescend, fl.StepMove:
		k := int(numbers(n, "k")[0])
		// New clusters begin with copies of the model that their clients had.
		copied := Methods[name].Splits && !slices.Contains(before.Label, uint16(k))
		if !copied && (name != "flexcfl" && name != "stocfl" || f.Round > 1) { // which begin with models of their own
			same("old", numbers(n, "old"), before.Models[2*k:])
		}
		if name != "icfl" { // which merges models afterwards
			same("new", numbers(n, "new"), f.Models[2*k:])
		}
	case fl.StepPlace, "match":
		if got := numbers(n, "k")[0]; int(got) != int(f.Label[client]) {
			t.Errorf("%s, round %d: told of model %v, in the frame %d", name, f.Round, got, f.Label[client])
		}
		if votes := numbers(n, "votes"); votes != nil { // a cluster is its model's clients
			k, size, had := f.Label[client], 0, 0
			for i, label := range f.Label {
				if label == k {
					size++
					if before.Label[i] == k {
						had++
					}
				}
			}
			if int(votes[0]) != had || int(numbers(n, "size")[0]) != size {
				t.Errorf("%s, round %d: %v of %v clients had the model, want %d of %d", name, f.Round, votes, numbers(n, "size"), had, size)
			}
		}
	case "distances": // of FeSEM: the nearest model, except in the first clustering, which has no models yet
		if d := numbers(n, "distances"); f.Round > 1 && slices.Index(d, slices.Min(d)) != int(f.Label[client]) {
			t.Errorf("%s, round %d: distances %v, in the frame model %d", name, f.Round, d, f.Label[client])
		}
	case "cosines": // a client's own is 1
		if c := numbers(n, "cosines"); math.Abs(c[client]-1) > 1e-6 || len(c) != 8 {
			t.Errorf("%s, round %d: cosines %v", name, f.Round, c)
		}
	case "shares": // of FedSoft: the mixture, scaled, with a least share
		shares, sum := numbers(n, "shares"), 0.0
		for _, s := range shares {
			sum += s
		}
		if sum < 1 || sum > 1.01 || slices.Index(shares, slices.Max(shares)) != int(f.Label[client]) {
			t.Errorf("%s, round %d: shares %v, in the frame model %d", name, f.Round, shares, f.Label[client])
		}
	case "mix":
		keep, beta := numbers(n, "keep")[0], numbers(n, "beta")[0]
		for j, v := range numbers(n, "new") {
			if want := keep*numbers(n, "old")[j] + beta*numbers(n, "gradient")[j]; math.Abs(v-want) > 1e-6 {
				t.Errorf("round %d: mixed %v, want %v", f.Round, v, want)
			}
		}
	}
}

// Without a recorder a round makes nothing; see also TestAllocs.
func TestExplainRefuses(t *testing.T) {
	c := read1(t, "T=5")
	for _, at := range [][2]int{{0, 6}, {0, 0}, {7, 3}} {
		if d, err := Explain(context.Background(), c, nil, at[0], at[1], 0, nil); err == nil {
			t.Errorf("lane %d, round %d: %+v, want an error", at[0], at[1], d)
		}
	}
	d, err := Explain(context.Background(), c, nil, 1, 5, 99, nil)
	if err != nil || d.Client != 11 {
		t.Errorf("of a client too many: %+v, %v; want the last", d, err)
	}
}
