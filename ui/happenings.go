package ui

import (
	"flockscope/ui/chart"
	"flockscope/ui/host"
)

// What happened in the lane in focus: told where the timeline is pointed at, and
// jumped to by keys.

// happenings are those of the lane in focus so far.
func (a *App) happenings() (chart.View, []chart.Happening) {
	v := a.View(a.Lane)
	return v, a.events.Of(&v)
}

// Jump looks at the next round in which something happened, or the one before,
// by the sign of by. A server that clusters anew and moves nobody is no event.
func (a *App) Jump(by int) {
	_, all := a.happenings()
	to, now := -1, a.Shown()
	for i := range all {
		if all[i].What == chart.Clustered {
			continue
		}
		switch round := all[i].Round; {
		case by > 0 && round > now && to < 0, by < 0 && round < now:
			to = round
		}
	}
	if to >= 0 {
		a.Seek(to)
	}
}

// Peek tells what happened in a round of the timeline, 0 for none.
func (a *App) Peek(round int) {
	if round != a.Peeked {
		a.Peeked = round
		a.Host.Change(host.Figures)
	}
}

// Scrub notes whether the scrubber has the focus: then the timeline tells what
// happened in the round looked at.
func (a *App) Scrub(on bool) {
	if on != a.Scrubbing {
		a.Scrubbing = on
		a.Host.Change(host.Figures)
	}
}

// peek is the round of which the timeline tells.
func (a *App) peek() int {
	if a.Peeked == 0 && a.Scrubbing && !a.Playing {
		return a.Shown()
	}
	return a.Peeked
}

// RoundWords is the round looked at and what happened in it.
func (a *App) RoundWords() string {
	text := "round " + itoa(a.Shown()) + " of " + itoa(a.Rounds())
	v, all := a.happenings()
	if words := chart.Happened(&v, all, a.Shown()); words != "" {
		text += ": " + words
	}
	return text
}
