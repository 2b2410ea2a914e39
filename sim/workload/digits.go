package workload

import (
	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

func init() { generated("digits", "mlp") }

// generated registers the workload that shares out drawings of a generator.
func generated(name, net string) {
	g, ok := dataset.Registry.Lookup(name)
	if !ok {
		panic("workload: no generator " + name)
	}
	Registry.Register(registry.Entry[Spec]{
		Meta: registry.Meta{Name: name, Title: g.Title, Doc: g.Doc, Paper: g.Paper, Fields: sampleFields(fieldCount)},
		Make: Spec{
			Make: func(v param.Values, _ *File) (Workload, error) {
				return share(v, drawn(name, uint64(v.Int("sd")), v.Int("n")))
			},
			Defaults: map[string]string{"shift": "rotations", "net": net, "C": "16", "K": "4", "b": "64", "probe": "64", "T": "60"},
		},
	})
}
