package page

import (
	"errors"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/param"
	"flockscope/sim/say"
	"flockscope/ui/host"
)

// Settings has the controls of the configuration, and undo.
type Settings struct {
	page     *State
	history  History[undoStep]
	drafts   map[string]refusedText  // texts being typed or refused, by key
	controls map[panelSection][]Node // cache for the present configuration
}

// refusedText is a typed text, and why it was refused, "" while the user types.
type refusedText struct{ text, reason string }

// ChangeSetting: the user changes a setting, by its key in the query. A refused text stays in its
// field with the reason, and nothing else changes. While Done is false, more changes of the same
// setting follow, as in a drag: together they are one step of undo.
type ChangeSetting struct {
	Key, Text string
	Done      bool
}

func (m ChangeSetting) update(state *State) {
	s := state.Settings
	next, err := state.Config.With(m.Key, m.Text)
	if err != nil {
		s.drafts[m.Key] = refusedText{m.Text, reason(err)}
		state.effects.Redraw(host.Shell)
		return
	}
	next = state.Files.AdaptConfig(next)
	delete(s.drafts, m.Key)
	s.Adopt(next, m.Key, m.Done)
}

// SlideSetting: the user changes a setting with its slider.
type SlideSetting struct {
	Key, Text string
	Done      bool
}

func (m SlideSetting) update(s *State) {
	s.Settings.history.BeginSlide(m.Key, s.now)
	ChangeSetting(m).update(s)
	s.Settings.history.EndSlide(m.Key, s.now)
}

// TypeSetting: the user types into a field, which keeps the text until it is complete.
type TypeSetting struct{ Key, Text string }

func (m TypeSetting) update(s *State) {
	s.Settings.drafts[m.Key] = refusedText{text: m.Text}
}

// LeaveField: a field loses the focus. It shows its setting again unless its text was refused.
type LeaveField struct{ Key string }

func (m LeaveField) update(s *State) {
	if d, ok := s.Settings.drafts[m.Key]; ok && d.reason == "" {
		delete(s.Settings.drafts, m.Key)
		s.effects.Redraw(host.Shell)
	}
}

// reason returns the text below a control with a refused text.
func reason(err error) string {
	var e *param.Error
	if !errors.As(err, &e) {
		return say.Text(say.Of(err))
	}
	return say.Text(e.Expected())
}

// refuse shows why engines have refused the value of a setting, beside its control. The next change of settings removes
// it.
func (s *Settings) refuse(key string, why say.Message) {
	s.drafts[key] = refusedText{s.Value(key), say.Text(why)}
}

// Adopt makes next the configuration and requests its run.
func (s *Settings) Adopt(next experiment.Config, key string, done bool) {
	same := s.page.Config.String() == next.String()
	s.history.Change(key, s.current(), same, done)
	if !same {
		s.page.setConfig(next)
		return
	}
	s.page.keepRun(next)
}

// ConfigChanged drops what depends on the previous configuration.
func (s *Settings) ConfigChanged() {
	clear(s.controls)
	s.recheckRefused()
}

// Clear does the same and also drops all typed texts.
func (s *Settings) Clear() {
	clear(s.controls)
	clear(s.drafts)
}

// recheckRefused drops refusals that the present settings no longer cause.
func (s *Settings) recheckRefused() {
	for key, d := range s.drafts {
		if d.reason == "" {
			continue
		}
		_, err := s.page.Config.With(key, d.text)
		if err == nil {
			delete(s.drafts, key)
		} else {
			s.drafts[key] = refusedText{d.text, reason(err)}
		}
	}
}

// undoStep is the state that an undo restores: the settings, and the user's files if any.
type undoStep struct {
	experiment.Config
	files *FileData
}

// current returns the present state as a step.
func (s *Settings) current() undoStep { return undoStep{s.page.Config, s.page.Files.InUse()} }

// CanUndo reports whether there is a step to undo.
func (s *Settings) CanUndo() bool { return s.history.CanUndo() }

// CanRedo reports whether there is an undo to repeat.
func (s *Settings) CanRedo() bool { return s.history.CanRedo() }

// Undo: the user undoes the last change of settings.
type Undo struct{}

func (Undo) update(state *State) {
	s := state.Settings
	if then, ok := s.history.Undo(s.current()); ok {
		s.restore(then)
	}
}

// Redo: the user repeats the last undone change.
type Redo struct{}

func (Redo) update(state *State) {
	s := state.Settings
	if then, ok := s.history.Redo(s.current()); ok {
		s.restore(then)
	}
}

// restore applies a step.
func (s *Settings) restore(to undoStep) {
	clear(s.drafts)
	if to.files != nil && to.files != s.page.Files.InUse() { // a step without files keeps the present ones
		s.page.Files.restore(to.files)
	}
	s.page.setConfig(to.Config)
}

// Text returns the text in a field: what the user has typed, else the value.
func (s *Settings) Text(key string) string {
	if d, ok := s.drafts[key]; ok {
		return d.text
	}
	return s.Value(key)
}

// Value returns the canonical text of a setting, independent of typed texts.
func (s *Settings) Value(key string) string {
	if id, name, ok := CutLane(key); ok {
		for i := range s.page.Config.Lanes() {
			if s.page.Config.Lanes()[i].ID() == id {
				return s.page.Config.LaneValue(i, name)
			}
		}
	}
	return s.page.Config.Value(key)
}

// Reason returns why a field's text was refused, "" if it was not.
func (s *Settings) Reason(key string) string { return s.drafts[key].reason }

// CutLane splits the key of a lane's own setting into the lane's id and the setting's name.
func CutLane(key string) (id, name string, ok bool) {
	i := strings.LastIndex(key, ".")
	if i < 0 {
		return "", "", false
	}
	return key[:i], key[i+1:], true
}

// Sections are the sections of the settings panel, in order.
var Sections = []param.Section{param.Data, param.Models, param.Run}

// NewSeeds: the user replaces the three seeds, of data, models and algorithms, in one step.
type NewSeeds struct{}

func (NewSeeds) update(s *State) {
	s.Settings.Adopt(s.Config.Reseeded(1), "", true)
}

// PushUndo makes the present state a step of undo, also during a drag.
func (s *Settings) PushUndo() {
	s.history.Push(s.current())
	s.history.EndDrag()
}

// Previous returns the files and the configuration that undo would restore.
func (s *Settings) Previous() (*FileData, experiment.Config, bool) {
	before, ok := s.history.Previous()
	return before.files, before.Config, ok
}

// ForgetSteps calls keep for the files of the steps, newest first, and drops the first step refused
// with all older ones.
func (s *Settings) ForgetSteps(keep func(step *FileData) bool) {
	s.history.Trim(func(at undoStep) bool { return keep(at.files) })
}

// Dragged returns the key of the setting that is being dragged, "" for none.
func (s *Settings) Dragged() string { return s.history.Dragged() }

// IsSeed reports whether a setting is one of the seeds.
func (s *Settings) IsSeed(name string) bool {
	for i := range s.page.Schema.Seeds {
		if s.page.Schema.Seeds[i].Name == name {
			return true
		}
	}
	return false
}

// settingAction returns the button that changes a setting.
func (s *Settings) settingAction(key, value string) Action {
	name := key
	if f, ok := s.page.Schema.Field(key); ok {
		name = f.Label
	}
	return Action{Label: say.Messagef("Set %s to %s", say.Message(name), value),
		Do: ChangeSetting{Key: key, Text: value, Done: true}}
}
