package page

import (
	"flockscope/sim/wire"
	"flockscope/ui/host"
)

// A hidden page pauses. In a frame its engines pause, too: a text may have many frames, and the user
// reads only one at a time. In its own window a run continues in the background.

// PauseEngines: the page becomes hidden or visible, so the engines pause or continue.
type PauseEngines struct{ On bool }

func (m PauseEngines) update(s *State) {
	s.hidden = m.On
	s.pauseEngines()
}

// pauseEngines pauses the engines or lets them continue, if that has changed.
func (s *State) pauseEngines() {
	on := s.hidden || s.Runs.paused
	if s.enginesPaused == on {
		return
	}
	s.enginesPaused = on
	for engine := range s.Engines {
		s.effects.Do(host.Send{Engine: engine, Message: pauseMessage(on)})
	}
	if on {
		s.jobs().PauseAll()
	} else {
		s.jobs().Dispatch()
	}
}

// startMessages returns what a new engine needs: the user's files, and whether to pause. Only the
// answers of the first engine count.
func (s *State) startMessages(first bool) [][]byte {
	out := s.Files.Messages(first)
	if s.enginesPaused {
		out = append(out, pauseMessage(true))
	}
	return out
}

func pauseMessage(on bool) []byte {
	var m wire.Message
	m.Reset(NoRunID)
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

// NewVersionServed: the server has another version of the site than this page.
type NewVersionServed struct{}

func (NewVersionServed) update(s *State) { s.Notify(newVersionNotice) }

// NetworkChanged: the network connection is lost or back. Kept reports whether the page would open
// without it.
type NetworkChanged struct{ Up, Kept bool }

func (m NetworkChanged) update(s *State) {
	switch {
	case m.Up:
		s.Withdraw(noNetworkNotice)
		s.effects.Redraw(host.Shell)
	case m.Kept:
		s.Notify(noNetworkNotice)
	}
}
