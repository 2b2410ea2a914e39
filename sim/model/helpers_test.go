package model

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
)

// unit is half the distance from 1 to the next float32: the largest relative
// error of one rounding.
const unit = 0x1p-24

// network builds a registered network. Settings that are not given have their
// defaults.
func network(t testing.TB, name string, shape Shape, classes int, settings ...string) *Network {
	t.Helper()
	entry, ok := Registry.Lookup(name)
	if !ok {
		t.Fatalf("no network is called %s", name)
	}
	v := param.Given{}
	for _, s := range settings {
		key, text, _ := strings.Cut(s, "=")
		v[key] = text
	}
	n, err := entry.Make.Make(defaults(entry).With(v), Samples{Shape: shape, Classes: classes})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// defaults are the settings of a network that is given none.
func defaults(e registry.Entry[Spec]) param.Values {
	v := param.Given{}
	for i := range e.Fields {
		v[e.Fields[i].Name] = e.Fields[i].Default
	}
	return v.Values()
}

// flat is the shape of a sample that is no image.
func flat(n int) Shape { return Shape{1, n, 1} }

// small returns networks of every kind that are quick to check in full.
func small(t testing.TB) []*Network {
	return []*Network{
		network(t, "softmax", flat(7), 4),
		network(t, "mlp", flat(6), 3, "hidden=5"),
		network(t, "mlp", flat(9), 2, "hidden=8,3,6"),
		network(t, "cnn", Shape{16, 16, 1}, 3),
		network(t, "cnn", Shape{17, 19, 2}, 5),
		network(t, "autoencoder", flat(10), 0, "code=6,3,6"),
		network(t, "linear", flat(20), 0),
		network(t, "linear", flat(5), 0, "bias=1"),
		Representation(6, 3),
		parsed(t, "conv4s2-gn2-tanh-dws2-relu-conv3k1-sigmoid-gap", Samples{Shape: Shape{9, 11, 2}, Classes: 3}),
		parsed(t, "dwk5s3p2-pool3-tconv3k3s1-gn1-avg", Samples{Shape: Shape{19, 20, 2}, Classes: 2}),
		parsed(t, "conv4-res4-res6s2-avg3", Samples{Shape: Shape{8, 8, 3}, Classes: 4}),
		parsed(t, "embed5-conv1d6k3-relu-gmax-dense4-tanh", Samples{Shape: flat(11), Classes: 3, Tokens: 7}),
		parsed(t, "conv1d4s2-relu-pool3-conv1d3k2-avg", Samples{Shape: flat(19), Classes: 3}),
		parsed(t, "conv4s2-relu-conv6s2-relu-code-tconv4-relu-tconv-sigmoid", Samples{Shape: Shape{8, 12, 2}}),
		parsed(t, "dense6-gn2-tanh", Samples{Shape: Shape{3, 4, 1}}),
		parsed(t, "conv4-bn-relu-pool-conv6k5s3p1-bn-relu-dense5-bn", Samples{Shape: Shape{12, 10, 1}, Classes: 3}),
		parsed(t, "conv4-relu-drop25-res6s2-drop-gap", Samples{Shape: Shape{6, 6, 2}, Classes: 3}),
	}
}

// plain returns the small networks whose gradients are those of predictions.
func plain(t testing.TB) []*Network { return slices.DeleteFunc(small(t), (*Network).Modal) }

// parsed is the network of a text.
func parsed(t testing.TB, text string, in Samples) *Network {
	t.Helper()
	n, err := Parse(text, in)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return n
}

// describe names a network in a failure.
func describe(n *Network) string {
	return fmt.Sprintf("%s on %v", textOf(n.layers), n.samples)
}

// stream returns a stream of a test's own.
func stream(seed, a, b int) *rng.Stream {
	s := new(rng.Stream)
	s.Reset(uint64(seed), rng.Samples, a, b)
	return s
}

// draw returns start parameters and random samples for a network.
func draw(n *Network, seed, rows int) ([]float32, Batch) {
	s := stream(seed, rows, 0)
	params := make([]float32, n.Size())
	n.Init(params, s)
	var b Batch
	b.Resize(rows, n.Inputs())
	words, isText := n.layers[0].layer.(*embedding)
	for i := range b.X {
		if isText {
			b.X[i] = float32(s.IntN(words.tokens))
		} else {
			b.X[i] = float32(s.Float64())
		}
	}
	for i := range b.Y {
		switch n.Task() {
		case Classification:
			b.Y[i] = float32(s.IntN(n.Outputs()))
		default:
			b.Y[i] = float32(s.Normal())
		}
	}
	return params, b
}

// addends is the largest number of products that any number of a pass is a sum
// of, over all layers: with depth roundings a layer it bounds relative errors.
func addends(n *Network, rows int) float64 {
	total := rows
	for _, l := range n.layers {
		total += l.fanIn()
		if c, ok := l.layer.(interface{ positions() int }); ok {
			total += c.positions()
		}
	}
	return float64(total)
}

// norm returns the Euclidean length.
func norm(v []float32) float64 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum)
}
