package fl

import (
	"slices"

	"flockscope/sim/kernel"
	"flockscope/sim/trace"
)

// Recorder records the steps of a round, with the numbers of one client. A round has a recorder only while it is
// explained. Recording changes no result.
type Recorder struct {
	Client int
	Notes  []trace.Note
	Update []float32 // the first update of the client's last reply, as the server has got it

	sent  []float64    // models that have been recorded as sent
	later []trace.Note // see NoteLater
}

// maxNoted is the maximum number of floats in a value.
const maxNoted = 8

// The steps that a [Round] records itself, for every method. Values are in brackets. Those of messages also have
// [floats], as [Traffic] counts them, and [clients], the number of clients that sent or received such a message in the
// exchange.
const (
	StepSend    = "send"    // models went to the client [k; with a single one its parameters theta]
	StepExtra   = "extra"   // it was sent other data, and no model
	StepLosses  = "losses"  // it replied with its losses [losses]
	StepPick    = "best"    // it picked the model of least loss [losses, k]
	StepFeature = "feature" // it replied with a feature [k, gradient]
	StepAnswer  = "answer"  // it replied to a call [answer]
	StepTrain   = "train"   // it replied with an update [k, gradient]
	StepFill    = "fill"    // small clusters were filled [least, moved, before, k] (see Rebalance)
	StepDescend = "descend" // its model was moved along a mean update [k, step, old, mean, new]
	StepMove    = "move"    // its model was moved in another way [k, old, new]
	StepPlace   = "place"   // it was given a model [before, k]
)

// Follows reports whether rec records the numbers of client i. rec may be nil.
func (rec *Recorder) Follows(i int) bool { return rec != nil && rec.Client == i }

// Note records a step. Callers check that there is a recorder, so that values are not computed for nothing.
//
//go:noinline
func (rec *Recorder) Note(step string, values ...trace.Value) {
	rec.Notes = append(rec.Notes, trace.Note{Step: step, Values: values})
}

// NoteLater is Note for steps that an algorithm takes while replies arrive: the note follows that of the models' move.
func (rec *Recorder) NoteLater(step string, values ...trace.Value) {
	rec.later = append(rec.later, trace.Note{Step: step, Values: values})
}

// Flush appends the notes of NoteLater. rec may be nil.
func (rec *Recorder) Flush() {
	if rec != nil {
		rec.Notes, rec.later = append(rec.Notes, rec.later...), rec.later[:0]
	}
}

// ReplaceAnswer is Note for a step that explains a client's answer: it replaces the note that there was one, and keeps its
// size.
func (rec *Recorder) ReplaceAnswer(step string, values ...trace.Value) {
	if last := len(rec.Notes) - 1; last >= 0 && rec.Notes[last].Step == StepAnswer {
		values = append(values, rec.Notes[last].Values[:sizeValues]...)
		rec.Notes = rec.Notes[:last]
	}
	rec.Note(step, values...)
}

// Notes are made in many places, and most of a program's code for them would be copies of the next functions: so they
// are not inlined.

// Number is one number in a note.
//
//go:noinline
func Number(name string, v float64) trace.Value {
	return trace.Value{Name: name, Numbers: []float64{v}}
}

// Int is a whole number in a note: a model, a client, a count.
//
//go:noinline
func Int(name string, n int) trace.Value { return Number(name, float64(n)) }

// Floats are the first numbers of a vector.
//
//go:noinline
func Floats[T float32 | float64](name string, from []T) trace.Value {
	v := trace.Value{Name: name, More: len(from) > maxNoted}
	for _, x := range from[:min(len(from), maxNoted)] {
		v.Numbers = append(v.Numbers, float64(x))
	}
	return v
}

// Weights are the last numbers of a model's parameters or of a vector of the same shape, such as a gradient. These are of
// the output layer. The first ones belong to a corner of a picture, which is usually blank.
//
//go:noinline
func Weights[T float32 | float64](name string, from []T) trace.Value {
	v := Floats(name, from[max(0, len(from)-maxNoted):])
	v.More = len(from) > maxNoted
	v.Last = v.More
	return v
}

// SetRecorder makes the round record its steps in rec; nil stops recording.
func (r *Round) SetRecorder(rec *Recorder) { r.recorder = rec }

// Recorder returns the recorder of the round, nil for none.
func (r *Round) Recorder() *Recorder { return r.recorder }

// sizeValues is the number of values in a message's note that are about its size.
const sizeValues = 2

// noteMessage records a message with its number of floats and the number of clients with such a message.
func (r *Round) noteMessage(rec *Recorder, step string, floats int, values ...trace.Value) {
	clients, own := 0, &r.Exchange.Tasks[rec.Client]
	for i := range r.Exchange.Tasks {
		t := &r.Exchange.Tasks[i]
		has := r.replied[i]
		switch step {
		case StepSend, StepExtra:
			has = !t.Empty()
		case StepLosses:
			has = has && (t.Losses || t.PickBest)
		case StepFeature:
			has = has && t.Feature > 0
		case StepAnswer:
			has = has && t.Call == own.Call
		case StepTrain:
			has = has && (t.PickBest || len(t.Updates) > 0)
		}
		if has {
			clients++
		}
	}
	rec.Note(step, append([]trace.Value{Int("floats", floats), Int("clients", clients)}, values...)...)
}

// noteAsk notes what the client was sent and what it replied: first the data for comparison, then its updates.
func (r *Round) noteAsk(rec *Recorder) {
	i := rec.Client
	t, reply := &r.Exchange.Tasks[i], &r.Exchange.Replies[i]
	if t.Empty() {
		return
	}
	r.noteSend(rec, t)
	if !r.replied[i] {
		return
	}
	size := r.Bank.Size
	if r.Local {
		size = 0
	}
	if t.Losses || t.PickBest {
		floats := 0
		if t.Losses {
			floats = len(reply.Losses)
		}
		r.noteMessage(rec, StepLosses, floats, Floats("losses", reply.Losses))
	}
	if t.Feature > 0 {
		r.noteMessage(rec, StepFeature, r.Exchange.Width(),
			Int("k", t.Feature-1), Weights("gradient", reply.Feature))
	}
	if t.Call > 0 {
		floats := len(reply.Answer) - r.Bank.Size + size
		if r.Meter != nil {
			floats -= int(r.Meter.FreeUp(r, i))
		}
		r.noteMessage(rec, StepAnswer, floats, Floats("answer", reply.Answer))
	}
	n := 0
	noteUpdate := func(k int) {
		if n == 0 {
			rec.Update = append(rec.Update[:0], reply.Updates[0]...)
		}
		r.noteMessage(rec, StepTrain, size,
			Int("k", k), Weights("gradient", reply.Updates[n]))
		n++
	}
	if t.PickBest {
		rec.Note(StepPick, Floats("losses", reply.Losses), Int("k", reply.Picked))
		noteUpdate(reply.Picked)
	}
	for _, k := range t.Updates {
		noteUpdate(k)
	}
}

// noteSend notes the models that the client did not have yet in this round.
func (r *Round) noteSend(rec *Recorder, t *Task) {
	from := len(rec.sent)
	add := func(k int) {
		if !slices.Contains(rec.sent, float64(k)) {
			rec.sent = append(rec.sent, float64(k))
		}
	}
	if t.Losses || t.PickBest {
		for k := range r.Bank.Models() {
			add(k)
		}
	}
	for _, k := range t.Updates {
		add(k)
	}
	if t.Feature > 0 {
		add(t.Feature - 1)
	}
	for _, k := range t.Models {
		add(k)
	}
	models, floats := rec.sent[from:], len(t.With)
	if t.Call > 0 && r.Meter != nil {
		floats -= int(r.Meter.FreeDown(r, rec.Client))
	}
	if !r.Local {
		floats += len(models) * r.Bank.Size
	}
	if len(models) == 0 || floats == 0 {
		if floats > 0 {
			r.noteMessage(rec, StepExtra, floats)
		}
		return
	}
	values := []trace.Value{Floats("k", models)}
	if len(models) == 1 {
		values = append(values, Weights("theta", r.Bank.Model(int(models[0]))))
	}
	r.noteMessage(rec, StepSend, floats, values...)
}

// noteApply applies an update and records it.
func (r *Round) noteApply(rec *Recorder, k int, sum []float64, divisor float64) {
	old, mean := Weights("old", r.Bank.Model(k)), Weights("mean", sum)
	for j := range mean.Numbers {
		mean.Numbers[j] /= divisor
	}
	kernel.Descend(r.Bank.Model(k), sum, r.Step, divisor)
	rec.Note(StepDescend, Int("k", k), Number("step", r.Step), old, mean, Weights("new", r.Bank.Model(k)))
}
