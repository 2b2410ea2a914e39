package pagetest

import (
	"testing"

	"flockscope/sim/catalog"
	"flockscope/ui/host"
	"flockscope/ui/page"
)

// Page is a page under test: its state, and the engines that perform its effects.
type Page struct {
	*page.State
	engines *Engines
}

// New returns the page of a link before its first update, and its engines.
func New(t *testing.T, query string) (*Page, *Engines) {
	p := &Engines{t: t}
	p.page = &Page{page.New(catalog.Schema(), Start(query)), p}
	return p.page, p
}

// Open returns the page of a link that has requested its first run.
func Open(t *testing.T, query string) (*Page, *Engines) {
	t.Helper()
	a, p := New(t, query)
	a.Do(page.Begin{})
	return a, p
}

// Ready is Open with the first run on screen.
func Ready(t *testing.T, query string) (*Page, *Engines) {
	t.Helper()
	a, p := Open(t, query)
	p.Finish()
	return a, p
}

// Do sends the page a message and performs the effects. It reports whether the page handled a key.
func (a *Page) Do(m page.Message) (handled bool) { return a.DoAt(a.engines.Time, m) }

// DoAt is Do at a time in ms.
func (a *Page) DoAt(now float64, m page.Message) (handled bool) {
	a.engines.Log = append(a.engines.Log, page.Entry{At: now, Message: m})
	effects := a.Update(now, m)
	a.engines.Changes |= effects.Changes
	for _, e := range effects.List {
		a.engines.perform(e)
	}
	return effects.Handled
}

// StartEngines starts engines on a machine with as many processors, after an answer of the first
// one.
func (p *Engines) StartEngines(engines int) {
	p.page.Processors = engines
	p.page.Do(page.EngineAnswered{How: "a test", Message: []byte{255, 255, 255, 255}}) // of no run
	for n := range engines {
		p.page.Do(page.EngineStarted{Engine: n})
	}
}

// Do sends the page a message; see [Page.Do].
func (p *Engines) Do(m page.Message) bool { return p.page.Do(m) }

// Tick sends an animation frame at a time in ms. It reports whether the page needs another.
func (a *Page) Tick(now float64) bool {
	a.DoAt(now, page.Tick{})
	return a.Animating
}

// perform performs an effect.
func (p *Engines) perform(e host.Effect) {
	switch e := e.(type) {
	case host.Send:
		p.send(e.Engine, e.Message)
	case host.StartWorker:
		p.Workers = e.Worker + 1
	case host.CloseWorkers:
		p.Workers = e.From
	case host.SendWorker:
		if p.OnWorker != nil {
			p.OnWorker(e.Worker, e.Message)
		}
	case host.StartEngine:
		p.Started = append(p.Started, e.Engine)
	case host.Wake:
		p.WakeAt = p.Time + e.After
	case host.Fetch:
		p.Fetches = append(p.Fetches, e.Addresses)
	case host.LoadReader:
		if p.Readers++; !p.SlowReader {
			p.page.Do(page.ReaderLoaded{})
		}
	case host.LoadGuide:
		p.Guides = append(p.Guides, e.File)
	case host.KeepMarks:
		p.KeptMarks = e.Marks
	case host.Export:
		p.Exported = e.Format + " " + e.How
	case host.Save:
		if p.Saved == nil {
			p.Saved = map[string]string{}
		}
		p.Saved[e.File.Name+" "+e.File.Type] = string(e.File.Data)
	case host.OpenArena:
		p.ToArena = []string{e.Address}
		for _, f := range e.Files {
			p.ToArena = append(p.ToArena, f.Name)
		}
	case host.Copy:
		p.Copied = append(p.Copied, e.Text)
	case host.StoreRun:
		if p.StoredRuns == nil {
			p.StoredRuns = map[string][]byte{}
		}
		p.StoredRuns[e.Key] = e.Data
	case host.RecallRun:
		p.RecalledRuns = append(p.RecalledRuns, e.Key)
	case host.Post:
		p.Posts = append(p.Posts, e.Fields)
	case host.ReportLater:
		p.TellAfter = e.After
	case host.RecallSweep:
		if s := p.store(); s.Plan != "" {
			p.page.Do(page.SweepRecalled{Plan: s.Plan, Engine: s.Engine})
		}
	case host.ClaimSweep:
		p.claimSweep(e.Plan, e.Engine)
	case host.ReleaseSweep:
		p.ReleaseSweep()
	case host.LoadRecords:
		p.loadRecords(e.Cells)
	case host.KeepRecords:
		p.keepRecords(e.Lines)
	}
}

// Wait advances the time by ms.
func (a *Page) Wait(ms float64) {
	a.engines.Time += ms
	a.Do(page.UpdateTime{})
}

// Posts sends a message to the page, and returns the messages to the surrounding page.
func (a *Page) Posts(m page.Message) []page.Post {
	a.engines.Posts = nil
	a.Do(m)
	return a.engines.Posts
}

// ReportToParent returns the messages to the surrounding page that are due, and the delay in ms
// until the next.
func (a *Page) ReportToParent() (posts []page.Post, wait float64) {
	a.engines.TellAfter = 0
	posts = a.Posts(page.ReportToParent{})
	return posts, a.engines.TellAfter
}
