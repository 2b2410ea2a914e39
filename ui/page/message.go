package page

import (
	"fmt"
	"slices"
	"strings"

	"flockscope/sim/version"
	"flockscope/ui/host"
)

// A Message is something that happened: an action of the user, or an answer of an engine or
// of the browser. Its fields are all that is to be known of it.
type Message interface{ update(s *State) }

// Update takes a message at a time in ms, of the clock of animation frames, and returns what
// the page asks for. The same messages at the same times lead to the same state.
func (s *State) Update(now float64, m Message) host.Effects {
	s.now, s.effects = now, host.Effects{}
	moved := s.Animating
	m.update(s)
	s.jobs() // what is read of the jobs is up to date, too
	s.record.add(now, m, s.effects.Changes != 0 || moved != s.Animating)
	return s.effects
}

// record is the messages since the page was opened, for reports of problems. What engines and
// files bring is left out: who has the link can compute it again.
type record struct {
	link    string
	entries []Entry
}

// Entry is a message and when it came, in ms.
type Entry struct {
	At      float64
	Message Message
}

// maxEntries is how long a record may become.
const maxEntries = 10000

// add takes down a message, and whether it has changed anything that can be seen.
func (r *record) add(at float64, m Message, seen bool) {
	switch m := m.(type) {
	case UpdateTime, EngineAnswered, WorkerAnswered, RecordsLoaded, GuideLoaded:
		return
	case Tick, HoverClient, HoverRound, ReadCurves, PointSymbol, ReportToParent:
		if !seen {
			return
		}
	case OpenFiles:
		m.Files = slices.Clone(m.Files)
		for i := range m.Files {
			m.Files[i].Data = nil // nobody's data leave the page
		}
		r.entries = append(r.entries, Entry{at, m})
		return
	}
	if len(r.entries) < maxEntries {
		r.entries = append(r.entries, Entry{at, m})
	}
}

// Record is what was done on the page, a line each: the version of the engine and the link that
// was opened, then every message as a Go value, behind its time in ms.
func (s *State) Record() string {
	var b strings.Builder
	fmt.Fprintf(&b, "engine %d link %q\n", version.Engine, s.record.link)
	for _, e := range s.record.entries {
		fmt.Fprintf(&b, "%v %#v\n", e.At, e.Message)
	}
	return b.String()
}
