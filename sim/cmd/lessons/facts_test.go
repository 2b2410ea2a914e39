package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/lesson"
	"flockscope/sim/registry"
	"flockscope/sim/trace"
	"flockscope/sim/verdict"
)

// The tests here hold every sentence of a lesson to the runs that it is about.

// claims finds numbers and words that compare or generalize.
var claims = regexp.MustCompile(`\d[\d.,]*\d|\d|\b(more|less|least|most|larger|smaller|better|worse|as much|same|` +
	`every|all|both|each|never|always|only|alone|no|none|nobody|nothing|neither)\b`)

// allowed are parts of a sentence that need no proof.
var allowed = regexp.MustCompile(`\{\w+\}|(30|5) runs`)

// ends finds where sentences end.
var ends = regexp.MustCompile(`[.?!] `)

// sentences returns the sentences of a text.
func sentences(text string) []string {
	return strings.Split(ends.ReplaceAllStringFunc(text, func(end string) string { return end[:1] + "\n" }), "\n")
}

// gaps returns what a lesson says without facts, and what its facts have that it does not say.
func gaps(l *lesson.Lesson, facts lesson.Facts) []string {
	var out []string
	report := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	kinds, said := map[string]lesson.Over{}, map[string]bool{}
	for _, m := range facts.Numbers {
		if _, twice := kinds[m.Slot]; twice {
			report("{%s} is measured twice", m.Slot)
		}
		kinds[m.Slot] = m.Over
	}
	for _, text := range append(texts(l), cells(l)...) {
		for _, slot := range lesson.Slots(text) {
			if said[slot] = true; lesson.Number(l.Number, slot) == "?" {
				report("nobody measures {%s}", slot)
			}
		}
	}
	for _, m := range facts.Numbers {
		if !said[m.Slot] {
			report("no text has {%s}", m.Slot)
		}
	}
	for _, cell := range cells(l) {
		for _, slot := range lesson.Slots(cell) {
			if kinds[slot] != lesson.ThisRun {
				report("the table has {%s}, which cannot be read off the run", slot)
			}
		}
	}

	told := []string{l.Setup, l.Options[l.Right], l.Explanation, l.Takeaway, l.Notes}
	for _, step := range l.Steps {
		told = append(told, step.Result)
	}
	all := strings.Join(append(texts(l), told...), "\n")
	for _, c := range facts.Claims {
		if !strings.Contains(all, c.Says) {
			report("no text says %q", c.Says)
		}
		if (c.Holds == nil) == (c.Why == "") {
			report("%q wants either a check or a reason", c.Says)
		}
	}
	for _, text := range told {
		for _, s := range sentences(text) {
			rest, proved := []byte(s), false // what no claim says
			for _, c := range facts.Claims {
				// A claim can span sentences, or be a part of one.
				for _, part := range sentences(c.Says) {
					if at := strings.Index(s, part); at >= 0 {
						proved = true
						copy(rest[at:], strings.Repeat(" ", len(part)))
					}
				}
			}
			asks := strings.HasSuffix(s, "?") || strings.HasPrefix(s, "Ask ")
			if !proved && !asks {
				report("nothing proves %q", s)
			}
			if word := claims.FindString(allowed.ReplaceAllString(string(rest), "")); word != "" && !asks {
				report("nothing proves %q in %q", word, s)
			}
			for _, slot := range lesson.Slots(s) {
				of := fmt.Sprint(l.Seeds(), " runs")
				if kinds[slot] == lesson.ThisRun {
					of = "this run"
				}
				if !strings.Contains(strings.ToLower(s), of) {
					report("%q does not say that {%s} is of %s", s, slot, of)
				}
			}
		}
	}
	return out
}

// TestSentences: every sentence of a lesson has facts, and every number says what it is of.
func TestSentences(t *testing.T) {
	for _, l := range lesson.All() {
		for _, gap := range gaps(l, lesson.FactsOf(l.Number)) {
			t.Errorf("lesson %d: %s", l.Number, gap)
		}
	}
}

// TestGapsAreFound: sentences and numbers without facts do not pass.
func TestGapsAreFound(t *testing.T) {
	facts := lesson.FactsOf(6)
	for _, tt := range []struct {
		edit func(l *lesson.Lesson)
		want string
	}{
		{func(l *lesson.Lesson) { l.Explanation += " FedAvg is the best of all." }, `nothing proves "FedAvg is the best of all."`},
		{func(l *lesson.Lesson) { l.Notes += " {fedavg} is little in this run." }, `nothing proves "{fedavg} is little in this run."`},
		{func(l *lesson.Lesson) { l.Setup = strings.Replace(l.Setup, "is two", "is 2", 1) }, `no text says "A model is two numbers here."`},
		{func(l *lesson.Lesson) {
			l.Explanation = strings.Replace(l.Explanation, "compare the losses", "compare 5 losses", 1)
		}, `nothing proves "5"`},
		{func(l *lesson.Lesson) { l.Explanation = strings.Replace(l.Explanation, "of this run", "", 1) }, "does not say that {fedavg} is of this run"},
		{func(l *lesson.Lesson) {
			l.Steps = append([]lesson.Step(nil), l.Steps...)
			l.Steps[1].Result = strings.Replace(l.Steps[1].Result, "of 30 runs", "", 1)
		}, "does not say that {mean10} is of 30 runs"},
		{func(l *lesson.Lesson) { // as it was once
			l.Explanation = "Models sent to a client in a round: {fedavg} with FedAvg, {ifca} with IFCA."
		}, "does not say that {ifca} is of this run"},
		{func(l *lesson.Lesson) { l.Takeaway = "{unknown} in this run." }, "nobody measures {unknown}"},
		{func(l *lesson.Lesson) { l.Table.Rows = [][]string{{"FedAvg", "{mean2}", ""}} }, "cannot be read off the run"},
	} {
		l := *lesson.ByNumber(6)
		tt.edit(&l)
		if found := strings.Join(gaps(&l, facts), "\n"); !strings.Contains(found, tt.want) {
			t.Errorf("found is %q, want %q", found, tt.want)
		}
	}
}

// TestNumbersAreCurrent: what the lessons print is what the engine does.
func TestNumbersAreCurrent(t *testing.T) {
	for _, l := range played() {
		p := playerOf(l)
		for _, m := range lesson.FactsOf(l.Number).Numbers {
			if testing.Short() && m.Over != lesson.ThisRun {
				continue
			}
			runs, err := p.over(context.Background(), l, &m)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := lesson.Number(l.Number, m.Slot), text(value(&m, runs), m.Digits); got != want {
				t.Errorf("lesson %d says that %s is %s; it is %s (go generate ./sim/cmd/lessons mends it)",
					l.Number, m.Slot, got, want)
			}
		}
	}
}

// TestClaims: every claim is true of the lesson's run, and of as many of its seeds as it says.
func TestClaims(t *testing.T) {
	for _, l := range played() {
		p := playerOf(l)
		for _, c := range lesson.FactsOf(l.Number).Claims {
			if c.Holds == nil {
				continue
			}
			run, err := p.play(context.Background(), l, c.With, ownSeeds)
			if err != nil {
				t.Fatal(err)
			}
			if !c.Holds(run) {
				t.Errorf("lesson %d says %q, which is false of its run, with %q", l.Number, c.Says, c.With)
			}
			if testing.Short() || c.Seeds == 0 {
				continue
			}
			runs, err := p.seeds(context.Background(), l, c.With)
			if err != nil {
				t.Fatal(err)
			}
			held := 0
			for _, run := range runs {
				if c.Holds(run) {
					held++
				}
			}
			if held < c.Seeds {
				t.Errorf("lesson %d says %q, with %q: it is true of %d of %d seeds, want %d", l.Number, c.Says, c.With, held,
					l.Seeds(), c.Seeds)
			}
		}
	}
}

// TestVerdicts: what the page judges at the scene of a lesson, or at the end with the settings of a task, is what the
// lesson says in the same words.
func TestVerdicts(t *testing.T) {
	schema := catalog.Schema()
	judge := verdict.Judge{Method: func(name string) *registry.Meta {
		for i := range schema.Algorithms {
			if schema.Algorithms[i].Name == name {
				return &schema.Algorithms[i]
			}
		}
		return nil
	}}
	for _, tt := range []struct {
		lesson int
		with   string
		want   []verdict.Kind // by lane
	}{
		{1, "", []verdict.Kind{verdict.Right, verdict.None}},
		{1, "dphi=0", []verdict.Kind{verdict.Nothing}},
		{2, "", []verdict.Kind{verdict.Shared, verdict.Right}},
		{2, "theta0=0,2.5", []verdict.Kind{verdict.Right, verdict.Right}},
		{3, "", []verdict.Kind{verdict.Right, verdict.Misplaced, verdict.Misplaced}},
		{4, "", []verdict.Kind{verdict.Shared, verdict.Right}},
		{4, "truth=pairs", []verdict.Kind{verdict.Right, verdict.Split}},
		{4, "within=0.05", []verdict.Kind{verdict.Shared, verdict.Misplaced}},
		{5, "", []verdict.Kind{verdict.Mixed, verdict.Mixed}},
		{6, "", []verdict.Kind{verdict.Right, verdict.None, verdict.Misplaced, verdict.Misplaced}},
		{7, "", []verdict.Kind{verdict.Right, verdict.Right}},
		{8, "", []verdict.Kind{verdict.Right, verdict.None}},
		{8, "K=4", []verdict.Kind{verdict.Misplaced, verdict.None}},
		{9, "", []verdict.Kind{verdict.Right, verdict.Right, verdict.None, verdict.None}},
	} {
		l := lesson.ByNumber(tt.lesson)
		if l.Long && testing.Short() {
			continue
		}
		p := playerOf(l)
		run, err := p.play(context.Background(), l, tt.with, ownSeeds)
		if err != nil {
			t.Fatal(err)
		}
		round := l.Scene
		if tt.with != "" {
			round = run.Run.Header.Rounds
		}
		for lane, want := range tt.want {
			got := judge.Lane(run.Run, lane, round)
			if got.Kind != want {
				t.Errorf("lesson %d with %q: the verdict on lane %d is %d, %q, want %d", tt.lesson, tt.with, lane+1,
					got.Kind, got.Head, want)
			}
		}
	}
}

// TestRefuted: runs refute what lessons have said before.
func TestRefuted(t *testing.T) {
	// changes counts in how many of the last hundred rounds the ARI of a lane changes.
	changes := func(frames []trace.Frame) (n int) {
		for i := len(frames) - 100; i < len(frames); i++ {
			if frames[i].ARI != frames[i-1].ARI {
				n++
			}
		}
		return n
	}
	for _, tt := range []struct {
		lesson     int
		said, with string
		holds      func(n *lesson.State) bool
	}{
		{1, "FedAvg's line lies where no group is", "", func(n *lesson.State) bool {
			slope := n.Run.Tracks[1].Frames[200].Models[0]
			for _, line := range n.Run.Header.DataPreview.Truth {
				if d := slope - line.Slope; d > -0.1 && d < 0.1 {
					return false
				}
			}
			return true
		}},
		{2, "nothing ever changes", "", func(n *lesson.State) bool {
			return n.Run.Tracks[0].Frames[1].Models[0] == n.Run.Tracks[0].Frames[60].Models[0]
		}},
		{3, "CLoVE starts with an ARI of 0.97", "probe=1000", func(n *lesson.State) bool { return n.MeanARI("clove", 1, 1) > 0.9 }},
		{4, "the spectrum on screen is 27, 23, 23, 22", "", func(n *lesson.State) bool {
			return int(n.Run.Tracks[1].Frames[40].Spectrum[0]) == 27
		}},
		{5, "IFCA changes more often than FedEM", "blend=0.5", func(n *lesson.State) bool {
			return changes(n.Run.Tracks[1].Frames) > changes(n.Run.Tracks[0].Frames)+10
		}},
		{6, "the cost of IFCA and CLoVE doubles", "K=6", func(n *lesson.State) bool {
			return n.Cost("ifca") > 1.9*n.Lesson.Cost("ifca") || n.Cost("clove") > 1.9*n.Lesson.Cost("clove")
		}},
		{7, "the error is 0.055 without matching and 0.046 with it", "sd=1&sm=1&sa=1", func(n *lesson.State) bool {
			return n.Loss("clove:loose") > 1.03*n.Loss("clove")
		}},
	} {
		var p player
		run, err := p.play(context.Background(), lesson.ByNumber(tt.lesson), tt.with, ownSeeds)
		if err != nil {
			t.Fatal(err)
		}
		if tt.holds(run) {
			t.Errorf("lesson %d: %q is true", tt.lesson, tt.said)
		}
	}
}
