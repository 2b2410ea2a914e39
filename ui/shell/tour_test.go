package shell

import (
	"slices"
	"strings"
	"testing"

	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/say"
	"flockscope/ui/chart/figures"
	"flockscope/ui/page"
)

// TestTour: it starts when asked, tells where it is, notices what was tried, and
// leaves nothing behind.
func TestTour(t *testing.T) {
	a, p := ready(t, "")
	if strings.Contains(rendered(t, a), "tour-title") {
		t.Fatal("the tour starts by itself")
	}
	a.Do(page.OpenSheet{Name: "keys"})
	a.Do(page.StartTour{})
	if a.Sheet != "" {
		t.Error("the tour begins below a sheet")
	}
	for n := range page.TourStops {
		html := rendered(t, a)
		if !strings.Contains(html, itoa(n+1)+" of "+itoa(len(page.TourStops))) ||
			!strings.Contains(html, page.TourStops[n].Title) {
			t.Errorf("stop %d does not say what and where it is", n+1)
		}
		if page.TourStops[n].Done == nil == (page.TourStops[n].Try != "") || page.TourStops[n].Selectors == "" ||
			page.TourStops[n].Text == "" {
			t.Errorf("stop %d is incomplete", n+1)
		}
		if (a.SettingsLane >= 0) != (page.TourStops[n].Leave != nil) {
			t.Errorf("stop %d leaves lane %d open", n+1, a.SettingsLane)
		}
		if page.TourStops[n].Done != nil {
			if a.Lessons.TryDone() {
				t.Errorf("stop %d was tried before it could be", n+1)
			}
			a.Do(page.StepRound{By: 3})
			a.Do(page.ShowPhase{Phase: registry.Probe})
			set(t, a, "dphi", itoa(30+n))
			p.Finish()
			if !a.Lessons.TryDone() || !strings.Contains(rendered(t, a), ticked) {
				t.Errorf("stop %d does not notice that it was tried", n+1)
			}
		}
		a.Do(page.TourKey{Key: "ArrowRight"})
	}
	if a.Lessons.Tour.On || strings.Contains(rendered(t, a), "tour-title") {
		t.Error("the tour does not end")
	}
	a.Do(page.StartTour{})
	a.Do(page.TourKey{Key: "ArrowRight"})
	a.Do(page.TourKey{Key: "ArrowLeft"})
	if a.Do(page.TourKey{Key: "ArrowLeft"}); a.Lessons.Tour.Stop != 0 || a.Do(page.TourKey{Key: "x"}) {
		t.Errorf("back and back is stop %d", a.Lessons.Tour.Stop+1)
	}
	if a.Do(page.TourKey{Key: "Escape"}); a.Lessons.Tour.On {
		t.Error("Escape does not end the tour")
	}
}

// TestExplanations: every method, every workload and every setting of the panel
// is explained, with its paper.
func TestExplanations(t *testing.T) {
	a, p := ready(t, "")
	for _, m := range a.Schema.Algorithms {
		a.Do(page.OpenTopic{Topic: m.Name})
		html := rendered(t, a)
		for _, want := range []string{m.Paper.URL, `data-explain="` + m.Name + `"`} {
			if !strings.Contains(html, want) {
				t.Errorf("the explanation of %s lacks %s", m.Name, want)
			}
		}
		if n := len((&ExplainSheet{App: a}).fields()); n != len(m.Fields) {
			t.Errorf("%s has %d settings, %d are explained", m.Name, len(m.Fields), n)
		}
	}
	for _, w := range a.Schema.Workloads {
		if w.NeedFile {
			continue
		}
		set(t, a, "data", w.Name)
		p.Finish()
		for _, topic := range topics {
			a.Do(page.OpenTopic{Topic: topic})
			sheet := &ExplainSheet{App: a}
			for _, f := range sheet.fields() {
				if takes := allowedValues(f); f.Label == "" || len(f.Doc) < 10 || takes == "" ||
					strings.Contains(f.Doc+takes, "..") {
					t.Errorf("%s: %q is explained as %q, %q", topic, f.Label, f.Doc, takes)
				}
			}
			if topic == "Data" && !strings.Contains(rendered(t, a), w.Paper.URL) {
				t.Errorf("%s has no paper", w.Name)
			}
		}
	}
	a.Do(page.OpenTopic{Topic: ""})
	html := rendered(t, a)
	if !strings.Contains(html, "Loading the explanations") {
		t.Error("without a topic the words are not asked for")
	}
	a.Do(page.OpenTopic{Topic: "Figures"})
	html = rendered(t, a)
	for _, k := range figures.Kinds() {
		if !strings.Contains(html, `data-kind="`+k.Name+`"`) {
			t.Errorf("the figure %s is not explained", k.Name)
		}
	}
}

// TestGuide: the sheet asks for the explanations once per language, says while it waits and
// when it waits in vain, and shows what has come for its topic.
func TestGuide(t *testing.T) {
	a, p := ready(t, "")
	says := func(what string, want ...string) {
		t.Helper()
		html := text(rendered(t, a))
		for _, w := range want {
			if !strings.Contains(html, w) {
				t.Errorf("%s: the sheet lacks %q", what, w)
			}
		}
	}
	const loading, failed = "Loading the explanations", "The explanations could not be loaded."
	a.Do(page.OpenTopic{Topic: "cflgp"})
	says("on its way", loading)
	a.Do(page.OpenTopic{Topic: "ifca"})
	a.Do(page.GuideFailed{File: "guide"})
	says("failed", failed)
	a.Do(page.OpenTopic{Topic: "ifca"})
	says("again on its way", loading)
	a.Do(page.GuideLoaded{File: "guide", Content: "// a note\n= ifca\nidea: One. Two.\nfails: Never.\n\n= figure map\nread: Look.\n= words\nClient: Has data.\n"})
	says("loaded", "Idea One. Two.", "Fails when Never.")
	a.Do(page.OpenTopic{Topic: "Figures"})
	says("loaded", "How to read it Look.")
	a.Do(page.OpenTopic{Topic: ""})
	says("loaded", "Client Has data.")
	if html := text(rendered(t, a)); strings.Contains(html, loading) || strings.Contains(html, failed) {
		t.Error("the sheet still waits for what has come")
	}
	a.Do(page.CloseSheet{})
	chinese(t)
	a.Do(page.OpenTopic{Topic: "ifca"})
	a.Do(page.GuideLoaded{File: "guide", Content: "= ifca\nidea: Late.\n"})
	if strings.Contains(rendered(t, a), "Late.") {
		t.Error("the sheet shows a file of another language")
	}
	say.Use("", nil)
	a.Do(page.LanguageChanged{})
	if want := []string{"guide", "guide", "guide.zh", "guide"}; !slices.Equal(p.Guides, want) {
		t.Errorf("the page asked for %q, want %q", p.Guides, want)
	}
}

// TestFindMethods: a search finds methods by name, title, description and family, in the
// language of the page too, and says when there is none.
func TestFindMethods(t *testing.T) {
	a, _ := ready(t, "")
	a.Do(page.ToggleAdding{})
	if got, want := len(a.FoundMethods()), len(a.Schema.Algorithms); got != want {
		t.Errorf("the list has %d methods, want %d", got, want)
	}
	for _, tt := range []struct {
		text string
		zh   bool
		want string // one of those found; "" if none is
		many bool
	}{
		{"clove", false, "clove", false}, {"LOSSES vectors clusters", false, "clove", false},
		{"soft fedem", false, "fedem", true}, {"personal", false, "local", true}, {" ", false, "fedavg", true},
		{"no such method", false, "", false}, {"软聚类", true, "fedem", true},
	} {
		say.Use("", nil)
		if tt.zh {
			chinese(t)
		}
		a.Do(page.SearchMethods{Text: tt.text})
		html := rendered(t, a)
		n := strings.Count(html, "data-add=")
		if none := strings.Contains(text(html), "No method has all of these words"); none != (tt.want == "") ||
			(n > 1) != tt.many {
			t.Errorf("%q finds %d methods, and the list says that there is none: %v", tt.text, n, none)
		}
		if tt.want != "" && !strings.Contains(html, `data-add="`+tt.want+`"`) {
			t.Errorf("%q does not find %s", tt.text, tt.want)
		}
	}
	a.Do(page.ToggleAdding{})
	if a.Do(page.ToggleAdding{}); a.SearchText != "" {
		t.Errorf("the list opens with %q in the search box", a.SearchText)
	}
}

// The explanation of corruptions shows the chosen one, or all if several are chosen, from a file of the site.
func TestSeverities(t *testing.T) {
	for query, rows := range map[string]int{"corrupt=fog": 1, "corrupt=hcfl": 22, "corrupt=all": 22} {
		a, _ := ready(t, "data=digits&shift=corruptions&algos=ifca&"+query)
		a.Export.Licences = "https://here/v/0/licences.txt"
		a.Topic = string(param.Data)
		text := string((&ExplainSheet{App: a}).explained())
		if got := strings.Count(text, "<image "); got != rows {
			t.Errorf("of %s it shows %d rows, want %d", query, got, rows)
		}
		if want := `href="https://here/v/0/assets/corruptions-grey.png"`; strings.Count(text, want) != rows {
			t.Errorf("of %s the pictures are not %s", query, want)
		}
	}
	a, _ := ready(t, "data=digits&algos=ifca")
	a.Topic = string(param.Data)
	if strings.Contains(string((&ExplainSheet{App: a}).explained()), "severities") {
		t.Error("severities are shown without corruptions")
	}
}
