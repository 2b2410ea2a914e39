package clientmap

import (
	"math"
	"math/rand/v2"
	"testing"

	"flockscope/clusterer"
	"flockscope/sim/draw/scene"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/testing/charttest"
)

// planar is a run of points in three dimensions, each frame a little later, with
// maps as the engine makes them: of principal components, with signs that
// change at will, as do those of the embedding's columns.
func planar(t *testing.T) *trace.Run {
	t.Helper()
	const clients, rounds = 30, 12
	h := &trace.Header{Clients: clients, Rounds: rounds,
		Lanes: []trace.Lane{{Map: trace.GradientPlane, Models: 3, Columns: 3}}}
	r := trace.NewRun(h)
	rnd := rand.New(rand.NewPCG(3, 4))
	start := make([]float64, 3*clients)
	for i := range start {
		start[i] = rnd.NormFloat64() * []float64{3, 2, 1}[i%3]
	}
	var plane clusterer.Plane
	for round := range rounds {
		var points, at clusterer.Matrix
		points.Reshape(clients, 3)
		at.Reshape(clients, 2)
		f := trace.Frame{Round: round, Label: make([]uint16, clients)}
		for i := range points.Data {
			points.Data[i] = start[i] * (1 + 0.02*float64(round*(i%5))) * []float64{1, 1, float64(1 - 2*(round%2))}[i%3]
			f.Embedding = append(f.Embedding, float32(points.Data[i]))
		}
		plane.Fit(&at, &points)
		for i, x := range at.Data {
			f.XY = append(f.XY, float32(x)*float32(1-2*(i%2*(round/2%2))))
		}
		r.Tracks[0].Frames = append(r.Tracks[0].Frames, f)
	}
	return r
}

// Map and heights together keep all distances in three dimensions.
func TestHeightsKeepDistances(t *testing.T) {
	r := planar(t)
	v := charttest.View(r, 0, 0)
	var h heights
	h.update(v)
	for round := range r.Tracks[0].Frames {
		f := &r.Tracks[0].Frames[round]
		z := h.at(f.Round)
		for i := range z {
			for j := range i {
				dx, dy, dz := float64(f.XY[2*i]-f.XY[2*j]), float64(f.XY[2*i+1]-f.XY[2*j+1]), float64(z[i]-z[j])
				got, want := math.Sqrt(dx*dx+dy*dy+dz*dz), 0.0
				for k := range 3 {
					d := float64(f.Embedding[3*i+k] - f.Embedding[3*j+k])
					want += d * d
				}
				if want = math.Sqrt(want); math.Abs(got-want) > 1e-3 {
					t.Fatalf("round %d: clients %d and %d are %v apart, want %v", round, i, j, got, want)
				}
			}
		}
	}
}

// Heights do not change their sign between frames, though the embedding does, and do not
// depend on which frames came together.
func TestHeightsAlign(t *testing.T) {
	r := planar(t)
	v := charttest.View(r, 0, 0)
	var h, piecemeal heights
	h.update(v)
	frames := r.Tracks[0].Frames
	for n := range frames {
		r.Tracks[0].Frames = frames[:n+1]
		piecemeal.update(v)
	}
	for round := range frames {
		z, same := h.at(round), piecemeal.at(round)
		var dot, size float64
		for i := range z {
			if z[i] != same[i] {
				t.Fatalf("round %d: client %d is %v high, %v frame by frame", round, i, z[i], same[i])
			}
			size += float64(z[i] * z[i])
			if round > 0 {
				dot += float64(z[i] * h.at(round - 1)[i])
			}
		}
		if size == 0 || round > 0 && dot < 0.9*size/1.5 {
			t.Errorf("round %d: the heights turned over: %v of %v", round, dot, size)
		}
	}
}

// From straight above, three losses are the flat triangle: their sum is what it
// leaves over.
func TestHeightsOfLosses(t *testing.T) {
	r := charttest.Deep(charttest.IFCA)
	v := charttest.View(r, 0, 5)
	var h heights
	h.update(v)
	f := v.Frame()
	for i, z := range h.at(f.Round) {
		l := f.Losses[3*i : 3*i+3]
		if want := (l[0] + l[1] + l[2]) / float32(math.Sqrt(3)); math.Abs(float64(z-want)) > 1e-6 {
			t.Errorf("client %d is %v high, want %v", i, z, want)
		}
	}
}

// Which maps have a third dimension, and how they turn.
func TestFlatOnly(t *testing.T) {
	for _, tt := range []struct {
		v    *chart.View
		flat bool
	}{
		{charttest.View(charttest.Deep(charttest.CFLGP), 0, 5), false},
		{charttest.View(charttest.Deep(charttest.IFCA), 0, 5), false},
		{charttest.View(charttest.Run(charttest.Pair), 0, 5), true},
		{charttest.View(charttest.Run(charttest.FedAvg), 0, 5), true},
	} {
		if got := FlatOnly(tt.v); got != "" != tt.flat {
			t.Errorf("%s: %q", tt.v.LaneHeader().Title, got)
		}
	}
	if got, want := (Orbit{350, 80}).Turned(20, 20), (Orbit{10, 90}); got != want {
		t.Errorf("moved on to %v, want %v", got, want)
	}
	if got, want := (Orbit{5, 10}).Turned(-10, -20), (Orbit{355, 0}); got != want {
		t.Errorf("moved back to %v, want %v", got, want)
	}
}

// Inside a round heights move as far as positions do.
func TestHeightsInside(t *testing.T) {
	r := planar(t)
	v := charttest.View(r, 0, 6)
	now := *v.Frame()
	from, to := make([]float32, len(now.Label)), make([]float32, len(now.Label))
	m := Map{In3D: true, From: Orbit{Tilt: 0}}
	at := func(places float32) []float32 {
		v.Detail = &chart.RoundDetail{Frame: now, Before: now.Label, After: now.Label,
			Progress: 1, PlaceProgress: places}
		var l scene.List
		m.Draw(&l, new(chart.Hits), v, chart.Box{W: 400, H: 300})
		var out []float32
		for _, s := range m.positions {
			out = append(out, s.y)
		}
		return out
	}
	copy(from, at(0))
	copy(to, at(1))
	moved := 0
	for i, y := range at(0.5) {
		if want := (from[i] + to[i]) / 2; math.Abs(float64(y-want)) > 0.01 {
			t.Errorf("half of the way, client %d is at %v, want %v between %v and %v", i, y, want, from[i], to[i])
		}
		if math.Abs(float64(from[i]-to[i])) > 0.1 {
			moved++
		}
	}
	if moved < len(from)/2 {
		t.Errorf("only %d of %d clients move", moved, len(from))
	}
	v.Detail = nil
	var l scene.List
	m.Draw(&l, new(chart.Hits), v, chart.Box{W: 400, H: 300})
	for i, s := range m.positions {
		if s.y != to[i] {
			t.Errorf("client %d ends at %v, and stands at %v after the round", i, to[i], s.y)
		}
	}
}
