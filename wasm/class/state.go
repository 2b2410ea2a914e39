//go:build !js

package class

import (
	"slices"
	"time"
)

// changed asks for the teacher's pages to be told.
func (c *Class) changed() {
	select {
	case c.news <- struct{}{}:
	default:
	}
}

// atMostEvery is the least time between two states of a teacher's page.
const atMostEvery = 150 * time.Millisecond

// publish tells the teacher's pages of changes, until the class is over; then it closes all links.
func (c *Class) publish() {
	for {
		select {
		case <-c.ctx.Done():
			c.end()
			return
		case <-c.news:
		}
		c.mu.Lock()
		c.tellTeachers()
		c.mu.Unlock()
		select {
		case <-c.ctx.Done():
		case <-time.After(atMostEvery):
		}
	}
}

// end closes all links of a class that is over, and forgets what it has.
func (c *Class) end() {
	c.mu.Lock()
	run := c.run
	if run.playing() {
		run.wake()
	}
	c.mu.Unlock()
	if run != nil {
		<-run.over
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.phones {
		if l := p.link; l != nil {
			go l.conn.Close(closeNoClass, "the class is over")
		}
	}
	for l := range c.teachers {
		go l.conn.Close(closeNoClass, "the class is over")
	}
	c.phones, c.run, c.past, c.picture, c.shown = nil, nil, nil, nil, nil
	clear(c.tokens)
}

// seenPhone is what the teacher sees of a phone.
type seenPhone struct {
	Number     int       `json:"number"`
	Here       bool      `json:"here"`
	Ready      bool      `json:"ready"`
	Turned     bool      `json:"turned"`
	Volunteers bool      `json:"volunteers"`
	Predicted  bool      `json:"predicted"`
	Plays      bool      `json:"plays"` // in the last run
	Models     []int     `json:"models,omitempty"`
	Right      []float64 `json:"right,omitempty"`
}

// tellTeachers sends the teacher's pages all that they show.
func (c *Class) tellTeachers() {
	if len(c.teachers) == 0 {
		return
	}
	s := map[string]any{"type": "state", "code": c.Code, "ends": c.ends.UnixMilli(), "digits": c.settings.Digits,
		"each": c.settings.Each, "held": c.settings.Held, "asking": c.asking, "about": aboutRound, "options": c.options,
		"address": c.settings.Address, "problems": c.problems, "refused": c.refused, "lanes": c.lanes(), "picture": c.picture,
		"past": c.past}
	if c.shown != nil {
		s["shown"] = c.shown.number
	}
	phones := make([]seenPhone, 0, len(c.phones))
	guesses := make([][]int, len(c.lanes()))
	for _, p := range c.phones {
		phones = append(phones, seenPhone{p.number, p.usable(), p.drawings > 0, p.turned, p.volunteers,
			p.prediction != nil, p.client >= 0, p.models, p.accrued})
		if len(p.prediction) == len(guesses) {
			for lane, percent := range p.prediction {
				guesses[lane] = append(guesses[lane], percent)
			}
		}
	}
	for _, g := range guesses {
		slices.Sort(g) // whose they are is nobody's business
	}
	s["phones"], s["guesses"] = phones, guesses
	if r := c.run; r != nil {
		took := slices.Sorted(slices.Values(r.took))
		median := 0.0
		if len(took) > 0 {
			median = rounded(took[len(took)/2].Seconds())
		}
		s["run"] = map[string]any{"phase": r.phase(), "failed": r.failed, "query": r.query, "titles": r.titles, "round": r.round,
			"rounds": r.rounds, "paused": r.paused, "waiting": r.waiting, "accuracy": r.accuracy, "ari": r.ari,
			"fingerprint": r.fingerprint, "seconds": median, "recorded": r.replies.size(), "phones": len(r.phones)}
	}
	for l := range c.teachers {
		l.tell(s)
	}
}
