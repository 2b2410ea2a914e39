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

// Phases are the phases of the shown round.
type Phases struct {
	At     int    // the current one, from 1; 0 for the end of the round
	Symbol string // symbol of a formula under the pointer or with the focus, "" for none

	page           *State
	detailOf       roundOfClient // the round and client of detail
	detail         *trace.Detail // nil until it arrives
	pendingRequest roundOfClient // request without an answer
	forcedRun      *trace.Run    // run whose rounds the user wants even if a replay takes long
	requestedPhase phaseOfRound  // a phase that the user selected by name

	move        Move // animation of the current phase
	movePending bool // the next phase is animated: the user or the player went there, not a link
	roundDetail chart.RoundDetail
	places      []float32 // buffers of the animation
	models      []float32
}

// roundOfClient is a client in a round of a lane.
type roundOfClient struct {
	run                 *trace.Run
	lane, round, client int // index in the run
}

// phaseOfRound is a phase of a client's round.
type phaseOfRound struct {
	of    roundOfClient
	phase registry.Phase
}

// Phase is a phase of a round with its notes.
type Phase struct {
	Phase registry.Phase
	Notes []trace.Note
}

// LastPhase means the last phase of a round whose phases are unknown yet.
const LastPhase = 99

// longReplay is the duration of a replay, in ms, above which the user must confirm it.
const longReplay = 3000

// currentRound returns the shown round and client; false if they have no phases.
func (p *Phases) currentRound() (roundOfClient, bool) {
	lane := p.page.LaneOfRun(p.page.Lane)
	m := roundOfClient{p.page.Run, lane, p.page.Shown(), p.page.ExplainedClient()}
	return m, lane >= 0 && m.round > 0
}

// ReplayTime estimates how long a replay up to the shown round takes, in ms; 0 if unknown.
func (p *Phases) ReplayTime() float64 {
	return p.page.Runs.RunTime() * float64(p.page.Shown()) / float64(max(1, p.page.Rounds()))
}

// ReplayTooLong reports whether a replay takes long and the user has not confirmed it.
func (p *Phases) ReplayTooLong() bool {
	return p.forcedRun != p.page.Run && p.page.Run != nil && (!p.page.Run.Done() || p.ReplayTime() > longReplay)
}

// ForceDetail: the user confirms long replays of this run.
type ForceDetail struct{}

func (ForceDetail) update(s *State) {
	s.Phases.forcedRun = s.Run
	s.Phases.RequestDetail()
	s.effects.Redraw(host.Shell)
}

// RequestDetail asks an engine for the detail of the shown round, unless it is known or requested.
// Only one request is pending at a time; its answer triggers the next, for the round shown then.
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

// ForgetRequest drops the pending request: the engine has stopped or does something else.
func (p *Phases) ForgetRequest() { p.pendingRequest = roundOfClient{} }

// ReceiveDetail handles the answer to a request.
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

// All returns the phases of the shown round, nil while they are unknown.
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

// Shown returns the current phase; false if there is none.
func (p *Phases) Shown() (Phase, bool) {
	all := p.All()
	if p.At < 1 || len(all) == 0 {
		return Phase{}, false
	}
	return all[min(p.At, len(all))-1], true
}

// StepPhase: the user goes to the next phase, with By = 1, or the previous one, with By = −1. The
// last phase of a round is followed by the first of the next.
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
		// The phases are still unknown.
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

// ShowPhase: the user selects a phase. If the round has no such phase, [Phases.MissingPhase] reports
// it.
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

// requestPhase stores the phase that the user selected in the shown round.
func (p *Phases) requestPhase(phase registry.Phase) {
	p.requestedPhase.of, _ = p.currentRound()
	p.requestedPhase.phase = phase
}

// ShowPhaseIn: the user selects a phase of another round.
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

// MissingPhase returns the selected phase that the shown round does not have, and the nearest round
// in which the server clustered clients, 0 for none; ok is false if no phase is missing.
func (p *Phases) MissingPhase() (phase registry.Phase, round int, ok bool) {
	m, _ := p.currentRound()
	phase = p.requestedPhase.phase
	if p.At == 0 || p.requestedPhase.of != m || m.run == nil || p.All() == nil || p.indexOf(phase) > 0 {
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
	return phase, round, true
}

// indexOf returns the number of a phase in the round, from 1; 0 for none.
func (p *Phases) indexOf(phase registry.Phase) int {
	return 1 + slices.IndexFunc(p.All(), func(x Phase) bool { return x.Phase == phase })
}

// TogglePhases: the user opens or closes the phases of the round.
type TogglePhases struct{}

func (TogglePhases) update(s *State) {
	if s.Phases.At == 0 {
		StepPhase{1}.update(s)
		return
	}
	s.Phases.At = 0
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// Detail returns the detail of the shown round; nil until it arrives.
func (p *Phases) Detail() *trace.Detail { return p.detail }

// Client returns the client whose numbers are shown.
func (p *Phases) Client() int {
	if d := p.detail; d != nil {
		return d.Client
	}
	return p.page.ExplainedClient()
}

// Names returns the names of the phases of the shown round.
func (p *Phases) Names() []any {
	out := []any{}
	for _, p := range p.All() {
		out = append(out, p.Phase.Name())
	}
	return out
}

// FillSlots returns the function that fills the slots of a step with the numbers of a note.
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
			most = 3 // leaves room in the line for the symbol before it
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

// sortByLetter returns models, or a number for each model, in the order of the models' letters;
// other numbers are unchanged.
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
