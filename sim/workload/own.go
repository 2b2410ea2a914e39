package workload

import (
	"errors"

	"flockscope/sim/param"
	"flockscope/sim/registry"
)

func init() {
	Registry.Register(registry.Entry[Spec]{
		Meta: registry.Meta{
			Name:   "samples",
			Title:  "Your own samples",
			Doc:    "Images, bags of words or rows of numbers from files of yours, shared out to clients as you like. The files never leave this page.",
			Paper:  registry.CFLGP.At("section 5.2, on other data"),
			Fields: sampleFields(),
		},
		Make: Spec{
			Make: func(v param.Values, file *File) (Workload, error) {
				if file == nil || file.Set == nil {
					return nil, ErrNoSamples
				}
				return share(v, file.Set, keptApart(file.Set))
			},
			Defaults: map[string]string{"shift": "rotations", "C": "16", "K": "4", "b": "64", "probe": "64", "T": "60",
				"eps1": "0.4", "like": "0.6"},
			NeedFile: true,
		},
	})
}

// ErrNoSamples is returned when the experiment asks for samples that are not
// there.
var ErrNoSamples = errors.New("data=samples needs files of samples, such as MNIST's: drop them on the page together, or give -data FILE,FILE on the command line")
