// Package host defines the effects of the page: an update of the page returns them as data, package
// browser carries them out, and tests read them.
package host

// Effects are the results of an update of the page.
type Effects struct {
	Changes Change   // parts of the page to redraw
	List    []Effect // the other effects, in order
	Handled bool     // a key or file was handled: the browser ignores a key, or may read a file
}

// Redraw marks parts of the page for redrawing.
func (e *Effects) Redraw(what Change) { e.Changes |= what }

// Do adds an effect.
func (e *Effects) Do(effect Effect) { e.List = append(e.List, effect) }

// An Effect is an action of the browser: one of the types below.
type Effect interface{ effect() }

type (
	// Send sends a message to an engine. Its bytes must not change later.
	Send struct {
		Engine  int
		Message []byte
	}
	// StartEngine starts an engine. It replaces the engine with this number and those after it.
	StartEngine struct{ Engine int }
	// CloseEngines ends the engines from a number on.
	CloseEngines struct{ From int }

	// StartWorker, CloseWorkers and SendWorker do the same for the workers of package jobs.
	StartWorker  struct{ Worker int }
	CloseWorkers struct{ From int }
	SendWorker   struct {
		Worker  int
		Message []byte
	}
	// Wake sends page.DispatchJobs after some ms. It replaces an earlier Wake.
	Wake struct{ After float64 }

	// Fetch loads files from addresses and cancels an earlier Fetch; without addresses it only
	// cancels. The answers are page.FetchProgress, then OpenFiles or FetchFailed.
	Fetch struct{ Addresses []string }
	// LoadReader loads the engine that can also read files: engines that start later are such. The answers are
	// page.ReaderProgress, then ReaderLoaded or ReaderFailed.
	LoadReader struct{}
	// LoadGuide loads a file of explanations. The answer is page.GuideLoaded or GuideFailed.
	LoadGuide struct{ File string }

	// OpenArena leaves the page for another, with files that the other reads. The answer is page.ArenaFailed if the
	// browser keeps no files.
	OpenArena struct {
		Files   []File
		Address string
	}

	// Share copies the page's link.
	Share struct{}
	// Export makes a file of a format, and saves, opens, copies or sends it, depending on How.
	Export struct{ Format, How string }
	// Copy copies a text, Save starts a download, and Print prints.
	Copy  struct{ Text string }
	Save  struct{ File File }
	Print struct{}

	// EnterHistory adds an entry to the browser's history.
	EnterHistory struct{}
	// KeepMarks stores the answers and completed steps of lessons.
	KeepMarks struct{ Marks string }

	// StoreRun stores a run in the browser, if it can, and removes older ones for lack of room. RecallRun loads one. The
	// answer is page.RunRecalled.
	StoreRun struct {
		Key  string
		Data []byte
	}
	RecallRun struct{ Key string }

	// Post sends a message to the page around the frame.
	Post struct{ Fields map[string]any }
	// ReportLater sends page.ReportToParent after some ms.
	ReportLater struct{ After float64 }

	// RecallSweep loads the plan of the last sweep. The answer is page.SweepRecalled, or none if no
	// plan is stored. ClaimSweep stores a plan as the last one. The answer, once no other tab
	// computes a sweep, is page.SweepClaimed; other tabs then wait until ReleaseSweep. LoadRecords
	// loads the stored records of cells, one per line. The answer is page.RecordsLoaded. KeepRecords
	// stores records, one per line. The answer page.RecordsNotKept means that they cannot be stored.
	RecallSweep struct{}
	ClaimSweep  struct {
		Plan   string
		Engine int
	}
	ReleaseSweep struct{}
	LoadRecords  struct{ Cells string }
	KeepRecords  struct{ Lines string }
)

func (Send) effect()         {}
func (StartEngine) effect()  {}
func (CloseEngines) effect() {}
func (StartWorker) effect()  {}
func (CloseWorkers) effect() {}
func (SendWorker) effect()   {}
func (Wake) effect()         {}
func (Fetch) effect()        {}
func (LoadReader) effect()   {}
func (LoadGuide) effect()    {}
func (OpenArena) effect()    {}
func (Share) effect()        {}
func (Export) effect()       {}
func (Copy) effect()         {}
func (Save) effect()         {}
func (Print) effect()        {}
func (EnterHistory) effect() {}
func (KeepMarks) effect()    {}
func (StoreRun) effect()     {}
func (RecallRun) effect()    {}
func (Post) effect()         {}
func (ReportLater) effect()  {}
func (RecallSweep) effect()  {}
func (ClaimSweep) effect()   {}
func (ReleaseSweep) effect() {}
func (LoadRecords) effect()  {}
func (KeepRecords) effect()  {}

// Change is a set of parts of the page.
type Change uint8

// The parts of the page.
const (
	Shell    Change = 1 << iota // texts and controls
	Figures                     // canvases
	Link                        // the address
	Live                        // texts that depend on the round: rendered a few times per second
	Slides                      // maps with animated marks
	Stream                      // curves that grow while engines compute a run
	Previews                    // results of background jobs
)

// File is a file that the page exports.
type File struct {
	Name, Type string // Type is a MIME type
	Data       []byte
}

// RunType is the MIME type of a run file.
const RunType = "application/x-flockscope-run"

// IsText reports whether the file has text.
func (f File) IsText() bool { return f.Type != RunType && f.Type != "image/png" }
