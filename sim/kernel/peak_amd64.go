package kernel

// peak multiplies and adds vectors as fast as the machine can, for benchmarks:
// eight independent sums of sixteen lanes a turn.
func peak(turns int) {
	if active == &avx512 {
		peak512(turns)
	} else {
		peak256(2 * turns)
	}
}

func peak256(turns int)

func peak512(turns int)

const peakFlops = 8 * 16 * 2
