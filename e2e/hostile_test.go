package e2e

import (
	"encoding/json"
	"net/url"
	"testing"
)

// hostileValues are expressions of one value of each kind that JavaScript has and, as far
// as the browser copies it, a message may bring; and of some that are very large.
const hostileValues = `[
	"undefined", "null", "true", "0", "-0", "NaN", "Infinity", "-1e308", "2 ** 53", "1.5", "1n", "-(2n ** 80n)", "Object(1n)",
	"''", "'slide:start'", "'\\ud800'", "'\\0'", "'x'.repeat(1 << 26)", "Symbol('s')", "() => 1", "class {}",
	"({})", "[]", "[1n, [2n, [{ a: 3n }]]]", "({ a: { b: { c: 1n } } })", "new Array(1e6)", "new Map([[1n, { a: 1n }]])", "new Set([1n])",
	"new Date(NaN)", "/x/g", "new Uint8Array(1 << 24)", "new BigInt64Array(3)", "new ArrayBuffer(8)", "new DataView(new ArrayBuffer(8))", "Object.create(null)",
	"Object.assign(Object.create(null), { dphi: 8n })", "new String('x'.repeat(1 << 22))", "new Number(3)", "new Boolean(false)",
	"new Error('e')", "(x => x.self = x)({})", "(x => (x.push(x), x))([])", "deep(3000)", "({ toString: 1, valueOf: 2 })",
	"({ toString: () => '8' })", "({ valueOf: () => 8 })", "({ get dphi() { return 8n } })", "({ get dphi() { throw 1n } })", "new Proxy({}, {})",
	"({ __proto__: { dphi: 1n }, own: 2 })", "JSON.parse('{\"__proto__\": 5, \"constructor\": 6}')",
	"Object.fromEntries(Array.from({ length: 5000 }, (_, i) => ['k' + i, i]))", "({ ['x'.repeat(1 << 22)]: 1 })", "window", "document.body",
	"new Blob(['x'])", "new DOMRect(1, 2, 3, 4)", "new URLSearchParams('dphi=8')", "Promise.resolve(1)"
]`

// hostileMessages are the places in a message at which such a value may stand.
const hostileMessages = `[
	(v) => v, (v) => [v], (v) => ({ type: v }), (v) => ({ type: "flockscope/set", params: v }), (v) => ({ type: "flockscope/set", params: { dphi: v } }),
	(v) => ({ type: "flockscope/set", params: { algos: v, T: v, t: v, sel: v } }), (v) => ({ type: "flockscope/seek", t: v }),
	(v) => ({ type: "flockscope/step", by: v }), (v) => ({ type: "flockscope/export", format: v, figure: v, lane: v }),
	(v) => ({ type: "flockscope/export", format: "csv", figure: v, lane: v }), (v) => ({ type: "flockscope/get", id: v, params: v }),
	(v) => new String(v), (v) => new Map([["type", v]])
]`

// Whatever the page around sends, the page in the frame goes on: after each message it
// answers a question, and in the end it makes a step.
func TestHostileMessages(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		host, frame := p.listener("?embed=1&T=20", "", false)
		p.Open(host)
		p.heard(finished)
		p.Eval(`void (async () => {
			window.deep = (n) => { let v = 1n; while (n-- > 0) v = [v]; return v };
			const answered = () => new Promise((done) => addEventListener("message", function hear(e) {
				if (e.data.type !== "flockscope/state") return;
				removeEventListener("message", hear);
				done();
			}));
			window.sent = 0;
			for (const expression of `+hostileValues+`) {
				for (const message of `+hostileMessages+`) {
					window.under = [expression, message];
					try {
						say(message((0, eval)("(" + expression + ")")));
						window.sent++;
					} catch {} // it cannot be copied, so it never leaves
					const answer = answered();
					say({ type: "flockscope/get" });
					await answer;
					heard.length = 0;
				}
			}
			window.survived = true;
		})()`, nil)
		defer func() {
			if t.Failed() {
				t.Logf("the last message is %s", p.Text("String(window.under)"))
			}
		}()
		p.Until("window.survived", 3*patience)
		if n := p.Text("String(sent > 500)"); n != "true" {
			t.Errorf("only %s messages could be sent", p.Text("String(sent)"))
		}
		p.Eval(`say({ type: "flockscope/pause" }), say({ type: "flockscope/set", params: { dphi: 8, T: 30, t: 14, algos: "cflgp,ifca" } })`, nil)
		p.heard("m.type === 'flockscope/state' && m.done && m.round === 14 && m.rounds === 30")
		p.Eval(`heard.length = 0, say({ type: "flockscope/step", by: -4 })`, nil)
		p.heard("m.type === 'flockscope/round' && m.t === 10")
		p.EnterFrame(frame)
		if s := p.State(); s.Problem != "" {
			t.Errorf("in the end the page says %s", s.Problem)
		}
	})
}

// A panic in a callback ends that call alone: the page around hears of it, the console
// has it, and the page goes on. Nor do events that a script makes up end it.
func TestPanicsAreCaught(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.AllowProblem("Flockscope caught a panic")
		host, frame := p.listener("?embed=1&T=20", "", false)
		p.Open(host)
		p.heard(finished)
		p.EnterFrame(frame)
		// A pointer event has places, and one that a script makes up of a plain event has none.
		p.Eval(`void document.querySelector("canvas").dispatchEvent(new Event("pointerdown", { bubbles: true }))`, nil)
		p.LeaveFrame()
		m := p.heard("m.type === 'flockscope/error' && m.about === 'page'")
		if text, _ := json.Marshal(m["message"]); len(text) < 20 {
			t.Errorf("the panic is told as %s", text)
		}
		p.EnterFrame(frame)
		p.Eval(`(() => {
			const kinds = ["input", "change", "keydown", "pointerdown", "mousedown", "click", "pointermove", "pointerup", "pointercancel", "pointerleave",
				"focusin", "focusout", "scroll", "dragover", "dragleave", "drop", "cancel", "contextrestored", "visibilitychange", "message", "popstate",
				"online", "offline", "beforeprint", "afterprint", "securitypolicyviolation"];
			const places = [window, document, document.documentElement, ...document.querySelectorAll("canvas, input, select, button, svg, #sheet")];
			for (const kind of kinds) {
				for (const place of places) {
					for (const bubbles of [true, false]) {
						place.dispatchEvent(new Event(kind, { bubbles, cancelable: true }));
						place.dispatchEvent(new CustomEvent(kind, { bubbles, detail: 1n }));
						place.dispatchEvent(new MessageEvent(kind, { bubbles, data: 1n, source: parent }));
					}
				}
			}
			return 1;
		})()`, nil)
		p.LeaveFrame()
		p.Eval(`heard.length = 0, say({ type: "flockscope/pause" }), say({ type: "flockscope/set", params: { T: 25, t: 12 } })`, nil)
		p.heard("m.type === 'flockscope/state' && m.done && m.round === 12 && m.rounds === 25")
		p.Eval(`heard.length = 0, say({ type: "flockscope/step" })`, nil)
		p.heard("m.type === 'flockscope/round' && m.t === 13")
	})
}

// An address that names an origin which is none to the browser ends nothing.
func TestStrangeOrigins(t *testing.T) {
	InBrowsers(t, func(t *testing.T, p *Page) {
		p.AllowProblem("target origin") // Chromium
		p.AllowProblem("postMessage")   // Firefox
		for _, origin := range []string{"https://a:99999", "https://a^b", "https://[::g]", "https://a b", "https://%25",
			"https://xn--a"} {
			host, frame := p.listener("?embed=1&T=20&origin="+url.QueryEscape(origin), "", false)
			p.Open(host)
			p.EnterFrame(frame)
			p.When(complete)
			p.LeaveFrame()
		}
	})
}
