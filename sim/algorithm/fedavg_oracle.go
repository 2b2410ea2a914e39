package algorithm

import (
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/param"
)

// fieldTold makes FedAvg the upper bound for methods that have to find the groups.
var fieldTold = param.Field{Name: "told", Label: "Told to the server", Section: param.Models, Kind: param.Choice,
	Default: "nothing", PerLane: true, Advanced: true,
	Options: []param.Option{{Name: "nothing", Title: "nothing: one model"},
		{Name: "groups", Title: "the true groups", Doc: "An oracle: one model for each planted group."}},
	Doc: "With the true groups this is what a method could reach that finds them at once. Where there are none it has one model."}

// oracle is FedAvg within each planted group: what a method could reach that finds the groups at once.
type oracle struct{ fedavg }

func (s *oracle) Start(env *fl.Env, label []int) {
	s.fedavg.Start(env, label)
	copy(label, env.Planted)
	method.StartAlike(env.Exchange.Bank)
}
