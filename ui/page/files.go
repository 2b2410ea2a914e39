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
	DropTarget bool        // somebody holds files over the page
	Reading    say.Message // names of files that the browser reads
	Fetching   FetchStatus // files that come from an address

	page           *State
	refusedTable   *FileData      // a table that was refused, whose columns may have other roles
	columnsSeen    []Column       // of the table that an engine is about to answer about
	inUse          *FileData      // as the engines hold them; nil before any came
	waiting        []pendingFiles // that the first engine has not answered about, oldest first
	refusal        say.Message    // what was last said of files that were refused
	clientQuestion say.Message    // which column is the client, "" for no question
}

// MaxFiles is the most bytes that the files of one choice may have together.
const MaxFiles = 200 << 20

// fileSet is files that were chosen together.
type fileSet []wire.NamedFile

// names says which files these are, in a few words.
func (o fileSet) names() say.Message {
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
func (o fileSet) size() (n int) {
	for _, f := range o {
		n += len(f.Data)
	}
	return n
}

// pendingFiles is what an engine has yet to answer about: files that somebody offers,
// or those in use, which it is told of again.
type pendingFiles struct {
	fileSet
	again bool
	roles string // what is asked of the columns of a table, as a query
}

// WaitsForFile reports that nothing can be computed until the user brings files
// that the data are made of.
func (f *Files) WaitsForFile() bool {
	return f.page.Config.NeedsFile() && (f.inUse == nil || f.inUse.data != f.page.Config.Workload())
}

// FilesNeededNotice is said where the data come from files that are not there: a link
// cannot carry them.
const FilesNeededNotice = "These data come from your own files: drop them anywhere on the page, or open them under Data. Until " +
	"then nothing new can be computed."

// MessageID is the number of messages that are about no run.
const MessageID = 0

// DragFiles says whether somebody holds files over the page, to let them go there.
type DragFiles struct{ Over bool }

func (m DragFiles) update(s *State) {
	if s.Files.DropTarget != m.Over {
		s.Files.DropTarget = m.Over
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
	s.Files.refuse(say.Messagef("%s could not be read", m.Names))
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
type OpenFiles struct{ Files []wire.NamedFile }

func (m OpenFiles) update(s *State) {
	f := s.Files
	f.Reading = ""
	if len(m.Files) == 0 {
		return
	}
	s.Withdraw(f.refusal)
	if f.tooLarge(fileSet(m.Files).names(), fileSet(m.Files).size()) {
		return
	}
	if len(m.Files) == 1 && jobs.IsResults(m.Files[0].Data) {
		if why := s.jobs().OpenResults(m.Files[0].Name, m.Files[0].Data); why != "" {
			f.refuse(why)
			return
		}
		OpenSheet{"sweep"}.update(s)
		return
	}
	if len(m.Files) == 1 && files.IsRun(m.Files[0].Data) {
		s.openRun(m.Files[0])
		return
	}
	f.sendToEngines(pendingFiles{fileSet: m.Files, roles: f.rolesOfLink()})
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

// sendToEngines gives files to all engines.
func (f *Files) sendToEngines(w pendingFiles) {
	f.waiting = append(f.waiting, w)
	message := fileMessage(w.fileSet, w.roles)
	for engine := range f.page.Engines {
		f.page.effects.Do(host.Send{Engine: engine, Message: message})
	}
}

// tooLarge says so where files of that size cannot be taken.
func (f *Files) tooLarge(names say.Message, size int) bool {
	if size <= MaxFiles {
		return false
	}
	f.refuse(say.Messagef("Too large: %s, %s; the most is %s", names, Megabytes(size), Megabytes(MaxFiles)))
	return true
}

// refuse says why files were not taken, until the next ones come.
func (f *Files) refuse(why say.Message, ways ...Action) {
	f.page.Withdraw(f.refusal)
	f.refusal = say.Messagef("%s. Nothing was changed.", why)
	f.page.Notify(f.refusal, ways...)
	f.page.effects.Redraw(host.Shell)
}

// Megabytes writes a number of bytes, rounded up.
func Megabytes(n int) string { return strconv.Itoa((n+1<<20-1)>>20) + " MB" }

// fileMessage is the message that carries files to an engine.
func fileMessage(files []wire.NamedFile, roles string) []byte {
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
	f.waiting = slices.DeleteFunc(f.waiting, func(w pendingFiles) bool { return w.again && first })
	var out [][]byte
	if f.inUse != nil {
		out = append(out, fileMessage(f.inUse.fileSet, f.inUse.roles))
	}
	for _, w := range f.waiting {
		out = append(out, fileMessage(w.fileSet, w.roles))
	}
	if f.inUse != nil && first {
		f.waiting = slices.Insert(f.waiting, 0, pendingFiles{fileSet: f.inUse.fileSet, again: true})
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
		f.refusedTable = nil
		var ways []Action
		if table != nil { // another choice of roles may do
			why := say.Message(words)
			if name, rest, ok := why.Cut(": "); ok && name.String() == w.names().String() {
				why = rest
			}
			f.refusedTable = &FileData{fileSet: w.fileSet, words: why, roles: w.roles, table: table}
			ways = append(ways, Action{Label: "Choose the roles of its columns",
				Do: OpenSheet{Name: "columns"}})
		}
		f.refuse(say.Message(words), ways...)
		return
	}
	f.refusedTable = nil
	needs, words, _ := strings.Cut(words, " ")
	data, settings, _ := strings.Cut(needs, "&")
	own := &FileData{fileSet: w.fileSet, words: say.Message(words), data: data, roles: w.roles, table: table}
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
	if err := f.use(own); err != nil {
		f.page.Notify(say.Messagef("%s.", err))
		f.renewFiles() // the engine holds others than the page
		return
	}
	f.page.Withdraw(f.clientQuestion)
	if f.clientQuestion = otherClients(table); f.clientQuestion != "" && w.roles == "" {
		f.page.Notify(f.clientQuestion, Action{Label: "Choose the roles of its columns", Do: OpenSheet{Name: "columns"}})
	}
}

// PendingAnswers is how many answers about files the first engine still owes.
func (f *Files) PendingAnswers() int { return len(f.waiting) }

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
