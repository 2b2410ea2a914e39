// Package catalog builds the schema and the runs from the registries. It is the only package that
// imports every workload and every algorithm.
package catalog

import (
	"errors"
	"slices"
	"strconv"
	"sync"

	"flockscope/sim/algorithm"
	"flockscope/sim/experiment"
	"flockscope/sim/fl"
	"flockscope/sim/lesson"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/say"
	"flockscope/sim/workload"
)

// common are the settings of every run.
var common = []param.Field{
	{Name: "C", Label: "Clients C", Section: param.Data, Kind: param.Int, Min: 1, Max: 2000, Low: 3, High: 96, Default: "12",
		Doc: "Number of clients, in groups of equal size as far as possible."},
	{Name: "b", Label: "Batch b", Section: param.Data, Kind: param.Int, Min: 1, Max: 10000, Low: 1, High: 200, Log: true, Default: "10",
		Doc: "Samples that a client trains on per round."},
	algorithm.FieldProbe,
	{Name: "T", Label: "Rounds T", Section: param.Run, Kind: param.Int, Min: 1, Max: 5000, Low: 10, High: 400, Step: 10, Default: "200", Advanced: true,
		Doc: "Number of rounds."},
	{Name: "rho", Label: "Participation ρ", Section: param.Run, Kind: param.Float, Min: 0.001, Max: 1, Low: 0.05, High: 1, Step: 0.05, Default: "1", Advanced: true,
		Doc: "Fraction of the clients that participate in a round, drawn for each round."},
	{Name: "drop", Label: "Dropout rate", Section: param.Run, Kind: param.Float, Min: 0, Max: 1, High: 0.9, Step: 0.05, Default: "0", Advanced: true,
		Doc: "Probability that a participating client drops out before replying."},
	{Name: "late", Label: "Latecomers", Section: param.Run, Kind: param.Int, Min: 0, Max: 2000, High: 24, Default: "0", Advanced: true,
		Doc: "Number of clients that join later than the others."},
	{Name: "join", Label: "Latecomers join in round", Section: param.Run, Kind: param.Int, Min: 2, Max: 5000, Low: 2, High: 200, Default: "50", Advanced: true,
		Doc: "The first round that latecomers may take part in."},
	{Name: "clock", Label: "Virtual clock", Section: param.Run, Kind: param.Choice, Default: "off", Advanced: true,
		Options: []param.Option{{Name: "off", Title: "off"}, {Name: "on", Title: "on", Fields: []param.Field{
			{Name: "latency", Label: "Latency, seconds", Section: param.Run, Kind: param.Float, Min: 0, Max: 1000, Low: 0.01, High: 10, Log: true, Default: "0.1", Advanced: true,
				Doc: "Median network delay of one round trip, in seconds, whatever the size of the messages."},
			{Name: "bandwidth", Label: "Bandwidth, 1000 floats/s", Section: param.Run, Kind: param.Float, Min: 0.001, Max: 1e6, Low: 1, High: 10000, Log: true, Default: "250", Advanced: true,
				Doc: "Median rate at which a client receives or sends, in thousands of floats per second. 250 are 8 Mbit/s."},
			{Name: "spread", Label: "Spread", Section: param.Run, Kind: param.Float, Min: 0, Max: 3, High: 2, Step: 0.1, Default: "0.5", Advanced: true,
				Doc: "How much clients differ in latency and bandwidth: the standard deviation of the natural logarithm. 0: they are equal."},
			{Name: "deadline", Label: "Deadline, seconds", Section: param.Run, Kind: param.Float, Min: 0, Max: 1e6, High: 5, Step: 0.1, Default: "0", Advanced: true,
				Doc: "How long the server waits, in seconds; later replies are discarded. 0 waits for everyone."},
		}}},
		Doc: "Simulate how long rounds take: a round lasts until the slowest client has replied."},
}

// There are three seeds, so that the same clients can be combined with other start models, or the
// same start models with another start of k-means.
var seeds = []param.Field{
	seed("sd", "Data seed", "Determines the samples of the clients."),
	seed("sm", "Model seed", "Determines the start models."),
	seed("sa", "Algorithm seed", "Determines first labels, the start of k-means, and noise on updates."),
}

func seed(name, label, doc string) param.Field {
	return param.Field{Name: name, Label: label, Section: param.Run, Kind: param.Int, Min: 0, Max: 4294967295, Low: 1,
		High: 100, Default: "1", Doc: doc, Advanced: true}
}

// Schema returns all settings, from the registries.
var Schema = sync.OnceValue(func() *experiment.Schema {
	s := &experiment.Schema{Common: slices.Concat(common, liarFields), Shared: algorithm.Shared,
		Steps: algorithm.CommonSteps, Phases: algorithm.CommonPhases, Seeds: seeds,
		Data: "linreg", Lanes: "cflgp,ifca", Lesson: lesson.Link}
	for _, w := range workload.Registry.All() {
		s.Workloads = append(s.Workloads, experiment.Workload{Meta: w.Meta, Defaults: w.Make.Defaults,
			NeedFile: w.Make.NeedFile, FromFile: w.Make.FromFile, Endless: w.Make.Endless})
	}
	for _, a := range algorithm.Registry.All() {
		s.Algorithms = append(s.Algorithms, a.Meta)
	}
	s.Seal()
	return s
})

// Build makes the data and the plans of a run, one per lane, in order. file is the user's, nil
// without one.
func Build(c experiment.Config, file *workload.File) (workload.Workload, []fl.Plan, error) {
	data, plans, err := build(c, file)
	return data, plans, explainDefault(err, c)
}

// explainDefault completes an error about a setting that was not set: it says that the value is the default, or names
// the number of samples that was set as the cause.
func explainDefault(err error, c experiment.Config) error {
	var wrong *param.Error
	if !errors.As(err, &wrong) || wrong.Field == "" {
		return err
	}
	if _, ok := Schema().Field(wrong.Field); !ok || c.Value(wrong.Field) != wrong.Got {
		return err // the setting of a lane
	}
	if _, set := c.Given(wrong.Field); set {
		return err
	}
	said := *wrong
	if n, set := c.Given("n"); wrong.Field == "C" && set && c.Reads("n") {
		said.Field, said.Got = "n", n
		said.Want = say.Messagef("more samples, or fewer clients than %s", "C = "+wrong.Got)
		return &said
	}
	usual := say.Messagef("the default is %s", wrong.Got)
	if said.Hint != "" {
		usual = say.JoinMessage([]say.Message{said.Hint, usual}, "; ")
	}
	said.Hint = usual
	return &said
}

func build(c experiment.Config, file *workload.File) (workload.Workload, []fl.Plan, error) {
	spec, _ := workload.Registry.Lookup(c.Workload())
	data, err := spec.Make.Make(c.Values(-1), file)
	if err != nil {
		return nil, nil, err
	}
	if c.FromFile() {
		if err := c.Fits(data.Clients()); err != nil {
			return nil, nil, err
		}
	}
	plans, err := Plans(c, data)
	return data, plans, err
}

// Plans is [Build] for data that have been made already.
func Plans(c experiment.Config, data workload.Workload) ([]fl.Plan, error) {
	clients := data.Clients()
	var plans []fl.Plan
	for i := range c.Lanes() {
		a, _ := algorithm.Registry.Lookup(c.Lanes()[i].Algorithm)
		plan := a.Make(c.Values(i), clients)
		if err := refusal(&plan, c, i, data); err != nil {
			return nil, err
		}
		right, whole := plan.Protocol.Right, plan.Protocol.Whole
		plan.Protocol = algorithm.ProtocolOf(c.Values(i))
		plan.Protocol.Right, plan.Protocol.Whole = right, whole
		if err := tooFew(&plan, c, i, clients); err != nil {
			return nil, err
		}
		// Clusters are rebalanced, and medians computed, after all have replied.
		plan.Streams = plan.Streams && plan.Protocol.Least == 0 && plan.Protocol.Mean.Kind == fl.WeightedMean
		plans = append(plans, plan)
	}
	if err := checkLiars(c, data, plans); err != nil {
		return nil, err
	}
	if err := EstimateOf(data, plans).fits(c, MemoryLimit); err != nil {
		return nil, err
	}
	return plans, nil
}

// Check returns the error that [Build], and so the engine, would return for this run. It plays no
// round.
func Check(c experiment.Config, file *workload.File) error {
	_, _, err := Build(c, file)
	return err
}

// CheckPlans returns an error if some lane cannot work with the data. It is the part of [Check] that depends on the
// methods, for data that have been made already.
func CheckPlans(c experiment.Config, data workload.Workload) error {
	for i := range c.Lanes() {
		a, _ := algorithm.Registry.Lookup(c.Lanes()[i].Algorithm)
		plan := a.Make(c.Values(i), data.Clients())
		if err := refusal(&plan, c, i, data); err != nil {
			return err
		}
	}
	return nil
}

// refusal returns a plan's error about the data, if it has one. If the setting is a lane's own, the
// error has the lane's key.
func refusal(plan *fl.Plan, c experiment.Config, lane int, data workload.Workload) error {
	if plan.Refuse == nil {
		return nil
	}
	e := plan.Refuse(data.Model())
	if e == nil {
		return nil
	}
	return inLane(e, c, lane)
}

// inLane completes an error about a setting of a lane: it sets the value, and the lane's key if the value is its own.
func inLane(e *param.Error, c experiment.Config, lane int) *param.Error {
	e.Got = c.Values(lane).Text(e.Field)
	own := c.Own(lane, e.Field)
	for _, key := range []*string{&e.Field, &e.Suggestions[0].Key} {
		if own {
			*key = c.Lanes()[lane].ID() + "." + *key
		}
	}
	return e
}

// tooFew returns an error if all clients together are too few for the lane's average.
func tooFew(plan *fl.Plan, c experiment.Config, lane, clients int) error {
	rule := plan.Protocol.Mean
	least := rule.LeastClients()
	if clients >= least {
		return nil
	}
	most := (clients - 3) / 2
	if rule.Kind == fl.Bulyan {
		most = (clients - 3) / 4
	}
	if clients < 3 {
		e := &param.Error{Field: "mean", Want: "an average for fewer than three clients",
			Hint:        say.Messagef("with f = %d it needs %d clients, and there are %d", rule.Liars, least, clients),
			Suggestions: []param.Suggestion{{Key: "mean", Value: "median"}}}
		return inLane(e, c, lane)
	}
	return inLane(&param.Error{Field: "f", Want: say.Messagef("at most %d", most),
		Hint:        say.Messagef("with f = %d it needs %d clients, and there are %d", rule.Liars, least, clients),
		Suggestions: []param.Suggestion{{Key: "f", Value: strconv.Itoa(most)}}}, c, lane)
}

// MemoryLimit is the memory that a run may take, in bytes; 0 means no limit. It is set in browsers,
// where running out of memory would end the page.
var MemoryLimit int64

// Title returns the title of a lane: that of its algorithm, and its label.
func Title(l experiment.Lane) string {
	a, ok := algorithm.Registry.Lookup(l.Algorithm)
	if !ok {
		return l.ID()
	}
	if l.Label != "" {
		return a.Title + " · " + l.Label
	}
	return a.Title
}

// Step returns an algorithm's description of a recorded step.
func Step(name, step string) (registry.Step, bool) {
	a, _ := algorithm.Registry.Lookup(name)
	return a.StepOf(step, algorithm.CommonSteps)
}

// Lookup functions for docs and tests.
var (
	Algorithms = func() []registry.Entry[fl.Maker] { return algorithm.Registry.All() }
	Finished   = func() []registry.Entry[fl.Maker] { return algorithm.Registry.Finished() } // without drafts
	Workloads  = func() []registry.Entry[workload.Spec] { return workload.Registry.All() }
)
