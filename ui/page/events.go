package page

import (
	"flockscope/sim/say"
	"flockscope/ui/chart"
	"flockscope/ui/chart/progress"
	"flockscope/ui/host"
)

// happenings are those of the lane in focus so far.
func (p *Player) happenings() (chart.View, []progress.Happening) {
	v := p.page.View(p.page.Lane)
	return v, p.events.Of(&v)
}

// Jump looks at the next round in which something happened, or the one before,
// by the sign of by. A server that clusters anew and moves nobody is no event.
type Jump struct{ By int }

func (m Jump) update(s *State) {
	_, all := s.Player.happenings()
	to, now := -1, s.Shown()
	for i := range all {
		if all[i].What == progress.Clustered {
			continue
		}
		switch round := all[i].Round; {
		case m.By > 0 && round > now && to < 0, m.By < 0 && round < now:
			to = round
		}
	}
	if to >= 0 {
		Seek{to}.update(s)
	}
}

// Peek tells what happened in a round of the timeline, 0 for none.
type Peek struct{ Round int }

func (m Peek) update(s *State) {
	if m.Round != s.Player.Peeked {
		s.Player.Peeked = m.Round
		s.effects.Redraw(host.Figures)
	}
}

// Scrub notes whether the scrubber has the focus: then the timeline tells what
// happened in the round looked at.
type Scrub struct{ On bool }

func (m Scrub) update(s *State) {
	if m.On != s.Player.Scrubbing {
		s.Player.Scrubbing = m.On
		s.effects.Redraw(host.Figures)
	}
}

// PeekedRound is the round of which the timeline tells.
func (p *Player) PeekedRound() int {
	if p.Peeked == 0 && p.Scrubbing && !p.Playing {
		return p.page.Shown()
	}
	return p.Peeked
}

// RoundWords is the round looked at and what happened in it.
func (p *Player) RoundWords() string {
	text := say.Textf("round %d of %d", p.page.Shown(), p.page.Rounds())
	v, all := p.happenings()
	if words := progress.Happened(&v, all, p.page.Shown()); words != "" {
		text = say.Textf("%s: %s", text, words)
	}
	return text
}
