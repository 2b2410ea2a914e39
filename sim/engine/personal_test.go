package engine_test

import (
	"math"
	"strings"
	"testing"
)

// TestFedProtoWithoutTrunk: where features are the samples themselves, prototypes
// move nothing, and from one start FedProto's models are those of training alone.
func TestFedProtoWithoutTrunk(t *testing.T) {
	for _, protocol := range protocols {
		if strings.Contains(protocol, "keep=kept") {
			continue // says nothing to devices
		}
		r := record(t, "data=mix1d&C=2&T=30&theta0=1,1&algos=local,fedproto"+protocol, nil)
		if r.summaries[1].Fingerprint == r.summaries[0].Fingerprint {
			t.Errorf("%s: FedProto sends nothing", protocol)
		}
		for n := range r.lanes[0] {
			for j, want := range r.lanes[0][n].Models {
				if got := r.lanes[1][n].Models[j]; math.Abs(float64(got-want)) > 1e-5 {
					t.Errorf("%s: round %d: model %d is %v, want %v as alone", protocol, n, j, got, want)
				}
			}
		}
	}
}

// TestPersonalTraffic: FedProto receives a prototype of w floats for each of c
// classes from the second round on, and sends those of the classes a client has,
// and how many samples they are of; FedALA trades one model for another.
func TestPersonalTraffic(t *testing.T) {
	const classes, width, size = 10, 7, 784*7 + 7 + 7*10 + 10
	query := "data=digits&n=400&C=4&T=3&net=mlp&hidden=7&avg=model&b=20&exam=5&every=3&shift=none&split=classes&per=5&algos=fedproto,fedala"
	r := record(t, query, nil)
	for lane, want := range [][2]func(n int) int{
		{func(n int) int { return max(0, n-1) * classes * width }, func(n int) int { return n * (classes + 5*width) }},
		{func(n int) int { return n * size }, func(n int) int { return n * size }},
	} {
		for n, f := range r.lanes[lane] {
			if down, up := float64(want[0](n)), float64(want[1](n)); f.Down != down || f.Up != up {
				t.Errorf("%s: %s after %d rounds: %v down and %v up, want %v and %v", query, r.header.Lanes[lane].ID, n, f.Down, f.Up, down, up)
			}
		}
	}
}
