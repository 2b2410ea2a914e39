package e2e

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// A link that asks for what cannot be is opened all the same, with defaults
// and a word about it. Its text is never a part of the page.
func TestBadLinks(t *testing.T) {
	const hostile = `<img src=x onerror=hacked()>`
	evil := url.QueryEscape(hostile)
	const usual = "data=linreg&algos=cflgp,ifca"
	tests := []struct {
		query   string
		notices []string // parts of the notices, in order
		config  string
	}{
		{"dphi=900&xyz=1&sigmo=0.1&" + evil + "=1&init=" + evil + "&cflgp:" + evil + ".beta=1&T=%zz&b&algos=icfa", []string{
			`query: got "T=%zz", want key=value`, `query: got "b", want key=value`,
			`algos: got "icfa"`, `did you mean "ifca"?). The default is used instead.`,
			`dphi: got "900", want a number from 0 to 80. The default is used instead.`,
			`This link has unknown settings: xyz, sigmo (did you mean "sigma"?), <img src=x onerror=hacked()>,`,
			`init: got "<img src=x onerror=hacked()>", want a number from 0 to 10. The default is used instead.`,
			"cflgp:<img src=x onerror=hacked()>.beta (there is no method",
		}, usual},
		{"K=20&C=5&data=" + evil + "&algos=cflgp,ifca:" + evil, []string{
			`data: got "<img src=x onerror=hacked()>", want one of`, "a label is one to sixteen of a-z",
			`K: got "20", want at most C = 5 (more models than clients). The default is used instead.`,
		}, "data=linreg&C=5&algos=cflgp,ifca"},
		{"dphi=5&" + strings.Repeat("a", 17000), []string{"at most 16384 characters"}, usual},
	}
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.AllowProblem("HTTP Referrer header") // of Firefox, for the longest link
		for _, tt := range tests {
			s := p.Run("?" + tt.query)
			what := tt.query[:min(len(tt.query), 60)]
			if s.Config != tt.config || s.Problem != "" || len(s.Lanes) != 2 {
				t.Errorf("%s runs %q, want %q", what, s.Config, tt.config)
			}
			shown := p.Text(notices)
			for _, want := range tt.notices {
				if got := strings.Join(s.Notices, "|"); !strings.Contains(got, want) {
					t.Errorf("%s is noticed as %q, want %q in it", what, got, want)
				}
				if !strings.Contains(shown, want) {
					t.Errorf("%s shows %q, want %q in it", what, shown, want)
				}
			}
			if got := p.Text("document.querySelectorAll('#flockscope img, #flockscope script').length + typeof window.hacked"); got != "0undefined" {
				t.Errorf("%s made its way into the page: %s", what, got)
			}
			// A notice is dismissed, and does not come back.
			left := len(s.Notices)
			p.Click(".notice button")
			p.When(fmt.Sprintf("s.notices.length === %d", left-1))
			p.Until(fmt.Sprintf("document.querySelectorAll('.notice').length === %d", left-1), patience)
		}
		p.Drawn()
		if got := p.Text(noticed); got != "" {
			t.Errorf("with all notices dismissed, there is still %q", got)
		}
	})
}

// What a link says of the view is what the page shows, and links to again.
func TestViewLinks(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		const query = "data=linreg&dphi=8&algos=cflgp,clove&t=14&lane=2&sel=3&view=losses&curve=loss&theme=dark&speed=2&zoom=1&scent=0"
		s := p.Run("?" + query)
		if s.Query != query {
			t.Errorf("the link %q is %q again", query, s.Query)
		}
		if s.Round != 14 || s.Shown != 14 || s.Lane != 1 || s.Selected != 2 || s.Tab != "losses" || s.Theme != "dark" ||
			s.Playing {
			t.Errorf("the link shows %+v", s)
		}
		for _, expression := range []string{
			"document.querySelector('#speed').value === '2×'",
			"document.querySelector('[data-metric=loss]').getAttribute('aria-pressed') === 'true'",
			"document.querySelectorAll('.lane')[1].classList.contains('focus')",
			"document.querySelector('#client h3').textContent.startsWith('Client 3')",
			"document.querySelector('#set-dphi').value === '8'",
			"document.querySelector('#round').textContent === '14'",
		} {
			p.Until(expression, patience)
		}
	})
}

// Links of other kinds: a state behind a #, from before there were queries,
// is taken and the address put right; an anchor behind a query is no part of it.
func TestOldLinks(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		const usual = "dphi=8&algos=cflgp,clove&t=14"
		s := p.Run("?" + usual)
		for _, address := range []string{"?theme=light&" + usual + "#top", "#" + usual} {
			got := p.Run(address)
			if got.Config != s.Config || got.Fingerprint != s.Fingerprint || got.Round != 14 || got.Playing {
				t.Errorf("%s runs %q at round %d, playing: %v; want %q at 14", address, got.Config, got.Round,
					got.Playing, s.Config)
			}
		}
		p.Until("location.hash === '' && new URLSearchParams(location.search).get('dphi') === '8'", patience)
	})
}

// The address follows the page without filling the browser's history.
func TestHistory(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		p.Run("?theme=light")
		p.Run("?t=5")
		const length = "history.length"
		before := p.Text(length)
		p.Focus(gapSlider)
		for range 5 {
			p.Key("ArrowRight")
		}
		p.When(complete + " && s.config.includes('dphi=22.5')")
		p.Click("#step")
		p.Click("#step")
		p.Click("[data-metric=loss]")
		p.Until("location.search === '?' + JSON.parse(flockscope.state()).query && location.search.includes('dphi=22.5') && location.search.includes('t=7')", patience)
		if got := p.Text(length); got != before {
			t.Errorf("the history grew from %s to %s", before, got)
		}
		// It does not wait until a run has been played.
		p.Choose("#speed", "0.25×")
		p.Click("#play")
		p.When("s.playing")
		p.Focus(gapSlider)
		p.Key("ArrowRight")
		p.Until("location.search.includes('dphi=23') && JSON.parse(flockscope.state()).playing", patience)
		p.Eval("void setTimeout(() => history.back())", nil)
		p.Until("location.search.includes('theme=light') && "+started, patience)
	})
}
