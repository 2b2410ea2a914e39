package page

import (
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/say"
	"flockscope/sim/wire"
	"flockscope/ui/files"
	"flockscope/ui/host"
	"flockscope/ui/jobs"
)

// Files are the files of the user's.
type Files struct {
	Offered  bool        // somebody holds files over the page
	Reading  say.Message // names of files that the browser reads
	Fetching Fetching    // files that come from an address

	page        *State
	unfit       *Loaded     // a table that was refused, whose columns may have other roles
	columnsSeen []Column    // of the table that an engine is about to answer about
	inUse       *Loaded     // as the engines hold them; nil before any came
	waiting     []pending   // that the first engine has not answered about, oldest first
	refused     say.Message // what was last said of files that were refused
	asked       say.Message // which column is the client, "" for no question
}

// MaxFiles is the most bytes that the files of one choice may have together.
const MaxFiles = 200 << 20

// offer is files that were chosen together.
type offer []wire.Named

// names says which files these are, in a few words.
func (o offer) names() say.Message {
	switch len(o) {
	case 0:
		return ""
	case 1:
		return say.Name(o[0].Name)
	case 2:
		return say.ListMessage([]string{o[0].Name, o[1].Name})
	}
	return say.Messagef("%s and %d more", o[0].Name, len(o)-1)
}

// size is how many bytes they have together.
func (o offer) size() (n int) {
	for _, f := range o {
		n += len(f.Data)
	}
	return n
}

// pending is what an engine has yet to answer about: files that somebody offers,
// or those in use, which it is told of again.
type pending struct {
	offer
	again bool
	roles string // what is asked of the columns of a table, as a query
}

// WaitsForFile reports that nothing can be computed until the user brings files
// that the data are made of.
func (f *Files) WaitsForFile() bool {
	return f.page.Config.NeedsFile() && (f.inUse == nil || f.inUse.data != f.page.Config.Workload())
}

// Needed is said where the data come from files that are not there: a link
// cannot carry them.
const Needed = "These data come from your own files: drop them anywhere on the page, or open them under Data. Until " +
	"then nothing new can be computed."

// MessageID is the number of messages that are about no run.
const MessageID = 0

// OfferFiles says whether somebody holds files over the page, to let them go there.
type OfferFiles struct{ Held bool }

func (m OfferFiles) update(s *State) {
	if s.Files.Offered != m.Held {
		s.Files.Offered = m.Held
		s.effects.Redraw(host.Shell)
	}
}

// ReadFiles says which files the browser is about to read: they are handled if it may.
type ReadFiles struct {
	Names say.Message
	Size  int // in bytes, together
}

func (m ReadFiles) update(s *State) {
	if s.Files.tooLarge(m.Names, m.Size) {
		return
	}
	s.Files.Reading = m.Names
	s.effects.Handled = true
	s.effects.Redraw(host.Shell)
}

// ReadFailed says that the browser could not read files.
type ReadFailed struct{ Names say.Message }

func (m ReadFailed) update(s *State) {
	s.Files.Reading = ""
	s.Files.Decline(say.Messagef("%s could not be read", m.Names))
}

// ReadingWords says which files are on their way, from wherever they come.
func (f *Files) ReadingWords() string {
	names := f.Reading
	for _, w := range f.waiting {
		if !w.again {
			names = w.names()
		}
	}
	if names == "" {
		return f.Fetching.Words
	}
	return say.Textf("Reading %s …", names)
}

// OpenFiles hands files that belong together to the engine.
type OpenFiles struct{ Files []wire.Named }

func (m OpenFiles) update(s *State) {
	f := s.Files
	f.Reading = ""
	if len(m.Files) == 0 {
		return
	}
	s.Withdraw(f.refused)
	if f.tooLarge(offer(m.Files).names(), offer(m.Files).size()) {
		return
	}
	if len(m.Files) == 1 && jobs.IsResults(m.Files[0].Data) {
		if why := s.jobs().OpenResults(m.Files[0].Name, m.Files[0].Data); why != "" {
			f.Decline(why)
			return
		}
		OpenSheet{"sweep"}.update(s)
		return
	}
	if len(m.Files) == 1 && files.IsRun(m.Files[0].Data) {
		s.openRun(m.Files[0])
		return
	}
	f.hand(pending{offer: m.Files, roles: f.rolesOfLink()})
	s.effects.Redraw(host.Shell)
}

// rolesOfLink are the roles of columns that a link asks for, whose files were not there
// yet.
func (f *Files) rolesOfLink() string {
	if f.inUse != nil || !f.page.Config.Reads("cols") {
		return ""
	}
	c := f.page.Config
	roles := rolesQuery(c.Value("cols"), c.Value("na"))
	if slices.ContainsFunc(fileSettings, func(key string) bool { _, given := c.Given(key); return given }) {
		roles += keptSettings
	}
	return roles
}

// fileSettings are the settings that files advise.
var fileSettings = []string{"cols", "na", "shift", "split", "order", "test", "scale", "net", "avg", "tau", "lr", "opt"}

// keptSettings is asked for where a link is about files that were not there yet: what it
// says stays, so that it shows again what it showed.
const keptSettings = "&kept=1"

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
func (f *Files) hand(w pending) {
	f.waiting = append(f.waiting, w)
	message := fileMessage(w.offer, w.roles)
	for engine := range f.page.Engines {
		f.page.effects.Do(host.Send{Engine: engine, Message: message})
	}
}

// tooLarge says so where files of that size cannot be taken.
func (f *Files) tooLarge(names say.Message, size int) bool {
	if size <= MaxFiles {
		return false
	}
	f.Decline(say.Messagef("Too large: %s, %s; the most is %s", names, Megabytes(size), Megabytes(MaxFiles)))
	return true
}

// Decline says why files were not taken, until the next ones come.
func (f *Files) Decline(why say.Message, ways ...Way) {
	f.page.Withdraw(f.refused)
	f.refused = say.Messagef("%s. Nothing was changed.", why)
	f.page.Notify(f.refused, ways...)
	f.page.effects.Redraw(host.Shell)
}

// Megabytes writes a number of bytes, rounded up.
func Megabytes(n int) string { return strconv.Itoa((n+1<<20-1)>>20) + " MB" }

// fileMessage is the message that carries files to an engine.
func fileMessage(files []wire.Named, roles string) []byte {
	var m wire.Message
	m.Reset(MessageID)
	for _, f := range files {
		m.File(f.Name, f.Data)
	}
	if roles != "" {
		m.Text(wire.Roles, roles)
	}
	return m.Bytes()
}

// Messages are what a new engine must be told: the files in use, those that
// no engine has answered about yet. Of all engines the first one's answers count.
func (f *Files) Messages(first bool) [][]byte {
	f.waiting = slices.DeleteFunc(f.waiting, func(w pending) bool { return w.again && first })
	var out [][]byte
	if f.inUse != nil {
		out = append(out, fileMessage(f.inUse.offer, f.inUse.roles))
	}
	for _, w := range f.waiting {
		out = append(out, fileMessage(w.offer, w.roles))
	}
	if f.inUse != nil && first {
		f.waiting = slices.Insert(f.waiting, 0, pending{offer: f.inUse.offer, again: true})
	}
	return out
}

// Answer takes what the engine says about files: which data they are good for,
// with the settings that they need, and a few words. Refused ones change nothing:
// those before them, if any, stay.
func (f *Files) Answer(kind wire.Kind, words string) {
	if kind == wire.Columns {
		f.columnsSeen = readColumns(words)
		return
	}
	if len(f.waiting) == 0 || kind != wire.Refused && kind != wire.Accepted {
		return
	}
	w, table := f.waiting[0], f.columnsSeen
	f.columnsSeen = nil
	f.waiting = slices.Delete(f.waiting, 0, 1)
	f.page.effects.Redraw(host.Shell)
	switch {
	case w.again:
		return
	case kind == wire.Refused:
		f.unfit = nil
		var ways []Way
		if table != nil { // another choice of roles may do
			why := say.Message(words)
			if name, rest, ok := why.Cut(": "); ok && name.String() == w.names().String() {
				why = rest
			}
			f.unfit = &Loaded{offer: w.offer, words: why, roles: w.roles, table: table}
			ways = append(ways, Way{Words: "Choose the roles of its columns",
				Do: OpenSheet{Name: "columns"}})
		}
		f.Decline(say.Message(words), ways...)
		return
	}
	f.unfit = nil
	needs, words, _ := strings.Cut(words, " ")
	data, settings, _ := strings.Cut(needs, "&")
	own := &Loaded{offer: w.offer, words: say.Message(words), data: data, roles: w.roles, table: table}
	for setting := range strings.SplitSeq(settings, "&") {
		if key, value, ok := strings.Cut(setting, "="); ok {
			own.forced = append(own.forced, forcedSetting{key: key, value: value})
		}
	}
	for _, l := range []forcedSetting{{key: "cols"}, {key: "na", value: "drop"}} { // a choice of before is taken back
		if table != nil && !slices.ContainsFunc(own.forced, func(o forcedSetting) bool { return o.key == l.key }) {
			own.forced = append(own.forced, l)
		}
	}
	if err := f.take(own); err != nil {
		f.page.Notify(say.Messagef("%s.", err))
		f.renewFiles() // the engine holds others than the page
		return
	}
	f.page.Withdraw(f.asked)
	if f.asked = otherClients(table); f.asked != "" && w.roles == "" {
		f.page.Notify(f.asked, Way{Words: "Choose the roles of its columns", Do: OpenSheet{Name: "columns"}})
	}
}

// Due is how many answers about files the first engine still owes.
func (f *Files) Due() int { return len(f.waiting) }

// OutOfMemory refuses the files that an engine was reading when it ended for want of
// memory, and reports whether there were any that it had not read before.
func (f *Files) OutOfMemory() bool {
	if len(f.waiting) == 0 || f.waiting[0].again {
		return false
	}
	f.Answer(wire.Refused, string(say.Messagef("%s does not fit into the memory that the browser provides",
		f.waiting[0].names())))
	return true
}
