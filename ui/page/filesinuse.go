package page

import (
	"slices"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/say"
)

// The files in use are part of the state that undo restores, as the settings are.

// FileData are files that the engine has accepted.
type FileData struct {
	fileSet
	words  say.Message // description
	data   string      // the data that they provide: "csv" or "samples"
	forced []forcedSetting
	roles  string   // roles of the columns, as a query
	table  []Column // the columns of a table, else nil
	hash   string   // see identity; "" until its first use

	modelsCompared bool // the user knows that K is an assumption; see modelCountNotice
}

// forcedSetting is a setting that files require, such as no rotation of samples that are no images.
// It is reset when the files are removed.
type forcedSetting struct{ key, value, before string }

// applyForced returns a configuration of the files' data with the settings that they require.
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

// restoreForced resets the required settings that the user has not changed since.
func (l *FileData) restoreForced(c experiment.Config) experiment.Config {
	for _, s := range l.forced {
		if c.Value(s.key) == s.value {
			c = c.Reset(s.key, s.before)
		}
	}
	return c
}

// adopt puts files into use, as an undoable step.
func (f *Files) adopt(own *FileData) error {
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
	if slices.ContainsFunc(f.pending, func(w pendingFiles) bool { return w.resent }) {
		f.resendFiles() // the engine still has to answer about earlier files
	}
	f.page.setConfig(next)
	return nil
}

// restore puts earlier files into use again.
func (f *Files) restore(own *FileData) {
	f.inUse = own
	f.page.jobs().ForgetFiles()
	f.resendFiles()
}

// resendFiles sends the files in use to the engines again.
func (f *Files) resendFiles() {
	if f.inUse != nil {
		f.sendToEngines(pendingFiles{fileSet: f.inUse.fileSet, resent: true, roles: f.inUse.roles})
	}
}

// forgetOldFiles limits the memory of undo: it drops steps whose files exceed MaxFiles in total,
// except the last files in use. A step without its files would show others.
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

// AdaptConfig applies the required settings of the user's files to a configuration that switches to
// their data, and resets them in one that switches away.
func (f *Files) AdaptConfig(next experiment.Config) experiment.Config {
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

// undoAction offers to undo the opening of files while it is the last step.
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

// Words returns a short description of the user's files.
func (f *Files) Words() say.Message {
	if f.inUse == nil {
		return ""
	}
	return f.inUse.words
}

// InUse returns the files in use, nil for none.
func (f *Files) InUse() *FileData { return f.inUse }
