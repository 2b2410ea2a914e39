package algorithm

import (
	"slices"
	"testing"
)

// TestIFCA: the clients' choice is the label; a model moves along the mean over
// those that picked it, or with divide=all along their sum over all clients.
func TestIFCA(t *testing.T) {
	losses := [][]float64{{3, 1, 2}, {1, 3, 3}, {3, 1, 9}, {9, 3, 4}, {5, 5, 5}}
	labels := []int{1, 0, 1, 1, 0}
	tests := []struct {
		name  string
		words []string
		want  []float32
	}{
		// Client i's gradient is (i+1, its model).
		{"mean over the cluster", []string{"K=3", "lr=0.5"},
			[]float32{-0.5 * (2 + 5) / 2., 0, -0.5 * (1 + 3 + 4) / 3., -0.5, 0, 0}},
		{"mean over all", []string{"K=3", "lr=0.5", "divide=all"},
			[]float32{-0.5 * (2 + 5) / 5., 0, -0.5 * (1 + 3 + 4) / 5., -0.5 * 3 / 5., 0, 0}},
	}
	for _, tt := range tests {
		r := lossRig(t, "ifca", losses, nil, tt.words...)
		r.Play(0)
		if !slices.Equal(r.Label, labels) {
			t.Errorf("%s: losses %v get models %v, want %v", tt.name, losses, r.Label, labels)
		}
		if !slices.Equal(r.Bank.Params, tt.want) {
			t.Errorf("%s: models move to %v, want %v", tt.name, r.Bank.Params, tt.want)
		}
		if r.Sends != 1 || !r.Round.Reclustered {
			t.Errorf("%s: %d exchanges, News = %v, want 1 and true", tt.name, r.Sends, r.Round.Reclustered)
		}
		flat := slices.Concat(losses...)
		if !slices.Equal(r.Embedding().Data, flat) {
			t.Errorf("%s: embedding %v, want the losses %v", tt.name, r.Embedding().Data, flat)
		}
	}
}

// TestIFCACountsClients: as in the paper, unless it is told otherwise; with Option I's
// divisor, too, which is what all who answered count.
func TestIFCACountsClients(t *testing.T) {
	losses := [][]float64{{1, 9}, {1, 9}}
	for _, samples := range [][]int{{1, 1}, {1, 99}} {
		r := lossRig(t, "ifca", losses, samples, "K=2", "lr=1")
		if r.Play(0); r.Bank.Params[0] != -1.5 {
			t.Errorf("samples %v: model 0 moves to %v, want -1.5", samples, r.Bank.Params[0])
		}
	}
	losses = [][]float64{{1, 9}, {1, 9}, {9, 1}}
	for divide, want := range map[string]float32{"cluster": -(1*1 + 2*3) / 4., "all": -(1*1 + 2*3) / 8.} {
		r := lossRig(t, "ifca", losses, []int{1, 3, 4}, "K=2", "lr=1", "mean=samples", "divide="+divide)
		if r.Play(0); r.Bank.Params[0] != want {
			t.Errorf("by samples, divide=%s: model 0 moves to %v, want %v", divide, r.Bank.Params[0], want)
		}
	}
}

func TestBaselines(t *testing.T) {
	samples := []int{1, 5, 9}
	losses := [][]float64{{1}, {1}, {1}}
	r := lossRig(t, "fedavg", losses, samples, "lr=1")
	if r.Play(0); !slices.Equal(r.Bank.Params, []float32{-(1*1 + 5*2 + 9*3) / 15., 0}) ||
		!slices.Equal(r.Label, []int{0, 0, 0}) ||
		r.Round.Reclustered {
		t.Errorf("fedavg: models %v, labels %v, News %v, want the mean of samples, zeros, false", r.Bank.Params,
			r.Label,
			r.Round.Reclustered)
	}
	r = lossRig(t, "local", losses, samples, "lr=1")
	if r.Play(0); !slices.Equal(r.Bank.Params, []float32{-1, 0, -2, -1, -3, -2}) ||
		!slices.Equal(r.Label, []int{0, 1, 2}) ||
		r.Round.Reclustered {
		t.Errorf("local: models %v, labels %v, News %v, want each client's own", r.Bank.Params, r.Label,
			r.Round.Reclustered)
	}
	if r.Traffic.Down != 0 || r.Traffic.Up != 0 {
		t.Errorf("local: traffic %+v, want none", r.Traffic)
	}
}
