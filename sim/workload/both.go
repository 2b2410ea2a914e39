package workload

import (
	"flockscope/sim/param"
	"flockscope/sim/partition"
	"flockscope/sim/registry"
)

func init() {
	Registry.Register(registry.Entry[Spec]{
		Meta: registry.Meta{
			Name:   "both",
			Title:  "Digits and garments",
			Doc:    "Half of the clients hold garments, as they are; the other half hold digits, seen and named as the settings say. One model for both has two worlds to learn.",
			Paper:  registry.CFLGP.At("appendix F.5.3, with drawings"),
			Fields: sampleFields(fieldCount),
		},
		Make: Spec{
			Make:     makeBoth,
			Defaults: map[string]string{"shift": "rotations", "C": "16", "K": "5", "b": "64", "probe": "64", "T": "60"},
		},
	})
}

// makeBoth deals garments to the first half of the clients and digits to the
// others.
func makeBoth(v param.Values, _ *File) (Workload, error) {
	clients, seed, n := v.Int("C"), uint64(v.Int("sd")), v.Int("n")
	if clients < 2 {
		return nil, &param.Error{Field: "C", Got: v.Text("C"), Want: "at least 2", Hint: "some clients hold garments and some hold digits",
			Offers: []param.Offer{{Key: "C", Value: "2"}}}
	}
	plain := v.But(param.Given{"shift": "none", "concept": "none"})
	var deals []*partition.Partition
	var spare []spares
	for _, part := range []struct {
		v       param.Values
		set     string
		clients int
	}{{plain, "garments", clients / 2}, {v, "digits", clients - clients/2}} {
		deal, err := partition.Build(part.v, drawn(part.set, seed, n/2), part.clients, seed)
		if err != nil {
			return nil, err
		}
		deals, spare = append(deals, deal), append(spare, drawnFurther(part.set))
	}
	return newShared(v, spare, deals...)
}
