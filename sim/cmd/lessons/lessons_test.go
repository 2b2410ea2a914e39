package main

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/lesson"
)

// texts are all texts of a lesson that may have slots.
func texts(l *lesson.Lesson) []string {
	out := []string{l.Setup, l.Explanation, l.Takeaway, l.Notes}
	for _, s := range l.Steps {
		out = append(out, s.Task, s.Result)
	}
	out = append(out, l.Table.Head...)
	for _, row := range l.Table.Rows {
		out = append(out, row...)
	}
	return out
}

// TestSlots: every slot has a measure, and every measure a slot; and where text
// has none it has no number with a point, which could only come from a run.
func TestSlots(t *testing.T) {
	used := map[[2]string]bool{}
	for _, l := range lesson.All() {
		for _, text := range texts(l) {
			for _, name := range lesson.Slots(text) {
				used[[2]string{strconv.Itoa(l.Number), name}] = true
				if lesson.Number(l.Number, name) == "?" {
					t.Errorf("lesson %d: nobody measures %s", l.Number, name)
				}
			}
		}
	}
	for i := range measures {
		m := &measures[i]
		if !used[[2]string{strconv.Itoa(m.lesson), m.name}] {
			t.Errorf("lesson %d does not print %s", m.lesson, m.name)
		}
	}
}

// TestLessonsAreComplete: presets are faultless, numbers count from 1 and every
// lesson has all its parts.
func TestLessonsAreComplete(t *testing.T) {
	for i, l := range lesson.All() {
		if l.Number != i+1 {
			t.Errorf("lesson %d is called %d", i+1, l.Number)
		}
		if _, problems := catalog.Schema().Parse(l.Query); len(problems) > 0 {
			t.Errorf("lesson %d: %v", l.Number, problems)
		}
		if len(l.Steps) != 2 || l.Right < 0 || l.Right >= len(l.Options) || len(l.Table.Rows) == 0 ||
			l.Paper.Where == "" {
			t.Errorf("lesson %d is incomplete: %+v", l.Number, l)
		}
		for _, text := range append(texts(l), l.Title, l.Question, l.Paper.Title) {
			if text == "" || strings.Contains(l.Fill(text), "{") {
				t.Errorf("lesson %d has the text %q", l.Number, text)
			}
		}
		for _, row := range l.Table.Rows {
			if len(row) != len(l.Table.Head) || lesson.Blank(row[0]) == "" || lesson.Blank(row[1]) != "" {
				t.Errorf("lesson %d: the row %q wants a given cell and then empty ones", l.Number, row)
			}
		}
	}
}

// TestSteps: with the seeds of the link no step is done when a lesson begins, and
// each is done by its own settings.
func TestSteps(t *testing.T) {
	for _, l := range lesson.All() {
		for i, step := range l.Steps {
			for _, with := range []string{"", step.Solution} {
				runs, err := overSeeds(context.Background(), l, with, 1)
				if err != nil {
					t.Fatalf("lesson %d with %q: %v", l.Number, with, err)
				}
				if done := step.Done(runs[0]); done != (with != "") {
					t.Errorf("lesson %d: step %d is done: %v, with %q", l.Number, i+1, done, with)
				}
			}
		}
	}
}

// TestStepsSayNoOfAnything: steps look at any other run without harm.
func TestStepsSayNoOfAnything(t *testing.T) {
	other, err := overSeeds(context.Background(), &lesson.Lesson{Query: "data=linreg&T=3&C=3&algos=local"}, "", 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lesson.All() {
		for i, step := range l.Steps {
			if step.Done(other[0]) {
				t.Errorf("lesson %d: step %d is done by a run of other lanes", l.Number, i+1)
			}
		}
	}
}

// TestNumbersAreCurrent: what the lessons print is what the engine does, over all
// seeds. The short form measures the cheapest experiments alone.
func TestNumbersAreCurrent(t *testing.T) {
	sample := measures
	if testing.Short() {
		sample = slices.DeleteFunc(slices.Clone(measures), func(m measure) bool {
			return m.lesson != 2 && m.lesson != 7 || m.with == "T=200"
		})
	}
	values, err := measureAll(context.Background(), sample, seeds)
	if err != nil {
		t.Fatal(err)
	}
	for i := range sample {
		if got, want := lesson.Number(sample[i].lesson, sample[i].name), sample[i].text(values[i]); got != want {
			t.Errorf("lesson %d says that %s is %s; it is %s (go generate ./sim/cmd/lessons mends it)",
				sample[i].lesson, sample[i].name, got, want)
		}
	}
}

// TestClaims holds the printed numbers to what the words around them say.
func TestClaims(t *testing.T) {
	claims := []struct {
		lesson int
		what   string
		holds  func(v func(string) float64) bool
	}{
		{1, "at 40° one model has three times the error, at 17.5° half as much again, at 0° the same", func(v func(string) float64) bool {
			return v("times40") >= 3 && v("times17") > 1.47 && v("times17") < 1.53 && v("one0") == v("three0")
		}},
		{1, "three models come near to the noise", func(v func(string) float64) bool { return v("three40") <= 1.05*v("floor") }},
		{1, "the excess is small for a long time", func(v func(string) float64) bool { return v("times5") < 1.1 && v("times10") < 1.2 }},
		{2, "IFCA is stuck in every seed, CLoVE right in round 1", func(v func(string) float64) bool {
			return v("stuck") == v("seeds") && v("clove") == 1 && v("clove33") == v("seeds")
		}},
		{2, "both kinds have the smaller loss on the first model", func(v func(string) float64) bool { return v("a1") < v("b1") && v("a2") < v("b2") }},
		{2, "the window is from 2 to 2.9", func(v func(string) float64) bool {
			return v("right19") == 0 && v("right21") == v("seeds") && v("right25") == v("seeds") &&
				v("right28") == v("seeds") && v("right33") == 0
		}},
		{3, "averaging finds the groups, the newest gradient and CLoVE with a small probe do not", func(v func(string) float64) bool {
			return v("mean200") >= 0.95 && v("new200") <= 0.35 && v("clove200") <= 0.2
		}},
		{3, "averaging gets better with time", func(v func(string) float64) bool {
			return v("mean20") < v("mean50") && v("mean50") < v("mean100") && v("mean100") < v("mean200")
		}},
		{3, "a larger probe and a larger batch help", func(v func(string) float64) bool { return v("probe1") > 0.9 && v("clove1") < 0.2 && v("new200b") > 0.9 }},
		{4, "each lane finds what it can in every seed", func(v func(string) float64) bool { return v("four") == v("seeds") && v("eight") == v("seeds") }},
		{4, "the largest gap comes after the fourth direction", func(v func(string) float64) bool {
			gap := v("s4") - v("s5")
			return gap > 2*(v("s1")-v("s2")) && gap > 2*(v("s2")-v("s4")) && gap > 2*(v("s5")-v("s8"))
		}},
		{4, "and there is one after the eighth", func(v func(string) float64) bool { return v("s8")-v("s9") > 2*(v("s5")-v("s8")) }},
		{4, "the verdict turns with the question", func(v func(string) float64) bool { return v("pairs4") == 1 && v("pairs8") < 0.7 && v("ari4") < 0.7 }},
		{4, "the second difference drowns, the first does not", func(v func(string) float64) bool {
			return v("drowned") < 0.7 && v("ari8at15") > 0.99 && v("ari4at5") == v("ari4")
		}},
		{5, "about a quarter, a little less than 0.3", func(v func(string) float64) bool { return v("w3") > 0.2 && v("w3") < 0.3 && v("pure") > 0.98 }},
		{5, "weights follow the mixture", func(v func(string) float64) bool {
			return v("w1") < v("w3") && v("w3") < v("w5") && v("w5") < v("w7") && v("w7") < v("w9") && v("w10") > 0.98
		}},
		{5, "IFCA flickers more at one half", func(v func(string) float64) bool { return v("flicker5") > 2*v("flicker3") }},
		{6, "K models a round for IFCA and CLoVE, less than one and a half for CFL-GP", func(v func(string) float64) bool {
			return v("fedavg") == 1 && v("ifca") == 3 && v("clove") == 3 && v("ifca6") == 6 && v("clove6") == 6 &&
				v("cflgp") < 1.5 && v("cflgp6") < 1.5
		}},
		{6, "clustering less often is cheaper and slower", func(v func(string) float64) bool { return v("cflgp10") < 1.2 && v("since10") > 2*v("since2") }},
		{7, "matching is a matter of time", func(v func(string) float64) bool {
			return v("settled") == 1 && v("loose30") > 1.15*v("match30") && v("loose200") < 1.05*v("match200")
		}},
		{7, "the gap is smaller where groups are alike", func(v func(string) float64) bool { return v("loose20")-v("match20") < v("loose30")-v("match30") }},
	}
	for _, c := range claims {
		if !c.holds(func(name string) float64 {
			v, err := strconv.ParseFloat(strings.Replace(lesson.Number(c.lesson, name), "−", "-", 1), 64)
			if err != nil {
				t.Errorf("lesson %d: %s is %v", c.lesson, name, err)
			}
			return v
		}) {
			t.Errorf("lesson %d does not hold: %s", c.lesson, c.what)
		}
	}
}
