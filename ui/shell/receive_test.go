package shell

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/ui/chart"
	"flockscope/ui/chart/figures"
	"flockscope/ui/page"
	"flockscope/ui/testing/pagetest"
)

func TestOpenFile(t *testing.T) {
	a, p := ready(t, "T=30&K=2")
	before := a.Config.String()
	a.Do(page.OpenFiles{Files: []wire.NamedFile{{Name: "a.csv", Data: []byte("one")}}})
	if !slices.Equal(p.Files, []string{"one"}) || a.Config.String() != before {
		t.Errorf("a file was opened: sent %q, settings %q", p.Files, a.Config.String())
	}
	p.SendText(pagetest.AboutFiles, wire.Accepted, "csv 4 rows of 3 clients")
	if a.Files.Names().String() != "a.csv" || a.Files.Words().String() != "4 rows of 3 clients" ||
		a.Config.String() != "data=csv&T=30&K=2&algos=cflgp,ifca" || p.Last().Query != a.Config.String() {
		t.Errorf("taken, the file is %q (%q), the settings %q, asked for %q", a.Files.Names(), a.Files.Words(),
			a.Config.String(), p.Last().Query)
	}
	p.Finish()
	if got := (&Panel{App: a}).fileWords(); got != "a.csv: 4 rows of 3 clients." {
		t.Errorf("the panel says %q", got)
	}

	// A broken one changes nothing.
	asked := len(p.Requests)
	a.Do(page.OpenFiles{Files: []wire.NamedFile{{Name: "b.csv", Data: []byte("two")}}})
	p.SendText(pagetest.AboutFiles, wire.Refused, "b.csv: line 3: no number")
	if a.Files.Names().String() != "a.csv" || len(p.Requests) != asked ||
		!slices.Equal(noticed(a), []string{"b.csv: line 3: no number. Nothing was changed."}) {
		t.Errorf("a broken file leaves %q, %d more requests, notices %q", a.Files.Names(), len(p.Requests)-asked,
			noticed(a))
	}

	// Another file under the same settings is another run.
	a.Do(page.OpenFiles{Files: []wire.NamedFile{{Name: "c.csv", Data: []byte("three")}}})
	p.SendText(pagetest.AboutFiles, wire.Accepted, "csv 5 rows of 3 clients")
	if len(p.Requests) != asked+1 || a.Files.Names().String() != "c.csv" {
		t.Errorf("another file asks for %d runs, want 1", len(p.Requests)-asked)
	}
	// Answers that nobody waits for mean nothing.
	p.SendText(pagetest.AboutFiles, wire.Accepted, "csv 7 rows")
	p.SendText(pagetest.AboutFiles, wire.Refused, "no")
	if a.Files.Words().String() != "5 rows of 3 clients" || len(noticed(a)) > 0 {
		t.Errorf("an answer without a question changed the file to %q", a.Files.Words())
	}
}

// Without a file there is nothing to run, and nothing is asked for.
func TestNoFile(t *testing.T) {
	a, p := open(t, "data=csv")
	if len(p.Requests) != 0 || !strings.HasPrefix((&Panel{App: a}).fileWords(), "No file yet.") {
		t.Errorf("without a file the page asks for %q and says %q", p.Queries(), (&Panel{App: a}).fileWords())
	}
	set(t, a, "data", "linreg")
	p.Finish()
	if a.Run == nil {
		t.Error("back at linreg there is no run")
	}
	set(t, a, "data", "csv")
	if n := len(p.Requests); n != 1 {
		t.Errorf("without a file, %d runs are asked for", n)
	}
}

// Bytes that no engine sends end in words, never in a panic.
func TestForeignMessages(t *testing.T) {
	h := func(p *pagetest.Engines) []byte { return trace.AppendHeader(nil, p.Header(p.Last().Query)) }
	tests := []struct {
		name string
		send func(p *pagetest.Engines)
		fine bool // it is passed over
	}{
		{"nothing", func(p *pagetest.Engines) { p.Do(page.EngineAnswered{How: "a test", Message: nil}) }, false},
		{"three bytes", func(p *pagetest.Engines) { p.Do(page.EngineAnswered{How: "a test", Message: []byte{1, 2, 3}}) }, false},
		{"a length beyond the end", func(p *pagetest.Engines) {
			p.Do(page.EngineAnswered{How: "a test", Message: []byte{1, 0, 0, 0, byte(wire.Begin), 255, 255, 255, 255}})
		}, false},
		{"no records", func(p *pagetest.Engines) { p.SendMessage(p.Last().ID, func(*wire.Message) {}) }, true},
		{"a kind of the future", func(p *pagetest.Engines) { p.SendText(p.Last().ID, 200, "x") }, true},
		{"another run's", func(p *pagetest.Engines) { p.SendText(p.Last().ID+1, wire.Begin, "x") }, true},
		{"an empty header", func(p *pagetest.Engines) { p.SendText(p.Last().ID, wire.Begin, "") }, false},
		{"half a header", func(p *pagetest.Engines) { p.SendText(p.Last().ID, wire.Begin, string(h(p)[:20])) }, false},
		{"a frame of no lane", func(p *pagetest.Engines) { p.SendText(p.Last().ID, wire.Frame, "\x07rest") }, false},
		{"an empty frame", func(p *pagetest.Engines) { p.SendText(p.Last().ID, wire.Frame, "") }, false},
		{"half a frame", func(p *pagetest.Engines) { p.SendText(p.Last().ID, wire.Frame, "\x00\x01\x02") }, false},
		{"an end of no lane", func(p *pagetest.Engines) { p.SendText(p.Last().ID, wire.End, "\x07") }, false},
		{"an empty end", func(p *pagetest.Engines) { p.SendText(p.Last().ID, wire.End, "") }, false},
		{"half an end", func(p *pagetest.Engines) { p.SendText(p.Last().ID, wire.End, "\x00\x01") }, false},
		{"an early done", func(p *pagetest.Engines) { p.SendText(p.Last().ID, wire.Done, "") }, true},
	}
	for _, tt := range tests {
		for _, started := range []bool{false, true} {
			a, p := open(t, "T=5")
			if started {
				p.Rounds(p.Last(), -1, 2)
			}
			tt.send(p)
			if (a.Problem == "") != tt.fine {
				t.Errorf("%s (started: %v): the problem is %q", tt.name, started, a.Problem)
			}
			rendered(t, a)
		}
	}
}

// The start of a slow run, which has no losses and scores yet, is shown without any "NaN".
func TestDrawStart(t *testing.T) {
	for _, algos := range []string{"cflgp,ifca,clove,fedavg", "fedem,hcflplus,local,fedproto"} {
		a, p := open(t, "data=digits&T=12&algos="+algos)
		h := p.Header(p.Last().Query)
		p.SendMessage(p.Last().ID, func(m *wire.Message) {
			m.Record(wire.Begin, func(dst []byte) []byte { return trace.AppendHeader(dst, h) })
			for lane := range h.Lanes {
				m.Record(wire.Start, func(dst []byte) []byte {
					return trace.AppendFrame(append(dst, byte(lane)), p.StartFrame(h, lane))
				})
			}
		})
		if a.Run == nil {
			t.Fatal("the start is not on screen")
		}
		a.Do(page.SelectClient{Client: 1})
		painter := page.NewPainter(a.State)
		var hits chart.Hits
		for _, k := range figures.Kinds() {
			for lane := range h.Lanes {
				list := painter.Draw(k.Name, lane, chart.Box{W: 400, H: 300}, &hits)
				if text := a.Describe(k.Name, lane); bytes.Contains(list, []byte("NaN")) || strings.Contains(text, "NaN") {
					t.Errorf("%s of %s: %q", k.Name, h.Lanes[lane].ID, text)
				}
			}
		}
		for _, tab := range page.Tabs {
			a.Do(page.ShowTab{Tab: tab})
			if at := strings.Index(rendered(t, a), "NaN"); at >= 0 {
				html := rendered(t, a)
				t.Errorf("with the tab %s the page says %q", tab, html[max(0, at-80):at+20])
			}
		}
	}
}

// Whatever is on screen and in the settings, every figure can be drawn.
func TestDrawAnything(t *testing.T) {
	a, p := open(t, "T=12")
	painter := page.NewPainter(a.State)
	var hits chart.Hits
	draw := func(when string) {
		t.Helper()
		for _, kind := range []string{"data", "map", "losses", "curves", "timeline", "weather"} {
			for lane := -1; lane <= page.MaxLanes; lane++ {
				for _, box := range []chart.Box{{W: 400, H: 300}, {W: 200, H: 120}, {}} {
					painter.Draw(kind, lane, box, &hits)
					if lane >= 0 {
						if text := a.Describe(kind, lane); text == "" || strings.Contains(text, "%!") {
							t.Errorf("%s: %s %d is described as %q", when, kind, lane, text)
						}
					}
				}
			}
		}
		rendered(t, a)
	}
	draw("without a run")
	p.Rounds(p.Last(), -1, 0)
	draw("at the start")
	p.Rounds(p.Last(), 0, 6)
	a.Do(page.Seek{Round: 12})
	draw("ahead of the engine")
	p.Rounds(p.Last(), 6, 12)
	p.End(p.Last())
	draw("done")
	a.Do(page.AddLane{Algorithm: "clove"})
	a.Do(page.AddLane{Algorithm: "local"})
	a.Do(page.FocusLane{Lane: 3})
	draw("with lanes to come")
	p.Finish()
	a.Do(page.HoverClient{Client: 11})
	a.Do(page.SelectClient{Client: 3})
	draw("with four lanes")
	set(t, a, "C", "6")
	p.Finish()
	draw("with fewer clients")
	a.Do(page.RemoveLane{Lane: 0})
	draw("with a lane that is gone")
	p.NoTruth = true
	set(t, a, "data", "mix1d")
	p.Finish()
	draw("without groups")
	a.Do(page.EngineLost{Why: "It stopped."})
	draw("without an engine")
}
