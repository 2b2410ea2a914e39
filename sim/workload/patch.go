package workload

import "flockscope/sim/model"

// Patched is a workload of pictures in which a patch can stand for a class: the trigger of a backdoor (Gu, Dolan-Gavitt,
// Garg: BadNets, 2017).
type Patched interface {
	Evaluated
	// Patch returns the indices of the inputs that the patch covers; nil if samples are no pictures with classes.
	Patch() []int
}

var _ Patched = (*shared)(nil)

// Patch covers a square in the lower right corner, of a seventh of the side of the picture, in all channels.
func (w *shared) Patch() (inputs []int) {
	s := w.set.Shape
	if s.Height < 2 || w.set.Tokens > 0 || w.network.Task() != model.Classification {
		return nil
	}
	side := max(1, min(s.Height, s.Width)/7)
	for c := range s.Channels {
		for y := s.Height - side; y < s.Height; y++ {
			for x := s.Width - side; x < s.Width; x++ {
				inputs = append(inputs, (c*s.Height+y)*s.Width+x)
			}
		}
	}
	return inputs
}
