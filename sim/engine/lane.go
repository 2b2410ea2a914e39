package engine

import (
	"math"
	"slices"

	"flockscope/clusterer"
	"flockscope/sim/engine/workers"
	"flockscope/sim/fl"
	"flockscope/sim/model"
	"flockscope/sim/rng"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/sim/workload"
)

// lane is one algorithm of a run: its server, its models, and the frame that it fills. The first
// lane of a run plays in the run's goroutine, each other one in its own.
type lane struct {
	number        int // index in the configuration
	plan          fl.Plan
	info          trace.Lane
	data          workload.Workload
	pool          *workers.Pool
	group         []int // planted groups; nil if unknown
	groups        int
	risks         workload.Analytic  // nil if the expected loss has no closed form
	liar          []bool             // by client; nil if all are honest
	collusion     *collusion         // nil unless liars collude
	evaluatedData workload.Evaluated // nil if the expected loss has a closed form
	// computes the risk of clients that personalize a model or weight several; nil if clients use the model of their
	// label
	predicting *workers.Workspace

	bank          fl.Bank
	label         []int
	labelsBefore  []int // labels of the last round
	round         *fl.Round
	rounds        int // rounds of the run
	participation *participation
	everPresent   []bool // clients that have taken part so far; nil if all always do
	job           workers.Job
	evaluation    *workers.Evaluation  // nil if models are not evaluated
	evaluated     int                  // the last round with an evaluation
	scores        trace.Metrics        // metrics of the last evaluation
	prefetched    bool                 // the work after this round was prefetched
	testClients   *workers.TestClients // nil without test clients
	rebuilder     *rebuilder           // nil if no model reconstructs images
	traffic       fl.Traffic

	frame     trace.Frame
	table     clusterer.Contingency
	projector projector
	used      []bool
	centres   []float64 // of the planted groups, see measureGap
	theorist  *theorist // nil if no theorem is about the lane
	sizes     []float64 // clients of each group that have taken part
	known     []int     // groups and labels of the clients that have taken part

	panicked      any // the value of a panic in the lane's own goroutine
	hash          trace.Hash
	naming        clusterer.Naming // of models after groups
	ari           []float64        // ARI of every frame
	firstCorrect  int              // first round with a correct clustering, −1 if none yet
	cost          float64          // floats that a client had received and sent until then
	firstLoss     float64          // loss before the first round
	lastConfusion []uint16         // confusion matrices of the last evaluation; nil before
	diverged      int              // round of the divergence, −1 if the lane has not diverged
	cause         say.Message
	divergedModel int     // the model that diverged
	suggestedRate float64 // learning rate to try instead

	// watch, unless nil, plays the rounds by calling play, and may set a recorder for one.
	watch    func(l *lane, t int, play func())
	recorder *fl.Recorder

	turns  chan int      // rounds to play; unused in the run's goroutine
	played chan struct{} // one value per round played
}

// newLane sets up a lane and fills its frame with the start.
func newLane(plan fl.Plan, h *trace.Header, set *workers.Settings, n int, data workload.Workload,
	clients *workers.Pool) *lane {
	info := h.Lanes[n]
	c, d := data.Clients(), data.Model().Size()
	l := &lane{number: n, rounds: set.Rounds, plan: plan, info: info, data: data,
		pool: clients, diverged: -1, firstCorrect: -1, bank: fl.NewBank(plan.Models, d),
		label: make([]int, c), labelsBefore: make([]int, c), used: make([]bool, plan.Models),
		ari: make([]float64, 0, set.Rounds+1), turns: make(chan int), played: make(chan struct{}, 1)}
	l.group, l.groups = data.Groups()
	l.sizes = make([]float64, l.groups)
	if set.Liars != nil {
		l.liar = set.Liars.Lies
		l.collusion = newCollusion(set.Liars, &l.plan, d)
	}
	if l.groups > 0 { // allocate for the maximum number of labels
		for i := range l.labelsBefore {
			l.labelsBefore[i] = i % plan.Models
		}
		l.table.Misplaced(l.group, l.labelsBefore)
	}
	var s rng.Stream
	for k := range plan.Models {
		s.Reset(set.ModelSeed, rng.Models, k, 0)
		data.Start(l.bank.Model(k), k, &s)
	}
	samples := make([]int, c)
	for i := range samples {
		samples[i] = data.Samples(i)
	}
	exchange := fl.NewExchange(c, &l.bank)
	plan.Algorithm.Start(
		&fl.Env{Exchange: exchange, Clients: c, Models: plan.Models, Size: d, Head: headOf(data.Model()),
			Samples: samples, Planted: l.group, Seed: set.AlgorithmSeed},
		l.label,
	)
	copy(l.labelsBefore, l.label)

	l.job = workers.Job{Lane: n, Exchange: exchange, Protocol: plan.Protocol, Device: plan.Device,
		Probe: set.Probes[n], Columns: info.Columns, Personal: plan.Personal, Local: plan.Local,
		SharesTrunk: plan.SharesTrunk, Done: make(chan struct{}, 1)}
	l.round = fl.NewRound(exchange, &l.traffic, l.label, plan.Protocol.Step(), l)
	l.round.Rebalance(plan.Protocol.Least, set.AlgorithmSeed)
	l.round.SetRule(plan.Protocol.Mean)
	l.round.Prefetcher, _ = plan.Algorithm.(fl.Prefetcher)
	l.round.Meter, _ = plan.Algorithm.(fl.Meter)
	l.risks, _ = data.(workload.Analytic)
	_, personal := plan.Device.(fl.Personal)
	if _, blends := plan.Device.(fl.Ensemble); l.risks != nil && (personal || blends) {
		l.predicting = workers.NewWorkspace(data, set)
	}
	l.evaluatedData, _ = data.(workload.Evaluated)
	if l.risks == nil {
		l.evaluation = workers.NewEvaluation(c, l.evaluatedData.Classes(), l.label, set.Liars)
		l.testClients = workers.NewTestClients(data, set, &l.plan)
		l.rebuilder = newRebuilder(h, &l.info, data, plan.Personal)
	}

	l.participation = newParticipation(set.Values, c, set.DataSeed)
	l.round.Local = plan.Local
	l.round.Clock = newClock(set.Values, c, set.DataSeed)
	if clients.Remote != nil {
		l.job.Dropped = l.round.Dropped
	}
	if clients.Remote != nil || !l.participation.always() || l.round.Clock != nil && l.round.Clock.Deadline > 0 {
		l.everPresent = make([]bool, c)
	}
	if l.everPresent != nil || l.liar != nil {
		l.known = make([]int, 0, 2*c)
	}
	f := &l.frame
	f.Label = make([]uint16, c)
	f.Losses = make([]float32, c*info.Columns)
	f.Models = make([]float32, plan.Models*info.FrameParams)
	l.projector = newProjector(info.Map, c)
	l.theorist = l.newTheorist()
	return l
}

// headOf returns the part of a model that can differ between clusters that share the rest: the last
// layer.
func headOf(m model.Model) model.Segment {
	if n, ok := m.(*model.Network); ok {
		return n.Head()
	}
	return model.Segment{Name: "head", Hi: m.Size()}
}

// open fills the frame with the start.
func (l *lane) open() {
	if l.evaluation != nil {
		l.job.Observed, l.job.ObserveAll = l.frame.Losses, true
		l.pool.Play(&l.job)
		l.job.Observed, l.job.ObserveAll = nil, false
		l.job.Sequence++
		l.evaluate()
	}
	l.measure()
	l.expectedLosses()
	if l.theorist != nil {
		l.theorist.measureError(l)
	}
}

// showStart calls show with a frame that has what is known before any model is evaluated.
func (l *lane) showStart(show func()) {
	f := &l.frame
	if l.evaluation == nil {
		l.open()
		show()
		return
	}
	l.measure()
	unknown := math.NaN()
	f.Loss, f.Worst, f.Accuracy = unknown, unknown, unknown
	f.Accuracies, f.Confusion = l.evaluation.Accuracy, l.evaluation.Confusion
	for _, values := range [...][]float32{f.Losses, f.Accuracies} {
		for i := range values {
			values[i] = float32(unknown)
		}
	}
	f.Events |= trace.Evaluated
	show()
	f.Loss, f.Worst, f.Accuracy, f.Events, f.Accuracies, f.Confusion = 0, 0, 0, 0, nil, nil
	clear(f.Losses)
	clear(l.evaluation.Accuracy)
}

// Send, Next and Prefetch implement [fl.Clients] for the lane's round.

func (l *lane) Send() { l.pool.Start(&l.job) }

func (l *lane) Next() (client int, ok bool) {
	if l.collusion != nil {
		client, ok = l.collusion.next(l)
	} else {
		client, ok = l.pool.Next(&l.job)
	}
	if ok && l.pool.Remote != nil && l.job.Lost[client] {
		l.round.Drop(client)
	}
	if !ok {
		l.noteReplies()
		l.job.Observed, l.job.ObserveAll = nil, false // once per round, before the models change
		l.job.Sequence++
	}
	return client, ok
}

// Prefetch lets clients begin with the work after this round: the evaluation if one is due, else the next round. guess
// makes the requests with which the next round probably begins. long means that the server is busy for about as long as
// clients need.
func (l *lane) Prefetch(guess func() bool, long bool) {
	v, t := &l.job, l.round.T+1
	turn := v.Sequence
	l.prefetched = true
	switch {
	case l.watch != nil || !l.pool.CanPrefetch(v):
	case l.evaluationDue(t) && l.evaluated < t:
		v.Evaluation = l.evaluation
		l.pool.Prefetch(v, long)
		v.Evaluation = nil
	case t < l.rounds && l.everPresent == nil && guess():
		l.prepare(t + 1)
		l.pool.Prefetch(v, long)
		v.Round, v.Sequence, v.Observed, v.ObserveAll = t, turn, nil, false
	}
}

// prepare prepares the job for the first exchange of round t.
func (l *lane) prepare(t int) {
	v := &l.job
	v.Round, v.Sequence, v.Broadcast = t, 0, nil
	v.Observed, v.ObserveAll = l.frame.Losses, l.risks != nil || l.evaluationDue(t)
}

// loop plays rounds until there are no more.
func (l *lane) loop() {
	for t := range l.turns {
		func() {
			defer func() { l.panicked = recover() }()
			l.recoverCancelled(func() { l.playWatched(t) })
		}()
		l.played <- struct{}{}
	}
}

// recoverCancelled calls do, which panics with [workers.CancelledRun] if the run is cancelled. The
// state of the lane is undefined after that.
func (l *lane) recoverCancelled(do func()) {
	defer func() {
		if r := recover(); r != nil && r != any(workers.CancelledRun{}) {
			panic(r)
		}
	}()
	do()
}

// playWatched plays round t, through watch if there is one.
func (l *lane) playWatched(t int) {
	if l.watch != nil {
		l.watch(l, t, func() { l.play(t) })
		return
	}
	l.play(t)
}

// play plays round t and fills the frame with its result.
func (l *lane) play(t int) {
	f := &l.frame
	f.Round, f.Events, f.State, f.Mixture = t+1, 0, f.State[:0], f.Mixture[:0]
	f.Accuracies, f.Confusion, f.Weights = nil, nil, 0
	f.Spectrum, f.Directions, f.Reconstructed = f.Spectrum[:0], 0, nil
	if l.evaluation != nil { // unknown until the next evaluation
		f.Loss, f.Worst = math.NaN(), math.NaN()
		f.Accuracy, f.Val, f.Test, f.Attack = 0, 0, 0, 0
	}
	l.clearMeasures()
	if l.diverged >= 0 {
		return // keep the last finite frame
	}
	copy(l.labelsBefore, l.label)
	l.round.Begin(t)
	if l.everPresent != nil {
		l.drawParticipants(t + 1)
	}
	if rec := l.recorder; rec != nil {
		if !slices.Contains(l.round.Participants, rec.Client) && len(l.round.Participants) > 0 {
			rec.Client = l.round.Participants[0]
		}
		l.round.SetRecorder(rec)
	}
	l.prepare(t + 1)
	l.prefetched = false
	l.plan.Algorithm.Round(l.round)
	if l.everPresent != nil {
		l.noteDropouts()
	}
	if l.round.Reclustered {
		f.Events |= trace.Reclustered
	}
	if l.round.Stopped {
		f.Events |= trace.ClusteringStopped
	}
	if !slices.Equal(l.label, l.labelsBefore) {
		f.Events |= trace.Moved
	}
	if k := l.firstDiverged(); k >= 0 {
		l.divergedModel = k
		l.clearMeasures()
		l.diverge(t + 1)
		return
	}
	if l.evaluationDue(t + 1) {
		l.evaluate()
	} else if !l.prefetched {
		l.round.Prefetch(false)
	}
	if l.theorist != nil && l.round.Reclustered {
		l.theorist.measureProfile(l) // with the models before the round
	}
	l.measure()
	if l.theorist != nil {
		l.theorist.measureError(l)
	}
	if e, ok := l.plan.Algorithm.(fl.Embedder); ok && l.round.Reclustered {
		points := e.Embedding()
		l.projector.project(f, points)
		l.measureGap(points)
	}
	l.measureMemory()
	l.recordSpectrum()
}
