package page

import (
	"fmt"
	"slices"
	"strings"

	"flockscope/sim/version"
	"flockscope/ui/host"
)

// A Message is something that happened: an action of the user, or an answer of an engine or of the
// browser. Its fields have all its data.
type Message interface{ update(s *State) }

// Update handles a message at a time in ms, of the clock of animation frames, and returns its
// effects. The same messages at the same times lead to the same state.
func (s *State) Update(now float64, m Message) host.Effects {
	s.now, s.effects = now, host.Effects{}
	moved := s.Animating
	m.update(s)
	s.jobs() // keeps Jobs.Page current for readers
	s.record.add(now, m, s.effects.Changes != 0 || moved != s.Animating)
	return s.effects
}

// record has the messages since the page was opened, for bug reports. It leaves out messages with
// results of engines and contents of files: the link recomputes them.
type record struct {
	link    string
	entries []Entry
}

// Entry is a message and its time in ms.
type Entry struct {
	At      float64
	Message Message
}

// maxEntries is the maximum length of a record.
const maxEntries = 10000

// add appends a message; visible reports whether it has changed anything on screen.
func (r *record) add(at float64, m Message, visible bool) {
	switch m := m.(type) {
	case UpdateTime, EngineAnswered, WorkerAnswered, RecordsLoaded, GuideLoaded:
		return
	case Tick, HoverClient, HoverRound, ReadCurves, PointSymbol, ReportToParent:
		if !visible {
			return
		}
	case Begin:
		m.StoredRuns = "" // stored runs are computed again, too
		r.entries = append(r.entries, Entry{at, m})
		return
	case RunRecalled:
		m.Data = nil
		r.entries = append(r.entries, Entry{at, m})
		return
	case OpenFiles:
		m.Files = slices.Clone(m.Files)
		for i := range m.Files {
			m.Files[i].Data = nil // a record has no user data
		}
		r.entries = append(r.entries, Entry{at, m})
		return
	}
	if len(r.entries) < maxEntries {
		r.entries = append(r.entries, Entry{at, m})
	}
}

// Record returns the messages as text: one line with the version of the engine and the link that was
// opened, then one line per message, its time in ms and its Go value.
func (s *State) Record() string {
	var b strings.Builder
	fmt.Fprintf(&b, "engine %d link %q\n", version.Engine, s.record.link)
	for _, e := range s.record.entries {
		fmt.Fprintf(&b, "%v %#v\n", e.At, e.Message)
	}
	return b.String()
}
