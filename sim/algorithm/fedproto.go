package algorithm

import (
	"slices"
	"strconv"
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
			Name:   "fedproto",
			Title:  "FedProto",
			Family: registry.PersonalModels,
			Cause:  cause.Personal("Each client trains a model of its own; they share the mean features of each class."),
			Doc:    "Models stay on the clients, which send the mean features of each class; all networks are drawn towards the common means. A sample gets the class of the nearest prototype.",
			By:     "nothing: one model per client", Sends: "a mean feature for each class it has",
			Counts:      "samples of the class",
			Unclustered: true,
			Paper: registry.Citation{Authors: "Tan, Long, Liu, Zhou, Lu, Jiang, Zhang",
				Given: "Yue, Guodong, Lu, Tianyi, Qinghua, Jing, Chengqi",
				Title: "FedProto: Federated Prototype Learning across Heterogeneous Clients",
				Venue: "AAAI", Year: 2022, URL: "https://arxiv.org/abs/2105.00243"}.At("Algorithm 1, equations 3 to 6"),
			Fields: method.Without(method.Training(fieldPrototypes), "keep", "private"),
			Steps:  fedprotoSteps,
			Phases: fedprotoPhases,
		},
		Make: func(v param.Values, clients int) fl.Plan {
			return fl.Plan{Algorithm: &fedproto{protos: prototypes{equal: !method.Counts(v, method.BySamples,
				method.ManySamples).Samples}}, Models: clients, Personal: true, Local: true,
				Device: &prototypeClient{lambda: float32(v.Float("proto"))}, Refuse: needsLastLayer}
		},
	})
}

// fedproto is Algorithm 1. Model i is client i's own and is never sent. In the mean of a class clients count by their
// samples of it, as in equation 6; the released code counts every client once.
type fedproto struct{ protos prototypes }

func (s *fedproto) Start(env *fl.Env, label []int) {
	for i := range label {
		label[i] = i
	}
	method.StartAlike(env.Exchange.Bank)
}

func (s *fedproto) Round(r *fl.Round) {
	for _, i := range r.Participants {
		r.AskCall(i, opTrainPrototypes, s.protos.means, i)
	}
	r.Ask()
	for n, i := range r.Replied {
		answer := r.Answer(i)[r.Bank.Size:]
		rows, width := int(answer[0]), int(answer[1])
		if n == 0 {
			s.protos.resize(rows, width)
			s.protos.reset()
		}
		s.protos.add(answer[2:])
	}
	if len(r.Replied) > 0 {
		s.protos.update(r.Average)
	}
	for _, i := range r.Replied {
		kernel.Axpy(r.Bank.Model(i), -float32(r.Step), r.Answer(i)[:r.Bank.Size])
	}
}

// Broadcast returns the prototypes.
func (s *fedproto) Broadcast() []float32 { return s.protos.means }

var _ fl.Broadcaster = (*fedproto)(nil)

// FreeDown: prototypes count, except those of classes without samples.
func (s *fedproto) FreeDown(r *fl.Round, i int) int64 { return s.protos.unknown() }

// FreeUp: the numbers of classes, of features and of samples of each class are whole numbers.
func (s *fedproto) FreeUp(r *fl.Round, i int) int64 { return 2 + int64(r.Answer(i)[r.Bank.Size]) }

// opTrainPrototypes asks a client to train and for its prototypes.
const opTrainPrototypes = 1

// prototypeClient is the client's side.
type prototypeClient struct {
	lambda float32
	idle   sync.Pool // pool of *drawn
}

// Do answers with the update of the client's own model, the number of classes, the width of a feature, and the client's
// prototypes under the trained model (equation 3).
func (d *prototypeClient) Do(dst []float32, _ int, global []float32, at fl.ClientContext) []float32 {
	g, _ := d.idle.Get().(*prototypeGradient)
	if g == nil {
		g = new(prototypeGradient)
		g.gradient = g.compute
	}
	defer d.idle.Put(g)
	g.at, g.targets, g.lambda = at, global, d.lambda

	params := at.Params(at.Client())
	from, size := len(dst), len(params)
	rows, width := prototypesOf(at)
	dst = slices.Grow(dst, size+2+rows*(1+width))[:from+size]
	at.Update(dst[from:], params, g.gradient)
	trained := at.Scratch(prototypeModel, size)
	copy(trained, params)
	kernel.Axpy(trained, -float32(at.Protocol().Step()), dst[from:])

	mine := classMeansOf(at, trained)
	return mine.append(append(dst, float32(len(mine.count)), float32(mine.width)), at)
}

// needsLastLayer refuses networks whose head has more than one layer: prototypes take the place of the last layer.
func needsLastLayer(m model.Model) *param.Error {
	n, ok := m.(*model.Network)
	if !ok || n.Task() != model.Classification || n.Head().Len() == (n.Width()+1)*n.Outputs() {
		return nil
	}
	return &param.Error{Field: "blocks", Got: strconv.Itoa(n.TrunkBlocks()), Want: "0 with FedProto",
		Hint:        "it compares features before the last layer with prototypes",
		Suggestions: []param.Suggestion{{Key: "blocks", Value: "0"}}}
}

// Personalize replaces the head by the nearest prototype: as
//
//	argmin_c ‖z − p_c‖²  =  argmax_c ( 2 p_c·z − ‖p_c‖² )
//
// this is a head, too. Where there are no classes, and before there are prototypes, a client uses its own head.
func (d *prototypeClient) Personalize(dst, given []float32, at fl.ClientContext) {
	copy(dst, given)
	global, classes := at.Broadcast(), method.ClassesOf(at)
	if len(global) == 0 || classes == 0 {
		return
	}
	const far = -1e6 // output for a class without samples
	head := at.Network().Head().Of(dst)
	width := len(global) / classes
	for c := range classes {
		p := global[c*width : (c+1)*width]
		bias := float32(far)
		if !model.Unknown(p) {
			bias = -float32(kernel.Dot(p, p))
		}
		for j, v := range p {
			if bias == far {
				v = 0
			}
			head[j*classes+c] = 2 * v
		}
		head[width*classes+c] = bias
	}
}

// prototypeGradient computes gradients with a pull of features towards prototypes.
type prototypeGradient struct {
	at       fl.ClientContext
	targets  []float32
	lambda   float32
	gradient fl.Gradient
}

// compute computes the gradient of the loss with this term (equations 4 and 5).
func (g *prototypeGradient) compute(dst, params []float32, b model.Batch, _ []int32) {
	if net := g.at.Network(); net != nil {
		net.Toward(dst, params, b, g.targets, g.lambda)
		return
	}
	g.at.Model().Gradient(dst, params, b) // the features are the inputs, which training does not change
}

var fedprotoSteps = []registry.Step{
	{Name: fl.StepAnswer, Phase: registry.Probe, Code: "each client trains its model towards the common prototypes, and sends the mean features of its classes",
		Says: "Client [client:client] trains a model that it keeps to itself, and sends the server the mean features of its classes.", Sends: "mean features"},
	{Name: fl.StepSend, Phase: registry.Broadcast, Code: "send each client the prototypes: the mean features of every class",
		Says: "The server sends client [client:client] the mean features of every class, and no model.", Sends: "mean features"},
}

var fedprotoPhases = []*registry.PhaseText{
	{Phase: registry.Broadcast, If: "first", Skips: true, Says: "Skipped: models stay with the clients, and no mean features are known yet."},
	{Phase: registry.Broadcast, Says: "[each] gets the mean features of every class, and no model.", Sends: "mean features"},
	{Phase: registry.Probe, If: "first", Says: "[each] trains its own model on its own samples."},
	{Phase: registry.Probe, When: "proto=0", Says: "[each] trains its own model on its own samples."},
	{Phase: registry.Probe, Says: "[each] trains its own model. Features that its layers compute are drawn towards the mean ones."},
	method.NotCompared, method.AllAlone, method.OwnToMatch,
	{Phase: registry.Update, Carries: "answer",
		Says: "Clients keep their trained models. The server averages the mean features of their classes."},
}
