package workload

import (
	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/partition"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
	"flockscope/sim/say"
)

func init() {
	Registry.Register(registry.Entry[Spec]{
		Meta: registry.Meta{
			Name:   "samples",
			Title:  "Your own samples",
			Family: registry.OwnFiles,
			Doc:    "Images, texts, bags of words or rows of numbers from your own files, distributed to clients as you like. The files never leave this page.",
			Paper:  registry.CFLGP.At("section 5.2, on other data"),
			Fields: sampleFields(fieldUse, fieldScale, fieldMissing, fieldColumns, fieldTexts),
		},
		Make: Spec{
			Make: func(v param.Values, file *File) (Workload, error) {
				if file == nil {
					return nil, ErrNoSamples
				}
				var as dataset.Sequences
				if v.Text("texts") == "tokens" {
					as = dataset.Sequences{Words: v.Int("vocabulary"), Length: v.Int("length")}
				}
				f, err := file.with(v.Text("cols"), v.Text("na"), as)
				if err != nil {
					return nil, err
				}
				if f.Set == nil {
					return nil, ErrNoSamples
				}
				return withOffers(v, func(v param.Values) (Workload, error) { return shareScaled(v, f) })
			},
			Defaults: map[string]string{"shift": "rotations", "C": "16", "K": "4", "b": "64", "probe": "64", "T": "60",
				"bias": "1"},
			NeedFile: true,
		},
	})
}

// ErrNoSamples is returned when the experiment needs files of samples and there are none.
var ErrNoSamples = say.Errorf("data=samples needs files of samples, such as MNIST's: drop them on the page together, or give -data FILE,FILE on the command line")

// usePurpose is the purpose of the streams that choose samples: (0 for training or 1 for testing,
// 0), and those of test clients among the others, (2, 0). The number is part of every result.
const usePurpose rng.Purpose = 29

// subsample returns the numbers of n random samples of a set, and those of the others; nil and nil
// if all are used.
func subsample(set *dataset.Set, n int, seed uint64) (chosen, others []int32) {
	if n == 0 || n >= set.Len() {
		return nil, nil
	}
	is := make([]bool, set.Len())
	var s rng.Stream
	choose := func(part, from, to, n int) {
		s.Reset(seed, usePurpose, part, 0)
		pick(n, to-from, &s, func(_, at int) { is[from+at] = true })
	}
	train := (n*set.Train + set.Len()/2) / set.Len()
	choose(0, 0, set.Train, train)
	choose(1, set.Train, set.Len(), n-train)
	for i, chose := range is {
		if chose {
			chosen = append(chosen, int32(i))
		} else {
			others = append(others, int32(i))
		}
	}
	return chosen, others
}

// unused takes samples of a set that no client holds.
func unused(set *dataset.Set, others []int32, seed uint64) extraSamples {
	return func(_ param.Values, n int) (*dataset.Set, []int32, error) {
		n = min(n, len(others))
		out := make([]int32, n)
		var s rng.Stream
		s.Reset(seed, usePurpose, 2, 0)
		pick(n, len(others), &s, func(place, at int) { out[place] = others[at] })
		return set, out, nil
	}
}

// shareScaled distributes a set, or a subsample of it, and scales its features by the training
// samples of all clients.
func shareScaled(v param.Values, f *File) (Workload, error) {
	set, seed := f.Set, uint64(v.Int("sd"))
	chosen, others := subsample(set, v.Int("use"), seed)
	part := set
	if chosen != nil {
		part = set.Only(chosen)
	}
	if v.Text("split") == "writers" && v.Switch("clean") {
		return dealDomains(v, part, set.Plain())
	}
	deal, err := partition.Build(v, part, v.Int("C"), seed)
	if err != nil {
		return nil, err
	}
	scale := v.Text("scale")
	if set.Tokens > 0 {
		scale = "none" // numbers of words
	}
	if err := scalable(scale, set); err != nil {
		return nil, err
	}
	train := make([]bool, set.Len())
	for i := range deal.Clients {
		for _, sample := range deal.Clients[i].Train {
			if chosen != nil {
				sample = chosen[sample]
			}
			train[sample] = true
		}
	}
	whole := set.Scaled(scale, train)
	deal.Set = whole
	spare := fromTestSplit(whole)
	if chosen != nil {
		deal.Set, spare = whole.Only(chosen), unused(whole, others, seed)
	}
	w, err := newShared(v, []extraSamples{spare}, deal)
	if w, ok := w.(*shared); ok && scale == "none" {
		w.maxFeature = set.MaxAbs
	} else if ok && scale == "standard" && f.curvature > 0 {
		w.rate = f.safeRate()
	}
	return w, err
}

// scalable returns an error if features are too large to stay unscaled.
func scalable(scale string, set *dataset.Set) error {
	if scale != "none" || set.MaxAbs <= largest {
		return nil
	}
	return &param.Error{Field: "scale", Got: scale, Want: "standard or minmax",
		Hint: say.Messagef("a column of %s goes up to %s, and models of numbers beyond a million break down",
			set.Name, say.Number(set.MaxAbs)),
		Suggestions: []param.Suggestion{{Key: "scale", Value: "standard"}, {Key: "scale", Value: "minmax"}}}
}
