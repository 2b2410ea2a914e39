package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"flockscope/sim/catalog"
	"flockscope/sim/engine/workers"
	"flockscope/sim/experiment"
	"flockscope/sim/fl"
	"flockscope/sim/model"
	"flockscope/sim/rng"
	"flockscope/sim/trace"
	"flockscope/sim/workload"
)

// An Array is one table of an exported run.
type Array struct {
	Name  string
	Doc   string // meaning of the axes, and units of the numbers
	Shape []int
	// Values are []float32, []float64 or []int32, row by row.
	Values any
}

// Exported is a run that another program can repeat: the samples, every random draw of clients, the
// start models, and the results.
type Exported struct {
	Header    *trace.Header
	Summaries []trace.Summary
	Parts     []model.Segment // of a network's parameters, in order; nil for a line
	Rate      []float64       // learning rate of each lane
	Epochs    []int           // local epochs of each lane; 0 if clients send gradients
	Batch     int             // samples in a minibatch, b
	Probe     []int           // samples on which models are scored, by lane
	Arrays    []Array
	// Settings are the settings that the run reads, by key. Own has those of each lane.
	Settings     map[string]string
	LaneSettings []map[string]string
}

// ErrTooLarge is the error of a run that cannot be exported.
var ErrTooLarge = errors.New("the run is too large to export")

// maxExported is the most numbers that an array may have: 2 GB of 4 bytes each.
const maxExported = 1 << 29

// Export plays an experiment and returns its inputs and results; with everyRound also the models of every round. It
// fails if [Run] fails, or if an array would have more than 2²⁹ numbers.
//
// Not exported are the noise on updates, the start of k-means, and random draws of clients in some methods. They come
// from streams of package rng that the seeds determine.
func Export(ctx context.Context, c experiment.Config, file *workload.File, everyRound bool) (*Exported, error) {
	data, plans, err := catalog.Build(c, file)
	if err != nil {
		return nil, err
	}
	e := &exporter{data: data, settingsOf: workers.ReadSettings(c, data), everyRound: everyRound,
		lanes: make([]exportedLane, len(plans))}
	e.Batch, e.Probe = e.settingsOf.Batch, e.settingsOf.Probes
	e.settings(c)
	for i, plan := range plans {
		e.Rate, e.Epochs = append(e.Rate, plan.Protocol.Rate), append(e.Epochs, plan.Protocol.Epochs)
		if !e.lanes[i].fits(data, &plan, e.settingsOf.Rounds, everyRound) {
			return nil, tooLarge("models")
		}
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

// exporter is a sink that collects the results.
type exporter struct {
	Exported
	data       workload.Workload
	settingsOf *workers.Settings
	everyRound bool // export the models of every round
	lanes      []exportedLane
}

// exportedLane has the results of a lane, round by round. The goroutine of the lane writes the
// models, that of the run the others.
type exportedLane struct {
	models     int       // number of models of the lane
	starts     []float32 // models before the first round
	ends       []float32 // models after the last round
	all        []float32 // models before the first and after every round; nil if not wanted
	labels     []int32
	states     []int32
	losses     []float64
	down, up   []float64
	computed   []float64
	observed   []float32 // clients × columns
	accuracies []float32
	mixture    []float32
	val, test  []float64
}

// settings sets the settings that the run and its lanes read.
func (e *exporter) settings(c experiment.Config) {
	e.Settings = map[string]string{}
	for _, f := range c.Active() {
		e.Settings[f.Name] = c.Value(f.Name)
	}
	for i := range c.Lanes() {
		own := map[string]string{}
		for _, f := range c.LaneFields(i) {
			own[f.Name] = c.LaneValue(i, f.Name)
		}
		e.LaneSettings = append(e.LaneSettings, own)
	}
}

// fits reports whether the results of a lane are small enough to export.
func (l *exportedLane) fits(data workload.Workload, plan *fl.Plan, rounds int, everyRound bool) bool {
	l.models = plan.Models
	columns, clients := plan.Models, data.Clients()
	if plan.Personal {
		columns = 1
	}
	return fits(rounds+1, clients, columns) && (!everyRound || fits(rounds+1, plan.Models, data.Model().Size()))
}

func (e *exporter) Begin(h *trace.Header) { e.Header = h }
func (e *exporter) Round(int)             {}
func (e *exporter) End(_ int, s *trace.Summary) {
	e.Summaries = append(e.Summaries, *s)
}

// Frame records a round. Missing values are NaN.
func (e *exporter) Frame(lane int, f *trace.Frame) {
	l := &e.lanes[lane]
	for i, k := range f.Label {
		l.labels = append(l.labels, int32(k))
		if f.Round > 0 {
			state := trace.Present
			if len(f.State) > 0 {
				state = f.State[i]
			}
			l.states = append(l.states, int32(state))
		}
	}
	val, test := math.NaN(), math.NaN()
	if e.tested() != nil && f.Events.Has(trace.Evaluated) {
		val, test = f.Val, f.Test
	}
	l.losses, l.val, l.test = append(l.losses, f.Loss), append(l.val, val), append(l.test, test)
	l.down, l.up = append(l.down, f.Down), append(l.up, f.Up)
	l.computed = append(l.computed, f.Computed)
	l.observed = append(l.observed, f.Losses...)
	l.accuracies = appendOrNaN(l.accuracies, f.Accuracies, len(f.Label))
	if f.Round == 0 && len(f.Mixture) == 0 {
		return // the method has no mixtures
	}
	if f.Round == 0 || len(l.mixture) > 0 {
		l.mixture = appendOrNaN(l.mixture, f.Mixture, len(f.Label)*l.models)
	}
}

// appendOrNaN appends values, or n NaNs if there are none.
func appendOrNaN(to, values []float32, n int) []float32 {
	if len(values) == 0 {
		return append(to, slices.Repeat([]float32{float32(math.NaN())}, n)...)
	}
	return append(to, values...)
}

// watch copies the models before the first round and after the last, or after every round.
func (e *exporter) watch(l *lane, t int, play func()) {
	to := &e.lanes[l.number]
	keep := func() {
		if e.everyRound {
			to.all = append(to.all, l.bank.Params...)
		}
	}
	if t == 0 {
		to.starts = slices.Clone(l.bank.Params)
		keep()
	}
	play()
	keep()
	if t == l.rounds-1 {
		to.ends = slices.Clone(l.bank.Params)
	}
}

// results adds the results of a lane.
func (e *exporter) results(lane int) {
	l := &e.lanes[lane]
	clients, rounds, size := e.data.Clients(), e.settingsOf.Rounds, e.data.Model().Size()
	add := func(name, doc string, values any, shape ...int) {
		e.Arrays = append(e.Arrays, Array{fmt.Sprintf("lane%d.%s", lane, name), doc, shape, values})
	}
	add("start", "models before the first round: models × parameters", l.starts, l.models, size)
	add("end", "models after the last round, or when the lane diverged: models × parameters", l.ends, l.models, size)
	if e.everyRound {
		add("models", "models before the first round and after every round: rounds + 1 × models × parameters", l.all,
			rounds+1, l.models, size)
	}
	add("label", "model of each client: rounds + 1 (0 is the start) × clients", l.labels, rounds+1, clients)
	add("state", "what a client did in a round: 0 it took part, 1 it did not, 2 it took part and dropped out, "+
		"or replied too late: rounds × clients", l.states, rounds, clients)
	add("loss", "mean over clients of the loss of their predictions, by model or mixture, after each round: rounds + 1; "+
		"the expected loss on fresh samples (linreg and similar), or the loss on all rows of a client (csv), or on the "+
		"test samples after rounds with an evaluation, else NaN", l.losses, rounds+1)
	add("losses", "losses of the models on each client's probe sample of a round, before the models change; one column "+
		"where each client has a model of its own; the last known ones in rounds without an evaluation; "+
		"row 0 is of the start: rounds + 1 × clients × models", l.observed, rounds+1, clients, len(l.observed)/(rounds+1)/clients)
	if _, ok := e.data.(workload.Evaluated); ok {
		add("accuracy", "accuracy of each client's model on its test samples, after rounds with an evaluation, "+
			"else NaN: rounds + 1 × clients", l.accuracies, rounds+1, clients)
	}
	if e.tested() != nil {
		add("val", "HCFL's Val: mean accuracy, clients weighted by their test samples: rounds + 1", l.val, rounds+1)
		add("test", "HCFL's Test: mean accuracy over test clients: rounds + 1", l.test, rounds+1)
	}
	if len(l.mixture) > 0 {
		add("mixture", "weights of the models for each client after a round, as the server knows them: those of a client "+
			"that dropped out are older: rounds + 1 × clients × models", l.mixture, rounds+1, clients, l.models)
	}
	add("down", "numbers received since the start, mean over clients: rounds + 1", l.down, rounds+1)
	add("up", "numbers sent since the start, mean over clients: rounds + 1", l.up, rounds+1)
	add("computed", "multiply-adds of models since the start, mean over clients: rounds + 1", l.computed, rounds+1)
}

// inputs adds the samples and the random draws.
func (e *exporter) inputs() error {
	clients, rounds := e.data.Clients(), e.settingsOf.Rounds
	group, weight := make([]int32, clients), make([]int32, clients)
	of, groups := e.data.Groups()
	for i := range clients {
		if group[i] = -1; groups > 0 {
			group[i] = int32(of[i])
		}
		weight[i] = int32(e.data.Samples(i))
	}
	takesPart, dropsOut := make([]int32, rounds*clients), make([]int32, rounds*clients)
	participation := newParticipation(e.settingsOf.Values, clients, e.settingsOf.DataSeed)
	for t := range rounds {
		participants, dropped := participation.draw(t + 1)
		for _, i := range participants {
			takesPart[t*clients+i] = 1
			if dropped[i] {
				dropsOut[t*clients+i] = 1
			}
		}
	}
	e.Arrays = append(e.Arrays,
		Array{"group", "planted group of each client, -1 if unknown: clients", []int{clients}, group},
		Array{"weight", "samples that each client counts for in a weighted mean, n_i: clients", []int{clients}, weight},
		Array{"here", "1 where a client takes part in a round: rounds × clients", []int{rounds, clients}, takesPart},
		Array{"lost", "1 where a client takes part and drops out of the round: rounds × clients",
			[]int{rounds, clients}, dropsOut})
	if l := e.settingsOf.Liars; l != nil {
		lies := make([]int32, clients)
		for i, liar := range l.Lies {
			if liar {
				lies[i] = 1
			}
		}
		e.Arrays = append(e.Arrays, Array{"liar", "1 for a client that lies: clients", []int{clients}, lies})
	}
	finite, ok := e.data.(workload.Finite)
	if !ok {
		return e.freshSamples()
	}
	if data := e.tested(); data != nil {
		if err := e.testClients(data); err != nil {
			return err
		}
	}
	return e.finite(finite)
}

// tested returns the data if they have test clients, or nil.
func (e *exporter) tested() workload.WithTestClients {
	if data, ok := e.data.(workload.WithTestClients); ok && data.TestClients() > 0 {
		return data
	}
	return nil
}

// testClients adds the samples of test clients.
func (e *exporter) testClients(data workload.WithTestClients) error {
	var choose, then batches
	var first, second model.Batch
	for i := range data.TestClients() {
		if data.TestClientSamples(&first, &second, i); !choose.add(&first, i) || !then.add(&second, i) {
			return tooLarge("samples of test clients")
		}
	}
	inputs := e.data.Model().Inputs()
	e.Arrays = append(e.Arrays, choose.arrays("guest_choose", "samples by which each test client chooses its model", inputs)...)
	e.Arrays = append(e.Arrays, then.arrays("guest_test", "samples on which each test client evaluates it", inputs)...)
	return nil
}

// finite adds the samples of clients that have a fixed number of them, and which samples are drawn
// in each round.
func (e *exporter) finite(data workload.Finite) error {
	clients, rounds, draw := e.data.Clients(), e.settingsOf.Rounds, e.settingsOf.SamplesPerRound()
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
		if tested, ok := e.data.(workload.Evaluated); ok {
			if tested.TestSamples(&b, i); !test.add(&b, i) {
				return tooLarge("test samples")
			}
		}
	}
	inputs := e.data.Model().Inputs()
	e.Arrays = append(e.Arrays, train.arrays("train", "training samples of all clients, one client after the other",
		inputs)...)
	if test.n > 0 {
		e.Arrays = append(e.Arrays, test.arrays("test", "samples on which models are evaluated", inputs)...)
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
			s.Reset(e.settingsOf.DataSeed, rng.Samples, t+1, i)
			n := data.Holds(i)
			copy(drawn[(t*clients+i)*draw:], shuffled(&s, n, min(draw, n)))
			s.Reset(e.settingsOf.DataSeed, rng.Training, t+1, i)
			for epoch := range slices.Max(e.Epochs) {
				copy(order[((t*clients+i)*slices.Max(e.Epochs)+epoch)*most:], shuffled(&s, n, n))
			}
		}
	}
	e.Arrays = append(e.Arrays, Array{"draw",
		"samples that a client draws in a round, as indices into the client's training samples, " +
			"-1 if it has no more: rounds × clients × draws; the first b are the minibatch, " +
			"the first probe of them score models",
		[]int{rounds, clients, draw}, drawn})
	if epochs := slices.Max(e.Epochs); epochs > 0 {
		e.Arrays = append(e.Arrays, Array{"order",
			"order in which a client goes through its training samples, b at a time, in local epochs, " +
				"-1 after the last: rounds × clients × epochs × samples", []int{rounds, clients, epochs, most}, order})
	}
	return nil
}

// shuffled returns the first n elements of a random permutation of 0 to of−1. Samples of a fixed set are drawn this
// way.
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

// freshSamples adds the samples themselves, for workloads that draw new ones in every round.
func (e *exporter) freshSamples() error {
	clients, rounds := e.data.Clients(), e.settingsOf.Rounds
	draw, inputs := e.settingsOf.SamplesPerRound(), e.data.Model().Inputs()
	epochs := slices.Max(e.Epochs)
	if !fits(rounds, clients, draw, inputs) || !fits(rounds, clients, max(1, epochs), e.settingsOf.Batch, inputs) {
		return tooLarge("samples")
	}
	var drawn, trained, extra batches
	var b model.Batch
	var s rng.Stream
	for t := range rounds {
		for i := range clients {
			s.Reset(e.settingsOf.DataSeed, rng.Samples, t+1, i)
			e.data.Draw(&b, i, draw, &s)
			drawn.add(&b, i)
			s.Reset(e.settingsOf.DataSeed, rng.Training, t+1, i)
			for range epochs {
				e.data.Draw(&b, i, e.settingsOf.Batch, &s)
				trained.add(&b, i)
			}
			s.Reset(e.settingsOf.DataSeed, rng.ClientDraws, t+1, i)
			for range max(1, epochs) {
				e.data.Draw(&b, i, e.settingsOf.Batch, &s)
				extra.add(&b, i)
			}
		}
	}
	e.Arrays = append(e.Arrays,
		Array{"draw_x", "samples that a client draws in a round: rounds × clients × draws × inputs; " +
			"the first b are the minibatch, " +
			"the first probe of them score models", []int{rounds, clients, draw, inputs}, drawn.x},
		Array{"draw_y", "targets: rounds × clients × draws", []int{rounds, clients, draw}, drawn.y},
		Array{"extra_x", "further minibatches of a client, in order, for methods that use them " +
			"(Per-FedAvg): rounds × clients × minibatches × b × inputs",
			[]int{rounds, clients, max(1, epochs), e.settingsOf.Batch, inputs}, extra.x},
		Array{"extra_y", "targets: rounds × clients × minibatches × b",
			[]int{rounds, clients, max(1, epochs), e.settingsOf.Batch}, extra.y})
	if epochs > 0 {
		e.Arrays = append(e.Arrays,
			Array{"epoch_x", "minibatches of local epochs: rounds × clients × epochs × b × inputs",
				[]int{rounds, clients, epochs, e.settingsOf.Batch, inputs}, trained.x},
			Array{"epoch_y", "targets: rounds × clients × epochs × b",
				[]int{rounds, clients, epochs, e.settingsOf.Batch}, trained.y})
	}
	return nil
}

// batches are samples of several clients in order.
type batches struct {
	n      int
	x, y   []float32
	client []int32
}

// add appends a client's samples and reports whether they fit.
func (s *batches) add(b *model.Batch, client int) bool {
	if len(s.x)+len(b.X) > maxExported {
		return false
	}
	s.n += b.N
	s.x, s.y = append(s.x, b.X...), append(s.y, b.Y[:b.N]...)
	s.client = append(s.client, slices.Repeat([]int32{int32(client)}, b.N)...)
	return true
}

func (s *batches) arrays(name, doc string, inputs int) []Array {
	return []Array{{name + "_x", doc + ": samples × inputs", []int{s.n, inputs}, s.x},
		{name + "_y", "their classes or targets: samples", []int{s.n}, s.y},
		{name + "_client", "the client of each: samples", []int{s.n}, s.client}}
}

// fits reports whether an array of this shape may be exported.
func fits(shape ...int) bool {
	size := 1.0
	for _, n := range shape {
		size *= float64(n)
	}
	return size <= maxExported
}

// tooLarge returns the error for a part of the run that is too large.
func tooLarge(what string) error {
	return fmt.Errorf("%w: its %s take more than 2 GB; choose fewer rounds T, clients C, samples n or draws b and probe",
		ErrTooLarge, what)
}
