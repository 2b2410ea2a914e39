package ui

import (
	"slices"
	"strings"

	"flockscope/sim/wire"
	"flockscope/ui/background"
	"flockscope/ui/export"
	"flockscope/ui/host"
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

// size is how many bytes they have together.
func (o offer) size() (n int) {
	for _, f := range o {
		n += len(f.Data)
	}
	return n
}

// waiter is what an engine has yet to answer about: files that somebody offers,
// or those in use, which it is told of again.
type waiter struct {
	offer
	again bool
	roles string // what is asked of the columns of a table, as a query
}

// WaitsForFile reports that nothing can be computed until the user brings files
// that the data are made of.
func (a *App) WaitsForFile() bool {
	return a.Config.NeedsFile() && (a.own == nil || a.own.data != a.Config.Workload())
}

// needFile is said where the data come from files that are not there: a link
// cannot carry them.
const needFile = "These data come from files of your own: drop them anywhere on the page, or open them under Data. Nothing new can be computed until then."

// aboutFile is the number of messages that are about no run.
const aboutFile = 0

// Offer says whether somebody holds files over the page, to let them go there.
func (a *App) Offer(held bool) {
	if a.Offered != held {
		a.Offered = held
		a.Host.Change(host.Shell)
	}
}

// ReadFiles says that files are being read, until they are opened or cannot be.
func (a *App) ReadFiles(names string) {
	a.Reading = names
	a.Host.Change(host.Shell)
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
	if len(files) == 0 {
		return
	}
	a.Withdraw(a.refused)
	if a.TooLarge(offer(files).names(), offer(files).size()) {
		return
	}
	if len(files) == 1 && background.IsResults(files[0].Data) {
		if why := a.Background.OpenResults(files[0].Name, files[0].Data); why != "" {
			a.decline(why)
			return
		}
		a.OpenSheet("sweep")
		return
	}
	if len(files) == 1 && export.IsRun(files[0].Data) {
		a.openRun(files[0])
		return
	}
	a.hand(waiter{offer: files, roles: a.rolesOfLink()})
	a.Host.Change(host.Shell)
}

// rolesOfLink are the roles of columns that a link asks for, whose files were not there
// yet.
func (a *App) rolesOfLink() string {
	if a.own != nil || !a.Config.Reads("cols") {
		return ""
	}
	return rolesQuery(a.Config.Value("cols"), a.Config.Value("na"))
}

func rolesQuery(cols, na string) string {
	query := ""
	if cols != "" {
		query = "cols=" + cols
	}
	if na == "mean" {
		query += "&na=mean"
	}
	return strings.TrimPrefix(query, "&")
}

// hand gives files to all engines.
func (a *App) hand(w waiter) {
	a.offered = append(a.offered, w)
	for engine := range a.Engines {
		a.Host.Send(engine, fileMessage(w.offer, w.roles))
	}
}

// TooLarge says so where files of that size cannot be taken.
func (a *App) TooLarge(names string, size int) bool {
	if size <= MaxFiles {
		return false
	}
	a.decline("Too large: " + names + ", " + Megabytes(size) + "; the most is " + Megabytes(MaxFiles))
	return true
}

// decline says why files were not taken, until the next ones come.
func (a *App) decline(why string, ways ...Way) {
	a.Withdraw(a.refused)
	a.refused = strings.TrimSuffix(why, ".") + ". Nothing was changed."
	a.Notify(a.refused, ways...)
	a.Host.Change(host.Shell)
}

// Megabytes writes a number of bytes, rounded up.
func Megabytes(n int) string { return itoa((n+1<<20-1)>>20) + " MB" }

// fileMessage is the message that carries files to an engine.
func fileMessage(files []wire.Named, roles string) []byte {
	var m wire.Message
	m.Reset(aboutFile)
	for _, f := range files {
		m.File(f.Name, f.Data)
	}
	if roles != "" {
		m.Text(wire.Roles, roles)
	}
	return m.Bytes()
}

// FileMessages are what a new engine must be told: the files in use, those that
// no engine has answered about yet, and to wait where all wait. Of all engines
// the first one's answers count.
func (a *App) FileMessages(first bool) [][]byte {
	a.offered = slices.DeleteFunc(a.offered, func(w waiter) bool { return w.again && first })
	var out [][]byte
	if a.own != nil {
		out = append(out, fileMessage(a.own.offer, a.own.roles))
	}
	for _, w := range a.offered {
		out = append(out, fileMessage(w.offer, w.roles))
	}
	if a.own != nil && first {
		a.offered = slices.Insert(a.offered, 0, waiter{offer: a.own.offer, again: true})
	}
	if a.enginesHeld {
		out = append(out, holdMessage(true))
	}
	return out
}

// answer takes what the engine says about files: which data they are good for,
// with the settings that they need, and a few words. Refused ones change nothing:
// those before them, if any, stay.
func (a *App) answer(kind wire.Kind, words string) {
	if kind == wire.Columns {
		a.columnsSeen = readColumns(words)
		return
	}
	if len(a.offered) == 0 || kind != wire.Refused && kind != wire.Accepted {
		return
	}
	w, table := a.offered[0], a.columnsSeen
	a.columnsSeen = nil
	a.offered = slices.Delete(a.offered, 0, 1)
	a.Host.Change(host.Shell)
	switch {
	case w.again:
		return
	case kind == wire.Refused:
		a.Unfit = nil
		var ways []Way
		if table != nil { // another choice of roles may do
			a.Unfit = &brought{offer: w.offer, words: strings.TrimSuffix(words, "."), roles: w.roles, table: table}
			ways = append(ways, Way{"Choose the roles of its columns", func() { a.OpenSheet("columns") }})
		}
		a.decline(words, ways...)
		return
	}
	a.Unfit = nil
	needs, words, _ := strings.Cut(words, " ")
	data, settings, _ := strings.Cut(needs, "&")
	own := &brought{offer: w.offer, words: words, data: data, roles: w.roles, table: table}
	for setting := range strings.SplitSeq(settings, "&") {
		if key, value, ok := strings.Cut(setting, "="); ok {
			own.loans = append(own.loans, loan{key: key, value: value})
		}
	}
	for _, l := range []loan{{key: "cols"}, {key: "na", value: "drop"}} { // a choice of before is taken back
		if table != nil && !slices.ContainsFunc(own.loans, func(o loan) bool { return o.key == l.key }) {
			own.loans = append(own.loans, l)
		}
	}
	if err := a.take(own); err != nil {
		a.Notify(err.Error() + ".")
		a.renewFiles() // the engine holds others than the page
	}
}
