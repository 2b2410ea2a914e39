package fl

import "sync"

// Task is what a server asks of one client in one exchange. A client replies from its own samples alone, and only with
// numbers that a real client would send.
type Task struct {
	// Losses asks for the loss of every model on the probe sample.
	Losses bool
	// PickBest asks the client to pick the model with the least loss on its probe sample, the lowest index on ties, and
	// to return its update of that model as the first one.
	PickBest bool
	// Updates are the models whose updates are wanted.
	Updates []int
	// Feature is one more than the model whose update is wanted at the exchange's
	// Coordinates alone; 0 for none. It is for comparing clients, not for training.
	Feature int
	// Call is the operation of the client's device, 0 for none. With and Models are the
	// floats and the models that are sent with it.
	Call   int
	With   []float32
	Models []int
}

func (t *Task) clear() {
	t.Losses, t.PickBest, t.Updates, t.Feature = false, false, t.Updates[:0], 0
	t.Call, t.With, t.Models = 0, nil, t.Models[:0]
}

// Empty reports whether nothing is asked of the client.
func (t *Task) Empty() bool {
	return !t.Losses && !t.PickBest && len(t.Updates) == 0 && t.Feature == 0 && t.Call == 0
}

// Reply is a client's reply to a task. Its slices belong to the exchange.
type Reply struct {
	Losses []float64 // per model
	Picked int       // the model that the client picked
	// Lead is how much larger the second least loss is than the least one: a mean over the probe samples. Noise is the
	// standard error of that mean, infinite for a single sample. They are set with the losses of several models, for the
	// page, and not sent.
	Lead, Noise float32
	// Length is the Euclidean length of the first update of a model that is too large for frames (see
	// [trace.MaxFrameParams]), for the page.
	Length float32
	// Updates are in the order of the task; with PickBest, the picked model's
	// comes first. Each has the size of a model.
	Updates [][]float32
	Feature []float32 // as long as Coordinates
	Answer  []float32 // answer to a call
	// Computed is the multiply-adds of the task (see [Round.Computed]).
	Computed int64
	// ClientState is what the client's device keeps between calls. It stays with the client and is never sent.
	ClientState []float32
	// OptimiserState is what the client's optimiser keeps between rounds. It is never sent either.
	OptimiserState []float32
}

// Exchange is one round trip between a server and its clients: a task and a reply for each. It
// is allocated once per run.
type Exchange struct {
	Tasks   []Task
	Replies []Reply
	Bank    *Bank // the server's models
	// Coordinates are the indices of the parameters, in ascending order, that features consist of; nil for all.
	Coordinates []int32

	// Buffers is the number of buffers of a model's size, for updates and features, that were allocated.
	Buffers int

	mu   sync.Mutex
	free [][]float32 // free buffers, the newest last
}

// small is the size of a model below which every reply keeps its buffers: sharing them would save little, and a client
// that replies with more than before would allocate in the middle of a run.
const small = 1 << 12

// NewExchange returns an exchange with a number of clients and the models in bank.
func NewExchange(clients int, bank *Bank) *Exchange {
	x := &Exchange{Tasks: make([]Task, clients), Replies: make([]Reply, clients), Bank: bank}
	losses := make([]float64, clients*bank.Models())
	for i := range x.Replies {
		k := bank.Models()
		x.Replies[i].Losses = losses[i*k : (i+1)*k : (i+1)*k]
		x.Tasks[i].Updates = make([]int, 0, 1)
	}
	return x
}

// Buffer returns the buffer for client i's n-th update. It reuses a free one if there is one: the newest, which is most
// likely still in the processor's cache.
func (x *Exchange) Buffer(i, n int) []float32 {
	r := &x.Replies[i]
	for len(r.Updates) <= n {
		r.Updates = append(r.Updates, nil)
	}
	if r.Updates[n] == nil {
		r.Updates[n] = x.buffer()
	}
	return r.Updates[n]
}

// FeatureBuffer is Buffer for client i's feature.
func (x *Exchange) FeatureBuffer(i int) []float32 {
	r := &x.Replies[i]
	switch {
	case len(r.Feature) == x.Width():
	case x.Coordinates == nil:
		r.Feature = x.buffer()
	default:
		r.Feature = make([]float32, x.Width())
	}
	return r.Feature
}

// buffer returns a buffer of a model's size.
func (x *Exchange) buffer() []float32 {
	x.mu.Lock()
	defer x.mu.Unlock()
	n := len(x.free)
	if n == 0 {
		x.Buffers++
		return make([]float32, x.Bank.Size)
	}
	buffer := x.free[n-1]
	x.free = x.free[:n-1]
	return buffer
}

// Release frees the buffers of client i's updates and feature for other replies.
func (x *Exchange) Release(i int) {
	if x.Bank.Size < small {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	r := &x.Replies[i]
	for n, update := range r.Updates {
		if update != nil {
			x.free = append(x.free, update)
			r.Updates[n] = nil
		}
	}
	if x.Coordinates == nil && r.Feature != nil {
		x.free = append(x.free, r.Feature)
		r.Feature = nil
	}
}

// Width is the length of a feature.
func (x *Exchange) Width() int {
	if x.Coordinates == nil {
		return x.Bank.Size
	}
	return len(x.Coordinates)
}

// Select returns the part of an update that a feature consists of: the update itself if that is all of it, else its
// coordinates, written to buffer, which has the length of a feature.
func (x *Exchange) Select(buffer, update []float32) []float32 {
	if x.Coordinates == nil {
		return update
	}
	for j, at := range x.Coordinates {
		buffer[j] = update[at]
	}
	return buffer
}
