package e2e

import (
	"slices"
	"strings"
	"testing"
)

// IBM's Equal Access, another set of rules than axe's, reports no violation.
func TestEqualAccess(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		p.ReducedMotion()
		for _, state := range []struct {
			name, query   string
			width, height int
		}{
			{"the page", "?t=14", 1440, 900}, {"a telephone", "?t=14", 390, 844},
			{"a lesson", "?lesson=1", 1440, 900}, {"a frame", "?t=14&embed=1", 800, 450},
		} {
			p.Viewport(state.width, state.height)
			p.Run(state.query)
			p.Eval(p.script("accessibility-checker-engine", "ace.js")+"\n;globalThis.ace ??= ace, 0", nil)
			var found []string
			p.Eval(`new ace.Checker().check(document, ["WCAG_2_2"]).then(({ results, numExecuted }) => numExecuted < 50 ? ["only " + numExecuted + " rules"] :
				results.filter(({ value }) => value[0] === "VIOLATION" && value[1] === "FAIL").map((r) => r.ruleId + ": " + r.message + " " + r.snippet.slice(0, 200)))`, &found)
			for _, text := range found {
				t.Errorf("%s: %s", state.name, text)
			}
		}
	})
}

// A screen reader reads the parts of the page in a sensible order, each with a name.
func TestScreenReader(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		p.ReducedMotion()
		p.Viewport(1440, 900)
		p.Run("?t=14")
		source := p.script("@guidepup", "virtual-screen-reader", "lib", "esm", "index.browser.js")
		start := strings.LastIndex(source, "export{")
		if start < 0 || !strings.Contains(source[start:], " as virtual}") {
			t.Fatal("the screen reader exports no reader")
		}
		from := source[start+len("export{"):]
		_, from, _ = strings.Cut(from[:strings.Index(from, " as virtual}")], ",")
		p.Eval("(() => {"+source[:start]+";globalThis.reader = "+from+"})(), 0", nil)
		var said []string
		p.Eval(`(async () => {
			await reader.start({ container: document.getElementById("flockscope") });
			for (let i = 0; i < 600; i++) {
				await reader.next();
				const said = await reader.spokenPhraseLog();
				if (i && said.at(-1) === said[0]) break;
			}
			const said = await reader.spokenPhraseLog();
			await reader.stop();
			return said;
		})()`, &said)
		rest := said
		for _, want := range []string{
			"link, Skip to the maps", "link, Skip to the curves", "heading, Flockscope, level 1", "button, Lessons",
			"Round 14", "CFL-GP", "IFCA", "main", "region, Data", "Gap Δφ", "region, Selected clients", "button, More settings",
			"region, Round", "button, Watch this round", "1 Broadcast", "6 Update", "region, CFL-GP", "Stage, round 14, CFL-GP", "region, IFCA",
			"end of main", "region, Rounds", "button, Play (Space)", "slider, Round", "region, Curves", "ARI",
		} {
			at := slices.IndexFunc(rest, func(text string) bool { return strings.Contains(text, want) })
			if at < 0 {
				t.Errorf("behind what is before it the reader does not say %q; it says %q", want, said)
				break
			}
			rest = rest[at+1:]
		}
		for _, text := range said {
			if strings.TrimSpace(text) == "button" || strings.TrimSpace(text) == "link" ||
				strings.TrimSpace(text) == "slider" || text == "img" {
				t.Errorf("something says only that it is a %s", text)
			}
		}
	})
}
