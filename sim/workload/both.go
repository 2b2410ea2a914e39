package workload

import (
	"errors"

	"flockscope/sim/dataset"
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
			Make:     makeDigitsAndGarments,
			Defaults: map[string]string{"shift": "rotations", "C": "16", "K": "5", "b": "64", "probe": "64", "T": "60"},
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
	seed, n := uint64(v.Int("sd")), v.Int("n")
	return dealTwo(v, [2]*dataset.Set{syntheticSet("garments", seed, n/2), syntheticSet("digits", seed, n/2)},
		[]extraSamples{generateMore("garments"), generateMore("digits")})
}

// dealTwo gives the first of two sets, unchanged, to half of the clients, and the second to the others, with the view and
// labels of the settings.
func dealTwo(v param.Values, sets [2]*dataset.Set, spare []extraSamples) (Workload, error) {
	clients := v.Int("C")
	deals := make([]*partition.Partition, 2)
	plain := v.With(param.Given{"shift": "none", "concept": "none"})
	for i, part := range []struct {
		v       param.Values
		clients int
	}{{plain, clients / 2}, {v, clients - clients/2}} {
		var err error
		if deals[i], err = partition.Build(part.v, sets[i], part.clients, uint64(v.Int("sd"))); err != nil {
			return nil, ofBoth(err, v)
		}
	}
	return newShared(v, spare, deals...)
}

// dealDomains deals the two domains of a set as two sets. plain says that its numbers need no scaling.
func dealDomains(v param.Values, set *dataset.Set, plain bool) (Workload, error) {
	if len(set.Groups) != 2 || !set.Domains || !plain || v.Int("C") < 2 {
		return nil, &param.Error{Field: "clean", Got: "1", Want: "0, or images of two domains and at least 2 clients",
			Hint: "with it, the first of two domains stays as it is", Suggestions: []param.Suggestion{{Key: "clean", Value: "0"}}}
	}
	var at [2][]int32
	for i, domain := range set.Writer {
		at[domain] = append(at[domain], int32(i))
	}
	var sets [2]*dataset.Set
	var spare []extraSamples
	for i := range sets {
		sets[i] = set.Only(at[i])
		sets[i].Name, sets[i].Writers, sets[i].Groups, sets[i].Domains = set.Groups[i], nil, nil, false
		spare = append(spare, fromTestSplit(sets[i]))
	}
	return dealTwo(v.With(param.Given{"split": "even", "order": "shuffled"}), sets, spare)
}

// ofBoth turns an error about the number of clients of one half into one about all clients.
func ofBoth(err error, v param.Values) error {
	var wrong *param.Error
	if !errors.As(err, &wrong) || wrong.Field != "C" {
		return err
	}
	return &param.Error{Field: "C", Got: v.Text("C"), Want: "fewer clients", Hint: wrong.Hint}
}
