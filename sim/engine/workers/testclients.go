package workers

import (
	"flockscope/sim/fl"
	"flockscope/sim/model"
	"flockscope/sim/trace"
	"flockscope/sim/workload"
)

// TestClients evaluate the models of a lane without training: HCFL's Test (arXiv 2310.05397, Table
// 1, and the code of FedRC). No server sees them, and they count as no traffic.
type TestClients struct {
	*Workspace
	weigher   fl.TestWeigher // nil if each client uses one model
	data      workload.WithTestClients
	heldOut   []float64 // held-out samples of each client
	evaluated model.Batch
	used      []bool
	state     []float32 // empty state of a test client's device

	losses    [][]float32 // losses by model on the samples that choose a model
	confusion []uint16
}

// NewTestClients returns nil if the run has no test clients.
func NewTestClients(data workload.Workload, set *Settings, plan *fl.Plan) *TestClients {
	open, ok := data.(workload.WithTestClients)
	if !ok || open.TestClients() == 0 {
		return nil
	}
	h := &TestClients{Workspace: NewWorkspace(data, set), data: open, used: make([]bool, plan.Models),
		losses: make([][]float32, plan.Models), confusion: make([]uint16, open.Classes()*open.Classes())}
	h.weigher, _ = plan.Algorithm.(fl.TestWeigher)
	for i := range data.Clients() {
		h.heldOut = append(h.heldOut, float64(open.HeldOut(i)))
		if set.Liars != nil && set.Liars.Lies[i] {
			h.heldOut[i] = 0 // scores are of honest clients
		}
	}
	return h
}

// Val is HCFL's Val: the mean accuracy of the honest clients, weighted by their numbers of held-out
// samples.
func (h *TestClients) Val(accuracy []float32) float64 {
	sum, total := 0.0, 0.0
	for i, n := range h.heldOut {
		sum += float64(n * float64(accuracy[i]))
		total += n
	}
	return sum / total
}

// Test is HCFL's Test: the mean accuracy of the test clients.
func (h *TestClients) Test(v *Job, label []int) float64 {
	clear(h.used)
	for _, k := range label {
		h.used[k] = true
	}
	sum, clients := 0.0, h.data.TestClients()
	for i := range clients {
		h.data.TestClientSamples(&h.Samples, &h.evaluated, i)
		switch {
		case h.weigher != nil:
			sum += h.blended(v)
		case v.Personal:
			sum += h.meanOverOwn(v)
		default:
			sum += h.bestFitting(v)
		}
	}
	return sum / float64(clients)
}

// network returns the model's network: only classifiers have test clients.
func (h *TestClients) network() *model.Network { return h.Model.(*model.Network) }

// accuracy returns the accuracy of the client's prediction, made from params.
func (h *TestClients) accuracy(v *Job, params []float32, own *[]float32, client int) float64 {
	if device, ok := v.Device.(fl.Personal); ok {
		h.personal = trace.Resize(h.personal, len(params))
		h.clientContext.Workspace, h.clientContext.client, h.clientContext.job = h.Workspace, client, v
		device.Personalize(h.personal, params, &testContext{&h.clientContext, own})
		params = h.personal
	}
	return float64(h.network().Correct(params, h.evaluated)) / float64(h.evaluated.N)
}

// testContext is the context of a test client: it has its own samples, and the state of the client
// whose model it evaluates.
type testContext struct {
	*clientContext
	state *[]float32
}

func (g *testContext) State() *[]float32 { return g.state }

// meanOverOwn evaluates all models of a lane in which each client has its own: the mean is the
// expected accuracy of the model of a random client.
func (h *TestClients) meanOverOwn(v *Job) float64 {
	sum, n := 0.0, 0.0
	for i := range h.heldOut {
		if h.liars == nil || !h.liars.Lies[i] {
			sum += h.accuracy(v, v.Exchange.Bank.Model(i), &v.Exchange.Replies[i].ClientState, i)
			n++
		}
	}
	return sum / n
}

// bestFitting evaluates the model with the least loss on the first half of the test client's
// samples, among the models that some client has.
func (h *TestClients) bestFitting(v *Job) float64 {
	best, least := 0, 0.0
	for k, used := range h.used {
		if !used {
			continue
		}
		if loss := h.Model.Loss(v.Exchange.Bank.Model(k), h.Samples); !h.used[best] || best == k || loss < least {
			best, least = k, loss
		}
	}
	h.state = h.state[:0]
	return h.accuracy(v, v.Exchange.Bank.Model(best), &h.state, 0)
}

// blended evaluates all models together, under the weights that the server computes.
func (h *TestClients) blended(v *Job) float64 {
	samples := h.withFeatures(v, h.Samples)
	for k := range h.losses {
		h.losses[k] = trace.Resize(h.losses[k], samples.N)
		h.Model.Losses(h.losses[k], v.Exchange.Bank.Model(k), samples)
	}
	net := h.network()
	h.weights = trace.Resize(h.weights, len(h.losses)*h.evaluated.N)
	h.weigher.WeighTest(h.weights, h.losses, h.Samples, h.evaluated)
	h.blend(net, v, h.evaluated)
	net.ConfusionOf(h.confusion, h.answers, h.evaluated)
	right := 0
	for c := range net.Outputs() {
		right += int(h.confusion[c*net.Outputs()+c])
	}
	return float64(right) / float64(h.evaluated.N)
}
