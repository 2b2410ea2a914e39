package e2e

import (
	"strings"
	"testing"
	"time"
)

// The data and the clients of a slow run are on screen before its first models are evaluated, the page reacts meanwhile,
// the run can be paused, and if it took long it is stored: its link opens it at once.
func TestSlowRun(t *testing.T) {
	SkipIfShort(t)
	InChromium(t, func(t *testing.T, p *Page) {
		const link = "?data=shapes&net=resnet8&n=1600&C=8&b=8&probe=8&exam=40&every=4&T=8&avg=gradient&algos=fedavg,ifca&t=0&lang=en"
		p.Viewport(1440, 900)
		began := time.Now()
		p.Open("/" + link)
		p.When("s.runQuery")
		s := p.State()
		if took := time.Since(began); s.Done || s.Lanes[0].Loss != 0 {
			t.Error("the first picture has results")
		} else {
			t.Logf("the first picture took %v", took.Round(10*time.Millisecond))
		}
		p.Key("l")
		p.When("s.lane === 1")
		if p.State().Done {
			t.Error("the page did not react before the run was complete")
		}
		says := func(words string) { p.Until("/"+words+"/.test(document.body.innerText)", patience) }
		says("evaluating|computed")
		p.Key("Space")
		p.When("s.playing")
		p.Key("Space")
		says("paused")
		p.Key("Space")
		p.Until("JSON.parse(flockscope.state()).done", 5*time.Minute)
		before := p.State()
		if len(before.Notices) > 0 {
			t.Errorf("the page says %q", before.Notices)
		}
		if before.Took < 5000 {
			t.Skipf("the run took %v ms: this machine is too fast for a slow run", before.Took)
		}
		p.Until("localStorage.getItem('flockscope.runs')", patience)
		p.Open("/" + link)
		p.When(complete)
		after := p.State()
		if after.Fingerprint != before.Fingerprint || len(after.Notices) != 1 ||
			!strings.HasPrefix(after.Notices[0], "This run is stored in this browser. It took ") {
			t.Errorf("opened again, the page shows %s and says %q; want %s", after.Fingerprint, after.Notices, before.Fingerprint)
		}
		if got := p.Text("String(JSON.parse(flockscope.state()).answers)"); got != "0" {
			t.Errorf("the engines have answered %s times", got)
		}
	})
}
