//go:build !js

package class

import (
	"encoding/binary"
	"fmt"
	"math"

	"flockscope/sim/engine"
	"flockscope/sim/fl"
)

// Version is that of the messages between a phone and the server. A phone's page comes from the server that it talks
// to, so a phone of another version is one that reloads.
const Version = 1

// A task is what a phone is asked: whole numbers and float32 numbers of four bytes each, little endian.
//
//	0   Version
//	1   number of the job, which the reply repeats
//	2   lane
//	3   round, from 1
//	4   flags: 1 losses of all models, for the page; 2 losses of all models; 4 the update of the best model
//	5   one more than the model to evaluate on the held-out drawings; 0 for none
//	6   one more than the model whose gradient is compared; 0 for none
//	7   number of models, K
//	8   parameters of a model, d
//	9   local epochs; 0 for one gradient
//	10  learning rate (float32)
//	11  clipping norm (float32); 0 for no clipping and no noise
//	12  noise, in clipping norms (float32)
//	13  number of models whose updates are asked, U
//	14  number of coordinates of the compared gradient, N; 0 for all
//	15  U models, then N coordinates, then K numbers: 1 if the model follows
//	    then d parameters (float32) of each model that follows
//
// A reply repeats Version and the number of the job. To an evaluation it adds the mean loss (float32) and the confusion
// matrix, class by predicted class. To other jobs, where asked: K losses, the picked model, the standard error of its lead
// (float32); the updates, the picked model's first; the compared gradient.
const taskHead, replyHead = 15, 2

// flags of a task
const observes, asksLosses, picksBest = 1, 2, 4

// appendTask appends the task of a client.
func appendTask(dst []byte, job uint32, v *engine.Job, a *engine.Asks) []byte {
	u32 := func(n int) { dst = binary.LittleEndian.AppendUint32(dst, uint32(n)) }
	f32 := func(x float64) { u32(int(math.Float32bits(float32(x)))) }
	flags := 0
	for flag, on := range map[int]bool{observes: a.Observe, asksLosses: a.Losses, picksBest: a.PickBest} {
		if on {
			flags |= flag
		}
	}
	bank, p := v.Exchange.Bank, &v.Protocol
	var coordinates []int32
	if a.Feature > 0 {
		coordinates = v.Exchange.Coordinates
	}
	for _, n := range []int{Version, int(job), v.Lane, v.Round, flags, a.Scored, a.Feature, bank.Models(), bank.Size,
		p.Epochs} {
		u32(n)
	}
	for _, x := range []float64{p.Rate, p.Clip, p.Noise} {
		f32(x)
	}
	u32(len(a.Updates))
	u32(len(coordinates))
	for _, k := range a.Updates {
		u32(k)
	}
	for _, at := range coordinates {
		u32(int(at))
	}
	for _, needed := range a.Models {
		if needed {
			u32(1)
		} else {
			u32(0)
		}
	}
	for k, needed := range a.Models {
		if needed {
			for _, x := range bank.Model(k) {
				u32(int(math.Float32bits(x)))
			}
		}
	}
	return dst
}

// An expected reply is one that a phone has not sent yet.
type expected struct {
	losses, picks    bool
	models, size     int
	updates, feature int
	scored           bool
	classes          int
	held             int     // held-out drawings of the phone
	longest          float64 // length of the longest update that an honest phone can send
}

// expect returns what a phone will reply to a task. samples is the number of its training drawings.
func expect(v *engine.Job, a *engine.Asks, inputs, classes, held int) expected {
	e := expected{losses: a.Observe || a.Losses || a.PickBest, picks: a.PickBest, models: v.Exchange.Bank.Models(),
		size: v.Exchange.Bank.Size, updates: len(a.Updates), scored: a.Scored > 0, classes: classes, held: held,
		longest: longestUpdate(&v.Protocol, inputs, v.Exchange.Bank.Size)}
	if a.PickBest {
		e.updates++
	}
	if a.Feature > 0 {
		e.feature = a.Features
	}
	return e
}

// longestUpdate bounds the length of an honest update. The gradient of a softmax regression for one drawing is the
// product of the drawing, with a 1 for the constant, and of the errors of the classes. Pixels are from 0 to 1, and
// errors are at most √2 long. A trained model adds as many of these as there are epochs. Clipping bounds
// the length, and normal noise on d numbers is shorter than √d + 8 standard deviations, but once in 10¹⁴ updates.
func longestUpdate(p *fl.Protocol, inputs, size int) float64 {
	longest := math.Sqrt(2 * float64(inputs+1))
	if p.Epochs > 0 {
		longest *= p.Rate * float64(p.Epochs)
	}
	if p.Clip > 0 {
		longest = min(longest, p.Clip) + float64(p.Clip*p.Noise)*(math.Sqrt(float64(size))+8)
	}
	return longest * 1.001 // rounding
}

// length is the number of bytes of the reply.
func (e *expected) length() int {
	words := replyHead
	if e.scored {
		return 4 * (words + 1 + e.classes*e.classes)
	}
	if e.losses {
		words += e.models + 2
	}
	return 4 * (words + e.updates*e.size + e.feature)
}

// reply is what a phone has sent: an answer, or scores.
type reply struct {
	answer    engine.Answer
	loss      float64
	confusion []uint16
}

// readReply reads the rest of a reply, behind its head, and checks it: its length, that numbers are finite, and that
// they are possible.
func (e *expected) readReply(data []byte) (*reply, error) {
	if len(data) != e.length()-4*replyHead {
		return nil, fmt.Errorf("%w: %d bytes, want %d", errSize, len(data)+4*replyHead, e.length())
	}
	word := func() uint32 {
		x := binary.LittleEndian.Uint32(data)
		data = data[4:]
		return x
	}
	var wrong error
	number := func() float32 {
		x := math.Float32frombits(word())
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			wrong = errFinite
		}
		return x
	}
	list := func(n int) []float32 {
		x, squares := make([]float32, n), 0.0
		for i := range x {
			x[i] = number()
			squares += float64(float64(x[i]) * float64(x[i]))
		}
		if wrong == nil && squares > float64(e.longest*e.longest) {
			wrong = fmt.Errorf("%w: an update of length %.3g, at most %.3g is possible", errForged, math.Sqrt(squares), e.longest)
		}
		return x
	}
	r := &reply{}
	loss := func() float64 {
		x := float64(number())
		if wrong == nil && x < 0 {
			wrong = fmt.Errorf("%w: a negative loss", errForged)
		}
		return x
	}
	if e.scored {
		r.loss = loss()
		total := 0
		for range e.classes * e.classes {
			n := word()
			if n > uint32(e.held) {
				return nil, fmt.Errorf("%w: %d held-out drawings in one cell, and it has %d", errForged, n, e.held)
			}
			r.confusion = append(r.confusion, uint16(n))
			total += int(n)
		}
		if wrong == nil && total != e.held {
			wrong = fmt.Errorf("%w: scores of %d held-out drawings, and it has %d", errForged, total, e.held)
		}
		return r.unless(wrong)
	}
	if e.losses {
		for range e.models {
			r.answer.Losses = append(r.answer.Losses, loss())
		}
		picked := word()
		if picked >= uint32(e.models) {
			return nil, fmt.Errorf("%w: it picked model %d of %d", errForged, picked, e.models)
		}
		r.answer.Picked, r.answer.Noise = int(picked), number()
	}
	for range e.updates {
		r.answer.Updates = append(r.answer.Updates, list(e.size))
	}
	if e.feature > 0 {
		r.answer.Feature = list(e.feature)
	}
	return r.unless(wrong)
}

// unless returns the reply, or an error.
func (r *reply) unless(wrong error) (*reply, error) {
	if wrong != nil {
		return nil, wrong
	}
	return r, nil
}
