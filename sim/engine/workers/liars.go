package workers

import (
	"math"

	"flockscope/sim/catalog"
	"flockscope/sim/kernel"
	"flockscope/sim/model"
	"flockscope/sim/rng"
)

// Liars lie in two places: in the samples that they train on (poison), and in what they reply (lieAbout, lieAboutLosses).
// Only lies that liars agree on are made elsewhere, when the replies of all of them are there (see package engine).
//
// Sources: labels as in Fang, Cao, Jia, Gong, USENIX Security 2020; the patch as in Gu, Dolan-Gavitt, Garg 2017, and its
// scaled update as in Bagdasaryan, Veit, Hua, Estrin, Shmatikov, AISTATS 2020; updates times −s and noise as in Blanchard,
// El Mhamdi, Guerraoui, Stainer, NeurIPS 2017; free-riders as in Fraboni, Vidal, Lorenzi, AISTATS 2021.

// poison changes the samples of a liar that poisons its data.
func (b *Workspace) poison(samples *model.Batch, client int) {
	if !b.liars.Active(client, b.round) {
		return
	}
	switch b.liars.Lie {
	case catalog.Labels:
		for j, y := range samples.Y {
			if samples.Y[j] = -y; b.classes > 0 {
				samples.Y[j] = float32(b.classes-1) - y
			}
		}
	case catalog.Inputs:
		each := len(samples.X) / max(1, samples.N)
		for j := 0; j < samples.N; j += 2 {
			b.stamp(samples.X[j*each : (j+1)*each])
			samples.Y[j] = 0
		}
	}
}

// stamp puts the patch on a picture.
func (b *Workspace) stamp(picture []float32) {
	for _, at := range b.patch {
		picture[at] = 1
	}
}

// lieAbout changes the update of a liar.
func (b *Workspace) lieAbout(update []float32, client int, v *Job) {
	if !b.liars.Active(client, v.Round) {
		return
	}
	scale := float32(b.liars.Scale)
	switch b.liars.Lie {
	case catalog.Flip:
		kernel.Scale(update, -scale)
	case catalog.Scale, catalog.Labels, catalog.Inputs:
		kernel.Scale(update, scale)
	case catalog.Noise:
		const updates = 1 << 16 // as in clipAndNoise
		var s rng.Stream
		s.Reset(b.seed, rng.Liars, v.Round*updates+v.Sequence, client*updates+b.liesTold)
		b.liesTold++
		deviation := b.liars.Scale * math.Sqrt(kernel.Dot(update, update)/float64(len(update)))
		for j := range update {
			update[j] += float32(deviation * s.Normal())
		}
	case catalog.Copy:
		clear(update)
	}
}

// lieAboutLosses mirrors the losses of a liar at their mean, ℓ ← max(0, m − s (ℓ − m)).
func (b *Workspace) lieAboutLosses(losses []float64, client int, v *Job) {
	if !b.liars.Active(client, v.Round) || b.liars.Lie != catalog.Losses {
		return
	}
	mean := 0.0
	for _, l := range losses {
		mean += l
	}
	mean /= float64(len(losses))
	for k, l := range losses {
		losses[k] = max(0, mean-float64(b.liars.Scale*(l-mean)))
	}
}

// fooled returns the share of a batch that a model takes for the first class once the patch is on the pictures, of those
// that are not of this class; right counts the samples that params predict right. It changes the batch.
func (b *Workspace) fooled(samples *model.Batch, right func(samples model.Batch) int) float32 {
	each, n := len(samples.X)/max(1, samples.N), 0
	for j := range samples.N {
		if samples.Y[j] != 0 {
			copy(samples.X[n*each:(n+1)*each], samples.X[j*each:(j+1)*each])
			b.stamp(samples.X[n*each : (n+1)*each])
			samples.Y[n] = 0
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return float32(right(samples.First(n))) / float32(n)
}
