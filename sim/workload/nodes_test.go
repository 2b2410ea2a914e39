package workload

import (
	"math"
	"testing"

	"flockscope/sim/model"
	"flockscope/sim/rng"
)

// TestLines: a model and the weighted sum that it is have the same risk, and a mean over nodes is the
// risk but for the noise of outputs: exact for a file, where there is no noise, and for normal
// inputs, of which all moments of squared errors are.
func TestLines(t *testing.T) {
	table := &File{Table: mustTable(t, "client,x,y\na,0,1\na,1,3\na,2,-1\nb,1,1\nb,-1,2\n")}
	for _, tt := range []struct {
		workload string
		words    []string
		close    float64 // a mean over nodes and the risk
	}{
		{"linreg", []string{"sigma=0", "dphi=30"}, 1e-3}, {"mix1d", []string{"sigma=0"}, 0.03}, // the tails end at 2.4
		{"csv", []string{"scale=none"}, 1e-6}, {"pairs8", []string{"sigma=0"}, 1e-5}, {"mix2", []string{"sigma=0"}, 1e-5},
		{"linrep", []string{"sigma=0"}, 1e-5}, {"mixreg", []string{"sigma=0"}, 1e-5},
	} {
		var file *File
		if tt.workload == "csv" {
			file = table
		}
		w := build(t, tt.workload, file, tt.words...)
		a, d := analytic(t, w), w.Model().Inputs()
		params, line := make([]float32, w.Model().Size()), make([]float64, d+1)
		var s rng.Stream
		var b model.Batch
		of, _ := w.Groups()
		for client := range w.Clients() {
			s.Reset(1, rng.Models, client, 0)
			for j := range params {
				params[j] = float32(s.Normal())
			}
			a.Line(line, params)
			want := a.Risk(client, params)
			if got := a.LineRisk(client, line); math.Abs(got-want) > 1e-12*want {
				t.Errorf("%s, client %d: the risk is %v as a line, want %v", tt.workload, client, got, want)
			}
			if tt.workload == "mix2" && of[client] == 2 {
				continue // outputs have noise: they are of two kinds
			}
			a.Nodes(&b, client)
			if got := model.Fresh(w.Model()).Loss(params, b); math.Abs(got-want) > tt.close*want {
				t.Errorf("%s, client %d: the mean loss at %d nodes is %v, want %v", tt.workload, client, b.N, got, want)
			}
		}
	}
}

func mustTable(t *testing.T, text string) *Table {
	t.Helper()
	table, err := ReadTable([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return table
}
