package engine

import (
	"math"

	"flockscope/sim/kernel"
	"flockscope/sim/rng"
)

// veil makes an update private, where the protocol says so: no longer than the clip
// norm, and with noise on every number. Each update of a client has noise of its own.
func (b *bench) veil(update []float32, client int, v *visit) {
	clip, noise := v.protocol.Clip, v.protocol.Noise
	if clip == 0 || v.home {
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
	s.Reset(b.seed, rng.Sending, v.round*updates+v.turn, client*updates+b.told)
	b.told++
	for j := range update {
		update[j] += float32(float64(noise*clip) * s.Normal())
	}
}
