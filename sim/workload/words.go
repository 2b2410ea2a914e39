package workload

// Groups differ by the labels of topics: each has its own concept. Rows of length 1 have small gradients, hence the
// rate.
func init() {
	registerSynthetic("words", map[string]string{"concept": "permute", "net": "softmax", "C": "12", "K": "3", "b": "64",
		"probe": "64", "lr": "3", "T": "60", "n": "6000"})
}
