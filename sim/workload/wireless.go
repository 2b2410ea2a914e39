package workload

import (
	"slices"
	"strconv"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/say"
)

func init() {
	fields := []param.Field{
		{Name: "dtheta", Label: "Gap Δθ", Section: param.Data, Unit: "°", Kind: param.Float, Min: 0, Max: 70, High: 60, Step: 1, Default: "30",
			Doc: "How different are the environments? The angle between the scatterers of neighbouring environments."},
		fieldGroups, fieldCount,
	}
	for _, f := range sampleFields() {
		if !slices.Contains([]string{"shift", "concept", "noise", "augment"}, f.Name) {
			fields = append(fields, f)
		}
	}
	Registry.Register(registry.Entry[Spec]{
		Meta: registry.Meta{
			Name:   "wireless",
			Title:  "Radio channels",
			Family: registry.Channels,
			Doc:    "Signals of users in different environments, received by eight antennas at eight frequencies, to be compressed and reconstructed, without labels. Pictures have directions from left to right and delays from top to bottom.",
			Paper:  registry.CFLGP.At("appendix F.6, with a simple channel model of our own: not COST 2100 or QuaDRiGa, and not their numbers"),
			Fields: fields,
		},
		Make: Spec{Make: makeWireless, Defaults: map[string]string{
			"split": "classes", "per": "1", "net": "autoencoder", "n": "3000", "C": "12", "K": "3",
			"b": "25", "probe": "25", "T": "30", "avg": "model", "tau": "2", "opt": "adam", "lr": "0.002"}},
	})
}

// makeWireless gives the channels of each environment to the clients in it, unless the settings
// differ.
func makeWireless(v param.Values, _ *File) (Workload, error) {
	gap, d := v.Float("dtheta"), v.Int("D")
	if most := 140 / max(d-1, 1); gap*float64(d-1) > 140 {
		return nil, &param.Error{Field: "dtheta", Got: v.Text("dtheta"),
			Want: say.Messagef("at most %d with %s groups", most, v.Text("D")),
			Hint: "a linear antenna array cannot distinguish front and back",
			Suggestions: []param.Suggestion{{Key: "dtheta", Value: strconv.Itoa(most)},
				{Key: "D", Value: strconv.Itoa(int(140/gap) + 1)}}}
	}
	v = v.With(param.Given{"reuse": "0", "shift": "none", "concept": "none", "noise": "none", "augment": "none"})
	measured := func(n int) *dataset.Set { return dataset.Channels(uint64(v.Int("sd")), n, d, gap) }
	from := v.Int("n")
	further := func(_ param.Values, n int) (*dataset.Set, []int32, error) {
		return measured(from + n), integers(from, from+n), nil
	}
	return share(v, measured(from), further)
}
