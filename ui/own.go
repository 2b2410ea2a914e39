package ui

import (
	"slices"
	"strings"

	"flockscope/sim/experiment"
)

// The files in use: a part of what is on stage, as the settings are, so that an
// undo brings back those before them.

// brought is files that the engine has taken.
type brought struct {
	offer
	words string // what is in them
	data  string // the data that they are good for: "csv" or "samples"
	loans []loan
	roles string   // what was asked of their columns, as a query
	table []Column // their columns, if they are a table
}

// loan is a setting that files bring along and take with them again: what has no
// pictures cannot be turned, whatever was chosen for the data before.
type loan struct{ key, value, before string }

// lend gives the settings that the files need to a configuration of their data.
func (f *brought) lend(c experiment.Config) (experiment.Config, error) {
	if strings.Contains(f.roles, keptSettings) {
		f.loans = slices.DeleteFunc(f.loans, func(l loan) bool { _, given := c.Given(l.key); return given })
	}
	pairs := make([][2]string, len(f.loans))
	for i := range f.loans {
		l := &f.loans[i]
		l.before, _ = c.Given(l.key)
		pairs[i] = [2]string{l.key, l.value}
	}
	return c.WithAll(pairs)
}

// settle takes back what was lent, unless the person has chosen anew since.
func (f *brought) settle(c experiment.Config) experiment.Config {
	for _, l := range f.loans {
		if c.Value(l.key) == l.value {
			c = c.Restored(l.key, l.before)
		}
	}
	return c
}

// take makes files the user's own: a step that can be taken back.
func (a *App) take(own *brought) error {
	next := a.Config
	if a.own != nil {
		next = a.own.settle(next)
	}
	next, err := next.WithAll([][2]string{{"data", own.data}})
	if err == nil {
		next, err = own.lend(next)
	}
	if err != nil {
		return err
	}
	a.history.Remember(a.step())
	a.history.EndDrag()
	a.own = own
	a.forgetOldFiles()
	a.Background.Forget()
	if slices.ContainsFunc(a.offered, func(w waiter) bool { return w.again }) {
		a.renewFiles() // the engine is about to take earlier ones again
	}
	a.become(next)
	return nil
}

// bringBack makes files the user's own that were so before.
func (a *App) bringBack(own *brought) {
	a.own = own
	a.Background.Forget()
	a.renewFiles()
}

// renewFiles tells the engines again of the files in use.
func (a *App) renewFiles() {
	if a.own != nil {
		a.hand(waiter{offer: a.own.offer, again: true, roles: a.own.roles})
	}
}

// forgetOldFiles keeps the history small: it goes back as far as there is room for the
// files of its steps, and to those that were last in use in any case. A step without
// its files would show others.
func (a *App) forgetOldFiles() {
	kept := []*brought{nil, a.own}
	room := MaxFiles
	a.history.Trim(func(s step) bool {
		if slices.Contains(kept, s.own) {
			return true
		}
		if room -= s.own.size(); room < 0 && len(kept) > 2 {
			return false
		}
		kept = append(kept, s.own)
		return true
	})
}

// comeAndGo gives the settings that the user's files need to a configuration that
// comes to their data, and takes them back from one that leaves them.
func (a *App) comeAndGo(next experiment.Config) experiment.Config {
	if a.own == nil || next.Workload() == a.Config.Workload() {
		return next
	}
	if a.Config.Workload() == a.own.data {
		return a.own.settle(next)
	}
	if next.Workload() == a.own.data {
		if lent, err := a.own.lend(next); err == nil {
			return lent
		}
	}
	return next
}

// wayBack offers to take files back, while taking them is the last step.
func (a *App) wayBack() []Way {
	before, ok := a.history.Last()
	if !ok || before.own == a.own {
		return nil
	}
	name := "the data before"
	if before.own != nil && before.NeedsFile() {
		name = before.own.names()
	}
	return []Way{{"Back to " + name, a.Undo}}
}

// OwnFileWords are a few words on what is in the user's files.
func (f *userFiles) OwnFileWords() string {
	if f.own == nil {
		return ""
	}
	return f.own.words
}
