package engine_test

import (
	_ "embed"
	"encoding/json"
	"math"
	"slices"
	"testing"

	"flockscope/sim/trace"
)

//go:embed testdata/measures.json
var measuresText []byte

// measuredRun is what NumPy measures on an exported run, see testdata/measures.py.
type measuredRun struct {
	Query  string
	Rounds []struct {
		Lead, Noise []float64
		Pull        [][]float64 // of clients that replied
		Replies     []uint16
		Alone       [][]float64 // distances of a newest reply from all places
		Gap         *float64    // in rounds with a new map
	}
}

// TestMeasures: frames have, of each client, what an independent program measures.
func TestMeasures(t *testing.T) {
	var runs []measuredRun
	if err := json.Unmarshal(measuresText, &runs); err != nil || len(runs) < 9 {
		t.Fatalf("%d runs: %v", len(runs), err)
	}
	for _, run := range runs {
		r := record(t, run.Query, nil)
		near := func(round int, what string, got float32, want, scale float64) {
			t.Helper()
			if !(math.Abs(float64(got)-want) <= 1e-4*(math.Abs(want)+scale)) {
				t.Errorf("%s: round %d: %s = %v, want %v", run.Query, round, what, got, want)
			}
		}
		for n, want := range run.Rounds {
			f := &r.lanes[0][n+1]
			if len(f.Lead) != len(want.Lead) || len(f.Noise) != len(want.Noise) {
				t.Fatalf("%s: round %d: %d leads, want %d", run.Query, n+1, len(f.Lead), len(want.Lead))
			}
			for i, lead := range want.Lead {
				near(n+1, "Lead", f.Lead[i], lead, 1e-3)
				near(n+1, "Noise", f.Noise[i], want.Noise[i], 1e-3)
			}
			each := r.header.Lanes[0].Pulls()
			for i, pull := range want.Pull {
				for j := range each {
					v := 0.0
					if pull != nil {
						v = pull[j]
					}
					near(n+1, "Pull", f.Pull[i*each+j], v, 1e-2)
				}
			}
			if !slices.Equal(f.Replies, want.Replies) {
				t.Errorf("%s: round %d: Replies = %v, want %v", run.Query, n+1, f.Replies, want.Replies)
			}
			if want.Gap == nil {
				if len(f.Alone) > 0 {
					t.Errorf("%s: round %d: Alone without a new map", run.Query, n+1)
				}
				continue
			}
			near(n+1, "Gap", f.Gap, *want.Gap, 0)
			for i, row := range want.Alone {
				for j, d := range row {
					dx, dy := f.Alone[2*i]-f.XY[2*j], f.Alone[2*i+1]-f.XY[2*j+1]
					near(n+1, "Alone", float32(math.Hypot(float64(dx), float64(dy))), d, 1)
				}
			}
		}
	}
}

// TestMeasuresOfMethods: which measurements a frame has follows from what the clients of a method send. The mean update of
// FedAvg moves its model.
func TestMeasuresOfMethods(t *testing.T) {
	for _, tt := range []struct {
		query                       string
		lead, pull, alone, remember bool
	}{
		{"algos=fedavg", false, true, false, false},
		{"algos=ifca", true, true, false, false},
		{"algos=ifca&K=1", false, true, false, false},
		{"algos=clove", true, true, false, false},
		{"algos=cflgp", false, true, true, true},
		{"algos=cflgp&beta=1", false, true, false, false},
		{"algos=local", false, false, false, false},
		{"algos=perfedavg", false, true, false, false},
		{"algos=fedem", false, false, false, false},
		{"data=digits&net=mlp&hidden=5&n=300&C=4&b=10&algos=cflgp", false, true, false, true},
		{"data=digits&net=mlp&hidden=5&n=300&C=4&b=10&algos=fedpac", false, true, false, false},
		{"data=digits&net=mlp&hidden=5&n=300&C=4&b=10&algos=fedproto", false, false, false, false},
	} {
		r := record(t, tt.query+"&T=4", nil)
		f := &r.lanes[0][2] // CFL-GP clusters in it
		if tt.lead != (len(f.Lead) > 0) || tt.pull != (len(f.Pull) > 0) || tt.alone != (len(f.Alone) > 0) ||
			tt.remember != (len(f.Replies) > 0) {
			t.Errorf("%s: %d leads, %d numbers of updates, %d places alone, %d counts of replies, want %+v", tt.query,
				len(f.Lead), len(f.Pull), len(f.Alone), len(f.Replies), tt)
		}
		start := &r.lanes[0][0]
		if len(start.Lead)+len(start.Pull)+len(start.Alone)+len(start.Replies) > 0 || start.Gap != 0 {
			t.Errorf("%s: the start has measurements: %+v", tt.query, start)
		}
	}
	frames := record(t, "algos=fedavg&lr=0.2&T=2", nil).lanes[0]
	for j := range 2 {
		mean := float32(0)
		for i := range 12 {
			mean += frames[2].Pull[2*i+j] / 12
		}
		if got, want := frames[2].Models[j], frames[1].Models[j]-0.2*mean; math.Abs(float64(got-want)) > 1e-6 {
			t.Errorf("FedAvg's parameter %d is %v, its updates lead to %v", j, got, want)
		}
	}
}

// TestNoiseOfOneSample: the noise of a lead on a single sample is unknown, and not 0.
func TestNoiseOfOneSample(t *testing.T) {
	for i, noise := range record(t, "algos=ifca&probe=1&b=1&T=1", nil).lanes[0][1].Noise {
		if !math.IsInf(float64(noise), 1) {
			t.Errorf("client %d: noise %v of one sample, want +Inf", i, noise)
		}
	}
}

// TestDeclared: a workload says which groups cannot be told apart, and a lane how its clients are compared.
func TestDeclared(t *testing.T) {
	for _, tt := range []struct {
		query    string
		alike    bool
		mixtures []int16
	}{
		{"data=linreg&dphi=0", true, nil},
		{"data=linreg&dphi=5", false, nil},
		{"data=mix1d&star=1,1", true, nil},
		{"data=mix1d", false, nil},
		{"data=mix2", false, []int16{2}},
		{"data=pairs8", false, nil},
		{"data=digits&n=300&C=6&shift=mixture", false, []int16{2}},
		{"data=digits&n=300&C=6&shift=mixture&kappa=1", false, nil},
	} {
		h := record(t, tt.query+"&T=1&algos=ifca,cfl&probe=17", nil).header
		if p := &h.DataPreview; p.Alike != tt.alike || !slices.Equal(p.Mixtures, tt.mixtures) {
			t.Errorf("%s: alike %v, mixtures %v, want %v, %v", tt.query, p.Alike, p.Mixtures, tt.alike, tt.mixtures)
		}
		if h.Lanes[0].Probe != 17 || h.Lanes[0].Finds || !h.Lanes[1].Finds {
			t.Errorf("%s: lanes %+v, want 17 samples, and CFL finds the number of clusters", tt.query, h.Lanes)
		}
	}
}

// TestMeasuresSize: measurements of a line take at most 20 bytes of a frame for each client, on average.
func TestMeasuresSize(t *testing.T) {
	for _, query := range []string{"C=12", "C=100", "C=1000"} {
		for _, method := range []string{"cflgp", "ifca", "clove", "fedavg"} {
			frames := record(t, query+"&T=8&algos="+method, nil).lanes[0]
			with, without := 0, 0
			for _, f := range frames[1:] {
				with += len(trace.AppendFrame(nil, &f))
				f.Lead, f.Noise, f.Alone, f.Replies, f.Pull, f.Gap = nil, nil, nil, nil, nil, 0
				without += len(trace.AppendFrame(nil, &f))
			}
			if with -= without; with > 8*(20*len(frames[0].Label)+30) {
				t.Errorf("%s: measurements take %d bytes in 8 rounds, and all the rest %d", method, with, without)
			}
			t.Logf("%s %s: %d bytes a frame, and %d of measurements", query, method, without/8, with/8)
		}
	}
}
