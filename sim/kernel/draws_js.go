package kernel

import "unsafe"

// Normals is package rng's Stream.Pairs, or its Normals if u is nil, for a stream in
// this state. It needs the module to be [Available].
func Normals(state *uint64, u, z []float64) {
	wasmNormals(unsafe.Pointer(state), at(u), at(z), int32(len(z)))
}
