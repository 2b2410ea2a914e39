package page

import (
	"flockscope/sim/experiment"
	"flockscope/sim/say"
	"flockscope/ui/host"
)

// The engines of the page, each in its own worker. The page starts with one. The others start after
// its first answer, so they do not delay the first picture, and share the lanes of later runs.

// mainThread is the engine mode of a browser without workers.
const mainThread = "main thread"

// maxLostEngines is how many crashed engines the page replaces. After more, the next one would
// probably crash, too.
const maxLostEngines = 4

// enginePool counts the engines.
type enginePool struct {
	started          int  // started or starting; Hardware.Engines of them take part in runs
	want             int  // the target number; 0 before the first answer
	lost             int  // how many have crashed
	workersAvailable bool // an engine has started: the browser can run workers
}

// Begin: the page has loaded. It requests the first run.
type Begin struct {
	NoSIMD         bool   // the browser has no WebAssembly SIMD: networks train slowly
	Processors     int    // 0 if unknown
	Phone          bool   // the screen is small and operated by touch
	Home, Licences string // addresses; see [Exporter]
	StoredRuns     string // a text with the keys of stored runs
}

func (m Begin) update(s *State) {
	s.NoSIMD, s.Processors, s.Phone = m.NoSIMD, m.Processors, m.Phone
	s.Runs.stored = m.StoredRuns
	s.Export.Home, s.Export.Licences = m.Home, m.Licences
	s.startEngine(0)
	s.Runs.Request()
	s.effects.Redraw(host.Shell | host.Figures)
}

// startEngine starts engine n. It replaces the present engine n and those after it.
func (s *State) startEngine(n int) {
	s.pool.started = n + 1
	s.effects.Do(host.StartEngine{Engine: n})
	if n == 0 {
		s.sendStartMessages(0)
	}
}

// sendStartMessages sends a new engine what the other engines have received before. Engine 0 gets it
// at the start, the others once they have started.
func (s *State) sendStartMessages(n int) {
	for _, message := range s.startMessages(n == 0) {
		s.effects.Do(host.Send{Engine: n, Message: message})
	}
}

// EngineStarted: an engine has started.
type EngineStarted struct{ Engine int }

func (m EngineStarted) update(s *State) {
	s.pool.workersAvailable = true
	if m.Engine > 0 && m.Engine < s.pool.started {
		s.sendStartMessages(m.Engine)
		s.Runs.SetEngines(m.Engine + 1)
		s.nextEngine()
	}
}

// EngineAnswered: an engine has sent a message. How is the mode of the first engine.
type EngineAnswered struct {
	Engine  int
	How     string
	Message []byte
}

func (m EngineAnswered) update(s *State) {
	s.EngineMode = m.How
	s.Runs.Receive(m.Engine, m.Message)
	if s.pool.want == 0 && s.Runs.RunTime() > 0 {
		s.pool.want = 1
		if s.EngineMode != mainThread { // on the main thread they would compete
			s.pool.want = min(s.WorkerCount(), experiment.MaxLanes)
		}
		s.nextEngine()
	}
}

// nextEngine starts the next engine, up to the target number.
func (s *State) nextEngine() {
	if s.pool.started < s.pool.want {
		s.startEngine(s.pool.started)
	}
}

// EngineLost: an engine has stopped, for lack of memory or another reason.
type EngineLost struct {
	Engine      int
	OutOfMemory bool
	Why         say.Message
}

func (m EngineLost) update(s *State) {
	p := &s.pool
	switch {
	case m.Engine >= p.started:
	case m.OutOfMemory && s.Runs.HandleOutOfMemory():
		s.effects.Do(host.CloseEngines{From: 0})
		s.startEngine(0)
		s.nextEngine()
	case !p.workersAvailable || m.Engine == 0 && p.lost >= maxLostEngines:
		s.Runs.Fail(m.Why)
	default:
		s.loseEngine(m.Engine)
	}
}

// replaceEngines starts new engines in place of all, and requests again what these were computing.
func (s *State) replaceEngines() {
	s.effects.Do(host.CloseEngines{From: 0})
	s.startEngine(0)
	if s.Runs.computing() {
		s.Runs.Restart()
	} else {
		s.Runs.forgetEngines()
		s.Phases.RequestDetail()
	}
	s.nextEngine()
}

// loseEngine continues without a crashed engine and those after it, and starts replacements unless
// too many have crashed.
func (s *State) loseEngine(n int) {
	p := &s.pool
	s.effects.Do(host.CloseEngines{From: n})
	p.started = n
	if p.lost++; p.lost > maxLostEngines {
		p.want = n
	}
	if n == 0 {
		s.startEngine(0)
		s.Runs.Restart()
	} else if s.Engines > n {
		s.Runs.SetEngines(n)
	}
	s.nextEngine()
}
