package page

import (
	"flockscope/sim/say"
	"flockscope/ui/chart"
	"flockscope/ui/chart/progress"
	"flockscope/ui/host"
)

// focusedEvents are those of the lane in focus so far.
func (p *Player) focusedEvents() (chart.View, []progress.Event) {
	v := p.page.View(p.page.Lane)
	return v, p.events.Of(&v)
}

// JumpToEvent looks at the next round in which something happened, or the one before,
// by the sign of by. A server that clusters anew and moves nobody is no event.
type JumpToEvent struct{ By int }

func (m JumpToEvent) update(s *State) {
	_, all := s.Player.focusedEvents()
	to, now := -1, s.Shown()
	for i := range all {
		if all[i].Kind == progress.Clustered {
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

// HoverRound tells what happened in a round of the timeline, 0 for none.
type HoverRound struct{ Round int }

func (m HoverRound) update(s *State) {
	if m.Round != s.Player.HoveredRound {
		s.Player.HoveredRound = m.Round
		s.effects.Redraw(host.Figures)
	}
}

// FocusScrubber notes whether the scrubber has the focus: then the timeline tells what
// happened in the round looked at.
type FocusScrubber struct{ On bool }

func (m FocusScrubber) update(s *State) {
	if m.On != s.Player.Scrubbing {
		s.Player.Scrubbing = m.On
		s.effects.Redraw(host.Figures)
	}
}

// DescribedRound is the round of which the timeline tells.
func (p *Player) DescribedRound() int {
	if p.HoveredRound == 0 && p.Scrubbing && !p.Playing {
		return p.page.Shown()
	}
	return p.HoveredRound
}

// RoundWords is the round looked at and what happened in it.
func (p *Player) RoundWords() string {
	text := say.Textf("round %d of %d", p.page.Shown(), p.page.Rounds())
	v, all := p.focusedEvents()
	if words := progress.DescribeEvents(&v, all, p.page.Shown()); words != "" {
		text = say.Textf("%s: %s", text, words)
	}
	return text
}
