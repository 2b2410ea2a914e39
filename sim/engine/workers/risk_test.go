package workers

import (
	"fmt"
	"math"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/fl"
	"flockscope/sim/model"
	"flockscope/sim/rng"
	"flockscope/sim/userfiles"
	"flockscope/sim/workload"
)

// blender is an ensemble whose weights are the same for all inputs, or the softmax of multiples of
// the first input.
type blender struct {
	fl.Device
	byInput bool
}

func (d blender) ByInput() bool { return d.byInput }

func (d blender) weights(x float32) (w [3]float64) {
	sum := 0.0
	for k := range w {
		if w[k] = float64(k + 1); d.byInput {
			w[k] = math.Exp(2 * float64(k-1) * float64(x))
		}
		sum += w[k]
	}
	for k := range w {
		w[k] /= sum
	}
	return w
}

func (d blender) Weigh(dst []float32, b model.Batch, _ fl.ClientContext) {
	for j := range b.N {
		x := float32(0)
		if d.byInput {
			x = b.X[j*len(b.X)/b.N]
		}
		for k, w := range d.weights(x) {
			dst[k*b.N+j] = float32(w)
		}
	}
}

// TestRiskOfBlends: the risk of several models together is the mean of (Σ_k w_k f_k − y)² over many
// samples, whether weights depend on inputs or not, and where models have a trunk; within five
// standard errors of that mean, and what nodes are off by where weights depend on inputs.
func TestRiskOfBlends(t *testing.T) {
	table, err := userfiles.ReadTable([]byte("client,x,y\na,0,1\na,1,3\na,2,-1\na,5,2\nb,1,1\nb,-1,2\nb,0.5,0\nc,1,1\nc,2,5\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		query string
		nodes float64 // how far nodes may be off, as a part of the risk
	}{
		{"data=linreg&dphi=40", 1e-3}, {"data=mix1d&star=-1,1.5", 1e-3}, {"data=csv&scale=none", 1e-6},
		{"data=mix2", 0.03}, {"data=pairs8&C=8", 0.03}, {"data=linrep", 0.03}, {"data=mixreg&C=4&held=3000", 0.03},
	} {
		c, problems := catalog.Schema().Parse(tt.query + "&K=3&algos=ifca")
		if err := experiment.First(problems); err != nil {
			t.Fatal(err)
		}
		data, _, err := catalog.Build(c, &workload.File{Table: table})
		if err != nil {
			t.Fatal(err)
		}
		bank, m := fl.NewBank(3, data.Model().Size()), model.Fresh(data.Model())
		var s rng.Stream
		for k := range 3 {
			s.Reset(1, rng.Models, k, 0)
			data.Start(bank.Model(k), k, &s)
			for j := range bank.Model(k) {
				bank.Model(k)[j] += float32(s.Normal() / 2)
			}
		}
		b := NewWorkspace(data, ReadSettings(c, data))
		for _, byInput := range []bool{false, true} {
			device := blender{byInput: byInput}
			v := &Job{Exchange: fl.NewExchange(data.Clients(), &bank), Device: device}
			for client := range min(4, data.Clients()) {
				sum, squares, n := 0.0, 0.0, 0
				var batch model.Batch
				for draw := range 15 {
					s.Reset(2, rng.Samples, draw, client)
					data.Draw(&batch, client, 1000, &s)
					width := len(batch.X) / batch.N
					losses := make([]float32, 1)
					for j := range batch.N {
						x, y := batch.X[j*width:(j+1)*width], float64(batch.Y[j])
						g := 0.0
						for k, w := range device.weights(x[0]) {
							g += w * predicted(m, losses, bank.Model(k), x)
						}
						loss := (g - y) * (g - y)
						sum, squares, n = sum+loss, squares+loss*loss, n+1
					}
				}
				mean := sum / float64(n)
				bound := 5 * math.Sqrt((squares/float64(n)-mean*mean)/float64(min(n, samples(data, client))))
				if byInput {
					bound += tt.nodes * mean
				}
				if fmt.Sprintf("%T", data) == "*workload.table" {
					bound = 1e-6 * mean // the rows are all that there is
				}
				if got := b.Risk(client, 0, v); !(math.Abs(got-mean) <= bound) {
					t.Errorf("%s, client %d, by inputs: %v: risk %v, want %v ± %v", tt.query, client, byInput, got, mean,
						bound)
				}
			}
		}
	}
}

// samples is how many different samples a client can draw.
func samples(data workload.Workload, client int) int {
	if f, ok := data.(workload.Finite); ok {
		return f.Holds(client)
	}
	return math.MaxInt
}

// predicted returns what a model that predicts a number makes of x, from its losses for two outputs:
// f² − (f − 1)² = 2f − 1.
func predicted(m model.Model, loss, params, x []float32) float64 {
	at := func(y float32) float64 {
		m.Losses(loss, params, model.Batch{X: x, Y: []float32{y}, N: 1})
		return float64(loss[0])
	}
	return (at(0) - at(1) + 1) / 2
}
