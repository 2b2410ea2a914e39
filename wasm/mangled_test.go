package wasm

import (
	"regexp"
	"slices"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/testing/randquery"
	"flockscope/ui/page"
	"flockscope/wasm/web"
)

// TestMangledLinks: whatever mail programs, chats and people do to a link, the page, the
// command line and the servers read what was meant.
func TestMangledLinks(t *testing.T) {
	for _, query := range randquery.ValidLinks {
		want := page.New(catalog.Schema(), "?"+query)
		config, problems := catalog.Schema().Parse(query)
		stored, _ := web.ReadState(web.Schema(), "?"+query)
		shown := regexp.MustCompile("&t=[0-9]+")
		same := shown.ReplaceAllString(want.Query(), "") == shown.ReplaceAllString(query, "")
		if len(problems) > 0 || !same || stored.Text() != query {
			t.Fatalf("%s is %s, with %v", query, want.Query(), problems)
		}
		for _, m := range randquery.Manglings {
			text := m.Mangle(query)
			got, problems := catalog.Schema().Parse(text)
			if got.String() != config.String() || experiment.Strict(problems) != nil {
				t.Errorf("%s: %q is read as %s, with %v; want %s", m.Name, text, got, problems, config)
				continue
			}
			repairs := slices.DeleteFunc(slices.Clone(problems), func(p experiment.Problem) bool { return p.Repair })
			if len(repairs) > 0 || len(problems) > 1 {
				t.Errorf("%s: of %q is said %v, want one repair at the most", m.Name, text, problems)
			}
			if got := page.New(catalog.Schema(), text).Query(); got != want.Query() {
				t.Errorf("%s: %q opens %s, want %s", m.Name, text, got, want.Query())
			}
			if state, _ := web.ReadState(web.Schema(), text); state.Text() != query {
				t.Errorf("%s: to the servers %q is %s, want %s", m.Name, text, state.Text(), query)
			}
		}
	}
}
