package hcfl

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"flockscope/sim/algorithm/internal/algotest"
	"flockscope/sim/fl"
	"flockscope/sim/kernel"
	"flockscope/sim/model"
	"flockscope/sim/rng"
)

// netClient is a client with a network and a fixed set of samples, which trains by gradient descent on minibatches in
// order.
type netClient struct {
	algotest.FakeClient
	net    *model.Network
	epochs int
}

const netBatch, netRate = 5, 0.1

func (c *netClient) Protocol() fl.Protocol {
	return fl.Protocol{Rate: netRate, Epochs: c.epochs, Digits: -1}
}
func (c *netClient) Model() model.Model      { return c.net }
func (c *netClient) Network() *model.Network { return c.net }

func (c *netClient) Update(dst, params []float32, gradient fl.Gradient) {
	if c.epochs == 0 {
		gradient(dst, params, c.Batch.First(netBatch), nil)
		return
	}
	trained, g := slices.Clone(params), make([]float32, len(params))
	width := c.net.Inputs()
	for range c.epochs {
		for from := 0; from < c.Batch.N; from += netBatch {
			to := min(from+netBatch, c.Batch.N)
			var samples []int32
			for j := from; j < to; j++ {
				samples = append(samples, int32(j))
			}
			piece := model.Batch{X: c.Batch.X[from*width : to*width], Y: c.Batch.Y[from:to], N: to - from}
			gradient(g, trained, piece, samples)
			kernel.Axpy(trained, -netRate, g)
		}
	}
	copy(dst, params)
	kernel.Axpy(dst, -1, trained)
}

// newNetClient draws a client with the convolutional network, whose models share the trunk.
func newNetClient(t *testing.T, models, epochs int) *netClient {
	t.Helper()
	entry, _ := model.Registry.Lookup("cnn")
	net, err := entry.Make.Make(nil, model.Samples{Shape: model.Shape{Height: 16, Width: 16, Channels: 1}, Classes: 4})
	if err != nil {
		t.Fatal(err)
	}
	var s rng.Stream
	s.Reset(1, rng.Samples, models, epochs)
	c := &netClient{net: net, epochs: epochs}
	for k := range models {
		m := make([]float32, net.Size())
		net.Init(m, &s)
		if k > 0 {
			copy(m, net.Trunk().Of(c.Models[0]))
		}
		c.Models = append(c.Models, m)
	}
	c.Batch.Resize(13, net.Inputs())
	for i := range c.Batch.X {
		c.Batch.X[i] = float32(s.Float64())
	}
	for i := range c.Batch.Y {
		c.Batch.Y[i] = float32(s.IntN(4))
	}
	return c
}

// TestHeadsFirstByWholeModels compares training of heads before the trunk with K whole models: each head on the trunk that
// was sent, and then the trunk by the sum of the models' gradients, with the trained heads.
func TestHeadsFirstByWholeModels(t *testing.T) {
	const models = 3
	for _, epochs := range []int{1, 3} {
		for _, unused := range []int{-1, 1} {
			t.Run(fmt.Sprint(epochs, unused), func(t *testing.T) {
				c := newNetClient(t, models, epochs)
				low := c.net.Head().Lo
				head := c.net.Size() - low
				w, got := trained(c, models, unused, true)
				want := make([]float32, low+models*head)
				for k := range models {
					if k == unused {
						continue
					}
					update := make([]float32, c.net.Size())
					c.Update(update, c.Models[k], func(dst, params []float32, b model.Batch, samples []int32) {
						c.net.Weighted(dst, params, b, gammaOf(w, k, b, samples))
						clear(dst[:low])
					})
					copy(want[low+k*head:], update[low:])
				}
				update := make([]float32, c.net.Size())
				c.Update(update, c.Models[0], func(dst, params []float32, b model.Batch, samples []int32) {
					clear(dst)
					for k := range models {
						if k == unused {
							continue
						}
						m, g := slices.Clone(c.Models[k]), make([]float32, c.net.Size())
						copy(m, params[:low])
						kernel.Axpy(m[low:], -1, want[low+k*head:low+(k+1)*head])
						c.net.Weighted(g, m, b, gammaOf(w, k, b, samples))
						kernel.Axpy(dst[:low], 1, g[:low])
					}
				})
				copy(want, update[:low])
				if !slices.Equal(got[low:], want[low:]) {
					t.Error("updates of heads differ from those of whole models")
				}
				near(t, got, want)
			})
		}
	}
}

// TestTrainByWholeModels compares training with equations 6 and 7 taken literally, with K whole models: in every step the
// gradient of each head, and the sum of the models' gradients by the trunk, all at the models before the step.
func TestTrainByWholeModels(t *testing.T) {
	const models = 3
	for _, epochs := range []int{0, 1, 3} {
		for _, unused := range []int{-1, 1} {
			t.Run(fmt.Sprint(epochs, unused), func(t *testing.T) {
				c := newNetClient(t, models, epochs)
				low := c.net.Head().Lo
				head := c.net.Size() - low
				w, got := trained(c, models, unused, false)
				all := slices.Clone(c.Models[0][:low])
				for _, m := range c.Models {
					all = append(all, m[low:]...)
				}
				want := make([]float32, len(all))
				c.Update(want, all, func(dst, params []float32, b model.Batch, samples []int32) {
					clear(dst)
					for k := range models {
						if k == unused {
							continue
						}
						at := low + k*head
						m, g := slices.Concat(params[:low], params[at:at+head]), make([]float32, c.net.Size())
						c.net.Weighted(g, m, b, gammaOf(w, k, b, samples))
						kernel.Axpy(dst[:low], 1, g[:low])
						copy(dst[at:], g[low:])
					}
				})
				near(t, got, want)
			})
		}
	}
}

// trained returns a client's work after training, and the update. It does not use a cluster, -1 for none.
func trained(c *netClient, models, unused int, headsFirst bool) (*clientWork, []float32) {
	device := &hcflClient{
		tiers: tiers{form: labelGivenInput{}, weigh: clientWise{}, heads: true, headsFirst: headsFirst},
		start: models, most: models,
	}
	w := newClientWork(device)
	w.assigned = -1
	w.begin(nil, c.Batch, c)
	w.assign(c.Batch)
	if unused >= 0 {
		w.omega[unused] = 0
	}
	return w, w.train(nil)
}

// gammaOf returns γ of the samples of a batch for a model.
func gammaOf(w *clientWork, k int, b model.Batch, samples []int32) []float32 {
	out := make([]float32, b.N)
	for i := range out {
		j := i
		if samples != nil {
			j = int(samples[i])
		}
		out[i] = w.gamma[k][j]
	}
	return out
}

// near fails the test unless numbers are equal but for rounding.
func near(t *testing.T, got, want []float32) {
	t.Helper()
	largest, off := 0.0, 0.0
	for j, v := range want {
		largest, off = max(largest, math.Abs(float64(v))), max(off, math.Abs(float64(got[j])-float64(v)))
	}
	if !(off <= 1e-5*largest) || largest == 0 {
		t.Errorf("the update is off by %g, of at most %g", off, largest)
	}
}

// TestTrainComputes compares multiply-adds with those counted by hand: one forward pass for the weights of clusters and the
// features, and one step of the trunk for all heads.
func TestTrainComputes(t *testing.T) {
	const first, second, last = 12 * 12 * 25 * 6, 2 * 2 * 150 * 16, 16 * 4 // products of the network
	const samples = 13
	for _, models := range []int{1, 3, 8} {
		for _, epochs := range []int{0, 1, 2} {
			c := newNetClient(t, models, epochs)
			device := &hcflClient{tiers: tiers{form: informationRatio{}, weigh: sampleWise{0.4}, heads: true,
				adapt: adaptation{distance: prototypes{}}}, start: models, most: models}
			device.Do(nil, emTrain, nil, c)
			k := int64(models)
			want := samples * (first + second + k*last) // losses, and features of the prototypes
			if epochs == 0 {
				want += netBatch * (2*first + 3*(second+k*last))
			} else {
				want += int64(epochs) * samples * (2*first + 3*(second+k*last))
			}
			if got := c.net.Computed(); got != want {
				t.Errorf("%d models, %d epochs: %d multiply-adds, want %d", models, epochs, got, want)
			}
		}
	}
}
