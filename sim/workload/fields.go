package workload

import "flockscope/sim/param"

// Settings that more than one workload reads.
var (
	fieldGroups = param.Field{Name: "D", Label: "Groups D", Section: param.Data, Advanced: true, Kind: param.Int, Min: 1, Max: 8, Default: "3",
		Doc: "How many kinds of clients there really are. No algorithm is told which client is which."}
	fieldSigma = param.Field{Name: "sigma", Label: "Noise σ", Section: param.Data, Kind: param.Float, Min: 0, Max: 5, High: 1, Step: 0.01, Default: "0.2",
		Doc: "Standard deviation of the noise on y. No model can reach a loss below σ².", Advanced: true}
	fieldInit = param.Field{Name: "init", Label: "Start range", Section: param.Models, Kind: param.Float, Min: 0, Max: 10, High: 3.2, Step: 0.1, Default: "0.8",
		Doc: "How far apart the models begin: slopes start between −range and +range. Wide is risky for IFCA."}
)
