package model

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
)

//go:embed testdata/cifar.json
var cifarText []byte

// TestCIFAR follows PyTorch for ten epochs on real pictures, from the same start, with the same order and optimiser: the
// loss closely at first, and the accuracy within a point on average over the last epochs. It needs the folder of
// testdata/cifar.py in FLOCKSCOPE_CIFAR.
func TestCIFAR(t *testing.T) {
	folder := os.Getenv("FLOCKSCOPE_CIFAR")
	if folder == "" {
		t.Skip("FLOCKSCOPE_CIFAR names no folder with train_2000.bin and test_500.bin")
	}
	var golden struct {
		SHA256 map[string]string
		Curves map[string]struct{ Losses, Accuracies []float64 }
	}
	if err := json.Unmarshal(cifarText, &golden); err != nil {
		t.Fatal(err)
	}
	read := func(name string) (b Batch) {
		file, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(file); hex.EncodeToString(sum[:]) != golden.SHA256[name] {
			t.Fatalf("%s is another file than that of the golden curve", name)
		}
		const record = 1 + 3*32*32
		for r := range len(file) / record {
			b.Y = append(b.Y, float32(file[r*record]))
			for _, v := range file[r*record+1 : (r+1)*record] {
				b.X = append(b.X, float32((float64(v)/255-0.5)*4))
			}
			b.N++
		}
		return b
	}
	train, test := read("train_2000.bin"), read("test_500.bin")
	for _, name := range []string{"vgg", "resnet8"} {
		t.Run(name, func(t *testing.T) {
			want := golden.Curves[name]
			losses, accuracies := cifarCurve(network(t, name, colour.Shape, 10), train, test, len(want.Losses))
			mean, wantMean := 0.0, 0.0
			for e, loss := range losses {
				t.Logf("epoch %2d: loss %.4f and %.4f, accuracy %.3f and %.3f", e+1, loss, want.Losses[e], accuracies[e],
					want.Accuracies[e])
				// Rounding errors grow with every step.
				if bound := 0.001 * float64(1+e*e); math.Abs(loss-want.Losses[e]) > bound {
					t.Errorf("epoch %d: loss %v, want %v within %v", e+1, loss, want.Losses[e], bound)
				}
				if e >= 5 {
					mean += accuracies[e] / 5
					wantMean += want.Accuracies[e] / 5
				}
			}
			if math.Abs(mean-wantMean) > 0.01 {
				t.Errorf("accuracy over the last five epochs %v, want %v within one point", mean, wantMean)
			}
		})
	}
}

// cifarCurve trains as testdata/cifar.py does.
func cifarCurve(n *Network, train, test Batch, epochs int) (losses, accuracies []float64) {
	const batch, rate = 50, 0.002
	c, params, gradient := congruence(7), make([]float32, n.Size()), make([]float32, n.Size())
	for i, l := range n.layers {
		part := n.layerSegments[i].Of(params)
		if norm, ok := l.layer.(*groupNorm); ok {
			norm.start(part, nil)
			continue
		}
		scale := float32(1)
		for scale*scale*float32(l.fanIn()) > 1 {
			scale /= 2
		}
		for j := range part {
			part[j] = c.spread(scale)
		}
	}
	o, width := Momentum(0.9), n.Inputs()
	var piece Batch
	order := make([]int, train.N)
	for range epochs {
		for i := range order {
			order[i] = i
		}
		for i := range order {
			j := i + int(c.draw())%(len(order)-i)
			order[i], order[j] = order[j], order[i]
		}
		total := 0.0
		for at := 0; at < len(order); at += batch {
			piece.Resize(batch, width)
			for k, sample := range order[at : at+batch] {
				copy(piece.X[k*width:(k+1)*width], train.X[sample*width:])
				piece.Y[k] = train.Y[sample]
			}
			total += n.Gradient(gradient, params, piece) * batch
			o.Step(params, gradient, rate)
		}
		losses = append(losses, total/float64(train.N))
		accuracies = append(accuracies, float64(n.Correct(params, test))/float64(test.N))
	}
	return losses, accuracies
}
