package ui

import (
	"slices"

	"flockscope/sim/registry"
	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/ui/chart"
	"flockscope/ui/formula"
	"flockscope/ui/host"
)

// Inside a round: an engine plays the lane in focus once more, up to the round
// looked at, and tells the steps that it took, with the numbers of the selected
// client. Phases are those steps, gathered.

// detailKey is a round of a lane as a client lived it.
type detailKey struct {
	run                 *trace.Run
	lane, round, client int // the lane of the run
}

// roundDetail is what is known of a moment.
type roundDetail struct {
	of       detailKey
	detail   *trace.Detail // nil while it is on its way
	asked    detailKey     // what an engine has been asked and has not answered yet
	insisted *trace.Run    // whose rounds are worth a long wait
}

// RoundPhase is a phase that a round passed, and its notes.
type RoundPhase struct {
	Phase registry.Phase
	Notes []trace.Note
}

// lastPhase stands for the last phase of a round whose phases are not known yet.
const lastPhase = 99

// longReplay is how long a replay may take, in ms, without anybody asking for it
// twice.
const longReplay = 3000

// detailKey is the one that is looked at; false where there is none to look into.
func (a *App) detailKey() (detailKey, bool) {
	lane := a.OnStage(a.Lane)
	m := detailKey{a.Run, lane, a.Shown(), a.Speaker()}
	return m, lane >= 0 && m.round > 0
}

// ReplayTime is about how long it takes to look into the round looked at, in ms;
// 0 while that is not known.
func (a *App) ReplayTime() float64 {
	return a.requests.took * float64(a.Shown()) / float64(max(1, a.Rounds()))
}

// TooLong reports whether looking into this round is for those who insist.
func (a *App) TooLong() bool {
	return a.detail.insisted != a.Run && a.Run != nil && (!a.Run.Done() || a.ReplayTime() > longReplay)
}

// Insist looks into the rounds of this run however long it takes.
func (a *App) Insist() {
	a.detail.insisted = a.Run
	a.askDetail()
	a.Host.Change(host.Shell)
}

// askDetail asks an engine about the moment looked at, unless it is known, or has been
// asked for. One question is out at a time; of later ones the newest is kept, as it
// is asked when the answer comes.
func (a *App) askDetail() {
	in := &a.detail
	m, ok := a.detailKey()
	if a.Phase == 0 || !ok {
		return
	}
	if in.of != m {
		in.of, in.detail = m, nil
	}
	if in.detail != nil || in.asked.run == a.Run || a.TooLong() {
		return
	}
	in.asked = m
	var message wire.Message
	message.Reset(a.requests.id)
	message.Record(wire.Explain, func(dst []byte) []byte {
		return wire.AppendQuestion(dst, wire.Question{Lane: m.lane, Round: m.round, Client: m.client, Query: a.Run.Header.Query})
	})
	a.Host.Send(0, message.Bytes())
}

// takeDetail takes the answer to a question.
func (a *App) takeDetail(d *trace.Detail) {
	in := &a.detail
	was := in.asked
	in.asked = detailKey{}
	if was.run == nil || was.run != a.Run || d.Lane != was.lane || d.Round != was.round {
		a.askDetail()
		return
	}
	if was == in.of {
		in.detail = d
		a.Phase = max(min(a.Phase, len(a.RoundPhases())), min(a.Phase, 1))
		a.Host.Change(host.Shell | host.Link)
		a.startPhaseMove()
	}
	a.askDetail()
}

// RoundPhases are the phases of the round looked at, nil while they are not known.
func (a *App) RoundPhases() []RoundPhase {
	d := a.detail.detail
	if m, ok := a.detailKey(); !ok || d == nil || a.detail.of != m {
		return nil
	}
	meta := a.Algorithm(a.Lane)
	var out []RoundPhase
	for _, n := range d.Notes {
		s, ok := meta.StepOf(n.Step, a.Schema.Steps)
		if !ok {
			continue
		}
		if len(out) == 0 || out[len(out)-1].Phase != s.Phase {
			out = append(out, RoundPhase{Phase: s.Phase})
		}
		last := &out[len(out)-1]
		last.Notes = append(last.Notes, n)
	}
	return out
}

// ShownPhase is the phase in the light; false while there is none.
func (a *App) ShownPhase() (RoundPhase, bool) {
	all := a.RoundPhases()
	if a.Phase < 1 || len(all) == 0 {
		return RoundPhase{}, false
	}
	return all[min(a.Phase, len(all))-1], true
}

// StepPhase goes to the next phase, by 1, or to the one before, by −1: from the
// last of a round to the first of the next.
func (a *App) StepPhase(by int) {
	a.Playing = false
	switch all := a.RoundPhases(); {
	case a.Phase == 0:
		a.Round = max(1, a.Shown())
		if a.Phase = 1; by < 0 {
			a.Phase = lastPhase
		}
	case len(all) == 0 && a.Shown() > 0:
		// On its way.
	case by > 0 && a.Phase < len(all), by < 0 && a.Phase > 1:
		a.Phase += by
	case by > 0 && a.Shown() < a.Rounds():
		a.Round, a.Phase = a.Shown()+1, 1
	case by < 0 && a.Shown() > 1:
		a.Round, a.Phase = a.Shown()-1, lastPhase
	}
	a.askDetail()
	a.beginPhaseMove()
	a.Host.Change(host.Shell | host.Figures | host.Link)
}

// ShowPhase puts a phase in the light, if the round passed it.
func (a *App) ShowPhase(phase registry.Phase) {
	if i := slices.IndexFunc(a.RoundPhases(), func(p RoundPhase) bool { return p.Phase == phase }); i >= 0 {
		a.Playing, a.Phase = false, i+1
		a.beginPhaseMove()
		a.Host.Change(host.Shell | host.Link)
	} else if a.Phase == 0 {
		a.StepPhase(1)
	}
}

// ToggleInside looks into the round, or no more.
func (a *App) ToggleInside() {
	if a.Phase == 0 {
		a.StepPhase(1)
		return
	}
	a.Phase = 0
	a.Host.Change(host.Shell | host.Figures | host.Link)
}

// Detail is what is known of the round looked at; nil while it is on its way.
func (a *App) Detail() *trace.Detail { return a.detail.detail }

// Told is the client whose numbers of the round are told.
func (a *App) Told() int {
	if d := a.detail.detail; d != nil {
		return d.Client
	}
	return a.Speaker()
}

// Slot fills the slots of a step with the numbers of a note.
func (a *App) Slot(n *trace.Note) formula.Slot {
	v := a.View(a.Lane)
	return func(name, kind string) (numbers []string, vector bool) {
		if name == "client" {
			return []string{chart.Client(a.detail.detail.Client)}, false
		}
		value, _ := n.Value(name)
		most := 4
		switch {
		case kind == "model":
			most = 8
		case value.More:
			most = 3 // so that a line has room for the sign before it
		}
		shown := a.inOrder(value.Numbers, kind)
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

// inOrder returns models, or a number of each model, in the order of the models'
// letters; anything else as it is.
func (a *App) inOrder(numbers []float64, kind string) []float64 {
	v := a.View(a.Lane)
	switch kind {
	case "model":
		return slices.SortedFunc(slices.Values(numbers), func(x, y float64) int { return v.Place(int(x)) - v.Place(int(y)) })
	case "models":
		order := make([]int, len(numbers))
		for k := range order {
			order[k] = k
		}
		slices.SortStableFunc(order, func(x, y int) int { return v.Place(x) - v.Place(y) })
		out := make([]float64, len(numbers))
		for i, k := range order {
			out[i] = numbers[k]
		}
		return out
	}
	return numbers
}

// PhaseNames are the phases of the round looked at.
func (a *App) PhaseNames() []any {
	out := []any{}
	for _, p := range a.RoundPhases() {
		out = append(out, p.Phase.Name())
	}
	return out
}
