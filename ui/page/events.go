package page

import (
	"flockscope/sim/say"
	"flockscope/ui/chart"
	"flockscope/ui/chart/progress"
	"flockscope/ui/host"
)

// focusedEvents returns the events of the focused lane so far.
func (p *Player) focusedEvents() (chart.View, []progress.Event) {
	v := p.page.View(p.page.Lane)
	return v, p.events.Of(&v)
}

// JumpToEvent: the user moves to the next round with an event, or with By < 0 to the previous one. A
// clustering that moves no client does not count.
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

// HoverRound: the pointer is over a round of the timeline, which describes its events; 0 for none.
type HoverRound struct{ Round int }

func (m HoverRound) update(s *State) {
	if m.Round != s.Player.HoveredRound {
		s.Player.HoveredRound = m.Round
		s.effects.Redraw(host.Figures)
	}
}

// FocusScrubber: the scrubber gets or loses the keyboard focus. With the focus, the timeline
// describes the shown round.
type FocusScrubber struct{ On bool }

func (m FocusScrubber) update(s *State) {
	if m.On != s.Player.Scrubbing {
		s.Player.Scrubbing = m.On
		s.effects.Redraw(host.Figures)
	}
}

// DescribedRound returns the round that the timeline describes.
func (p *Player) DescribedRound() int {
	if p.HoveredRound == 0 && p.Scrubbing && !p.Playing {
		return p.page.Shown()
	}
	return p.HoveredRound
}

// RoundWords returns the shown round and its events in words.
func (p *Player) RoundWords() string {
	text := say.Textf("round %d of %d", p.page.Shown(), p.page.Rounds())
	v, all := p.focusedEvents()
	if words := progress.DescribeEvents(&v, all, p.page.Shown()); words != "" {
		text = say.Textf("%s: %s", text, words)
	}
	return text
}
