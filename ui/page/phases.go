package page

import (
	"slices"

	"flockscope/sim/registry"
	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/ui/chart"
	"flockscope/ui/formula"
	"flockscope/ui/host"
)

// Phases are those of the round looked at.
type Phases struct {
	At     int    // the one that is shown, from 1; 0 for the end of the round
	Symbol string // of a formula, under the pointer or the focus, "" for none

	page           *State
	detailOf       roundOfClient // that detail is of
	detail         *trace.Detail // nil while it is on its way
	pendingRequest roundOfClient // what an engine has been asked and has not answered yet
	forcedRun      *trace.Run    // whose rounds are worth a long wait
	requestedPhase phaseOfRound  // a phase that was asked for by name

	move        Move // of what the phase changes
	movePending bool // the next phase moves: a person or the player went there; a link arrives at once
	roundDetail chart.RoundDetail
	places      []float32 // memory of what is on its way
	models      []float32
}

// roundOfClient is a round of a lane as a client lived it.
type roundOfClient struct {
	run                 *trace.Run
	lane, round, client int // the lane of the run
}

// phaseOfRound is a phase to show of a moment.
type phaseOfRound struct {
	of    roundOfClient
	phase registry.Phase
}

// Phase is a phase that a round passed, and its notes.
type Phase struct {
	Phase registry.Phase
	Notes []trace.Note
}

// LastPhase stands for the last phase of a round whose phases are not known yet.
const LastPhase = 99

// longReplay is how long a replay may take, in ms, without anybody asking for it
// twice.
const longReplay = 3000

// currentRound is the moment that is looked at; false where there is none to look into.
func (p *Phases) currentRound() (roundOfClient, bool) {
	lane := p.page.LaneOfRun(p.page.Lane)
	m := roundOfClient{p.page.Run, lane, p.page.Shown(), p.page.ExplainedClient()}
	return m, lane >= 0 && m.round > 0
}

// ReplayTime is about how long it takes to look into the round looked at, in ms;
// 0 while that is not known.
func (p *Phases) ReplayTime() float64 {
	return p.page.Runs.RunTime() * float64(p.page.Shown()) / float64(max(1, p.page.Rounds()))
}

// ReplayTooLong reports whether looking into this round is for those who insist.
func (p *Phases) ReplayTooLong() bool {
	return p.forcedRun != p.page.Run && p.page.Run != nil && (!p.page.Run.Done() || p.ReplayTime() > longReplay)
}

// ForceDetail looks into the rounds of this run however long it takes.
type ForceDetail struct{}

func (ForceDetail) update(s *State) {
	s.Phases.forcedRun = s.Run
	s.Phases.RequestDetail()
	s.effects.Redraw(host.Shell)
}

// RequestDetail asks an engine about the moment looked at, unless it is known, or has been
// asked for. One question is out at a time; of later ones the newest is kept, as it
// is asked when the answer comes.
func (p *Phases) RequestDetail() {
	m, ok := p.currentRound()
	if p.At == 0 || !ok {
		return
	}
	if p.detailOf != m {
		p.detailOf, p.detail = m, nil
	}
	if p.detail != nil || p.pendingRequest.run == p.page.Run || p.ReplayTooLong() {
		return
	}
	p.pendingRequest = m
	var message wire.Message
	message.Reset(p.page.Runs.ID())
	message.Record(wire.Explain, func(dst []byte) []byte {
		return wire.AppendQuestion(dst, wire.Question{Lane: m.lane, Round: m.round, Client: m.client,
			Query: p.page.Run.Header.Query})
	})
	p.page.effects.Do(host.Send{Engine: 0, Message: slices.Clone(message.Bytes())})
}

// ForgetRequest forgets what was asked: the engine is gone, or does something else.
func (p *Phases) ForgetRequest() { p.pendingRequest = roundOfClient{} }

// ReceiveDetail takes the answer to a question.
func (p *Phases) ReceiveDetail(d *trace.Detail) {
	was := p.pendingRequest
	p.pendingRequest = roundOfClient{}
	if was.run == nil || was.run != p.page.Run || d.Lane != was.lane || d.Round != was.round {
		p.RequestDetail()
		return
	}
	if was == p.detailOf {
		p.detail = d
		p.At = max(min(p.At, len(p.All())), min(p.At, 1))
		if i := p.indexOf(p.requestedPhase.phase); p.requestedPhase.of == p.detailOf && i > 0 {
			p.At = i
		}
		p.page.effects.Redraw(host.Shell | host.Link)
		p.startMove()
	}
	p.RequestDetail()
}

// All are the phases of the round looked at, nil while they are not known.
func (p *Phases) All() []Phase {
	d := p.detail
	if m, ok := p.currentRound(); !ok || d == nil || p.detailOf != m {
		return nil
	}
	meta := p.page.Algorithm(p.page.Lane)
	var out []Phase
	for _, n := range d.Notes {
		s, ok := meta.StepOf(n.Step, p.page.Schema.Steps)
		if !ok {
			continue
		}
		if len(out) == 0 || out[len(out)-1].Phase != s.Phase {
			out = append(out, Phase{Phase: s.Phase})
		}
		last := &out[len(out)-1]
		last.Notes = append(last.Notes, n)
	}
	return out
}

// Shown is the phase on screen; false while there is none.
func (p *Phases) Shown() (Phase, bool) {
	all := p.All()
	if p.At < 1 || len(all) == 0 {
		return Phase{}, false
	}
	return all[min(p.At, len(all))-1], true
}

// StepPhase goes to the next phase, by 1, or to the one before, by −1: from the
// last of a round to the first of the next.
type StepPhase struct{ By int }

func (m StepPhase) update(s *State) {
	p := s.Phases
	s.Player.Playing = false
	p.requestedPhase = phaseOfRound{}
	switch all := p.All(); {
	case p.At == 0:
		s.Round = max(1, s.Shown())
		if p.At = 1; m.By < 0 {
			p.At = LastPhase
		}
	case len(all) == 0 && s.Shown() > 0:
		// On its way.
	case m.By > 0 && p.At < len(all), m.By < 0 && p.At > 1:
		p.At += m.By
	case m.By > 0 && s.Shown() < s.Rounds():
		s.Round = s.Shown() + 1
		p.At = 1
	case m.By < 0 && s.Shown() > 1:
		s.Round = s.Shown() - 1
		p.At = LastPhase
	}
	p.RequestDetail()
	p.BeginMove()
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// ShowPhase puts a phase on screen, if the round passed it; [Phases.MissingPhase] says so if not.
type ShowPhase struct{ Phase registry.Phase }

func (m ShowPhase) update(s *State) {
	p := s.Phases
	p.requestedPhase = phaseOfRound{}
	switch i := p.indexOf(m.Phase); {
	case i > 0:
		s.Player.Playing = false
		p.At = i
		p.BeginMove()
	case p.At == 0:
		StepPhase{1}.update(s)
		fallthrough
	default:
		p.requestPhase(m.Phase)
	}
	s.effects.Redraw(host.Shell | host.Link)
}

// requestPhase keeps which phase of the round looked at was asked for.
func (p *Phases) requestPhase(phase registry.Phase) {
	p.requestedPhase.of, _ = p.currentRound()
	p.requestedPhase.phase = phase
}

// ShowPhaseIn goes to a round and puts a phase of it on screen.
type ShowPhaseIn struct {
	Round int
	Phase registry.Phase
}

func (m ShowPhaseIn) update(s *State) {
	p := s.Phases
	s.Player.Playing = false
	s.Round = m.Round
	p.At = 1
	p.requestPhase(m.Phase)
	p.RequestDetail()
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// MissingPhase is the phase that was asked for and that the round looked at did not pass, and
// the nearest round in which the server clustered clients, 0 for none; false when there is
// no such phase.
func (p *Phases) MissingPhase() (phase registry.Phase, round int, ok bool) {
	m, _ := p.currentRound()
	if p.At == 0 || p.requestedPhase.of != m || m.run == nil || p.All() == nil || p.indexOf(p.requestedPhase.phase) > 0 {
		return 0, 0, false
	}
	frames := m.run.Tracks[m.lane].Frames
	for by := 1; by < len(frames) && round == 0; by++ {
		for _, other := range [...]int{m.round + by, m.round - by} {
			if round == 0 && other > 0 && other < len(frames) && frames[other].Events.Has(trace.Reclustered) {
				round = other
			}
		}
	}
	return p.requestedPhase.phase, round, true
}

// indexOf is which of the round's phases a phase is, from 1; 0 for none.
func (p *Phases) indexOf(phase registry.Phase) int {
	return 1 + slices.IndexFunc(p.All(), func(x Phase) bool { return x.Phase == phase })
}

// TogglePhases looks into the round, or no more.
type TogglePhases struct{}

func (TogglePhases) update(s *State) {
	if s.Phases.At == 0 {
		StepPhase{1}.update(s)
		return
	}
	s.Phases.At = 0
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// Detail is what is known of the round looked at; nil while it is on its way.
func (p *Phases) Detail() *trace.Detail { return p.detail }

// Client is the client whose numbers of the round are told.
func (p *Phases) Client() int {
	if d := p.detail; d != nil {
		return d.Client
	}
	return p.page.ExplainedClient()
}

// Names are the phases of the round looked at.
func (p *Phases) Names() []any {
	out := []any{}
	for _, p := range p.All() {
		out = append(out, p.Phase.Name())
	}
	return out
}

// Slot fills the slots of a step with the numbers of a note.
func (p *Phases) FillSlots(n *trace.Note) formula.Slot {
	v := p.page.View(p.page.Lane)
	return func(name, kind string) (numbers []string, vector bool) {
		if name == "client" {
			return []string{chart.Client(p.detail.Client)}, false
		}
		value, _ := n.Value(name)
		most := 4
		switch {
		case kind == "model":
			most = 8
		case value.More:
			most = 3 // so that a line has room for the sign before it
		}
		shown := p.sortByLetter(value.Numbers, kind)
		cut := max(0, len(shown)-most)
		if value.Last {
			shown = shown[cut:]
			numbers = append(numbers, "…")
		} else {
			shown = shown[:len(shown)-cut]
		}
		for _, x := range shown {
			switch kind {
			case "model":
				numbers = append(numbers, v.Letter(int(x)))
			case "client":
				numbers = append(numbers, chart.Client(int(x)))
			default:
				numbers = append(numbers, chart.Number(x))
			}
		}
		if !value.Last && (value.More || cut > 0) {
			numbers = append(numbers, "…")
		}
		return numbers, len(numbers) > 1 && kind != "model"
	}
}

// sortByLetter returns models, or a number of each model, in the order of the models'
// letters; anything else as it is.
func (p *Phases) sortByLetter(numbers []float64, kind string) []float64 {
	v := p.page.View(p.page.Lane)
	switch kind {
	case "model":
		return slices.SortedFunc(slices.Values(numbers),
			func(x, y float64) int { return v.AliasOf(int(x)) - v.AliasOf(int(y)) })
	case "models":
		order := make([]int, len(numbers))
		for k := range order {
			order[k] = k
		}
		slices.SortStableFunc(order, func(x, y int) int { return v.AliasOf(x) - v.AliasOf(y) })
		out := make([]float64, len(numbers))
		for i, k := range order {
			out[i] = numbers[k]
		}
		return out
	}
	return numbers
}
