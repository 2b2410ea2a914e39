package workers

import (
	"bytes"
	"encoding/binary"
	"errors"

	"flockscope/sim/fl"
)

// Remote are clients in other places, such as phones, which hold their samples themselves. Unlike the work of a shard,
// that of a client that is lost cannot be repeated: the client drops out of the round.
type Remote interface {
	// Exchange hands out a job, and waits until each client with a part in it (see [Job.Asks]) has replied or is lost.
	// It writes what arrives with [Job.Accept] and [Job.AcceptScores], and sets v.Lost for all others. A client that is
	// lost on entry has dropped out of the round before, and is asked nothing. Lanes call Exchange concurrently.
	Exchange(v *Job)
}

// Asks is what a job asks of one client.
type Asks struct {
	fl.Task
	Observe  bool   // losses of all models are wanted for the page
	Scored   int    // one more than the model to evaluate on held-out samples; 0 for none
	Models   []bool // the models that the client needs, by model
	Features int    // length of a feature
}

// Asks returns what a job asks of client i, and whether it asks anything.
func (v *Job) Asks(i int) (Asks, bool) {
	a := Asks{Models: make([]bool, v.Exchange.Bank.Models()), Features: v.Exchange.Width()}
	v.markNeeded(a.Models, i)
	if v.Evaluation != nil {
		a.Scored = v.Evaluation.label[i] + 1
		return a, true
	}
	a.Task, a.Observe = v.Exchange.Tasks[i], v.ObserveAll
	return a, a.Observe || !a.Empty()
}

// Answer is what a client replies to a job without scores.
type Answer struct {
	Losses []float64 // of all models, if the job asks for them or observes them
	Picked int
	Noise  float32 // standard error of the lead of the best model, see [fl.Reply]
	// Updates are in the order of the task; with PickBest that of the picked model comes first.
	Updates  [][]float32
	Feature  []float32
	Computed int64
}

// Accept sets the reply of client i, whose parts must have the lengths that were asked for.
func (v *Job) Accept(i int, a *Answer) {
	t, r := &v.Exchange.Tasks[i], &v.Exchange.Replies[i]
	if asked := t.Losses || t.PickBest; asked || v.ObserveAll {
		copy(r.Losses, a.Losses)
		r.Picked = a.Picked
		if asked && len(a.Losses) > 1 {
			best, next := leastTwo(a.Losses)
			r.Lead, r.Noise = float32(a.Losses[next]-a.Losses[best]), a.Noise
		}
		if v.Observed != nil {
			row := v.Observed[i*v.Columns : (i+1)*v.Columns]
			for k := range row {
				row[k] = float32(a.Losses[k])
			}
		}
	}
	for n, update := range a.Updates {
		copy(v.Exchange.Buffer(i, n), update)
	}
	if t.Feature > 0 {
		copy(v.Exchange.FeatureBuffer(i), a.Feature)
	}
	if r.Computed = a.Computed; len(a.Updates) > 0 {
		noteLength(r, a.Updates[0])
	}
}

// AcceptScores sets the scores of client i: its mean loss and its confusion matrix, class by predicted class.
func (v *Job) AcceptScores(i int, loss float64, confusion []uint16) {
	e, n := v.Evaluation, 0
	e.Loss[i] = loss
	copy(e.confusionOf(i), confusion)
	for _, count := range confusion {
		n += int(count)
	}
	e.score(i, n)
}

// startRemote plays the exchange of a job with remote clients.
func (w *Pool) startRemote(v *Job) {
	v.Lost = append(v.Lost[:0], make([]bool, len(w.all))...)
	if v.Evaluation == nil && v.Dropped != nil {
		for i := range v.Lost {
			v.Lost[i] = v.Dropped(i)
		}
	}
	w.Remote.Exchange(v)
	for i, lost := range v.Lost {
		if lost { // a client that is lost has computed nothing that anybody knows of
			v.Exchange.Replies[i].Computed = 0
		}
	}
}

// nextRemote is Next with remote clients.
func (w *Pool) nextRemote(v *Job) (client int, ok bool) {
	if v.nextClient == len(w.all) {
		w.checkpoint()
		return 0, false
	}
	v.nextClient++
	return v.nextClient - 1, true
}

// AppendReplies appends to dst which clients are lost, and what the others have replied, so that the job can be played
// again without them.
func (v *Job) AppendReplies(dst []byte) []byte {
	var p encoder
	packReplies(&p, v, v.replied())
	for _, lost := range v.Lost {
		dst = append(dst, bit(lost))
	}
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(p.Small)))
	dst = append(dst, p.Small...)
	for _, list := range p.Long {
		dst = append(dst, list...)
	}
	return dst
}

// errReplies is the error of replies that belong to another job.
var errReplies = errors.New("engine: the recorded replies do not fit the run")

// ReadReplies sets the replies to a job to those of [Job.AppendReplies].
func (v *Job) ReadReplies(data []byte) error {
	if len(data) < len(v.Lost)+4 {
		return errReplies
	}
	for i := range v.Lost {
		v.Lost[i] = data[i] == 1
	}
	data = data[len(v.Lost):]
	small, rest := int64(binary.LittleEndian.Uint32(data)), data[4:]
	if small > int64(len(rest)) {
		return errReplies
	}
	if !unpackReplies(Incoming{Small: rest[:small], Long: bytes.NewReader(rest[small:])}, v, v.replied()) {
		return errReplies
	}
	return nil
}

// replied returns the clients that a job asks something and that are not lost.
func (v *Job) replied() []int {
	var part []int
	for i, lost := range v.Lost {
		if _, asked := v.Asks(i); asked && !lost {
			part = append(part, i)
		}
	}
	return part
}
