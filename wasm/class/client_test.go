//go:build !js

package class

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"

	"flockscope/sim/engine"
	"flockscope/sim/model"
)

// drawings are what a phone holds.
type drawings struct {
	x, heldX []float32
	y, heldY []float32
	noise    *rand.Rand // of the noise on updates; nil for none
}

func (d *drawings) add(x []float32, class int, held bool) {
	if held {
		d.heldX, d.heldY = append(d.heldX, x...), append(d.heldY, float32(class))
	} else {
		d.x, d.y = append(d.x, x...), append(d.y, float32(class))
	}
}

// turn turns a picture by 180 degrees.
func turn(x []float32) { slices.Reverse(x) }

// answerTask is a phone in Go: it reads a task and answers it with the engine's own model, without noise.
func answerTask(task []byte, d *drawings, classes int) []byte {
	at := 0
	word := func() int { at += 4; return int(binary.LittleEndian.Uint32(task[at-4:])) }
	number := func() float32 { return math.Float32frombits(uint32(word())) }
	list := func(n int) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = number()
		}
		return x
	}
	version, job, _, _, flags, scored, feature := word(), word(), word(), word(), word(), word(), word()
	k, size, epochs := word(), word(), word()
	rate, clip, noise := number(), number(), number()
	updates, coordinates := word(), word()
	ask, compared, there := make([]int, updates), make([]int, coordinates), make([]bool, k)
	for i := range ask {
		ask[i] = word()
	}
	for i := range compared {
		compared[i] = word()
	}
	for i := range there {
		there[i] = word() == 1
	}
	bank := make([][]float32, k)
	for i := range bank {
		if there[i] {
			bank[i] = list(size)
		}
	}
	var out []byte
	put := func(n int) { out = binary.LittleEndian.AppendUint32(out, uint32(n)) }
	putAll := func(x ...float32) {
		for _, v := range x {
			put(int(math.Float32bits(v)))
		}
	}
	put(version)
	put(job)
	softmax, _ := model.Registry.Lookup("softmax")
	net, err := softmax.Make.Make(nil, model.Samples{Shape: model.Shape{Height: Side, Width: Side, Channels: 1},
		Classes: classes})
	if err != nil {
		panic(err)
	}
	b := model.Batch{X: d.x, Y: d.y, N: len(d.y)}
	if scored > 0 {
		confusion := make([]uint16, classes*classes)
		putAll(float32(net.Confusion(confusion, bank[scored-1], model.Batch{X: d.heldX, Y: d.heldY, N: len(d.heldY)})))
		for _, n := range confusion {
			put(int(n))
		}
		return out
	}
	picked := 0
	if flags != 0 {
		losses := make([]float32, k)
		for i := range losses {
			losses[i] = float32(net.Loss(bank[i], b))
		}
		picked = slices.Index(losses, slices.Min(losses))
		putAll(losses...)
		put(picked)
		putAll(0)
	}
	update := func(params []float32) []float32 {
		g, trained := make([]float32, size), slices.Clone(params)
		for range max(epochs, 1) {
			net.Gradient(g, trained, b)
			if epochs > 0 {
				for j := range trained {
					trained[j] -= rate * g[j]
				}
			}
		}
		if epochs > 0 {
			for j := range g {
				g[j] = params[j] - trained[j]
			}
		}
		norm := 0.0
		for _, v := range g {
			norm += float64(float64(v) * float64(v))
		}
		if norm = math.Sqrt(norm); clip > 0 && norm > float64(clip) {
			for j := range g {
				g[j] *= clip / float32(norm)
			}
		}
		if clip > 0 && d.noise != nil {
			for j := range g {
				g[j] += float32(float64(noise*clip) * d.noise.NormFloat64())
			}
		}
		return g
	}
	if flags&picksBest != 0 {
		putAll(update(bank[picked])...)
	}
	for _, i := range ask {
		putAll(update(bank[i])...)
	}
	if feature > 0 {
		g := update(bank[feature-1])
		if coordinates > 0 {
			for _, j := range compared {
				putAll(g[j])
			}
		} else {
			putAll(g...)
		}
	}
	return out
}

// direct are remote clients without a network in between.
type direct struct {
	phones  []drawings
	classes int
}

func (d *direct) Exchange(v *engine.Job) {
	for i := range d.phones {
		asks, ok := v.Asks(i)
		if !ok || v.Lost[i] {
			continue
		}
		e := expect(v, &asks, Side*Side, d.classes, len(d.phones[i].heldY))
		r, err := e.readReply(answerTask(appendTask(nil, 1, v, &asks), &d.phones[i], d.classes)[4*replyHead:])
		if err != nil {
			panic(err)
		}
		if asks.Scored > 0 {
			v.AcceptScores(i, r.loss, r.confusion)
		} else {
			v.Accept(i, &r.answer)
		}
	}
}

// correlation is that of a picture of an update, in base64, and a drawing.
func correlation(picture string, drawing []float32) float64 {
	bytes, err := base64.StdEncoding.DecodeString(picture)
	if err != nil || len(bytes) != len(drawing) {
		return math.NaN()
	}
	var a, b, aa, bb, ab float64
	for i, p := range bytes {
		x, y := float64(p), float64(drawing[i])
		a, b, aa, bb, ab = a+x, b+y, aa+x*x, bb+y*y, ab+x*y
	}
	n := float64(len(bytes))
	return (ab - a*b/n) / math.Sqrt((aa-a*a/n)*(bb-b*b/n))
}
