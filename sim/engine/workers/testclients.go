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
	host      fl.TestWeigher // nil where a client uses one model
	open      workload.Guested
	kept      []float64 // samples that each client holds back
	evaluated model.Batch
	used      []bool
	own       []float32 // what a test client remembers: nothing

	losses [][]float32 // of the samples to choose by, a row a model
	sheet  []uint16
}

// NewTestClients returns nil where no test client comes.
func NewTestClients(data workload.Workload, set *Settings, plan *fl.Plan) *TestClients {
	open, ok := data.(workload.Guested)
	if !ok || open.Guests() == 0 {
		return nil
	}
	h := &TestClients{Workspace: NewWorkspace(data, set), open: open, used: make([]bool, plan.Models),
		losses: make([][]float32, plan.Models), sheet: make([]uint16, open.Classes()*open.Classes())}
	h.host, _ = plan.Algorithm.(fl.TestWeigher)
	for i := range data.Clients() {
		h.kept = append(h.kept, float64(open.Back(i)))
	}
	return h
}

// Val is HCFL's Val: the clients' shares of right answers on what they hold back,
// weighed by how much that is.
func (h *TestClients) Val(accuracy []float32) float64 {
	sum, total := 0.0, 0.0
	for i, n := range h.kept {
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
	sum, guests := 0.0, h.open.Guests()
	for i := range guests {
		h.open.Meet(&h.Samples, &h.evaluated, i)
		switch {
		case h.host != nil:
			sum += h.blended(v)
		case v.Personal:
			sum += h.among(v)
		default:
			sum += h.fitting(v)
		}
	}
	return sum / float64(guests)
}

// network is the model at work: only classifiers have test clients.
func (h *TestClients) network() *model.Network { return h.Model.(*model.Network) }

// right is the share of right answers of what a client makes of a model.
func (h *TestClients) right(v *Job, params []float32, own *[]float32, client int) float64 {
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
	own *[]float32
}

func (g *testContext) State() *[]float32 { return g.own }

// among tries the clients' own models, all of them, where there are no others: the
// mean is what to expect of the model of a client that one happens to meet.
func (h *TestClients) among(v *Job) float64 {
	sum, n := 0.0, len(h.kept)
	for i := range n {
		sum += h.right(v, v.Exchange.Bank.Model(i), &v.Exchange.Replies[i].ClientState, i)
	}
	return sum / float64(n)
}

// fitting tries the model that loses least on the first half of the test client's
// samples, of those that some client has.
func (h *TestClients) fitting(v *Job) float64 {
	best, least := 0, 0.0
	for k, used := range h.used {
		if !used {
			continue
		}
		if loss := h.Model.Loss(v.Exchange.Bank.Model(k), h.Samples); !h.used[best] || best == k || loss < least {
			best, least = k, loss
		}
	}
	h.own = h.own[:0]
	return h.right(v, v.Exchange.Bank.Model(best), &h.own, 0)
}

// blended tries all models under the weights that the host finds.
func (h *TestClients) blended(v *Job) float64 {
	for k := range h.losses {
		h.losses[k] = trace.Resize(h.losses[k], h.Samples.N)
		h.Model.Losses(h.losses[k], v.Exchange.Bank.Model(k), h.Samples)
	}
	net := h.network()
	h.weights = trace.Resize(h.weights, len(h.losses)*h.evaluated.N)
	h.host.WeighTest(h.weights, h.losses, h.Samples, h.evaluated)
	h.blend(net, v, h.evaluated)
	net.ConfusionOf(h.sheet, h.answers, h.evaluated)
	right := 0
	for c := range net.Outputs() {
		right += int(h.sheet[c*net.Outputs()+c])
	}
	return float64(right) / float64(h.evaluated.N)
}
