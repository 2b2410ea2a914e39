package engine

import (
	"context"
	"fmt"
	"strconv"

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
		if err := refuseRemote(c, i, &plans[i], data); err != nil {
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
			err = refuseRemote(c, i, &plans[i], data)
		}
	}
	return err
}

// refuseRemote returns an error if a lane asks for more than a remote client can do: losses of models, and updates by
// descent on all its samples, perhaps clipped and noised.
func refuseRemote(c experiment.Config, lane int, plan *fl.Plan, data workload.Workload) error {
	v, p := c.Values(lane), &plan.Protocol
	refuse := func(key, why, instead string) error {
		name := key
		if c.Own(lane, key) {
			name = c.Lanes()[lane].ID() + "." + key
		}
		return fmt.Errorf("%s=%s is not possible with remote clients: %s; set %s=%s", name, v.Text(key), why, name, instead)
	}
	most := 0 // samples of a client
	if held, ok := data.(workload.Finite); ok {
		for i := range data.Clients() {
			most = max(most, held.Holds(i))
		}
	}
	switch {
	case plan.Device != nil, plan.Personal, p.Right:
		return fmt.Errorf("%s needs more of its clients than losses and updates, and remote clients cannot do more; "+
			"choose others, such as cflgp, fedavg, ifca or clove", c.Lanes()[lane].ID())
	case p.Epochs > 0 && p.Optimiser != "sgd":
		return refuse("opt", "they train by plain descent", "sgd")
	case p.Digits >= 0:
		return refuse("nd", "they send all digits", "-1")
	case v.Text("clock") == "on":
		return refuse("clock", "real time passes", "off")
	case v.Float("drop") != 0:
		return refuse("drop", "they drop out by themselves", "0")
	case catalog.LiarsOf(v, data.Clients()) != nil:
		return refuse("liars", "nobody knows who lies", "0")
	case v.Int("b") < most:
		return refuse("b", "they train on all their samples", strconv.Itoa(most))
	case v.Int("probe") > 0 && v.Int("probe") < most:
		return refuse("probe", "they compute losses on all their samples", strconv.Itoa(most))
	}
	return nil
}
