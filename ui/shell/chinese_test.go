package shell

import (
	"html"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vugu/vugu"

	"flockscope/sim/catalog"
	"flockscope/sim/say"
	"flockscope/ui/page"
)

// chinese has all texts said in Chinese from now to the end of the test.
func chinese(t *testing.T) (table string) {
	t.Helper()
	text, err := os.ReadFile("../../assets/zh.txt")
	if err != nil {
		t.Fatal(err)
	}
	say.Use("zh-Hans", say.ReadTable(string(text)))
	t.Cleanup(func() { say.Use("", nil) })
	return string(text)
}

// names are written the same in both languages.
var names = regexp.MustCompile(`^(Flockscope|ARI|ARI −?[0-9.]+|NMI|Val|Test|PNG|SVG|CSV|BibTeX|LaTeX|Adam|SGD|R|Z|S|K|\?|Esc|Shift\+[LR]|Home, End|Ctrl\+Z, Ctrl\+Shift\+Z|Home|End|Ctrl\+Z|Ctrl\+Shift\+Z|中文|English|[^A-Za-z]*)$`)

// Every label, option and section of a setting, and every workload, has a
// Chinese name. Methods keep their own.
func TestChineseSettings(t *testing.T) {
	chinese(t)
	schema := catalog.Schema()
	methods := map[string]bool{}
	for _, m := range schema.Algorithms {
		methods[m.Title] = true
	}
	need := func(what, text string) {
		if say.Text(text) == text && !names.MatchString(text) && !methods[text] {
			t.Errorf("assets/zh.txt has no line for the %s %q", what, text)
		}
	}
	for i := range schema.Workloads {
		need("workload", schema.Workloads[i].Title)
	}
	for _, f := range schema.Finished().Fields() {
		need("label", f.Label)
		need("section", string(f.Section))
		if f.Unit != "s" {
			need("unit", f.Unit)
		}
		for _, o := range f.Options {
			need("option", o.Title)
		}
	}
}

// The page as it opens, with all settings, a lane's and the keys open, says
// nothing in English but names and what canvases say.
func TestChinesePage(t *testing.T) {
	chinese(t)
	a, p := ready(t, "algos=cflgp,ifca")
	p.Finish()
	a.Do(page.Seek{Round: 14})
	a.Advanced, a.SettingsLane, a.Sheet = true, 1, "keys"
	env, err := vugu.NewBuildEnv()
	if err != nil {
		t.Fatal(err)
	}
	root := &Root{App: a}
	results := env.RunBuild(root)
	Translate(results, root)
	methods := map[string]bool{"CFL-GP": true, "IFCA": true}
	for _, m := range a.Schema.Algorithms {
		methods[m.Title], methods[m.Doc] = true, true
	}
	left := map[string]bool{}
	word := regexp.MustCompile(`[A-Za-z]{3,}`)
	eachText(results, root, func(text string) {
		text = strings.TrimSpace(text)
		if word.MatchString(text) && !names.MatchString(text) && !methods[text] &&
			!strings.ContainsFunc(text, func(r rune) bool { return r >= 0x4E00 && r < 0xA000 }) {
			left[text] = true
		}
	})
	for text := range left {
		t.Errorf("the page says in English: %q; give it a line in assets/zh.txt, with a tab and the Chinese after it", text)
	}
}

// eachText calls f with every text that stands on the page, and none of what is
// only heard or shown on pointing.
func eachText(results *vugu.BuildResults, component any, f func(string)) {
	var node func(n *vugu.VGNode)
	node = func(n *vugu.VGNode) {
		switch {
		case n.Component != nil:
			eachText(results, n.Component, f)
			return
		case n.Type == vugu.TextNode:
			f(n.Data)
		case n.InnerHTML != nil:
			for _, part := range regexp.MustCompile(`<[^>]*>`).Split(*n.InnerHTML, -1) {
				f(html.UnescapeString(part))
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			node(c)
		}
	}
	for _, n := range results.ResultFor(component).Out {
		node(n)
	}
}

// No line of the table stands twice, is empty or loses a number or a name.
func TestChineseTable(t *testing.T) {
	table := chinese(t)
	var seen []string
	for line := range strings.Lines(table) {
		line = strings.TrimRight(line, "\n")
		if line == "" || strings.HasPrefix(line, "//") {
			continue
		}
		key, text, ok := strings.Cut(line, "\t")
		if !ok || key == "" || strings.TrimSpace(text) == "" || strings.Contains(text, "\t") {
			t.Errorf("%q is no line of two texts", line)
			continue
		}
		if slices.Contains(seen, key) {
			t.Errorf("%q stands twice", key)
		}
		seen = append(seen, key)
		if got, want := verbsOf(text), verbsOf(key); !slices.Equal(got, want) {
			t.Errorf("%q has the verbs %q, %q has %q", key, want, text, got)
		}
	}
}

var verb = regexp.MustCompile(`%(\[\d\])?[-+ #0]*\d*(\.\d+)?[a-zA-Z%]`)

// verbsOf are those of a format in the order of their arguments, without their numbers.
func verbsOf(format string) []string {
	all := verb.FindAllString(format, -1)
	if strings.Contains(format, "%[") {
		slices.Sort(all)
	}
	for i, v := range all {
		if from, to := strings.Index(v, "["), strings.Index(v, "]"); from >= 0 {
			all[i] = v[:from] + v[to+1:]
		}
	}
	return all
}
