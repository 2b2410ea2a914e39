package workload

func init() { registerSynthetic("garments", imageDefaults) }
