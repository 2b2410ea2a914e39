package kernel

//go:wasmimport kernel peak
func wasmPeak(turns int32) float32

// One turn multiplies and adds twelve vectors of four.
const peakFlops = 12 * 4 * 2

func peak(turns int) { wasmPeak(int32(turns)) }
