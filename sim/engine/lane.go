package engine

import (
	"fmt"
	"math"
	"slices"

	"flockscope/clusterer"
	"flockscope/sim/fl"
	"flockscope/sim/kernel"
	"flockscope/sim/model"
	"flockscope/sim/rng"
	"flockscope/sim/trace"
	"flockscope/sim/workload"
)

// lane is one algorithm at work: its server, its models, and the frame that
// is being filled. The first of a run plays in the run's own goroutine, others in
// one each.
type lane struct {
	number   int // in the configuration
	plan     fl.Plan
	info     trace.Lane
	data     workload.Workload
	clients  *crew
	group    []int // planted; nil when nobody knows
	groups   int
	risks    workload.Analytic // nil where models have to be tried
	tests    workload.Tested   // nil where they need not be
	wardrobe *bench            // where clients make models of their own, for their risks to be told; nil where they do not

	bank     fl.Bank
	label    []int
	before   []int // labels of the last round
	round    *fl.Round
	rounds   int // of the whole run
	roll     *attendance
	seen     []bool // clients that have ever taken part; nil when all always do
	visit    visit
	exam     *exam    // nil where models need not be tried
	examined int      // the last round after which they were
	foretold bool     // clients have been told what comes after this round
	hosting  *hosting // nil where no test client comes
	mirror   *mirror  // nil where models rebuild nothing that can be seen
	traffic  fl.Traffic

	frame     trace.Frame
	table     clusterer.Contingency
	projector projector
	used      []bool
	known     []int // groups and labels of the clients that have taken part

	hash     trace.Hash
	ari      []float64 // of every frame, to find when it settled
	found    int       // round after which the clustering was right for the first time, −1 before it
	price    float64   // floats a client has received and sent until then
	diverged int       // round, −1 while all is well
	cause    string
	wild     int     // the model that diverged
	advice   float64 // a learning rate to try instead

	// watch, unless nil, plays a round in its own way; recorder is what it
	// has taken down.
	watch    func(l *lane, t int, play func())
	recorder *fl.Recorder

	turn chan int      // rounds to play, where it has a goroutine of its own
	over chan struct{} // a round is played
}

// newLane sets up a lane and fills its frame with the start.
func newLane(plan fl.Plan, h *trace.Header, set *settings, n int, data workload.Workload, clients *crew) *lane {
	info := h.Lanes[n]
	c, d := data.Clients(), data.Model().Size()
	l := &lane{number: n, rounds: set.rounds, plan: plan, info: info, data: data, clients: clients, diverged: -1, found: -1,
		bank: fl.NewBank(plan.Models, d), label: make([]int, c), before: make([]int, c),
		used: make([]bool, plan.Models), ari: make([]float64, 0, set.rounds+1), turn: make(chan int), over: make(chan struct{})}
	l.group, l.groups = data.Groups()
	if l.groups > 0 { // make room for as many labels as there can ever be
		for i := range l.before {
			l.before[i] = i % plan.Models
		}
		l.table.Misplaced(l.group, l.before)
	}
	var s rng.Stream
	for k := range plan.Models {
		s.Reset(set.modelSeed, rng.Models, k, 0)
		data.Start(l.bank.Model(k), k, &s)
	}
	samples := make([]int, c)
	for i := range samples {
		samples[i] = data.Samples(i)
	}
	exchange := fl.NewExchange(c, &l.bank)
	plan.Server.Start(&fl.Env{Exchange: exchange, Clients: c, Models: plan.Models, Size: d, Head: headOf(data.Model()), Samples: samples, Seed: set.algorithmSeed}, l.label)
	copy(l.before, l.label)

	l.visit = visit{lane: n, exchange: exchange, protocol: plan.Protocol, device: plan.Device, probe: set.probes[n], columns: info.Columns,
		personal: plan.Personal, home: plan.Local, done: make(chan struct{}, 1)}
	l.round = fl.NewRound(exchange, &l.traffic, l.label, plan.Protocol.Step(), l)
	l.round.Prefetcher, _ = plan.Server.(fl.Prefetcher)
	l.round.Meter, _ = plan.Server.(fl.Meter)
	l.risks, _ = data.(workload.Analytic)
	if _, ok := plan.Device.(fl.Personal); ok && l.risks != nil {
		l.wardrobe = newBench(data, set)
	}
	l.tests, _ = data.(workload.Tested)
	if l.risks == nil {
		l.exam = newExam(c, l.tests.Classes(), l.label)
		l.hosting = newHosting(data, set, &l.plan)
		l.mirror = newMirror(h, &l.info, data, plan.Personal)
	}

	l.roll = newAttendance(set.common, c, set.dataSeed)
	l.round.Local = plan.Local
	l.round.Clock = newClock(set.common, c, set.dataSeed)
	if !l.roll.full() || l.round.Clock != nil && l.round.Clock.Deadline > 0 {
		l.seen = make([]bool, c)
		l.known = make([]int, 0, 2*c)
	}
	f := &l.frame
	f.Label = make([]uint16, c)
	f.Losses = make([]float32, c*info.Columns)
	f.Models = make([]float32, plan.Models*info.Drawn)
	l.projector = newProjector(info.Map, c)
	return l
}

// headOf returns the part of a model that clusters may have for themselves.
func headOf(m model.Model) model.Segment {
	if n, ok := m.(*model.Network); ok {
		return n.Head()
	}
	return model.Segment{Name: "head", Hi: m.Size()}
}

// open fills the frame with the start.
func (l *lane) open() {
	if l.exam != nil {
		l.visit.observed, l.visit.look = l.frame.Losses, true
		l.clients.play(&l.visit)
		l.visit.observed, l.visit.look = nil, false
		l.visit.turn++
		l.examine()
	}
	l.measure()
	l.expect()
}

// Send, Next and Prefetch are the lane as its round's [fl.Clients].

func (l *lane) Send() { l.clients.start(&l.visit) }

func (l *lane) Next() (client int, ok bool) {
	client, ok = l.clients.next(&l.visit)
	if !ok {
		l.visit.observed, l.visit.look = nil, false // one look a round, before the models move
		l.visit.turn++
	}
	return client, ok
}

// Prefetch lets clients begin with what comes after this round: they try their models, or the
// next one has begun.
func (l *lane) Prefetch(guess func() bool, long bool) {
	v, t := &l.visit, l.round.T+1
	turn := v.turn
	l.foretold = true
	switch {
	case l.watch != nil || !l.clients.foresees(v):
	case l.due(t) && l.examined < t:
		v.exam = l.exam
		l.clients.foresee(v, long)
		v.exam = nil
	case t < l.rounds && l.seen == nil && guess():
		l.prepare(t + 1)
		l.clients.foresee(v, long)
		v.round, v.turn, v.observed, v.look = t, turn, nil, false
	}
}

// prepare makes the visit the first of round t.
func (l *lane) prepare(t int) {
	v := &l.visit
	v.round, v.turn = t, 0
	v.observed, v.look = l.frame.Losses, l.risks != nil || l.due(t)
}

// due reports whether models are tried after round t.
func (l *lane) due(t int) bool { return l.exam != nil && (t%l.tests.Every() == 0 || t == l.rounds) }

// examine has every client try its model.
func (l *lane) examine() {
	l.visit.exam = l.exam
	l.clients.play(&l.visit)
	l.visit.exam = nil
	f := &l.frame
	if l.examined = f.Round; f.Round > 0 {
		l.round.Prefetch(false)
	}
	f.Events |= trace.Examined
	f.Accuracy, f.Loss, f.Worst = 0, 0, 0
	for i, loss := range l.exam.loss {
		f.Loss += loss
		f.Worst = max(f.Worst, loss)
		f.Accuracy += float64(l.exam.accuracy[i])
	}
	n := float64(len(l.label))
	f.Loss /= n
	f.Accuracy /= n
	f.Accuracies, f.Confusion = l.exam.accuracy, l.exam.confusion
	if h := l.hosting; h != nil {
		f.Val, f.Test = h.val(l.exam.accuracy), h.test(&l.visit, l.label)
	}
	f.Weights = trace.Digest(l.bank.Params)
	if l.mirror != nil {
		f.Rebuilt = l.mirror.look(&l.bank)
	}
}

// live takes turns until there are no more.
func (l *lane) live() {
	for t := range l.turn {
		l.attempt(func() { l.take(t) })
		l.over <- struct{}{}
	}
}

// attempt does something that may be broken off, see [crew.pause]; what the lane
// holds is of no use then.
func (l *lane) attempt(do func()) {
	defer func() {
		if r := recover(); r != nil && r != any(abandonment{}) {
			panic(r)
		}
	}()
	do()
}

// take plays round t, in its own way if it is watched.
func (l *lane) take(t int) {
	if l.watch != nil {
		l.watch(l, t, func() { l.play(t) })
		return
	}
	l.play(t)
}

// play runs round t and fills the frame with its outcome.
func (l *lane) play(t int) {
	f := &l.frame
	f.Round, f.Events, f.State, f.Mixture = t+1, 0, f.State[:0], f.Mixture[:0]
	f.Accuracies, f.Confusion, f.Weights = nil, nil, 0
	f.Spectrum, f.Directions, f.Rebuilt = f.Spectrum[:0], 0, nil
	if l.diverged >= 0 {
		return // stands still on the last finite frame
	}
	copy(l.before, l.label)
	l.round.Begin(t)
	if l.seen != nil {
		l.callRoll(t + 1)
	}
	if rec := l.recorder; rec != nil {
		if !slices.Contains(l.round.Participants, rec.Client) && len(l.round.Participants) > 0 {
			rec.Client = l.round.Participants[0]
		}
		l.round.Record(rec)
	}
	l.prepare(t + 1)
	l.foretold = false
	l.plan.Server.Round(l.round)
	if l.seen != nil {
		l.closeRoll()
	}
	if l.round.Reclustered {
		f.Events |= trace.Reclustered
	}
	if l.round.Stopped {
		f.Events |= trace.Frozen
	}
	if !slices.Equal(l.label, l.before) {
		f.Events |= trace.Moved
	}
	if k := l.runaway(); k >= 0 {
		l.wild = k
		l.diverge(t + 1)
		return
	}
	if l.due(t + 1) {
		l.examine()
	} else if !l.foretold {
		l.round.Prefetch(false)
	}
	l.measure()
	if e, ok := l.plan.Server.(fl.Embedder); ok && l.round.Reclustered {
		l.projector.project(f, e.Embedding())
	}
	l.note()
}

// note adds to the frame what is for the eye alone.
func (l *lane) note() {
	f, values := &l.frame, l.round.Spectrum
	values = values[:min(len(values), trace.MaxSpectrum)]
	for _, v := range values {
		f.Spectrum = append(f.Spectrum, float32(v))
	}
	f.Directions = l.round.Directions
}

// wild is the loss above which a lane counts as diverged: far beyond any data
// a person would bring, far below where float32 ends.
const wild = 1e12

// runaway returns the first model that could no longer be drawn, −1 if there is
// none.
func (l *lane) runaway() int {
	for k := range l.plan.Models {
		m := l.bank.Model(k)
		if kernel.Dot(m, m) < wild*wild/2 {
			continue // so every parameter is
		}
		for _, v := range m {
			if !(math.Abs(float64(v)) < wild) {
				return k
			}
		}
	}
	return -1
}

// diverge freezes the lane at the last finite frame and says why.
func (l *lane) diverge(t int) {
	f := &l.frame
	l.diverged = t
	f.Events = trace.Diverged // nobody is moved: the labels are those of before
	copy(l.label, l.before)
	limit := math.Inf(1)
	if l.risks != nil {
		limit = 2 / l.risks.Curvature()
	}
	switch rate := l.plan.Protocol.Rate; {
	case rate > limit && limit/2 < 1e-6: // below any rate that can be set
		l.cause = fmt.Sprintf("the models blew up in round %d: learning rate %.3g is above 2/L = %.3g; scale the data down", t, rate, limit)
	case rate > limit:
		l.cause = fmt.Sprintf("the models blew up in round %d: learning rate %.3g is above 2/L = %.3g; try %.1g", t, rate, limit, limit/2)
		l.advice = limit / 2
	default:
		l.advice = rate / 2
		l.cause = fmt.Sprintf("the models blew up in round %d; try a smaller learning rate", t)
	}
	l.expect()
}

// expect fills the frame's losses with the expected ones of the models in the
// frame: at the start, when no sample has been seen, and after a divergence,
// when the observed ones mean nothing.
func (l *lane) expect() {
	if l.risks == nil {
		return // the last ones that were observed stay
	}
	f, d := &l.frame, l.bank.Size
	models := f.Models
	if l.info.Drawn == 0 { // the frame has none
		if f.Round > 0 {
			return
		}
		models = l.bank.Params
	}
	for i := range l.label {
		row := f.Losses[i*l.info.Columns : (i+1)*l.info.Columns]
		for k := range row {
			if l.plan.Personal {
				k = i
			}
			row[min(k, len(row)-1)] = float32(l.risks.Risk(i, models[k*d:(k+1)*d]))
		}
	}
}

// measure fills the frame with models, labels and metrics as they stand.
func (l *lane) measure() {
	f := &l.frame
	copy(f.Models, l.bank.Params) // as far as they are drawn
	clear(l.used)
	f.Clusters = 0
	for i, k := range l.label {
		f.Label[i] = uint16(k)
		if !l.used[k] {
			l.used[k] = true
			f.Clusters++
		}
	}
	if l.risks != nil {
		l.judge()
	}
	if c := l.round.Clock; c != nil {
		f.Time = c.Elapsed
	}
	n := float64(len(l.label))
	f.Down, f.Up = float64(l.traffic.Down)/n, float64(l.traffic.Up)/n
	if l.groups > 0 && (f.Round == 0 || f.Events.Has(trace.Moved) || f.Events.Has(trace.Partial)) {
		group, label := l.group, l.label
		if f.Round > 0 && l.seen != nil {
			group, label = l.heard()
		}
		f.ARI = l.table.AdjustedRand(group, label)
		f.Misplaced = l.table.Misplaced(group, label)
		f.NMI, f.Purity = l.table.NMI(group, label), l.table.Purity(group, label)
	}
	if m, ok := l.plan.Server.(fl.Mixer); ok {
		f.Events |= trace.Soft
		f.Mixture = f.Mixture[:0]
		for _, w := range m.Mixture().Data {
			f.Mixture = append(f.Mixture, float32(w))
		}
	}
}

// judge fills in the expected loss of each client's model: of the one that it makes
// of what it was given, where it makes something of it.
func (l *lane) judge() {
	f := &l.frame
	f.Loss, f.Worst = 0, 0
	for i, k := range l.label {
		params := l.bank.Model(k)
		if l.wardrobe != nil {
			params = l.wardrobe.wear(i, params, &l.visit)
		}
		risk := l.risks.Risk(i, params)
		f.Loss += risk
		if risk > f.Worst {
			f.Worst = risk
		}
	}
	f.Loss /= float64(len(l.label))
}

// keep enters the frame into fingerprint and history.
func (l *lane) keep() {
	f := &l.frame
	l.hash.Add(f)
	l.ari = append(l.ari, f.ARI)
	if l.found < 0 && l.groups > 0 && f.Round > 0 && f.ARI == 1 {
		l.found, l.price = f.Round, f.Down+f.Up
	}
}

// summary is the verdict after the last round.
func (l *lane) summary() trace.Summary {
	s := trace.Summary{Metrics: l.frame.Metrics, Settled: -1, Found: l.found, Price: l.price, Diverged: l.diverged, Cause: l.cause, Wild: l.wild, Advice: l.advice,
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
