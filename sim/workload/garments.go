package workload

func init() { generated("garments", "mlp") }
