package shell

import (
	"strings"
	"testing"

	"flockscope/sim/wire"
	"flockscope/ui/page"
	"flockscope/ui/testing/pagetest"
)

// columnLines is what an engine says of a table with columns site, a, b and species.
func columnLines(roles ...string) string {
	var lines []string
	for i, name := range []string{"site", "a", "b", "species"} {
		guess := []string{"client", "feature", "feature", "label"}[i]
		role := guess
		if roles != nil {
			role = roles[i]
		}
		n := itoa(i + 1)
		lines = append(lines, strings.Join([]string{n, n, name, name, "number", "1 to 3", "0", "1, 2", role, guess,
			"by its name"}, "\t"))
	}
	return strings.Join(lines, "\n")
}

// TestColumns: the sheet shows the columns of a table; another role goes to the engine,
// and becomes a part of the link.
func TestColumns(t *testing.T) {
	a, p := ready(t, "T=30")
	asked := ""
	p.OnSend = func(_ int, message []byte) {
		_, records, _ := wire.Open(message)
		for kind, payload := range records {
			if kind == wire.Roles {
				asked = string(payload)
			}
		}
	}
	say := func(kind wire.Kind, columns, words string) {
		p.SendMessage(pagetest.AboutFiles, func(m *wire.Message) {
			m.Text(wire.Columns, columns)
			m.Text(kind, words)
		})
	}
	if a.Files.HasColumns() {
		t.Error("before a file came, there are columns")
	}
	a.Do(page.OpenFiles{Files: pagetest.NamedFiles("iris.csv")})
	say(wire.Accepted, columnLines(), "samples&split=writers&C=4&K=4&shift=none 60 samples")
	p.Finish()
	a.Do(page.OpenSheet{Name: "columns"})
	if words := text(rendered(t, a)); !a.Files.HasColumns() || !strings.Contains(words, "4 · species") ||
		!strings.Contains(words, "Target") {
		t.Errorf("the sheet says %q", words)
	}
	if got := noticed(a); len(got) != 0 {
		t.Errorf("with one column that may be the client, the notices are %q", got)
	}
	a.Do(page.OpenFiles{Files: pagetest.NamedFiles("iris.csv")})
	lines := strings.Split(columnLines(), "\n")
	lines[1] += "\tclient"
	say(wire.Accepted, strings.Join(lines, "\n"), "samples&split=writers&C=4&K=4&shift=none 60 samples")
	p.Finish()
	const ask = "The client of a row could also be a."
	if got := noticed(a); len(got) != 1 || got[0] != ask || !strings.Contains(text(rendered(t, a)), "60 samples. "+ask) {
		t.Errorf("with two, the notices are %q, and the sheet says %q", got, text(rendered(t, a)))
	}
	a.Do(page.ChooseRole{Key: "b", Role: "label"})
	if asked != "cols=b:label" {
		t.Errorf("another label asks for %q", asked)
	}
	say(wire.Accepted, columnLines("client", "feature", "label", "ignore"),
		"samples&split=writers&C=4&K=4&shift=none&cols=b:label 60 samples")
	p.Finish()
	if got := a.Config.String(); !strings.Contains(got, "cols=b:label") {
		t.Errorf("the link is %s", got)
	}
	a.Do(page.ChooseRole{Key: "site", Role: "ignore"})
	if asked != "cols=site:ignore,b:label,species:ignore" {
		t.Errorf("no client asks for %q", asked)
	}
	say(wire.Refused, columnLines("ignore", "feature", "label", "ignore"), "iris.csv: it has one sample; expected more")
	if got := noticed(a); len(got) != 1 || !strings.HasPrefix(got[0], "iris.csv: it has one sample") ||
		!strings.Contains(a.Config.String(), "cols=b:label") {
		t.Errorf("refused, the notices are %q and the link is %s", got, a.Config)
	}
	a.Do(page.ToggleFill{})
	if asked != "cols=site:ignore,b:label,species:ignore&na=mean" {
		t.Errorf("filled, it asks for %q", asked)
	}
	say(wire.Accepted, columnLines(), "samples&shift=none&na=mean 60 samples")
	p.Finish()
	a.Do(page.ResetRoles{})
	if asked != "na=mean" {
		t.Errorf("guessed again, it asks for %q", asked)
	}
	say(wire.Accepted, columnLines(), "samples&shift=none&na=mean 60 samples")
	p.Finish()
	if got := a.Config.String(); strings.Contains(got, "cols=") || !strings.Contains(got, "na=mean") {
		t.Errorf("guessed again, the link is %s", got)
	}
}

// TestColumnsOfLink: roles that a link asked for go when they are guessed again.
func TestColumnsOfLink(t *testing.T) {
	a, p := open(t, "data=samples&cols=a:label&T=5")
	say := func(columns, words string) {
		p.SendMessage(pagetest.AboutFiles, func(m *wire.Message) {
			m.Text(wire.Columns, columns)
			m.Text(wire.Accepted, words)
		})
		p.Finish()
	}
	a.Do(page.OpenFiles{Files: pagetest.NamedFiles("iris.csv")})
	say(columnLines("client", "label", "feature", "ignore"), "samples&cols=a:label 60 samples")
	if got := a.Config.String(); !strings.Contains(got, "cols=a:label") {
		t.Errorf("the link is %s", got)
	}
	a.Do(page.ResetRoles{})
	say(columnLines(), "samples 60 samples")
	if got := a.Config.String(); strings.Contains(got, "cols=") {
		t.Errorf("guessed again, the link is %s", got)
	}
}

// TestRefusedColumns: a table that cannot be used as it was guessed may have other roles,
// and a link whose file comes later asks for its roles.
func TestRefusedColumns(t *testing.T) {
	a, p := open(t, "data=samples&cols=a:label&T=5")
	asked := ""
	p.OnSend = func(_ int, message []byte) {
		_, records, _ := wire.Open(message)
		for kind, payload := range records {
			if kind == wire.Roles {
				asked = string(payload)
			}
		}
	}
	a.Do(page.OpenFiles{Files: pagetest.NamedFiles("iris.csv")})
	if asked != "cols=a:label&kept=1" {
		t.Errorf("the link's roles are asked for as %q", asked)
	}
	p.SendMessage(pagetest.AboutFiles, func(m *wire.Message) {
		m.Text(wire.Columns, columnLines())
		m.Text(wire.Refused, "iris.csv: no column tells what to predict")
	})
	if n := a.AllNotices(); len(n) == 0 || len(n[len(n)-1].Actions) != 1 {
		t.Fatalf("the notices are %v", n)
	} else {
		a.Do(n[len(n)-1].Actions[0].Do)
	}
	if a.Sheet != "columns" || !strings.Contains(text(rendered(t, a)), "2 · a") {
		t.Errorf("the sheet is %q", a.Sheet)
	}
}
