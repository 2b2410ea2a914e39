package workload

import (
	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

func init() { generated("digits", drawings) }

// drawings are the defaults of workloads whose samples are drawn pictures. A network's
// mean update is longer than a line's when it stands still, as in Sattler's code.
var drawings = map[string]string{"shift": "rotations", "net": "mlp", "C": "16", "K": "4", "b": "64", "probe": "64",
	"T":    "60",
	"eps1": "0.4"}

// generated registers the workload that shares out drawings of a generator.
func generated(name string, defaults map[string]string) {
	g, ok := dataset.Registry.Lookup(name)
	if !ok {
		panic("workload: no generator " + name)
	}
	Registry.Register(registry.Entry[Spec]{
		Meta: registry.Meta{Name: name, Title: g.Title, Family: g.Family, Doc: g.Doc, Paper: g.Paper,
			Fields: sampleFields(fieldCount)},
		Make: Spec{
			Make: func(v param.Values, _ *File) (Workload, error) {
				return share(v, drawn(name, uint64(v.Int("sd")), v.Int("n")), drawnFurther(name))
			},
			Defaults: defaults,
		},
	})
}
