package engine_test

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"
)

// TestGoldenRuns repeats what an independent program in NumPy makes of the same samples,
// draws and start models, as recorded by testdata/golden.py: in every round of FedAvg,
// IFCA and CFL-GP the same clients have the same models, and these lose as much. Clients
// hold equal shares. The engine trains in 32 bits, the reference in 64.
func TestGoldenRuns(t *testing.T) {
	text, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			Query string
			Lanes []struct {
				Lane   string
				Losses []float64
				Labels [][]uint16
			}
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) == 0 {
		t.Fatal("golden.json has no cases")
	}
	for _, tt := range file.Cases {
		r := record(t, tt.Query, nil)
		for lane, want := range tt.Lanes {
			frames := r.lanes[lane][1:]
			if len(frames) != len(want.Losses) || r.header.Lanes[lane].ID != want.Lane {
				t.Fatalf("%s: lane %d is %s with %d rounds, want %s with %d", tt.Query, lane, r.header.Lanes[lane].ID,
					len(frames), want.Lane, len(want.Losses))
			}
			for n, f := range frames {
				if math.Abs(f.Loss-want.Losses[n]) > 1e-6*want.Losses[n] {
					t.Errorf("%s, %s: loss after round %d = %v, want %v", tt.Query, want.Lane, f.Round, f.Loss,
						want.Losses[n])
				}
				if !slices.Equal(f.Label, want.Labels[n]) {
					t.Errorf("%s, %s: models after round %d = %v, want %v", tt.Query, want.Lane, f.Round, f.Label,
						want.Labels[n])
				}
			}
		}
	}
}
