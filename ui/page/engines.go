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

// patient is how many engines may stop and be replaced: what has ended so many ends the
// next one too.
const patient = 4

// pool is which engines there are.
type pool struct {
	there int  // started or starting; enlisted are Machine.Engines of them
	want  int  // how many there should be in the end; 0 while the first is alone
	lost  int  // that stopped
	began bool // one has started: engines can be had here
}

// Begin says where the page runs, and asks for the first run.
type Begin struct {
	NoVectors      bool   // networks train slowly
	Processors     int    // 0 while that is not known
	Home, Licences string // addresses; see [Exporter]
}

func (m Begin) update(s *State) {
	s.NoVectors, s.Processors = m.NoVectors, m.Processors
	s.Export.Home, s.Export.Licences = m.Home, m.Licences
	s.startEngine(0)
	s.Runs.Request()
	s.effects.Redraw(host.Shell | host.Figures)
}

// startEngine starts the engine with a number in place of it and those behind it.
func (s *State) startEngine(n int) {
	s.pool.there = n + 1
	s.effects.Do(host.StartEngine{Engine: n})
	if n == 0 {
		s.brief(0)
	}
}

// brief tells an engine what those that are enlisted know. The first one is told at the start;
// what became known while another one started, nobody has told it.
func (s *State) brief(n int) {
	for _, message := range s.briefing(n == 0) {
		s.effects.Do(host.Send{Engine: n, Message: message})
	}
}

// EngineStarted says that an engine has started.
type EngineStarted struct{ Engine int }

func (m EngineStarted) update(s *State) {
	s.pool.began = true
	if m.Engine > 0 && m.Engine < s.pool.there {
		s.brief(m.Engine)
		s.Runs.Enlist(m.Engine + 1)
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
	s.How = m.How
	s.Runs.Receive(m.Engine, m.Message)
	if s.pool.want == 0 && s.Runs.RunTime() > 0 {
		s.pool.want = 1
		if s.How != mainThread { // there they would only be in each other's way
			s.pool.want = min(s.WorkerCount(), experiment.MaxLanes)
		}
		s.nextEngine()
	}
}

// nextEngine starts the next engine if there should be more.
func (s *State) nextEngine() {
	if s.pool.there < s.pool.want {
		s.startEngine(s.pool.there)
	}
}

// EngineLost says that an engine is no more, for want of memory or for another reason.
type EngineLost struct {
	Engine int
	Full   bool
	Why    say.Message
}

func (m EngineLost) update(s *State) {
	p := &s.pool
	switch {
	case m.Engine >= p.there:
	case m.Full && s.Runs.Exhausted():
		s.effects.Do(host.CloseEngines{From: 0})
		s.startEngine(0)
		s.nextEngine()
	case !p.began || m.Engine == 0 && p.lost >= patient:
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
	p.there = n
	if p.lost++; p.lost > patient {
		p.want = n
	}
	if n == 0 {
		s.startEngine(0)
		s.Runs.Revive()
	} else if s.Engines > n {
		s.Runs.Enlist(n)
	}
	s.nextEngine()
}
