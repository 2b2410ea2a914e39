package ui

import (
	"errors"
	"slices"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/param"
	"flockscope/ui/files"
	"flockscope/ui/host"
)

// Set changes one setting, by its key in the query. A refused text stays in
// its field with the reason beside it, and nothing else changes. While done is
// false more changes of the same setting follow, as in a drag: together they
// are one step of undo.
func (a *App) Set(key, text string, done bool) {
	next, err := a.Config.With(key, text)
	if err != nil {
		a.drafts[key] = draft{text, reason(err)}
		a.Host.Change(host.Shell)
		return
	}
	next = a.Files.Adapt(next)
	delete(a.drafts, key)
	a.Adopt(next, key, done)
}

// Slide is Set by a slider.
func (a *App) Slide(key, text string, done bool) {
	a.history.Slide(key, a.Host.Now())
	a.Set(key, text, done)
	a.history.Slid(key, a.Host.Now())
}

// Type keeps a text that is being typed, so that the field is left alone until
// it is complete.
func (a *App) Type(key, text string) { a.drafts[key] = draft{text: text} }

// Leave ends the typing: a text that was given up is forgotten, so that the field
// follows the settings again. A refused one stays with its reason.
func (a *App) Leave(key string) {
	if d, ok := a.drafts[key]; ok && d.why == "" {
		delete(a.drafts, key)
		a.Host.Change(host.Shell)
	}
}

// reason is what stands under a control: the control itself says which.
func reason(err error) string {
	var e *param.Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	text := "Wanted: " + e.Want
	if e.Hint != "" {
		text += " (" + e.Hint + ")"
	}
	return text + "."
}

// Adopt makes next the configuration and asks for its run.
func (a *App) Adopt(next experiment.Config, key string, done bool) {
	same := a.Config.String() == next.String()
	a.history.Change(key, a.step(), same, done)
	if !same {
		a.become(next)
		return
	}
	a.Config = next
	a.forgetControls()
	a.checkSteps() // a drag may have ended here
	a.Host.Change(host.Shell)
	a.Background.Dispatch()
}

// become makes next the configuration and asks for its run, whatever was asked
// for before.
func (a *App) become(next experiment.Config) {
	before := a.Config
	a.Config = next
	a.forgetControls()
	a.Background.DropStale()
	// What is open for a lane stays with that lane when others come and go.
	a.Lane = max(0, a.sameLane(before, a.Lane))
	a.Tuning = a.sameLane(before, a.Tuning)
	a.Export.Copied, a.Export.LinkText = "", ""
	a.Request()
	a.Host.Change(host.Shell | host.Figures | host.Link)
}

// forgetControls forgets what was made for the configuration before.
func (a *App) forgetControls() {
	clear(a.controls)
	a.recheck()
	a.Background.Changed()
}

// recheck forgets the refusals that the present settings no longer give: what
// another setting stood in the way of can now be entered.
func (a *App) recheck() {
	for key, d := range a.drafts {
		if d.why == "" {
			continue
		}
		_, err := a.Config.With(key, d.text)
		if err == nil {
			delete(a.drafts, key)
		} else {
			a.drafts[key] = draft{d.text, reason(err)}
		}
	}
}

// sameLane returns where a lane of an earlier configuration stands now: by its
// name, else in its place, else −1.
func (a *App) sameLane(before experiment.Config, lane int) int {
	if lane < 0 || lane >= len(before.Lanes()) {
		return -1
	}
	lanes := a.Config.Lanes()
	id := before.Lanes()[lane].ID()
	if i := slices.IndexFunc(lanes, func(l experiment.Lane) bool { return l.ID() == id }); i >= 0 {
		return i
	}
	if lane < len(lanes) && len(lanes) == len(before.Lanes()) {
		return lane
	}
	return -1
}

// step is what an undo goes back to: the settings, and the files of the user's if
// there were any.
type step struct {
	experiment.Config
	own *files.Loaded
}

// step is what is on stage, to go back to.
func (a *App) step() step { return step{a.Config, a.Files.InUse()} }

// CanUndo says whether there is something to take back.
func (a *App) CanUndo() bool { return a.history.CanUndo() }

// CanRedo says whether an undo can be taken back.
func (a *App) CanRedo() bool { return a.history.CanRedo() }

// Undo takes the last change of settings back.
func (a *App) Undo() {
	if then, ok := a.history.Undo(a.step()); ok {
		a.goBack(then)
	}
}

// Redo repeats the change that was taken back last.
func (a *App) Redo() {
	if then, ok := a.history.Redo(a.step()); ok {
		a.goBack(then)
	}
}

// goBack puts a step on stage.
func (a *App) goBack(to step) {
	clear(a.drafts)
	if to.own != nil && to.own != a.Files.InUse() { // files that came since are not sent away
		a.Files.BringBack(to.own)
	}
	a.become(to.Config)
}

// Text is what a field shows: what was typed and refused, else the value.
func (a *App) Text(key string) string {
	if d, ok := a.drafts[key]; ok {
		return d.text
	}
	return a.Value(key)
}

// Value is the canonical text of a key, whatever was typed and refused.
func (a *App) Value(key string) string {
	if id, name, ok := CutLane(key); ok {
		for i := range a.Config.Lanes() {
			if a.Config.Lanes()[i].ID() == id {
				return a.Config.LaneValue(i, name)
			}
		}
	}
	return a.Config.Value(key)
}

// Why is the reason why a field's text was refused, "" if it was not.
func (a *App) Why(key string) string { return a.drafts[key].why }

func CutLane(key string) (id, name string, ok bool) {
	i := strings.LastIndex(key, ".")
	if i < 0 {
		return "", "", false
	}
	return key[:i], key[i+1:], true
}

// Sections are the parts of the settings panel, in order.
var Sections = []param.Section{param.Data, param.Models, param.Run}

// NewSeeds gives data, models and algorithm other random numbers. The three
// seeds move together, so that undoing is one step.
func (a *App) NewSeeds() {
	a.Adopt(a.Config.Reseeded(1), "", true)
}

// Lane editing. All of it is a change of the one key "algos".

// Unused returns the algorithms that no lane runs.
func (a *App) Unused() []string {
	var out []string
	for i := range a.Schema.Algorithms {
		name := a.Schema.Algorithms[i].Name
		if !slices.ContainsFunc(a.Config.Lanes(), func(l experiment.Lane) bool { return l.Algorithm == name }) {
			out = append(out, name)
		}
	}
	return out
}

// ToggleAdding opens and closes the list of algorithms to add.
func (a *App) ToggleAdding() {
	a.Adding = !a.Adding
	a.Host.Change(host.Shell)
}

// AddLane adds a lane for the algorithm; a second one of the same algorithm
// gets a label.
func (a *App) AddLane(algorithm string) {
	a.Adding = false
	ids := a.laneIDs()
	a.setLanes(append(ids, fresh(ids, algorithm)))
}

// RemoveLane takes a lane away.
func (a *App) RemoveLane(lane int) { a.setLanes(slices.Delete(a.laneIDs(), lane, lane+1)) }

// ChangeLane runs another algorithm in a lane.
func (a *App) ChangeLane(lane int, algorithm string) {
	ids := a.laneIDs()
	if a.Config.Lanes()[lane].Algorithm == algorithm {
		return
	}
	ids[lane] = "" // its old name is free
	ids[lane] = fresh(ids, algorithm)
	a.setLanes(ids)
}

func (a *App) laneIDs() []string {
	ids := make([]string, 0, experiment.MaxLanes)
	for i := range a.Config.Lanes() {
		ids = append(ids, a.Config.Lanes()[i].ID())
	}
	return ids
}

func (a *App) setLanes(ids []string) {
	next, err := a.Config.With("algos", strings.Join(ids, ","))
	if err != nil {
		a.Notify(err.Error() + ".")
		return
	}
	a.Adopt(next, "", true)
}

// fresh returns an id for the algorithm that is not among ids.
func fresh(ids []string, algorithm string) string {
	id := algorithm
	for label := 'b'; slices.Contains(ids, id); label++ {
		id = algorithm + ":" + string(label)
	}
	return id
}

func (a *App) IsSeed(name string) bool {
	for i := range a.Schema.Seeds {
		if a.Schema.Seeds[i].Name == name {
			return true
		}
	}
	return false
}
