package shell

import (
	"encoding/json"
	"fmt"
	"html"
	"strings"
	"testing"

	"github.com/vugu/vugu"

	"flockscope/ui/host"
	"flockscope/ui/page"
	"flockscope/ui/testing/pagetest"
)

// rendered builds the whole page and returns it as HTML, with the properties that
// the browser is given as attributes with a dot.
func rendered(t *testing.T, a *App) string {
	t.Helper()
	env, err := vugu.NewBuildEnv()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	root := &Root{App: a}
	results := env.RunBuild(root)
	for _, n := range results.ResultFor(root).Out {
		write(&b, results, n)
	}
	return b.String()
}

func write(b *strings.Builder, results *vugu.BuildResults, n *vugu.VGNode) {
	switch {
	case n.Component != nil:
		for _, out := range results.ResultFor(n.Component).Out {
			write(b, results, out)
		}
	case n.Type == vugu.TextNode:
		b.WriteString(html.EscapeString(n.Data))
	case n.Type == vugu.ElementNode:
		b.WriteString("<" + n.Data)
		for _, attr := range n.Attr {
			fmt.Fprintf(b, ` %s="%s"`, attr.Key, html.EscapeString(attr.Val))
		}
		for _, prop := range n.Prop {
			var value any
			_ = json.Unmarshal(prop.JSONVal, &value)
			fmt.Fprintf(b, ` .%s="%s"`, prop.Key, html.EscapeString(fmt.Sprint(value)))
		}
		b.WriteString(">")
		if n.InnerHTML != nil {
			b.WriteString(*n.InnerHTML)
		} else {
			for c := n.FirstChild; c != nil; c = c.NextSibling {
				write(b, results, c)
			}
		}
		b.WriteString("</" + n.Data + ">")
	}
}

// open returns the page of a link, with engines behind it that a test answers for. The
// first run is asked for.
func open(t *testing.T, query string) (*App, *pagetest.Engines) {
	t.Helper()
	a, p := pagetest.Open(t, query)
	return &App{a.State, a.Do}, p
}

// ready is open with the first run on screen.
func ready(t *testing.T, query string) (*App, *pagetest.Engines) {
	t.Helper()
	a, p := open(t, query)
	p.Finish()
	return a, p
}

// set changes a setting and fails the test if it is refused.
func set(t *testing.T, a *App, key, text string) {
	t.Helper()
	a.Do(page.ChangeSetting{Key: key, Text: text, Done: true})
	if why := a.Settings.Reason(key); why != "" {
		t.Fatalf("Set(%q, %q): %s", key, text, why)
	}
}

// notices are the texts of what is to be noticed.
func noticed(a *App) []string {
	var out []string
	for _, n := range a.AllNotices() {
		out = append(out, n.Text.String())
	}
	return out
}

// given is a file that must be there.
func given(t *testing.T, a *App, format string) host.File {
	t.Helper()
	f, err := a.Export.File(format)
	if err != nil || len(f.Data) == 0 {
		t.Fatalf("%s: %d bytes, %v", format, len(f.Data), err)
	}
	return f
}

// phase is the round looked at, and the letter of its phase.
func phase(a *App) string {
	if p, ok := a.Phases.Phase(); ok {
		return itoa(a.Shown()) + p.Name()[:1]
	}
	return itoa(a.Shown()) + "-"
}

const usual = "data=linreg&algos=cflgp,ifca"
