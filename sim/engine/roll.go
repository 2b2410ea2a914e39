package engine

import "flockscope/sim/trace"

// callRoll has some of the clients take part in round t.
func (l *lane) callRoll(t int) {
	f := &l.frame
	here, lost := l.roll.call(t)
	l.round.Attend(here, lost)
	f.Events |= trace.Partial
	f.State = room(f.State, len(l.label))
	for i := range f.State {
		f.State[i] = trace.Absent
	}
	for _, i := range here {
		f.State[i] = trace.Present
	}
}

// closeRoll notes who of them was heard of to the end.
func (l *lane) closeRoll() {
	for i, state := range l.frame.State {
		switch {
		case state != trace.Present:
		case l.round.Dropped(i):
			l.frame.State[i] = trace.Lost
		default:
			l.seen[i] = true
		}
	}
}

// heard returns groups and labels of the clients that have taken part so far: of
// the others no server knows anything.
func (l *lane) heard() (group, label []int) {
	l.known = l.known[:0]
	for i, seen := range l.seen {
		if seen {
			l.known = append(l.known, l.group[i])
		}
	}
	n := len(l.known)
	for i, seen := range l.seen {
		if seen {
			l.known = append(l.known, l.label[i])
		}
	}
	return l.known[:n], l.known[n:]
}
