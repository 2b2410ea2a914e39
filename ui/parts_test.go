package ui

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/ui/chart"
)

// Every part in the page has a name in the list, and a rule in the style sheet
// that hides it; and every name stands for something.
func TestPartsAreThere(t *testing.T) {
	files, err := filepath.Glob("*.vugu")
	if err != nil || len(files) == 0 {
		t.Fatalf("no components: %v", err)
	}
	found := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`data-part="([^"]*)"`).FindAllSubmatch(text, -1) {
			name := string(m[1])
			found[name] = true
			if !slices.ContainsFunc(parts, func(p part) bool { return p.name == name }) {
				t.Errorf("%s has a part %q that is not in the list of parts", file, name)
			}
		}
	}
	style, err := os.ReadFile("../assets/style.css")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range parts {
		if !found[p.name] {
			t.Errorf("no component has the part %q", p.name)
		}
		if rule := `.without-` + p.name + ` [data-part="` + p.name + `"]`; !strings.Contains(string(style), rule) {
			t.Errorf("the style sheet has no %s, so nothing hides it", rule)
		}
		if _, field := catalog.Schema().Field(p.name); field && p.name != "share" { // the button, not the setting, has the name by old custom
			t.Errorf("the part %q is also a setting, and controls= cannot mean both", p.name)
		}
		if p.what == "" {
			t.Errorf("nobody says what the part %q is", p.name)
		}
	}
}

// What a frame's author says leaves out what it names and nothing else.
func TestLacks(t *testing.T) {
	tests := []struct {
		query string
		lacks string // of the parts, in order
	}{
		{"", ""},
		{"hide=data,curves", "data,curves"},
		{"hide=losses", ""}, // a figure, not a part
		{"controls=none", "lessons,settings,undo,share,export,theme,rewind,back,play,step,scrub,phases,speed,tabs,switch,hero,lanes,metrics,sweep,tables,open"},
		{"controls=play,dphi,open", "lessons,settings,undo,share,export,theme,rewind,back,step,scrub,phases,speed,tabs,switch,lanes,metrics,sweep,tables"},
		{"controls=hero,play,scrub,share&hide=title,share", "title,lessons,settings,undo,share,export,theme,rewind,back,step,phases,speed,tabs,switch,lanes,metrics,sweep,tables,open"},
		{"controls=kappa&data=linreg", "lessons,settings,undo,share,export,theme,rewind,back,play,step,scrub,phases,speed,tabs,switch,hero,lanes,metrics,sweep,tables,open"},
	}
	for _, tt := range tests {
		a := New(catalog.Schema(), tt.query)
		var got []string
		for _, p := range parts {
			if a.Lacks(p.name) {
				got = append(got, p.name)
			}
		}
		if strings.Join(got, ",") != tt.lacks {
			t.Errorf("%q goes without %q, want %q", tt.query, strings.Join(got, ","), tt.lacks)
		}
		for _, name := range got {
			if !slices.Contains(strings.Fields((&Root{App: a}).class()), "without-"+name) {
				t.Errorf("%q: the style sheet does not hear of %s", tt.query, name)
			}
		}
	}
}

// A figure that is left out has no tab, and is not shown instead of another.
func TestHiddenFigures(t *testing.T) {
	for _, query := range []string{"hide=losses", "hide=losses&view=losses", "hide=below", "hide=map&view=map", "hide=map,below,data", "hide=curves&view=curves"} {
		a, _ := ready(t, query)
		hidden := strings.Split(strings.TrimPrefix(strings.Split(query, "&")[0], "hide="), ",")
		if slices.Contains(hidden, a.ShownTab()) {
			t.Errorf("%s shows %s", query, a.ShownTab())
		}
		for _, tab := range (&Root{App: a}).tabs() {
			k, _ := chart.KindOf(tab)
			if slices.Contains(hidden, tab) || slices.Contains(hidden, "below") && k.Of == chart.OfLane {
				t.Errorf("%s has a tab for %s", query, tab)
			}
		}
	}
}

// EMBEDDING.md names every part, and every key that the author of a frame can use.
func TestPartsInDocs(t *testing.T) {
	page, err := os.ReadFile("EMBEDDING.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	for _, p := range parts {
		if !strings.Contains(text, "`"+p.name+"`") {
			t.Errorf("EMBEDDING.md does not name the part %s", p.name)
		}
	}
	for _, key := range []string{"embed=", "controls=", "hide=", "lanes=", "autoplay=", "loop=", "theme=", "keys=", "id=", "origin="} {
		if !strings.Contains(text, "`"+key) {
			t.Errorf("EMBEDDING.md does not name the key %s", key)
		}
	}
	for _, format := range []string{"csv", "json", "svg", "png", "run", "bib", "txt", "sh"} {
		if _, known := Formats[format]; !known || !strings.Contains(text, "`"+format+"`") {
			t.Errorf("EMBEDDING.md does not name the format %s, or the page does not know it", format)
		}
	}
}
