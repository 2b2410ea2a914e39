package kernel

// peak is for benchmarks; each turn is peakFlops operations.
func peak(turns int)

const peakFlops = 8 * 8 * 2
