package engine

import (
	"context"
	"fmt"

	"flockscope/sim/catalog"
	"flockscope/sim/engine/workers"
	"flockscope/sim/experiment"
	"flockscope/sim/fl"
	"flockscope/sim/workload"
)

// Types for clients in other places; see package workers.
type (
	Remote = workers.Remote
	Job    = workers.Job
	Answer = workers.Answer
	Asks   = workers.Asks
)

// RunRemote is [Run] with remote clients, which hold the samples: data knows only how many they are. A client whose
// reply does not arrive drops out of the round, as with the setting drop. Scores of a client that is lost while models
// are evaluated are its last ones.
func RunRemote(ctx context.Context, c experiment.Config, data workload.Workload, remote Remote, sink Sink) error {
	plans, err := catalog.Plans(c, data)
	if err != nil {
		return err
	}
	all := make([]int, len(plans))
	for i := range plans {
		all[i] = i
		if err := refuseRemote(c, i, &plans[i], data.Clients()); err != nil {
			return err
		}
	}
	return playTo(ctx, c, data, plans, all, 0, nil, remote, sink, nil)
}

// CheckRemote returns the error that [RunRemote] would return. It plays no round.
func CheckRemote(c experiment.Config, data workload.Workload) error {
	plans, err := catalog.Plans(c, data)
	for i := range plans {
		if err == nil {
			err = refuseRemote(c, i, &plans[i], data.Clients())
		}
	}
	return err
}

// refuseRemote returns an error if a lane asks for more than a remote client can do: losses of models, and updates by
// descent on all its samples, perhaps clipped and noised.
func refuseRemote(c experiment.Config, lane int, plan *fl.Plan, clients int) error {
	v, p := c.Values(lane), &plan.Protocol
	refuse := func(key, why, instead string) error {
		return fmt.Errorf("%s=%s is not possible with remote clients: %s; set %s", key, c.Value(key), why, instead)
	}
	switch {
	case plan.Device != nil, plan.Personal, p.Right:
		return fmt.Errorf("%s needs more of its clients than losses and updates, and remote clients cannot do more; "+
			"choose others, such as cflgp, fedavg, ifca or clove", c.Lanes()[lane].ID())
	case p.Epochs > 0 && p.Optimiser != "sgd":
		return refuse("opt", "they train by plain descent", "opt=sgd")
	case p.Digits >= 0:
		return refuse("nd", "they send all digits", "nd=-1")
	case v.Text("clock") == "on":
		return refuse("clock", "real time passes", "clock=off")
	case v.Float("drop") != 0:
		return refuse("drop", "they drop out by themselves", "drop=0")
	case catalog.LiarsOf(v, clients) != nil:
		return refuse("liars", "nobody knows who lies", "liars=0")
	}
	return nil
}
