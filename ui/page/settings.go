package page

import (
	"errors"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/param"
	"flockscope/sim/say"
	"flockscope/ui/host"
)

// Settings are the controls of the configuration, and undo.
type Settings struct {
	page     *State
	history  History[undoStep]
	drafts   map[string]refusedText  // texts that were refused, by key
	controls map[panelSection][]Node // of the present configuration, as far as they were asked for
}

// refusedText is a text as typed and why it was refused.
type refusedText struct{ text, why string }

// Set changes one setting, by its key in the query. A refused text stays in
// its field with the reason beside it, and nothing else changes. While done is
// false more changes of the same setting follow, as in a drag: together they
// are one step of undo.
type Set struct {
	Key, Text string
	Done      bool
}

func (m Set) update(state *State) {
	s := state.Settings
	next, err := state.Config.With(m.Key, m.Text)
	if err != nil {
		s.drafts[m.Key] = refusedText{m.Text, reason(err)}
		state.effects.Redraw(host.Shell)
		return
	}
	next = state.Files.Adapt(next)
	delete(s.drafts, m.Key)
	s.Adopt(next, m.Key, m.Done)
}

// Slide is Set by a slider.
type Slide struct {
	Key, Text string
	Done      bool
}

func (m Slide) update(s *State) {
	s.Settings.history.Slide(m.Key, s.now)
	Set(m).update(s)
	s.Settings.history.Slid(m.Key, s.now)
}

// TypeSetting keeps a text that is being typed, so that the field is left alone until
// it is complete.
type TypeSetting struct{ Key, Text string }

func (m TypeSetting) update(s *State) {
	s.Settings.drafts[m.Key] = refusedText{text: m.Text}
}

// LeaveField ends the typing: a text that was given up is forgotten, so that the field
// follows the settings again. A refused one stays with its reason.
type LeaveField struct{ Key string }

func (m LeaveField) update(s *State) {
	if d, ok := s.Settings.drafts[m.Key]; ok && d.why == "" {
		delete(s.Settings.drafts, m.Key)
		s.effects.Redraw(host.Shell)
	}
}

// reason is what stands under a control: the control itself says which.
func reason(err error) string {
	var e *param.Error
	if !errors.As(err, &e) {
		return say.Text(say.Of(err))
	}
	if e.Hint != "" {
		return say.Textf("Expected: %s (%s).", e.Want, e.Hint)
	}
	return say.Textf("Expected: %s.", e.Want)
}

// Adopt makes next the configuration and asks for its run.
func (s *Settings) Adopt(next experiment.Config, key string, done bool) {
	same := s.page.Config.String() == next.String()
	s.history.Change(key, s.now(), same, done)
	if !same {
		s.page.setConfig(next)
		return
	}
	s.page.keepRun(next)
}

// Changed forgets what was made for the configuration before.
func (s *Settings) Changed() {
	clear(s.controls)
	s.recheckRefused()
}

// Clear forgets that, and all that was typed.
func (s *Settings) Clear() {
	clear(s.controls)
	clear(s.drafts)
}

// recheckRefused forgets the refusals that the present settings no longer give: what
// another setting stood in the way of can now be entered.
func (s *Settings) recheckRefused() {
	for key, d := range s.drafts {
		if d.why == "" {
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

// undoStep is what an undo goes back to: the settings, and the files of the user's if
// there were any.
type undoStep struct {
	experiment.Config
	files *FileData
}

// now is what is on the page, to go back to.
func (s *Settings) now() undoStep { return undoStep{s.page.Config, s.page.Files.InUse()} }

// CanUndo says whether there is something to take back.
func (s *Settings) CanUndo() bool { return s.history.CanUndo() }

// CanRedo says whether an undo can be taken back.
func (s *Settings) CanRedo() bool { return s.history.CanRedo() }

// Undo takes the last change of settings back.
type Undo struct{}

func (Undo) update(state *State) {
	s := state.Settings
	if then, ok := s.history.Undo(s.now()); ok {
		s.restore(then)
	}
}

// Redo repeats the change that was taken back last.
type Redo struct{}

func (Redo) update(state *State) {
	s := state.Settings
	if then, ok := s.history.Redo(s.now()); ok {
		s.restore(then)
	}
}

// restore puts a step on screen.
func (s *Settings) restore(to undoStep) {
	clear(s.drafts)
	if to.files != nil && to.files != s.page.Files.InUse() { // files that came since are not sent away
		s.page.Files.restore(to.files)
	}
	s.page.setConfig(to.Config)
}

// Text is what a field shows: what was typed and refused, else the value.
func (s *Settings) Text(key string) string {
	if d, ok := s.drafts[key]; ok {
		return d.text
	}
	return s.Value(key)
}

// Value is the canonical text of a key, whatever was typed and refused.
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

// Why is the reason why a field's text was refused, "" if it was not.
func (s *Settings) Why(key string) string { return s.drafts[key].why }

// CutLane cuts the key of a lane's own setting into the lane's id and the setting.
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
type NewSeeds struct{}

func (NewSeeds) update(s *State) {
	s.Settings.Adopt(s.Config.Reseeded(1), "", true)
}

// PushUndo makes what is there now a step to go back to, whatever is on the move.
func (s *Settings) PushUndo() {
	s.history.Remember(s.now())
	s.history.EndDrag()
}

// Previous is what undo leads to: the configuration, and the files in use.
func (s *Settings) Previous() (*FileData, experiment.Config, bool) {
	before, ok := s.history.Last()
	return before.files, before.Config, ok
}

// ForgetSteps forgets the first step that is not to be kept, the newest first, with all
// before it. keep is asked about the files of a step.
func (s *Settings) ForgetSteps(keep func(step *FileData) bool) {
	s.history.Trim(func(at undoStep) bool { return keep(at.files) })
}

// Dragged is the key of the setting on the move, "" for none.
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

// offerSetting offers a setting in place of what was refused.
func (s *Settings) offerSetting(key, value string) Action {
	name := key
	if f, ok := s.page.Schema.Field(key); ok {
		name = f.Label
	}
	return Action{Label: say.Messagef("Set %s to %s", say.Message(name), value), Do: Set{Key: key, Text: value, Done: true}}
}
