package e2e

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// The button changes the language of the page and nothing else, and back.
func TestLanguage(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.Viewport(1440, 900)
		before := p.Run("?t=14&dphi=25")
		const lang, heading = "document.documentElement.lang", "document.querySelector('#told p').textContent"
		if got := p.Text(lang + " + " + heading); got != "enRound 14" {
			t.Errorf("the page begins with %q, want English", got)
		}
		p.Click("#language")
		p.Until(lang+" === 'zh-Hans' && "+heading+" === '第 14 轮'", patience)
		p.Until("document.querySelector('#new-seeds').textContent === '换种子' && document.querySelector('#rewind').ariaLabel === '回到开头'", patience)
		if after := p.State(); after.Config != before.Config || after.Shown != 14 || prints(after) != prints(before) ||
			!strings.Contains(after.Query, "lang=zh") {
			t.Errorf("in Chinese the page is at %s, before at %s", after.Query, before.Query)
		}
		p.Key("ArrowRight") // texts that follow the round follow it in Chinese
		p.Until(heading+" === '第 15 轮'", patience)
		p.Click("#language")
		p.Until(lang+" === 'en' && "+heading+" === 'Round 15'", patience)

		// A link in Chinese opens in Chinese, also in what figures write, which are
		// drawn before the table is there.
		const events = "document.querySelector('.scrub canvas').toDataURL()"
		p.Run("?t=14")
		p.Drawn()
		p.Eval("sessionStorage.setItem('events', "+events+")", nil)
		p.Run("?t=14&lang=zh")
		p.Until(heading+" === '第 14 轮'", patience)
		p.Until(events+" !== sessionStorage.getItem('events')", patience)

		// Tags of languages as other programs write them.
		for tag, want := range map[string]string{"zh-CN": "zh-Hans", "zh_CN": "zh-Hans", "zh-Hans": "zh-Hans", "en-GB": "en"} {
			p.Run("?t=14&embed=1&lang=" + tag)
			p.Until(lang+" === '"+want+"'", patience)
			if got := p.Text(noticed); got != "" {
				t.Errorf("lang=%s: the page says %q", tag, got)
			}
		}
	})
}

// noticed is the text of all notices. On a slow machine any run may be one that was stored, which is noticed too.
const noticed = `[...document.querySelectorAll(".notice")].map((n) => n.innerText)
	.filter((text) => !/stored in this browser|存储在本浏览器中/.test(text)).join("\n")`

// Chinese finds its place on all screens too.
func TestChineseScreens(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		p.Run("?t=14&lang=zh")
		p.Until("document.documentElement.lang === 'zh-Hans'", patience)
		for _, screen := range screens {
			p.Viewport(screen.width, screen.height)
			p.Drawn()
			p.audit(screen.name + " in Chinese")
			p.Shot("chinese-" + screen.name)
		}
	})
}

// Without its table the page stays English, and says so.
func TestNoTable(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		p.AllowProblem("404")
		p.Serve(changed("/assets/zh.txt", func(a *httptest.ResponseRecorder) { a.Code = http.StatusNotFound }))
		p.Run("?t=14&lang=zh")
		p.Until("document.querySelector('.notices').innerText.includes('The Chinese texts could not be loaded')",
			patience)
	})
}
