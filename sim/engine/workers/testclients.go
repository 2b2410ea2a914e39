package workers

import (
	"flockscope/sim/fl"
	"flockscope/sim/model"
	"flockscope/sim/trace"
	"flockscope/sim/workload"
)

// TestClients is how a lane receives test clients: HCFL's Test (arXiv 2310.05397,
// Table 1, and the code of FedRC). No server sees them, and nobody is charged for
// them.
type TestClients struct {
	*Workspace
	weigher   fl.TestWeigher // nil where a client uses one model
	data      workload.Guested
	heldOut   []float64 // samples that each client holds back
	evaluated model.Batch
	used      []bool
	state     []float32 // what a test client remembers: nothing

	losses    [][]float32 // of the samples to choose by, a row a model
	confusion []uint16
}

// NewTestClients returns nil where no test client comes.
func NewTestClients(data workload.Workload, set *Settings, plan *fl.Plan) *TestClients {
	open, ok := data.(workload.Guested)
	if !ok || open.Guests() == 0 {
		return nil
	}
	h := &TestClients{Workspace: NewWorkspace(data, set), data: open, used: make([]bool, plan.Models),
		losses: make([][]float32, plan.Models), confusion: make([]uint16, open.Classes()*open.Classes())}
	h.weigher, _ = plan.Server.(fl.TestWeigher)
	for i := range data.Clients() {
		h.heldOut = append(h.heldOut, float64(open.Back(i)))
	}
	return h
}

// Val is HCFL's Val: the clients' shares of right answers on what they hold back,
// weighed by how much that is.
func (h *TestClients) Val(accuracy []float32) float64 {
	sum, total := 0.0, 0.0
	for i, n := range h.heldOut {
		sum += float64(n * float64(accuracy[i]))
		total += n
	}
	return sum / total
}

// Test is HCFL's Test: the mean over test clients of their shares of right answers.
func (h *TestClients) Test(v *Job, label []int) float64 {
	clear(h.used)
	for _, k := range label {
		h.used[k] = true
	}
	sum, guests := 0.0, h.data.Guests()
	for i := range guests {
		h.data.Meet(&h.Samples, &h.evaluated, i)
		switch {
		case h.weigher != nil:
			sum += h.blended(v)
		case v.Personal:
			sum += h.meanOverOwn(v)
		default:
			sum += h.bestFitting(v)
		}
	}
	return sum / float64(guests)
}

// network is the model at work: only classifiers have test clients.
func (h *TestClients) network() *model.Network { return h.Model.(*model.Network) }

// accuracy is the share of right answers of what a client makes of a model.
func (h *TestClients) accuracy(v *Job, params []float32, own *[]float32, client int) float64 {
	if device, ok := v.Device.(fl.Personal); ok {
		h.personal = trace.Resize(h.personal, len(params))
		h.clientContext.Workspace, h.clientContext.client, h.clientContext.job = h.Workspace, client, v
		device.Personalize(h.personal, params, &testContext{&h.clientContext, own})
		params = h.personal
	}
	return float64(h.network().Correct(params, h.evaluated)) / float64(h.evaluated.N)
}

// testContext is the place of a test client: it has samples, and the memory of whose
// model it tries.
type testContext struct {
	*clientContext
	state *[]float32
}

func (g *testContext) State() *[]float32 { return g.state }

// meanOverOwn tries the clients' own models, all of them, where there are no others: the
// mean is what to expect of the model of a client that one happens to meet.
func (h *TestClients) meanOverOwn(v *Job) float64 {
	sum, n := 0.0, len(h.heldOut)
	for i := range n {
		sum += h.accuracy(v, v.Exchange.Bank.Model(i), &v.Exchange.Replies[i].ClientState, i)
	}
	return sum / float64(n)
}

// bestFitting tries the model that loses least on the first half of the test client's
// samples, of those that some client has.
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

// blended tries all models under the weights that the host finds.
func (h *TestClients) blended(v *Job) float64 {
	for k := range h.losses {
		h.losses[k] = trace.Resize(h.losses[k], h.Samples.N)
		h.Model.Losses(h.losses[k], v.Exchange.Bank.Model(k), h.Samples)
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
