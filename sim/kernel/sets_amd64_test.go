package kernel

// Where the processor has AVX-512, the loops of those that have not are compared,
// too.
func init() {
	if short, long := features(); short && long {
		compared = append(compared, &avx2)
	}
}
