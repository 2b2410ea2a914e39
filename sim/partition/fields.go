package partition

import (
	"slices"

	"flockscope/sim/param"
	"flockscope/sim/registry"
)

// fieldTest chooses the test samples of clients, and includes the setting of the training fraction.
var fieldTest = param.Field{Name: "test", Label: "Test samples", Section: param.Data, Kind: param.Choice,
	Default:  "share",
	Advanced: true,
	Options: []param.Option{
		{Name: "share", Title: "part of each client's samples", Fields: []param.Field{
			{Name: "share", Label: "Training fraction", Section: param.Data, Kind: param.Float, Min: 0.1, Max: 0.9, Step: 0.05, Default: "0.7", Advanced: true,
				Doc: "Fraction of its samples that a client trains on; it is tested on the others."}}},
		{Name: "set", Title: "the set's test split"}},
	Doc: "Clients are tested on samples they never train on, of the same kind: a part of their own (CFL-GP), or a share of the set's test split with the same classes (CLoVE)."}

// fieldEach limits the training samples of a client.
var fieldEach = param.Field{Name: "each", Label: "Samples per client", Section: param.Data, Kind: param.Int, Min: 0,
	Max: 100000, High: 1000, Step: 50, Default: "0", Advanced: true,
	Doc: "Maximum number of training samples of a client; 0 means no limit."}

// fieldHoldBack is for choosing settings: it leaves the test samples alone.
var fieldHoldBack = param.Field{Name: "holdback", Label: "Evaluate on training samples", Section: param.Data,
	Kind: param.Switch, Default: "0", Advanced: true,
	Doc: "For choosing settings: each client holds back three tenths of its training samples, with their wrong labels if there are any, and evaluates models on these. Nothing is trained or evaluated on the test samples."}

// fieldReuse is a setting of every layer option except the defaults, for which it has no effect.
var fieldReuse = param.Field{Name: "reuse", Label: "Groups share samples", Section: param.Data, Kind: param.Switch,
	Default: "0", Advanced: true,
	Doc: "Whether groups with different views or labels may hold the same samples, as in CLoVE. Otherwise no two clients hold the same sample."}

// Fields returns the settings of a partition in the order in which they are shown: the four layers, whose options have
// settings of their own, and what is common to all.
func Fields() []param.Field {
	return []param.Field{
		layer("split", "Partition", "Which samples each client holds.", &Splits, "even"),
		layer("shift", "Feature shift", "How clients see their samples.", &Shifts, "none", fieldReuse),
		layer("concept", "Concept shift", "Whether labels mean the same to all clients.", &Concepts, "none",
			fieldReuse),
		layer("noise", "Wrong labels", "Wrong labels among the samples that clients train on.", &Noises, "none"),
		fieldTest, fieldEach, fieldHoldBack,
	}
}

// layer is the field that chooses from a registry, the default first. All options except the default have further
// settings.
func layer[T any](name, label, doc string, r *registry.Registry[T], first string, further ...param.Field) param.Field {
	f := param.Field{Name: name, Label: label, Section: param.Data, Kind: param.Choice, Default: first, Doc: doc}
	for _, e := range r.All() {
		o := param.Option{Name: e.Name, Title: e.Title, Doc: e.Doc, Fields: e.Fields}
		if e.Name == first {
			f.Options = slices.Insert(f.Options, 0, o)
			continue
		}
		o.Fields = slices.Concat(o.Fields, further)
		f.Options = append(f.Options, o)
	}
	return f
}
