package model

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"testing"
)

// TestBits: training leaves the same bits on every machine and with every set of
// loops in package kernel. The constants were written down once from amd64 and
// WebAssembly. They change if, and only if, the arithmetic does.
func TestBits(t *testing.T) {
	want := []uint64{
		0x5ccae1fe9d5a1392, 0x62e8a63aec385096,
		0xc61da0adc0da7b25, 0xc2965f34a39c6276,
		0x5e152e9cfc00455a, 0x1bb839863c139b75,
		0x0481ea0dfeb51eb3, 0x2ff05b5a86961e26,
		0x38ac121262658e45,
		0x2452594cd94d60d0,
		0x2d278e087d7cbfe4,
		0x4aee1b8d60b740fb,
		0x12491683d15bc51d,
		0x3447e09073ff568,
		0x77e2d492fe1a703e,
		0x94b9798cdcafa238,
		0x891a6ae13e155e04,
		0x233247f7b24fe579,
	}
	for i, n := range small(t) {
		params, b := draw(n, 7, 37)
		gradient := make([]float32, n.Size())
		for _, o := range []*Optimiser{SGD(), Momentum(0.9), Adam()} {
			for range 5 {
				n.Gradient(gradient, params, b)
				o.Step(params, gradient, 0.01)
			}
		}
		h := fnv.New64a()
		for _, p := range params {
			binary.Write(h, binary.LittleEndian, math.Float32bits(p))
		}
		binary.Write(h, binary.LittleEndian, n.Loss(params, b))
		if got := h.Sum64(); got != want[i] {
			t.Errorf("%s: hash of the parameters and the loss = %#x, want %#x", describe(n), got, want[i])
		}
	}
}
