package page

import (
	"slices"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/say"
	"flockscope/sim/wire"
)

// The files in use: a part of what is on screen, as the settings are, so that an
// undo brings back those before them.

// FileData is files that the engine has taken.
type FileData struct {
	fileSet
	words  say.Message // what is in them
	data   string      // the data that they are good for: "csv" or "samples"
	forced []forcedSetting
	roles  string   // what was asked of their columns, as a query
	table  []Column // their columns, if they are a table
	hash   string   // see identity; "" until somebody asks
}

// forcedSetting is a setting that files bring along and take with them again: what has no
// pictures cannot be turned, whatever was chosen for the data before.
type forcedSetting struct{ key, value, before string }

// applyForced gives the settings that the files need to a configuration of their data.
func (l *FileData) applyForced(c experiment.Config) (experiment.Config, error) {
	if strings.Contains(l.roles, keptSettings) {
		l.forced = slices.DeleteFunc(l.forced, func(s forcedSetting) bool { _, given := c.Given(s.key); return given })
	}
	pairs := make([][2]string, len(l.forced))
	for i := range l.forced {
		s := &l.forced[i]
		s.before, _ = c.Given(s.key)
		pairs[i] = [2]string{s.key, s.value}
	}
	return c.WithAll(pairs)
}

// restoreForced takes back what was lent, unless the person has chosen anew since.
func (l *FileData) restoreForced(c experiment.Config) experiment.Config {
	for _, s := range l.forced {
		if c.Value(s.key) == s.value {
			c = c.Reset(s.key, s.before)
		}
	}
	return c
}

// use makes files the user's own: a step that can be taken back.
func (f *Files) use(own *FileData) error {
	next := f.page.Config
	if f.inUse != nil {
		next = f.inUse.restoreForced(next)
	}
	next, err := next.WithAll([][2]string{{"data", own.data}})
	if err == nil {
		next, err = own.applyForced(next)
	}
	if err != nil {
		return err
	}
	f.page.Settings.PushUndo()
	f.inUse = own
	f.forgetOldFiles()
	f.page.jobs().ForgetFiles()
	if slices.ContainsFunc(f.waiting, func(w pendingFiles) bool { return w.again }) {
		f.renewFiles() // the engine is about to take earlier ones again
	}
	f.page.setConfig(next)
	return nil
}

// restore makes files the user's own that were so before.
func (f *Files) restore(own *FileData) {
	f.inUse = own
	f.page.jobs().ForgetFiles()
	f.renewFiles()
}

// renewFiles tells the engines again of the files in use.
func (f *Files) renewFiles() {
	if f.inUse != nil {
		f.sendToEngines(pendingFiles{fileSet: f.inUse.fileSet, again: true, roles: f.inUse.roles})
	}
}

// forgetOldFiles keeps the history small: it goes back as far as there is room for the
// files of its steps, and to those that were last in use in any case. A step without
// its files would show others.
func (f *Files) forgetOldFiles() {
	kept := []*FileData{nil, f.inUse}
	room := MaxFiles
	f.page.Settings.ForgetSteps(func(step *FileData) bool {
		if slices.Contains(kept, step) {
			return true
		}
		if room -= step.size(); room < 0 && len(kept) > 2 {
			return false
		}
		kept = append(kept, step)
		return true
	})
}

// Adapt gives the settings that the user's files need to a configuration that
// comes to their data, and takes them back from one that leaves them.
func (f *Files) Adapt(next experiment.Config) experiment.Config {
	if f.inUse == nil || next.Workload() == f.page.Config.Workload() {
		return next
	}
	if f.page.Config.Workload() == f.inUse.data {
		return f.inUse.restoreForced(next)
	}
	if next.Workload() == f.inUse.data {
		if lent, err := f.inUse.applyForced(next); err == nil {
			return lent
		}
	}
	return next
}

// undoAction offers to take files back, while taking them is the last step.
func (f *Files) undoAction() []Action {
	before, config, ok := f.page.Settings.Previous()
	if !ok || before == f.inUse {
		return nil
	}
	name := say.Message("the previous data")
	if before != nil && config.NeedsFile() {
		name = before.names()
	}
	return []Action{{Label: say.Messagef("Back to %s", name), Do: Undo{}}}
}

// Words are a few words on what is in the user's files.
func (f *Files) Words() say.Message {
	if f.inUse == nil {
		return ""
	}
	return f.inUse.words
}

// InUse are the files in use, nil if there are none.
func (f *Files) InUse() *FileData { return f.inUse }

// Originals are the files in use as they came, nil if there are none.
func (f *Files) Originals() []wire.NamedFile {
	if f.inUse == nil {
		return nil
	}
	return f.inUse.fileSet
}
