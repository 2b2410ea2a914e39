package page_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/ui/chart"
	"flockscope/ui/host"
	. "flockscope/ui/page"
)

// Only one run is requested at a time; of later requests only the newest counts.
func TestNewestRequestWins(t *testing.T) {
	a, p := open(t, "")
	for _, text := range []string{"21", "22", "23"} {
		a.Do(ChangeSetting{Key: "dphi", Text: text, Done: false})
	}
	if got := p.Queries(); !slices.Equal(got, []string{usual}) {
		t.Fatalf("with a run under way the page asked for %q", got)
	}
	first := p.Last()
	p.Rounds(first, -1, 0)
	want := []string{usual, "data=linreg&dphi=23&algos=cflgp,ifca"}
	if got := p.Queries(); !slices.Equal(got, want) {
		t.Fatalf("with the first picture on screen the page asked for %q, want %q", got, want)
	}
	if a.Run.Header.Query != usual {
		t.Errorf("on screen is %q", a.Run.Header.Query)
	}
	// The rest of the first run is ignored.
	p.Rounds(first, 0, 200)
	p.End(first)
	if a.Run.Finished() != 0 || a.Run.Done() {
		t.Errorf("%d rounds of the first run were taken after another was asked for", a.Run.Finished())
	}
	p.Finish()
	if a.Run.Header.Query != want[1] || !a.Run.Done() || len(p.Requests) != 2 {
		t.Errorf("on screen is %q, asked for %q", a.Run.Header.Query, p.Queries())
	}
	ids := map[uint32]bool{}
	for _, ask := range p.Requests {
		if ids[ask.ID] || ask.ID == NoRunID {
			t.Errorf("two requests have the number %d, or it is the one of files", ask.ID)
		}
		ids[ask.ID] = true
	}
}

// The old figures stay until the new run has the selected round.
func TestOldRunStays(t *testing.T) {
	a, p := ready(t, "T=30")
	a.Do(Seek{Round: 20})
	set(t, a, "dphi", "5")
	next := p.Last()
	p.Rounds(next, -1, 10)
	if a.Run.Header.Query != "data=linreg&T=30&algos=cflgp,ifca" || a.Shown() != 20 {
		t.Errorf("with ten rounds there, on screen is round %d of %q", a.Shown(), a.Run.Header.Query)
	}
	p.Rounds(next, 10, 19)
	if a.Run.Header.Query == next.Query {
		t.Error("the new run is on screen one round too early")
	}
	p.Changed()
	p.Time = 40
	p.Rounds(next, 19, 20)
	if a.Run.Header.Query != next.Query || a.Shown() != 20 ||
		p.Changed()&(host.Shell|host.Figures) != host.Shell|host.Figures {
		t.Errorf("with twenty rounds there, on screen is round %d of %q", a.Shown(), a.Run.Header.Query)
	}
	if a.Runs.Progress() != 100*20/30 {
		t.Errorf("Progress() = %d, want 66", a.Runs.Progress())
	}
	p.Rounds(next, 20, 30)
	p.Time = 70
	p.End(next)
	if a.Runs.Progress() != -1 || a.Runs.AnswerTime() != 40 || a.Runs.RunTime() != 70 {
		t.Errorf("done, Progress() = %d, answered after %v, complete after %v; want -1, 40, 70", a.Runs.Progress(),
			a.Runs.AnswerTime(), a.Runs.RunTime())
	}

	// A shorter run never has the round; it is shown when it is complete.
	set(t, a, "T", "10")
	p.Rounds(p.Last(), -1, 9)
	if a.Rounds() != 30 {
		t.Error("a run of ten rounds is on screen with nine")
	}
	p.Rounds(p.Last(), 9, 10)
	if a.Rounds() != 10 || a.Shown() != 10 {
		t.Errorf("a run of ten rounds shows round %d of %d", a.Shown(), a.Rounds())
	}
}

// A large run streams: its first rounds replace the old figures.
func TestLargeRunsStream(t *testing.T) {
	a, p := ready(t, "T=30")
	a.Do(Seek{Round: 20})
	set(t, a, "C", "1000")
	p.Rounds(p.Last(), -1, 0)
	if a.Run.Header.Clients != 1000 || a.Shown() != 0 || a.Round != 20 {
		t.Errorf("on screen are %d clients, round %d shown, %d looked at", a.Run.Header.Clients, a.Shown(), a.Round)
	}
	p.Rounds(p.Last(), 0, 25)
	if a.Shown() != 20 {
		t.Errorf("with 25 rounds there, %d is shown, want 20", a.Shown())
	}
}

// The memory of a former run is reused without traces of its contents.
func TestMemoryIsReused(t *testing.T) {
	a, p := ready(t, "T=20&C=30")
	for i, query := range []string{"C=8", "C=30", "T=5", "T=20", "algos=clove", "algos=cflgp,ifca,clove,fedavg",
		"K=2"} {
		key, text, _ := strings.Cut(query, "=")
		set(t, a, key, text)
		p.Finish()
		h := p.Header(p.Last().Query)
		for lane := range h.Lanes {
			if got := len(a.Run.Tracks[lane].Frames); got != h.Rounds+1 {
				t.Fatalf("run %d: lane %d has %d frames, want %d", i, lane, got, h.Rounds+1)
			}
			for round := range a.Run.Tracks[lane].Frames {
				got := trace.AppendFrame(nil, &a.Run.Tracks[lane].Frames[round])
				if want := trace.AppendFrame(nil, p.Frame(h, lane, round)); !bytes.Equal(got, want) {
					t.Fatalf("run %d: lane %d, round %d differs from what was sent", i, lane, round)
				}
			}
		}
	}
}

// A refused run has one notice; the run before stays, and later requests count.
func TestRefusedRun(t *testing.T) {
	a, p := ready(t, "T=30")
	before := a.Run
	set(t, a, "K", "5")
	set(t, a, "K", "4") // waits
	p.SendText(p.Last().ID, wire.Refused, "K: got <5>")
	if a.Run != before || !slices.Equal(noticed(a), []string{"K: got <5>. The figures still show the previous run."}) {
		t.Errorf("refused, the notices are %q", noticed(a))
	}
	if !strings.Contains(p.Last().Query, "K=4") {
		t.Errorf("after the refusal the page asks for %q, want the wish that waited", p.Last().Query)
	}
	p.SendText(p.Last().ID, wire.Refused, "K: got <5>")
	if len(noticed(a)) != 1 {
		t.Errorf("the same refusal is noticed twice: %q", noticed(a))
	}
	set(t, a, "K", "6")
	p.SendText(p.Last().ID, wire.Refused, "K: got <6>")
	if !slices.Equal(noticed(a), []string{"K: got <6>. The figures still show the previous run."}) {
		t.Errorf("after another refusal the notices are %q, want that one only", noticed(a))
	}
	set(t, a, "K", "2")
	p.Finish()
	if len(noticed(a)) != 0 || a.Run == before {
		t.Errorf("after a good run the notices are %q", noticed(a))
	}
}

func TestFail(t *testing.T) {
	a, p := ready(t, "T=30")
	a.DoAt(0, TogglePlay{})
	a.Do(EngineLost{Why: "It stopped."})
	if a.Problem != "It stopped." || a.Player.Playing || a.Run == nil || p.Changed()&host.Shell == 0 {
		t.Errorf("failed, the problem is %q, playing: %v", a.Problem, a.Player.Playing)
	}
	a.Do(StepRound{By: 3})
	if a.Shown() != 3 {
		t.Errorf("what is there cannot be looked at: round %d", a.Shown())
	}
}

// Two files in quick succession: each answer belongs to its own file.
func TestTwoFiles(t *testing.T) {
	a, p := ready(t, "T=30&K=2")
	a.Do(OpenFiles{Files: []wire.NamedFile{{Name: "broken.csv", Data: []byte("one")}}})
	a.Do(OpenFiles{Files: []wire.NamedFile{{Name: "good.csv", Data: []byte("two")}}})
	p.SendText(NoRunID, wire.Refused, "broken.csv: line 3: no number")
	p.SendText(NoRunID, wire.Accepted, "csv 4 rows of 3 clients")
	if a.Files.Names().String() != "good.csv" || a.Files.Words().String() != "4 rows of 3 clients" ||
		!slices.Equal(noticed(a), []string{"broken.csv: line 3: no number. Nothing was changed."}) {
		t.Errorf("the file is %q (%q), the notices %q", a.Files.Names(), a.Files.Words(), noticed(a))
	}
}

// Messages damaged at random, in every state of a run: the page reports an error or shows the
// contents, and never panics.
func TestDamagedMessages(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range 3000 {
		a, p := open(t, "T=4&C=4&D=2&K=2")
		id := p.Last().ID
		whole := p.Message(id, 0, 4)
		switch r.IntN(4) {
		case 0:
			whole = whole[:r.IntN(len(whole)+1)]
		case 1:
			for range 1 + r.IntN(3) {
				whole[4+r.IntN(len(whole)-4)] = byte(r.Uint32())
			}
		case 2:
			at := 4 + r.IntN(len(whole)-4)
			whole = slices.Insert(whole, at, byte(r.Uint32()))
		case 3:
			whole = whole[:4]
			for range r.IntN(60) {
				whole = append(whole, byte(r.Uint32()))
			}
		}
		func() {
			defer func() {
				if e := recover(); e != nil {
					t.Fatalf("seed %d, message %d: %v\n%s", seed, i, e, debug.Stack())
				}
			}()
			a.Do(EngineAnswered{Engine: 0, How: "a test", Message: whole})
			a.Do(EngineAnswered{Engine: 0, How: "a test", Message: p.Message(id, 0, 4)})
		}()
	}
}

func FuzzReceive(f *testing.F) {
	t := &testing.T{}
	_, p := open(t, "T=3&C=4&D=2&K=2")
	f.Add([]byte{})
	f.Add(p.Message(p.Last().ID, 0, 3))
	f.Add(p.Message(p.Last().ID, 0, 3)[:200])
	f.Fuzz(func(t *testing.T, message []byte) {
		a, p := open(t, "T=3&C=4&D=2&K=2")
		a.Do(EngineAnswered{Engine: 0, How: "a test", Message: message})
		a.Do(EngineAnswered{Engine: 0, How: "a test", Message: p.Message(p.Last().ID, 0, 3)})
	})
}

// Between a change of lanes and its run, the previous run is on screen: figures and texts of a lane
// never have another lane's name.
func TestLaneNames(t *testing.T) {
	a, p := ready(t, "T=30&algos=cflgp,ifca")
	p.EditFrame = nil
	a.Do(Seek{Round: 30})
	before := map[string]string{}
	for i := range a.Config.Lanes() {
		before[a.Title(i)] = fmt.Sprint(a.Describe("map", i), a.Score(i), a.Story(i))
	}
	a.Do(RemoveLane{Lane: 0})
	for i := range a.Config.Lanes() {
		now := fmt.Sprint(a.Describe("map", i), a.Score(i), a.Story(i))
		for title, words := range before {
			if title != a.Title(i) && now == words && words != before[a.Title(i)] {
				t.Errorf("under the name %s the page shows %s: %s", a.Title(i), title, now)
			}
		}
	}
}

// Drawing ends however small the box is: an endless loop would block the browser.
func TestDrawTiny(t *testing.T) {
	a, _ := ready(t, "T=6&algos=cflgp,ifca,local&C=8&K=8")
	a.Do(Seek{Round: 5})
	for _, kind := range []string{"data", "map", "curves", "timeline", "losses"} {
		var box chart.Box
		end := make(chan any, 1)
		go func() {
			defer func() { end <- recover() }()
			painter := NewPainter(a.State)
			var hits chart.Hits
			for lane := range 3 {
				for _, side := range []float32{1, 2, 5, 10, 20, 30, 40, 60, 90} {
					for _, box = range []chart.Box{{W: side, H: side}, {W: 300, H: side}, {W: side, H: 300}} {
						painter.Draw(kind, lane, box, &hits)
					}
				}
			}
		}()
		select {
		case e := <-end:
			if e != nil {
				t.Errorf("drawing %s at %v panics: %v", kind, box, e)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("drawing %s into a tiny box does not end", kind)
		}
	}
}

// Several engines share the lanes of a run: the page takes the header of the first and the frames of
// all, and the run is complete when all are.
func TestSharedRun(t *testing.T) {
	a, p := open(t, "T=6")
	a.Wait(10)
	p.Finish()
	p.StartEngines(2)
	sent := map[int][]wire.Kind{}
	lanes := map[int]string{}
	p.OnSend = func(engine int, message []byte) {
		_, records, _ := wire.Open(message)
		for kind, payload := range records {
			sent[engine] = append(sent[engine], kind)
			if kind == wire.Lanes {
				lanes[engine] = string(payload)
			}
		}
	}
	set(t, a, "dphi", "30")
	if lanes[0] != "\x00" || lanes[1] != "\x01" {
		t.Fatalf("the engines are to play the lanes %q and %q, want one each", lanes[0], lanes[1])
	}
	run, h := p.Last(), p.Header(p.Last().Query)
	play := func(engine int) {
		var m wire.Message
		m.Reset(run.ID)
		m.Record(wire.Begin, func(dst []byte) []byte { return trace.AppendHeader(dst, h) })
		for round := range 7 {
			m.Record(wire.Frame, func(dst []byte) []byte {
				return trace.AppendFrame(append(dst, byte(engine)), p.Frame(h, engine, round))
			})
		}
		a.Do(EngineAnswered{Engine: engine, How: "a test", Message: slices.Clone(m.Bytes())})
	}
	before := a.Run
	play(1)
	if a.Run != before {
		t.Error("one of two lanes is enough to take the stage")
	}
	play(0)
	if a.Run == before || a.Run.Finished() != 6 {
		t.Errorf("both lanes are there, and the page shows them to round %d", a.Run.Finished())
	}
	took := a.Runs.RunTime()
	p.Time += 5
	p.SendText(run.ID, wire.Done, "")
	if a.Runs.RunTime() != took {
		t.Error("one of two engines ends the run")
	}
	p.Changed()
	p.SendText(run.ID, wire.Done, "")
	if a.Runs.RunTime() == took {
		t.Error("the run never ends")
	}
	if p.Changed()&host.Figures == 0 {
		t.Error("figures keep the scales of the rounds that were there first")
	}

	// A run of one lane needs no second engine, whose old run is cancelled.
	sent = map[int][]wire.Kind{}
	a.Do(RemoveLane{Lane: 1})
	if !slices.Equal(sent[1], []wire.Kind{wire.Cancel}) || !slices.Contains(sent[0], wire.Run) {
		t.Errorf("a run of one lane sends %v", sent)
	}
	// The lanes of a lost engine are requested again.
	a.Do(AddLane{Algorithm: "ifca"})
	n := len(p.Requests)
	a.Do(EngineLost{Engine: 1})
	if len(p.Requests) != n+1 || lanes[0] != "\x00\x01" {
		t.Errorf("with one engine left, %d runs are asked for, the last with lanes %q", len(p.Requests)-n, lanes[0])
	}
}
