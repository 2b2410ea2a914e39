package shell

// KeysSheet is the help: links to the tour, the explanations and the documentation, and
// the keyboard shortcuts.
type KeysSheet struct {
	App *App
}

// keyWords says what each key does, for the sheet. The keys themselves are in
// [page.State.Key], and a test compares the two.
var keyWords = []struct{ Keys, Does string }{
	{"Space or K", "play and pause"},
	{"← →", "one round back or forward; ten with Shift"},
	{"1 to 6", "show or end a phase of the round"},
	{". and ,", "to the next phase of the round, to the one before"},
	{"W", "watch the phases of this round"},
	{"X", "how exactly: formulas and pseudo-code of the phase"},
	{"[ and ]", "to the previous and the next event of the selected method"},
	{"Home, End", "to the start, to the last round"},
	{"R", "back to the start"},
	{"Shift+R", "new seeds: the same experiment with other random numbers"},
	{"L", "select the next method"},
	{"Shift+L", "lecture: Space and ← go through it, B shows a black screen, Esc ends it"},
	{"F", "make the selected clients liars, or honest again"},
	{"G", "pin this run behind the next ones, or unpin it"},
	{"Z", "fit maps to the round, or to the whole run"},
	{"M", "maps in three dimensions, or flat; Shift and arrows turn the focused map"},
	{"T", "the data of the focused figure, or of the one shown"},
	{"S", "stop computing, compute again"},
	{"Ctrl+Z, Ctrl+Shift+Z", "undo and redo settings"},
	{"?", "this list"},
	{"Esc", "close what is open, clear the selection"},
	{"↓ ↑ on + method", "open the list of methods and move in it; Home and End go to its ends"},
	{"↑ ↓ on the curves", "highlight one method"},
	{"arrows in a figure", "move between clients; Enter selects one"},
	{"Shift and arrows in a figure", "select several clients, like dragging over the background; Shift+Enter adds or removes one"},
}

// docsPages are the pages of the documentation, as the README lists them. wasm/build makes
// FILE.html of each FILE.md of the project.
var docsPages = []struct{ File, Title string }{
	{"README", "Overview"},
	{"sim/GLOSSARY", "Glossary"},
	{"sim/experiment/SETTINGS", "Settings"},
	{"sim/experiment/CHANGES", "Changes"},
	{"sim/algorithm/METHODS", "Methods"},
	{"sim/cmd/flock/README", "Command line"},
	{"sim/lab/README", "The laboratory"},
	{"sim/lab/plan/SWEEPS", "Sweeps"},
	{"sim/lab/report/REPORT", "Reports"},
	{"sim/lab/papers/ARENA", "Arena"},
	{"sim/lab/papers/ARENA-TABLES", "Tables of the arena"},
	{"sim/lab/papers/ARENA-TUNING", "Settings chosen for the arena"},
	{"sim/lab/papers/ARENA-LIARS", "Liars in the arena"},
	{"sim/lab/papers/RESULTS", "Papers reproduced"},
	{"sim/lab/papers/THEORY", "Theory and measurement"},
	{"ui/EMBEDDING", "Embedding"},
	{"sim/lesson/LESSONS", "Lessons"},
	{"wasm/class/CLASS", "A class of phones"},
	{"sim/ARCHITECTURE", "Architecture"},
	{"wasm/pack/FORMAT", "The program's format"},
	{"e2e/PERFORMANCE", "Performance"},
	{"wasm/edge/README", "Hosting"},
}
