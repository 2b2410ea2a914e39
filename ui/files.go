package ui

import (
	"slices"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/wire"
)

// Files of the user's: they are read in the page, judged by the engine, and go
// nowhere else.

// MaxFiles is the most bytes that the files of one choice may have together.
const MaxFiles = 200 << 20

// offer is files that were chosen together.
type offer []wire.Named

// names says which files these are, in a few words.
func (o offer) names() string {
	switch len(o) {
	case 0:
		return ""
	case 1:
		return o[0].Name
	case 2:
		return o[0].Name + " and " + o[1].Name
	}
	return o[0].Name + " and " + itoa(len(o)-1) + " more"
}

// brought is files that the engine has taken.
type brought struct {
	offer
	words string // what is in them
	data  string // the data that they are good for: "csv" or "samples"
	loans []loan
}

// loan is a setting that files bring along and take with them again: what has no
// pictures cannot be turned, whatever was chosen for the data before.
type loan struct{ key, value, before string }

// lend gives the settings that the files need to a configuration of their data.
func (f *brought) lend(c experiment.Config) (experiment.Config, error) {
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

// waiter is what an engine has yet to answer about: files that somebody offers,
// or those in use, which it is told of again.
type waiter struct {
	offer
	again bool
}

// waitsForFile reports that nothing can be computed until the user brings files
// that the data are made of.
func (a *App) waitsForFile() bool {
	return a.Config.NeedsFile() && (a.own == nil || a.own.data != a.Config.Workload())
}

// needFile is said where the data come from files that are not there: a link
// cannot carry them.
const needFile = "These data come from files of your own: drop them anywhere on the page, or open them under Data. Nothing new can be computed until then."

// aboutFile is the number of messages that are about no run.
const aboutFile = 0

// ReadFiles says that files are being read, until they are opened or cannot be.
func (a *App) ReadFiles(names string) {
	a.Reading = names
	a.OnChange(Shell)
}

// ReadFailed says that the browser could not read files.
func (a *App) ReadFailed(names string) {
	a.Reading = ""
	a.decline(names + " could not be read")
}

// ReadingWords says which files are on their way, from wherever they come.
func (a *App) ReadingWords() string {
	names := a.Reading
	for _, w := range a.offered {
		if !w.again {
			names = w.names()
		}
	}
	if names == "" {
		return a.Fetching.Words
	}
	return "Reading " + names + " …"
}

// OpenFiles hands files that belong together to the engine.
func (a *App) OpenFiles(files []wire.Named) {
	a.Reading = ""
	size := 0
	for _, f := range files {
		size += len(f.Data)
	}
	if len(files) == 0 {
		return
	}
	a.unsay(a.refused)
	if a.tooLarge(offer(files).names(), size) {
		return
	}
	if len(files) == 1 && isRunFile(files[0].Data) {
		a.openRun(files[0])
		return
	}
	a.hand(waiter{offer: files})
	a.OnChange(Shell)
}

// hand gives files to all engines.
func (a *App) hand(w waiter) {
	a.offered = append(a.offered, w)
	for engine := range a.Engines {
		a.OnSend(engine, fileMessage(w.offer))
	}
}

// tooLarge says so where files of that size cannot be taken.
func (a *App) tooLarge(names string, size int) bool {
	if size <= MaxFiles {
		return false
	}
	a.decline("Too large: " + names + ", " + megabytes(size) + "; the most is " + megabytes(MaxFiles))
	return true
}

// decline says why files were not taken, until the next ones come.
func (a *App) decline(why string) {
	a.unsay(a.refused)
	a.refused = strings.TrimSuffix(why, ".") + ". Nothing was changed."
	a.notify(a.refused)
	a.OnChange(Shell)
}

// megabytes writes a number of bytes, rounded up.
func megabytes(n int) string { return itoa((n+1<<20-1)>>20) + " MB" }

// fileMessage is the message that carries files to an engine.
func fileMessage(files []wire.Named) []byte {
	var m wire.Message
	m.Reset(aboutFile)
	for _, f := range files {
		m.File(f.Name, f.Data)
	}
	return m.Bytes()
}

// fileMessages are what a new engine must be told: the files in use, those that
// no engine has answered about yet, and to wait where all wait. Of all engines
// the first one's answers count.
func (a *App) fileMessages(first bool) [][]byte {
	a.offered = slices.DeleteFunc(a.offered, func(w waiter) bool { return w.again && first })
	var out [][]byte
	if a.own != nil {
		out = append(out, fileMessage(a.own.offer))
	}
	for _, w := range a.offered {
		out = append(out, fileMessage(w.offer))
	}
	if a.own != nil && first {
		a.offered = slices.Insert(a.offered, 0, waiter{a.own.offer, true})
	}
	if a.held {
		out = append(out, holdMessage(true))
	}
	return out
}

// answer takes what the engine says about files: which data they are good for,
// with the settings that they need, and a few words. Refused ones change nothing:
// those before them, if any, stay.
func (a *App) answer(kind wire.Kind, words string) {
	if len(a.offered) == 0 {
		return
	}
	w := a.offered[0]
	a.offered = slices.Delete(a.offered, 0, 1)
	a.OnChange(Shell)
	switch {
	case w.again:
		return
	case kind == wire.Refused:
		a.decline(words)
		return
	}
	needs, words, _ := strings.Cut(words, " ")
	data, settings, _ := strings.Cut(needs, "&")
	own := &brought{offer: w.offer, words: words, data: data}
	for setting := range strings.SplitSeq(settings, "&") {
		if key, value, ok := strings.Cut(setting, "="); ok {
			own.loans = append(own.loans, loan{key: key, value: value})
		}
	}
	if err := a.take(own); err != nil {
		a.notify(err.Error() + ".")
		a.renewFiles() // the engine holds others than the page
	}
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
	a.remember()
	a.own, a.editing = own, ""
	a.forgetOldFiles()
	a.forgetTrials()
	if slices.ContainsFunc(a.offered, func(w waiter) bool { return w.again }) {
		a.renewFiles() // the engine is about to take earlier ones again
	}
	a.become(next)
	return nil
}

// bringBack makes files the user's own that were so before.
func (a *App) bringBack(own *brought) {
	a.own = own
	a.forgetTrials()
	a.renewFiles()
}

// renewFiles tells the engines again of the files in use.
func (a *App) renewFiles() {
	if a.own != nil {
		a.hand(waiter{a.own.offer, true})
	}
}

// forgetOldFiles keeps the history small: of the files that an undo could bring
// back, those last in use stay.
func (a *App) forgetOldFiles() {
	var last *brought
	for i := range slices.Backward(a.past) {
		own := &a.past[i].own
		if last == nil && *own != a.own {
			last = *own
		}
		if *own != a.own && *own != last {
			*own = nil
		}
	}
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
	if len(a.past) == 0 || a.past[len(a.past)-1].own == a.own {
		return nil
	}
	before := a.past[len(a.past)-1]
	name := "the data before"
	if before.own != nil && before.NeedsFile() {
		name = before.own.names()
	}
	return []Way{{"Back to " + name, a.Undo}}
}

// ownWords are a few words on what is in the user's files.
func (a *App) ownWords() string {
	if a.own == nil {
		return ""
	}
	return a.own.words
}
