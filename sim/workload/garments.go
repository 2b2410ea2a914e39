package workload

func init() { generated("garments", drawings) }
