package partition

import (
	"fmt"
	"hash/fnv"
	"math"
	"testing"

	"flockscope/sim/rng"
)

// printed is a view that prints what it is like.
type printed struct{ View }

func (p printed) String() string {
	if p.View == nil {
		return "<nil>"
	}
	return p.Words().String()
}

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
		{[]string{"split=pairs"}, 0xe9c0ebba},
		{[]string{"split=classes", "pick=random", "noise=symmetric"}, 0xf8089418},
		{[]string{"split=writers", "concept=permute", "noise=pair"}, 0xbf5b4933},
	}
	set := labelled(3000, 10, 26)
	for _, tt := range deals {
		h := fnv.New32a()
		p := build(t, set, 15, 1, tt.words...)
		for i, c := range p.Clients {
			fmt.Fprint(h, c.Group, printed{c.View}, c.Train, c.Test, c.Relabel)
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
		"turn": 0xbbf5b967, "blend": 0x86c5e3e6, "gaussian": 0x193c1148, "shot": 0x1a47fd99, "impulse": 0xe6ce1774,
		"speckle": 0xa4ab8f2e, "contrast": 0x20a64a35, "brightness": 0xe145f6de, "pixelate": 0x614d00ae, "blur": 0x53b93a5c,
		"translate": 0xdc6826cc, "stripe": 0x9a3bce36, "inverse": 0xe61972f1,
	}
	type shower interface {
		Show(dst, raw []float32, s rng.Stream)
	}
	views := map[string][]shower{"turn": {rotate(shape, 33)}, "blend": {rotateBilinear(shape, 15)}}
	for _, c := range corruptions[1:] {
		for severity := 1; severity <= 5; severity++ {
			views[c.name] = append(views[c.name], at(t, c.name, shape, severity))
		}
	}
	for name, severities := range views {
		h := fnv.New32a()
		for _, v := range severities {
			for _, x := range show(v, noisy(784, 1), 1) {
				fmt.Fprint(h, math.Float32bits(x), " ")
			}
		}
		if got := h.Sum32(); got != want[name] {
			t.Errorf("%s: fingerprint %#08x, want %#08x", name, got, want[name])
		}
	}
}
