package algorithm

import (
	"math"
	"slices"
	"testing"

	"flockscope/sim/algorithm/internal/algotest"
	"flockscope/sim/fl"
)

// ocflRig plays OCFL with clients whose updates point at angles in degrees, which may change from round to round. A client
// without an angle does not answer with numbers.
func ocflRig(t *testing.T, clients int, words ...string) (r *algotest.Rig, play func(round int, degrees ...float64)) {
	var angles []float64
	r = algotest.NewRig(t, "ocfl", clients, 2, nil, words...)
	direction := func(i int) []float32 {
		a := angles[i] * math.Pi / 180
		return []float32{float32(math.Cos(a)), float32(math.Sin(a))}
	}
	r.Answer = func(i int, task *fl.Task, reply *fl.Reply) {
		for n := range task.Updates {
			copy(algotest.UpdateBuffer(reply, n, 2), direction(i))
		}
		if task.Call != 0 {
			reply.Answer = append(reply.Answer[:0], direction(i)...)
		}
	}
	return r, func(round int, degrees ...float64) {
		angles = degrees
		r.Play(round)
	}
}

// TestOCFLTemperature: by the paper's formula, T = ‖Γ‖ / √(n(n−1)·2²). Of two pairs at right angles Γ has 8 ones and T is
// √(8 / (4·4·3)); all in one direction have 0, and two opposite ones 1.
func TestOCFLTemperature(t *testing.T) {
	for _, tt := range []struct {
		degrees []float64
		want    float64
	}{
		{[]float64{0, 0, 90, 90}, math.Sqrt(8. / 48)}, {[]float64{30, 30, 30}, 0}, {[]float64{0, 180}, 1},
		{[]float64{0, 60, 120}, math.Sqrt((4*0.25 + 2*2.25) / 24)},
	} {
		r, play := ocflRig(t, len(tt.degrees))
		play(0, tt.degrees...)
		if got := r.Server.(*ocfl).last; math.Abs(got-tt.want) > 1e-6 {
			t.Errorf("updates at %v have the temperature %v, want %v", tt.degrees, got, tt.want)
		}
	}
}

// TestOCFLClustersOnce: while the temperature falls there is one model for all; in the round in which it rises clients are
// clustered by their directions, each cluster takes its own step from the common model at once, and whatever comes later
// changes no label.
func TestOCFLClustersOnce(t *testing.T) {
	r, play := ocflRig(t, 6, "dense=2")
	play(0, 0, 80, 160, 240, 300, 30)
	play(1, 0, 2, 4, 41, 43, 45)
	if !slices.Equal(r.Label, make([]int, 6)) {
		t.Fatalf("while it cools down clients have the labels %v, want one for all", r.Label)
	}
	before := slices.Clone(r.Bank.Model(0))
	play(2, 0, 2, 4, 90, 92, 94)
	want := []int{0, 0, 0, 1, 1, 1}
	if !slices.Equal(r.Label, want) || !r.Round.Stopped || !r.Round.Reclustered {
		t.Fatalf("when it warms up clients have the labels %v (stopped %v), want %v", r.Label, r.Round.Stopped, want)
	}
	for k, degrees := range [][]float64{{0, 2, 4}, {90, 92, 94}} {
		var x, y float64
		for _, d := range degrees {
			x, y = x+math.Cos(d*math.Pi/180)/3, y+math.Sin(d*math.Pi/180)/3
		}
		got := r.Bank.Model(k)
		if math.Abs(float64(got[0]-before[0])+0.1*x) > 1e-6 || math.Abs(float64(got[1]-before[1])+0.1*y) > 1e-6 {
			t.Errorf("model %d moves from %v to %v, want a step along (%v, %v)", k, before, got, x, y)
		}
	}
	for round := 3; round < 9; round++ {
		if play(round, 0, 90, 180, 10, 200, float64(100*round)); !slices.Equal(r.Label, want) {
			t.Fatalf("round %d changes the labels to %v", round, r.Label)
		}
	}
}

// TestOCFLStrays: clients in no dense group are a cluster of their own; if there are fewer models than clusters, clusters
// grow until they fit; updates that are not finite move nobody else, and their client stays where it is.
func TestOCFLStrays(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct {
		words   []string
		degrees []float64
		want    []int
	}{
		{[]string{"dense=2"}, []float64{0, 1, 2, 100, 101, 102, 230}, []int{0, 0, 0, 1, 1, 1, 2}},
		{[]string{"dense=2", "most=2"}, []float64{0, 1, 2, 3, 120, 121, 122, 123, 240, 241}, []int{0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
		{[]string{"dense=2"}, []float64{0, 1, nan, 2, 100, 101, 102}, []int{0, 0, 0, 0, 1, 1, 1}},
		{[]string{"dense=2"}, []float64{50, 50, 50, 50, 50}, []int{0, 0, 0, 0, 0}},
	} {
		r, play := ocflRig(t, len(tt.degrees), tt.words...)
		same := make([]float64, len(tt.degrees))
		play(0, same...)
		if play(1, tt.degrees...); !slices.Equal(r.Label, tt.want) {
			t.Errorf("%v: updates at %v have the labels %v, want %v", tt.words, tt.degrees, r.Label, tt.want)
		}
	}
}

// TestOCFLNewcomers: a client that comes after clients were clustered joins the cluster whose mean update is nearest.
func TestOCFLNewcomers(t *testing.T) {
	r, play := ocflRig(t, 7, "dense=2")
	late := r.Server
	r.Server = absent{late, []int{0, 1, 2, 3, 4, 5}}
	play(0, 0, 0, 0, 0, 0, 0, 0)
	play(1, 0, 2, 4, 90, 92, 94, 0)
	if want := []int{0, 0, 0, 1, 1, 1, 0}; !slices.Equal(r.Label, want) {
		t.Fatalf("clients have the labels %v, want %v", r.Label, want)
	}
	r.Server = absent{late, []int{0, 6}}
	play(2, 0, 2, 4, 90, 92, 94, 60)
	if r.Label[6] != 1 {
		t.Errorf("a newcomer whose update points at 60° joins cluster %d, want that at 92°", r.Label[6])
	}
}

// absent is a server of rounds in which some clients take part.
type absent struct {
	fl.Algorithm
	here []int
}

func (s absent) Round(r *fl.Round) {
	r.SetParticipants(s.here, make([]bool, len(r.Label)))
	s.Algorithm.Round(r)
}
