package kernel

// peak multiplies and adds vectors as fast as the machine can, for benchmarks:
// sixteen independent sums of sixteen lanes a turn.
func peak(turns int) {
	if active == &avx512 {
		peak512(turns)
	} else {
		peak256(4 * turns)
	}
}

func peak256(turns int)

func peak512(turns int)

const peakFlops = 16 * 16 * 2
