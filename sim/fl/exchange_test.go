package fl

import (
	"slices"
	"testing"
)

// TestFeatureTraffic: a feature costs as many floats as it has coordinates, and
// the model that it is of goes down like any other, d = 2 and K = 5.
func TestFeatureTraffic(t *testing.T) {
	const d, k = 2, 5
	tests := []struct {
		name        string
		coordinates []int32
		ask         func(r *Round)
		want        Traffic
	}{
		{"a whole feature", nil, func(r *Round) { r.AskFeature(0, 3) }, Traffic{d, d}},
		{"one coordinate", []int32{1}, func(r *Round) { r.AskFeature(0, 3) }, Traffic{d, 1}},
		{"model 0", []int32{1}, func(r *Round) { r.AskFeature(0, 0) }, Traffic{d, 1}},
		{"beside an update of another model", []int32{1}, func(r *Round) { r.AskUpdate(0, 1); r.AskFeature(0, 3) },
			Traffic{2 * d, d + 1}},
		{"of the model on the device", []int32{1}, func(r *Round) { r.AskUpdate(0, 3); r.Ask(); r.AskFeature(0, 3) },
			Traffic{d, d + 1}},
		{"after losses", []int32{1}, func(r *Round) { r.AskLosses(0); r.Ask(); r.AskFeature(0, 3) }, Traffic{k * d, k + 1}},
		{"the last one asked for counts", []int32{1}, func(r *Round) { r.AskFeature(0, 3); r.AskFeature(0, 4) },
			Traffic{d, 1}},
	}
	for _, tt := range tests {
		r := fixture(k, 3)
		r.Exchange.Coordinates = tt.coordinates
		for round := range 2 {
			r.Begin(round)
			tt.ask(r)
			r.Ask()
			n := int64(round + 1)
			if want := (Traffic{n * tt.want.Down, n * tt.want.Up}); *r.Traffic != want {
				t.Errorf("%s: traffic after round %d %+v, want %+v", tt.name, round, *r.Traffic, want)
			}
		}
	}
}

// TestFeatureIsATask: it goes out with the model's number and is forgotten.
func TestFeatureIsATask(t *testing.T) {
	r := fixture(3, 2)
	var seen []Task
	r.Clients = &everybody{clients: 2, work: func() { seen = slices.Clone(r.Exchange.Tasks) }}
	r.Begin(0)
	r.AskFeature(1, 0)
	r.Ask()
	if !seen[0].Empty() || seen[1].Empty() || seen[1].Feature != 1 {
		t.Errorf("Ask sent %+v, want the feature of model 0 from client 1", seen)
	}
	r.Ask()
	if !seen[1].Empty() {
		t.Errorf("the second Ask sent %+v, want nothing", seen)
	}
	r.AskFeature(0, 2) // never sent
	r.Begin(1)
	r.Ask()
	if !seen[0].Empty() {
		t.Errorf("Ask after Begin sent %+v, want nothing", seen)
	}
}

func TestPick(t *testing.T) {
	bank := NewBank(2, 4)
	x := NewExchange(3, &bank)
	update := []float32{5, 6, 7, 8}
	for _, tt := range []struct {
		coordinates []int32
		want        []float32
	}{{nil, update}, {[]int32{0}, []float32{5}}, {[]int32{1, 3}, []float32{6, 8}}, {[]int32{0, 1, 2, 3}, update}} {
		x.Coordinates = tt.coordinates
		got := x.Select(make([]float32, x.Width()), update)
		if !slices.Equal(got, tt.want) {
			t.Errorf("with coordinates %v Pick(%v) = %v, want %v", tt.coordinates, update, got, tt.want)
		}
		if whole := &got[0] == &update[0]; whole != (tt.coordinates == nil) {
			t.Errorf("with coordinates %v the update itself is returned: %v", tt.coordinates, whole)
		}
	}
}

// TestRoom: replies grow to what is asked for and then stay where they are, until
// they have served: others take their places, the newest first, and nobody's place
// is another's.
func TestRoom(t *testing.T) {
	bank := NewBank(2, small)
	x := NewExchange(3, &bank)
	first, third := x.Buffer(0, 0), x.Buffer(0, 2)
	first[0], third[2] = 1, 2
	if u := x.Replies[0].Updates; len(u) != 3 || u[0][0] != 1 || u[2][2] != 2 {
		t.Errorf("after Room(0, 0) and Room(0, 2) the updates are %v", u)
	}
	if &x.Buffer(0, 0)[0] != &first[0] || len(x.Replies[0].Updates) != 3 {
		t.Error("Room(0, 0) gives other memory the second time")
	}
	feature := x.FeatureBuffer(0)
	if len(feature) != small || &x.FeatureBuffer(0)[0] != &feature[0] {
		t.Error("RoomForFeature(0) gives other memory the second time, or not as much as a model")
	}
	other := x.Buffer(1, 0)
	x.Release(0)
	taken := []*float32{&x.Buffer(1, 0)[0], &x.FeatureBuffer(1)[0], &x.Buffer(2, 0)[0], &x.Buffer(2, 1)[0],
		&x.Buffer(0, 0)[0]}
	if want := []*float32{&other[0], &feature[0], &third[0], &first[0]}; !slices.Equal(taken[:4], want) {
		t.Error("what was released is not where the next replies lie, the newest first")
	}
	for i, p := range taken {
		if slices.Contains(taken[:i], p) {
			t.Errorf("reply %d lies where an earlier one does", i)
		}
	}
	if n := testing.AllocsPerRun(10, func() { x.Release(2); x.Buffer(2, 0); x.Buffer(2, 1) }); n != 0 {
		t.Errorf("to release and to make room allocates %v times, want 0", n)
	}
	if x.Buffers != 5 {
		t.Errorf("%d places were made for at most 5 replies at a time", x.Buffers)
	}
	// A part of an update is small, and stays.
	x.Coordinates = []int32{1}
	feature = x.FeatureBuffer(2)
	if x.Release(2); len(feature) != 1 || &x.FeatureBuffer(2)[0] != &feature[0] {
		t.Error("a feature of one coordinate was let go, or has more")
	}
	// So do all updates of a small model.
	bank = NewBank(2, small-1)
	x = NewExchange(1, &bank)
	first = x.Buffer(0, 0)
	if x.Release(0); &x.Buffer(0, 0)[0] != &first[0] || x.Buffers != 1 {
		t.Error("an update of a small model was let go")
	}
}

// TestProtocolStep: gradients are followed by the learning rate, trained models
// all the way.
func TestProtocolStep(t *testing.T) {
	for _, tt := range []struct {
		protocol Protocol
		want     float64
	}{
		{Protocol{Rate: 0.1, Digits: -1}, 0.1},
		{Protocol{Rate: 3}, 3},
		{Protocol{Rate: 0.1, Epochs: 1, Optimiser: "sgd"}, 1},
		{Protocol{Rate: 3, Epochs: 20, Optimiser: "adam", Keep: true}, 1},
	} {
		if got := tt.protocol.Step(); got != tt.want {
			t.Errorf("Step of %+v = %v, want %v", tt.protocol, got, tt.want)
		}
	}
}

// TestAskAllocatesNothing, whatever is asked, once it has been asked before.
func TestAskAllocatesNothing(t *testing.T) {
	r := fixture(6, 4)
	r.Exchange.Coordinates = []int32{1}
	round := func() {
		r.Begin(1)
		for i := range 4 {
			r.AskUpdate(i, i)
			r.AskFeature(i, 5)
		}
		r.Ask()
		r.AskBestUpdate(2)
		r.AskLosses(3)
		r.Ask()
	}
	round()
	if n := testing.AllocsPerRun(20, round); n != 0 {
		t.Errorf("a round of questions allocates %v times, want 0", n)
	}
}
