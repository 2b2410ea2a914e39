package engine

import (
	"flockscope/sim/fl"
	"flockscope/sim/model"
	"flockscope/sim/workload"
)

// hosting is how a lane receives test clients: HCFL's Test (arXiv 2310.05397,
// Table 1, and the code of FedRC). No server sees them, and nobody is charged for
// them.
type hosting struct {
	*bench
	host fl.TestWeigher // nil where a client uses one model
	open workload.Guested
	kept []float64 // samples that each client holds back
	then model.Batch
	used []bool
	own  []float32 // what a test client remembers: nothing

	losses [][]float32 // of the samples to choose by, a row a model
	sheet  []uint16
}

// newHosting returns nil where no test client comes.
func newHosting(data workload.Workload, set *settings, plan *fl.Plan) *hosting {
	open, ok := data.(workload.Guested)
	if !ok || open.Guests() == 0 {
		return nil
	}
	h := &hosting{bench: newBench(data, set), open: open, used: make([]bool, plan.Models),
		losses: make([][]float32, plan.Models), sheet: make([]uint16, open.Classes()*open.Classes())}
	h.host, _ = plan.Server.(fl.TestWeigher)
	for i := range data.Clients() {
		h.kept = append(h.kept, float64(open.Back(i)))
	}
	return h
}

// val is HCFL's Val: the clients' shares of right answers on what they hold back,
// weighed by how much that is.
func (h *hosting) val(accuracy []float32) float64 {
	sum, total := 0.0, 0.0
	for i, n := range h.kept {
		sum += float64(n * float64(accuracy[i]))
		total += n
	}
	return sum / total
}

// test is HCFL's Test: the mean over test clients of their shares of right answers.
func (h *hosting) test(v *visit, label []int) float64 {
	clear(h.used)
	for _, k := range label {
		h.used[k] = true
	}
	sum, guests := 0.0, h.open.Guests()
	for i := range guests {
		h.open.Meet(&h.samples, &h.then, i)
		switch {
		case h.host != nil:
			sum += h.blended(v)
		case v.personal:
			sum += h.among(v)
		default:
			sum += h.fitting(v)
		}
	}
	return sum / float64(guests)
}

// network is the model at work: only classifiers have test clients.
func (h *hosting) network() *model.Network { return h.model.(*model.Network) }

// right is the share of right answers of what a client makes of a model.
func (h *hosting) right(v *visit, params []float32, own *[]float32, client int) float64 {
	if device, ok := v.device.(fl.Personal); ok {
		h.worn = room(h.worn, len(params))
		h.place.bench, h.place.at, h.place.v = h.bench, client, v
		device.Personalize(h.worn, params, &guest{&h.place, own})
		params = h.worn
	}
	return float64(h.network().Correct(params, h.then)) / float64(h.then.N)
}

// guest is the place of a test client: it has samples, and the memory of whose
// model it tries.
type guest struct {
	*place
	own *[]float32
}

func (g *guest) State() *[]float32 { return g.own }

// among tries the clients' own models, all of them, where there are no others: the
// mean is what to expect of the model of a client that one happens to meet.
func (h *hosting) among(v *visit) float64 {
	sum, n := 0.0, len(h.kept)
	for i := range n {
		sum += h.right(v, v.exchange.Bank.Model(i), &v.exchange.Replies[i].ClientState, i)
	}
	return sum / float64(n)
}

// fitting tries the model that loses least on the first half of the test client's
// samples, of those that some client has.
func (h *hosting) fitting(v *visit) float64 {
	best, least := 0, 0.0
	for k, used := range h.used {
		if !used {
			continue
		}
		if loss := h.model.Loss(v.exchange.Bank.Model(k), h.samples); !h.used[best] || best == k || loss < least {
			best, least = k, loss
		}
	}
	h.own = h.own[:0]
	return h.right(v, v.exchange.Bank.Model(best), &h.own, 0)
}

// blended tries all models under the weights that the host finds.
func (h *hosting) blended(v *visit) float64 {
	for k := range h.losses {
		h.losses[k] = room(h.losses[k], h.samples.N)
		h.model.Losses(h.losses[k], v.exchange.Bank.Model(k), h.samples)
	}
	net := h.network()
	h.weights = room(h.weights, len(h.losses)*h.then.N)
	h.host.WeighTest(h.weights, h.losses, h.samples, h.then)
	h.blend(net, v, h.then)
	net.ConfusionOf(h.sheet, h.answers, h.then)
	right := 0
	for c := range net.Outputs() {
		right += int(h.sheet[c*net.Outputs()+c])
	}
	return float64(right) / float64(h.then.N)
}
