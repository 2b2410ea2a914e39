package partition

import (
	"slices"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
	"flockscope/sim/say"
)

func init() {
	Splits.Register(registry.Entry[SplitSpec]{
		Meta: registry.Meta{
			Name:  "dirichlet",
			Title: "Random mixtures of classes (Dirichlet)",
			Doc:   "Each client has its own random mixture of classes: the smaller α, the fewer classes it mainly holds. No groups are planted.",
			Paper: paperDirichlet.At("section 3; and HCFL, appendix E.1"),
			Fields: []param.Field{
				{Name: "alpha", Label: "Evenness α", Section: param.Data, Kind: param.Float, Min: 0.01, Max: 1000, High: 100, Low: 0.05, Log: true, Default: "0.5",
					Doc: "Small: each client holds a few classes. Large: all clients hold the same mixture."},
				{Name: "drawby", Label: "Drawn", Section: param.Data, Kind: param.Choice, Default: "class", Advanced: true,
					Options: []param.Option{{Name: "class", Title: "class by class"},
						{Name: "client", Title: "client by client (LDA)"}},
					Doc: "Class by class, the clients' shares of a class are Dirichlet(α). Client by client, as the code behind HCFL does, a client's classes are Dirichlet(α·p), p the proportions left: " +
						"with ten classes about as skewed as α/10, equal sizes, and the last clients get what is left."},
			},
		},
		Make: SplitSpec{Make: func(v param.Values, set *dataset.Set, _ uint64) (Split, error) {
			if err := needClasses(v, "split", set, "a set with classes"); err != nil {
				return nil, err
			}
			if v.Text("drawby") == "client" {
				return lda{alpha: v.Float("alpha")}, nil
			}
			return mixed{alpha: v.Float("alpha")}, nil
		}},
	})
}

// mixed draws, class by class, the clients' shares of the class from Dirichlet(α, …, α) and cuts the class's samples at
// the cumulated shares. A draw that leaves a client with fewer than two samples, one for training and one for testing,
// is drawn again.
type mixed struct{ alpha float64 }

func (mixed) Groups() []say.Message { return nil }

func (m mixed) Deal(d *Deal) ([][]int32, error) {
	const tries = 100
	n := len(d.Group)
	classes := d.byClass()
	weights, shares := slices.Repeat([]float64{m.alpha}, n), make([]float64, n)
	for try := range tries {
		s := d.stream(dealShares, try)
		hands := make([][]int32, n)
		for _, samples := range classes {
			dirichlet(shares, weights, &s)
			for i, part := range cut(samples, shares) {
				hands[i] = append(hands[i], part...)
			}
		}
		if smallest(hands) >= 2 {
			return hands, nil
		}
	}
	return nil, &param.Error{Field: "alpha", Got: param.FormatFloat(m.alpha),
		Want: "a value that leaves every client some samples",
		Hint: "100 draws each left some client without samples; choose a larger α or fewer clients"}
}

// smallest returns the number of samples of the smallest client.
func smallest(hands [][]int32) int {
	least := len(hands[0])
	for _, h := range hands {
		least = min(least, len(h))
	}
	return least
}

// lda serves one client after another: with p the proportions of the classes among the remaining
// samples, it draws q ~ Dirichlet(α·p) and then samples one by one, the class from q and the sample
// at random, until the client has its equal share. Empty classes are removed from q.
type lda struct{ alpha float64 }

func (lda) Groups() []say.Message { return nil }

func (l lda) Deal(d *Deal) ([][]int32, error) {
	n := len(d.Group)
	each := len(d.Pool) / n
	left := d.byClass()
	q, p := make([]float64, len(left)), make([]float64, len(left))
	hands := make([][]int32, n)
	for i := range hands {
		s := d.stream(dealShares, i)
		remaining := 0
		for c := range left {
			remaining += len(left[c])
		}
		for c := range left {
			p[c] = l.alpha * float64(len(left[c])) / float64(remaining)
		}
		dirichlet(q, p, &s)
		for range each {
			c := pick(q, left, &s)
			last := len(left[c]) - 1
			hands[i] = append(hands[i], left[c][last])
			left[c] = left[c][:last]
		}
	}
	return hands, nil
}

// pick draws a class that still has samples, with weights q, or in proportion to the remaining
// samples if all classes with a weight are empty.
func pick(q []float64, left [][]int32, s *rng.Stream) int {
	weight := func(c int) float64 {
		if len(left[c]) == 0 {
			return 0
		}
		return q[c]
	}
	sum := 0.0
	for c := range q {
		sum += weight(c)
	}
	if sum == 0 {
		weight = func(c int) float64 { return float64(len(left[c])) }
		for c := range q {
			sum += weight(c)
		}
	}
	target := s.Float64() * sum
	last := 0
	for c := range q {
		w := weight(c)
		if w == 0 {
			continue
		}
		if target < w {
			return c
		}
		target -= w
		last = c
	}
	return last
}
