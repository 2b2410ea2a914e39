package page_test

import (
	"strings"
	"testing"

	"flockscope/sim/experiment"
	. "flockscope/ui/page"
	"flockscope/ui/testing/pagetest"
)

// open returns the page of a link that has requested its first run.
func open(t *testing.T, query string) (*pagetest.Page, *pagetest.Engines) {
	return pagetest.Open(t, query)
}

// ready returns the page of a link with its first run on screen.
func ready(t *testing.T, query string) (*pagetest.Page, *pagetest.Engines) {
	return pagetest.Ready(t, query)
}

// set changes a setting and fails the test if it is refused.
func set(t *testing.T, a *pagetest.Page, key, text string) {
	t.Helper()
	a.Do(ChangeSetting{Key: key, Text: text, Done: true})
	if why := a.Settings.Reason(key); why != "" {
		t.Fatalf("Set(%q, %q): %s", key, text, why)
	}
}

// lanes returns the ids of the lanes of a configuration.
func lanes(c experiment.Config) string {
	var out []string
	for i := range c.Lanes() {
		out = append(out, c.Lanes()[i].ID())
	}
	return strings.Join(out, ",")
}

// noticed returns the texts of the notices.
func noticed(a interface{ AllNotices() []Notice }) []string {
	var out []string
	for _, n := range a.AllNotices() {
		out = append(out, n.Text.String())
	}
	return out
}
