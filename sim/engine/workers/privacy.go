package workers

import (
	"math"

	"flockscope/sim/kernel"
	"flockscope/sim/rng"
)

// clipAndNoise makes an update private, where the protocol says so: no longer than the clip
// norm, and with noise on every number. Each update of a client has noise of its own.
func (b *Workspace) clipAndNoise(update []float32, client int, v *Job) {
	clip, noise := v.Protocol.Clip, v.Protocol.Noise
	if clip == 0 || v.Local {
		return
	}
	if length := math.Sqrt(kernel.Dot(update, update)); length > clip {
		kernel.Scale(update, float32(clip/length))
	}
	if noise == 0 {
		return
	}
	const updates = 1 << 16 // of a client in one exchange, at most
	var s rng.Stream
	s.Reset(b.seed, rng.Sending, v.Round*updates+v.Sequence, client*updates+b.updatesMade)
	b.updatesMade++
	for j := range update {
		update[j] += float32(float64(noise*clip) * s.Normal())
	}
}
