package model

import "testing"

// BenchmarkStep is one step of gradient descent on 64 samples. An operation is a multiplication or an addition in a
// product. testdata/bench.py does the same steps in PyTorch.
func BenchmarkStep(b *testing.B) {
	const rows = 64
	digits := Samples{Shape: Shape{28, 28, 1}, Classes: 10}
	for _, bb := range []struct {
		name string
		in   Samples
	}{
		{"mlp", digits}, {"cnn", digits}, {"lenet", colour}, {"vgg", colour}, {"resnet8", colour}, {"mobilenet", colour},
		{"textcnn", Samples{Shape: flat(64), Classes: 4, Tokens: 5000}}, {"convauto", colour},
	} {
		b.Run(bb.name, func(b *testing.B) {
			e, _ := Registry.Lookup(bb.name)
			n, err := e.Make.Make(defaults(e), bb.in)
			if err != nil {
				b.Fatal(err)
			}
			params, samples := draw(n, 1, rows)
			gradient, o := make([]float32, n.Size()), SGD()
			n.Gradient(gradient, params, samples) // makes room
			b.ReportAllocs()
			before := n.Computed()
			for b.Loop() {
				n.Gradient(gradient, params, samples)
				o.Step(params, gradient, 1e-6)
			}
			b.ReportMetric(2*float64(n.Computed()-before)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(b.N), "ms/step")
		})
	}
}

// BenchmarkLayer is a forward pass and the way back of one layer, on 64 samples of 32×32×16 numbers.
func BenchmarkLayer(b *testing.B) {
	const rows = 64
	picture := Samples{Shape: Shape{32, 32, 16}, Classes: 2}
	for _, text := range []string{"conv16", "conv32s2", "conv32k1", "dw", "dws2", "tconv16k3s1", "gn", "bn", "pool", "pool3", "avg",
		"gap", "drop", "relu", "tanh", "sigmoid"} {
		b.Run(text, func(b *testing.B) {
			layers := text
			if text == "relu" || text == "tanh" || text == "sigmoid" {
				layers = "pool1-" + text // an activation follows a layer
			}
			n := parsed(b, layers, picture)
			n.layers, n.layerSegments = n.layers[:1], n.layerSegments[:1]
			params, samples := draw(n, 1, rows)
			piece := min(n.piece, rows)
			for rows%piece > 0 {
				piece--
			}
			n.grow(piece)
			gradient := make([]float32, n.Size())
			in, l := samples.X[:piece*n.Inputs()], n.layers[0]
			dIn := make([]float32, len(in))
			p := &n.pass
			step := func() {
				for at := 0; at < rows; at += piece {
					n.pass.training = true
					p.dIn, p.dOut, p.dParams, p.accumulate = dIn, n.back[0][:piece*l.outputs()], gradient, at > 0
					if l.activation != identity { // by itself
						copy(p.dOut, in)
						l.activation.forward(p.dOut)
						l.activation.backward(p.dOut, in)
						continue
					}
					n.run(0, 1, params, in, piece)
					copy(p.dOut, n.values[0])
					l.backward(p)
				}
			}
			step() // brings memory and code in
			for b.Loop() {
				step()
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(b.N), "ms/step")
			if products := 3 * rows * l.multiplyAdds(); products > 0 {
				b.ReportMetric(2*float64(products*b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			}
		})
	}
}
