package workers

import (
	"math"

	"flockscope/sim/fl"
	"flockscope/sim/kernel"
	"flockscope/sim/rng"
)

// protect clips an update, adds noise and quantizes it as the protocol says, before it is sent; before that a liar changes
// it. In a lane that sends nothing it does nothing.
func (b *Workspace) protect(update []float32, client int, v *Job) {
	if v.Local {
		return
	}
	b.lieAbout(update, client, v)
	b.clipAndNoise(update, client, v)
	quantize(update, &v.Protocol)
}

// clipAndNoise makes an update private: it scales it down to the clipping norm and adds noise to
// every number. Each update of a client has noise of its own, drawn from the algorithm's seed, so
// that noise can vary while samples stay the same.
func (b *Workspace) clipAndNoise(update []float32, client int, v *Job) {
	clip, noise := v.Protocol.Clip, v.Protocol.Noise
	if clip == 0 {
		return
	}
	if length := math.Sqrt(kernel.Dot(update, update)); length > clip {
		kernel.Scale(update, float32(clip/length))
	}
	if noise == 0 {
		return
	}
	const updates = 1 << 16 // maximum updates of a client in one exchange
	var s rng.Stream
	s.Reset(b.algorithmSeed, rng.UpdateNoise, v.Round*updates+v.Sequence, client*updates+b.updatesMade)
	b.updatesMade++
	for j := range update {
		update[j] += float32(float64(noise*clip) * s.Normal())
	}
}

// quantize rounds numbers to the decimals that are sent, or truncates them.
func quantize(values []float32, p *fl.Protocol) {
	switch {
	case p.Digits < 0:
	case p.Truncate:
		kernel.Trunc(values, p.Digits)
	default:
		kernel.Round(values, p.Digits)
	}
}

// quantizeLosses is quantize for losses, which are sent as float64.
func quantizeLosses(losses []float64, p *fl.Protocol) {
	if p.Digits < 0 {
		return
	}
	power := 1.0 // exact, because powers of ten are exact up to 10²²
	for range p.Digits {
		power *= 10
	}
	for k, l := range losses {
		if p.Truncate {
			losses[k] = math.Trunc(l*power) / power
		} else {
			losses[k] = math.RoundToEven(l*power) / power
		}
	}
}
