package page

import (
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/runfile"
	"flockscope/sim/say"
	"flockscope/sim/wire"
	"flockscope/ui/host"
	"flockscope/ui/jobs"
)

// Files are the user's files.
type Files struct {
	DropTarget bool        // the user drags files over the page
	Reading    say.Message // names of files that the browser is reading
	Fetching   FetchStatus // progress of files from addresses

	page           *State
	reader         readerState
	readerProgress string           // how much of it is loaded, "" if that is not said
	refusedTable   *FileData        // a refused table, which other roles may make acceptable
	columnsSeen    []Column         // of the table whose answer comes next
	inUse          *FileData        // the files that the engines have; nil for none
	pending        []pendingFiles   // files without an answer of the first engine, oldest first
	refusal        say.Message      // notice of the last refusal
	refusedResults []wire.NamedFile // results that this page does not show; the arena's may
	clientQuestion say.Message      // question which column identifies the client, "" for none
}

// MaxFiles is the maximum total size of files opened together, in bytes.
const MaxFiles = 200 << 20

// fileSet is files that the user opens together.
type fileSet []wire.NamedFile

// names returns a short text with the names of the files, or with that of the folder of the first one.
func (o fileSet) names() say.Message {
	switch len(o) {
	case 0:
		return ""
	case 1:
		return say.Name(o[0].Name)
	}
	if folder, _, inside := strings.Cut(o[0].Name, "/"); inside {
		return say.Name(folder)
	}
	if len(o) == 2 {
		return say.ListMessage([]string{o[0].Name, o[1].Name})
	}
	return say.Messagef("%s and %d more", o[0].Name, len(o)-1)
}

// size returns the total size in bytes.
func (o fileSet) size() (n int) {
	for _, f := range o {
		n += len(f.Data)
	}
	return n
}

// pendingFiles are files without an answer: newly opened ones, or files in use that were sent again.
type pendingFiles struct {
	fileSet
	resent bool
	roles  string // roles of a table's columns, as a query
}

// WaitsForFile reports whether the data need files that the user has not opened.
func (f *Files) WaitsForFile() bool {
	return f.page.Config.NeedsFile() && (f.inUse == nil || f.inUse.data != f.page.Config.Workload())
}

// FilesNeededNotice asks for the files of the data: a link cannot contain them.
const FilesNeededNotice = "These data come from your own files: drop them anywhere on the page, or open them under Data. Until " +
	"then nothing new can be computed."

// NoRunID is the id of messages that belong to no run.
const NoRunID = 0

// DragFiles: the user drags files over the page, or away from it.
type DragFiles struct{ Over bool }

func (m DragFiles) update(s *State) {
	if s.Files.DropTarget != m.Over {
		s.Files.DropTarget = m.Over
		s.effects.Redraw(host.Shell)
	}
}

// ReadFiles: the browser is about to read files. The effects have Handled set if it may.
type ReadFiles struct {
	Names say.Message
	Size  int // total, in bytes
}

func (m ReadFiles) update(s *State) {
	if s.Files.tooLarge(m.Names, m.Size) {
		return
	}
	s.Files.Reading = m.Names
	s.effects.Handled = true
	s.effects.Redraw(host.Shell)
}

// ReadFailed: the browser could not read files.
type ReadFailed struct{ Names say.Message }

func (m ReadFailed) update(s *State) {
	s.Files.Reading = ""
	s.Files.refuse(say.Messagef("%s could not be read", m.Names))
}

// ReadingWords says which files are being read or loaded.
func (f *Files) ReadingWords() string {
	names := f.Reading
	for _, w := range f.pending {
		if !w.resent {
			names = w.names()
		}
	}
	switch {
	case names == "":
		return f.Fetching.Words
	case f.readerProgress != "":
		return f.readerProgress
	}
	return say.Textf("Reading %s …", names)
}

// OpenFiles: the user opens files: results of a sweep, a run, or data.
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
	if isArena(m.Files) && !s.Frame.KeepsMarks { // a course does not have the arena's page
		s.openOnArena(m.Files)
		s.effects.Redraw(host.Shell)
		return
	}
	if len(m.Files) == 1 && jobs.IsResults(m.Files[0].Data) {
		f.openResults(m.Files[0])
		return
	}
	if len(m.Files) == 1 && runfile.Is(m.Files[0].Data) {
		s.openRun(m.Files[0])
		return
	}
	f.sendToEngines(pendingFiles{fileSet: m.Files, roles: f.rolesOfLink()})
	s.effects.Redraw(host.Shell)
}

// openResults shows results of a sweep on its sheet, or says why it cannot.
func (f *Files) openResults(file wire.NamedFile) {
	if why := f.page.jobs().OpenResults(file.Name, file.Data); why != "" {
		var actions []Action
		if !f.page.Frame.KeepsMarks {
			actions = append(actions, Action{Label: "Compare its methods with the arena's", Do: OpenOnArena{}})
			f.refusedResults = []wire.NamedFile{file}
		}
		f.refuse(why, actions...)
		return
	}
	OpenSweep{}.update(f.page)
}

// rolesOfLink returns the roles of columns in the link whose files the user opens now.
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

// fileSettings are the settings that an engine suggests for files.
var fileSettings = []string{"cols", "na", "shift", "split", "order", "test", "scale", "net", "avg", "tau", "lr", "opt"}

// keptSettings means that a link's own settings win over those suggested for its files, so the link
// shows the same run again.
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

// sendToEngines sends files to all engines, once these can read files.
func (f *Files) sendToEngines(w pendingFiles) {
	f.pending = append(f.pending, w)
	if f.reader != readerInUse {
		f.useReader()
		return
	}
	message := fileMessage(w.fileSet, w.roles)
	for engine := range f.page.Engines {
		f.page.effects.Do(host.Send{Engine: engine, Message: message})
	}
}

// tooLarge reports whether files exceed the maximum size, and refuses them.
func (f *Files) tooLarge(names say.Message, size int) bool {
	if size <= MaxFiles {
		return false
	}
	f.refuse(say.Messagef("Too large: %s, %s; the most is %s", names, FormatMegabytes(size), FormatMegabytes(MaxFiles)))
	return true
}

// refuse shows a notice why files were refused, until the next files.
func (f *Files) refuse(why say.Message, actions ...Action) {
	f.page.Withdraw(f.refusal)
	f.refusal = say.Messagef("%s. Nothing was changed.", why)
	f.page.Notify(f.refusal, actions...)
	f.page.effects.Redraw(host.Shell)
}

// FormatMegabytes formats a number of bytes in MB, rounded up.
func FormatMegabytes(n int) string { return strconv.Itoa((n+1<<20-1)>>20) + " MB" }

// fileMessage returns the message that sends files to an engine.
func fileMessage(files []wire.NamedFile, roles string) []byte {
	var m wire.Message
	m.Reset(NoRunID)
	for _, f := range files {
		m.File(f.Name, f.Data)
	}
	if roles != "" {
		m.Text(wire.Roles, roles)
	}
	return m.Bytes()
}

// Messages returns what a new engine needs: the files in use and the pending ones. Only the answers
// of the first engine count.
func (f *Files) Messages(first bool) [][]byte {
	if f.reader != readerInUse {
		return nil
	}
	f.pending = slices.DeleteFunc(f.pending, func(w pendingFiles) bool { return w.resent && first })
	var out [][]byte
	if f.inUse != nil {
		out = append(out, fileMessage(f.inUse.fileSet, f.inUse.roles))
	}
	for _, w := range f.pending {
		out = append(out, fileMessage(w.fileSet, w.roles))
	}
	if f.inUse != nil && first {
		f.pending = slices.Insert(f.pending, 0, pendingFiles{fileSet: f.inUse.fileSet, resent: true})
	}
	return out
}

// ReceiveAnswer handles an engine's answer about files: the data that they provide, required
// settings and a description, or results of a sweep that were compressed. Refused files change nothing.
func (f *Files) ReceiveAnswer(kind wire.Kind, words string) {
	if kind == wire.Columns {
		f.columnsSeen = readColumns(words)
		return
	}
	if len(f.pending) == 0 || kind != wire.Refused && kind != wire.Accepted && kind != wire.Unpacked {
		return
	}
	w, table := f.pending[0], f.columnsSeen
	f.columnsSeen = nil
	f.pending = slices.Delete(f.pending, 0, 1)
	f.page.effects.Redraw(host.Shell)
	switch {
	case w.resent:
		return
	case kind == wire.Unpacked:
		f.openResults(wire.NamedFile{Name: w.fileSet[0].Name, Data: []byte(words)})
		return
	case kind == wire.Refused:
		f.refusedTable = nil
		var actions []Action
		if table != nil { // other roles may make the table acceptable
			why := say.Message(words)
			if name, rest, ok := why.Cut(": "); ok && name.String() == w.names().String() {
				why = rest
			}
			f.refusedTable = &FileData{fileSet: w.fileSet, words: why, roles: w.roles, table: table}
			actions = append(actions, chooseRoles)
		}
		f.refuse(say.Message(words), actions...)
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
	for _, l := range []forcedSetting{{key: "cols"}, {key: "na", value: "drop"}} { // resets the choices of the table before
		if table != nil && !slices.ContainsFunc(own.forced, func(o forcedSetting) bool { return o.key == l.key }) {
			own.forced = append(own.forced, l)
		}
	}
	if err := f.adopt(own); err != nil {
		f.page.Notify(say.Messagef("%s.", err))
		f.resendFiles() // restores the engines' files
		return
	}
	f.page.Withdraw(f.clientQuestion)
	if f.clientQuestion = clientColumnQuestion(table); f.clientQuestion != "" && w.roles == "" {
		f.page.Notify(f.clientQuestion, chooseRoles)
	}
}

// chooseRoles opens the sheet of columns.
var chooseRoles = Action{Label: "Choose the roles of its columns", Do: OpenSheet{Name: "columns"}}

// PendingAnswers returns how many answers of the first engine are due.
func (f *Files) PendingAnswers() int { return len(f.pending) }

// HandleOutOfMemory refuses the new files that an engine was reading when it ran out of memory, and
// reports whether there were any.
func (f *Files) HandleOutOfMemory() bool {
	if f.reader != readerInUse || len(f.pending) == 0 || f.pending[0].resent {
		return false
	}
	f.ReceiveAnswer(wire.Refused, string(say.Messagef("%s does not fit into the memory that the browser provides",
		f.pending[0].names())))
	return true
}
