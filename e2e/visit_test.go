package e2e

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"

	"flockscope/wasm/site"
)

// visitScript notes when the moments of a visit come, in ms: "picture" is when a method's picture is drawn first after
// the poster has gone, "there" is when the run is complete. It also notes what moved until the picture was on screen.
const visitScript = `(() => {
	const visit = window.visit = { shifts: [] };
	const mark = (name) => {
		visit[name] = performance.now();
		performance.mark("visit " + name);
	};
	const look = () => (JSON.parse(flockscope.state()).done ? mark("there") : setTimeout(look, 20));
	let paint;
	Object.defineProperty(window, "flockscopePaint", {
		get: () => paint,
		set(f) {
			paint = Object.assign((canvas, ...rest) => {
				f(canvas, ...rest);
				if (visit.picture || !["map", "stage"].includes(canvas.dataset.figure) || !document.getElementById("poster").hidden) return;
				mark("picture");
				requestAnimationFrame(() => requestAnimationFrame(() => { visit.seen = performance.now(); })); // on screen
				setTimeout(look);
			}, f);
		},
	});
	new PerformanceObserver((list) => {
		for (const { sources, startTime } of list.getEntries()) {
			if (startTime > visit.seen) continue;
			for (const { node, previousRect: { x, y }, currentRect } of sources) {
				if (!node) continue; // inside a control: a slider's track grows around its middle when its preview comes
				visit.shifts.push([node.id || node.className || node.nodeName, x, y, "to", currentRect.x, currentRect.y].join(" "));
			}
		}
	}).observe({ type: "layout-shift", buffered: true });
})()`

// A visit is what visitScript noted.
type visit struct {
	Picture, There float64 // ms since the address was entered
	Shifts         []string
}

// visit opens the page and returns when the run is there.
func (p *Page) visit() (v visit) {
	p.t.Helper()
	p.Open("/")
	p.Until("window.visit && visit.there", patience)
	p.Eval("visit", &v)
	return v
}

// notesVisits has every page of the tab run visitScript.
func (c *chromiumPage) notesVisits() error {
	c.changed = true
	return c.do(c.tab, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument,
			page.AddScriptToEvaluateOnNewDocumentParams{Source: visitScript})
		return err
	}))
}

// throttle slows the network to a number of Mbit/s, and the page's thread by a factor.
func (c *chromiumPage) throttle(mbits, slowdown float64) error {
	c.changed = true
	return c.do(c.tab, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		bytes := mbits * 1e6 / 8
		_, err := cdp.Call(ctx, t, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
			MatchedNetworkConditions: []*network.Conditions{
				{Latency: 20, DownloadThroughput: bytes, UploadThroughput: bytes}}})
		if err == nil {
			_, err = cdp.Call(ctx, t, emulation.SetCPUThrottlingRate,
				emulation.SetCPUThrottlingRateParams{Rate: slowdown})
		}
		return err
	}))
}

// A traceEvent says that a moment of a visit has come, or that a function of WebAssembly was compiled.
type traceEvent struct {
	Name     string
	Pid, Tid int     // process and thread
	Ts       float64 // time in µs
}

// compiledBefore returns how many functions of WebAssembly the page's thread had compiled when a moment came. Each is
// compiled when it is called first, unless another thread has called it before.
func compiledBefore(moment string, events []traceEvent) (n int) {
	slices.SortFunc(events, func(a, b traceEvent) int { return cmp.Compare(a.Ts, b.Ts) })
	at := slices.IndexFunc(events, func(e traceEvent) bool { return e.Name == "visit "+moment })
	if at < 0 {
		return -1
	}
	for _, e := range events[:at] {
		if e.Name == "wasm.CompileBaseline" && e.Pid == events[at].Pid && e.Tid == events[at].Tid {
			n++
		}
	}
	return n
}

// trace returns what Chromium records while f runs.
func (c *chromiumPage) trace(f func()) (events []traceEvent, err error) {
	err = c.do(c.tab, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, tracing.Start, tracing.StartParams{TraceConfig: &tracing.TraceConfig{
			IncludedCategories: []string{"disabled-by-default-v8.wasm.detailed", "blink.user_timing"}}})
		return err
	}))
	if err != nil {
		return nil, err
	}
	f()
	listening, stop := context.WithTimeout(c.tab, limit)
	defer stop()
	complete := make(chan struct{})
	err = chromedp.Listen(listening, func(event any) {
		switch event := event.(type) {
		case *tracing.EventDataCollected:
			for _, value := range event.Value {
				var e traceEvent
				if json.Unmarshal(value, &e) == nil {
					events = append(events, e)
				}
			}
		case *tracing.EventTracingComplete:
			close(complete)
		}
	})
	if err == nil {
		err = c.do(c.tab, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, tracing.End, cdp.Empty{})
			return err
		}))
	}
	if err != nil {
		return nil, err
	}
	select {
	case <-complete:
		return events, nil
	case <-listening.Done():
		return nil, listening.Err()
	}
}

// maxCompiled is how many functions the page may compile before its first picture: a tenth more than it does. Where
// more are needed, look for what only a sheet, a sweep or another experiment calls.
const maxCompiled = 2350

// Little of the program is compiled before the first picture.
func TestFirstVisit(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		c := p.browser.(*chromiumPage)
		p.must("noting visits", c.notesVisits())
		events, err := c.trace(func() { p.visit() })
		p.must("tracing", err)
		if n := compiledBefore("picture", events); n < 500 || n > maxCompiled {
			t.Errorf("the page compiled %d functions before its first picture, want at most %d", n, maxCompiled)
		} else {
			t.Logf("%d functions are compiled before the first picture", n)
		}
	})
}

// From the poster to the first picture nothing jumps, and what the page will be is not seen before it has something to
// show.
func TestNothingJumps(t *testing.T) {
	InChromium(t, func(t *testing.T, p *Page) {
		p.must("noting visits", p.browser.(*chromiumPage).notesVisits())
		arrives := p.withhold()
		for _, size := range firstStates(2, [][2]int{{1280, 800}, {390, 844}, {1440, 900}, {360, 640}, {844, 390}}) {
			p.Viewport(size[0], size[1])
			p.Open("/")
			p.Until("document.querySelector('#first input')", patience)
			p.Eval("visit.shifts.length = 0", nil)
			p.Eval(`new MutationObserver(() => {
				const app = document.getElementById("flockscope"), poster = document.getElementById("poster");
				if (app && !poster.hidden && app.checkVisibility({ visibilityProperty: true })) visit.shifts.push("the page is seen before its data");
			}).observe(document.body, { subtree: true, childList: true, attributes: true }), 0`, nil)
			if size[0] == 1280 {
				close(arrives)
			}
			p.Until("visit.seen", patience)
			p.Drawn()
			var v visit
			p.Eval("visit", &v)
			if len(v.Shifts) > 0 {
				t.Errorf("%v: %q", size, v.Shifts)
			}
		}
	})
}

// FLOCKSCOPE_VISITS compares first visits of several built sites, such as FLOCKSCOPE_VISITS=before:after, with 10 Mbit/s
// and a processor slowed four times. The visits alternate, so that what else the machine does affects all alike.
func TestCompareVisits(t *testing.T) {
	sites := filepath.SplitList(os.Getenv("FLOCKSCOPE_VISITS"))
	if len(sites) == 0 {
		t.Skip("FLOCKSCOPE_VISITS names no sites")
	}
	const loads = 5
	for _, slow := range []bool{false, true} {
		var picture, there = make([]spread, len(sites)), make([]spread, len(sites))
		for range loads {
			for i, dir := range sites {
				t.Run(dir, func(t *testing.T) {
					p := newPage(t, newChromiumPage(t))
					p.Serve(site.Handler(dir))
					c := p.browser.(*chromiumPage)
					p.must("noting visits", c.notesVisits())
					if slow {
						p.must("throttling", c.throttle(10, 4))
					}
					v := p.visit()
					picture[i], there[i] = append(picture[i], v.Picture), append(there[i], v.There)
				})
			}
		}
		for i, dir := range sites {
			t.Logf("slowed: %v, %s: first picture %.0f ms, run there %.0f ms; least %.0f and %.0f", slow, dir,
				picture[i].median(), there[i].median(), slices.Min(picture[i]), slices.Min(there[i]))
		}
	}
}
