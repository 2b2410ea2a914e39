package page

// A Message is something that happened: an action of the user, an answer of an engine or of
// the browser. Its fields are all that is to be known of it.
type Message interface{ update(s *State) }
