package page

import "flockscope/ui/host"

// A Message is something that happened: an action of the user, or an answer of an engine or
// of the browser. Its fields are all that is to be known of it.
type Message interface{ update(s *State) }

// Update takes a message at a time in ms, of the clock of animation frames, and returns what
// the page asks for.
func (s *State) Update(now float64, m Message) host.Effects {
	s.now, s.effects = now, host.Effects{}
	m.update(s)
	s.jobs() // what is read of the jobs is up to date, too
	return s.effects
}
