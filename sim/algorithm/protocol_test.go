package algorithm

import (
	"slices"
	"testing"

	"flockscope/sim/algorithm/internal/algotest"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/param"
)

func TestProtocolOf(t *testing.T) {
	tests := []struct {
		name  string
		words []string
		want  fl.Protocol
		step  float64
	}{
		{"defaults", nil, fl.Protocol{Rate: 0.1, Digits: -1}, 0.1},
		{"gradients of few digits", []string{"lr=0.3", "nd=2"}, fl.Protocol{Rate: 0.3, Digits: 2}, 0.3},
		{"model averaging", []string{"avg=model"}, fl.Protocol{Rate: 0.1, Epochs: 1, Optimiser: "sgd", Digits: -1}, 1},
		{"epochs", []string{"avg=model", "tau=7", "lr=0.01", "nd=0"}, fl.Protocol{Rate: 0.01, Epochs: 7, Optimiser: "sgd"},
			1},
		{"Adam", []string{"avg=model", "opt=adam"}, fl.Protocol{Rate: 0.1, Epochs: 1, Optimiser: "adam", Digits: -1}, 1},
		{"Adam's memory", []string{"avg=model", "opt=adam", "keep=kept"},
			fl.Protocol{Rate: 0.1, Epochs: 1, Optimiser: "adam", Keep: true, Digits: -1}, 1},
		{"momentum's memory", []string{"avg=model", "opt=momentum", "keep=kept", "tau=2"},
			fl.Protocol{Rate: 0.1, Epochs: 2, Optimiser: "momentum", Keep: true, Digits: -1}, 1},
		{"what gradients do not read", []string{"tau=7", "opt=adam", "keep=kept"}, fl.Protocol{Rate: 0.1, Digits: -1}, 0.1},
	}
	for _, tt := range tests {
		for _, e := range method.Registry.All() {
			v := param.Given{}
			algotest.Defaults(v, method.Training())
			algotest.Defaults(v, e.Fields)
			algotest.Set(v, tt.words)
			if got := method.ProtocolOf(v.Values()); got != tt.want || got.Step() != tt.step {
				t.Errorf("%s: ProtocolOf(%s, %v) = %+v with step %v, want %+v with %v", tt.name, e.Name, tt.words, got,
					got.Step(),
					tt.want, tt.step)
			}
		}
	}
}

// TestModelAveragingTakesWholeSteps: an update that a client trained for has the
// learning rate in it, so the server follows the mean of such updates all the
// way (Algorithms 1 of FedAvg and IFCA, Option I of CLoVE, Algorithm 4 of CFL-GP).
func TestModelAveragingTakesWholeSteps(t *testing.T) {
	samples := []int{1, 3, 4}
	losses := [][]float64{{1, 9}, {1, 9}, {9, 1}}
	// Client i's update is (i+1, its model).
	tests := []struct {
		name string
		want []float32
	}{
		{"fedavg", []float32{-(1*1 + 3*2 + 4*3) / 8., 0}},
		{"local", []float32{-1, 0, -2, -1, -3, -2}},
		{"ifca", []float32{-(1 + 2) / 2., 0, -3, -1}},
		{"clove", []float32{-(1*1 + 3*2) / 4., 0, -3, -1}},
	}
	for _, tt := range tests {
		r := lossRig(t, tt.name, losses, samples, "K=2", "lr=0.01", "avg=model", "tau=3")
		if r.Play(0); !slices.Equal(r.Bank.Params, tt.want) {
			t.Errorf("%s: models move to %v, want %v", tt.name, r.Bank.Params, tt.want)
		}
	}
}
