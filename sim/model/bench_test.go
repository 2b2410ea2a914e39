package model

import "testing"

// BenchmarkStep is one step of gradient descent on 64 samples. An operation is
// a multiplication or an addition in a product of matrices.
func BenchmarkStep(b *testing.B) {
	const rows = 64
	digits := Shape{28, 28, 1}
	for _, bb := range []struct {
		name string
		n    *Network
		// Multiply-adds a sample; the first layer has no gradient by inputs.
		flops float64
	}{
		{"mlp", network(b, "mlp", digits, 10), 2*784*200 + 3*200*10},
		{"cnn", network(b, "cnn", digits, 10), 2*576*25*6 + 3*64*150*16 + 3*256*10},
	} {
		b.Run(bb.name, func(b *testing.B) {
			params, samples := draw(bb.n, 1, rows)
			gradient, o := make([]float32, bb.n.Size()), SGD()
			bb.n.Gradient(gradient, params, samples) // makes room
			b.ReportAllocs()
			for b.Loop() {
				bb.n.Gradient(gradient, params, samples)
				o.Step(params, gradient, 1e-6)
			}
			b.ReportMetric(2*bb.flops*rows*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
		})
	}
}
