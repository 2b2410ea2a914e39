// Package host says what the page asks of where it runs, and what it tells it.
package host

// Host is where a page runs: the browser, or a test.
type Host interface {
	// Now is the time in ms, of the clock that App.Tick is given.
	Now() float64
	// Change is told what has something new to show.
	Change(what Change)

	// Send carries a message to one of the engines.
	Send(engine int, message []byte)
	// SetWorkers asks for n background workers in place of those that there are,
	// SendWorker carries a message to one of them, and Wake asks for a call of
	// Background.Dispatch of the page after some ms.
	SetWorkers(n int)
	SendWorker(worker int, message []byte)
	Wake(ms float64)
	// Fetch loads files from addresses, and calls Open of the page's files or
	// App.Files.FetchFailed; without addresses it gives up what it is loading.
	Fetch(addresses []string)

	// LoadGuide loads a file of explanations, and calls App.GuideLoaded or GuideFailed.
	LoadGuide(file string)

	// Share copies the link to what is on screen.
	Share()
	// Take makes a file of a format and saves, opens or copies it.
	Take(format, how string)
	// Copy copies a text, Save starts a download, and Print prints.
	Copy(text string)
	Save(f File)
	Print()

	// EnterHistory makes what is on screen an entry of the browser's history.
	EnterHistory()
	// KeepMarks has the browser keep what was answered and done in lessons.
	KeepMarks(marks string)

	// RecallSweep asks for the plan of the last sweep: Background.Recall answers, unless
	// nothing is kept. ClaimSweep keeps a plan as the last, and calls Background.Claimed
	// once no other tab computes a sweep, until ReleaseSweep. LoadRecords asks for what is
	// kept of cells, a line each; Background.Loaded answers with records. KeepRecords
	// keeps records, a line each. What cannot be kept Background.NotKept is told.
	RecallSweep()
	ClaimSweep(plan string, engine int)
	ReleaseSweep()
	LoadRecords(cells string)
	KeepRecords(lines string)
}

// NoHost is a host that does nothing.
type None struct{}

func (None) Now() float64            { return 0 }
func (None) Change(Change)           {}
func (None) Send(int, []byte)        {}
func (None) SetWorkers(int)          {}
func (None) SendWorker(int, []byte)  {}
func (None) Wake(float64)            {}
func (None) Fetch([]string)          {}
func (None) LoadGuide(string)        {}
func (None) Share()                  {}
func (None) Take(format, how string) {}
func (None) Copy(string)             {}
func (None) Save(File)               {}
func (None) Print()                  {}
func (None) EnterHistory()           {}
func (None) KeepMarks(string)        {}
func (None) RecallSweep()            {}
func (None) ClaimSweep(string, int)  {}
func (None) ReleaseSweep()           {}
func (None) LoadRecords(string)      {}
func (None) KeepRecords(string)      {}

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
