package model

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"flockscope/sim/param"
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
	for i := range entry.Fields {
		v[entry.Fields[i].Name] = entry.Fields[i].Default
	}
	for _, s := range settings {
		key, text, _ := strings.Cut(s, "=")
		v[key] = text
	}
	n, err := entry.Make.Make(v.Values(), shape, classes)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
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
	}
}

// describe names a network in a failure.
func describe(n *Network) string {
	var parts []string
	for _, l := range n.layers {
		parts = append(parts, fmt.Sprintf("%T%v", l.layer, l.layer))
	}
	return strings.Join(parts, " ")
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
	for i := range b.X {
		b.X[i] = float32(s.Float64())
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
		if c, ok := l.layer.(conv); ok {
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
