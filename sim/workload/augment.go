package workload

import (
	"flockscope/sim/dataset"
	"flockscope/sim/model"
	"flockscope/sim/param"
	"flockscope/sim/rng"
)

var fieldAugment = param.Field{Name: "augment", Label: "Augmentation", Section: param.Data, Kind: param.Choice,
	Default: "none", Advanced: true,
	Doc: "Whether training pictures are moved or mirrored at random, each time anew. Evaluations use pictures as they are. He et al. 2016 (Deep Residual Learning for Image Recognition, section 4.2) crop and mirror.",
	Options: []param.Option{
		{Name: "none", Title: "none"},
		{Name: "crop", Title: "random crop", Doc: "Moved by up to an eighth of its side along both axes; the rest is black: 4 of 32 pixels, as in the paper."},
		{Name: "flip", Title: "random mirror", Doc: "Mirrored from left to right with probability one half."},
		{Name: "both", Title: "random crop and mirror", Doc: "As in the paper."}}}

// Augmenter is a workload that may change training samples at random as they are drawn.
type Augmenter interface {
	// Augment changes the samples of a batch of a client's training samples, of which the first is number `first` of its
	// epoch. The stream gives the epoch's random numbers; what is drawn from it elsewhere stays the same.
	Augment(b *model.Batch, first int, s rng.Stream)
}

// augmentPurpose is the purpose of the streams of augmented samples, (sample, 0), which begin with a number from the
// stream that orders the samples. The number is part of every result.
const augmentPurpose rng.Purpose = 41

// augmentation moves and mirrors pictures.
type augmentation struct{ crop, flip bool }

// newAugmentation returns the augmentation of the settings; it must fit the set.
func newAugmentation(v param.Values, set *dataset.Set) (augmentation, error) {
	name := v.Text("augment")
	if name != "none" && (set.Shape.Height < 2 || set.Shape.Width < 2) {
		return augmentation{}, &param.Error{Field: "augment", Got: name, Want: "none", Hint: "these samples are not pictures",
			Suggestions: []param.Suggestion{{Key: "augment", Value: "none"}}}
	}
	return augmentation{name == "crop" || name == "both", name == "flip" || name == "both"}, nil
}

// Augment implements [Augmenter].
func (w *shared) Augment(b *model.Batch, first int, s rng.Stream) {
	if w.augment == (augmentation{}) {
		return
	}
	d := w.readers.Get().(*sampleReader)
	defer w.readers.Put(d)
	key := uint64(s.IntN(1 << 62))
	n := w.network.Inputs()
	for j := range b.N {
		var own rng.Stream
		own.Reset(key, augmentPurpose, first+j, 0)
		w.augment.apply(b.X[j*n:(j+1)*n], d.pixels, w.set.Shape, &own)
	}
}

// apply changes a picture as networks read it, one plane after another. before is working memory for one.
func (a augmentation) apply(picture, before []float32, shape dataset.Shape, s *rng.Stream) {
	down, right, mirrored := 0, 0, false
	if a.crop {
		y, x := shape.Height/8, shape.Width/8
		down, right = s.IntN(2*y+1)-y, s.IntN(2*x+1)-x
	}
	if a.flip {
		mirrored = s.IntN(2) == 1
	}
	copy(before, picture)
	for at := range picture {
		x, line := at%shape.Width, at/shape.Width // lines of all planes
		y := line % shape.Height
		if mirrored {
			x = shape.Width - 1 - x
		}
		x -= right
		picture[at] = 0
		if x >= 0 && x < shape.Width && y-down >= 0 && y-down < shape.Height {
			picture[at] = before[(line-down)*shape.Width+x]
		}
	}
}
