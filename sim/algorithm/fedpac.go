package algorithm

import (
	"slices"
	"sync"

	"flockscope/sim/algorithm/internal/cause"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/kernel"
	"flockscope/sim/model"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

func init() {
	method.Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:   "fedpac",
			Title:  "FedPAC",
			Family: registry.PersonalModels,
			Cause:  cause.Personal("All clients share a trunk, and each mixes the heads of similar clients."),
			Doc:    "One trunk for all clients, trained so that features of a class agree across clients; each client's head is a weighted mean of all heads, with weights that the server computes from the clients' class features.",
			By:     "nothing; heads are mixed by similarity of class features",
			Sends:  "an update; two mean features for each class", Counts: "samples",
			Unclustered: true,
			Paper: registry.Citation{Authors: "Xu, Tong, Huang", Given: "Jian, Xinyi, Shao-Lun",
				Title: "Personalized Federated Learning with Feature Alignment and Classifier Collaboration",
				Venue: "ICLR", Year: 2023, URL: "https://arxiv.org/abs/2306.11867"}.At("Algorithm 1, and the released code"),
			Fields: method.Without(method.Training(fieldPrototypes), "keep"),
			Steps:  fedpacSteps,
			Phases: fedpacPhases,
		},
		Make: func(v param.Values, clients int) fl.Plan {
			by := method.Counts(v, method.BySamples, method.ManySamples)
			return fl.Plan{Algorithm: &fedpac{counting: by, protos: prototypes{equal: !by.Samples}}, Models: clients,
				Personal: true, AnswersUpdate: true, SharesTrunk: true,
				Device: &alignClient{lambda: float32(v.Float("proto"))}}
		},
	})
}

// fedpac is the server's part of FedPAC. Model i is the shared trunk with client i's head.
type fedpac struct {
	env      *fl.Env
	counting method.Counting
	counted  []float64 // weight of each client in a mean
	protos   prototypes
	combiner *combiner
	known    [][]float32 // h of the clients that replied
	weights  []float64   // weights of the mixture for one client's head
	sum      []float64   // sum of weighted models; as long as one model
	heads    []float32   // trained heads, one client after the other
}

func (s *fedpac) Start(env *fl.Env, label []int) {
	s.env, s.counted = env, s.counting.Of(env.Samples)
	for i := range label {
		label[i] = i
	}
	method.StartAlike(env.Exchange.Bank)
	s.combiner, s.known, s.weights = newCombiner(env.Clients), make([][]float32, 0, env.Clients), make([]float64,
		env.Clients)
	s.sum, s.heads = make([]float64, env.Size), make([]float32, env.Clients*env.Head.Len())
}

func (s *fedpac) Round(r *fl.Round) {
	for _, i := range r.Participants {
		r.AskCall(i, opAlign, s.protos.means, i)
	}
	r.Ask()
	if len(r.Replied) == 0 {
		return
	}
	s.shareTrunk(r)
	s.readAnswers(r)
	s.mixHeads(r)
}

// shareTrunk moves the trunk by step × mean update, and copies it to all models.
func (s *fedpac) shareTrunk(r *fl.Round) {
	low := s.env.Head.Lo
	sum := s.sum[:low]
	average := r.Average(sum)
	for _, i := range r.Replied {
		average.Add(s.counted[i], r.Answer(i)[:low])
	}
	kernel.Descend(r.Bank.Model(0)[:low], sum, r.Step, average.End())
	for k := range r.Bank.Models() {
		copy(r.Bank.Model(k)[:low], r.Bank.Model(0)[:low])
	}
}

// readAnswers reads prototypes, h and v from the clients' answers.
func (s *fedpac) readAnswers(r *fl.Round) {
	s.known = s.known[:0]
	for n, i := range r.Replied {
		answer := r.Answer(i)[r.Bank.Size:]
		rows, width := int(answer[0]), int(answer[1])
		if n == 0 {
			s.protos.resize(rows, width)
			s.protos.reset()
		}
		s.protos.add(answer[2:])
		s.known = append(s.known, answer[len(answer)-1-rows*width:len(answer)-1])
	}
	s.protos.update(r.Average)
	s.combiner.setFeatures(s.known)
	for n, i := range r.Replied {
		answer := r.Answer(i)
		s.combiner.v[n] = float64(answer[len(answer)-1])
	}
}

// FreeDown: prototypes of classes without samples do not count.
func (s *fedpac) FreeDown(r *fl.Round, i int) int64 { return s.protos.unknown() }

// FreeUp: the numbers of classes, of features and of samples of each class are whole numbers, and a class without samples
// has no row of h.
func (s *fedpac) FreeUp(r *fl.Round, i int) int64 {
	answer := r.Answer(i)[r.Bank.Size:]
	rows, width := int(answer[0]), int64(answer[1])
	free := int64(2 + rows)
	for _, n := range answer[2 : 2+rows] {
		if n == 0 {
			free += width
		}
	}
	return free
}

// mixHeads gives each client that replied a weighted mean of all trained heads.
func (s *fedpac) mixHeads(r *fl.Round) {
	head := s.env.Head
	trained := func(n int) []float32 { return s.heads[n*head.Len() : (n+1)*head.Len()] }
	for n, i := range r.Replied {
		copy(trained(n), head.Of(r.Bank.Model(i)))
		kernel.Axpy(trained(n), -float32(r.Step), head.Of(r.Answer(i)))
	}
	weights, sum := s.weights[:len(r.Replied)], s.sum[:head.Len()]
	for n, i := range r.Replied {
		s.combiner.weigh(weights, n)
		trim(weights)
		clear(sum)
		for m, w := range weights {
			if w > 0 {
				kernel.Accumulate(sum, w, trained(m))
			}
		}
		for j, v := range sum {
			head.Of(r.Bank.Model(i))[j] = float32(v)
		}
	}
}

// opAlign asks a client for its part of a round.
const opAlign = 1

// Slots of scratch memory that follow those of prototypes.
const (
	alignedShares = prototypeCounts + 1 + iota
	alignedBetween
	alignedTrunk
)

// alignClient is the client's side.
type alignClient struct {
	lambda float32
	idle   sync.Pool // pool of *aligning
}

// Do computes the client's statistics under the model that was sent, trains the head for an epoch, and then the trunk with
// a pull towards the prototypes. It answers with the update, the number of classes, the width of a feature, its prototypes
// afterwards, h and v.
func (d *alignClient) Do(dst []float32, _ int, global []float32, at fl.ClientContext) []float32 {
	w, _ := d.idle.Get().(*alignWork)
	if w == nil {
		w = new(alignWork)
		w.head, w.trunk = w.headGradient, w.trunkGradient
	}
	defer d.idle.Put(w)
	params, step := at.Params(at.Client()), -float32(at.Protocol().Step())
	size := len(params)
	w.at, w.low, w.targets, w.lambda = at, 0, global, d.lambda
	if net := at.Network(); net != nil {
		w.low = net.Head().Lo
	}
	shares, v := statistics(at, params)

	from := len(dst)
	rows, width := prototypesOf(at)
	dst = slices.Grow(dst, size+2+rows*(1+2*width)+1)[:from+size]
	update := dst[from:]
	between := at.Scratch(alignedBetween, size)
	copy(between, params)
	at.Train(update, params, 1, w.head)
	kernel.Axpy(between, step, update)
	if w.low > 0 {
		trunk := at.Scratch(alignedTrunk, size)
		at.Update(trunk, between, w.trunk)
		kernel.Axpy(between, step, trunk)
		copy(update[:w.low], trunk)
	}

	at.Protect(update)
	mine := classMeansOf(at, between)
	dst = mine.append(append(dst, float32(len(mine.count)), float32(mine.width)), at)
	last := len(dst)
	dst = append(append(dst, shares...), v)
	at.Quantize(dst[last:])
	return dst
}

// statistics returns h, one row p_c m_c per class, and
//
//	v = ( Σ_c p_c E_c‖z‖² − Σ_c p_c² ‖m_c‖² ) / n
//
// where p_c is the share of class c among n samples, and m_c its mean feature.
func statistics(at fl.ClientContext, params []float32) (h []float32, v float32) {
	now := classMeansOf(at, params)
	h = at.Scratch(alignedShares, len(now.means))
	copy(h, now.means)
	n, spread := float32(0), 0.0
	for _, count := range now.count {
		n += count
	}
	for c, count := range now.count {
		p, row := count/n, h[c*now.width:(c+1)*now.width]
		kernel.Scale(row, p)
		spread += float64(float64(p)*float64(now.squared[c])) - kernel.Dot(row, row)
	}
	return h, max(0, float32(spread/float64(n)))
}

// alignWork is the work of one client in one round.
type alignWork struct {
	at          fl.ClientContext
	low         int // index of the head's first parameter
	targets     []float32
	lambda      float32
	head, trunk fl.Gradient
}

// headGradient computes the gradient of the head and leaves the trunk unchanged.
func (w *alignWork) headGradient(dst, params []float32, b model.Batch, _ []int32) {
	w.at.Model().Gradient(dst, params, b)
	clear(dst[:w.low])
}

// trunkGradient computes the gradient of the trunk and leaves the head unchanged.
func (w *alignWork) trunkGradient(dst, params []float32, b model.Batch, _ []int32) {
	w.at.Network().Toward(dst, params, b, w.targets, w.lambda)
	clear(dst[w.low:])
}

var fedpacSteps = []registry.Step{
	{Name: fl.StepAnswer, Phase: registry.Update, Code: "each client trains the trunk and its head, and sends them with the mean features of its classes",
		Says: "Client [client:client] trains the common trunk and its own head on its samples, and sends the server the update and the mean features of its classes."},
}

var fedpacPhases = []*registry.PhaseText{
	{Phase: registry.Broadcast, If: "first", Says: "[each] gets its model: layers that all share, if any, and a last layer of its own."},
	{Phase: registry.Broadcast, Says: "[each] gets its model and the mean features of every class.", Sends: "mean features"},
	{Phase: registry.Probe, Says: "[each] trains the last layer of its model, then those before it, if there are any."},
	{Phase: registry.Embed, Carries: "answer", Sends: "update, mean features",
		Says: "Clients send mean features of their classes as well: they tell whose last layers fit whom."},
	method.AllAlone,
	{Phase: registry.Match, Says: "For each client the server weighs all last layers, so that the error is expected to be least."},
	{Phase: registry.Update, Says: "Each client’s last layer becomes this weighted mean. Layers before it move alike for all."},
}
