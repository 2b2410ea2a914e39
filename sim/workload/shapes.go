package workload

// Quarter turns keep all of a picture, and make classes look like others of their pair.
func init() {
	registerSynthetic("shapes", map[string]string{"shift": "rotations", "angles": "0,90,180,270", "corrupt": "hcfl", "net": "cnn",
		"C": "16", "K": "4", "b": "32", "probe": "64", "avg": "model", "tau": "2", "lr": "0.1", "T": "40", "n": "6000"})
}
