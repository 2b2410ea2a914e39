package shell

import (
	"strings"
	"testing"

	"flockscope/sim/lesson"
	"flockscope/ui/page"
)

func TestLessonFromQuestionToNext(t *testing.T) {
	a, p := taught(t, "dphi=7&algos=clove&t=5&view=losses")
	if got := a.Query(); !strings.Contains(got, "dphi=40&algos=cflgp,fedavg") || !strings.HasSuffix(got, "&lesson=1") ||
		strings.Contains(got, "&t=") {
		t.Errorf("the link of the first lesson is %q", got)
	}
	if html := rendered(t, a); strings.Contains(html, "Not quite") ||
		!strings.Contains(html, a.Lessons.Lesson().Question) || !strings.Contains(html, "lesson-asks") {
		t.Error("before the answer the page wants the question, and not what comes of it")
	}
	if a.Do(page.OpenTable{Kind: "curves", Lane: 0}); a.Sheet != "" {
		t.Error("before the answer the numbers of the curves are shown")
	}
	set(t, a, "dphi", "0") // not now
	p.Finish()
	set(t, a, "dphi", "40")
	p.Finish()
	a.Do(page.AnswerQuestion{Option: 0})
	if !a.Player.Playing || a.Round != 0 {
		t.Fatalf("after the answer, playing: %v, round %d", a.Player.Playing, a.Round)
	}
	if html := rendered(t, a); !strings.Contains(html, "Watch what happens") {
		t.Error("while it plays the page does not say to watch")
	}
	watch(a, p)
	html := rendered(t, a)
	for _, want := range []string{"Not quite: the answer is “About three times”", "0.132", "To do: ",
		a.Lessons.Lesson().Takeaway} {
		if !strings.Contains(html, want) {
			t.Errorf("after the run the page lacks %q", want)
		}
	}
	if strings.Contains(html, "Done: ") {
		t.Error("a step was done before there were any")
	}

	// A drag passes through 17.5, and ends at 0.
	for _, angle := range []string{"30", "17.5", "0"} {
		a.Do(page.ChangeSetting{Key: "dphi", Text: angle, Done: false})
		p.Finish()
	}
	if m := a.Lessons.Progress.Mark(1); m.Done != [2]bool{} {
		t.Errorf("in a drag steps are done: %v", m.Done)
	}
	a.Do(page.ChangeSetting{Key: "dphi", Text: "0", Done: true})
	if m := a.Lessons.Progress.Mark(1); m.Done != [2]bool{true, false} ||
		!strings.HasPrefix(a.Lessons.Progress.Announcement, "Step 1 done") {
		t.Errorf("after a drag to 0 steps are done: %v, and said is %q", m.Done, a.Lessons.Progress.Announcement)
	}
	a.Do(page.ShowStep{Step: 1})
	p.Finish()
	if m := a.Lessons.Progress.Mark(1); m.Done != [2]bool{true, true} || a.Config.Value("dphi") != "17.5" {
		t.Errorf("shown how, steps are done: %v, with Δφ at %s", m.Done, a.Config.Value("dphi"))
	}

	card := &LessonCard{App: a}
	card.next()
	p.Finish()
	if a.Lessons.Lesson().Number != 2 || !card.asks() || a.Config.Workload() != "mix1d" {
		t.Errorf("the next lesson is %d on %s", a.Lessons.Lesson().Number, a.Config.Workload())
	}
	a.Do(page.LeaveLesson{})
	p.Finish()
	if got, want := a.Query(), "data=linreg&dphi=7&algos=clove&t=5&view=losses"; got != want {
		t.Errorf("left, the page is at %q, want %q", got, want)
	}
	if a.Do(page.Undo{}); a.Config.Workload() != "mix1d" {
		t.Error("leaving cannot be undone")
	}
}

// TestEveryLessonOnThePage: every lesson opens in every state, and after the last
// comes the list.
func TestEveryLessonOnThePage(t *testing.T) {
	a, p := ready(t, "")
	a.Player.ReducedMotion = true
	for _, l := range lesson.All() {
		a.Do(page.BeginLesson{Number: l.Number})
		p.Finish()
		if html := rendered(t, a); !strings.Contains(html, "Lesson "+itoa(l.Number)) {
			t.Errorf("lesson %d has no title", l.Number)
		}
		a.Do(page.AnswerQuestion{Option: l.Right})
		if html := rendered(t, a); !strings.Contains(html, "Right: the answer") || strings.Contains(html, "{") {
			t.Errorf("lesson %d does not tell the answer, or has an empty slot", l.Number)
		}
		for i := range l.Steps {
			a.Do(page.ShowStep{Step: i})
			p.Finish()
			if len(a.Notices) > 0 {
				t.Fatalf("lesson %d, step %d: %v", l.Number, i+1, a.Notices)
			}
		}
	}
	(&LessonCard{App: a}).next()
	if a.Sheet != "lessons" {
		t.Errorf("after the last lesson the sheet is %q", a.Sheet)
	}
}

// TestLessonScene: with the answer the page shows the round that the explanation is about, and so does a lesson that
// is opened again; before, it shows the start.
func TestLessonScene(t *testing.T) {
	const number = 4
	scene := lesson.ByNumber(number).Scene
	a, p := ready(t, "")
	a.Do(page.BeginLesson{Number: number})
	p.Finish()
	if a.Round != 0 {
		t.Errorf("before the answer the page shows round %d", a.Round)
	}
	a.Do(page.AnswerQuestion{Option: 0})
	watch(a, p)
	if a.Round != scene || a.Rounds() == scene {
		t.Errorf("with the answer the page shows round %d of %d, want %d", a.Round, a.Rounds(), scene)
	}
	a.Do(page.Seek{Round: 3})
	if a.Round != 3 {
		t.Errorf("later the page does not leave round %d", a.Round)
	}
	a.Do(page.BeginLesson{Number: number})
	if p.Finish(); a.Round != scene {
		t.Errorf("begun again, the lesson shows round %d, want %d", a.Round, scene)
	}
	for link, want := range map[string]int{"?lesson=4": scene, "?lesson=4&t=7": 7, "?lesson=3": 0} {
		b, _ := ready(t, link)
		if b.Do(page.MarksLoaded{Marks: p.KeptMarks}); b.Round != want {
			t.Errorf("%s shows round %d, want %d", link, b.Round, want)
		}
	}
}

func TestMarksAreKept(t *testing.T) {
	a, p := taught(t, "")
	a.Do(page.AnswerQuestion{Option: page.Skipped})
	a.Do(page.ShowStep{Step: 0})
	p.Finish()
	if p.KeptMarks != "1,-2,130;" {
		t.Errorf("kept is %q", p.KeptMarks)
	}
	b, _ := ready(t, "")
	b.Lessons.Progress.Decode(p.KeptMarks + "2,1,000;3,9,111;99,0,111;x;4,0;5,0,1")
	if m := b.Lessons.Progress.Marks; len(m) != 2 ||
		*m[1] != (page.Mark{Answer: page.Skipped, Seen: true, Done: [2]bool{true}, Shown: [2]bool{true}}) ||
		*m[2] != (page.Mark{Answer: 1}) {
		t.Errorf("recalled are %d marks: %+v", len(m), m)
	}
	b.Do(page.OpenSheet{Name: "lessons"})
	if html := rendered(t, b); !strings.Contains(html, "one step to go") || !strings.Contains(html, "Delete them") {
		t.Error("the list does not say how far the first lesson is")
	}
	b.Do(page.ForgetMarks{})
	if html := rendered(t, b); strings.Contains(html, "one step to go") || strings.Contains(html, "Delete them") {
		t.Error("marks are not forgotten")
	}
}

// TestTeacherSheet: the first page has an empty table and no answer, the second
// has both.
func TestTeacherSheet(t *testing.T) {
	a, p := ready(t, "")
	for _, l := range lesson.All() {
		a.Do(page.BeginLesson{Number: l.Number})
		p.Finish()
		a.Do(page.OpenSheet{Name: "teacher"})
		_, html, _ := strings.Cut(rendered(t, a), "paper-page")
		first, second, _ := strings.Cut(html, "paper-page answers")
		if strings.Contains(first, l.Fill(l.Table.Rows[0][1])+"</td>") || strings.Contains(first, l.Takeaway) ||
			!strings.Contains(first, l.Options[0]) {
			t.Errorf("lesson %d: the first page tells too much, or too little", l.Number)
		}
		if !strings.Contains(second, l.Fill(l.Table.Rows[0][1])+"</td>") || !strings.Contains(second, l.Takeaway) ||
			strings.Contains(second, "{") {
			t.Errorf("lesson %d: the second page lacks answers", l.Number)
		}
	}
}
