package main

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/lesson"
	"flockscope/sim/trace"
)

// texts are the texts of a lesson that may have slots, other than the table's.
func texts(l *lesson.Lesson) []string {
	out := []string{l.Setup, l.Explanation, l.Takeaway, l.Notes}
	for _, s := range l.Steps {
		out = append(out, s.Task, s.Result)
	}
	return out
}

// cells are the cells of a lesson's table.
func cells(l *lesson.Lesson) []string {
	out := append([]string(nil), l.Table.Head...)
	for _, row := range l.Table.Rows {
		out = append(out, row...)
	}
	return out
}

// played are the lessons whose runs tests play.
func played() (out []*lesson.Lesson) {
	for _, l := range lesson.All() {
		if !l.Long || !testing.Short() {
			out = append(out, l)
		}
	}
	return out
}

// long keeps the runs of long lessons, so that several tests use them.
var long player

// playerOf returns the player of a lesson's runs.
func playerOf(l *lesson.Lesson) *player {
	if l.Long {
		return &long
	}
	return new(player)
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
		for _, text := range append(append(texts(l), cells(l)...), l.Title, l.Question, l.Paper.Title) {
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

// TestSteps: no step is done when a lesson begins, and each is done by its own settings.
func TestSteps(t *testing.T) {
	for _, l := range played() {
		p := playerOf(l)
		for i, step := range l.Steps {
			for _, with := range []string{"", step.Solution} {
				run, err := p.play(context.Background(), l, with, ownSeeds)
				if err != nil {
					t.Fatal(err)
				}
				if done := step.Done(run); done != (with != "") {
					t.Errorf("lesson %d: step %d is done: %v, with %q", l.Number, i+1, done, with)
				}
			}
		}
	}
}

// TestStepsSayNoOfAnything: steps look at any other run without harm.
func TestStepsSayNoOfAnything(t *testing.T) {
	var p player
	other, err := p.play(context.Background(), &lesson.Lesson{Query: "data=linreg&T=3&C=3&algos=local"}, "", 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lesson.All() {
		for i, step := range l.Steps {
			if step.Done(other) {
				t.Errorf("lesson %d: step %d is done by a run of other lanes", l.Number, i+1)
			}
		}
	}
}

// TestScenes: at the round of a lesson's scene its first method clusters, and clients have left the models of the start.
func TestScenes(t *testing.T) {
	for _, l := range played() {
		run, err := playerOf(l).play(context.Background(), l, "", ownSeeds)
		if err != nil {
			t.Fatal(err)
		}
		frames := run.Run.Tracks[0].Frames
		if l.Scene < 1 || l.Scene >= len(frames) || !strings.HasSuffix(l.SceneLink(), "&t="+strconv.Itoa(l.Scene)) {
			t.Fatalf("lesson %d has its scene in round %d of %d: %s", l.Number, l.Scene, len(frames)-1, l.SceneLink())
		}
		if !frames[l.Scene].Events.Has(trace.Reclustered) {
			t.Errorf("lesson %d: the first method does not cluster in round %d", l.Number, l.Scene)
		}
		first, scene := frames[0], frames[l.Scene]
		// Networks have no drawn models.
		if reflect.DeepEqual(first.Models, scene.Models) && first.Weights == scene.Weights {
			t.Errorf("lesson %d: nothing has happened by round %d", l.Number, l.Scene)
		}
	}
}

// TestChineseNumbers: the Chinese texts have the slots of the English ones, and say as they do what the numbers are of.
func TestChineseNumbers(t *testing.T) {
	file, err := os.ReadFile(filepath.Join("..", "..", "..", "assets", "zh.txt"))
	if err != nil {
		t.Fatal(err)
	}
	chinese := map[string]string{}
	for line := range strings.Lines(string(file)) {
		if from, to, found := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); found {
			chinese[from] = to
		}
	}
	for _, l := range lesson.All() {
		for _, text := range texts(l) {
			to := chinese[text]
			for _, slot := range lesson.Slots(text) {
				if strings.Count(to, "{"+slot+"}") != strings.Count(text, "{"+slot+"}") {
					t.Errorf("lesson %d: the Chinese text of %q lacks {%s}, or has it too often", l.Number, text, slot)
				}
			}
			for _, words := range [][2]string{{"this run", "这次运行"}, {"30 runs", "30 次运行"}, {" 5 runs", " 5 次运行"}} {
				if strings.Contains(strings.ToLower(text), words[0]) != strings.Contains(to, words[1]) {
					t.Errorf("lesson %d: one of %q and its Chinese text says %q", l.Number, text, words[0])
				}
			}
		}
	}
}
