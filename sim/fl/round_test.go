package fl

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// fixture is a round over models of two parameters whose clients answer with
// given gradients.
func fixture(models, clients int) *Round {
	bank := NewBank(models, 2)
	for j := range bank.Params {
		bank.Params[j] = float32(10 * (j + 1))
	}
	x := NewExchange(clients, &bank)
	return NewRound(x, new(Traffic), make([]int, clients), 1, &everybody{clients: clients})
}

// everybody is that many clients, which do their work all at once before the first reply.
type everybody struct {
	clients, next int
	work          func()
}

func (e *everybody) Send() {
	if e.next = 0; e.work != nil {
		e.work()
	}
}

func (e *everybody) Next() (int, bool) {
	e.next++
	return e.next - 1, e.next <= e.clients
}

func (e *everybody) Prefetch(func() bool, bool) {}

// answer makes g client i's first update, and the client one of those who
// answered; clients answer in ascending order.
func (r *Round) answer(i int, g ...float32) {
	copy(r.Exchange.Buffer(i, 0), g)
	r.Replied = append(r.Replied, i)
}

func TestDescend(t *testing.T) {
	tests := []struct {
		name    string
		label   []int
		weights []float64
		want    []float32 // of three models that start at (10, 20), (30, 40), (50, 60)
	}{
		{"one client a model", []int{0, 1, 2}, nil, []float32{10 - 1, 20 - 2, 30 - 4, 40 - 8, 50 - 16, 60 - 32}},
		{"the mean, not the sum", []int{0, 0, 0}, nil, []float32{10 - 7, 20 - 14, 30, 40, 50, 60}},
		{"an empty model stays", []int{2, 2, 0}, nil, []float32{10 - 16, 20 - 32, 30, 40, 50 - 2.5, 60 - 5}},
		{"weights", []int{1, 1, 1}, []float64{1, 2, 5}, []float32{10, 20, 30 - (1+8+80)/8., 40 - (2+16+160)/8., 50, 60}},
		{"equal weights are none", []int{0, 0, 0}, []float64{9, 9, 9}, []float32{10 - 7, 20 - 14, 30, 40, 50, 60}},
	}
	for _, tt := range tests {
		r := fixture(3, 3)
		copy(r.Label, tt.label)
		r.answer(0, 1, 2)
		r.answer(1, 4, 8)
		r.answer(2, 16, 32)
		r.ApplyMean(tt.weights)
		if !slices.Equal(r.Bank.Params, tt.want) {
			t.Errorf("%s: Descend with labels %v and weights %v gives %v, want %v", tt.name, tt.label, tt.weights,
				r.Bank.Params,
				tt.want)
		}
		// A second time starts from scratch.
		before := slices.Clone(r.Bank.Params)
		r.Step = 0
		r.ApplyMean(tt.weights)
		if !slices.Equal(r.Bank.Params, before) {
			t.Errorf("%s: Descend at rate 0 gives %v, want %v", tt.name, r.Bank.Params, before)
		}
	}
}

func TestDescendBy(t *testing.T) {
	r := fixture(3, 4)
	copy(r.Label, []int{0, 0, 2, 0})
	for i := range 4 {
		r.answer(i, float32(i+1), 8)
	}
	r.Step = 0.5
	r.ApplySum(4)
	want := []float32{10 - 0.5*7/4, 20 - 0.5*24/4, 30, 40, 50 - 0.5*3/4, 60 - 0.5*8/4}
	if !slices.Equal(r.Bank.Params, want) {
		t.Errorf("DescendBy(4) gives %v, want %v: the sum over the model's clients by 4, and no clients, no change",
			r.Bank.Params, want)
	}
}

// TestDescendOrderMatters: a sum in which the order shows. (10¹⁶ − 10¹⁶) + 1 is 1,
// and in any order that has the 1 before one of the others it is 0.
func TestDescendOrderMatters(t *testing.T) {
	for _, tt := range []struct {
		name      string
		gradients []float32
		want      float32 // of the sum
	}{{"last", []float32{1e16, -1e16, 1}, 1}, {"middle", []float32{1e16, 1, -1e16}, 0},
		{"first", []float32{1, 1e16, -1e16}, 0}} {
		for _, by := range []bool{false, true} {
			r := fixture(1, 3)
			clear(r.Bank.Params)
			for i, g := range tt.gradients {
				r.answer(i, g, 0)
			}
			if by {
				r.Step = 3
				r.ApplySum(3)
			} else {
				r.Step = 3
				r.ApplyMean(nil)
			}
			if got := -r.Bank.Params[0]; got != tt.want {
				t.Errorf("%s, DescendBy %v: the gradients %v add up to %v, want %v in client order", tt.name, by,
					tt.gradients, got,
					tt.want)
			}
		}
	}
}

// TestDescendFoldsInClientOrder: the sum of a model runs over its clients by
// index, in float64, to the bit.
func TestDescendFoldsInClientOrder(t *testing.T) {
	const seed, models, clients, rate = 5, 3, 101, 0.1
	rnd := rand.New(rand.NewPCG(seed, seed))
	r := fixture(models, clients)
	weights := make([]float64, clients)
	sum, total := make([]float64, 2*models), make([]float64, models)
	for i := range clients {
		k, w := rnd.IntN(models), float64(1+rnd.IntN(1000))
		r.Label[i], weights[i] = k, w
		g := []float32{float32(rnd.NormFloat64() * 1e8), float32(rnd.NormFloat64() * 1e-8)}
		r.answer(i, g...)
		for j, v := range g {
			sum[2*k+j] += float64(w * float64(v))
		}
		total[k] += w
	}
	want := slices.Clone(r.Bank.Params)
	for j := range want {
		want[j] = float32(float64(want[j]) - float64(rate*(sum[j]/total[j/2])))
	}
	r.Step = rate
	r.ApplyMean(weights)
	if !slices.Equal(r.Bank.Params, want) {
		t.Errorf("seed %d: Descend gives %v, want %v", seed, r.Bank.Params, want)
	}
	if n := testing.AllocsPerRun(10, func() { r.ApplyMean(weights); r.ApplySum(3) }); n != 0 {
		t.Errorf("Descend allocates %v times, want 0", n)
	}
}

// TestAccumulate: updates that are added as they arrive move the models to the same bits as
// updates that are added up in the end, and clients that drop out do not count.
func TestAccumulate(t *testing.T) {
	const models, clients, rounds = 3, 40, 4
	for seed := range uint64(20) {
		play := func(early bool) []float32 {
			rnd := rand.New(rand.NewPCG(seed, 7))
			r := fixture(models, clients)
			weights := make([]float64, clients)
			for round := range rounds {
				r.Begin(round)
				lost := make([]bool, clients)
				for i := range clients {
					r.Label[i], weights[i], lost[i] = rnd.IntN(models), float64(1+rnd.IntN(1000)), rnd.IntN(5) == 0
					if round == 2 {
						weights[i] = 1 // ApplySum knows no others
					}
					r.AskUpdate(i, r.Label[i])
					copy(r.Exchange.Buffer(i, 0), []float32{float32(rnd.NormFloat64()),
						float32(rnd.NormFloat64() * 1e-8)})
				}
				r.SetParticipants(r.Participants, lost)
				if early {
					for i := range r.Replies() {
						r.Accumulate(i, weights[i])
					}
					clear(weights) // they have been used
				} else {
					r.Ask()
				}
				if round == 2 {
					r.ApplySum(7)
				} else {
					r.ApplyMean(weights)
				}
			}
			return r.Bank.Params
		}
		early, late := play(true), play(false)
		if !slices.Equal(early, late) {
			t.Errorf("seed %d: folded %v, summed %v", seed, early, late)
		}
	}
}

// TestTraffic counts the floats of one client by hand, d = 2 and K = 5.
func TestTraffic(t *testing.T) {
	const d, k = 2, 5
	tests := []struct {
		name string
		ask  func(r *Round)
		want Traffic
	}{
		{"nothing", func(r *Round) {}, Traffic{}},
		{"one gradient", func(r *Round) { r.AskUpdate(0, 3) }, Traffic{d, d}},
		{"two gradients of two models", func(r *Round) { r.AskUpdate(0, 3); r.AskUpdate(0, 1) }, Traffic{2 * d, 2 * d}},
		{"losses", func(r *Round) { r.AskLosses(0) }, Traffic{k * d, k}},
		{"the best", func(r *Round) { r.AskBestUpdate(0) }, Traffic{k * d, d}},
		{"losses, then a gradient: the models are there already",
			func(r *Round) { r.AskLosses(0); r.Ask(); r.AskUpdate(0, 4) }, Traffic{k * d, k + d}},
		{"a gradient, then losses: only the others go down",
			func(r *Round) { r.AskUpdate(0, 4); r.Ask(); r.AskLosses(0) }, Traffic{k * d, k + d}},
		{"one model twice in a round goes down once",
			func(r *Round) { r.AskUpdate(0, 4); r.Ask(); r.AskUpdate(0, 4) }, Traffic{d, 2 * d}},
		{"losses twice", func(r *Round) { r.AskLosses(0); r.Ask(); r.AskLosses(0) }, Traffic{k * d, 2 * k}},
	}
	for _, tt := range tests {
		r := fixture(k, 3)
		r.Begin(0)
		tt.ask(r)
		r.Ask()
		if *r.Traffic != tt.want {
			t.Errorf("%s: traffic %+v, want %+v", tt.name, *r.Traffic, tt.want)
		}
		// The next round starts with bare devices, and counts on top.
		r.Begin(1)
		tt.ask(r)
		r.Ask()
		if twice := (Traffic{2 * tt.want.Down, 2 * tt.want.Up}); *r.Traffic != twice {
			t.Errorf("%s: traffic after two rounds %+v, want %+v", tt.name, *r.Traffic, twice)
		}
	}
}

// freed is a [Meter] for which so many floats are free each way.
type freed struct{ down, up int64 }

func (f freed) FreeDown(*Round, int) int64 { return f.down }
func (f freed) FreeUp(*Round, int) int64   { return f.up }

// TestMeter: what is free is neither charged nor does it take time on a link, and only
// calls have such floats. A client that is lost has been sent something all the same.
func TestMeter(t *testing.T) {
	const d = 2
	r := fixture(3, 2)
	r.Exchange.Replies[0].Answer = make([]float32, 7)
	r.Exchange.Replies[1].Answer = make([]float32, 7)
	r.Meter = freed{3, 4}
	r.Clock = &Clock{Latency: make([]float64, 2), Bandwidth: []float64{1, 1}, Deadline: 5}
	r.Begin(0)
	r.SetParticipants(r.Participants, []bool{false, true})
	r.AskCall(0, 1, make([]float32, 5))
	r.AskCall(1, 1, make([]float32, 5))
	r.Ask()
	if want := (Traffic{2 * (5 - 3), 7 - 4}); *r.Traffic != want || !slices.Equal(r.Replied, []int{0}) {
		t.Errorf("calls: traffic %+v and answers of %v, want %+v and those of client 0", *r.Traffic, r.Replied, want)
	}
	*r.Traffic = Traffic{}
	r.AskUpdate(0, 1)
	r.Ask()
	if want := (Traffic{d, d}); *r.Traffic != want {
		t.Errorf("an update: traffic %+v, want %+v", *r.Traffic, want)
	}
}

// TestAskSendsEachTaskOnce: what was asked goes out as asked, and is forgotten.
func TestAskSendsEachTaskOnce(t *testing.T) {
	r := fixture(3, 2)
	var seen []Task
	r.Clients = &everybody{clients: 2, work: func() {
		seen = nil
		for _, task := range r.Exchange.Tasks {
			task.Updates = slices.Clone(task.Updates)
			seen = append(seen, task)
		}
	}}
	r.Begin(0)
	r.AskLosses(0)
	r.AskUpdate(1, 2)
	r.AskUpdate(1, 0)
	r.Ask()
	if !seen[0].Losses || seen[0].PickBest || len(seen[0].Updates) != 0 ||
		!slices.Equal(seen[1].Updates, []int{2, 0}) || seen[1].Losses {
		t.Errorf("Ask sent %+v, want losses from client 0 and gradients 2, 0 from client 1", seen)
	}
	r.AskBestUpdate(1)
	r.Ask()
	if !seen[0].Empty() || !seen[1].PickBest || seen[1].Losses || len(seen[1].Updates) != 0 {
		t.Errorf("the second Ask sent %+v, want only the best from client 1", seen)
	}
	r.AskBestUpdate(0) // never sent
	r.Begin(1)
	r.Ask()
	if !seen[0].Empty() || !seen[1].Empty() {
		t.Errorf("Ask after Begin sent %+v, want nothing", seen)
	}
}

func TestBegin(t *testing.T) {
	r := fixture(2, 2)
	r.Reclustered, r.Stopped = true, true
	r.Begin(7)
	if r.T != 7 || r.Reclustered || r.Stopped {
		t.Errorf("Begin(7): T = %d, News = %v, Frozen = %v, want 7, false, false", r.T, r.Reclustered, r.Stopped)
	}
}

func TestBank(t *testing.T) {
	b := NewBank(3, 4)
	if b.Models() != 3 || len(b.Params) != 12 {
		t.Fatalf("NewBank(3, 4) has %d models and %d parameters, want 3 and 12", b.Models(), len(b.Params))
	}
	b.Model(1)[2] = 5
	if b.Params[6] != 5 {
		t.Errorf("Model(1) is a copy, want the parameters themselves: %v", b.Params)
	}
	for _, v := range b.Model(0) {
		if v != 0 || math.Signbit(float64(v)) {
			t.Errorf("a new bank holds %v, want zeros", v)
		}
	}
}
