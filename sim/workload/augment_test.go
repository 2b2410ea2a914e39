package workload

import (
	"errors"
	"slices"
	"testing"

	"flockscope/sim/dataset"
	"flockscope/sim/model"
	"flockscope/sim/param"
	"flockscope/sim/rng"
)

// TestAugmentApply: each plane is moved and mirrored alike, and every way occurs.
func TestAugmentApply(t *testing.T) {
	shape := dataset.Image(8, 16, 3)
	was := make([]float32, shape.Size())
	for i := range was {
		was[i] = float32(i + 1)
	}
	for _, a := range []augmentation{{true, false}, {false, true}, {true, true}} {
		seen := map[[3]int]int{}
		for seed := range uint64(600) {
			var s rng.Stream
			s.Reset(seed, augmentPurpose, 0, 0)
			got, before := slices.Clone(was), make([]float32, len(was))
			a.apply(got, before, shape, &s)
			found := 0
			for down := -1; down <= 1; down++ {
				for right := -2; right <= 2; right++ {
					for mirror := range 2 {
						want := make([]float32, len(was))
						for at := range want {
							x, y, plane := at%16, at/16%8, at/128
							if mirror == 1 {
								x = 15 - x
							}
							if x, y = x-right, y-down; x >= 0 && x < 16 && y >= 0 && y < 8 {
								want[at] = was[plane*128+y*16+x]
							}
						}
						if slices.Equal(got, want) {
							seen[[3]int{down, right, mirror}]++
							found++
						}
					}
				}
			}
			if found != 1 {
				t.Fatalf("%+v, seed %d: %d ways fit, want one", a, seed, found)
			}
		}
		want := 1
		if a.crop {
			want *= 15
		}
		if a.flip {
			want *= 2
		}
		if len(seen) != want {
			t.Errorf("%+v: %d ways, want %d", a, len(seen), want)
		}
	}
}

// TestAugmentIsApart: which samples are drawn, their labels and evaluations do not depend on augmentation; pictures do,
// and are others in each epoch and for each place in it.
func TestAugmentIsApart(t *testing.T) {
	words := []string{"C=4", "n=120", "net=softmax", "shift=none"}
	plain := build(t, "shapes", nil, words...).(*shared)
	moved := build(t, "shapes", nil, append(words, "augment=both")...).(*shared)
	var a, b, c model.Batch
	var s rng.Stream
	for _, w := range []struct {
		*shared
		*model.Batch
	}{{plain, &a}, {moved, &b}} {
		s.Reset(5, rng.Samples, 1, 2)
		w.Draw(w.Batch, 2, 10, &s)
	}
	if !slices.Equal(a.Y, b.Y) || slices.Equal(a.X, b.X) {
		t.Error("with augmentation, labels differ or pictures do not")
	}
	next := s.Float64()
	s.Reset(5, rng.Samples, 1, 2)
	if moved.Draw(&c, 2, 10, &s); !slices.Equal(b.X, c.X) || s.Float64() != next {
		t.Error("the same stream draws other pictures, or more numbers")
	}
	s.Reset(5, rng.Samples, 1, 2)
	if moved.Draw(&c, 2, 4, &s); !slices.Equal(b.X[:len(c.X)], c.X) {
		t.Error("the first samples depend on how many are drawn")
	}
	plain.TestSamples(&a, 1)
	if moved.TestSamples(&b, 1); !slices.Equal(a.X, b.X) {
		t.Error("test samples are augmented")
	}
	plain.Take(&a, 1, []int32{3, 3, 3})
	if moved.Take(&b, 1, []int32{3, 3, 3}); !slices.Equal(a.X, b.X) {
		t.Error("Take augments samples, which devices read too")
	}
	ways := map[string]bool{}
	for epoch := range 3 {
		for first := range 3 {
			moved.Take(&b, 1, []int32{3})
			s.Reset(1, rng.Training, epoch, 1)
			moved.Augment(&b, first, s)
			ways[row(&b, 0)] = true
		}
	}
	if len(ways) < 6 {
		t.Errorf("in three epochs and three places there are %d pictures, want about 9", len(ways))
	}
	if n := testing.AllocsPerRun(20, func() { moved.Augment(&b, 0, s) }); n != 0 {
		t.Errorf("Augment allocates %v times", n)
	}
}

func TestAugmentNeedsPictures(t *testing.T) {
	entry, _ := Registry.Lookup("words")
	v := words("C=2", "sd=1")
	defaults(v, entry.Fields)
	set(v, "n=60", "augment=flip", "net=softmax")
	_, err := entry.Make.Make(v.Values(), nil)
	var wrong *param.Error
	if !errors.As(err, &wrong) || wrong.Field != "augment" {
		t.Errorf("texts are mirrored: error %v", err)
	}
}
