package page

import (
	"flockscope/sim/experiment"
	"flockscope/sim/say"
	"flockscope/ui/host"
)

// The engines behind the page, each in a worker of its own. One is there from the start; the
// others come once it has answered for the first time, so that they do not hold up the first
// picture, and share the lanes of later runs with it.

// mainThread is how an engine runs where there are no workers.
const mainThread = "main thread"

// maxLostEngines is how many engines may stop and be replaced: what has ended so many ends the
// next one too.
const maxLostEngines = 4

// enginePool is which engines there are.
type enginePool struct {
	started          int  // started or starting; enlisted are Machine.Engines of them
	want             int  // how many there should be in the end; 0 while the first is alone
	lost             int  // that stopped
	workersAvailable bool // one has started: engines can be had here
}

// Begin says where the page runs, and asks for the first run.
type Begin struct {
	NoSIMD         bool   // networks train slowly
	Processors     int    // 0 while that is not known
	Home, Licences string // addresses; see [Exporter]
}

func (m Begin) update(s *State) {
	s.NoSIMD, s.Processors = m.NoSIMD, m.Processors
	s.Export.Home, s.Export.Licences = m.Home, m.Licences
	s.startEngine(0)
	s.Runs.Request()
	s.effects.Redraw(host.Shell | host.Figures)
}

// startEngine starts the engine with a number in place of it and those behind it.
func (s *State) startEngine(n int) {
	s.pool.started = n + 1
	s.effects.Do(host.StartEngine{Engine: n})
	if n == 0 {
		s.sendStartMessages(0)
	}
}

// sendStartMessages tells an engine what those that are enlisted know. The first one is told at the start;
// what became known while another one started, nobody has told it.
func (s *State) sendStartMessages(n int) {
	for _, message := range s.startMessages(n == 0) {
		s.effects.Do(host.Send{Engine: n, Message: message})
	}
}

// EngineStarted says that an engine has started.
type EngineStarted struct{ Engine int }

func (m EngineStarted) update(s *State) {
	s.pool.workersAvailable = true
	if m.Engine > 0 && m.Engine < s.pool.started {
		s.sendStartMessages(m.Engine)
		s.Runs.SetEngines(m.Engine + 1)
		s.nextEngine()
	}
}

// EngineAnswered brings a message of an engine. How says how the first engine runs.
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
		if s.EngineMode != mainThread { // there they would only be in each other's way
			s.pool.want = min(s.WorkerCount(), experiment.MaxLanes)
		}
		s.nextEngine()
	}
}

// nextEngine starts the next engine if there should be more.
func (s *State) nextEngine() {
	if s.pool.started < s.pool.want {
		s.startEngine(s.pool.started)
	}
}

// EngineLost says that an engine is no more, for want of memory or for another reason.
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

// loseEngine goes on without an engine, which has stopped, and those behind it. Others take
// their places, unless too many were lost before.
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
