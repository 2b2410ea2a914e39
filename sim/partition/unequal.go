package partition

import (
	"flockscope/sim/dataset"
	"flockscope/sim/exact"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/say"
)

func init() {
	Splits.Register(registry.Entry[SplitSpec]{
		Meta: registry.Meta{
			Name:  "unequal",
			Title: "Unequal shares",
			Doc:   "A few clients hold many samples and many clients hold few, all with the same mixture of classes.",
			Paper: paperFedProx.At("section 5.1, sizes only; a log-normal rule in place of its power law"),
			Fields: []param.Field{
				{Name: "ratio", Label: "Largest : smallest", Section: param.Data, Kind: param.Float, Min: 1, Max: 1000, Low: 1, High: 100, Log: true, Default: "10",
					Doc: "Ratio of the sample counts of the largest and the smallest client."},
			},
		},
		Make: SplitSpec{Make: func(v param.Values, _ *dataset.Set, _ uint64) (Split, error) {
			return unequal{ratio: v.Float("ratio")}, nil
		}},
	})
}

// unequal gives client i a share that is proportional to exp(σ·zᵢ), where the zᵢ are the normal
// quantiles at (j + ½)/n in random order and σ is such that the largest share is ratio times the
// smallest: a stratified log-normal sample.
type unequal struct{ ratio float64 }

func (unequal) Groups() []say.Message { return nil }

func (u unequal) Deal(d *Deal) ([][]int32, error) {
	n := len(d.Group)
	weight := make([]float64, n)
	sum := 0.0
	for j := range weight {
		weight[j] = 1
		if n > 1 {
			top := exact.NormalQuantile((float64(n) - 0.5) / float64(n))
			z := exact.NormalQuantile((float64(j) + 0.5) / float64(n))
			weight[j] = exact.Exp(exact.Log(u.ratio) / 2 * (z / top))
		}
		sum += weight[j]
	}
	s := d.stream(dealShares, 0)
	shuffle(weight, &s)
	for j := range weight {
		weight[j] /= sum
	}
	return cut(d.shuffled(), weight), nil
}

// cut divides list at the cumulated shares, rounded down. Shares sum to 1.
func cut(list []int32, shares []float64) [][]int32 {
	out := make([][]int32, len(shares))
	from, sum := 0, 0.0
	for i, q := range shares {
		sum += q
		to := max(from, min(len(list), int(sum*float64(len(list)))))
		if i == len(shares)-1 {
			to = len(list) // the remainder after rounding
		}
		out[i] = list[from:to]
		from = to
	}
	return out
}
