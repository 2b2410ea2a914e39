package algorithm

import (
	"math"
	"slices"
	"testing"

	"flockscope/sim/algorithm/internal/algotest"
	"flockscope/sim/fl"
	"flockscope/sim/model"
	"flockscope/sim/param"
	"flockscope/sim/rng"
)

// seat is a place for one client that trains a network by one gradient a round.
type seat struct {
	fl.ClientContext
	net     *model.Network
	client  int
	params  []float32
	batch   model.Batch
	own     []float32
	told    []float32 // what the server would tell it now
	rate    float64
	scratch map[int][]float32
	looks   [][2]int // what Samples was asked for
	epochs  []int    // what Train was asked for
}

func (d *seat) Client() int             { return d.client }
func (d *seat) Model() model.Model      { return d.net }
func (d *seat) Network() *model.Network { return d.net }
func (d *seat) Params(int) []float32    { return d.params }
func (d *seat) Probe() model.Batch      { return d.batch }
func (d *seat) Minibatch() model.Batch  { return d.batch.First(2) }
func (d *seat) SampleCount() int        { return d.batch.N }
func (d *seat) Samples(low, high int) model.Batch {
	d.looks = append(d.looks, [2]int{low, high})
	b := d.batch
	return model.Batch{X: b.X[2*low : 2*high], Y: b.Y[low:high], N: high - low}
}
func (d *seat) Stream(p rng.Purpose) *rng.Stream {
	s := new(rng.Stream)
	s.Reset(1, p, len(d.looks), 0)
	return s
}
func (d *seat) State() *[]float32     { return &d.own }
func (d *seat) Broadcast() []float32  { return d.told }
func (d *seat) Protocol() fl.Protocol { return fl.Protocol{Rate: d.rate, Digits: -1} }
func (d *seat) Protect([]float32)     {}
func (d *seat) Quantize([]float32)    {}
func (d *seat) Update(dst, params []float32, gradient fl.Gradient) {
	if gradient == nil {
		d.net.Gradient(dst, params, d.batch)
		return
	}
	gradient(dst, params, d.batch, nil)
}
func (d *seat) Train(dst, params []float32, epochs int, gradient fl.Gradient) {
	d.epochs = append(d.epochs, epochs)
	d.Update(dst, params, gradient)
}
func (d *seat) Scratch(slot, n int) []float32 {
	if d.scratch == nil {
		d.scratch = map[int][]float32{}
	}
	d.scratch[slot] = make([]float32, n)
	return d.scratch[slot]
}

// newSeat has a network 2-2-3 whose trunk lets samples through as they are, as long
// as they are not negative, and five samples of classes 0, 0, 2, 2 and 2.
func newSeat(t *testing.T) *seat {
	t.Helper()
	entry, _ := model.Registry.Lookup("mlp")
	net, err := entry.Make.Make(param.Given{"hidden": "2"}.Values(), model.Samples{
		Shape: model.Shape{Height: 1, Width: 2, Channels: 1}, Classes: 3})
	if err != nil {
		t.Fatal(err)
	}
	d := &seat{net: net, rate: 0.5, params: make([]float32, net.Size()),
		batch: model.Batch{X: []float32{1, 2, 3, 4, 0, 1, 2, 1, 4, 1}, Y: []float32{0, 0, 2, 2, 2}, N: 5}}
	copy(d.params, []float32{1, 0, 0, 1, 0, 0, 0.1, -0.2, 0.3, 0.2, 0.1, -0.1, 0, 0.1, 0})
	return d
}

// TestClassMeans: by hand, with a class that the client does not have.
func TestClassMeans(t *testing.T) {
	d := newSeat(t)
	p := classMeansOf(d, d.params)
	if want := []float32{2, 3, 0, 0, 2, 1}; !slices.Equal(p.means, want) || p.width != 2 {
		t.Errorf("means %v of width %d, want %v of 2", p.means, p.width, want)
	}
	if want := []float32{2, 0, 3}; !slices.Equal(p.count, want) {
		t.Errorf("counts %v, want %v", p.count, want)
	}
	if want := []float32{15, 0, 23. / 3}; !slices.Equal(p.squared, want) {
		t.Errorf("mean squares %v, want %v", p.squared, want)
	}
	if got, want := p.append(nil, d), []float32{2, 0, 3, 2, 3, 2, 1}; !slices.Equal(got, want) {
		t.Errorf("append %v, want %v", got, want)
	}
}

// TestGallery: equation 6 of FedProto, and the released code's mean; what nobody
// has is infinite, and what nobody shows any more stays.
func TestGallery(t *testing.T) {
	answers := [][]float32{{1, 0, 0, 4, 4}, {3, 2, 0, 8, 0, 1, 5}}
	mean := fl.NewAverage(fl.Rule{}, 2).Begin
	for _, tt := range []struct {
		equal bool
		want  []float32
	}{{false, []float32{7, 1, 1, 5}}, {true, []float32{6, 2, 1, 5}}} {
		g := prototypes{equal: tt.equal}
		g.resize(3, 2)
		g.reset()
		for _, a := range answers {
			g.add(a)
		}
		g.update(mean)
		if !slices.Equal(g.means[:4], tt.want) || !model.Unknown(g.means[4:]) {
			t.Errorf("equal %v: means %v, want %v and one at infinity", tt.equal, g.means, tt.want)
		}
		g.resize(3, 2)
		g.reset()
		g.add([]float32{0, 1, 0, 9, 9})
		g.update(mean)
		if want := append(slices.Clone(tt.want[:2]), 9, 9); !slices.Equal(g.means[:4], want) ||
			!model.Unknown(g.means[4:]) {
			t.Errorf("equal %v: then means %v, want %v and one at infinity", tt.equal, g.means, want)
		}
	}
}

// TestFedProtoClient: the update is the gradient with the pull, and the prototypes
// are those of the model after it.
func TestFedProtoClient(t *testing.T) {
	d, device := newSeat(t), &prototypeClient{lambda: 2}
	inf := float32(math.Inf(1))
	for _, global := range [][]float32{nil, {0, 0, inf, inf, 1, 1}} {
		got := device.Do([]float32{7}, opTrainPrototypes, global, d)
		size := d.net.Size()
		update, want := got[1:1+size], make([]float32, size)
		d.net.Gradient(want, d.params, d.batch)
		if global != nil { // ∂/∂z of (λ/N·w) ‖z − p‖² is (2λ/(N·w)) (z − p), and z = x
			features := [][2]float32{{1, 2}, {3, 4}, {-1, 0}, {1, 0}, {3, 0}}
			for i, e := range features {
				for j := range 2 {
					pull := 2 * 2 / (5 * 2.0) * e[j]
					if d.batch.X[2*i+j] == 0 {
						continue // behind the rectifier
					}
					for from := range 2 {
						want[2*from+j] += pull * d.batch.X[2*i+from]
					}
					want[4+j] += pull
				}
			}
		}
		for j := range want {
			if math.Abs(float64(update[j]-want[j])) > 1e-5 {
				t.Errorf("with %v: update[%d] = %v, want %v", global, j, update[j], want[j])
			}
		}
		trained := make([]float32, size)
		for j, u := range update {
			trained[j] = d.params[j] - 0.5*u
		}
		mine := classMeansOf(d, trained)
		if want := mine.append([]float32{3, 2}, d); !slices.Equal(got[1+size:], want) || got[0] != 7 {
			t.Errorf("with %v: the answer ends in %v, want %v", global, got[1+size:], want)
		}
	}
}

// TestNearestPrototype: what a client wears answers with the nearest prototype, and
// never with a class that nobody has.
func TestNearestPrototype(t *testing.T) {
	d, device := newSeat(t), new(prototypeClient)
	worn := make([]float32, d.net.Size())
	device.Personalize(worn, d.params, d)
	if !slices.Equal(worn, d.params) {
		t.Errorf("without prototypes a client wears %v, want its own %v", worn, d.params)
	}
	inf := float32(math.Inf(1))
	d.told = []float32{0, 3, inf, inf, 3, 1}
	device.Personalize(worn, d.params, d)
	samples := model.Batch{X: []float32{0, 2, 1, 1, 5, 5, 2, 0, 0, 9}, Y: make([]float32, 5), N: 5}
	logits := make([]float32, 15)
	d.net.Predict(logits, worn, samples)
	for i := range samples.N {
		x, row := samples.X[2*i:], logits[3*i:3*i+3]
		distance := func(c int) float32 {
			a, b := x[0]-d.told[2*c], x[1]-d.told[2*c+1]
			return a*a + b*b
		}
		if got, want := row[0]-row[2], distance(2)-distance(0); got != want {
			t.Errorf("sample %d: logits %v differ by %v, want %v as distances do", i, row, got, want)
		}
		if row[1] > -1e5 {
			t.Errorf("sample %d: the class that nobody has scores %v", i, row[1])
		}
	}
}

// TestFedProtoServer: models stay at home, and so cost nothing; everybody follows
// its own update.
func TestFedProtoServer(t *testing.T) {
	r := algotest.NewRig(t, "fedproto", 2, 2, nil, "lr=0.5")
	copy(r.Bank.Params, []float32{1, 1, 1, 1})
	r.Answer = func(i int, _ *fl.Task, reply *fl.Reply) {
		// an update, 2 classes of width 1
		reply.Answer = append(reply.Answer[:0], 2, float32(4*i), 2, 1, 1, float32(1-i), 5)
		if i == 0 {
			reply.Answer = append(reply.Answer, 7)
		}
	}
	r.Play(0)
	if want := []float32{0, 1, 0, -1}; !slices.Equal(r.Bank.Params, want) {
		t.Errorf("models %v, want %v", r.Bank.Params, want)
	}
	if want := (fl.Traffic{Up: 2 + 1}); r.Traffic != want {
		t.Errorf("traffic of the first round %+v, want %+v", r.Traffic, want)
	}
	r.Play(1)
	if want := (fl.Traffic{Up: 2 * (2 + 1), Down: 2 * 2}); r.Traffic != want {
		t.Errorf("traffic of two rounds %+v, want %+v", r.Traffic, want)
	}
	if want := []int{0, 1}; !slices.Equal(r.Label, want) {
		t.Errorf("labels %v, want %v", r.Label, want)
	}
}
