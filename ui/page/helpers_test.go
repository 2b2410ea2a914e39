package page

import (
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/ui/pagetest"
)

// open returns the page of a link, with a pretender behind it. The first run
// is asked for.
func open(t *testing.T, query string) (*State, *pagetest.Engines) {
	t.Helper()
	a := New(catalog.Schema(), pagetest.Start(query))
	p := pagetest.New(t, a.Runs)
	a.Host = p
	a.Runs.Request()
	return a, p
}

// ready is open with the first run on screen.
func ready(t *testing.T, query string) (*State, *pagetest.Engines) {
	t.Helper()
	a, p := open(t, query)
	p.Finish()
	return a, p
}

// set changes a setting and fails the test if it is refused.
func set(t *testing.T, a *State, key, text string) {
	t.Helper()
	a.Settings.Set(key, text, true)
	if why := a.Settings.Why(key); why != "" {
		t.Fatalf("Set(%q, %q): %s", key, text, why)
	}
}

// lanes are the ids of the lanes of a configuration.
func lanes(c experiment.Config) string {
	var out []string
	for i := range c.Lanes() {
		out = append(out, c.Lanes()[i].ID())
	}
	return strings.Join(out, ",")
}

// notices are the texts of what is to be noticed.
func noticed(a *State) []string {
	var out []string
	for _, n := range a.AllNotices() {
		out = append(out, n.Text.String())
	}
	return out
}
