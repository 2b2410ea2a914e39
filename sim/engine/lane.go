package engine

import (
	"fmt"
	"math"
	"slices"

	"flockscope/clusterer"
	"flockscope/sim/fl"
	"flockscope/sim/rng"
	"flockscope/sim/trace"
	"flockscope/sim/workload"
)

// lane is one algorithm at work: its server, its models, and the frame that
// is being filled. It runs in a goroutine of its own.
type lane struct {
	number  int // in the configuration
	plan    fl.Plan
	info    trace.Lane
	data    workload.Workload
	clients []*client
	group   []int // planted; nil when nobody knows
	groups  int
	rate    float64

	bank    fl.Bank
	label   []int
	before  []int // labels of the last round
	round   *fl.Round
	visit   visit
	traffic fl.Traffic

	frame     trace.Frame
	table     clusterer.Contingency
	projector projector
	used      []bool

	hash     trace.Hash
	ari      []float64 // of every frame, to find when it settled
	diverged int       // round, −1 while all is well
	cause    string

	turn chan int      // rounds to play
	over chan struct{} // a round is played
}

// newLane sets up a lane and fills its frame with the start.
func newLane(plan fl.Plan, info trace.Lane, set *settings, n int, data workload.Workload, clients []*client) *lane {
	c, d := data.Clients(), data.Model().Size()
	l := &lane{number: n, plan: plan, info: info, data: data, clients: clients, diverged: -1,
		rate: set.rates[n], bank: fl.NewBank(plan.Models, d), label: make([]int, c), before: make([]int, c),
		used: make([]bool, plan.Models), ari: make([]float64, 0, set.rounds+1), turn: make(chan int), over: make(chan struct{})}
	l.group, l.groups = data.Groups()
	var s rng.Stream
	for k := range plan.Models {
		s.Reset(set.modelSeed, rng.Models, k, 0)
		data.Start(l.bank.Model(k), k, &s)
	}
	samples := make([]int, c)
	for i := range samples {
		samples[i] = data.Samples(i)
	}
	plan.Server.Start(&fl.Env{Clients: c, Models: plan.Models, Size: d, Samples: samples, Seed: set.algorithmSeed}, l.label)
	copy(l.before, l.label)

	l.visit = visit{exchange: fl.NewExchange(c, &l.bank), probe: set.probes[n], columns: info.Columns,
		personal: plan.Personal, done: make(chan struct{}, 1)}
	l.round = fl.NewRound(l.visit.exchange, &l.traffic, l.label, l.call)

	f := &l.frame
	f.Label = make([]uint16, c)
	f.Losses = make([]float32, c*info.Columns)
	f.Models = make([]float32, len(l.bank.Params))
	l.projector = newProjector(info.Map, c)
	l.measure()
	l.expect()
	return l
}

// call sends every client its task and waits for all replies.
func (l *lane) call() {
	l.visit.pending.Store(int32(len(l.clients)))
	for _, c := range l.clients {
		c.inbox <- &l.visit
	}
	<-l.visit.done
	l.visit.observed = nil // one look a round, before the models move
}

// live plays rounds until turn is closed.
func (l *lane) live() {
	for t := range l.turn {
		l.play(t)
		l.over <- struct{}{}
	}
}

// play runs round t and fills the frame with its outcome.
func (l *lane) play(t int) {
	f := &l.frame
	f.Round, f.Events = t+1, 0
	if l.diverged >= 0 {
		return // stands still on the last finite frame
	}
	copy(l.before, l.label)
	l.round.Begin(t)
	l.visit.round = t + 1
	l.visit.observed = f.Losses
	l.plan.Server.Round(l.round)
	if l.round.News {
		f.Events |= trace.Reclustered
	}
	if l.round.Frozen {
		f.Events |= trace.Frozen
	}
	if !slices.Equal(l.label, l.before) {
		f.Events |= trace.Moved
	}
	if !l.finite() {
		l.diverge(t + 1)
		return
	}
	l.measure()
	if e, ok := l.plan.Server.(fl.Embedder); ok && l.round.News {
		l.projector.project(f, e.Embedding())
	}
}

// wild is the loss above which a lane counts as diverged: far beyond any data
// a person would bring, far below where float32 ends.
const wild = 1e12

// finite reports whether every model is one that could still be drawn.
func (l *lane) finite() bool {
	for _, v := range l.bank.Params {
		if !(math.Abs(float64(v)) < wild) {
			return false
		}
	}
	return true
}

// diverge freezes the lane at the last finite frame and says why.
func (l *lane) diverge(t int) {
	f := &l.frame
	l.diverged = t
	f.Events = trace.Diverged // nobody is moved: the labels are those of before
	copy(l.label, l.before)
	limit := 2 / l.data.Curvature()
	switch {
	case l.rate > limit && limit/2 < 1e-6: // below any rate that can be set
		l.cause = fmt.Sprintf("the models blew up in round %d: learning rate %.3g is above 2/L = %.3g; scale the data down", t, l.rate, limit)
	case l.rate > limit:
		l.cause = fmt.Sprintf("the models blew up in round %d: learning rate %.3g is above 2/L = %.3g; try %.1g", t, l.rate, limit, limit/2)
	default:
		l.cause = fmt.Sprintf("the models blew up in round %d; try a smaller learning rate", t)
	}
	l.expect()
}

// expect fills the frame's losses with the expected ones of the models in the
// frame: at the start, when no sample has been seen, and after a divergence,
// when the observed ones mean nothing.
func (l *lane) expect() {
	f, d := &l.frame, l.bank.Size
	for i := range l.label {
		row := f.Losses[i*l.info.Columns : (i+1)*l.info.Columns]
		for k := range row {
			if l.plan.Personal {
				k = i
			}
			row[min(k, len(row)-1)] = float32(l.data.Risk(i, f.Models[k*d:(k+1)*d]))
		}
	}
}

// measure fills the frame with models, labels and metrics as they stand.
func (l *lane) measure() {
	f := &l.frame
	copy(f.Models, l.bank.Params)
	clear(l.used)
	f.Loss, f.Worst, f.Clusters = 0, 0, 0
	for i, k := range l.label {
		f.Label[i] = uint16(k)
		risk := l.data.Risk(i, l.bank.Model(k))
		f.Loss += risk
		if risk > f.Worst {
			f.Worst = risk
		}
		if !l.used[k] {
			l.used[k] = true
			f.Clusters++
		}
	}
	n := float64(len(l.label))
	f.Loss /= n
	f.Down, f.Up = float64(l.traffic.Down)/n, float64(l.traffic.Up)/n
	if l.groups > 0 && (f.Round == 0 || f.Events.Has(trace.Moved)) {
		f.ARI = l.table.AdjustedRand(l.group, l.label)
		f.Misplaced = l.table.Misplaced(l.group, l.label)
	}
}

// keep enters the frame into fingerprint and history.
func (l *lane) keep() {
	l.hash.Add(&l.frame)
	l.ari = append(l.ari, l.frame.ARI)
}

// summary is the verdict after the last round.
func (l *lane) summary() trace.Summary {
	s := trace.Summary{Metrics: l.frame.Metrics, Settled: -1, Diverged: l.diverged, Cause: l.cause,
		Fingerprint: l.hash.Sum(), Alias: l.alias()}
	if l.groups > 0 && l.diverged < 0 {
		s.Settled = trace.Settled(l.ari)
	}
	return s
}

// alias matches models to groups by the clients they share in the last frame,
// so that each model takes the colour of the people it serves. Models beyond
// the groups keep what colours are left, in order.
func (l *lane) alias() []uint16 {
	k := l.plan.Models
	out := make([]uint16, k)
	for i := range out {
		out[i] = uint16(i)
	}
	// Matching is cubic; with very many models colours mean nothing anyway.
	if l.groups == 0 || l.plan.Personal || k > 64 {
		return out
	}
	n := max(k, l.groups)
	var cost clusterer.Matrix
	cost.Reshape(n, n)
	clear(cost.Data)
	for i, m := range l.label {
		cost.Row(m)[l.group[i]]--
	}
	var a clusterer.Assigner
	to := make([]int, n)
	a.Assign(to, &cost)
	// With more groups than models a model may be matched to a high group:
	// close the gaps so that alias stays a permutation of the models.
	taken := make([]bool, n)
	for m := range k {
		taken[to[m]] = true
	}
	next := 0
	for m := range k {
		if to[m] >= k {
			for taken[next] {
				next++
			}
			to[m], taken[next] = next, true
		}
		out[m] = uint16(to[m])
	}
	return out
}
