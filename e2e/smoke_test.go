package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// started is true once the page has heard from its engine, or that there is none.
const started = "(s => s.engine || s.problem)(JSON.parse(flockscope.state()))"

// patience is enough for a slow machine to load and compile the program.
const patience = 30 * time.Second

// Whatever the engine runs in, it computes what the command line computes.
func TestEngineStarts(t *testing.T) {
	tests := []struct{ name, query, want string }{
		{"chain", "", "worker"},
		{"worker", "engine=worker&", "worker"},
		{"blob", "engine=blob&", "blob worker"},
		{"main thread", "engine=main&", "main thread"},
	}
	InBrowsers(t, func(t *testing.T, p *Page) {
		for i, tt := range tests {
			// Each has a run of its own, since a run that took long is stored, and not computed again.
			query := fmt.Sprintf("algos=clove,cflgp&C=24&b=20&dphi=8&T=%d&t=30", 60+i)
			want := native(t, query)
			got := p.Run("?" + tt.query + query)
			if got.Engine != tt.want || got.Problem != "" || prints(got) != want || got.Shown != 30 {
				t.Errorf("%s: state() = %+v, want engine %q and the lanes %s", tt.name, got, tt.want, want)
			}
			if strings.Contains(got.Query, "engine") {
				t.Errorf("%s: the link %q carries the engine", tt.name, got.Query)
			}
			p.Until("document.getElementById('poster').hidden", patience)
			if p.Text("document.getElementById('why').hidden") != "true" {
				t.Errorf("%s: the page excuses itself: %s", tt.name,
					p.Text("document.getElementById('why').textContent"))
			}
		}
		// The last one, on the page's own thread, leaves room for the page.
		p.Viewport(1440, 900)
		p.Focus("#play")
		p.Key("Enter")
		p.When("s.playing && s.shown > 30")
		p.Focus(".side input[data-slide=C]")
		p.Key("ArrowRight")
		p.When(complete + " && s.clients === 25")
	})
}
