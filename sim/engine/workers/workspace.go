package workers

import (
	"math"

	"flockscope/sim/catalog"
	"flockscope/sim/fl"
	"flockscope/sim/kernel"
	"flockscope/sim/model"
	"flockscope/sim/rng"
	"flockscope/sim/trace"
	"flockscope/sim/workload"
)

// Workspace is the scratch memory that one client needs while it works at a job. Between jobs it
// keeps only samples, which could be drawn again with the same bits.
type Workspace struct {
	data  workload.Workload
	Model model.Model
	seed  uint64 // seed of the data
	// algorithmSeed is the seed of the noise on updates.
	algorithmSeed uint64

	batch  int // samples in a minibatch, b
	draw   int // samples drawn per round: the most that any lane needs
	Stream rng.Stream

	liars    *catalog.Liars // nil if all clients are honest
	liesTold int            // noisy updates of the present client in this job
	patch    []int          // inputs that the patch of a backdoor covers
	classes  int            // 0 if models predict numbers

	shared workload.SharedDraws // the data, if there are shared draws
	draws  *SharedDraws         // nil without shared draws
	cache  *prefetchCache       // nil if the workspace belongs to one client

	updatesMade int       // updates of the present client in this job
	lossOf      int       // model whose loss is known from the last update, or NoClient
	loss        float64   // loss of that model
	each        []float32 // models × probe samples: losses of a network, see noteLead

	Client, round int // the client and round of the samples
	Samples       model.Batch

	// for local training
	piece     model.Batch
	order     []int32
	Trained   []float32
	Gradient  []float32
	optimiser *model.Optimiser
	kind      string

	fullUpdate    []float32 // an update of which only a part is sent
	personal      []float32 // a personalized model
	features      []float32 // see withFeatures
	clientContext clientContext

	// for a client that uses all models
	weights, answers       []float32
	nodes                  model.Batch
	lines, mean, deviation []float64
}

func NewWorkspace(data workload.Workload, set *Settings) *Workspace {
	b := &Workspace{data: data, Model: model.Fresh(data.Model()), seed: set.DataSeed,
		algorithmSeed: set.AlgorithmSeed, batch: set.Batch,
		draw: set.SamplesPerRound(), Client: NoClient, liars: set.Liars}
	if e, ok := data.(workload.Evaluated); ok {
		b.classes = e.Classes()
	}
	if p, ok := data.(workload.Patched); ok && set.Liars != nil && set.Liars.Lie == catalog.Inputs {
		b.patch = p.Patch()
	}
	return b
}

// Sample draws the samples of a client for a round. They are the same in all lanes. The minibatch
// is the first b of them and the probe sample the first `probe`, so with equal sizes they are the
// same, as in IFCA's minibatch variant.
func (b *Workspace) Sample(client, round int) {
	if b.Client == client && b.round == round {
		return
	}
	b.Client, b.round = client, round
	if b.cache != nil && b.cache.take(&b.Samples, client, round) {
		return
	}
	if b.draws == nil {
		b.Stream.Reset(b.seed, rng.Samples, round, client)
		b.data.Draw(&b.Samples, client, b.draw, &b.Stream)
		b.poison(&b.Samples, client)
		return
	}
	chance, there := b.draws.At(client, round)
	if !there {
		b.Stream.Reset(b.seed, rng.Samples, round, client)
		b.shared.RandomNumbers(chance, &b.Stream)
	}
	b.shared.FromNumbers(&b.Samples, client, chance)
	b.poison(&b.Samples, client)
}

// answer does one client's part of a job.
func (b *Workspace) answer(client int, v *Job) {
	if v.Evaluation != nil {
		b.evaluate(client, v)
		return
	}
	task, reply := &v.Exchange.Tasks[client], &v.Exchange.Replies[client]
	asked := task.Losses || task.PickBest
	if !asked && task.Empty() && !v.ObserveAll {
		return
	}
	b.updatesMade, b.liesTold, b.lossOf, reply.Computed = 0, 0, NoClient, 0
	b.Sample(client, v.Round)
	n := 0
	if task.PickBest {
		b.best(client, v)
		n++
	}
	for _, k := range task.Updates {
		b.updateOf(client, v, k, n)
		n++
	}
	if !task.PickBest && (asked || v.ObserveAll) {
		b.score(client, v, asked)
	}
	if task.Losses {
		quantizeLosses(reply.Losses, &v.Protocol)
	}
	if task.Feature > 0 {
		b.featureOf(client, v, task.Feature-1)
	}
	if task.Call > 0 {
		before := b.Model.Computed()
		reply.Answer = v.Device.Do(reply.Answer[:0], task.Call, task.With, b.context(client, v))
		reply.Computed += b.Model.Computed() - before
	}
}

// context returns the context of a client's device in a job.
func (b *Workspace) context(client int, v *Job) *clientContext {
	b.clientContext.Workspace, b.clientContext.client, b.clientContext.job = b, client, v
	return &b.clientContext
}

// best chooses the best model and computes its update.
func (b *Workspace) best(client int, v *Job) {
	reply, guess := &v.Exchange.Replies[client], NoClient
	if v.Protocol.Right {
		b.score(client, v, true)
		reply.Computed = 0 // the losses are for the page
		before := b.Model.Computed()
		if reply.Picked = b.MostAccurate(v); b.liars.Active(client, v.Round) && b.liars.Lie == catalog.Losses {
			reply.Picked = argmin(reply.Losses)
		}
		reply.Computed += b.Model.Computed() - before
		b.updateOf(client, v, reply.Picked, 0)
		return
	}
	if b.gradientGivesLoss(v) { // most clients keep their previous choice
		guess = reply.Picked
		b.updateOf(client, v, guess, 0)
	}
	guessed := reply.Computed
	b.score(client, v, true)
	if reply.Picked = argmin(reply.Losses); reply.Picked != guess {
		b.updatesMade, b.liesTold = 0, 0
		reply.Computed -= guessed // a client does not guess
		b.updateOf(client, v, reply.Picked, 0)
	}
}

// MostAccurate returns the model with the most correct predictions on the minibatch, the first on
// ties; for regressions the model with the least loss there.
func (b *Workspace) MostAccurate(v *Job) (best int) {
	batch, bank, most := b.Samples.First(b.batch), v.Exchange.Bank, math.Inf(-1)
	net, _ := b.Model.(*model.Network)
	tested, _ := b.data.(workload.Evaluated)
	for k := range bank.Models() {
		var good float64
		if net != nil && tested != nil && tested.Classes() > 0 {
			good = float64(net.Correct(bank.Model(k), batch))
		} else {
			good = -b.Model.Loss(bank.Model(k), batch)
		}
		if good > most {
			best, most = k, good
		}
	}
	return best
}

// gradientGivesLoss reports whether updates are gradients on the samples that models are scored on,
// so that computing one gives the model's loss, too.
func (b *Workspace) gradientGivesLoss(v *Job) bool {
	if net, ok := b.Model.(*model.Network); ok && net.Modal() {
		return false
	}
	n := b.Samples.N
	return v.Protocol.Epochs == 0 && !v.Protocol.Whole && min(v.Probe, n) == min(b.batch, n)
}

// withFeatures returns the samples with their features, if all models share a trunk, so that samples run through it once.
// Before the first round a model may have the trunk that it was drawn with.
func (b *Workspace) withFeatures(v *Job, samples model.Batch) model.Batch {
	net, ok := b.Model.(*model.Network)
	if !ok || !v.SharesTrunk || v.Personal || v.Round == 0 {
		return samples
	}
	b.features = trace.Resize(b.features, samples.N*net.Width())
	net.Features(b.features, v.Exchange.Bank.Model(0), samples)
	return samples.WithFeatures(b.features)
}

// score evaluates the models on the probe sample.
func (b *Workspace) score(client int, v *Job, asked bool) {
	probe := b.withFeatures(v, b.Samples.First(v.Probe))
	bank, reply := v.Exchange.Bank, &v.Exchange.Replies[client]
	net, _ := b.Model.(*model.Network)
	if asked {
		reply.Computed += int64(len(reply.Losses) * probe.N * b.Model.MultiplyAdds())
	}
	leads := asked && len(reply.Losses) > 1
	if leads && net != nil {
		b.each = trace.Resize(b.each, len(reply.Losses)*probe.N)
		if b.lossOf != NoClient { // the last gradient was on the probe sample
			copy(b.each[b.lossOf*probe.N:], net.SampleLosses())
		}
	}
	loss := func(k int) float64 {
		if k == b.lossOf {
			return b.loss
		}
		return b.Model.Loss(bank.Model(k), probe)
	}
	if v.Personal && !asked {
		v.Observed[client] = float32(loss(client))
		return
	}
	for k := range reply.Losses {
		reply.Losses[k] = loss(k)
		if leads && net != nil && k != b.lossOf {
			copy(b.each[k*probe.N:], net.SampleLosses())
		}
	}
	if leads {
		b.noteLead(reply, bank, probe)
	}
	if asked {
		b.lieAboutLosses(reply.Losses, client, v)
	}
	if v.Observed != nil {
		row := v.Observed[client*v.Columns : (client+1)*v.Columns]
		for k, l := range reply.Losses {
			row[k] = float32(l)
		}
	}
}

// noteLead sets the lead of the best model over the next one, and its noise. For a network the losses of samples are
// those of the forward passes that were made anyway.
func (b *Workspace) noteLead(reply *fl.Reply, bank *fl.Bank, probe model.Batch) {
	best, next := leastTwo(reply.Losses)
	var lead, noise float64
	if line, ok := b.Model.(model.Linear); ok {
		lead, noise = line.Lead(bank.Model(best), bank.Model(next), probe)
	} else {
		n := probe.N
		lead, noise = model.Lead(b.each[best*n:(best+1)*n], b.each[next*n:(next+1)*n])
	}
	reply.Lead, reply.Noise = float32(lead), float32(noise)
}

// leastTwo returns the indices of the least and the second least value, the first on ties.
func leastTwo(values []float64) (best, next int) {
	best, next = argmin(values), -1
	for k, v := range values {
		if k != best && (next < 0 || v < values[next]) {
			next = k
		}
	}
	return best, next
}

// updateOf computes the client's n-th update, of model k.
func (b *Workspace) updateOf(client int, v *Job, k, n int) {
	reply := &v.Exchange.Replies[client]
	dst := v.Exchange.Buffer(client, n)
	state := &reply.OptimiserState
	if n > 0 {
		state = nil // the optimiser's state belongs to the first update
	}
	before := b.Model.Computed()
	b.update(dst, v.Exchange.Bank.Model(k), client, v, state)
	reply.Computed += b.Model.Computed() - before
	b.protect(dst, client, v)
	if n == 0 {
		noteLength(reply, dst)
	}
	if b.gradientGivesLoss(v) {
		b.lossOf = k
	}
}

// noteLength sets the length of a reply's first update, if frames do not have the update itself.
func noteLength(reply *fl.Reply, update []float32) {
	if len(update) > trace.MaxFrameParams {
		reply.Length = float32(math.Sqrt(kernel.Dot(update, update)))
	}
}

// featureOf computes the client's update of model k at the compared coordinates.
func (b *Workspace) featureOf(client int, v *Job, k int) {
	x := v.Exchange
	feature := x.FeatureBuffer(client)
	dst := feature
	if x.Coordinates != nil {
		b.fullUpdate = trace.Resize(b.fullUpdate, x.Bank.Size)
		dst = b.fullUpdate
	}
	before := b.Model.Computed()
	b.update(dst, x.Bank.Model(k), client, v, nil)
	x.Replies[client].Computed += b.Model.Computed() - before
	b.protect(dst, client, v)
	if x.Coordinates != nil {
		x.Select(feature, dst)
	}
}

// argmin returns the index of the least value, the first on ties. NaNs are skipped.
func argmin(values []float64) int {
	best := 0
	for k, v := range values {
		if v < values[best] || math.IsNaN(values[best]) && !math.IsNaN(v) {
			best = k
		}
	}
	return best
}
