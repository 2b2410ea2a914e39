// Package notices keeps what the page says that no control can say in its place.
package notices

import (
	"slices"

	"flockscope/sim/say"
)

// Notice is a text that stays until somebody dismisses it. It may offer what to do.
type Notice struct {
	Text say.Message
	Ways []Way
}

// Way is a button of a notice.
type Way struct {
	Words say.Message
	Do    func()
}

// List is the notices on the page, oldest first.
type List []Notice

// Add adds a notice, and reports whether it is new.
func (l *List) Add(text say.Message, ways ...Way) bool {
	if slices.ContainsFunc(*l, func(n Notice) bool { return n.Text == text }) {
		return false
	}
	*l = append(*l, Notice{text, ways})
	return true
}

// Withdraw removes the notice with a text, if there is one.
func (l *List) Withdraw(text say.Message) {
	*l = slices.DeleteFunc(*l, func(n Notice) bool { return n.Text == text })
}

// Remove removes the notice at a place.
func (l *List) Remove(i int) { *l = append((*l)[:i:i], (*l)[i+1:]...) }
