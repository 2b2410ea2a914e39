package workload

import (
	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

func init() { registerSynthetic("digits", imageDefaults) }

// imageDefaults are the defaults of workloads of synthetic images.
var imageDefaults = map[string]string{"shift": "rotations", "net": "mlp", "C": "16", "K": "4", "b": "64", "probe": "64",
	"T": "60"}

// registerSynthetic registers the workload that distributes samples of a generator.
func registerSynthetic(name string, defaults map[string]string) {
	g, ok := dataset.Registry.Lookup(name)
	if !ok {
		panic("workload: no generator " + name)
	}
	Registry.Register(registry.Entry[Spec]{
		Meta: registry.Meta{Name: name, Title: g.Title, Family: g.Family, Doc: g.Doc, Paper: g.Paper,
			Fields: sampleFields(fieldCount)},
		Make: Spec{
			Make: func(v param.Values, _ *File) (Workload, error) {
				return share(v, syntheticSet(name, uint64(v.Int("sd")), v.Int("n")), generateMore(name))
			},
			Defaults: defaults,
		},
	})
}
