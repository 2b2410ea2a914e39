package ui

import (
	"slices"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/trace"
	"flockscope/ui/host"
	"flockscope/ui/words"
)

// pinned is a run that was pinned: it stays, pale, behind the runs that follow,
// so that one sees what a change of settings has changed. It is no part of a
// link, which tells of one run alone.
type pinned struct {
	run    *trace.Run // nil for none
	config experiment.Config
}

// TogglePin pins the run on screen, or lets go of the one that is pinned.
func (a *App) TogglePin() {
	switch {
	case a.pinned.run != nil:
		a.pinned = pinned{}
	case a.CanPin():
		config, _ := a.Schema.Parse(a.Run.Header.Query) // the present one may have been refused
		a.pinned = pinned{a.Run, config}
	}
	a.Host.Change(host.Shell | host.Figures)
}

// Pinned reports whether a run is pinned, CanPin whether there is a run to make
// one of.
func (a *App) Pinned() bool { return a.pinned.run != nil }

// CanPin reports whether the button does anything.
func (a *App) CanPin() bool {
	return a.Pinned() || a.Run != nil && a.Run.Done() && !a.Runs.Busy()
}

// runBehind is the run that is drawn behind the one on screen, nil for none.
func (a *App) runBehind() *trace.Run {
	if a.pinned.run == a.Run {
		return nil
	}
	return a.pinned.run
}

// WhatChanged says how the run on screen differs from the one that is pinned: in
// its settings, and in how its lanes end.
func (a *App) WhatChanged() string {
	then := a.runBehind()
	switch {
	case !a.Pinned():
		return ""
	case then == nil:
		return "Pinned. Change a setting: this run stays behind the next one."
	case !a.Run.Done() || a.Runs.Busy():
		return "Pinned run behind; this one is under way."
	}
	var lanes []string
	for i := range a.Run.Header.Lanes {
		l := &a.Run.Header.Lanes[i]
		j := slices.IndexFunc(then.Header.Lanes, func(old trace.Lane) bool { return old.ID == l.ID })
		if j >= 0 {
			lanes = append(lanes, l.Title+" "+words.CompareEnds(then, j, a.Run, i))
		}
	}
	text := strings.Join(a.changes(), ", ")
	if len(lanes) > 0 {
		text += ": " + strings.Join(lanes, "; ")
	}
	return text + "."
}

// changes are the settings that differ from those of the pinned run: "Gap Δφ 20° → 8°".
func (a *App) changes() []string {
	const most = 3
	var out []string
	seeds := false
	for _, f := range a.Config.Active() {
		then, now := a.pinned.config.Value(f.Name), a.Config.Value(f.Name)
		switch {
		case then == now:
		case a.Settings.IsSeed(f.Name):
			seeds = true
		default:
			out = append(out, f.Label+" "+then+f.Unit+" → "+now+f.Unit)
		}
	}
	if len(out) > most {
		out = append(out[:most], "and more")
	}
	if a.pinned.config.Workload() != a.Config.Workload() {
		out = append([]string{"other data"}, out...)
	}
	if seeds {
		out = append(out, "other seeds")
	}
	if len(out) == 0 {
		return []string{"Other lanes"}
	}
	out[0] = words.Capital(out[0])
	return out
}
