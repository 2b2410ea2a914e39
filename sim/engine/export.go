package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"flockscope/sim/catalog"
	"flockscope/sim/engine/workers"
	"flockscope/sim/experiment"
	"flockscope/sim/model"
	"flockscope/sim/rng"
	"flockscope/sim/trace"
	"flockscope/sim/workload"
)

// An Array is one table of an exported run.
type Array struct {
	Name  string
	Doc   string // what the axes are, and the units of the numbers
	Shape []int
	// Values are []float32, []float64 or []int32, row by row.
	Values any
}

// Exported is a run as somebody else can play it again with a program of their own: the
// samples, every random draw of clients, the start models, and what came out.
type Exported struct {
	Header    *trace.Header
	Summaries []trace.Summary
	Parts     []model.Segment // of a network's parameters, in order; nil for a line
	Rate      []float64       // learning rate of each lane
	Epochs    []int           // local epochs of each lane; 0 where clients send gradients
	Batch     int             // samples of a minibatch, b
	Probe     []int           // samples that each lane's models are scored on
	Arrays    []Array
}

// ErrTooLarge is the error of a run that cannot be exported.
var ErrTooLarge = errors.New("the run is too large to export")

// mostExported is how many numbers an array may have: of 4 bytes each, 2 GB.
const mostExported = 1 << 29

// Export plays an experiment and returns what it was made of and what came out. It fails
// where [Run] does, and where an array would have more than 2²⁹ numbers.
//
// It leaves out what only the engine can draw again: noise on updates, who misses a
// virtual clock's deadline, where k-means starts, and what clients of some methods draw
// for themselves.
func Export(ctx context.Context, c experiment.Config, file *workload.File) (*Exported, error) {
	data, plans, err := catalog.Build(c, file)
	if err != nil {
		return nil, err
	}
	e := &exporter{data: data, set: workers.ReadSettings(c, data), starts: make([]Array, len(plans)),
		ends: make([]Array, len(plans))}
	e.Batch, e.Probe = e.set.Batch, e.set.Probes
	for _, plan := range plans {
		e.Rate, e.Epochs = append(e.Rate, plan.Protocol.Rate), append(e.Epochs, plan.Protocol.Epochs)
	}
	if n, ok := data.Model().(*model.Network); ok {
		e.Parts = n.Segments()
	}
	if err := e.inputs(); err != nil {
		return nil, err
	}
	lanes := make([]int, len(plans))
	for i := range lanes {
		lanes[i] = i
	}
	if err := runLanes(ctx, c, file, lanes, nil, e, e.watch); err != nil {
		return nil, err
	}
	for i := range plans {
		e.results(i)
	}
	return &e.Exported, nil
}

// exporter is a sink that keeps what it hears.
type exporter struct {
	Exported
	data workload.Workload
	set  *workers.Settings

	mu           sync.Mutex
	starts, ends []Array // models of each lane before the first round, and now
	labels       [experiment.MaxLanes][]int32
	losses       [experiment.MaxLanes][]float64
}

func (e *exporter) Begin(h *trace.Header) { e.Header = h }
func (e *exporter) Round(int)             {}
func (e *exporter) End(_ int, s *trace.Summary) {
	e.Summaries = append(e.Summaries, *s)
}

func (e *exporter) Frame(lane int, f *trace.Frame) {
	for _, k := range f.Label {
		e.labels[lane] = append(e.labels[lane], int32(k))
	}
	e.losses[lane] = append(e.losses[lane], f.Loss)
}

// watch keeps the models before the first round and after the last.
func (e *exporter) watch(l *lane, t int, play func()) {
	keep := func(where []Array, doc string) {
		e.mu.Lock()
		defer e.mu.Unlock()
		where[l.number] = Array{Doc: doc, Shape: []int{l.plan.Models, l.bank.Size}, Values: slices.Clone(l.bank.Params)}
	}
	if t == 0 {
		keep(e.starts, "models before the first round: models × parameters")
	}
	play()
	if t == l.rounds-1 {
		keep(e.ends, "models after the last round, or when the lane diverged: models × parameters")
	}
}

// results adds what became of a lane.
func (e *exporter) results(lane int) {
	name := fmt.Sprintf("lane%d.", lane)
	clients, rounds := e.data.Clients(), e.set.Rounds
	e.starts[lane].Name, e.ends[lane].Name = name+"start", name+"end"
	e.Arrays = append(e.Arrays, e.starts[lane], e.ends[lane],
		Array{name + "label", "model of each client: rounds + 1 (0 is the start) × clients", []int{rounds + 1, clients},
			e.labels[lane]},
		Array{name + "loss", "mean over clients of the loss of each client's model, after each round: rounds + 1; " +
			"expected on fresh samples (linreg and alike), or on all of a client's rows (csv), or on the test samples, " +
			"in rounds after which models are evaluated, else NaN",
			[]int{rounds + 1}, e.losses[lane]})
}

// inputs adds the samples and the draws.
func (e *exporter) inputs() error {
	clients, rounds := e.data.Clients(), e.set.Rounds
	group, weight := make([]int32, clients), make([]int32, clients)
	of, groups := e.data.Groups()
	for i := range clients {
		if group[i] = -1; groups > 0 {
			group[i] = int32(of[i])
		}
		weight[i] = int32(e.data.Samples(i))
	}
	here, lost := make([]int32, rounds*clients), make([]int32, rounds*clients)
	roll := newParticipation(e.set.Values, clients, e.set.DataSeed)
	for t := range rounds {
		come, gone := roll.draw(t + 1)
		for _, i := range come {
			here[t*clients+i] = 1
			if gone[i] {
				lost[t*clients+i] = 1
			}
		}
	}
	e.Arrays = append(e.Arrays,
		Array{"group", "planted group of each client, -1 where nobody knows: clients", []int{clients}, group},
		Array{"weight", "samples that each client counts for in a weighted mean, n_i: clients", []int{clients}, weight},
		Array{"here", "1 where a client takes part in a round: rounds × clients", []int{rounds, clients}, here},
		Array{"lost", "1 where it takes part and is not heard of again in that round: rounds × clients",
			[]int{rounds, clients}, lost})
	if finite, ok := e.data.(workload.Finite); ok {
		return e.finite(finite)
	}
	return e.endless()
}

// finite adds the samples of clients that can be counted, and which of them are drawn.
func (e *exporter) finite(data workload.Finite) error {
	clients, rounds, draw := e.data.Clients(), e.set.Rounds, e.set.Draw()
	var train, test batches
	var b model.Batch
	most := 0
	for i := range clients {
		most = max(most, data.Holds(i))
		which := make([]int32, data.Holds(i))
		for j := range which {
			which[j] = int32(j)
		}
		if data.Take(&b, i, which); !train.add(&b, i) {
			return tooLarge("samples")
		}
		if tested, ok := e.data.(workload.Tested); ok {
			if tested.Exam(&b, i); !test.add(&b, i) {
				return tooLarge("test samples")
			}
		}
	}
	inputs := e.data.Model().Inputs()
	e.Arrays = append(e.Arrays, train.arrays("train", "training samples of all clients, one client after the other",
		inputs)...)
	if test.n > 0 {
		e.Arrays = append(e.Arrays, test.arrays("test", "samples on which models are tried", inputs)...)
	}
	draw = min(draw, most)
	if epochs := slices.Max(e.Epochs); !fits(rounds, clients, draw) || !fits(rounds, clients, epochs, most) {
		return tooLarge("draws")
	}
	drawn := slices.Repeat([]int32{-1}, rounds*clients*draw)
	order := slices.Repeat([]int32{-1}, rounds*clients*slices.Max(e.Epochs)*most)
	var s rng.Stream
	for t := range rounds {
		for i := range clients {
			s.Reset(e.set.DataSeed, rng.Samples, t+1, i)
			n := data.Holds(i)
			copy(drawn[(t*clients+i)*draw:], shuffled(&s, n, min(draw, n)))
			s.Reset(e.set.DataSeed, rng.Training, t+1, i)
			for epoch := range slices.Max(e.Epochs) {
				copy(order[((t*clients+i)*slices.Max(e.Epochs)+epoch)*most:], shuffled(&s, n, n))
			}
		}
	}
	e.Arrays = append(e.Arrays, Array{"draw",
		"samples that a client draws in a round, each by its number among the client's training samples, " +
			"-1 where it has no more: rounds × clients × draws; the first b are the minibatch, " +
			"the first probe those that models are scored on",
		[]int{rounds, clients, draw}, drawn})
	if epochs := slices.Max(e.Epochs); epochs > 0 {
		e.Arrays = append(e.Arrays, Array{"order",
			"order in which a client goes through its training samples, b at a time, where it trains for itself, " +
				"-1 behind the last: rounds × clients × epochs × samples", []int{rounds, clients, epochs, most}, order})
	}
	return nil
}

// shuffled returns the first n of a shuffle of so many numbers, which is how samples are
// drawn wherever they can be counted.
func shuffled(s *rng.Stream, of, n int) []int32 {
	out := make([]int32, of)
	for j := range out {
		out[j] = int32(j)
	}
	for j := range n {
		k := j + s.IntN(of-j)
		out[j], out[k] = out[k], out[j]
	}
	return out[:n]
}

// endless adds the samples themselves where every round has fresh ones.
func (e *exporter) endless() error {
	clients, rounds, draw, inputs := e.data.Clients(), e.set.Rounds, e.set.Draw(), e.data.Model().Inputs()
	epochs := slices.Max(e.Epochs)
	if !fits(rounds, clients, draw, inputs) || !fits(rounds, clients, epochs, e.set.Batch, inputs) {
		return tooLarge("samples")
	}
	var drawn, trained batches
	var b model.Batch
	var s rng.Stream
	for t := range rounds {
		for i := range clients {
			s.Reset(e.set.DataSeed, rng.Samples, t+1, i)
			e.data.Draw(&b, i, draw, &s)
			drawn.add(&b, i)
			s.Reset(e.set.DataSeed, rng.Training, t+1, i)
			for range epochs {
				e.data.Draw(&b, i, e.set.Batch, &s)
				trained.add(&b, i)
			}
		}
	}
	e.Arrays = append(e.Arrays,
		Array{"draw_x", "samples that a client draws in a round: rounds × clients × draws × inputs; " +
			"the first b are the minibatch, " +
			"the first probe those that models are scored on", []int{rounds, clients, draw, inputs}, drawn.x},
		Array{"draw_y", "what is to be predicted: rounds × clients × draws", []int{rounds, clients, draw}, drawn.y})
	if epochs > 0 {
		e.Arrays = append(e.Arrays,
			Array{"epoch_x", "minibatches of a client that trains for itself: rounds × clients × epochs × b × inputs",
				[]int{rounds, clients, epochs, e.set.Batch, inputs}, trained.x},
			Array{"epoch_y", "what is to be predicted: rounds × clients × epochs × b",
				[]int{rounds, clients, epochs, e.set.Batch}, trained.y})
	}
	return nil
}

// batches are samples one after the other.
type batches struct {
	n      int
	x, y   []float32
	client []int32
}

// add appends a client's samples and reports whether they fit.
func (s *batches) add(b *model.Batch, client int) bool {
	if len(s.x)+len(b.X) > mostExported {
		return false
	}
	s.n += b.N
	s.x, s.y = append(s.x, b.X...), append(s.y, b.Y[:b.N]...)
	s.client = append(s.client, slices.Repeat([]int32{int32(client)}, b.N)...)
	return true
}

func (s *batches) arrays(name, doc string, inputs int) []Array {
	return []Array{{name + "_x", doc + ": samples × inputs", []int{s.n, inputs}, s.x},
		{name + "_y", "their class, or the number to be predicted: samples", []int{s.n}, s.y},
		{name + "_client", "whose they are: samples", []int{s.n}, s.client}}
}

// fits reports whether an array of this shape may be exported.
func fits(shape ...int) bool {
	size := 1.0
	for _, n := range shape {
		size *= float64(n)
	}
	return size <= mostExported
}

// tooLarge says what cannot be exported.
func tooLarge(what string) error {
	return fmt.Errorf("%w: its %s take more than 2 GB; choose fewer rounds T, clients C, samples n or draws b and probe",
		ErrTooLarge, what)
}
