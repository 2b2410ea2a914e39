package page

import (
	"flockscope/sim/wire"
	"flockscope/ui/host"
)

// A page that nobody can see rests. In a frame its engines rest too: a text may
// hold many frames, and only one of them is read at a time. In a window of its
// own a run goes on while the person does something else.

// PauseEngines makes the engines wait, or lets them go on.
type PauseEngines struct{ On bool }

func (m PauseEngines) update(s *State) {
	if s.enginesPaused == m.On {
		return
	}
	s.enginesPaused = m.On
	for engine := range s.Engines {
		s.effects.Do(host.Send{Engine: engine, Message: pauseMessage(m.On)})
	}
	if m.On {
		s.jobs().PauseAll()
	} else {
		s.jobs().Dispatch()
	}
}

// briefing is what a new engine must be told: the user's files, and to wait where
// all wait. Of all engines the first one's answers count.
func (s *State) briefing(first bool) [][]byte {
	out := s.Files.Messages(first)
	if s.enginesPaused {
		out = append(out, pauseMessage(true))
	}
	return out
}

func pauseMessage(on bool) []byte {
	var m wire.Message
	m.Reset(MessageID)
	m.Record(wire.Pause, func(dst []byte) []byte {
		if on {
			return append(dst, 1)
		}
		return append(dst, 0)
	})
	return m.Bytes()
}

const (
	noNetworkNotice  = "No network. Everything still works."
	newVersionNotice = "A new version of Flockscope is available. Reload the page to use it."
)

// NewVersionServed says that the server has another version of the site than this page is of.
type NewVersionServed struct{}

func (NewVersionServed) update(s *State) { s.Notify(newVersionNotice) }

// Network says whether there is one. kept is whether the page would open
// without it.
type Network struct{ Up, Kept bool }

func (m Network) update(s *State) {
	switch {
	case m.Up:
		s.Withdraw(noNetworkNotice)
		s.effects.Redraw(host.Shell)
	case m.Kept:
		s.Notify(noNetworkNotice)
	}
}
