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
		"defocus": 0x16337523, "elastic": 0x94f029ac, "fog": 0xf0d02a48, "frost": 0xc1b8542b, "glass": 0x930b5d98,
		"jpeg": 0xfbcfaf1f, "motion": 0xd6cf6d9c, "saturate": 0xa06ddef6, "snow": 0x5e89711c, "spatter": 0x344a7019,
		"zoom": 0x741200ca,
	}
	type shower interface {
		Show(dst, raw []float32, s rng.Stream)
	}
	inColour := map[string]uint32{
		"blur": 0xc912053a, "brightness": 0x7c3994a2, "contrast": 0x347b51da, "defocus": 0x8ac21e0e, "elastic": 0xc3bb315e,
		"fog": 0x7bf8a56f, "frost": 0xbf24e747, "gaussian": 0xde88dd66, "glass": 0x6997607b, "impulse": 0x7d1f8806,
		"inverse": 0xbd5f2d67, "jpeg": 0x995b2183, "motion": 0x1b2f6f55, "pixelate": 0x242db0a4, "saturate": 0xe6ac6f09,
		"shot": 0xc91372c8, "snow": 0x2f8b8c29, "spatter": 0xe94307dc, "speckle": 0xb49252dd, "stripe": 0xd376c77e,
		"translate": 0xd3205f08, "zoom": 0x583e1acd,
	}
	views := map[string][]shower{"turn": {rotate(shape, 33)}, "blend": {rotateBilinear(shape, 15)}}
	colours := map[string][]shower{}
	for _, c := range corruptions[1:] {
		for severity := 1; severity <= 5; severity++ {
			views[c.name] = append(views[c.name], at(t, c.name, shape, severity))
			colours[c.name] = append(colours[c.name], at(t, c.name, image(32, 32, 3), severity))
		}
	}
	compare := func(views map[string][]shower, size int, want map[string]uint32) {
		for name, severities := range views {
			h := fnv.New32a()
			for _, v := range severities {
				for _, x := range show(v, noisy(size, 1), 1) {
					fmt.Fprint(h, math.Float32bits(x), " ")
				}
			}
			if got := h.Sum32(); got != want[name] {
				t.Errorf("%q: %#08x is the fingerprint of %d numbers, want %#08x", name, got, size, want[name])
			}
		}
	}
	compare(views, 784, want)
	compare(colours, 3072, inColour)
}
