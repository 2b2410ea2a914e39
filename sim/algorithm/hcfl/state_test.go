package hcfl

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"flockscope/sim/algorithm/internal/algotest"
	"flockscope/sim/model"
)

// TestClientOverRounds: what a client sends and keeps, and by which weights it tries models, over
// rounds in which clusters split and are removed, some of them while it is away: equations 4 to 6 and
// Algorithms 4 and 5 of the paper in NumPy, as recorded by testdata/golden.py. To try models changes
// nothing that is kept.
func TestClientOverRounds(t *testing.T) {
	text, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Most, Start int
		X, Y        []float32
		Cases       []struct {
			Mu     float64
			Rounds []struct {
				Slopes           []float32
				Asked            bool
				Alive            []int
				Edits            [][2]float32
				Updates, Weights []float64
				After            []float64
				Samples          [][]float64
			}
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) == 0 {
		t.Fatal("golden.json has no cases")
	}
	near := func(got []float32, want []float64) bool {
		return slices.EqualFunc(got, want, func(a float32, b float64) bool { return math.Abs(float64(a)-b) < 1e-6 })
	}
	for _, tt := range file.Cases {
		device := ensemble{&hcflClient{tiers: tiers{form: labelGivenInput{}, weigh: sampleWise{tt.Mu}},
			start: file.Start, most: file.Most}}
		d := algotest.ThreeSamples(1)
		d.Batch = model.Batch{X: file.X, Y: file.Y, N: len(file.X)}
		told, tried := []float32{0}, make([]float32, 2*file.Most)
		for n, want := range tt.Rounds {
			d.Models = nil
			for k := range want.Slopes {
				d.Models = append(d.Models, want.Slopes[k:k+1])
			}
			if d.Received = nil; want.Asked {
				answer := device.Do(nil, emTrain, told, d)
				models := len(want.Alive)
				if !near(answer[:models], want.Updates) || !near(answer[models+1:2*models+1], want.Weights) {
					t.Errorf("μ = %v, round %d: answer %v, want updates %v and weights %v", tt.Mu, n, answer,
						want.Updates, want.Weights)
				}
			}
			for _, edit := range want.Edits {
				told = append(told, edit[:]...)
			}
			told[0] = float32(len(told) - 1)
			before := slices.Clone(d.Own)
			d.Received = told
			device.Weigh(tried, model.Batch{N: 2}, d)
			for k, w := range want.After {
				if !near(tried[2*k:2*k+2], []float64{w, w}) {
					t.Errorf("μ = %v, round %d: models are tried by %v, want %v", tt.Mu, n, tried, want.After)
					break
				}
			}
			if !slices.Equal(d.Own, before) {
				t.Errorf("μ = %v, round %d: a client that tries models keeps %v, was %v", tt.Mu, n, d.Own, before)
			}
			s := device.newState(len(file.X))
			s.floats = slices.Clone(d.Own)
			s.follow(told[1:])
			for k := range file.Most {
				if !near(s.sample(k), want.Samples[k]) {
					t.Errorf("μ = %v, round %d: samples weigh cluster %d by %v, want %v", tt.Mu, n, k, s.sample(k),
						want.Samples[k])
				}
			}
		}
	}
}

// TestTriedBeforeAsked: a client that was never asked tries models as one that follows all edits and
// knows nothing else; by Gaussians, those that the server has now.
func TestTriedBeforeAsked(t *testing.T) {
	d := algotest.ThreeSamples(1)
	d.Received = []float32{4, 0, 2, 1, gone} // halves of clusters 0 and 1; 0 splits, and 1 goes
	device := ensemble{&hcflClient{tiers: tiers{form: labelGivenInput{}, weigh: clientWise{}}, start: 2, most: 3}}
	tried := make([]float32, 6)
	if device.Weigh(tried, model.Batch{N: 2}, d); !slices.Equal(tried, []float32{0.5, 0.5, 0, 0, 0.5, 0.5}) {
		t.Errorf("models are tried by %v, want halves of clusters 0 and 2", tried)
	}

	form := labelGivenInput{&inputDensity{width: 1, count: 2}}
	device = ensemble{&hcflClient{tiers: tiers{form: form, weigh: clientWise{}}, start: 2, most: 3}}
	gaussians := []float32{0, 1, 3, 2} // of each mean and variance
	d.Own = []float32{0, 0.2, 0.8, 0, 0.9, 0.1, 0.5, 0.5, 0, 0}
	d.Received = append([]float32{2, 1, 2}, gaussians...) // cluster 1 splits into 1 and 2
	b := model.Batch{X: []float32{-1, 2}, N: 2}
	device.Weigh(tried, b, d)
	for j, x := range b.X {
		bell := [2]float64{math.Exp(-float64(x) * float64(x) / 2),
			math.Exp(-(float64(x)-3)*(float64(x)-3)/4) / math.Sqrt2}
		w := []float64{0.2 * (0.9*bell[0] + 0.1*bell[1]), 0.4 * (0.5*bell[0] + 0.5*bell[1]), 0}
		w[2] = w[1]
		for k := range w {
			if got, want := float64(tried[2*k+j]), w[k]/(w[0]+w[1]+w[2]); math.Abs(got-want) > 1e-6 {
				t.Errorf("at %v model %d is tried by %v, want %v", x, k, got, want)
			}
		}
	}
}
