// Package engine runs experiments: it starts the clients and one server per lane, plays the rounds
// of all lanes in step, and passes frames to a sink.
//
// Clients and servers are goroutines that communicate through channels. No result depends on the
// order in which they run: every draw has a stream of its own, every reply has a place of its own,
// and sums run in the order of the clients.
//
// Files, in the order of a run:
//
//	engine.go         Run: all lanes in step; Sink
//	lane.go           one lane: a server, its models and its rounds
//	participation.go  which clients take part, drop out or join late
//	clock.go          latency and bandwidth of the clients
//	evaluate.go       models on held-out samples
//	measure.go        the numbers of a frame, and the summary
//	liars.go          lies that liars agree on, and what a backdoor achieves
//	diverge.go        models that diverge
//	alias.go          which model has which group's colour
//	map.go            positions of the clients on the map
//	rebuilt.go        pictures that models reconstruct
//	explain.go        the details of one round, for one client
//	record.go         a whole run in memory
//	export.go         a run for other programs
//	remote.go         a run with clients in other places, such as phones
//	notes.go          what is measured of each client; seen.go: what the server sees in an update
//	theory.go         what theorems are about
//
// Package workers does the work of the clients, in this process and in others.
package engine

import (
	"context"
	"errors"
	"slices"
	"sync"

	"flockscope/sim/catalog"
	"flockscope/sim/engine/workers"
	"flockscope/sim/experiment"
	"flockscope/sim/fl"
	"flockscope/sim/model"
	"flockscope/sim/rng"
	"flockscope/sim/trace"
	"flockscope/sim/workload"
)

// Sink receives a run while it is played. Frames belong to the engine and change with the next
// round: copy or encode what is needed later.
type Sink interface {
	Begin(h *trace.Header)
	// Frame is called for every lane and round, lanes in order. Round 0 is the start.
	Frame(lane int, f *trace.Frame)
	// Round is called after the frames of a round. A sink that shares its thread with other code
	// may let that run here.
	Round(t int)
	End(lane int, s *trace.Summary)
}

// Types for clients in other programs; see package workers.
type (
	Shards     = workers.Shards
	Shard      = workers.Shard
	Message    = workers.Message
	Incoming   = workers.Incoming
	LongReader = workers.LongReader
)

// Yielder is a sink that the engine calls within rounds, too, so that it can notice that the run is
// cancelled, or wait while it is paused. Lanes may call it concurrently.
type Yielder interface {
	Yield()
}

// Counter is a sink that is told within slow rounds how many clients have finished the present job
// of a lane. Lanes may call it concurrently.
type Counter interface {
	Count(lane, done int)
}

// Opener is a sink that learns before a run is played what it costs, and how it begins if that takes long to evaluate.
type Opener interface {
	// Cost receives an estimate of the work, and of the memory in bytes, and reports whether to play the run.
	Cost(work Work, memory int64) (play bool)
	// Open receives the start of a lane: the frame of round 0 without losses and scores, which are NaN. It is called if
	// evaluating the first models takes long, or if the run is not played.
	Open(lane int, f *trace.Frame)
}

// Work is an estimate of what a run computes.
type Work = workers.Work

// ErrNotPlayed is the error of a run that its sink did not let play.
var ErrNotPlayed = errors.New("engine: the sink did not let the run play")

// slowStart is the work, in multiply-adds, from which evaluating the first models takes long: about a second in one
// worker of a browser.
const slowStart = 8e9

// Run plays the experiment to its end, or until ctx is done, which it notices after the work of a
// few clients. It returns ctx's error then, and otherwise an error only if the configuration does
// not fit the data. All goroutines have ended when it returns.
func Run(ctx context.Context, c experiment.Config, file *workload.File, sink Sink) error {
	all := make([]int, len(c.Lanes()))
	for i := range all {
		all[i] = i
	}
	return RunLanes(ctx, c, file, all, nil, sink)
}

// RunLanes is Run for some of the lanes, in ascending order; the header lists all of them. No lane
// depends on another, so several engines can divide a run between them, with the same frames. With
// shards, nil for none, some of the clients work in other programs.
func RunLanes(ctx context.Context, c experiment.Config, file *workload.File, played []int, shards workers.Shards,
	sink Sink) error {
	return runLanes(ctx, c, file, played, shards, sink, nil)
}

// RunTo plays one lane of an experiment up to a round, counted from 1, and evaluates its models
// after it: Run evaluates only in some rounds. An evaluation changes no result, so the frames are
// those of Run, except for the scores of the last one. The header has that number of rounds.
func RunTo(ctx context.Context, c experiment.Config, file *workload.File, lane, round int, sink Sink) error {
	data, plans, err := catalog.Build(c, file)
	if err != nil {
		return err
	}
	return playTo(ctx, c, data, plans, []int{lane}, round, nil, nil, sink, nil)
}

// runLanes is RunLanes with watch, which, unless nil, plays each round of a lane by calling play.
func runLanes(ctx context.Context, c experiment.Config, file *workload.File, played []int, shards workers.Shards,
	sink Sink, watch func(l *lane, t int, play func())) error {
	data, plans, err := catalog.Build(c, file)
	if err != nil {
		return err
	}
	return play(ctx, c, data, plans, played, shards, sink, watch)
}

// play is runLanes with data and plans that the caller has made.
func play(ctx context.Context, c experiment.Config, data workload.Workload, plans []fl.Plan, played []int,
	shards workers.Shards, sink Sink, watch func(l *lane, t int, play func())) error {
	return playTo(ctx, c, data, plans, played, 0, shards, nil, sink, watch)
}

// playTo plays only the first rounds, or all for 0.
func playTo(ctx context.Context, c experiment.Config, data workload.Workload, plans []fl.Plan, played []int,
	rounds int, shards workers.Shards, remote workers.Remote, sink Sink,
	watch func(l *lane, t int, play func())) error {
	workers.CollectGarbage(data, plans)
	set := workers.ReadSettings(c, data)
	if rounds > 0 {
		set.Rounds = rounds
	}
	header := describe(c, data, set)
	describeLanes(header, data, plans)
	pool := newPool(ctx, header.Query, data, set, len(plans), shards, sink)
	pool.SingleLane, pool.Remote = len(played) == 1, remote
	defer pool.Close()
	lanes := make([]*lane, 0, len(played))
	for i, plan := range plans {
		if slices.Contains(played, i) {
			l := newLane(plan, header, set, i, data, pool)
			l.watch = watch
			lanes = append(lanes, l)
		}
	}
	sink.Begin(header)
	if o, ok := sink.(Opener); ok {
		work := workers.WorkOf(data, plans, set)
		play := o.Cost(work, catalog.EstimateOf(data, plans).Total())
		for _, l := range lanes {
			if !play || l.evaluation != nil && work.Start >= slowStart {
				l.showStart(func() { o.Open(l.number, &l.frame) })
			}
		}
		if !play {
			return ErrNotPlayed
		}
	}
	if err := playRounds(ctx, lanes, set.Rounds, pool, sink); err != nil {
		return err
	}
	for _, l := range lanes {
		s := l.summary()
		sink.End(l.number, &s)
	}
	return nil
}

// newPool starts the clients, and connects the optional methods of the sink.
func newPool(ctx context.Context, query string, data workload.Workload, set *workers.Settings, lanes int,
	shards workers.Shards, sink Sink) *workers.Pool {
	pool := workers.NewPool(query, data, set, lanes, shards)
	pool.Cancelled = ctx.Err
	if y, ok := sink.(Yielder); ok {
		pool.Yield = y.Yield
	}
	if c, ok := sink.(Counter); ok && pool.Slow {
		pool.Counter = c.Count
	}
	return pool
}

// playRounds plays the rounds of all lanes in step. It returns ctx's error if it was cancelled. The
// first lane plays in this goroutine, which saves a switch of goroutines if it is the only one;
// each of the others has a goroutine of its own.
func playRounds(ctx context.Context, lanes []*lane, rounds int, pool *workers.Pool, sink Sink) error {
	var alive sync.WaitGroup
	first := lanes[:min(1, len(lanes))]
	others := lanes[len(first):]
	for _, l := range others {
		alive.Go(l.loop)
	}
	defer func() {
		for _, l := range others {
			close(l.turns)
		}
		alive.Wait()
	}()
	for _, l := range lanes {
		l.recoverCancelled(l.open)
	}
	for t := 0; ; t++ {
		if pool.Aborted.Load() {
			return ctx.Err()
		}
		for _, l := range lanes {
			l.recordFrame()
			sink.Frame(l.number, &l.frame)
		}
		sink.Round(t)
		if t == rounds {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, l := range others {
			l.turns <- t
		}
		for _, l := range first {
			l.recoverCancelled(func() { l.playWatched(t) })
		}
		for _, l := range others {
			<-l.played
		}
		for _, l := range others {
			if l.panicked != nil {
				panic(l.panicked) // so that the caller can recover from it
			}
		}
	}
}

// describe makes the header without what depends on the plans; see describeLanes.
func describe(c experiment.Config, data workload.Workload, set *workers.Settings) *trace.Header {
	group, groups := data.Groups()
	h := &trace.Header{Query: c.String(), Clients: data.Clients(), Rounds: set.Rounds, Groups: groups}
	for _, g := range group {
		h.Group = append(h.Group, int16(g))
	}
	if set.Liars != nil {
		h.Liar, h.LiesFrom = set.Liars.Lies, set.Liars.From
	}
	for i, l := range c.Lanes() {
		h.Lanes = append(h.Lanes, trace.Lane{ID: l.ID(), Algorithm: l.Algorithm, Title: catalog.Title(l),
			Probe: probeOf(data, set.Probes[i]), Finds: c.FindsK(i)})
	}
	var s rng.Stream
	h.DataPreview = data.DataPreview(&s, set.DataSeed)
	if n, ok := data.Model().(*model.Network); ok {
		h.Blocks = blocksOf(n)
	}
	return h
}

// blocksOf returns the blocks of a network, behind one for the samples.
func blocksOf(n *model.Network) []trace.Block {
	in := n.Samples()
	out := []trace.Block{{Height: in.Height, Width: in.Width, Channels: in.Channels}}
	for _, b := range n.Blocks() {
		out = append(out, trace.Block{Text: b.Text, Height: b.Shape.Height, Width: b.Shape.Width,
			Channels: b.Shape.Channels, Parameters: b.Parameters, MultiplyAdds: float64(b.MultiplyAdds)})
	}
	return out
}

// probeOf returns the number of samples on which a client compares models, 0 if some clients hold fewer.
func probeOf(data workload.Workload, probe int) int {
	if finite, ok := data.(workload.Finite); ok {
		for i := range data.Clients() {
			if finite.Holds(i) < probe {
				return 0
			}
		}
	}
	return probe
}

// describeLanes adds to the header what depends on the plans.
func describeLanes(h *trace.Header, data workload.Workload, plans []fl.Plan) {
	for i, plan := range plans {
		info := &h.Lanes[i]
		info.Models, info.Size, info.Columns = plan.Models, data.Model().Size(), plan.Models
		if info.Size <= trace.MaxFrameParams {
			info.FrameParams = info.Size
		}
		if plan.Personal {
			info.Columns = 1
		}
		if n, ok := data.Model().(*model.Network); ok && plan.SharesTrunk {
			info.Trunk = n.TrunkBlocks()
		}
		info.Map, info.Border = mapOf(plan.Evidence, plan.Models), plan.Evidence == fl.LeastLoss
	}
}
