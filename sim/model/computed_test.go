package model

import "testing"

// TestComputed compares counts with those that are made by hand.
func TestComputed(t *testing.T) {
	const rows = pieceRows + 9
	const first, second, last = 24 * 24 * 25 * 6, 8 * 8 * 150 * 16, 256 * 10 // of the cnn
	const heads = 3
	cnn := network(t, "cnn", Shape{28, 28, 1}, 10)
	for _, tt := range []struct {
		name              string
		m                 Model
		forward, gradient int64 // of one sample
	}{
		// The first layer has no gradient by its inputs.
		{"line", Linear{Intercept: true}, 1, 2},
		{"softmax", network(t, "softmax", flat(7), 4), 28, 2 * 28},
		{"mlp", network(t, "mlp", flat(784), 10, "hidden=200"), 784*200 + 200*10, 2*784*200 + 3*200*10},
		{"cnn", cnn, first + second + last, 2*first + 3*(second+last)},
	} {
		m := Fresh(tt.m)
		if got := m.MultiplyAdds(); int64(got) != tt.forward {
			t.Errorf("%s: MultiplyAdds = %d, want %d", tt.name, got, tt.forward)
		}
		var b Batch
		b.Resize(rows, m.Inputs())
		clear(b.X)
		clear(b.Y)
		params, out, ones := make([]float32, m.Size()), make([]float32, rows), make([]float32, rows)
		gradient := make([]float32, m.Size())
		for _, call := range []struct {
			name string
			do   func()
			want int64
		}{
			{"Loss", func() { m.Loss(params, b) }, tt.forward},
			{"Losses", func() { m.Losses(out, params, b) }, tt.forward},
			{"Gradient", func() { m.Gradient(gradient, params, b) }, tt.gradient},
			{"Weighted", func() { m.Weighted(gradient, params, b, ones) }, tt.gradient},
		} {
			before := m.Computed()
			if call.do(); m.Computed()-before != rows*call.want {
				t.Errorf("%s: %s of %d samples counts %d, want %d each", tt.name, call.name, rows, m.Computed()-before,
					call.want)
			}
		}
	}

	n := cnn.Fresh()
	params, b := draw(n, 1, rows)
	ones := make([]float32, rows)
	joint, _ := headsOf(n, params)
	dst, features := make([]float32, len(joint)), make([]float32, rows*n.Width())
	for _, call := range []struct {
		name string
		do   func()
		want int64
	}{
		{"Features", func() { n.Features(features, params, b) }, first + second},
		{"Losses with features", func() { n.Losses(ones, params, b.WithFeatures(features)) }, last},
		{"Heads", func() { n.Heads(dst, joint[n.Head().Lo:], features, b, [][]float32{ones, ones, ones}) }, heads * 2 * last},
		{"TrunkAndHeads", func() { n.TrunkAndHeads(dst, joint, b, [][]float32{ones, ones, ones}) },
			2*first + 3*(second+heads*last)},
	} {
		before := n.Computed()
		if call.do(); n.Computed()-before != rows*call.want {
			t.Errorf("%s of %d samples counts %d, want %d each", call.name, rows, n.Computed()-before, call.want)
		}
	}
}
