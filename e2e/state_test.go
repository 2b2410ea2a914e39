package e2e

import (
	"encoding/json"
	"fmt"
	"strings"

	"flockscope/sim/catalog"
)

// A state is the result of flockscope.state().
type state struct {
	Engine, Problem         string // how the engine runs, or why it does not
	Query, Config, RunQuery string // of the whole page, of its settings, of the run on screen
	Round, Shown, Rounds    int
	Playing, Done           bool
	Lane, Selected, Hover   int
	Theme, Tab              string
	Copied, Link            string
	Fingerprint             string
	Lanes                   []laneState
	Notices                 []string
	File                    string
	CanUndo                 bool
	Clients                 int
	Truth                   bool
	Took                    float64 // ms from the wish for the run to all of its frames
}

type laneState struct {
	ID, Score, Story, Fingerprint string
	ARI, FinalARI, Loss           float64
	Misplaced, Clusters, Settled  int
}

// State returns the state of the page.
func (p *Page) State() state {
	p.t.Helper()
	var s state
	if err := json.Unmarshal([]byte(p.Text("flockscope.state()")), &s); err != nil {
		p.t.Fatalf("reading the state: %v", err)
	}
	return s
}

// When waits until an expression of the state s is true, and then until texts and controls
// are rendered.
func (p *Page) When(condition string) {
	p.t.Helper()
	p.Until(says(condition), patience)
	p.Until(says("!s.behind"), patience)
}

// says returns a JavaScript expression for a condition on the state s.
func says(condition string) string {
	return "(s => " + condition + ")(JSON.parse(flockscope.state()))"
}

// complete is the condition that all rounds of the run with the current settings are on
// screen.
const complete = "(s.done && s.runQuery === s.config)"

// Run opens the page with a query and waits until its run is complete and the layout is
// final. Unless the query asks for them, there are no previews on sliders, which would use
// all processors for some seconds.
func (p *Page) Run(query string) state {
	p.t.Helper()
	query = fromStart(query)
	if !strings.Contains(query, "scent=") && !strings.Contains(query, "#") {
		join := "?"
		if strings.Contains(query, "?") {
			join = "&"
		}
		query += join + "scent=0"
	}
	p.Open("/" + query)
	p.When(complete)
	p.Drawn()
	return p.State()
}

// fromStart adds round 0 to a query with settings and without a round, and the data to one with a round and without
// settings: tests begin at the start, with the defaults of the settings.
func fromStart(query string) string {
	text, found := strings.CutPrefix(query, "?")
	schema := catalog.Schema()
	opened, read := schema.OpenLink(text), schema.ReadLink(text)
	switch {
	case found && opened.Resting() > 0:
		return "?t=0&" + text
	case found && read.Has("t") && opened.Has("dphi") && !read.Has("dphi"):
		return "?data=linreg&" + text
	}
	return query
}

// Go shows another link in an open page, as Back and Forward do. Nothing is loaded again, so
// this takes a fraction of the time. The page stays embedded as it is.
func (p *Page) Go(query string) state {
	p.t.Helper()
	query = fromStart(query)
	p.Eval("history.pushState(null, '', "+quote("/"+query)+"), dispatchEvent(new PopStateEvent('popstate')), 0", nil)
	p.When(complete)
	p.Drawn()
	return p.State()
}

// Drawn waits for some frames, until components, figures and address show the state.
func (p *Page) Drawn() {
	p.t.Helper()
	p.Until(`new Promise((done) => {
		let frames = 0, quiet = 0, last = "";
		const look = () => {
			const now = document.getElementById("flockscope").innerHTML;
			quiet = now === last ? quiet + 1 : 0;
			last = now;
			if (quiet > 8 || ++frames > 300) done(true); else requestAnimationFrame(look);
		};
		look();
	})`, patience)
}

// Choose selects an option of the first select element that a CSS selector matches.
func (p *Page) Choose(selector, value string) {
	p.t.Helper()
	p.Eval(fmt.Sprintf(`(() => {
		const el = document.querySelector(%s);
		if (![...el.options].some((o) => o.value === %[2]s)) throw new Error("there is no option " + %[2]s);
		el.focus();
		el.value = %[2]s;
		el.dispatchEvent(new Event("input", { bubbles: true }));
		el.dispatchEvent(new Event("change", { bubbles: true }));
	})()`, quote(selector), quote(value)), nil)
}

// OpenSettings opens the drawer with all settings.
func (p *Page) OpenSettings() {
	p.t.Helper()
	p.Eval(`void ([...document.querySelectorAll("#more-settings, .settings-button")].find((b) => b.checkVisibility() && b.ariaExpanded === "false")?.click())`, nil)
	p.Until("getComputedStyle(document.querySelector('.settings')).opacity === '1'", patience)
}

// Add opens the list of algorithms and adds a lane for one.
func (p *Page) Add(algorithm string) {
	p.t.Helper()
	p.Eval(`document.querySelector("#add-lane").click()`, nil)
	entry := fmt.Sprintf(".menu [data-add=%s]", algorithm)
	p.Until("document.querySelector("+quote(entry)+")", patience)
	p.Eval("document.querySelector("+quote(entry)+").click()", nil)
}

// Enter replaces the text of a text box and presses Enter.
func (p *Page) Enter(selector, text string) {
	p.t.Helper()
	p.Select(selector)
	p.Type(text)
	p.Key("Enter")
}

// Select focuses a text box and selects its text. It waits until the box is shown.
func (p *Page) Select(selector string) {
	p.t.Helper()
	p.Until(fmt.Sprintf(`(() => { const el = document.querySelector(%s); el.focus(); el.select(); return document.activeElement === el; })()`, quote(selector)), patience)
}

// Type presses one key after another.
func (p *Page) Type(text string) {
	p.t.Helper()
	for _, r := range text {
		p.Key(string(r))
	}
}

// Focus focuses the first element that a CSS selector matches.
func (p *Page) Focus(selector string) {
	p.t.Helper()
	p.Eval(fmt.Sprintf("document.querySelector(%s).focus()", quote(selector)), nil)
}

// A box is the position and size of an element, in CSS pixels of the window.
type box struct{ X, Y, Width, Height float64 }

// Box returns the box of the first element that a CSS selector matches.
func (p *Page) Box(selector string) box {
	p.t.Helper()
	var b box
	p.Eval(fmt.Sprintf("document.querySelector(%s).getBoundingClientRect().toJSON()", quote(selector)), &b)
	return b
}

// quote returns text as a JavaScript string.
func quote(text string) string {
	quoted, _ := json.Marshal(text)
	return string(quoted)
}
