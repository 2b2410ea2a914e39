package engine

import (
	"context"
	"fmt"
	"slices"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/fl"
	"flockscope/sim/registry"
	"flockscope/sim/trace"
	"flockscope/sim/workload"
)

// Explain plays one lane again up to a round, and records the steps of that round: with the numbers of the client, or
// of the first participant if the client does not take part. Since runs are reproducible, they are the numbers behind
// the frames of [Run]. It calls yield, unless nil, after every round.
func Explain(ctx context.Context, c experiment.Config, file *workload.File, lane, round, client int,
	yield func()) (*trace.Detail, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	d := &explainSink{Detail: trace.Detail{Lane: lane, Round: round, Client: client}, stop: stop, yield: yield}
	err := runLanes(ctx, c, file, []int{lane}, nil, d, d.watch)
	switch {
	case d.seen:
		return &d.Detail, nil
	case err != nil:
		return nil, err
	}
	return nil, fmt.Errorf("engine: there is no round %d of lane %d", round, lane)
}

// explainSink is a sink that records the steps of one round and stops the run after it.
type explainSink struct {
	trace.Detail
	stop context.CancelFunc
	seen bool

	yield func()
}

func (d *explainSink) Begin(*trace.Header)     {}
func (d *explainSink) Frame(int, *trace.Frame) {}
func (d *explainSink) End(int, *trace.Summary) {}
func (d *explainSink) Round(t int) {
	if d.yield != nil {
		d.yield()
	}
	if t >= d.Detail.Round {
		d.stop()
	}
}

// watch plays a round of a lane, with a recorder if it is the round to explain.
func (d *explainSink) watch(l *lane, t int, play func()) {
	if t+1 != d.Detail.Round {
		play()
		return
	}
	d.Client = max(0, min(d.Client, len(l.label)-1))
	rec := &fl.Recorder{Client: d.Client}
	l.record(rec, play)
	d.Client, d.Notes, d.seen = rec.Client, rec.Notes, true
}

// record plays a round with a recorder, and adds notes of changes that the algorithm did not record itself.
func (l *lane) record(rec *fl.Recorder, play func()) {
	l.recorder = rec
	bank := slices.Clone(l.bank.Params)
	play()
	rec.Flush()
	l.recorder = nil
	l.round.SetRecorder(nil)
	l.noteSeen(rec)
	k := l.label[rec.Client]
	old := fl.Bank{Params: bank, Size: l.bank.Size}
	// An algorithm that records no steps still changes labels and models.
	if l.round.Reclustered && !l.noted(rec, registry.Match) {
		rec.Note(fl.StepPlace, fl.Int("before", l.labelsBefore[rec.Client]), fl.Int("k", k))
	}
	if !slices.ContainsFunc(rec.Notes, func(n trace.Note) bool { return n.Step == fl.StepDescend }) &&
		!slices.Equal(old.Model(k), l.bank.Model(k)) {
		rec.Note(fl.StepMove, fl.Int("k", k), fl.Weights("old", old.Model(k)), fl.Weights("new", l.bank.Model(k)))
	}
}

// noted reports whether any step of a phase was recorded.
func (l *lane) noted(rec *fl.Recorder, phase registry.Phase) bool {
	return slices.ContainsFunc(rec.Notes, func(n trace.Note) bool {
		s, ok := catalog.Step(l.info.Algorithm, n.Step)
		return ok && s.Phase == phase
	})
}
