//go:build !js

package class

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/coder/websocket"

	"flockscope/sim/engine"
	"flockscope/sim/experiment"
	"flockscope/sim/runfile"
	"flockscope/sim/trace"
	"flockscope/sim/workload"
)

const binaryMessage = websocket.MessageBinary

// leastPhones is the least number of phones of a run.
const leastPhones = 4

// A run is one experiment of a class. It is the engine's remote clients, and its sink. The class's mutex guards it, and
// c.run.moved is signalled when a goroutine of the run may go on.
type run struct {
	class  *Class
	phones []*phone // by client
	query  string
	config experiment.Config
	data   *workload.Remote
	titles []string
	ctx    context.Context
	cancel context.CancelFunc
	over   chan struct{} // closed when the run is over
	moved  *sync.Cond

	round, rounds int
	began         time.Time // of the round
	paused        bool
	waiting       bool   // for phones
	failed        string // why the run ended early
	ended         bool
	lastJob       uint32
	took          []time.Duration // of the rounds

	recorder    engine.Recorder
	replies     *recording
	accuracy    [][]float64 // lane by round, of all clients
	ari         [][]float64
	label       [][]int // lane by client
	right       [][]float64
	fingerprint []string
}

// phase is what a page shows.
func (r *run) phase() string {
	switch {
	case r.playing():
		return "playing"
	case r.failed != "":
		return "failed"
	}
	return "over"
}

func (r *run) playing() bool { return r != nil && !r.ended }

// start starts a run with all phones that are ready and here.
func (c *Class) start() error {
	group, held := c.groups()
	if len(group) < leastPhones {
		return fmt.Errorf("a run needs %d phones with drawings, and %d are here", leastPhones, len(group))
	}
	r := &run{class: c, query: queryOf(c.options, len(group)), over: make(chan struct{}), moved: sync.NewCond(&c.mu)}
	var err error
	if r.config, r.data, err = configOf(r.query, group, held, c.settings.Digits); err != nil {
		return err
	}
	r.titles, r.rounds = titlesOf(r.config), r.config.Values(-1).Int("T")
	lanes := len(r.titles)
	r.accuracy, r.ari, r.label, r.right = make([][]float64, lanes), make([][]float64, lanes), make([][]int, lanes),
		make([][]float64, lanes)
	r.replies = newRecording(r, c.options.Record)
	for _, p := range c.phones {
		p.client, p.accrued, p.models = -1, nil, nil
		clear(p.open)
		clear(p.past)
		if p.plays() {
			p.client = len(r.phones)
			r.phones = append(r.phones, p)
		}
	}
	if c.run != nil {
		r.lastJob = c.run.lastJob
	}
	r.ctx, r.cancel = context.WithCancel(c.ctx)
	context.AfterFunc(r.ctx, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		r.wake()
	})
	c.run, c.asking, c.picture = r, false, nil
	go r.play()
	return nil
}

// play plays the run to its end.
func (r *run) play() {
	err := engine.RunRemote(r.ctx, r.config, r.data, r, r)
	c := r.class
	c.mu.Lock()
	defer c.mu.Unlock()
	r.ended = true
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		r.failed = "stopped"
	case err != nil:
		r.failed = err.Error()
	default:
		r.replies.trace = runfile.Write(r.recorder.Run)
		c.remember(r)
	}
	for _, p := range r.phones {
		clear(p.open)
	}
	r.cancel()
	close(r.over)
	c.changed()
	c.tellPhones()
}

// pastRun is how a run ended.
type pastRun struct {
	Noise    float64   `json:"noise"` // on updates
	Rounds   int       `json:"rounds"`
	Titles   []string  `json:"titles"`
	Accuracy []float64 `json:"accuracy"` // of each method, in the last round
}

// mostPast is how many runs the teacher can compare.
const mostPast = 8

// remember notes how a run ended.
func (c *Class) remember(r *run) {
	p := pastRun{Noise: c.options.Noise, Rounds: r.rounds, Titles: r.titles}
	for _, list := range r.accuracy {
		p.Accuracy = append(p.Accuracy, list[len(list)-1])
	}
	c.past = append(c.past, p)
	c.past = c.past[max(0, len(c.past)-mostPast):]
}

// wake lets goroutines of the run look again whether they may go on.
func (r *run) wake() {
	if r != nil {
		r.moved.Broadcast()
	}
}

// Exchange implements [engine.Remote].
func (r *run) Exchange(v *engine.Job) {
	r.waitForPhones()
	arrived := make(chan arrival, len(r.phones))
	asks := make([]engine.Asks, len(r.phones))
	job, pending := r.send(v, asks, arrived)
	accept := func(a arrival) {
		if v.Lost[a.client] = a.reply == nil; a.reply != nil {
			r.accept(v, &asks[a.client], a)
		}
		pending[a.client] = false
	}
	deadline := time.NewTimer(r.class.settings.Deadline)
	defer deadline.Stop()
	for late := false; !late && r.awaits(pending); {
		select {
		case a := <-arrived:
			accept(a)
		case <-deadline.C:
			late = true
		case <-r.ctx.Done():
			late = true
		}
	}
	r.closeJob(job, pending)
	for len(arrived) > 0 {
		accept(<-arrived)
	}
	for i, still := range pending {
		v.Lost[i] = v.Lost[i] || still
	}
	r.replies.add(v)
}

// waitForPhones waits while most phones of the run are gone, as when the network of the room fails, or the run is paused.
func (r *run) waitForPhones() {
	r.class.mu.Lock()
	defer r.class.mu.Unlock()
	for r.ctx.Err() == nil {
		here, left := 0, 0
		for _, p := range r.phones {
			if p.usable() {
				here++
			}
			if !p.forgotten {
				left++
			}
		}
		waiting := 2*here < left || left == 0
		if waiting != r.waiting {
			r.waiting = waiting
			r.class.changed()
		}
		if !waiting && !r.paused {
			return
		}
		r.moved.Wait()
	}
}

// send sends a job to the clients that it asks something, and marks those that cannot be reached as lost.
func (r *run) send(v *engine.Job, asks []engine.Asks, arrived chan<- arrival) (job uint32, pending []bool) {
	c := r.class
	c.mu.Lock()
	defer c.mu.Unlock()
	r.lastJob++
	pending = make([]bool, len(r.phones))
	for i, p := range r.phones {
		a, ok := v.Asks(i)
		switch asks[i] = a; {
		case !ok || v.Lost[i]:
		case !p.usable():
			v.Lost[i] = true
		default:
			task := appendTask(nil, r.lastJob, v, &a)
			p.open[r.lastJob] = &request{task, expect(v, &a, r.data.Inputs, r.data.Classes(), p.held), arrived}
			p.link.send(binaryMessage, task)
			pending[i] = true
		}
	}
	return r.lastJob, pending
}

// awaits reports whether a phone that is worth waiting for has not replied yet. Those that have missed too many deadlines
// in a row are asked, too, and count if they are quick.
func (r *run) awaits(pending []bool) bool {
	r.class.mu.Lock()
	defer r.class.mu.Unlock()
	for i, p := range r.phones {
		if pending[i] && p.missed < mostMissed {
			return true
		}
	}
	return false
}

// closeJob makes later replies to a job late. A phone that is connected and silent is not waited for again until it sends
// something.
func (r *run) closeJob(job uint32, pending []bool) {
	c := r.class
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, p := range r.phones {
		if _, open := p.open[job]; open && pending[i] {
			delete(p.open, job)
			p.past[job] = false
			p.missed++
			p.stalled = p.link != nil
		}
	}
}

// accept passes a reply on to the engine.
func (r *run) accept(v *engine.Job, asks *engine.Asks, a arrival) {
	if asks.Scored > 0 {
		v.AcceptScores(a.client, a.reply.loss, a.reply.confusion)
		return
	}
	weights := v.Exchange.Bank.Size - r.data.Classes() // without the constants
	a.reply.answer.Computed = computed(asks, r.data.Held[a.client], weights, v.Protocol.Epochs)
	v.Accept(a.client, &a.reply.answer)
	if len(a.reply.answer.Updates) > 0 {
		r.class.mu.Lock()
		defer r.class.mu.Unlock()
		if p := r.phones[a.client]; p == r.class.shown && v.Lane == 0 {
			r.class.picture = pictureOf(a.reply.answer.Updates[0], r.data.Classes(), v.Round, p.number)
		}
	}
}

// computed is the multiply-adds of a client, by the rules of fl.Round: those of a forward pass for each sample and loss,
// and of a forward and a backward pass for each sample and gradient.
func computed(a *engine.Asks, samples, weights, epochs int) int64 {
	passes := 0
	if a.Losses {
		passes += len(a.Models)
	}
	gradients := len(a.Updates)
	if a.PickBest {
		gradients++
		passes += len(a.Models)
	}
	if a.Feature > 0 {
		gradients++
	}
	if a.PickBest && a.Losses {
		passes -= len(a.Models)
	}
	return int64(samples*weights) * int64(passes+2*gradients*max(epochs, 1))
}

// Begin, Frame, Round and End implement [engine.Sink].

func (r *run) Begin(h *trace.Header) { r.recorder.Begin(h) }

func (r *run) Frame(lane int, f *trace.Frame) {
	r.recorder.Frame(lane, f)
	c := r.class
	c.mu.Lock()
	defer c.mu.Unlock()
	r.accuracy[lane] = append(r.accuracy[lane], rounded(f.Accuracy))
	r.ari[lane] = append(r.ari[lane], rounded(f.ARI))
	r.label[lane], r.right[lane] = r.label[lane][:0:0], r.right[lane][:0:0]
	for i, k := range f.Label {
		r.label[lane] = append(r.label[lane], int(k))
		r.right[lane] = append(r.right[lane], rounded(float64(f.Accuracies[i])))
	}
}

// rounded returns a number with three decimals; 0 if it is not finite.
func rounded(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return math.Round(1000*x) / 1000
}

// Round ends a round, waits until it has lasted long enough, and tells all what it was.
func (r *run) Round(t int) {
	c := r.class
	c.mu.Lock()
	took := c.now().Sub(r.began)
	if !r.began.IsZero() {
		r.took = append(r.took, took)
	}
	r.round = t
	for i, p := range r.phones {
		p.accrued, p.models = nil, nil
		for lane := range r.right {
			p.accrued, p.models = append(p.accrued, r.right[lane][i]), append(p.models, r.label[lane][i])
		}
		c.tellPhone(p)
	}
	c.changed()
	c.mu.Unlock()
	if rest := c.settings.Pace - took; rest > 0 {
		select {
		case <-time.After(rest):
		case <-r.ctx.Done():
		}
	}
	c.mu.Lock()
	r.began = c.now()
	c.mu.Unlock()
}

func (r *run) End(lane int, s *trace.Summary) {
	r.recorder.End(lane, s)
	c := r.class
	c.mu.Lock()
	defer c.mu.Unlock()
	r.fingerprint = append(r.fingerprint, fmt.Sprintf("%016x", s.Fingerprint))
}

// forgetReplies deletes the recorded replies, and records no more of them.
func (r *run) forgetReplies() { r.replies.forget() }

// picture is an update as pictures, one per class: the row of the class, drawn so that what it was trained on is dark.
type picture struct {
	Phone  int      `json:"phone"`
	Round  int      `json:"round"`
	Pixels []string `json:"pixels"` // base64 of bytes; 128 is 0
}

// pictureOf makes the picture of an update, whose weights are stored pixel by pixel with all classes.
func pictureOf(update []float32, classes, round, phone int) *picture {
	pic := &picture{Phone: phone, Round: round}
	most := float32(1e-12)
	weights := update[:len(update)-classes]
	for _, x := range weights {
		most = max(most, x, -x)
	}
	for k := range classes {
		pixels := make([]byte, 0, len(weights)/classes)
		for j := k; j < len(weights); j += classes {
			pixels = append(pixels, byte(128-127*weights[j]/most)) // descent: less of the update is more of the drawing
		}
		pic.Pixels = append(pic.Pixels, base64.StdEncoding.EncodeToString(pixels))
	}
	return pic
}
