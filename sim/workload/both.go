package workload

import (
	"errors"

	"flockscope/sim/param"
	"flockscope/sim/partition"
	"flockscope/sim/registry"
)

func init() {
	Registry.Register(registry.Entry[Spec]{
		Meta: registry.Meta{
			Name:   "both",
			Title:  "Synthetic digits and garments",
			Family: registry.Pictures,
			Doc:    "Half of the clients hold unchanged garments; the other half hold digits, with the view and labels that the settings give. One model for both has two tasks to learn.",
			Paper:  registry.CFLGP.At("appendix F.5.3, with synthetic images"),
			Fields: sampleFields(fieldCount),
		},
		Make: Spec{
			Make: makeDigitsAndGarments,
			Defaults: map[string]string{"shift": "rotations", "C": "16", "K": "5", "b": "64", "probe": "64", "T": "60",
				"eps1": "0.4"},
		},
	})
}

// makeDigitsAndGarments gives garments to the first half of the clients and digits to the others.
func makeDigitsAndGarments(v param.Values, _ *File) (Workload, error) {
	if v.Int("C") < 2 {
		return nil, &param.Error{Field: "C", Got: v.Text("C"), Want: "at least 2",
			Hint:        "some clients hold garments and some hold digits",
			Suggestions: []param.Suggestion{{Key: "C", Value: "2"}}}
	}
	return withOffers(v, dealBoth)
}

func dealBoth(v param.Values) (Workload, error) {
	clients, seed, n := v.Int("C"), uint64(v.Int("sd")), v.Int("n")
	plain := v.With(param.Given{"shift": "none", "concept": "none"})
	var deals []*partition.Partition
	var spare []extraSamples
	for _, part := range []struct {
		v       param.Values
		set     string
		clients int
	}{{plain, "garments", clients / 2}, {v, "digits", clients - clients/2}} {
		deal, err := partition.Build(part.v, syntheticSet(part.set, seed, n/2), part.clients, seed)
		if err != nil {
			return nil, ofBoth(err, v)
		}
		deals, spare = append(deals, deal), append(spare, generateMore(part.set))
	}
	return newShared(v, spare, deals...)
}

// ofBoth turns an error about the number of clients of one half into one about all clients.
func ofBoth(err error, v param.Values) error {
	var wrong *param.Error
	if !errors.As(err, &wrong) || wrong.Field != "C" {
		return err
	}
	return &param.Error{Field: "C", Got: v.Text("C"), Want: "fewer clients", Hint: wrong.Hint}
}
