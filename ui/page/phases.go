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

// Phases are the phases of the shown round: the same six for all methods, in the same order.
type Phases struct {
	At       int    // the current one, 1 + its [registry.Phase]; 0 for the end of the round
	Exact    bool   // the formulas and the pseudo-code of the current phase are open
	Watching bool   // the phases follow each other by themselves
	Symbol   string // symbol of a formula under the pointer or with the focus, "" for none

	page           *State
	lanes          [MaxLanes]lanePhases // by lane of the run
	pendingRequest roundOfClient        // request without an answer
	forcedRun      *trace.Run           // run whose rounds the user wants even if a replay takes long

	move     Move
	watchEnd float64 // when the current phase of a watched round is over, in ms; 0 while it moves
}

// lanePhases is what a lane shows of a phase.
type lanePhases struct {
	of     roundOfClient // the round and client of detail
	detail *trace.Detail // nil until it arrives

	round          chart.RoundDetail
	places, models []float32 // buffers of the animation

	told         toldPhase // what the next fields are about
	sends        string
	skipped, all bool
	choose       bool // clients choose their models while they are clustered: there is no matching
	common       int
}

// toldPhase is a phase whose words are known.
type toldPhase struct {
	roundOfClient
	phase    registry.Phase
	lang     string
	detailed bool // with the numbers of a client
}

// roundOfClient is a client in a round of a lane.
type roundOfClient struct {
	run                 *trace.Run
	lane, round, client int // index in the run
}

// longReplay is the duration of a replay, in ms, above which the user must confirm it.
const longReplay = 3000

// Phase returns the current phase; false at the end of the round.
func (p *Phases) Phase() (registry.Phase, bool) {
	return registry.Phase(max(p.At, 1) - 1), p.At > 0 && p.page.Shown() > 0
}

// roundOf returns the shown round and client of a lane of the run; false if they have no phases.
func (p *Phases) roundOf(lane int) (roundOfClient, bool) {
	m := roundOfClient{p.page.Run, lane, p.page.Shown(), p.page.Followed()}
	return m, p.page.Run != nil && lane >= 0 && lane < len(p.page.Run.Tracks) && m.round > 0
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

// RequestDetail asks an engine for the details of the shown round, unless they are known or requested. Only one request
// is pending at a time; its answer triggers the next: first the focused lane, then the others on screen.
func (p *Phases) RequestDetail() {
	if p.At == 0 || p.page.Run == nil || p.pendingRequest.run == p.page.Run || p.ReplayTooLong() {
		return
	}
	for _, lane := range append([]int{p.page.Lane}, p.page.LanesShown()...) {
		m, ok := p.roundOf(p.page.LaneOfRun(lane))
		if !ok {
			continue
		}
		if l := &p.lanes[m.lane]; l.of != m || l.detail == nil {
			l.of, l.detail = m, nil
			p.request(m)
			return
		}
	}
}

// request asks an engine for the detail of a round.
func (p *Phases) request(m roundOfClient) {
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
	if was.run != nil && was.run == p.page.Run && d.Lane == was.lane && d.Round == was.round {
		if l := &p.lanes[was.lane]; l.of == was {
			l.detail = d
			p.page.effects.Redraw(host.Shell | host.Figures)
		}
	}
	p.RequestDetail()
}

// Detail returns the detail of the shown round of a lane; nil until it arrives.
func (p *Phases) Detail(lane int) *trace.Detail {
	if m, ok := p.roundOf(p.page.LaneOfRun(lane)); ok && p.lanes[m.lane].of == m {
		return p.lanes[m.lane].detail
	}
	return nil
}

// Notes returns what a lane has noted of a phase of the shown round.
func (p *Phases) Notes(lane int, phase registry.Phase) (notes []trace.Note) {
	d, meta := p.Detail(lane), p.page.Algorithm(lane)
	if d == nil {
		return nil
	}
	for _, n := range d.Notes {
		if s, ok := meta.StepOf(n.Step, p.page.Schema.Steps); ok && s.Phase == phase {
			notes = append(notes, n)
		}
	}
	return notes
}

// StepPhase: the user goes to the next phase, with By = 1, or the previous one, with By = −1. The last phase of a round
// is followed by the first of the next.
type StepPhase struct{ By int }

func (m StepPhase) update(s *State) {
	p, last := s.Phases, int(registry.Phases)
	s.Player.Playing, p.Watching = false, false
	switch at := p.At + m.By; {
	case p.At == 0 && m.By < 0:
		at = last
		fallthrough
	case at >= 1 && at <= last:
		s.Round, p.At = max(1, s.Shown()), at
	case at > last && s.Shown() < s.Rounds():
		s.Round, p.At = s.Shown()+1, 1
	case at < 1 && s.Shown() > 1:
		s.Round, p.At = s.Shown()-1, last
	}
	p.show()
}

// ShowPhase: the user selects a phase, or the current one again to return to the end of the round.
type ShowPhase struct{ Phase registry.Phase }

func (m ShowPhase) update(s *State) {
	p := s.Phases
	s.Player.Playing, p.Watching = false, false
	if at := int(m.Phase) + 1; p.At != at {
		s.Round, p.At = max(1, s.Shown()), at
	} else {
		p.At = 0
	}
	p.show()
}

// ShowPhaseIn: the user selects a phase of another round.
type ShowPhaseIn struct {
	Round int
	Phase registry.Phase
}

func (m ShowPhaseIn) update(s *State) {
	s.Round, s.Phases.At = m.Round, 0
	ShowPhase{m.Phase}.update(s)
}

// WatchRound: the user watches the phases of the shown round one after the other, or ends that.
type WatchRound struct{}

func (WatchRound) update(s *State) {
	p := s.Phases
	s.Player.Playing = false
	if p.Watching = !p.Watching; p.Watching {
		s.Round, p.At = max(1, s.Shown()), 1
	}
	p.show()
}

// show starts the motion of the current phase.
func (p *Phases) show() {
	p.RequestDetail()
	p.BeginMove()
	p.page.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// EndPhases: the user returns to the end of the round.
type EndPhases struct{}

func (EndPhases) update(s *State) {
	s.Phases.At, s.Phases.Watching = 0, false
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// ToggleExact: the user opens or closes the formulas and the pseudo-code.
type ToggleExact struct{}

func (ToggleExact) update(s *State) {
	p := s.Phases
	if p.Exact = !p.Exact; p.Exact && p.At == 0 {
		StepPhase{1}.update(s)
	}
	s.effects.Redraw(host.Shell | host.Figures)
}

// NextClustering returns the round nearest to the shown one in which the server clusters the clients of a lane, if it
// does not do so in the shown one and the current phase belongs to clustering; 0 for none.
func (p *Phases) NextClustering(lane int) int {
	phase, ok := p.Phase()
	m, there := p.roundOf(p.page.LaneOfRun(lane))
	if !ok || !there || phase < registry.Embed || phase > registry.Match ||
		m.run.Tracks[m.lane].Frames[min(m.round, len(m.run.Tracks[m.lane].Frames)-1)].Events.Has(trace.Reclustered) {
		return 0
	}
	return nearestClustering(p.page.Run, m.lane, m.round)
}

// nearby is how many rounds a page looks for one in which the server clusters.
const nearby = 50

// nearestClustering returns the nearby round nearest to another in which the server clustered the clients, 0 for none.
func nearestClustering(run *trace.Run, lane, round int) int {
	frames := run.Tracks[lane].Frames
	for by := range min(len(frames), nearby+1) {
		for _, t := range [...]int{round + by, round - by} {
			if t > 0 && t < len(frames) && frames[t].Events.Has(trace.Reclustered) {
				return t
			}
		}
	}
	return 0
}

// Names returns the names of the phases in which the focused lane does something in the shown round.
func (p *Phases) Names() []any {
	out := []any{}
	for phase := range registry.Phases {
		if p.At > 0 && len(p.Notes(p.page.Lane, phase)) > 0 {
			out = append(out, phase.Name())
		}
	}
	return out
}

// FillSlots returns the function that fills the slots of a step with the numbers of a note of a lane.
func (p *Phases) FillSlots(lane int, n *trace.Note) formula.Slot {
	v := p.page.View(lane)
	return func(name, kind string) (numbers []string, vector bool) {
		if name == "client" {
			return []string{chart.Client(p.page.Followed())}, false
		}
		value, _ := n.Value(name)
		most := 4
		switch {
		case kind == "model":
			most = 8
		case value.More:
			most = 3 // leaves room in the line for the symbol before it
		}
		shown := sortByLetter(&v, value.Numbers, kind)
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
func sortByLetter(v *chart.View, numbers []float64, kind string) []float64 {
	model := func(k int) int { return k }
	switch kind {
	case "model":
		model = func(k int) int { return int(numbers[k]) }
	case "models":
	default:
		return numbers
	}
	order := make([]int, len(numbers))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(x, y int) int { return v.AliasOf(model(x)) - v.AliasOf(model(y)) })
	out := make([]float64, len(numbers))
	for i, k := range order {
		out[i] = numbers[k]
	}
	return out
}
