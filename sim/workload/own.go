package workload

import (
	"errors"
	"fmt"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/partition"
	"flockscope/sim/registry"
)

func init() {
	Registry.Register(registry.Entry[Spec]{
		Meta: registry.Meta{
			Name:   "samples",
			Title:  "Your own samples",
			Family: registry.OwnFiles,
			Doc:    "Images, bags of words or rows of numbers from your own files, distributed to clients as you like. The files never leave this page.",
			Paper:  registry.CFLGP.At("section 5.2, on other data"),
			Fields: sampleFields(fieldScale, fieldMissing, fieldColumns),
		},
		Make: Spec{
			Make: func(v param.Values, file *File) (Workload, error) {
				if file == nil {
					return nil, ErrNoSamples
				}
				f, err := file.With(v.Text("cols"), v.Text("na"))
				if err != nil {
					return nil, err
				}
				if f.Set == nil {
					return nil, ErrNoSamples
				}
				return advised(v, func(v param.Values) (Workload, error) { return shareScaled(v, f) })
			},
			Defaults: map[string]string{"shift": "rotations", "C": "16", "K": "4", "b": "64", "probe": "64", "T": "60",
				"eps1": "0.4", "like": "0.6", "bias": "1"},
			NeedFile: true,
		},
	})
}

// ErrNoSamples is returned when the experiment asks for samples that are not
// there.
var ErrNoSamples = errors.New("data=samples needs files of samples, such as MNIST's: drop them on the page together, or give -data FILE,FILE on the command line")

// shareScaled deals a set, and scales its features as the training samples of all clients
// say.
func shareScaled(v param.Values, f *File) (Workload, error) {
	set := f.Set
	deal, err := partition.Build(v, set, v.Int("C"), uint64(v.Int("sd")))
	if err != nil {
		return nil, err
	}
	scale := v.Text("scale")
	if err := scalable(scale, set); err != nil {
		return nil, err
	}
	train := make([]bool, set.Len())
	for i := range deal.Clients {
		for _, sample := range deal.Clients[i].Train {
			train[sample] = true
		}
	}
	deal.Set = set.Scaled(scale, train)
	w, err := newShared(v, []spares{keptApart(deal.Set)}, deal)
	if w, ok := w.(*shared); ok && scale == "none" {
		w.reach = set.Reach
	} else if ok && scale == "standard" && f.curvature > 0 {
		w.rate = f.safeRate()
	}
	return w, err
}

// scalable returns an error where numbers are too large to be left as they are.
func scalable(scale string, set *dataset.Set) error {
	if scale != "none" || set.Reach <= largest {
		return nil
	}
	return &param.Error{Field: "scale", Got: scale, Want: "standard or minmax",
		Hint: fmt.Sprintf("a column of %s goes up to %g, and models of numbers beyond a million break down",
			set.Name, set.Reach),
		Offers: []param.Offer{{Key: "scale", Value: "standard"}, {Key: "scale", Value: "minmax"}}}
}
