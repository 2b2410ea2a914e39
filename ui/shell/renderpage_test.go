package shell

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vugu/vugu"

	"flockscope/sim/say"
	"flockscope/ui/page"
)

// kept is a node of a document as Vugu's script keeps it: children stay until
// others come in their place.
type kept struct {
	tag, attrs, text string
	children         []*kept
	touched          bool // since it was looked at last
}

// render does what the script does with a page.
func (k *kept) render(page *vugu.BuildResults, n *vugu.VGNode) {
	n = BuiltNode(page, n)
	if tag := fmt.Sprint(n.Type, n.Data); tag != k.tag {
		*k = kept{tag: tag}
	}
	k.touched = true
	k.attrs = fmt.Sprint(n.Attr)
	for _, p := range n.Prop {
		k.attrs += fmt.Sprintf(" .%s=%s", p.Key, p.JSONVal)
	}
	if n.InnerHTML != nil {
		k.text, k.children = *n.InnerHTML, nil
	}
	i := 0
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if k.text = ""; i == len(k.children) {
			k.children = append(k.children, &kept{})
		}
		k.children[i].render(page, c)
		i++
	}
	if i > 0 {
		k.children = k.children[:i]
	}
}

func (k *kept) write(b *strings.Builder, depth int) {
	fmt.Fprintf(b, "%*s%s %s %s\n", depth, "", k.tag, k.attrs, k.text)
	for _, c := range k.children {
		c.write(b, depth+1)
	}
}

func (k *kept) String() string {
	var b strings.Builder
	k.write(&b, 0)
	return b.String()
}

// look counts the nodes that were touched since the last look, and all.
func (k *kept) look() (touched, all int) {
	all = 1
	if k.touched {
		touched, k.touched = 1, false
	}
	for _, c := range k.children {
		t, a := c.look()
		touched, all = touched+t, all+a
	}
	return touched, all
}

// A page that is shortened time and again looks as one that is rendered in full.
func TestMemo(t *testing.T) {
	a, p := ready(t, "algos=cflgp,ifca&t=14")
	env, err := vugu.NewBuildEnv()
	if err != nil {
		t.Fatal(err)
	}
	root := &Root{App: a}
	var m Memo
	short := &kept{}
	render := func(what string) (touched, all int) {
		t.Helper()
		page := env.RunBuild(root)
		Translate(page, root)
		if m.Shorten(page) {
			short.render(page, page.Out.Out[0])
		}
		m.Restore()
		full := &kept{}
		full.render(page, page.Out.Out[0])
		if got, want := short.String(), full.String(); got != want {
			t.Fatalf("%s: the page has\n%s", what, difference(got, want))
		}
		return short.look()
	}
	render("at first")
	if touched, _ := render("again"); touched > 0 {
		t.Errorf("%d nodes were rendered though nothing has changed", touched)
	}
	a.Do(page.Seek{Round: 15})
	if touched, all := render("a round on"); touched == 0 || touched > all/4 {
		t.Errorf("for one round, %d of %d nodes were rendered", touched, all)
	}
	if m.Placed {
		t.Error("the next round is said to have other figures")
	}
	m.Typed = append(m.Typed, "dphi")
	if touched, all := render("a slider moved"); touched == 0 || touched > all/4 {
		t.Errorf("for a slider that was moved, %d of %d nodes were rendered", touched, all)
	}
	m.Chosen = true
	if touched, all := render("chosen"); touched == 0 || touched > all*3/4 {
		t.Errorf("for what was chosen, %d of %d nodes were rendered", touched, all)
	}
	a.Do(page.ShowTab{Tab: "flow"})
	if render("another tab"); !m.Placed {
		t.Error("another tab is said to have the same figures")
	}
	for _, step := range []struct {
		what string
		do   func()
	}{
		{"playing", func() { a.Do(page.TogglePlay{}) }},
		{"a slider", func() { a.Do(page.ChangeSetting{Key: "dphi", Text: "7", Done: false}) }},
		{"its run", func() { p.Finish() }},
		{"a client", func() { a.Do(page.SelectClient{Client: 2}) }},
		{"no client", func() { a.Do(page.SelectClient{Client: -1}) }},
		{"a refusal", func() { a.Do(page.ChangeSetting{Key: "K", Text: "99", Done: true}) }},
		{"none", func() { a.Do(page.Undo{}) }},
		{"advanced", func() { a.Advanced = true }},
		{"a lane's settings", func() { a.SettingsLane = 1 }},
		{"those of another", func() { a.SettingsLane = 0 }},
		{"more lanes", func() { a.Do(page.AddLane{Algorithm: "clove"}) }},
		{"their run", func() { p.Finish() }},
		{"the first goes", func() { a.Do(page.RemoveLane{Lane: 0}) }},
		{"the others' run", func() { p.Finish() }},
		{"how exactly", func() { a.Do(page.ToggleExact{}) }},
		{"pictures", func() { a.Do(page.ChangeSetting{Key: "data", Text: "digits", Done: true}) }},
		{"their runs", func() { p.Finish() }},
		{"the end of the round", func() { a.Do(page.EndPhases{}) }},
		{"a lecture", func() { a.Do(page.StartLecture{}) }},
		{"its next stop", func() { a.Do(page.StepLecture{By: 1}) }},
		{"no lecture", func() { a.Do(page.LeaveLecture{}) }},
		{"a notice", func() { a.Notify("This.") }},
		{"another", func() { a.Notify("That.") }},
		{"one of them", func() { a.Do(page.DismissNotice{Notice: 0}) }},
		{"the take sheet", func() { a.Sheet = "take" }},
		{"the keys", func() { a.Sheet = "keys" }},
		{"no sheet", func() { a.Sheet = "" }},
		{"Chinese", func() { chinese(t) }},
		{"English", func() { say.Use("", nil) }},
	} {
		step.do()
		render(step.what)
		render(step.what + ", again")
	}
}

// difference is the first line that two texts do not share.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return g[i] + "\nwant\n" + w[i]
		}
	}
	return fmt.Sprint(len(g), " lines, want ", len(w))
}
