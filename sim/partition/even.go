package partition

import (
	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/say"
)

func init() {
	Splits.Register(registry.Entry[SplitSpec]{
		Meta: registry.Meta{
			Name:  "even",
			Title: "Equal shares",
			Doc:   "All clients hold equally many samples, of all classes.",
			Paper: registry.CFLGP.At("appendix F.5"),
			Fields: []param.Field{
				{Name: "order", Label: "Order", Section: param.Data, Kind: param.Choice, Default: "file", Advanced: true,
					Options: []param.Option{{Name: "file", Title: "as in the set"},
						{Name: "shuffled", Title: "shuffled"}},
					Doc: "Clients get consecutive samples of the set, or of the shuffled set."},
			},
		},
		Make: SplitSpec{Make: func(v param.Values, _ *dataset.Set, _ uint64) (Split, error) {
			return even{shuffled: v.Text("order") == "shuffled"}, nil
		}},
	})
}

// even cuts the pool into as many pieces as there are clients.
type even struct{ shuffled bool }

func (even) Groups() []say.Message { return nil }

func (e even) Deal(d *Deal) ([][]int32, error) {
	pool := d.Pool
	if e.shuffled {
		pool = d.shuffled()
	}
	hands := make([][]int32, len(d.Group))
	for i := range hands {
		hands[i] = share(pool, i, len(hands))
	}
	return hands, nil
}
