package pagetest

import (
	"strings"

	"flockscope/sim/lab/plan"
	"flockscope/ui/page"
)

// Store replaces the browser's storage of sweeps, for all tabs.
type Store struct {
	Plan    string
	Engine  int
	Records map[string]string // by cell
	Kept    int               // number of records stored, including repeated ones
	Broken  string            // why nothing can be stored

	holder  *Engines   // the tab that computes
	waiting []*Engines // tabs that wait for it
}

func (p *Engines) store() *Store {
	if p.Store == nil {
		p.Store = &Store{}
	}
	return p.Store
}

func (p *Engines) claimSweep(text string, engine int) {
	s := p.store()
	s.Plan, s.Engine = text, engine
	if s.holder != nil && s.holder != p {
		s.waiting = append(s.waiting, p)
		return
	}
	s.holder = p
	p.page.Do(page.SweepClaimed{})
}

// ReleaseSweep allows other tabs to compute, as the browser does when a tab closes.
func (p *Engines) ReleaseSweep() {
	s := p.store()
	if s.holder != p {
		return
	}
	s.holder = nil
	if len(s.waiting) > 0 {
		next := s.waiting[0]
		s.waiting = s.waiting[1:]
		s.holder = next
		next.page.Do(page.SweepClaimed{})
	}
}

func (p *Engines) loadRecords(cells string) {
	var out strings.Builder
	for cell := range strings.Lines(cells) {
		out.WriteString(p.store().Records[strings.TrimSpace(cell)])
	}
	p.page.Do(page.RecordsLoaded{Lines: out.String()})
}

func (p *Engines) keepRecords(lines string) {
	s := p.store()
	if s.Broken != "" {
		p.page.Do(page.RecordsNotKept{Why: s.Broken})
		return
	}
	if s.Records == nil {
		s.Records = map[string]string{}
	}
	for line := range strings.Lines(lines) {
		r, err := plan.ParseRecord([]byte(line))
		if err != nil {
			p.t.Fatalf("the page keeps %q: %v", line, err)
		}
		s.Kept++
		s.Records[r.Cell] = line
	}
}
