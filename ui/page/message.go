package page

import (
	"encoding/json"
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
	moved := s.Moves
	m.update(s)
	s.jobs() // what is read of the jobs is up to date, too
	s.record.add(now, m, s.effects.Out != 0 || moved != s.Moves)
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

// mostEntries is how long a record may become.
const mostEntries = 10000

// add takes down a message, and whether it has changed anything that can be seen.
func (r *record) add(at float64, m Message, seen bool) {
	switch m := m.(type) {
	case Time, EngineAnswered, WorkerAnswered, RecordsLoaded, GuideLoaded:
		return
	case Tick, HoverClient, HoverRound, ReadCurves, PointSymbol, TellParent:
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
	if len(r.entries) < mostEntries {
		r.entries = append(r.entries, Entry{at, m})
	}
}

// Record is what was done on the page, as JSON, a line each: the version of the engine and the
// link that was opened, then every message with its time in ms.
func (s *State) Record() string {
	var b strings.Builder
	line := func(v any) {
		text, err := json.Marshal(v)
		if err != nil {
			text, _ = json.Marshal(err.Error())
		}
		b.Write(append(text, '\n'))
	}
	line(map[string]any{"engine": version.Engine, "link": s.record.link})
	for _, e := range s.record.entries {
		line(map[string]any{"at": e.At, "do": strings.TrimPrefix(fmt.Sprintf("%T", e.Message), "page."), "with": e.Message})
	}
	return b.String()
}
