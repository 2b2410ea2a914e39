package algorithm

import (
	"flockscope/sim/algorithm/internal/grouping"
	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/fl"
	"flockscope/sim/param"
)

var fieldSettle = param.Field{Name: "settle", Label: "Stop comparing", Section: param.Models, Kind: param.Choice,
	Default: "never", PerLane: true, Advanced: true,
	Options: []param.Option{
		{Name: "never", Title: "never"},
		{Name: "stable", Title: "when clients keep their models", Doc: "From then on clients receive their own model alone; newcomers are compared once.", Fields: []param.Field{
			{Name: "calm", Label: "Stable after N", Section: param.Models, Unit: "rounds", Kind: param.Int, Min: 2, Max: 100, High: 10, Low: 2, Default: "3", PerLane: true, Advanced: true,
				Doc: "A client is stable when it got the same model in its last N participations."},
			{Name: "agree", Label: "Share of stable clients", Section: param.Models, Kind: param.Float, Min: 0.1, Max: 1, Step: 0.05, Default: "1", PerLane: true, Advanced: true,
				Doc: "The share of a round's clients that must be stable."}}}},
	Doc: "CLoVE can stop clustering early. It saves most of the traffic and can make a mistake permanent."}

// earlyStop is CLoVE's early stop: when the clients of a round have been assigned the same model the last N times, the
// server keeps the models and, for each model, the mean loss vector of its clients. Newcomers are placed by these.
type earlyStop struct {
	patience int     // N
	share    float64 // least fraction of the round's clients

	unchanged []int // how many of a client's last models were the same; 0 before its first
	last      []int // last model of each client
	stopped   bool

	bank []float32 // the models at the time when losses were last reported
	grouping.Means
}

func (s *earlyStop) start(env *fl.Env) {
	s.unchanged, s.last = make([]int, env.Clients), make([]int, env.Clients)
	s.bank = make([]float32, len(env.Exchange.Bank.Params))
}

// check reports whether clusters are fixed, or become so in this round. Until then it keeps the models on which losses
// are about to be computed.
func (s *earlyStop) check(c *clove, r *fl.Round) bool {
	if s.stopped {
		return true
	}
	settled := 0
	for _, i := range r.Participants {
		if s.unchanged[i] >= s.patience {
			settled++
		}
	}
	if settled == 0 || float64(settled) < s.share*float64(len(r.Participants)) {
		copy(s.bank, r.Bank.Params)
		return false
	}
	s.stopped, r.Stopped = true, true
	s.Fit(&c.losses, s.last, c.env.Models, func(i int) bool { return s.unchanged[i] > 0 })
	return true
}

// place asks newcomers to evaluate the kept models, gives each newcomer the model whose clients have the nearest
// losses, and asks all participants for an update.
func (s *earlyStop) place(c *clove, r *fl.Round) {
	asked := false
	for _, i := range r.Participants {
		if s.unchanged[i] == 0 {
			r.AskCall(i, reportLosses, s.bank)
			asked = true
		}
	}
	if asked {
		r.Ask()
		for _, i := range r.Replied {
			row := c.losses.Row(i)
			if !numeric.IsFinite(r.Answer(i)) {
				continue // it is asked again in its next round
			}
			for k, l := range r.Answer(i) {
				row[k] = float64(l)
			}
			c.transform(row)
			r.Label[i] = s.Nearest(row)
			s.unchanged[i] = 1
		}
		r.Reclustered = len(r.Replied) > 0
	}
	for _, i := range r.Participants {
		if s.unchanged[i] > 0 {
			r.AskUpdate(i, r.Label[i])
		}
	}
}

// update records the models that the round's clients were given.
func (s *earlyStop) update(r *fl.Round) {
	for _, i := range r.Replied {
		if s.unchanged[i] > 0 && s.last[i] == r.Label[i] {
			s.unchanged[i]++
			continue
		}
		s.unchanged[i], s.last[i] = 1, r.Label[i]
	}
}

// reportLosses asks a newcomer for its losses.
const reportLosses = 1

// lossReporter is a newcomer's side: its losses on the models that were sent.
type lossReporter struct{}

func (lossReporter) Do(dst []float32, _ int, with []float32, at fl.ClientContext) []float32 {
	m, from := at.Model(), len(dst)
	for d := m.Size(); len(with) > 0; with = with[d:] {
		dst = append(dst, float32(m.Loss(with[:d], at.Probe())))
	}
	at.Quantize(dst[from:])
	return dst
}
