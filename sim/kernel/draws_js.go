package kernel

import "unsafe"

// Normals is Stream.Pairs of package rng, or its Normals if u is nil, for a stream in this state.
// The module must be [Available].
func Normals(state *uint64, u, z []float64) {
	wasmNormals(unsafe.Pointer(state), at(u), at(z), int32(len(z)))
}
