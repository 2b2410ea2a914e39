package partition

import (
	"fmt"
	"hash/fnv"
	"math"
	"testing"

	"flockscope/sim/rng"
)

// TestFingerprints holds results to the bit: a link must show the same on every
// machine and for good. The numbers were taken on amd64; the same test runs
// under WebAssembly.
func TestFingerprints(t *testing.T) {
	deals := []struct {
		words []string
		want  uint32
	}{
		{[]string{"split=even"}, 0x0ccd212d},
		{[]string{"split=unequal"}, 0xfd24e7b3},
		{[]string{"split=dirichlet"}, 0x26584f9a},
		{[]string{"split=dirichlet", "drawby=client"}, 0x20953bdb},
		{[]string{"split=skew2", "test=set"}, 0xfe7292f4},
		{[]string{"split=skew3", "shift=rotations", "concept=swaps", "reuse=1", "test=set"}, 0x3af69bc1},
		{[]string{"split=classes", "pick=random", "noise=symmetric"}, 0xf8089418},
		{[]string{"split=writers", "concept=permute", "noise=pair"}, 0xbf5b4933},
	}
	set := labelled(3000, 10, 26)
	for _, tt := range deals {
		h := fnv.New32a()
		p := build(t, set, 15, 1, tt.words...)
		for i, c := range p.Clients {
			fmt.Fprint(h, c.Group, c.View, c.Train, c.Test, c.Relabel)
			for _, sample := range c.Train {
				h.Write([]byte{p.Label(i, sample, true)})
			}
		}
		if got := h.Sum32(); got != tt.want {
			t.Errorf("%v: fingerprint %#08x, want %#08x", tt.words, got, tt.want)
		}
	}
	shape := image(28, 28, 1)
	want := map[string]uint32{
		"turn": 0xbbf5b967, "blend": 0x86c5e3e6, "gaussian": 0x30998239, "shot": 0x0ffa657f, "impulse": 0x5158ca75,
		"speckle": 0x7db61af5, "contrast": 0xe5d24ea2, "brightness": 0x2d534033, "pixelate": 0x146c097d, "blur": 0xa8aae17e,
		"translate": 0xb06ea8f2, "stripe": 0xbdc415ce, "inverse": 0x99275c01,
	}
	views := map[string]interface {
		Show(dst, raw []float32, s rng.Stream)
	}{"turn": turn(shape, 33), "blend": blend(shape, 15)}
	for _, c := range corruptions[1:] {
		views[c.name] = at(t, c.name, shape, 2)
	}
	for name, v := range views {
		h := fnv.New32a()
		for _, x := range show(v, noisy(784, 1), 1) {
			fmt.Fprint(h, math.Float32bits(x), " ")
		}
		if got := h.Sum32(); got != want[name] {
			t.Errorf("%s: fingerprint %#08x, want %#08x", name, got, want[name])
		}
	}
}
