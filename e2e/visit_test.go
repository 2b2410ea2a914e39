package e2e

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"

	"flockscope/wasm/site"
)

// visitMarks notes when the moments of a visit come: "picture" is the first picture of the
// map after the poster has gone, "there" is when the run is complete. It sums what moves.
const visitMarks = `(() => {
	const visit = window.visit = { shifts: [] };
	const mark = (name) => {
		if (visit[name]) return;
		visit[name] = performance.now();
		performance.mark("visit " + name);
	};
	const look = () => (JSON.parse(flockscope.state()).done ? mark("there") : setTimeout(look, 20));
	new MutationObserver((list) => { for (const m of list) {
		const t = m.type === "attributes" ? m.target.id + " hidden" : [...m.addedNodes].map((n) => "+" + n.id).join("") + [...m.removedNodes].map((n) => "-" + n.id).join("");
		if (/poster|first|flockscope/.test(t) && !/hidden/.test(t) || /poster hidden/.test(t)) visit.shifts.push(t + " " + performance.now());
	} }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["hidden"] });
	let paint;
	Object.defineProperty(window, "flockscopePaint", {
		configurable: true,
		get: () => paint,
		set(f) {
			paint = Object.assign((canvas, ...rest) => {
				f(canvas, ...rest);
				if (!["map", "stage"].includes(canvas.dataset.figure) || !document.getElementById("poster").hidden || visit.picture) return;
				mark("picture");
				setTimeout(look);
			}, f);
		},
	});
	new PerformanceObserver((list) => {
		for (const { value, startTime, sources } of list.getEntries()) {
			visit.shifts.push([value, startTime, ...sources.map(({ node, previousRect: a, currentRect: b }) =>
				(node?.id || node?.className?.baseVal || node?.className || node?.nodeName) + " " + [a.x, a.y, a.width, a.height, "to", b.x, b.y, b.width, b.height].map((v) => Math.round(v) || v).join(" "))].join("; "));
		}
	}).observe({ type: "layout-shift", buffered: true });
})()`

// A visit is what happened when the page was opened.
type visit struct {
	Picture, There float64 // ms since the address was entered
	Shifts         []string
	compiled       []int   // functions that the page's thread compiled before the picture, in that order
	spent          float64 // ms in which it did
	elsewhere      int     // those that other threads compiled
}

// throttle slows the network, in Mbit/s, and the processor, by a factor.
func (c *chromiumPage) throttle(mbits, slowdown float64) error {
	c.changed = true
	return c.do(c.tab, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		if _, err := cdp.Call(ctx, t, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
			MatchedNetworkConditions: []*network.Conditions{{DownloadThroughput: mbits * 1e6 / 8, UploadThroughput: mbits * 1e6 / 8, Latency: 20}},
		}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, t, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: slowdown})
		return err
	}))
}

// markVisits has every page of the tab note the moments of a visit.
func (c *chromiumPage) markVisits() error {
	c.changed = true
	return c.do(c.tab, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument,
			page.AddScriptToEvaluateOnNewDocumentParams{Source: visitMarks})
		return err
	}))
}

// traceEvent is one event of a trace: that a moment of a visit came, or that a function of
// WebAssembly was compiled. ts and dur are in µs.
type traceEvent struct {
	Name     string `json:"name"`
	Pid, Tid int    // of the process and the thread
	Ts, Dur  float64
	Args     struct {
		Function int `json:"funcIndex"`
	} `json:"args"`
}

// traced opens the page while Chromium records which functions of WebAssembly it compiles.
func (p *Page) traced(open func()) visit {
	p.t.Helper()
	c := p.browser.(*chromiumPage)
	p.must("starting a trace", c.do(c.tab, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, tracing.Start, tracing.StartParams{TraceConfig: &tracing.TraceConfig{
			IncludedCategories: []string{"disabled-by-default-v8.wasm.detailed", "blink.user_timing", os.Getenv("FLOCKSCOPE_CATS")}}})
		return err
	})))
	open()
	events := []traceEvent{}
	var raw []string
	heard, stop := context.WithCancel(c.tab)
	defer stop()
	complete := make(chan struct{})
	p.must("reading a trace", chromedp.Listen(heard, func(event any) {
		switch event := event.(type) {
		case *tracing.EventDataCollected:
			for _, value := range event.Value {
				raw = append(raw, string(value))
				var e traceEvent
				if json.Unmarshal(value, &e) == nil {

					events = append(events, e)
				}
			}
		case *tracing.EventTracingComplete:
			close(complete)
		}
	}))
	p.must("ending a trace", c.do(c.tab, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, tracing.End, cdp.Empty{})
		return err
	})))
	<-complete
	saveTrace(raw)
	return visitOf(events)
}

// visitOf counts what was compiled before the first picture.
func visitOf(events []traceEvent) (v visit) {
	slices.SortFunc(events, func(a, b traceEvent) int { return cmp.Compare(a.Ts, b.Ts) })
	at := slices.IndexFunc(events, func(e traceEvent) bool { return e.Name == "visit picture" })
	if at < 0 {
		return v
	}
	picture := events[at]
	for _, e := range events[:at] {
		switch {
		case e.Name != "wasm.CompileBaseline" || e.Pid != picture.Pid:
		case e.Tid == picture.Tid:
			v.compiled = append(v.compiled, e.Args.Function)
			v.spent += e.Dur / 1000
		default:
			v.elsewhere++
		}
	}
	return v
}

// visits opens the page in a tab of its own that has never been there, and returns when
// the run is there.
func (p *Page) visits() (v visit) {
	p.t.Helper()
	p.Open("/")
	p.Until("window.visit && visit.there", patience)
	p.Eval("visit", &v)
	return v
}

func TestVisitBench(t *testing.T) {
	sites := filepath.SplitList(os.Getenv("FLOCKSCOPE_VISITS"))
	if len(sites) == 0 {
		t.Skip()
	}
	rounds := 3
	fmt.Sscan(os.Getenv("FLOCKSCOPE_ROUNDS"), &rounds)
	type row struct{ picture, there, cpu []float64 }
	rows := map[string]*row{}
	for round := range rounds + 1 {
		for _, dir := range sites {
			for _, slow := range []bool{false, true} {
				if slow && round == 0 {
					continue
				}
				name := fmt.Sprint(dir, slow)
				t.Run(name, func(t *testing.T) {
					p := newPage(t, newChromiumPage(t))
					c := p.browser.(*chromiumPage)
					p.Serve(site.Handler(dir))
					p.must("marking", c.markVisits())
					if slow {
						p.must("throttling", c.throttle(10, 4))
					}
					if round == 0 {
						v := p.traced(func() { p.visits() })
						t.Logf("%d functions (%d unique) in %.0f ms, %d elsewhere", len(v.compiled), len(slices.Compact(slices.Sorted(slices.Values(v.compiled)))), v.spent, v.elsewhere)
						listFunctions(t, dir, v.compiled)
						return
					}
					v := p.visits()
					r := rows[name]
					if r == nil {
						r = &row{}
						rows[name] = r
					}
					r.picture = append(r.picture, v.Picture)
					r.there = append(r.there, v.There)
					r.cpu = append(r.cpu, c.processTime(t))
					t.Logf("picture %.0f there %.0f cpu %.0f shifts %q", v.Picture, v.There, r.cpu[len(r.cpu)-1], v.Shifts)
				})
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		r := rows[name]
		t.Logf("%s: picture %.0f there %.0f cpu %.0f", name, median(r.picture), median(r.there), median(r.cpu))
	}
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}

func (c *chromiumPage) processTime(t *testing.T) float64 {
	metrics, err := chromedp.Run(c.tab, func(ctx context.Context, t *chromedp.Target) (float64, error) {
		r, err := cdp.Call(ctx, t, performance.GetMetrics, cdp.Empty{})
		if err != nil {
			return 0, err
		}
		for _, m := range r.Metrics {
			if m.Name == "ProcessTime" {
				return m.Value, nil
			}
		}
		return 0, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return metrics * 1000
}

func listFunctions(t *testing.T, dir string, compiled []int) {
	names, err := os.ReadFile(filepath.Join(dir, "names.txt"))
	if err != nil {
		t.Log(err)
		return
	}
	lines := map[int]string{}
	for line := range strings.Lines(string(names)) {
		var entry int
		var name string
		fmt.Sscanf(line, "%x %s", &entry, &name)
		lines[entry>>16-0x1000] = name
	}
	var b strings.Builder
	for _, f := range compiled {
		name := lines[f]
		fmt.Fprintln(&b, f, name)
	}
	os.WriteFile(filepath.Clean(dir)+".functions", []byte(b.String()), 0o644)
}

func debugEvents(events []traceEvent) {
	n := map[string]int{}
	for _, e := range events {
		n[e.Name]++
	}
	fmt.Println(n)
}

func saveTrace(raw []string) {
	if at := os.Getenv("FLOCKSCOPE_TRACE"); at != "" {
		os.WriteFile(at, []byte("["+strings.Join(raw, ",\n")+"]"), 0o644)
	}
}
