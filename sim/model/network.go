package model

import (
	"math"
	"strconv"

	"flockscope/sim/kernel"
	"flockscope/sim/rng"
)

// Task is the task of a network, which determines its loss.
type Task uint8

// The tasks.
const (
	// Classification: the outputs are logits, one per class, and the loss is
	// the cross-entropy of their softmax with the class in Y.
	Classification Task = iota
	// Regression: the loss is (output − Y)².
	Regression
	// Reconstruction: the loss is the mean over a sample's numbers of
	// (output − X)². Y is ignored.
	Reconstruction
)

// Network is a stack of layers under a loss. It satisfies [Model].
//
// It has scratch memory, which grows to the largest batch it has seen, up to pieceRows rows; from
// then on nothing allocates. So one Network is used by one goroutine at a time, and Fresh makes
// more of them. Scratch holds no state between calls.
type Network struct {
	task          Task
	samples       Shape
	inputs        int
	layers        []stage
	layerSegments []Segment // parameters of each layer
	segments      []Segment
	body          int // number of layers before the head
	piece         int // rows that pass at once
	statistics    []Segment
	drops         bool // some layer drops numbers
	scratch
}

// newNetwork stacks layers. The head begins with layer body.
func newNetwork(task Task, samples Shape, body int, layers []stage) *Network {
	n := &Network{task: task, samples: samples, inputs: samples.Size(), body: body, layers: layers, piece: pieceRows}
	count := map[string]int{}
	at := 0
	for _, l := range layers {
		weights, biases := l.parameters()
		statistics := 0
		if s, ok := l.layer.(statistical); ok {
			statistics = s.statistics()
		}
		if _, ok := l.layer.(*dropout); ok {
			n.drops = true
		}
		n.layerSegments = append(n.layerSegments, Segment{l.name(), at, at + weights + biases + 2*statistics})
		if l.name() == "" {
			continue
		}
		count[l.name()]++
		name := l.name() + strconv.Itoa(count[l.name()])
		n.segments = append(n.segments, Segment{name + ".weight", at, at + weights})
		at += weights
		if biases > 0 {
			n.segments = append(n.segments, Segment{name + ".bias", at, at + biases})
			at += biases
		}
		if statistics > 0 {
			n.statistics = append(n.statistics, Segment{name, at, at + 2*statistics})
			n.segments = append(n.segments, Segment{name + ".mean", at, at + statistics},
				Segment{name + ".variance", at + statistics, at + 2*statistics})
			at += 2 * statistics
		}
	}
	return n
}

// Fresh returns an equal network with scratch of its own, for another
// goroutine.
func (n *Network) Fresh() *Network {
	fresh := *n
	fresh.scratch = scratch{}
	return &fresh
}

// MultiplyAdds is [Model.MultiplyAdds].
func (n *Network) MultiplyAdds() (sum int) {
	for _, l := range n.layers {
		sum += l.multiplyAdds()
	}
	return sum
}

// Computed is [Model.Computed].
func (n *Network) Computed() int64 { return n.computed }

// Task returns what the network learns.
func (n *Network) Task() Task { return n.task }

// Size is the number of parameters, d.
func (n *Network) Size() int { return n.layerSegments[len(n.layerSegments)-1].Hi }

// Samples is the shape of one sample.
func (n *Network) Samples() Shape { return n.samples }

// Inputs is the width of one sample.
func (n *Network) Inputs() int { return n.inputs }

// Outputs is the number of classes, of targets, or of reconstructed inputs.
func (n *Network) Outputs() int { return n.layers[len(n.layers)-1].outputs() }

// Segments returns the parts of the parameter vector in order, without gaps:
// "conv1.weight", "conv1.bias" and so on. Do not modify.
func (n *Network) Segments() []Segment { return n.segments }

// Head returns the part of the parameter vector that methods with shared
// features keep one of per cluster: the last layer, or an autoencoder's
// decoder. It reaches to the end of the vector.
func (n *Network) Head() Segment { return Segment{"head", n.layerSegments[n.body].Lo, n.Size()} }

// Trunk returns what comes before the head: the part that such methods share
// among all clusters. It is empty for a network of one layer.
func (n *Network) Trunk() Segment { return Segment{"trunk", 0, n.Head().Lo} }

// Init draws start parameters as PyTorch does by default: weights and biases
// uniform within ±1/√f, where f is the number of inputs that an output of the
// layer sees. Normalisations start with scales 1 and shifts 0, embeddings with normal numbers.
func (n *Network) Init(params []float32, s *rng.Stream) {
	for i, l := range n.layers {
		if l.name() == "" {
			continue
		}
		if start, ok := l.layer.(starter); ok {
			start.start(n.layerSegments[i].Of(params), s)
			continue
		}
		bound := 1 / math.Sqrt(float64(l.fanIn()))
		layer := n.layerSegments[i].Of(params)
		for j := range layer {
			layer[j] = float32(s.Uniform(-bound, bound))
		}
	}
}

// Modal reports whether gradients are computed in another way than predictions, as with dropout and batch normalisation:
// then the loss that Gradient returns is not that of Loss.
func (n *Network) Modal() bool { return n.drops || len(n.statistics) > 0 }

// Track moves the running statistics of batch normalisation towards those of the batch of a gradient, as PyTorch does,
// and sets their gradient to 0, so that an optimiser does not move them too. Vectors of another length than Size(), such as
// several heads, are left to the optimiser.
func (n *Network) Track(params, gradient []float32) {
	if len(params) != n.Size() {
		return
	}
	for _, s := range n.statistics {
		kernel.Axpy(s.Of(params), -statisticsRate, s.Of(gradient))
		clear(s.Of(gradient))
	}
}
