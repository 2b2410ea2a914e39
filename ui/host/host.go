// Package host says what the page asks of where it runs: an update of the page returns its
// effects as data, which package browser carries out, and which tests read.
package host

// Effects are what an update of the page asks for.
type Effects struct {
	Changes Change   // parts of the page that are out of date
	List    []Effect // the rest, in the order in which it was asked for
	Handled bool     // a key meant something: the browser does nothing else with it
}

// Redraw notes that parts of the page are out of date.
func (e *Effects) Redraw(what Change) { e.Changes |= what }

// Do asks for an effect.
func (e *Effects) Do(effect Effect) { e.List = append(e.List, effect) }

// An Effect is something that the page cannot do itself: one of the types below.
type Effect interface{ effect() }

type (
	// Send carries a message to one of the engines. Nobody may change its bytes.
	Send struct {
		Engine  int
		Message []byte
	}
	// StartEngine starts the engine of a number in place of what has it and those behind it.
	// The messages are posted to it first.
	StartEngine struct {
		Engine   int
		Messages [][]byte
	}
	// CloseEngines ends the engine of a number and those behind it.
	CloseEngines struct{ From int }

	// StartWorker and CloseWorkers do the same for the workers of package jobs, and SendWorker
	// carries a message to one of them.
	StartWorker struct {
		Worker   int
		Messages [][]byte
	}
	CloseWorkers struct{ From int }
	SendWorker   struct {
		Worker  int
		Message []byte
	}
	// Wake asks for page.Wake after some ms, in place of what was asked for before.
	Wake struct{ After float64 }

	// Fetch loads files from addresses, in place of what is being loaded; without addresses it
	// gives up. It answers with page.FilesRead, Fetched or FetchFailed.
	Fetch struct{ Addresses []string }
	// LoadGuide loads a file of explanations, and answers with page.GuideLoaded or GuideFailed.
	LoadGuide struct{ File string }

	// Share copies the link to what is on screen.
	Share struct{}
	// Export makes a file of a format, and saves, opens or copies it, by How.
	Export struct{ Format, How string }
	// Copy copies a text, Save starts a download, and Print prints.
	Copy  struct{ Text string }
	Save  struct{ File File }
	Print struct{}

	// EnterHistory makes what is on screen an entry of the browser's history.
	EnterHistory struct{}
	// KeepMarks keeps what was answered and done in lessons.
	KeepMarks struct{ Marks string }

	// Post tells the page around the frame something.
	Post struct{ Fields map[string]any }
	// ReportLater asks for page.TellParent after some ms.
	ReportLater struct{ After float64 }

	// RecallSweep asks for the plan of the last sweep, with page.SweepRecalled as the answer
	// unless nothing is kept. ClaimSweep keeps a plan as the last, and answers with
	// page.SweepClaimed once no other tab computes a sweep, until ReleaseSweep. LoadRecords
	// asks for what is kept of cells, a line each, with page.RecordsLoaded as the answer.
	// KeepRecords keeps records, a line each. page.NotKept says what cannot be kept.
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
func (LoadGuide) effect()    {}
func (Share) effect()        {}
func (Export) effect()       {}
func (Copy) effect()         {}
func (Save) effect()         {}
func (Print) effect()        {}
func (EnterHistory) effect() {}
func (KeepMarks) effect()    {}
func (Post) effect()         {}
func (ReportLater) effect()  {}
func (RecallSweep) effect()  {}
func (ClaimSweep) effect()   {}
func (ReleaseSweep) effect() {}
func (LoadRecords) effect()  {}
func (KeepRecords) effect()  {}

// Change says what has something new to show.
type Change uint8

// The parts of the page.
const (
	Shell    Change = 1 << iota // texts and controls
	Figures                     // canvases
	Link                        // the address
	Live                        // texts that follow the round: soon enough is enough
	Slides                      // maps whose marks are on their way
	Stream                      // curves that grow while a run is computed
	Previews                    // what is computed in the background
)

// A File is something that the page gives away.
type File struct {
	Name, Type string // Type is a MIME type
	Data       []byte
}

// RunType is the MIME type of a file that holds a run.
const RunType = "application/x-flockscope-run"

// IsText reports whether the file is one to read.
func (f File) IsText() bool { return f.Type != RunType && f.Type != "image/png" }
