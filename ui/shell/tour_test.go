package shell

import (
	"slices"
	"strings"
	"testing"

	"flockscope/ui/chart"
	"flockscope/ui/lessons"
)

// TestTour: it starts when asked, tells where it is, notices what was tried, and
// leaves nothing behind.
func TestTour(t *testing.T) {
	a, p := ready(t, "")
	if strings.Contains(page(t, a), "tour-title") {
		t.Fatal("the tour starts by itself")
	}
	a.OpenSheet("keys")
	a.Lessons.StartTour()
	if a.Sheet != "" {
		t.Error("the tour begins below a sheet")
	}
	for n := range lessons.Stops {
		html := page(t, a)
		if !strings.Contains(html, itoa(n+1)+" of "+itoa(len(lessons.Stops))) || !strings.Contains(html, lessons.Stops[n].Title) {
			t.Errorf("stop %d does not say what and where it is", n+1)
		}
		if lessons.Stops[n].Done == nil == (lessons.Stops[n].Try != "") || lessons.Stops[n].At == "" || lessons.Stops[n].Text == "" {
			t.Errorf("stop %d is incomplete", n+1)
		}
		if (a.Tuning >= 0) != (lessons.Stops[n].Off != nil) {
			t.Errorf("stop %d leaves lane %d open", n+1, a.Tuning)
		}
		if lessons.Stops[n].Done != nil {
			if a.Lessons.Tried() {
				t.Errorf("stop %d was tried before it could be", n+1)
			}
			a.Player.Step(3)
			set(t, a, "dphi", itoa(30+n))
			p.Finish()
			if !a.Lessons.Tried() || !strings.Contains(page(t, a), ticked) {
				t.Errorf("stop %d does not notice that it was tried", n+1)
			}
		}
		a.Lessons.TourKey("ArrowRight")
	}
	if a.Lessons.Tour.On || strings.Contains(page(t, a), "tour-title") {
		t.Error("the tour does not end")
	}
	a.Lessons.StartTour()
	a.Lessons.TourKey("ArrowRight")
	a.Lessons.TourKey("ArrowLeft")
	if a.Lessons.TourKey("ArrowLeft"); a.Lessons.Tour.At != 0 || a.Lessons.TourKey("x") {
		t.Errorf("back and back is stop %d", a.Lessons.Tour.At+1)
	}
	if a.Lessons.TourKey("Escape"); a.Lessons.Tour.On {
		t.Error("Escape does not end the tour")
	}
}

// TestExplanations: every method, every workload and every setting of the panel
// is explained, with its paper.
func TestExplanations(t *testing.T) {
	a, p := ready(t, "")
	for _, m := range a.Schema.Algorithms {
		a.Explain(m.Name)
		html := page(t, a)
		for _, want := range []string{m.Paper.URL, `data-explain="` + m.Name + `"`} {
			if !strings.Contains(html, want) {
				t.Errorf("the explanation of %s lacks %s", m.Name, want)
			}
		}
		if entries := (&ExplainSheet{App: a}).entries(); len(entries) != len(m.Fields) {
			t.Errorf("%s has %d settings, %d are explained", m.Name, len(m.Fields), len(entries))
		}
	}
	for _, w := range a.Schema.Workloads {
		if w.NeedFile {
			continue
		}
		set(t, a, "data", w.Name)
		p.Finish()
		for _, topic := range topics {
			a.Explain(topic)
			sheet := &ExplainSheet{App: a}
			for _, e := range sheet.entries() {
				if e.term == "" || len(e.text) < 10 || strings.Contains(e.text+e.more, "..") {
					t.Errorf("%s: %q is explained as %q, %q", topic, e.term, e.text, e.more)
				}
			}
			if topic == "Data" && !strings.Contains(page(t, a), w.Paper.URL) {
				t.Errorf("%s has no paper", w.Name)
			}
		}
	}
	a.Explain("")
	sheet := &ExplainSheet{App: a}
	if !slices.Equal(sheet.entries(), glossary) || sheet.about().Name != "" {
		t.Error("without a topic the words are not explained")
	}
	a.Explain("Figures")
	for _, k := range chart.Kinds() {
		if k.Hint != "" && !strings.Contains(page(t, a), k.Title+"</dt>") {
			t.Errorf("the figure %s is not explained", k.Name)
		}
	}
}
